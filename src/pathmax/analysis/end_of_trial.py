"""Where a running trial will end, and its chance to be among the best then."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from pathmax.analysis.curve_model import CurveModel
from pathmax.arrays import Array
from pathmax.trials.best_trials import objective_values
from pathmax.trials.curves import TrialCurve
from pathmax.trials.goals import Goals
from pathmax.trials.pareto import pareto_mask
from pathmax.trials.trial import Trial

END_DRAWS = 2000  # of the ends of several outcomes


@final
@dataclass(frozen=True, slots=True)
class End:
    """What is known of one outcome at the end of a running trial, in the user's units."""

    mean: float
    std: float


def posterior_ends(models: Mapping[str, CurveModel], curve: TrialCurve) -> dict[str, End] | None:
    """The end of each outcome by its curve; None while one of them was not reported.

    The model of the results has no say in it: it learns from ends that are themselves only
    expected, and a study that asks it as well can come to stop every trial at its first step.
    """
    ends = {}
    for name, model in models.items():
        found = model.message(curve, name)
        if found is None:
            return None
        end = found.times(0.0, 1.0)
        mean = model.sign * (end.mean * model.scale + model.centre)
        ends[name] = End(mean, math.sqrt(end.variance) * model.scale)
    return ends


def chance(
    ends: Mapping[str, End], rivals: list[Trial], goals: Goals, rng: np.random.Generator
) -> float:
    """The probability to end within all bounds, and better than every rival or beside them."""
    if goals.is_single:
        goal = goals.first
        end = ends[goal.name]
        best = max((goal.sign * trial.outcomes[goal.name] for trial in rivals), default=-math.inf)
        if best == -math.inf:
            return 1.0
        return 0.5 * math.erfc((best - goal.sign * end.mean) / (end.std * math.sqrt(2.0)))
    drawn = {
        name: end.mean + end.std * rng.standard_normal(END_DRAWS) for name, end in ends.items()
    }
    kept = np.ones(END_DRAWS, dtype=bool)
    for goal in goals.constraints:
        kept &= (goal.low <= drawn[goal.name]) & (drawn[goal.name] <= goal.high)
    if not rivals:
        # nothing is within the bounds yet: what counts is to be
        return float(kept.mean())
    Y: Array = np.column_stack([goal.sign * drawn[goal.name] for goal in goals.objectives])
    values = objective_values(rivals, goals)
    for front in values[pareto_mask(values)]:
        kept &= ~((front >= Y).all(axis=1))
    return float(kept.mean())
