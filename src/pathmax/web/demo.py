"""`pathmax serve --demo`: a simulated laboratory at work, so that there is something to watch.

Two benches ask what to try, take a few seconds for it, and tell what came out; now and then an
experiment fails. Everything is in memory and gone at the end.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from pathmax.errors import PathmaxError
from pathmax.storage import MemoryStorage, Storage
from pathmax.study import Study
from pathmax.workspace.simulated_reaction import REACTION_SPACE, UNITS, reaction_yield

NAME = "a simulated reaction"
BEFORE = 12  # results that are there at the start
MOST_TRIALS = 100  # trials, and then the laboratory rests
BENCHES = ("bench 1", "bench 2")
EXPERIMENT_SECONDS = (4.0, 10.0)  # how long an experiment takes
MISHAPS = ("the stirrer stopped", "the flask broke", "no stirring bar was left")


def demo_storage(seed: int = 0) -> Storage:
    """A storage with a study that has begun."""
    storage = MemoryStorage()
    study = Study(REACTION_SPACE, direction="maximize", name=NAME, storage=storage, seed=seed)
    sheet = {
        "objective": "yield",
        "units": dict(UNITS),
        "units_row": False,
        "ignored": [],
        "pool": {},
    }
    storage.update(NAME, attributes={"sheet": sheet})
    chance = Random(seed)
    for _ in range(BEFORE):
        experiment(study, chance)
    return storage


def experiment(study: Study, chance: Random, stop: threading.Event | None = None) -> None:
    """Ask, take a while, and tell."""
    trial = study.ask()
    if stop is not None and stop.wait(chance.uniform(*EXPERIMENT_SECONDS)):
        return
    if chance.random() < 0.08:
        study.fail(trial, chance.choice(MISHAPS))
        return
    measured = reaction_yield(**trial.params) + chance.gauss(0.0, 0.5)  # type: ignore[arg-type]
    study.tell(trial, round(measured, 1), attributes={"bench": chance.choice(BENCHES)})


@contextmanager
def laboratory(storage: str | Storage, seed: int = 0) -> Iterator[None]:
    """Work at both benches until the end."""
    stop = threading.Event()
    threads = [
        threading.Thread(target=_work, args=(storage, stop, Random(seed + 1 + i)), daemon=True)
        for i in range(len(BENCHES))
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def _work(storage: str | Storage, stop: threading.Event, chance: Random) -> None:
    study = Study.load(NAME, storage=storage)
    while not stop.is_set():
        try:
            if len(study.trials) >= MOST_TRIALS:
                return
            experiment(study, chance, stop)
        except PathmaxError:  # somebody told the trial on the page, or deleted the study
            if stop.wait(1.0) or NAME not in study.storage.revisions():
                return
            study = Study.load(NAME, storage=storage)
