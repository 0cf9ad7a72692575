"""Which points nothing dominates: larger is better in every objective.

A point dominates another when it is at least as good in every objective and better in one. Equal
points do not dominate each other: all copies of a point of the front are on the front.

Rows are sorted so that whatever dominates a row comes before it, and one pass over them keeps what
is needed to judge the next: the largest second objective (2), the staircase of the second and the
third (3), the front so far (more).
"""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
from numpy.typing import ArrayLike

from pathmax.arrays import Array, Index, Mask
from pathmax.errors import ModelError

SIEVE = 64  # rows with the largest sums of objectives, in spans, that all are compared with first


def pareto_mask(Y: ArrayLike) -> Mask:  # (n, k) -> (n,)
    """Which rows no other row dominates; 100,000 take a second at most (benchmarks/choices.md)."""
    values = as_objectives(Y)
    n, k = values.shape
    if n == 0 or k == 0:
        return np.ones(n, dtype=bool)
    if k == 1:
        return np.asarray(values[:, 0] == values[:, 0].max())
    alive = np.arange(n) if k == 2 or n <= SIEVE else sieve(values)
    order = alive[np.lexsort(-values[alive, ::-1].T)]  # descending, the first objective foremost
    ordered = values[order]
    fresh = np.ones(len(order), dtype=bool)
    fresh[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    number = np.cumsum(fresh) - 1  # of the distinct row that each is a copy of
    distinct = ordered[fresh]
    front = FRONT_FINDERS.get(k, front_of_many)(distinct)
    mask = np.zeros(n, dtype=bool)
    mask[order] = front[number]
    return mask


def as_objectives(Y: ArrayLike) -> Array:  # -> (n, k)
    """Y as rows of objectives that can be compared."""
    values = np.asarray(Y, dtype=float)
    if values.ndim != 2:
        raise ModelError(f"values of several objectives have shape (n, k), got {values.shape}")
    if np.isnan(values).any():
        raise ModelError("values of objectives must be numbers, got NaN; leave such rows out")
    return values


def sieve(values: Array) -> Index:  # (n, k) -> (m,)
    """The rows that the SIEVE most promising ones do not dominate: few, but for a curved front."""
    with np.errstate(invalid="ignore"):
        spans = np.ptp(values, axis=0)
        total = (values / np.where((spans > 0.0) & np.isfinite(spans), spans, 1.0)).sum(axis=1)
    rows = np.arange(len(values))
    for count, best in enumerate(np.argsort(-total, kind="stable")[:SIEVE]):
        pivot, left = values[best], values[rows]
        keep = (left > pivot).any(axis=1) | (left == pivot).all(axis=1)
        rows = rows[keep]
        if count == 8 and 2 * len(rows) > len(values):  # most are on the front
            break
    return rows


def front_of_two(values: Array) -> Mask:  # (n, 2), distinct, in order -> (n,)
    second = values[:, 1]
    before = np.concatenate([[-np.inf], np.maximum.accumulate(second)[:-1]])
    front: Mask = second > before
    front[0] = True
    return front


def front_of_three(values: Array) -> Mask:  # (n, 3), distinct, in order -> (n,)
    """A staircase of the second and the third objective: the second rises, the third falls."""
    front = np.zeros(len(values), dtype=bool)
    rising: list[float] = []
    falling: list[float] = []  # minus the third objective, so that both lists ascend
    for i, (_, second, third) in enumerate(values.tolist()):
        at = bisect_left(rising, second)  # the first step with the second objective as large
        if at < len(rising) and falling[at] <= -third:
            continue
        front[i] = True
        end = at + (at < len(rising) and rising[at] == second)
        start = bisect_left(falling, -third, 0, at)  # steps from here on are no higher, no wider
        rising[start:end] = [second]
        falling[start:end] = [-third]
    return front


def front_of_many(values: Array) -> Mask:  # (n, k), distinct, in order -> (n,)
    front = np.zeros(len(values), dtype=bool)
    kept = np.empty(values.T.shape)  # a row for each objective: compared one after the other
    count = 0
    for i, row in enumerate(values):
        above = kept[0, :count] >= row[0]
        for others, value in zip(kept[1:], row[1:], strict=True):
            above &= others[:count] >= value
        if not above.any():
            front[i] = True
            kept[:, count] = row
            count += 1
    return front


FRONT_FINDERS = {2: front_of_two, 3: front_of_three}
