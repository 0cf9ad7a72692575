"""Curves: what trials report on their way, before there is a result.

A point is what one trial had come to at one step: an epoch, a tree, a minute, a refined mesh. The
same quantity as the result is reported, so that a curve leads to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathmax.arrays import Array

Steps = NDArray[np.int64]


class CurvePoint(NamedTuple):
    """What a trial had come to at a step, by outcome; NaN and infinities as they came."""

    number: int
    step: int
    outcomes: Mapping[str, float]
    reported_at: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class TrialCurve:
    """All points of one trial, by step."""

    points: Mapping[int, Mapping[str, float]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.points)

    @property
    def last_step(self) -> int | None:
        """How far it has come."""
        return max(self.points, default=None)

    def part_of(self, last: int) -> float:
        """Which part of the steps up to the last one it has made; they may be counted from 0."""
        before = min(*self.points, 1) - 1
        return min((max(self.points) - before) / max(last - before, 1), 1.0)

    def of(self, outcome: str) -> tuple[Steps, Array]:  # -> (k,), (k,)
        """The steps at which an outcome was reported, in order, and what it was; all finite."""
        found = sorted(
            (step, seen[outcome]) for step, seen in self.points.items() if outcome in seen
        )
        finite = [(step, value) for step, value in found if np.isfinite(value)]
        steps = np.array([step for step, _ in finite], dtype=np.int64)
        return steps, np.array([value for _, value in finite], dtype=float)

    def at(self, outcome: str, step: int) -> float | None:
        """The last value up to a step, or the first one after it; None when there is none.

        NaN where that is what was reported.
        """
        seen = {s: point[outcome] for s, point in self.points.items() if outcome in point}
        before = [s for s in seen if s <= step]
        if not seen:
            return None
        return seen[max(before)] if before else seen[min(seen)]

    def defect(self, outcomes: Iterable[str]) -> str | None:
        """What is wrong with the last point, if it has a value that is no finite number."""
        step = self.last_step
        if step is None:
            return None
        for name in outcomes:
            value = self.points[step].get(name, 0.0)
            if not np.isfinite(value):
                return f"{name} was {value:g} at step {step}"
        return None


Curves = Mapping[int, TrialCurve]  # by the number of the trial


def curves_of(points: Iterable[CurvePoint]) -> dict[int, TrialCurve]:
    """The curve of each trial that has one."""
    found: dict[int, dict[int, Mapping[str, float]]] = {}
    for point in points:
        found.setdefault(point.number, {})[point.step] = point.outcomes
    return {number: TrialCurve(dict(sorted(seen.items()))) for number, seen in found.items()}
