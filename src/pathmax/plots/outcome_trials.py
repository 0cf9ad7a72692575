"""Which trials the figures of several outcomes show, and which of them stand for the best."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import TrialError
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


def told_of(trials: Sequence[Trial], goals: Goals) -> list[Trial]:
    """The trials of which every objective was measured."""
    told = [trial for trial in trials if is_told(trial, goals)]
    if not told:
        raise TrialError(
            "no trial has a value yet (with a fidelity: none at its target), so there is nothing "
            "to draw; tell one first"
        )
    return told


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


def measured_goals(told: Sequence[Trial], goals: Goals) -> list[Goal]:
    """The goals of which some trial has a value."""
    return [goal for goal in goals if any(goal.name in trial.outcomes for trial in told)]


def running_best(inside: Sequence[Trial], goal: Goal) -> tuple[list[int], Array]:
    """The numbers of trials, and the best value up to each."""
    values = goal.sign * np.array([trial.outcomes[goal.name] for trial in inside])
    return [trial.number for trial in inside], goal.sign * np.maximum.accumulate(values)


def best_numbers(told: Sequence[Trial], goals: Goals) -> set[int]:
    """The numbers of the trials of the front, or of the best one within the bounds."""
    if len(goals.objectives) > 1:
        return {trial.number for trial in front_of(told, goals)}
    inside = [trial for trial in told if is_feasible(trial, goals)]
    return {best_of(inside, goals).number} if inside else set()
