"""Studies by chance: any space, method, goals, outcomes and settings, driven as a user may.

A study is a function of its seed, so a failure is repeated by its number. Warnings are errors.
What must hold of each: only errors of ours, suggestions inside the space and none twice where that
is promised, nothing told is changed, every suggestion derived again, finite predictions.
"""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pathmax import Candidates, Categorical, Float, Grid, Int, Study, TrialState, gp
from pathmax.acquisition import METHODS
from pathmax.errors import ExhaustedError, PathmaxError
from pathmax.storage import Storage, open_storage

JOINT = ("pims", "ts", "ei", "random")
NOTES = [None, "", "naïve ☃ 🧪", "=1+1", "a\nb\x1b[31m", "x" * 500, "\ufffd"]


@dataclass
class Driven:
    """A study in the hands of somebody who does whatever comes to mind."""

    study: Study
    rng: np.random.Generator
    draw: Callable[[np.random.Generator], float]  # a value that comes out
    told: dict[int, dict[str, float]] = field(default_factory=dict)
    done: Counter[str] = field(default_factory=Counter)

    def step(self) -> None:
        """One thing that a user may do next."""
        moves = {
            "ask": 8, "batch": 1, "add": 1, "correct": 1, "annotate": 1, "load": 1, "read": 1,
        }  # fmt: skip
        chances = np.array(list(moves.values()), dtype=float)
        move = str(self.rng.choice(list(moves), p=chances / chances.sum()))
        getattr(self, f"_{move}")()
        self.done[move] += 1

    def _ask(self) -> None:
        self._end(self.study.ask())

    def _batch(self) -> None:
        for trial in self.rng.permutation(np.array(self.study.ask(3), dtype=object)):
            self._end(trial)

    def _end(self, trial: Any) -> None:
        assert self.study.space.validate(trial.params) == trial.params
        fate, note = self.rng.random(), NOTES[self.rng.integers(len(NOTES))]
        if fate < 0.08:
            self.study.fail(trial, "broke \x00 it")
        elif fate < 0.12:
            return  # left running, as by somebody who forgot
        elif fate < 0.16:
            value = self._values(odd=math.nan if fate < 0.14 else math.inf)
            self.study.tell(trial, value)
            self.done["odd values"] += 1
        else:
            value = self._values()
            told = self.study.tell(trial, value, note=note, noise=self._noise())
            self.told[trial.number] = dict(told.outcomes)
            assert told.note == note

    def _noise(self) -> Any:
        if self.rng.random() > 0.2:
            return None
        names, single = self.study.goals.names, self.study.goals.to_json() is None
        noises = {name: float(self.rng.choice([0.0, 1e-6, 0.3])) for name in names}
        return noises[names[0]] if single else noises

    def _values(self, odd: float | None = None) -> Any:
        names = self.study.goals.names
        values = {name: self.draw(self.rng) if odd is None else odd for name in names}
        return values if self.study.goals.to_json() is not None else values[names[0]]

    def _add(self) -> None:
        past = self.study.trials
        if past:
            params = past[int(self.rng.integers(len(past)))].params
            told = self.study.add(params, self._values())
            self.told[told.number] = dict(told.outcomes)

    def _correct(self) -> None:
        if self.told:
            number = int(self.rng.choice(list(self.told)))
            corrected = self.study.correct(number, self._values())
            self.told[number] = dict(corrected.outcomes)
            assert corrected.earlier

    def _annotate(self) -> None:
        if self.told:
            number = int(self.rng.choice(list(self.told)))
            self.study.annotate(number, attributes={"by": "chance", "list": [1, None, 0.5]})

    def _load(self) -> None:
        self.study = Study.load(self.study.name, storage=self.study.storage)

    def _read(self) -> None:
        """What a study says of itself, where it can."""
        study = self.study
        if study.trials:
            points = [study.trials[-1].params]
            for name in study.goals.names:
                if self.told:
                    mean, std = study.predict(points, name)
                    assert np.isfinite(mean).all() and np.isfinite(std).all() and (std >= 0).all()
            assert str(study.explain(study.trials[-1]))
        for question in (lambda: study.best_trial, study.recommend, lambda: study.regret(20)):
            try:
                question()
            except PathmaxError:
                continue  # nothing told yet, several objectives, none within bounds

    def check(self) -> None:
        """What was told is there, numbers have no gaps, and every suggestion is derived again."""
        trials = Study.load(self.study.name, storage=self.study.storage).trials
        assert [trial.number for trial in trials] == list(range(len(trials)))
        for number, outcomes in self.told.items():
            assert trials[number].outcomes == outcomes
            assert trials[number].state is TrialState.COMPLETE
        for trial in trials:
            if trial.info:
                assert self.study.replay(trial) == trial.params
                self.done["replays"] += 1


def run(seed: int, number: int, storage: Storage | str | None) -> Counter[str]:
    """One study by chance, from its first trial to its last check; what was done."""
    rng = np.random.default_rng([seed, number])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        study = _study(rng, f"soak {seed} {number}", storage)
        return drive(Driven(study, rng, _value), int(rng.integers(3, 18)))


def drive(driven: Driven, steps: int) -> Counter[str]:
    """Some steps and the last check; what was done."""
    try:
        for _ in range(steps):
            driven.step()
    except ExhaustedError:
        driven.done["exhausted"] += 1
    driven.check()
    driven.done["trials"] = len(driven.study.trials)
    return driven.done + Counter({"studies": 1})


def _study(rng: np.random.Generator, name: str, storage: Storage | str | None) -> Study:
    goals = _goals(rng)
    several = "objectives" in goals or "constraints" in goals
    method = str(rng.choice(JOINT if several else METHODS))
    settings: dict[str, Any] = {"initial": int(rng.integers(0, 6)), "method": method}
    if rng.random() < 0.3:
        settings["noise"] = float(rng.choice([0.0, 1e-8, 0.5, 100.0]))
    if rng.random() < 0.3:
        settings["warp"] = bool(rng.random() < 0.5)
    if rng.random() < 0.2:
        settings["replicates"] = True
    if rng.random() < 0.2:
        settings["refit_every"] = int(rng.integers(1, 5))
    elif rng.random() < 0.1 and not several:
        settings |= {"kernel": gp.RBF(0.3), "noise": 1e-4, "refit_every": None}
    seed = int(rng.integers(2**31))
    return Study(
        _space(rng), name=name, storage=open_storage(storage), seed=seed, **goals, **settings
    )


def _goals(rng: np.random.Generator) -> dict[str, Any]:
    fate = rng.random()
    if fate < 0.7:
        return {"direction": str(rng.choice(["maximize", "minimize"]))}
    bounds = {"impurity": "<= 0.5"} if rng.random() < 0.6 else {}
    if fate < 0.85 and bounds:
        return {"objectives": {"yield": "maximize"}, "constraints": bounds}
    wanted = {"yield": "maximize", "cost": "minimize"}
    return {"objectives": wanted, **({"constraints": bounds} if bounds else {})}


def _space(rng: np.random.Generator) -> Any:
    fate = rng.random()
    if fate < 0.12:
        rows = [{"w": float(w), "k": int(rng.integers(4)), "s": str(rng.choice(["a", "b"]))}
                for w in rng.normal(size=int(rng.integers(1, 60)))]  # fmt: skip
        return Candidates(rows)
    if fate < 0.24:
        return Grid({"a": np.sort(rng.random(int(rng.integers(1, 12)))).tolist(), "c": ["u", "v"]})
    names = ["x", "y z", "°C", "k", "=1"][: int(rng.integers(1, 6))]
    return {name: _parameter(rng) for name in names} | ({"fixed": "DMF"} if fate > 0.9 else {})


def _parameter(rng: np.random.Generator) -> Any:
    low = float(rng.normal() * 10.0 ** rng.integers(-6, 7))
    match int(rng.integers(6)):
        case 0:
            return Float(10.0 ** float(rng.integers(-12, 0)), float(rng.uniform(1, 1e6)), log=True)
        case 1:
            return Float(0, 5, step=0.25)
        case 2:
            return Int(int(rng.integers(-5, 3)), int(rng.integers(4, 2000)))
        case 3:
            return Int(1, int(rng.integers(2, 10**6)), log=True)
        case 4:
            choices: list[Any] = ["a", "b", True, 0.5, None, "=1+1"]
            return Categorical(choices[: int(rng.integers(1, 7))])
        case _:
            return Float(low, low + float(rng.uniform(0.1, 1)) * max(abs(low), 1e-3))


def _value(rng: np.random.Generator) -> float:
    match int(rng.integers(8)):
        case 0:
            return float(rng.integers(3))  # ties
        case 1:
            return float(rng.normal() * 10.0 ** rng.integers(-12, 13))
        case 2:
            return 0.0
        case 3:
            return float(rng.standard_cauchy())
        case _:
            return float(rng.normal())
