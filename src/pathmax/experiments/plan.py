"""What is run: methods on settings, several trials each.

    ComparedMethod  a way to choose, under the name that reports use
    Setting         a problem (a new one per trial where it is drawn at random), and its model
    PlannedRun      one method on one trial of one setting

A run is a value: its seeds follow from what it is, so it gives the same numbers wherever and
whenever it is executed. A method of your own is a function of the study:

    def greedy(study, rng):
        return study.recommend()

    plan.ComparedMethod("greedy", ask=greedy)
"""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from pathmax.errors import SettingsError
from pathmax.experiments.problems import Problem
from pathmax.study import Study

Sampler = Literal["exact", "pathwise", "rff"]
Ask = Callable[[Study, np.random.Generator], Mapping[str, Any]]


@dataclasses.dataclass(frozen=True, eq=False)
class ComparedMethod:
    """A way to choose the next point.

    name     what reports call it; a method of `Study` unless `method` or `ask` say otherwise
    method   the method of `Study`, if it goes by another name
    options  its options, beside those of the setting
    ask      instead of a method of `Study`: study, rng -> params
    """

    name: str
    method: str | None = None
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    ask: Ask | None = None

    @property
    def of_study(self) -> str:
        """The method that the study is made with."""
        return "random" if self.ask is not None else self.method or self.name


@dataclasses.dataclass(frozen=True, eq=False)
class Setting:
    """One panel of a figure.

    name        part of a file name
    title       what the panel is called
    make        rng -> the problem of a trial
    iterations  evaluations after the first design
    quick       the same for a quick look
    study       arguments of `Study`, such as refit_every; the problem's kernel and noise are added
    options     options of every method, such as {"confidence": "theoretical"}
    cost        seconds of a typical run, for the estimate of the time left
    initial     evaluations of the first design
    like        the setting whose problems and designs these are, if another models them otherwise
    """

    name: str
    title: str
    make: Callable[[np.random.Generator], Problem]
    iterations: int
    quick: int
    study: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    cost: float = 1.0
    initial: int = 5
    like: str | None = None


@dataclasses.dataclass(frozen=True, eq=False)
class PlannedRun:
    """One method on one trial of one setting."""

    setting: Setting
    method: ComparedMethod
    trial: int
    seed: int
    iterations: int
    sampler: Sampler = "exact"

    @property
    def problem_rng(self) -> np.random.Generator:
        """Draws the problem and its noise: the same for every method of a trial."""
        return np.random.default_rng([self.seed, self._key, self.trial])

    @property
    def study_seed(self) -> int:
        """The same for every method of a trial, so that all start from one design."""
        words = np.random.SeedSequence([self.seed, self._key, self.trial, 1]).generate_state(1)
        return int(words[0])

    @property
    def label(self) -> str:
        return f"{self.setting.name} {self.method.name} trial {self.trial}"

    @property
    def _key(self) -> int:
        return zlib.crc32((self.setting.like or self.setting.name).encode())


def runs(
    settings: Sequence[Setting],
    methods: Callable[[Setting], Sequence[ComparedMethod]] | Sequence[ComparedMethod],
    *,
    trials: int,
    seed: int = 0,
    sampler: Sampler = "exact",
    iterations: int | None = None,
) -> list[PlannedRun]:
    """Every method on every trial of every setting, trial by trial."""
    if trials < 1:
        raise SettingsError(f"trials must be at least 1, got {trials!r}")
    if iterations is not None and iterations < 1:
        raise SettingsError(f"iterations must be at least 1, got {iterations!r}")
    if len({setting.name for setting in settings}) < len(settings):
        raise SettingsError("two settings have the same name; their files would collide")
    return [
        PlannedRun(setting, method, trial, seed, iterations or setting.iterations, sampler)
        for trial in range(trials)
        for setting in settings
        for method in (methods(setting) if callable(methods) else methods)
    ]
