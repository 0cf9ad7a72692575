"""First designs: where to look before there is a model.

A Latin hypercube, which the paper starts from too, is uniform numbers of the unit cube
(`search.sobol`), and `place` turns them into coordinates. On a pool or a grid each
point is then moved to the nearest row that is still free: `nearest_free_rows` and
`nearest_free_cells`. Distances count a category that differs as 1, the length of the cube's side.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathmax.arrays import Array, Index
from pathmax.space.any_space import AnySpace
from pathmax.space.axes import Axis

DISTANCE_BLOCK = 8192  # rows at a time: the distances to 20 points are 1.3 MB and stay in the cache


def place(uniform: Array, axes: Sequence[Axis]) -> Array:  # (n, d) -> (n, d)
    """Uniform numbers as coordinates: every category and every value of a list gets its share."""
    columns = [axis.from_uniform(v) for axis, v in zip(axes, uniform.T, strict=True)]
    return np.column_stack(columns)


def guided(space: AnySpace, u: Array, uniform: Array, number: int) -> Array:  # (d,), (d,) -> (d,)
    """A point of the first design where an expert has a guess.

    The first trial is the guess itself, every other one is drawn about it, and the rest stay where
    they are, spread over the space: a wrong guess must not leave the model without the others.
    """
    likely = space.likely
    if likely is None or number % 2:
        return u
    return likely.placed(uniform[None], u[None])[0] if number else likely.guessed(u)


def first_left(points: Array, tried: Array, axes: Sequence[Axis]) -> int:  # (n, d), (k, d)
    """The first point of a design that no trial has the place of; each has that of the nearest."""
    distances, left = mixed_distances(points, tried, axes), np.ones(len(points), dtype=bool)
    for _ in range(min(len(points) - 1, len(tried))):  # the closest pair of those left
        i, j = np.unravel_index(int(np.argmin(distances)), distances.shape)
        left[i], distances[i], distances[:, j] = False, np.inf, np.inf
    return int(np.argmax(left))


def nearest_free_rows(
    points: Array,  # (n, d)
    rows: NDArray[np.floating[Any]],  # (N, d)
    free: NDArray[np.bool_],  # (N,)
    axes: Sequence[Axis],
) -> Index:  # -> (n,)
    """The free row nearest to each point, no row twice; fewer than n when fewer are free."""
    n = len(points)
    nearest = np.empty((n, 0), dtype=np.intp)  # to each point, its n nearest rows so far
    distances = np.empty((n, 0))
    for start in range(0, len(rows), DISTANCE_BLOCK):
        here = start + np.flatnonzero(free[start : start + DISTANCE_BLOCK])
        block = mixed_distances(points, rows[here].astype(np.float64), axes)
        if distances.shape[1] == n:  # most rows are farther from every point than those kept
            near = (block < distances.max(axis=1, keepdims=True)).any(axis=0)
            block, here = block[:, near], here[near]
        distances = np.hstack([distances, block])
        nearest = np.hstack([nearest, np.broadcast_to(here, (n, len(here)))])
        if distances.shape[1] > n:
            kept = np.argpartition(distances, n - 1, axis=1)[:, :n]
            distances = np.take_along_axis(distances, kept, axis=1)
            nearest = np.take_along_axis(nearest, kept, axis=1)
    taken: list[int] = []
    for row, distance in zip(nearest, distances, strict=True):
        best_first = row[np.lexsort((row, distance))].tolist()
        taken += [index for index in best_first if index not in taken][:1]
    return np.array(taken, dtype=np.intp)


def nearest_free_cells(
    points: Array,  # (n, d)
    axes: Sequence[Axis],
    taken: Collection[int] = (),
) -> list[int]:  # n of them
    """The flat index (last axis fastest) of the free cell nearest to each point, none twice."""
    blocked = set(taken)
    found: list[int] = []
    for point in points:
        for cell in _cells_by_distance(point, axes):
            if cell not in blocked:
                found.append(cell)
                blocked.add(cell)
                break
    return found


FARTHEST_OF = 16  # of which the farthest is taken: the farthest of all lie at the edge


def points_apart(
    looks: Array,  # (m, d)
    n: int,
    axes: Sequence[Axis],
    rng: np.random.Generator,
) -> Array:  # -> (n, d)
    """n of some points that lie apart (the best candidates of Mitchell, 1991)."""
    chosen = [int(rng.integers(len(looks)))]
    nearest = mixed_distances(looks[chosen], looks, axes)[0]
    while len(chosen) < n:
        some = rng.integers(len(looks), size=FARTHEST_OF)
        chosen.append(int(some[np.argmax(nearest[some])]))
        nearest = np.minimum(nearest, mixed_distances(looks[chosen[-1:]], looks, axes)[0])
    return np.asarray(looks[chosen])


def mixed_distances(points: Array, rows: Array, axes: Sequence[Axis]) -> Array:
    """Between points and rows, a category that differs counting 1: (n, d), (m, d) -> (n, m)."""
    numeric = np.array([axis.kind != "categorical" for axis in axes])
    a, b = points[:, numeric], rows[:, numeric]
    squared: Array = np.sum(a**2, axis=1)[:, None] - 2.0 * a @ b.T + np.sum(b**2, axis=1)
    for j in np.flatnonzero(~numeric):
        squared += points[:, j, None] != rows[:, j]
    return squared


def _cells_by_distance(point: Array, axes: Sequence[Axis]) -> Iterator[int]:
    """All cells of the product of the axes, nearest first, made one by one."""
    orders, costs, strides, stride = [], [], [], 1
    for u, axis in zip(point, axes, strict=True):
        assert axis.values is not None
        cost = (axis.values != u) * 1.0 if axis.kind == "categorical" else (axis.values - u) ** 2
        order = np.argsort(cost, kind="stable")
        orders.append(order.tolist())
        costs.append(cost[order].tolist())
    for order in reversed(orders):
        strides.append(stride)
        stride *= len(order)
    strides.reverse()
    # A cell is a rank on every axis. Each is reached once, from the cell one rank nearer on the
    # last axis that has moved, so that the heap yields them in order of distance.
    start = (0,) * len(axes)
    heap = [(sum(cost[0] for cost in costs), start, 0)]
    while heap:
        distance, ranks, last = heapq.heappop(heap)
        yield sum(
            order[rank] * stride for order, rank, stride in zip(orders, ranks, strides, strict=True)
        )
        for j in range(last, len(axes)):
            if ranks[j] + 1 < len(orders[j]):
                further = distance + costs[j][ranks[j] + 1] - costs[j][ranks[j]]
                heapq.heappush(heap, (further, (*ranks[:j], ranks[j] + 1, *ranks[j + 1 :]), j))
