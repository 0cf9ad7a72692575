"""What the figures of outcomes show: which trials, and which of them stand for the best."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pathmax.errors import TrialError
from pathmax.plots.slices import has
from pathmax.plots.style import PER_ROW, Label, ParameterScale, scales
from pathmax.space.any_space import AnySpace
from pathmax.trials.best_trials import (
    best_of,
    front_of,
    is_feasible,
    is_told,
    least_violating,
    objective_values,
)
from pathmax.trials.goals import Goal, Goals
from pathmax.trials.trial import Trial

NONE_WITHIN = "no result is within all bounds yet"


def told_of(trials: Sequence[Trial], goals: Goals) -> list[Trial]:
    """The trials of which every objective was measured; an error where there is none."""
    told = [trial for trial in trials if is_told(trial, goals)]
    if not told:
        what = "a value" if len(goals.objectives) == 1 else f"a value of {_all_of(goals)}"
        raise TrialError(
            f"no trial has {what} yet (with a fidelity: none at its target), so there is "
            "nothing to draw; tell one first"
        )
    return told


def _all_of(goals: Goals) -> str:
    *others, last = (goal.name for goal in goals.objectives)
    return f"{', '.join(others)} and {last}"


@dataclass(frozen=True, eq=False)
class OutcomeView:
    """What figures of outcomes show: trials and goals in a space, and what things are called."""

    domain: AnySpace
    trials: Sequence[Trial]
    goals: Goals
    label: Label = str
    objective: str = ""  # what the one objective is called, if not as its label says

    @cached_property
    def told(self) -> list[Trial]:
        """The trials of which every objective was measured."""
        return told_of(self.trials, self.goals)

    @cached_property
    def shown(self) -> list[Goal]:
        """The goals of which some trial has a value."""
        return [g for g in self.goals if any(g.name in trial.outcomes for trial in self.told)]

    def measured(self, goal: Goal) -> list[Trial]:
        """The trials with a value of one outcome, also while others are still to come."""
        return [trial for trial in self.trials if goal.name in trial.outcomes]

    @cached_property
    def scales(self) -> list[ParameterScale]:
        return scales(self.domain, self.told)

    @cached_property
    def through(self) -> tuple[Trial, str]:
        """The trial that slices cut through, and what it is."""
        return standing_for(self.told, self.goals)

    @cached_property
    def cut(self) -> list[ParameterScale]:
        """The parameters that slices go along."""
        return [one for one in self.scales if has(self.domain, self.through[0], one)]

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns of slices: a row for each of several outcomes."""
        if self.goals.is_single:
            return math.ceil(len(self.cut) / PER_ROW), min(len(self.cut), PER_ROW)
        return len(self.shown), len(self.cut)

    @property
    def heading(self) -> str:
        models = "model expects" if self.goals.is_single else "models expect"
        return f"What the {models} along each parameter"

    def name(self, goal: Goal) -> str:
        return self.objective or self.label(goal.name)


def standing_for(told: Sequence[Trial], goals: Goals) -> tuple[Trial, str]:
    """A trial to cut through, and what it is: the best, or the middle of the front."""
    if not any(is_feasible(trial, goals) for trial in told):
        return least_violating(told, goals) or told[-1], "least out of bounds"
    if len(goals.objectives) == 1:
        return best_of(told, goals), "best trial"
    front = front_of(told, goals)
    values = objective_values(front, goals)
    spans = np.where(np.ptp(values, axis=0) > 0, np.ptp(values, axis=0), 1.0)
    short = ((values.max(axis=0) - values) / spans).max(axis=1)  # of the best of each objective
    return front[int(np.argmin(short))], "middle of the front"


def result_of(goal: Goal) -> Callable[[Trial], float]:
    """What came out of a trial for one goal; NaN where it was not measured."""
    return lambda trial: trial.outcomes.get(goal.name, math.nan)


def best_numbers(told: Sequence[Trial], goals: Goals) -> set[int]:
    """The numbers of the trials of the front, or of the best one within the bounds."""
    if len(goals.objectives) > 1:
        return {trial.number for trial in front_of(told, goals)}
    inside = [trial for trial in told if is_feasible(trial, goals)]
    return {best_of(inside, goals).number} if inside else set()
