"""The symmetric logarithm about a bound, sign(z) log(1 + |z|), and the unit to count z in.

It draws values together that are far from the bound on either side and leaves those about it as
they are (the bilog of Eriksson and Poloczek, 2021, arXiv 2002.08526, here with a unit of its own).
"""

from __future__ import annotations

import numpy as np

from pathmax.arrays import Array

LARGEST_REACH = 8e307  # twice that is a number still
REACH_RANK = 5  # of the distances on a side, from the largest: how far that side reaches


def squash(z: Array) -> Array:  # (n,) -> (n,)
    """sign(z) log(1 + |z|)."""
    return np.asarray(np.copysign(np.log1p(np.abs(z)), z))


def unsquash(t: Array) -> Array:  # (n,) -> (n,)
    """The z with squash(z) = t."""
    return np.asarray(np.copysign(np.expm1(np.abs(t)), t))


def squash_slope(z: Array) -> Array:  # (n,) -> (n,)
    """Of `squash`."""
    return np.asarray(1.0 / (1.0 + np.abs(z)))


def unit_about(values: Array, bound: float) -> float | None:  # (n,)
    """How far the values reach from the bound on that side where they reach less far.

    On each side it is the median distance, of many values the fifth largest: results gather at a
    bound, which shall not change the unit. None when all values are at the bound.
    """
    reaches = []
    for side in (0.5 * values - 0.5 * bound, 0.5 * bound - 0.5 * values):  # halves: no overflow
        distances = np.sort(side[side > 0.0])[::-1]
        if len(distances):
            reaches.append(float(distances[min(len(distances) // 2, REACH_RANK - 1)]))
    return 2.0 * min(min(reaches), LARGEST_REACH) if reaches else None
