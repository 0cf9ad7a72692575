"""`pathmax serve --demo`: a simulated laboratory at work, so that there is something to watch.

Two benches ask what to try, take a few seconds for it, and tell what came out; now and then an
experiment fails. A study that has a hundred trials is left as it is, and the next one begins; the
latest three are kept, so that it can go on for days. Everything is in memory and gone at the end.
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
MOST_TRIALS = 100  # of a study; then the next one begins
MOST_STUDIES = 3  # of ours that are kept, the latest
BENCHES = ("bench 1", "bench 2")
EXPERIMENT_SECONDS = (4.0, 10.0)  # how long an experiment takes
NOT_SIMULATED = "the simulated reaction knows temperature, minutes and three solvents alone"
MISHAPS = ("the stirrer stopped", "the flask broke", "no stirring bar was left")


def demo_storage(seed: int = 0) -> Storage:
    """A storage with a study that has begun."""
    storage = MemoryStorage()
    begin_study(storage, 1, seed)
    return storage


def name_of(which: int) -> str:
    """The name of our first, second, ... study."""
    return NAME if which == 1 else f"{NAME}, no. {which}"


def begin_study(storage: Storage, which: int, seed: int) -> Study:
    """A study with a few results."""
    name, seed = name_of(which), seed + 1000 * (which - 1)
    study = Study(REACTION_SPACE, direction="maximize", name=name, storage=storage, seed=seed)
    storage.update(name, attributes={"sheet": {"objective": "yield", "units": dict(UNITS)}})
    chance = Random(seed)
    for _ in range(BEFORE):
        experiment(study, chance)
    return study


def experiment(study: Study, chance: Random, stop: threading.Event | None = None) -> None:
    """Ask, take a while, and tell."""
    trial = study.ask()
    if stop is not None and stop.wait(chance.uniform(*EXPERIMENT_SECONDS)):
        return
    if chance.random() < 0.08:
        study.fail(trial, chance.choice(MISHAPS))
        return
    try:
        exact = reaction_yield(**trial.params)  # type: ignore[arg-type]
    except (TypeError, KeyError, ArithmeticError):  # somebody changed the space
        study.fail(trial, NOT_SIMULATED)
        return
    measured = exact + chance.gauss(0.0, 0.5)
    study.tell(trial, round(measured, 1), attributes={"bench": chance.choice(BENCHES)})


class Laboratory:
    """Which study the benches work at."""

    def __init__(self, storage: Storage, seed: int) -> None:
        self._storage, self._seed, self._lock = storage, seed, threading.Lock()
        self._which = 1

    def study(self) -> Study | None:
        """The study that goes on; the next one when it has trials enough. None: it was deleted."""
        with self._lock:
            name = name_of(self._which)
            standing = self._storage.revisions().get(name)
            if standing is None:
                return None
            if standing.trials < MOST_TRIALS:
                return Study.load(name, storage=self._storage)
            self._which += 1
            self._forget()
            return begin_study(self._storage, self._which, self._seed)

    def _forget(self) -> None:
        """Delete what is older than the latest few, unless somebody has done so."""
        gone = name_of(self._which - MOST_STUDIES)
        if self._which > MOST_STUDIES and gone in self._storage.revisions():
            self._storage.delete(gone)


@contextmanager
def laboratory(storage: Storage, seed: int = 0) -> Iterator[None]:
    """Work at both benches until the end."""
    stop, held = threading.Event(), Laboratory(storage, seed)
    threads = [
        threading.Thread(target=_work, args=(held, stop, Random(seed + 1 + i)), daemon=True)
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


def _work(held: Laboratory, stop: threading.Event, chance: Random) -> None:
    while not stop.is_set():
        try:
            study = held.study()
            if study is None:
                return
            experiment(study, chance, stop)
        except PathmaxError:  # somebody told the trial on the page, or deleted the study
            stop.wait(1.0)
