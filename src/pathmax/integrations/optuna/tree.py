"""Tree: when parameters are asked for, as far as the trials of a study tell.

An objective of Optuna asks for its parameters one by one, and for some of them only where others
have certain values:

    model = trial.suggest_categorical("model", ["svm", "trees"])
    depth = trial.suggest_int("depth", 1, 20) if model == "trees" else None

A parameter that only some complete trials have is conditional on another one if that tells the
trials with it from those without: a choice by its choices, a number by a bound. Of a float the
bound is only known to lie between two trials: it is the roundest number there, as people write
bounds, and `EITHER_SIDE` trials are needed on either side, since fewer may be separated by chance.
More trials may contradict that; then another one is found, or the parameter is not modelled.

A number whose range moves is modelled by its place in the range (`distributions`). One that had a
range first and another one ever since was given that for good. Neither decides about others.
"""

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from typing import Any, final

from optuna.distributions import (
    BaseDistribution,
    CategoricalDistribution,
    FloatDistribution,
    IntDistribution,
)
from optuna.trial import FrozenTrial, TrialState

from pathmax.integrations.optuna.distributions import SHARE_OF_RANGE, inward
from pathmax.space.sentence_meaning import quoted

__all__ = ["Branch", "Tree"]

EITHER_SIDE = 3  # trials that a float must have on both sides of its bound


@final
@dataclass(frozen=True)
class Branch:
    """Where a parameter is asked for: what another one has to be, in the terms of the space."""

    decider: str
    comparator: str  # "in", ">=", "<=", ">" or "<"
    values: tuple[float, ...]

    def sentence(self, show: Callable[[float], str] = "{:g}".format) -> str:
        """The same in words; `show` writes a value."""
        if self.comparator == "in":
            return f"{quoted(self.decider)} in [{', '.join(map(show, self.values))}]"
        return f"{quoted(self.decider)} {self.comparator} {show(self.values[0])}"


@final
class Tree:
    """What the complete trials of a study have asked for. A trial is looked at once."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._given: dict[str, list[tuple[int, BaseDistribution]]] = {}  # by number, in order
        self._ranges: dict[str, BaseDistribution | None] = {}  # None: it was of several kinds
        self._changes: dict[str, int] = {}  # how often a range was not that of the trial before
        self._values: dict[str, dict[int, float]] = {}  # by the number of the trial

    def see(self, trials: Iterable[FrozenTrial]) -> None:
        """Take notice of trials that are complete by now."""
        for trial in trials:
            if trial.state != TrialState.COMPLETE or trial.number in self._seen:
                continue
            self._seen.add(trial.number)
            for name, found in trial.distributions.items():
                self._note(name, trial.number, found)
                value = inward(found, trial.params[name])
                self._values.setdefault(name, {})[trial.number] = value

    def _note(self, name: str, number: int, found: BaseDistribution) -> None:
        """Put a range among those of other trials; late ones count as if they had been in time."""
        given = self._given.setdefault(name, [])
        i = bisect(given, number, key=itemgetter(0))
        changes = -_changes(given[max(i - 1, 0) : i + 1])
        given.insert(i, (number, found))
        changes += _changes(given[max(i - 1, 0) : i + 2])
        if changes:
            self._changes[name] = self._changes.get(name, 0) + changes
        known = self._ranges.get(name, found)
        alike = known == found or _are_numbers(known, found)
        self._ranges[name] = given[-1][1] if alike else None

    @property
    def moving(self) -> frozenset[str]:
        """The numbers whose range changed more than once."""
        often = (name for name, times in self._changes.items() if times > 1)
        return frozenset(name for name in often if self._ranges[name] is not None)

    def changed_everywhere(self) -> dict[str, BaseDistribution]:
        """The numbers that every trial has, and not always in the same range."""
        return {
            name: SHARE_OF_RANGE if name in self.moving else found
            for name in sorted(self._changes)
            if (found := self._ranges[name]) is not None
            and len(self._values[name]) == len(self._seen)
        }

    def conditional(
        self, shared: Mapping[str, BaseDistribution]
    ) -> tuple[dict[str, BaseDistribution], dict[str, str]]:
        """The parameters that only some trials have, and the sentence for each."""
        found, branches = self.branches(shared)
        return found, {name: branch.sentence() for name, branch in branches.items()}

    def branches(
        self, shared: Mapping[str, BaseDistribution]
    ) -> tuple[dict[str, BaseDistribution], dict[str, Branch]]:
        """The parameters that only some trials have, and where.

        `shared` are those that all have; nothing else decides but these and what they decide.
        """
        found: dict[str, BaseDistribution] = {}
        branches: dict[str, Branch] = {}
        known, moving = shared.keys() | self.changed_everywhere().keys(), self.moving
        left = {
            name: SHARE_OF_RANGE if name in moving else d
            for name, d in sorted(self._ranges.items())
            if d is not None and name not in known and (name in moving or not d.single())
        }
        while left:
            deciding = {n: d for n, d in {**shared, **found}.items() if n not in self._changes}
            told = {name: self._branch(name, deciding) for name in left}
            new = {name: when for name, when in told.items() if when is not None}
            if not new:
                break
            branches |= new
            found |= {name: left.pop(name) for name in new}
        return found, branches

    def asked(self, name: str) -> bool:
        """Whether a complete trial has the parameter."""
        return name in self._values

    def _branch(self, name: str, deciding: Mapping[str, BaseDistribution]) -> Branch | None:
        """What tells trials with a parameter from those without: choices first, floats last."""
        there = self._values[name].keys()
        for kind in (CategoricalDistribution, IntDistribution, FloatDistribution):
            for other, found in deciding.items():
                values = self._values.get(other, {})
                if not isinstance(found, kind) or not there <= values.keys():
                    continue
                present = [values[number] for number in there]
                absent = [value for number, value in values.items() if number not in there]
                branch = _told_apart(other, found, present, absent)
                if branch is not None:
                    return branch
        return None


def _changes(given: Sequence[tuple[int, BaseDistribution]]) -> int:
    """How often a range is not that of the trial before."""
    return sum(one != other for (_, one), (_, other) in pairwise(given))


def _are_numbers(known: BaseDistribution | None, found: BaseDistribution) -> bool:
    """Whether two ranges are of numbers of one kind, such as logarithmic floats."""
    numbers = (FloatDistribution, IntDistribution)
    if not isinstance(found, numbers) or not isinstance(known, numbers):
        return False
    return type(known) is type(found) and known.log == found.log


def _told_apart(name: str, kind: Any, present: list[float], absent: list[float]) -> Branch | None:
    """How a parameter tells the trials where another one is asked for, if it does."""
    if isinstance(kind, CategoricalDistribution):
        if set(present) & set(absent):
            return None
        return Branch(name, "in", tuple(sorted(set(present))))
    if not absent:
        return None
    above, below = min(present) > max(absent), max(present) < min(absent)
    if isinstance(kind, IntDistribution) or kind.step is not None:  # steps are counted
        if above:
            return Branch(name, ">=", (min(present),))
        return Branch(name, "<=", (max(present),)) if below else None
    if min(len(present), len(absent)) < EITHER_SIDE:
        return None
    if above:
        return Branch(name, ">", (roundest(max(absent), min(present)),))
    return Branch(name, "<", (roundest(max(present), min(absent)),)) if below else None


def roundest(low: float, high: float) -> float:
    """The number with the fewest decimals between two others, nearest to the middle.

    >>> roundest(0.43, 0.61), roundest(0.0021, 0.0038), roundest(120.0, 340.0)
    (0.5, 0.003, 200.0)
    """
    middle = 0.5 * low + 0.5 * high
    power = math.ceil(math.log10(max(abs(low), abs(high))))
    for digits in range(17):
        number = round(middle, digits - power)
        if low < number < high:
            return number
    return middle
