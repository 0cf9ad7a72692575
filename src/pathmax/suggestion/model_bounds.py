"""The bounds that models are held to: as they are stated, or a little beyond.

A bound may be told by class: 0 where a part passed and 1 where it failed, with "<= 0" stated; or
by how much it was broken, and 0 where it was kept. Then every result that keeps the bound lies
exactly at it. A model that has learnt this expects a value at the bound where a bound is safely
kept, and gives it an even chance at most, since half of a normal distribution is beyond. So it is
held to a bound that lies a tenth of the way to the nearest result that breaks the stated one.

Results are judged by the bound as it is stated, and so are values that are measured: as soon as one
result lies inside the bounds, and not at one, nothing is moved.
"""

from __future__ import annotations

from pathmax.arrays import Array
from pathmax.trials.goals import Goal

WAY_BEYOND = 0.1  # of the way to the nearest result that breaks a bound (benchmarks/choices.md)


def model_bounds(goal: Goal, values: Array) -> tuple[float, float]:  # (n,) user units
    """The lower and the upper bound for the model of an outcome with these results."""
    low, high = goal.low, goal.high
    if not goal.is_constraint or bool(((low < values) & (values < high)).any()):
        return low, high
    below, above = values[values < low], values[values > high]
    if len(below) and bool((values == low).any()):
        low = moved_beyond(low, float(below.max()))
    if len(above) and bool((values == high).any()):
        high = moved_beyond(high, float(above.min()))
    return low, high


def moved_beyond(bound: float, broken: float) -> float:
    """The bound on its way to a value that breaks it."""
    return (1.0 - WAY_BEYOND) * bound + WAY_BEYOND * broken
