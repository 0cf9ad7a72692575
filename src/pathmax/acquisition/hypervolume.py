"""The hypervolume of a front, exactly, and the boxes that make up what lies beyond it.

Larger is better. With a reference point r the *hypervolume* of points Y is the volume of

    { z : r <= z <= y for some y in Y },

what the points promise at least, measured from r. It is what fronts are compared by, and what a new
point adds to it is its improvement. Both need the space cut into boxes.

    local upper bound   a corner u that no y is strictly beyond and that cannot be moved outwards

One point after the other splits the bounds that it lies below (Lacour, Klamroth and Fonseca, 2017);
each bound carries the k points that define it, and from these follow disjoint boxes. The boxes of
the region beyond the front are those of the mirrored problem whose points are the local bounds.

Written here, since only BoTorch, which needs torch, has the boxes that the expected improvement
needs; moocore (LGPL), pygmo, pymoo and hvwfg (no wheels) have not, and the base install must stay
small. The tests compare with figures of moocore 0.3.2 and BoTorch 0.18.1.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.trials.pareto import as_objectives, pareto_mask

AT_ONCE = 1 << 18  # points times boxes
MOST_OBJECTIVES = 5  # objectives: the boxes of n points are of the order of n^(k // 2)


def hypervolume(Y: ArrayLike, reference: ArrayLike) -> float:
    """The volume between the reference (k,) and the front of the rows of Y (n, k), k = 1 to 5.

    Rows that are not above the reference in every objective add nothing.
    """
    values, r = beyond(Y, reference)
    k = len(r)
    if not len(values):
        return 0.0
    heights = values - r
    if k == 1:
        return float(heights.max())
    front = heights[pareto_mask(heights)]
    if k == 2:
        return _area(front)
    if k == 3:
        return _volume(front)
    # distances below 0: a minimum problem whose reference is the origin
    lower, upper = dominated_boxes(-front, np.zeros(k))
    return math.fsum(np.prod(upper - lower, axis=1).tolist())


def beyond(Y: ArrayLike, reference: ArrayLike) -> tuple[Array, Array]:  # -> (m, k), (k,)
    """The rows above the reference in every objective, and the reference, checked."""
    values, r = as_objectives(Y), np.asarray(reference, dtype=float).reshape(-1)
    if values.shape[1] != len(r) or not np.isfinite(r).all():
        raise ModelError(
            f"the reference must have a finite number for each of {values.shape[1]} objectives, "
            f"got {r.tolist()}"
        )
    if not 1 <= len(r) <= MOST_OBJECTIVES:
        raise ModelError(f"hypervolumes are for 1 to {MOST_OBJECTIVES} objectives, got {len(r)}")
    return values[(values > r).all(axis=1)], r


def _area(front: Array) -> float:  # (n, 2), heights above the reference
    order = np.lexsort((-front[:, 1], -front[:, 0]))
    width, height = front[order].T
    step = np.diff(np.maximum.accumulate(height), prepend=0.0)
    return math.fsum((width * step).tolist())


def _volume(front: Array) -> float:  # (n, 3), heights above the reference
    """The area of a growing staircase of the first two, times how far the third falls."""
    order = np.argsort(-front[:, 2], kind="stable")
    rising, falling = [0.0, math.inf], [-math.inf, 0.0]  # first objective, minus the second
    area, parts = 0.0, []
    thirds = front[order, 2].tolist()
    for (first, second, third), below in zip(
        front[order].tolist(), [*thirds[1:], 0.0], strict=True
    ):
        at = bisect_left(rising, first)
        if -falling[at] < second:
            end = at + (rising[at] == first)
            start = bisect_left(falling, -second, 0, at)
            level, left = -falling[at], first
            # what the new step adds beyond the old ones, from its right end to the left
            for i in range(at - 1, start - 2, -1):
                area += (left - rising[i]) * (second - level)
                left, level = rising[i], -falling[i]
            rising[start:end] = [first]
            falling[start:end] = [-second]
        parts.append(area * (third - below))
    return math.fsum(parts)


@final
@dataclass(frozen=True, eq=False)
class Boxes:
    """Disjoint boxes [lower, upper): (B, k) each; an upper side may be infinite."""

    lower: Array
    upper: Array

    def __len__(self) -> int:
        return len(self.lower)

    def improvement(self, Y: ArrayLike) -> Array:  # (m, k) -> (m,)
        """The hypervolume that each row would add."""
        values = as_objectives(Y)
        added = np.empty(len(values))
        step = max(1, AT_ONCE // max(1, len(self)))
        for start in range(0, len(values), step):
            inside = np.minimum(values[start : start + step, None], self.upper) - self.lower
            added[start : start + step] = np.prod(np.maximum(inside, 0.0), axis=2).sum(axis=1)
        return added


def undominated_boxes(Y: ArrayLike, reference: ArrayLike) -> Boxes:
    """The region above the reference that no row of Y (n, k) dominates, cut into boxes."""
    values, r = beyond(Y, reference)
    front = np.unique(values[pareto_mask(values)], axis=0)
    k = len(r)
    if not len(front):
        return Boxes(r[None].copy(), np.full((1, k), np.inf))
    if k == 1:
        return Boxes(front.max(axis=0)[None], np.full((1, 1), np.inf))
    if k == 2:  # strips: the first objective rises, the second falls
        edges = np.concatenate([r[:1], front[:, 0], [np.inf]])
        floor = np.concatenate([front[:, 1], r[1:]])
        lower = np.stack([edges[:-1], floor], axis=1)
        upper = np.stack([edges[1:], np.full(len(floor), np.inf)], axis=1)
        return Boxes(lower, upper)
    bounds, _ = local_upper_bounds(-front, -r)  # a minimum problem
    bounds = np.unique(bounds[pareto_mask(bounds)], axis=0)  # with ties some lie behind others
    # z is in the region when z <= u for one of the bounds, in the minimum problem: seen from minus
    # infinity the bounds are a front to be maximised, and -u one to be minimised
    lower, upper = dominated_boxes(-bounds, np.full(k, np.inf))
    return Boxes(lower, upper)


def dominated_boxes(points: Array, reference: Array) -> tuple[Array, Array]:  # -> (B, k) twice
    """{ z < reference : z >= p for some p } in boxes; a minimum problem, (n, k) and (k,)."""
    bounds, defining = local_upper_bounds(points, reference)
    lower, upper = np.empty_like(bounds), bounds.copy()
    lower[:, 0], upper[:, 0] = defining[:, 0, 0], reference[0]
    for j in range(1, len(reference)):
        lower[:, j] = defining[:, :j, j].max(axis=1)
    solid = (upper > lower).all(axis=1)
    return lower[solid], upper[solid]


def local_upper_bounds(points: Array, reference: Array) -> tuple[Array, Array]:
    """The local upper bounds of a minimum problem, with the points that define them.

    (n, k), (k,) -> (B, k), (B, k, k): coordinate j of bound b is that of its point defining[b, j].
    """
    k = len(reference)
    others = ~np.eye(k, dtype=bool)
    # They stay in place, with room at the end: copies for every point take ten times as long.
    bounds = np.empty((max(64, 4 * len(points)), k))
    defining = np.empty((len(bounds), k, k))
    bounds[0], defining[0] = reference, -np.inf
    defining[0, np.arange(k), np.arange(k)] = reference  # points far out that meet it in one
    count = 1
    # in ascending order of one coordinate bounds are split less often
    for point in points[np.argsort(points[:, -1], kind="stable")]:
        split = np.flatnonzero((bounds[:count] > point).all(axis=1))
        if not len(split):
            continue
        parts, part_defining = [], []
        for j in range(k):
            # the bound moved to the point in coordinate j exists unless another defines it there
            stays = split[point[j] >= defining[split][:, others[j], j].max(axis=1)]
            moved, moved_defining = bounds[stays], defining[stays]
            moved[:, j], moved_defining[:, j] = point[j], point
            parts.append(moved)
            part_defining.append(moved_defining)
        new, new_defining = np.concatenate(parts), np.concatenate(part_defining)
        while count + len(new) > len(bounds):
            bounds = np.concatenate([bounds, np.empty_like(bounds)])
            defining = np.concatenate([defining, np.empty_like(defining)])
        end = count + len(new) - len(split)
        if end < count:  # fewer than before: the last ones move into the holes
            last = np.setdiff1d(np.arange(end, count), split)
            new = np.concatenate([new, bounds[last]])
            new_defining = np.concatenate([new_defining, defining[last]])
            split = split[split < end]
        places = np.concatenate([split, np.arange(count, end)])
        bounds[places], defining[places] = new, new_defining
        count = end
    return bounds[:count].copy(), defining[:count].copy()
