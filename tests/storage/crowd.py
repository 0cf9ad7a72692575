"""Many real processes on one storage: forked workers, some of them killed.

Run as a program of its own, with one JSON argument, so that workers are forked from a process
without threads that has imported everything once. Prints one JSON report.

Each worker writes a line to its own log *after* a call has returned: what is in a log was
acknowledged, and must be found in the storage whatever happened to the worker.
"""

import json
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psycopg  # noqa: F401
import sqlalchemy.dialects.postgresql.psycopg
import sqlalchemy.dialects.sqlite.pysqlite  # noqa: F401

import pathmax
import pathmax.storage.sql  # imported before the forks: once, not in every worker
from pathmax.storage import Ending, Storage, StudyRecord, open_storage

STUDY = "crowd"


def ask_and_tell(url: str, worker: str, log: Path, limit: int, pause: float) -> None:
    """Work until the study has `limit` trials, and log what was acknowledged."""
    rng = random.Random(worker)
    with log.open("ab", buffering=0) as acknowledged, open_storage(url) as storage:
        storage.create(StudyRecord(name=STUDY, space={}, direction="maximize"))
        revision, count = 0, 0
        while True:
            revision, changed = storage.changes(STUDY, revision)
            count = max([count, *(trial.number + 1 for trial in changed)])
            if count >= limit:
                return
            params = {"x": rng.random(), "text": "y" * rng.randrange(2000)}
            if rng.random() < 0.8:
                trial = storage.start_next(
                    STUDY, revision, lambda *_, params=params: (params, {}), worker
                )
            else:  # a number in mind, as after a slow suggestion: somebody else may be faster
                trial = storage.start(STUDY, count, params, worker=worker)
            if trial is None:
                continue
            _note(acknowledged, {"asked": trial.number, "params": params})
            if pause:
                time.sleep(rng.uniform(0, pause))
            storage.finish(STUDY, trial.number, Ending(outcomes={"value": value(params)}))
            _note(acknowledged, {"told": trial.number, "value": value(params)})


def study(url: str, worker: str, log: Path, limit: int, method: str) -> None:
    """The same through `Study`, on a lattice: two workers could well hit on the same point."""
    space = {"i": pathmax.Int(0, 39), "j": pathmax.Int(0, 39)}
    shared = pathmax.Study(
        space, name=STUDY, storage=url, direction="maximize", method=method, seed=0
    )
    with log.open("ab", buffering=0) as acknowledged:
        while len(shared.trials) < limit:
            trial = shared.ask()
            _note(acknowledged, {"asked": trial.number, "params": trial.params})
            told = shared.tell(trial, value(trial.params))
            _note(acknowledged, {"told": trial.number, "value": told.value})


def value(params: dict) -> float:
    """What a worker tells for its params."""
    return params["x"] if "x" in params else -float(abs(params["i"] - 17) + abs(params["j"] - 3))


def _note(file, line: dict) -> None:
    file.write(json.dumps(line).encode() + b"\n")


def fork(work: Callable[..., None], url: str, worker: str, folder: Path, *job: object) -> int:
    """Start a worker; the process id. Whatever goes wrong in it is written to a file."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        work(url, worker, folder / f"{worker}.log", *job)
        code = 0
    except BaseException:
        (folder / f"{worker}.error").write_text(traceback.format_exc())
    finally:
        os._exit(code)


def all_at_once(url: str, folder: Path, workers: int, limit: int, pause: float = 0.0) -> None:
    """Let workers finish a study together."""
    pids = [fork(ask_and_tell, url, f"w{i}", folder, limit, pause) for i in range(workers)]
    for pid in pids:
        os.waitpid(pid, 0)


def one_study(url: str, folder: Path, workers: int, limit: int, method: str) -> None:
    """Let workers finish a `Study` together."""
    # Imports the rest, once.
    pathmax.maximize(value, {"x": pathmax.Float(0, 1)}, n_trials=8, seed=0, progress=False)
    pids = [fork(study, url, f"w{i}", folder, limit, method) for i in range(workers)]
    for pid in pids:
        os.waitpid(pid, 0)


def kill_many(url: str, folder: Path, workers: int, at_once: int) -> None:
    """Kill worker after worker at a random moment, several running at any time.

    The moment is a number of acknowledged calls, some of them none at all, and a few milliseconds
    more: so it is as random on a busy machine as on an idle one.
    """
    rng = random.Random(0)
    alive: list[Victim] = []
    for i in range(workers):
        while len(alive) == at_once:
            alive = [victim for victim in alive if not victim.killed()]
        pid = fork(ask_and_tell, url, f"w{i}", folder, 10**9, 0.0)
        alive.append(Victim(pid, folder / f"w{i}.log", rng.randrange(7), rng.uniform(0, 0.005)))
    while alive:
        alive = [victim for victim in alive if not victim.killed()]


@dataclass
class Victim:
    pid: int
    log: Path
    calls: int  # how many calls it may bring to an end
    delay: float  # and how long it lives after that

    def killed(self) -> bool:
        """Kill the worker if its moment has come."""
        time.sleep(0.002)
        done = self.log.read_bytes().count(b"\n") if self.log.exists() else 0
        if done < self.calls:
            return False
        time.sleep(self.delay)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        return True


def report(storage: Storage, folder: Path) -> dict:
    """What the storage holds, beside what the workers were told it holds."""
    trials = storage.changes(STUDY)[1]
    logs = [line for log in sorted(folder.glob("*.log")) for line in log.read_bytes().split(b"\n")]
    noted = []
    for line in logs:
        try:
            noted.append(json.loads(line))
        except ValueError:
            continue  # the worker was killed while it wrote its log
    return {
        "trials": [trial.to_json() for trial in trials],
        "acknowledged": noted,
        "errors": [path.read_text() for path in sorted(folder.glob("*.error"))],
    }


if __name__ == "__main__":
    job = json.loads(sys.argv[1])
    place, where = job.pop("url"), Path(job.pop("folder"))
    scene = {"all_at_once": all_at_once, "kill_many": kill_many, "one_study": one_study}
    scene[job.pop("do")](place, where, **job)
    with open_storage(place) as final:
        print(json.dumps(report(final, where)))
