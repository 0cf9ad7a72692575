"""What the sample paths of several outcomes promise together: the targets of the rule (`joint`).

A path is drawn of every outcome, larger is better. The paths are feasible in
S = { x : p_j(x) >= bound_j for all constraints }.

    one objective   tau_0 = max of p_0 over S
    several         P = the Pareto front of the paths over S, E = the paths at evaluated points of S
                    tau = argmax over y in P of  min over e in E of  max_k (y_k - e_k) / span_k(P)
    constraints     tau_j = bound_j
    S empty         no target for objectives; tau_j = min(bound_j, p_j(x0)), x0 the least violation

The gap chases the point of the promised front that the data fall short of most; with one objective
it is the maximum. With a user's reference point the gap is the hypervolume that y would add to E.
Without one, once the largest gap is a SMALL_GAP, a tenth of a span, tau is the point of the front
that would add most to the hypervolume above the nadir of P less a tenth of its spans: the front is
known by and large then, and before that most volume is promised where there is none. (PIMS of two
to four objectives follows no target by then: `joint_improvement`.) Either is monotone in y, so
that its maximum over the front is its maximum over all of S. Spans and nadir are those of points
that are worth their price (`front_ends`).

Here are the targets given the values of the paths at all points of a finite set, exactly; in a box
and in a mixed space the points come from a search (`front_search`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import final

import numpy as np

from pathmax.acquisition.front_ends import reference_beyond, spans_of
from pathmax.acquisition.hypervolume import MOST_OBJECTIVES, undominated_boxes
from pathmax.arrays import Array, Index, Mask
from pathmax.errors import ModelError
from pathmax.trials.pareto import pareto_mask

FRONT_CELLS = 1 << 20  # points of the front times data at a time
SMALL_GAP = 0.1  # spans of the front: benchmarks/choices.md


@final
@dataclass(frozen=True, eq=False)
class Targets:
    """What to reach, and where the paths reach it.

    values    (K + J,) the objectives' targets, then the constraints'; minus infinity asks nothing
    u         (d,) a point where the paths reach all of them
    index     its number, in a finite domain
    feasible  whether some point satisfies every constraint of the paths
    gap       how far the data fall short of it: in spans of the front, as a hypervolume with a
              reference, in units of the objective with one; infinite without data, NaN without S
    front     (P, K) the front of the paths; of one objective its maximum alone
    points    (P, d) where it is
    rows      (P,) the numbers of these points, in a finite domain
    at_data   (n, K + J) the paths at the points that were evaluated
    """

    values: Array
    u: Array
    index: int | None
    feasible: bool
    gap: float
    front: Array = field(repr=False)
    points: Array = field(repr=False)
    rows: Index | None = field(repr=False)
    at_data: Array = field(repr=False)


@final
@dataclass(frozen=True, eq=False)
class Pick:
    """The row that the targets come from, and the rows of the front."""

    row: int
    gap: float
    front: Index


def feasible_rows(values: Array, bounds: Array) -> Mask:  # (N, K + J), (J,) -> (N,)
    """Which rows reach every bound."""
    K = values.shape[1] - len(bounds)
    return np.asarray((values[:, K:] >= bounds).all(axis=1))


def pick_target(
    values: Array,  # (N, K + J)
    data: Array,  # (n, K + J)
    bounds: Array,  # (J,)
    rng: np.random.Generator,
    *,
    reference: Array | None = None,  # (K,)
) -> Pick | None:
    """The row of `values` that the targets come from; None when no row is feasible.

    data: the paths' values at the points that were evaluated.
    """
    K = values.shape[1] - len(bounds)
    if K < 1:
        raise ModelError("targets need at least one objective, got none")
    rows = np.flatnonzero(feasible_rows(values, bounds))
    if not len(rows):
        return None
    known = data[feasible_rows(data, bounds), :K]
    if K == 1:
        best = int(rows[np.argmax(values[rows, 0])])
        gap = values[best, 0] - known[:, 0].max() if len(known) else np.inf
        return Pick(best, float(gap), np.array([best]))
    rows = rows[pareto_mask(values[rows, :K])]
    front = values[rows, :K]
    if not len(known):
        return Pick(int(rng.choice(rows)), np.inf, rows)
    gaps = gaps_of(front, known, reference=reference)
    best = int(np.argmax(gaps))
    gap = float(gaps[best])
    if reference is None and gap < SMALL_GAP and K <= MOST_OBJECTIVES:
        beyond = reference_beyond(front, SMALL_GAP)
        best = int(np.argmax(gaps_of(front, known, reference=beyond)))
    return Pick(int(rows[best]), gap, rows)


def gaps_of(
    front: Array, known: Array, *, reference: Array | None = None, spans: Array | None = None
) -> Array:
    """How far the data fall short of each point of a front: (P, K), (E, K) -> (P,).

    With a reference (K,) the hypervolume that each point adds, unless none adds any; without, in
    `spans` (K,), by default those of the front.
    """
    if reference is not None and len(reference) <= MOST_OBJECTIVES:
        added = undominated_boxes(known, reference).improvement(front)
        if added.max() > 0.0:
            return added
    known = known[pareto_mask(known)]  # what is dominated is farther from every point
    spans = spans_of(front) if spans is None else spans
    gaps = np.empty(len(front))
    step = max(1, FRONT_CELLS // len(known))
    for start in range(0, len(front), step):
        some = front[start : start + step, None]
        short = (some[..., 0] - known[:, 0]) / spans[0]
        for k in range(1, front.shape[1]):
            np.maximum(short, (some[..., k] - known[:, k]) / spans[k], out=short)
        gaps[start : start + step] = short.min(axis=1)
    return gaps


def least_violation(values: Array, bounds: Array, spreads: Array) -> int:
    """The row whose worst constraint is the least violated: (N, K + J), (J,), (J,) -> its number.

    Violations are counted in spreads, since outcomes have units of their own.
    """
    K = values.shape[1] - len(bounds)
    return int(np.argmax(((values[:, K:] - bounds) / spreads).min(axis=1)))


def spreads_of(values: Array, bounds: Array) -> Array:  # (N, K + J), (J,) -> (J,)
    """By how much each constraint's path varies, a standard deviation; 1 where it does not."""
    spreads = values[:, values.shape[1] - len(bounds) :].std(axis=0)
    return np.where(spreads > 0.0, spreads, 1.0)


def targets_among(
    values: Array,  # (N, K + J)
    place: Callable[[Index], Array],  # (m,) -> (m, d)
    data: Array,  # (n, K + J)
    bounds: Array,  # (J,)
    rng: np.random.Generator,
    *,
    reference: Array | None = None,
    spreads: Array | None = None,
    numbered: bool = True,
) -> Targets:
    """The targets when the paths have these values at N points: exact when these are all.

    place     the points of the rows of these numbers
    data      the paths' values at the points that were evaluated
    spreads   what violations are counted in; by default `spreads_of` the values
    numbered  whether the number of a row is that of its point in the domain
    """
    K = values.shape[1] - len(bounds)
    pick = pick_target(values, data, bounds, rng, reference=reference)
    if pick is None:
        spreads = spreads_of(values, bounds) if spreads is None else spreads
        row, gap, front = least_violation(values, bounds, spreads), math.nan, np.empty(0, np.intp)
        tau = np.concatenate([np.full(K, -np.inf), np.minimum(bounds, values[row, K:])])
    else:
        row, gap, front = pick.row, pick.gap, pick.front
        tau = np.concatenate([values[row, :K], bounds])
    return Targets(
        tau,
        place(np.array([row]))[0],
        row if numbered else None,
        pick is not None,
        gap,
        values[front, :K],
        place(front),
        front if numbered else None,
        data,
    )
