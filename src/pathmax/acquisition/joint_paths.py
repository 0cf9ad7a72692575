"""A climb that reconciles the sample paths of several outcomes (`path_columns`).

Many starts climb at once, each towards an aim of its own: a scalar function of the objectives,
counted in their spans. Constraints p_j >= bound_j enter by an augmented Lagrangian (Rockafellar,
1973), whose multipliers are those of the start:

    aim(q) - rho/2 sum_j max(0, lambda_j / rho - c_j)^2,      lambda_j <- max(0, lambda_j - rho c_j)

c_j is counted in the spread of its path and measured from a little inside the bound, so that ends
are feasible and not only nearly so. Every point that is looked at is kept with its values: what the
climb is for, the front and the highest feasible point, is then read off all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from pathmax.acquisition.aims import Aim
from pathmax.acquisition.path_columns import JointPaths
from pathmax.arrays import Array, Index, Mask
from pathmax.search.quasi_newton import ascend
from pathmax.search.regions import Region, Surroundings
from pathmax.search.scores import Score

INSIDE = 1e-6  # spreads of a constraint's path: how far inside its bound a climb ends
# A start that is feasible is held to it: with the small weight of the others it may leave for a
# higher hill that is feasible nowhere.
FIRM = 30.0
RESTORE = 4  # steps back into the feasible set, at most
TILT = 1e-3  # of the sum of all objectives in every aim, so that a front has no flat ends


class Stage(NamedTuple):
    """A part of a climb."""

    rounds: int
    weight: float  # rho: of what is violated
    blur: float  # of minima over objectives and data, in spans
    keep: int | None = None  # how many starts go on after it, the best; None: all


@final
class Record:
    """Points that were looked at, with the values of all paths there."""

    def __init__(self, d: int, k: int) -> None:
        self._points, self._values = [np.empty((0, d))], [np.empty((0, k))]

    def add(self, U: Array, values: Array, there: Mask | None = None) -> None:
        """Points with their values; those that are not `there` are left out."""
        self._points.append(U if there is None else U[there])
        self._values.append(values if there is None else values[there])

    @property
    def points(self) -> Array:  # (N, d)
        self._points = [np.concatenate(self._points)]
        return self._points[0]

    @property
    def values(self) -> Array:  # (N, k)
        self._values = [np.concatenate(self._values)]
        return self._values[0]


@final
@dataclass(frozen=True, eq=False)
class OutcomeScale:
    """How values are counted: objectives in spans, constraints from their bounds in spreads."""

    spans: Array  # (K,)
    bounds: Array  # (J,)
    spreads: Array  # (J,)

    @property
    def objectives(self) -> int:
        return len(self.spans)

    def slack(self, values: Array) -> Array:  # (m, K + J) -> (m, J)
        """How far inside its bound each constraint is, in spreads."""
        return np.asarray((values[:, len(self.spans) :] - self.bounds) / self.spreads)


@final
class Numbered(Region):
    """A region with one more coordinate, the number of a start, which never moves."""

    def __init__(self, region: Region) -> None:
        self.region = region

    def spread(self, n: int, rng: np.random.Generator) -> Array:  # -> (n, d + 1)
        return np.column_stack([self.region.spread(n, rng), np.zeros(n)])

    def neighbours(self, centres: Array, n: int, scales: Array, rng: np.random.Generator) -> Array:
        near = self.region.neighbours(centres[:, :-1], n, scales[:-1], rng)
        return np.column_stack([near, centres[np.arange(n) % len(centres), -1]])

    def project(self, V: Array) -> Array:  # (m, d + 1) -> (m, d + 1)
        return np.column_stack([self.region.project(V[:, :-1]), V[:, -1]])

    def free(self, V: Array, G: Array) -> Mask:  # (m, d + 1), (m, d + 1) -> (m, d + 1)
        free = self.region.free(V[:, :-1], G[:, :-1])
        return np.column_stack([free, np.zeros(len(V), dtype=bool)])

    @property
    def is_product(self) -> bool:
        return self.region.is_product

    def about(self, V: Array) -> Surroundings:  # (m, d + 1)
        if self.region.is_product:
            return super().about(V)
        return NumberedSurroundings(self.region.about(V[:, :-1]), V[:, -1:])


@final
class NumberedSurroundings(Surroundings):
    """Points of a region, each with the number of its start."""

    def __init__(self, place: Surroundings, numbers: Array) -> None:  # (m, 1)
        self.place, self.numbers = place, numbers

    def direct(self, G: Array, H: Array, held: Mask | None) -> tuple[Array, Array]:
        held = None if held is None else held[:-1]
        P, g = self.place.direct(G[:, :-1], H[:, :-1, :-1], held)
        still = np.zeros_like(self.numbers)
        return np.hstack([P, still]), np.hstack([g, still])

    def ahead(self, step: Array) -> Array:  # (m, d + 1) -> (m, d + 1)
        return np.hstack([self.place.ahead(step[:, :-1]), self.numbers])

    def along(self, step: Array, which: Index) -> Array:  # (m, d + 1), (k,) -> (k, d + 1)
        return np.hstack([self.place.along(step[:, :-1], which), self.numbers[which]])


@final
class Lagrangian(Score):
    """The score that all starts climb at once; the last coordinate is the number of the start."""

    def __init__(
        self,
        paths: JointPaths,
        aim: Aim,
        scale: OutcomeScale,
        multipliers: Array,
        record: Record,
        region: Region,
    ) -> None:
        self.paths, self.aim, self.scale, self.record = paths, aim, scale, record
        self.region = region
        self.multipliers = multipliers  # (S, J)
        self.weight, self.blur = np.ones(len(multipliers)), 1.0  # (S,)

    def __call__(self, V: Array) -> Array:  # (m, d + 1) -> (m,)
        return self.value_and_gradient(V)[0]

    def value_and_gradient(self, V: Array) -> tuple[Array, Array]:  # -> (m,), (m, d + 1)
        U, starts = V[:, :-1], V[:, -1].astype(np.intp)
        values, gradients = self.paths.value_and_gradient(U)
        there = self.region.holds(U)
        self.record.add(U, values, there)
        scale, K = self.scale, self.scale.objectives
        q = values[:, :K] / scale.spans
        value, slope = self.aim(q, starts, self.blur)
        value = value + TILT * q.sum(axis=1)
        by_path = np.empty_like(values)
        by_path[:, :K] = (slope + TILT) / scale.spans
        slack = scale.slack(values) - INSIDE
        weight = self.weight[starts]
        short = np.maximum(self.multipliers[starts] / weight[:, None] - slack, 0.0)
        value -= 0.5 * weight * np.einsum("mj,mj->m", short, short)
        by_path[:, K:] = weight[:, None] * short / scale.spreads
        gradient = np.zeros_like(V)
        gradient[:, :-1] = np.einsum("mk,mkd->md", by_path, gradients)
        return (value if there is None else np.where(there, value, -np.inf)), gradient

    def update(self, V: Array) -> None:  # (m, d + 1)
        """New multipliers of some starts from where they are now."""
        if self.multipliers.size:
            U, starts = V[:, :-1], V[:, -1].astype(np.intp)
            values = self.paths(U)
            self.record.add(U, values, self.region.holds(U))
            slack = self.scale.slack(values) - INSIDE
            short = self.multipliers[starts] - self.weight[starts, None] * slack
            self.multipliers[starts] = np.maximum(short, 0.0)


def climb_jointly(
    paths: JointPaths,
    starts: Array,  # (S, d)
    region: Region,
    aim: Aim,
    scale: OutcomeScale,
    record: Record,
    *,
    scales: Array,  # (d,) 0 holds a coordinate
    stages: Sequence[Stage],
) -> Array:  # (s, d)
    """Where the starts end; the record has all points on the way, and the ends made feasible."""
    S, d = starts.shape
    score = Lagrangian(paths, aim, scale, np.zeros((S, len(scale.bounds))), record, region)
    held = np.append(scales, 0.0)  # the number of a start stays
    V = np.column_stack([starts, np.arange(S)])
    inside = (scale.slack(paths(starts)) >= 0.0).all(axis=1)
    firmness = np.where(inside, FIRM, 1.0)
    for stage in stages:
        score.weight, score.blur = stage.weight * firmness, stage.blur
        ascent = ascend(score, V, Numbered(region), scales=held, unit=1.0, rounds=stage.rounds)
        V = ascent.U
        if stage.keep is not None and stage.keep < len(V):
            V = V[np.argsort(-ascent.values, kind="stable")[: stage.keep]]
        score.update(V)
    ends = np.asarray(V[:, :d])
    if len(scale.bounds):
        restore(paths, ends, region, scale, record, scales=scales)
    return ends


def restore(
    paths: JointPaths,
    U: Array,
    region: Region,
    scale: OutcomeScale,
    record: Record,
    *,
    scales: Array,
) -> None:
    """Move points (S, d) that miss a bound by little into the feasible set, by Newton's method.

    A step is the shortest, in length scales, that would satisfy what is violated if the paths were
    linear: M A' (A M A')^-1 r, with A the slopes of the violated constraints and M the metric.
    """
    K, metric = scale.objectives, scales * scales
    for _ in range(RESTORE):
        values, gradients = paths.value_and_gradient(U)
        record.add(U, values, region.holds(U))
        missing = INSIDE - scale.slack(values)
        some = (missing > 0.0).any(axis=1)
        if not some.any():
            return
        U, missing = U[some], missing[some]
        violated = missing > 0.0
        A = gradients[some, K:] / scale.spreads[:, None] * violated[:, :, None]
        square = np.einsum("sjd,d,sid->sji", A, metric, A)
        diagonal = np.einsum("sjj->sj", square)
        diagonal += 1e-9 * diagonal.max(axis=1, keepdims=True) + np.finfo(float).tiny
        diagonal[~violated] = 1.0
        weights = np.linalg.solve(square, np.where(violated, missing + INSIDE, 0.0)[:, :, None])
        moved = region.project(U + metric * np.einsum("sjd,sj->sd", A, weights[:, :, 0]))
        U = np.where(scales > 0.0, moved, U)
