"""What curves say about their ends: `gp.decay`, learnt from the curves of a study.

Curves of trials that were stopped count too: where a trial was stopped depends on what was seen of
it alone, so nothing is biased by what is missing. The end of a complete trial is its result,
whatever it reported last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from pathmax.arrays import Array
from pathmax.gp.decay import OPEN_END, Decay, Message, learn_decay
from pathmax.trials.curves import Curves, Steps, TrialCurve
from pathmax.trials.goals import Goal
from pathmax.trials.trial import Trial, TrialState

CURVE_POINTS = 12  # of a curve that are looked at, closer together at its beginning
FAR_OFF = 10.0  # spreads of values: a curve that is further off says no more than that


@final
@dataclass(frozen=True, slots=True, eq=False)
class CurveModel:
    """The curves of one outcome; inside, ends lie around 0 and values have a spread of 1."""

    decay: Decay
    steps: tuple[int, ...]  # those that are looked at
    last_step: int
    sign: float
    centre: float
    scale: float

    def message(self, curve: TrialCurve, outcome: str) -> Message | None:
        """What a part of a curve says about its end, as if that had been measured."""
        steps, values = curve.of(outcome)
        if not len(steps):
            return None
        chosen = _thinned(steps, self.steps)
        t = np.minimum(steps[chosen] / self.last_step, 1.0)
        return self.decay.message(t, self.inward(values[chosen]))

    def expected_end(self, curve: TrialCurve, outcome: str) -> tuple[float, float] | None:
        """Mean and variance of the end by the curve alone, in the user's units.

        Under a prior three times as wide as values are spread, so that a curve which says nothing
        leads to expect what all do, with a variance that makes it count for nothing.
        """
        found = self.message(curve, outcome)
        if found is None:
            return None
        mean, variance = found.times(0.0, OPEN_END)
        return self.sign * (mean * self.scale + self.centre), variance * self.scale**2

    def inward(self, values: Array) -> Array:  # (k,) user units -> (k,)
        return np.clip((self.sign * values - self.centre) / self.scale, -FAR_OFF, FAR_OFF)


def learn_curves(
    trials: Sequence[Trial], curves: Curves, goal: Goal, steps: int | None = None
) -> CurveModel | None:
    """The model of the curves of an outcome; None while no trial with one is complete.

    `steps` is how many a whole trial has; by default as many as a complete one ever reported.
    """
    whole = [
        trial
        for trial in trials
        if trial.state is TrialState.COMPLETE
        and goal.name in trial.outcomes
        and len(curves.get(trial.number, ()))
    ]
    if not whole:
        return None
    last_step = steps or last_step_of(trials, curves) or 1
    told = np.array([trial.outcomes[goal.name] for trial in whole])
    reported = {step for trial in whole for step in curves[trial.number].points if step}
    if not reported:  # but at step 0
        return None
    grid = _grid(sorted(reported), last_step)
    complete = {trial.number: trial.outcomes[goal.name] for trial in whole}
    parts = {number: _prefix(curve, goal.name, grid) for number, curve in curves.items()}
    parts = {number: part for number, part in parts.items() if not np.isnan(part[0])}
    if not complete.keys() & parts.keys():  # other outcomes were reported, and this one only told
        return None
    Y, ends = np.array([*parts.values()]), np.array([complete.get(n, np.nan) for n in parts])
    # Ends that lie close together, as near an optimum, are no measure of how far off a curve is.
    scale = max(_spread(told), _spread(Y[~np.isnan(Y)]))
    model = CurveModel(
        Decay(), grid, last_step, goal.sign, goal.sign * float(np.median(told)), scale
    )
    inside, known = model.inward(Y), model.inward(ends)
    decay = learn_decay(np.minimum(np.array(grid) / last_step, 1.0), inside, known)
    return replace(model, decay=decay)


def last_step_of(trials: Sequence[Trial], curves: Curves) -> int | None:
    """How many steps a whole trial has: the most that a complete one reported."""
    done = (t.number for t in trials if t.state is TrialState.COMPLETE and t.number in curves)
    return max((curves[number].last_step or 0 for number in done), default=None)


def _spread(values: Array) -> float:
    """A standard deviation that one trial which went astray does not stretch."""
    low, high = np.quantile(values, [0.25, 0.75])
    largest = float(np.abs(values).max()) or 1.0
    return max(float(high - low) / 1.349, 1e-9 * largest)


def _grid(steps: Sequence[int], last_step: int) -> tuple[int, ...]:
    """A few of the steps that were reported, closer together at the beginning."""
    wanted = np.geomspace(max(steps[0], 1), max(last_step, 1), CURVE_POINTS)
    known = np.array(steps)
    return tuple(sorted({int(known[np.argmin(np.abs(known - step))]) for step in wanted}))


def _prefix(curve: TrialCurve, outcome: str, grid: Sequence[int]) -> list[float]:
    """The curve at the steps of the grid that it has come to, NaN after them."""
    last = curve.last_step or 0
    found = [curve.at(outcome, step) if step <= last else None for step in grid]
    values = [np.nan if value is None or not np.isfinite(value) else value for value in found]
    lost = next((i for i, value in enumerate(values) if np.isnan(value)), len(values))
    return values[:lost] + [np.nan] * (len(values) - lost)


def _thinned(steps: Steps, grid: Sequence[int]) -> list[int]:
    """The places of the steps that are nearest to those of the grid, and the last."""
    places = {int(np.searchsorted(steps, step, side="right")) - 1 for step in grid}
    return sorted({place for place in places if place >= 0} | {len(steps) - 1})
