"""A kill storm: processes that use one study as people do, each killed at a moment of chance.

Every process writes down what a call has acknowledged after it returned. Whatever was acknowledged
must be in the storage afterwards, once; nothing else may have changed; and what is left must go on.
Run as a program with one JSON argument, so that the processes are forked from one without threads.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

import psycopg  # noqa: F401
import sqlalchemy.dialects.postgresql.psycopg
import sqlalchemy.dialects.sqlite.pysqlite  # noqa: F401

import pathmax
import pathmax.storage.sql
from pathmax import Categorical, Float, Study, TrialState
from pathmax.errors import TrialError

NAME = "storm"
SPACE = {"x": Float(0, 1), "c": Categorical(["a", "b"])}


def work(url: str, who: str, log: Path, method: str) -> None:
    """Ask, tell, fail, correct and annotate until killed."""
    rng = random.Random(who)
    with log.open("ab", buffering=0) as acknowledged:

        def note(**line: object) -> None:
            acknowledged.write(json.dumps(line).encode() + b"\n")

        study = Study(SPACE, name=NAME, storage=url, method=method, seed=0, initial=4)
        while True:
            trial = study.ask()
            note(asked=trial.number, params=trial.params)
            if rng.random() < 0.15:
                study.fail(trial, f"{who} spilt it")
                note(failed=trial.number)
                continue
            value = rng.gauss(0, 1)
            study.tell(trial, value, note=who)
            note(told=trial.number, value=value)
            if rng.random() < 0.2:
                value = rng.gauss(0, 1)
                study.correct(trial, value)
                note(told=trial.number, value=value)
            if rng.random() < 0.2:
                study.annotate(trial, attributes={"who": who})
                note(annotated=trial.number, who=who)


def fork(url: str, who: str, folder: Path, method: str) -> int:
    """Start a process; its id. What goes wrong in it is written to a file."""
    pid = os.fork()
    if pid:
        return pid
    try:
        work(url, who, folder / f"{who}.log", method)
    except BaseException:
        (folder / f"{who}.error").write_text(traceback.format_exc())
    finally:
        os._exit(1)


def storm(url: str, folder: Path, kills: int, at_once: int, seed: int, method: str) -> None:
    """Kill one process after the other, several living at any time.

    The moment is a number of acknowledged calls and a few milliseconds more: by chance on a busy
    machine as on an idle one.
    """
    pathmax.maximize(lambda p: p["x"], {"x": Float(0, 1)}, n_trials=6, seed=0, progress=False)
    rng = random.Random(seed)
    alive: dict[int, tuple[Path, int, float]] = {}
    started = 0
    while started < kills or alive:
        while started < kills and len(alive) < at_once:
            who = f"w{started}"
            moment = rng.randrange(9), rng.uniform(0, 0.03)
            alive[fork(url, who, folder, method)] = (folder / f"{who}.log", *moment)
            started += 1
        time.sleep(0.002)
        for pid, (log, calls, delay) in list(alive.items()):
            done = log.read_bytes().count(b"\n") if log.exists() else 0
            if done >= calls or log.with_suffix(".error").exists():
                time.sleep(delay)
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                del alive[pid]


def check(url: str, folder: Path) -> Counter[str]:
    """Compare what was acknowledged with what is there; what was found, by kind."""
    errors = [path.read_text() for path in sorted(folder.glob("*.error"))]
    assert not errors, errors[0]
    study = Study.load(NAME, storage=url)
    trials = study.trials
    assert [trial.number for trial in trials] == list(range(len(trials)))
    assert all(trial.damage is None for trial in trials)
    lines = [line for log in sorted(folder.glob("*.log")) for line in _lines(log)]
    asked = [line["asked"] for line in lines if "asked" in line]
    assert len(asked) == len(set(asked)), "a number was given to two processes"
    for line in lines:
        number = next(line[key] for key in ("asked", "told", "failed", "annotated") if key in line)
        trial = trials[number]
        if "asked" in line:
            assert trial.params == line["params"]
        elif "failed" in line:
            assert trial.state is TrialState.FAILED
        elif "annotated" in line:
            assert trial.attributes["who"] == line["who"]
        else:  # the last value, or one that a later correction replaced
            values = [was.value for was in (*trial.earlier, trial)]
            assert trial.state is TrialState.COMPLETE and line["value"] in values
    replayed = [study.replay(t) == t.params for t in trials[-25:]]
    assert all(replayed)
    _go_on(study)
    return Counter({"acknowledged": len(lines), "trials": len(trials), "replays": len(replayed)})


def _go_on(study: Study) -> None:
    """What is left of the storm is a study like any other."""
    for trial in study.trials:
        if trial.state is TrialState.RUNNING:
            try:
                study.fail(trial, "killed")
            except TrialError as error:  # taken back meanwhile
                assert "before" in str(error)
    study.tell(study.ask(), 1.0)


def _lines(log: Path) -> list[dict[str, Any]]:
    found = []
    for line in log.read_bytes().split(b"\n"):
        try:
            found.append(json.loads(line))
        except ValueError:
            continue  # killed while it wrote its log
    return found


if __name__ == "__main__":
    job = json.loads(sys.argv[1])
    place, where = job.pop("url"), Path(job.pop("folder"))
    storm(place, where, **job)
    print(json.dumps(check(place, where)))
