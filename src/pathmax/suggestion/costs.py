"""What trials cost: as it is given, told with them, or learnt.

    given    a list, a function, or in proportion to the fidelity (`Fidelity.cost_of`)
    told     study.tell(trial, value, cost=...), which stands for that trial
    learnt   log cost = a + b t by least squares, t = log of the fidelity or the number of the
             level, from told costs where none are given, or from durations (cost="duration")

A trial keeps the cost that was given when it was suggested, whatever is given later. Without a
fidelity a trial costs 1 unless its cost is told.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import SpaceError
from pathmax.space.any_space import AnySpace
from pathmax.space.fidelity import Fidelity
from pathmax.trials.info import Info
from pathmax.trials.trial import INTERRUPTED, Trial, TrialState

COST_SPREAD = 0.3  # of the logarithm of a cost about the line
STEEPNESS = 0.5  # of its slope about that of a cost in proportion to the fidelity
BY_LEVEL = math.log(2.0)  # the slope that is expected where levels have names


@final
@dataclass(frozen=True)
class Costs:
    """What a trial of each fidelity is expected to cost."""

    fidelity: Fidelity
    line: tuple[float, float] | None = None  # log cost = line[0] + line[1] t, where it is learnt

    @staticmethod
    def learnt(fidelity: Fidelity, values: Iterable[Any], costs: Array) -> Costs:
        """From what some trials cost; as it is given, if nothing says more."""
        t = np.array([cost_coordinate(fidelity, value) for value in values], dtype=float)
        usable = np.isfinite(costs) & (costs > 0.0) if len(costs) else np.zeros(0, dtype=bool)
        if (fidelity.cost is not None and not fidelity.cost_is_learnt) or not usable.any():
            return Costs(fidelity)
        t, y = t[usable], np.log(costs[usable])
        centred, expected = t - t.mean(), cost_slope(fidelity)
        ratio = (COST_SPREAD / STEEPNESS) ** 2
        b = (float(centred @ y) + ratio * expected) / (float(centred @ centred) + ratio)
        return Costs(fidelity, (float(y.mean() - b * t.mean()), b))

    @property
    def is_learnt(self) -> bool:
        """Whether results tell it, so that what was expected before them says less."""
        return self.line is not None or self.fidelity.cost_is_learnt

    def of(self, value: Any) -> float:
        """The cost at a fidelity."""
        if self.line is not None:
            return math.exp(self.line[0] + self.line[1] * cost_coordinate(self.fidelity, value))
        if self.fidelity.cost_is_learnt and not isinstance(value, int | float):
            last = cost_coordinate(self.fidelity, self.fidelity.target)
            return math.exp(BY_LEVEL * (cost_coordinate(self.fidelity, value) - last))
        return self.fidelity.cost_of(value)


def cost_coordinate(fidelity: Fidelity, value: Any) -> float:
    """t, in which the logarithm of the cost is a straight line."""
    parameter: Any = fidelity.parameter
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return math.log(value) if number and parameter.low > 0 else float(parameter.encode(value))


def cost_slope(fidelity: Fidelity) -> float:
    """The slope that is expected."""
    parameter: Any = fidelity.parameter
    if not isinstance(fidelity.target, int | float):
        return BY_LEVEL
    return 1.0 if fidelity.target == parameter.high else -1.0


def costs_of(space: AnySpace, trials: Iterable[Trial]) -> Costs | None:
    """What the trials of a study say about costs; None where there is no fidelity."""
    if space.fidelity is None:
        return None
    name, fidelity = space.fidelity
    ended = [t for t in trials if t.state is TrialState.COMPLETE and name in t.params]
    found = [_measured(trial, fidelity) for trial in ended]
    return Costs.learnt(fidelity, [trial.params[name] for trial in ended], np.array(found))


def _measured(trial: Trial, fidelity: Fidelity) -> float:
    if trial.cost is not None:
        return trial.cost
    return math.nan if not fidelity.cost_is_learnt or not trial.duration else trial.duration


def cost_of(trial: Trial, space: AnySpace, costs: Costs | None) -> float:
    """What a trial has cost, or will; nothing if it was interrupted, a part if it was stopped."""
    if trial.cost is not None:
        return trial.cost
    if trial.state is TrialState.FAILED and trial.error == INTERRUPTED:
        return 0.0
    if costs is None or space.fidelity is None:
        return trial.part_run
    if costs.fidelity.cost_is_learnt and trial.duration:
        return trial.duration
    name, _ = space.fidelity
    expected = None if costs.is_learnt else Info(trial.info).expected_cost
    if expected is None:
        expected = costs.of(trial.params[name]) if name in trial.params else 1.0
    return expected * trial.part_run


def has_costs(space: AnySpace, trials: Iterable[Trial]) -> bool:
    """Whether costs differ, so that what was spent says more than how many trials there are."""
    return space.fidelity is not None or any(
        trial.cost is not None or trial.part_run < 1.0 for trial in trials
    )


def spent_or_none(space: AnySpace, trials: Iterable[Trial]) -> float | None:
    """The same as `spent`; None where the cost is a function that has not been given again."""
    try:
        return spent(space, trials)
    except SpaceError:
        return None


def spent(space: AnySpace, trials: Iterable[Trial]) -> float:
    """What all trials together have cost, those that are running included."""
    trials = list(trials)
    costs = costs_of(space, trials)
    return math.fsum(cost_of(trial, space, costs) for trial in trials)
