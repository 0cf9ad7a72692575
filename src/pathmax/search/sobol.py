"""The Sobol sequence, scrambled: points that fill the unit cube more evenly than random ones.

Point k is the XOR of the directions V_b over the bits b that are set in k (Sobol, 1967). Scrambling
multiplies every direction by a random lower triangular matrix over GF(2) and shifts all points by
random digits (Matousek, 1998): each point is then uniform and the net property is kept, so that 2^m
points have exactly one in each of the 2^m slices of every coordinate.

`scipy.stats.qmc` has it too, but importing scipy.stats costs several times as much as NumPy.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pathmax.arrays import Array, Words
from pathmax.search.sobol_directions import JOE_KUO

__all__ = ["MAX_DIMENSION", "directions", "sobol_points"]


BITS = 32
MAX_DIMENSION = len(JOE_KUO) + 1


def sobol_points(n: int, d: int, rng: np.random.Generator) -> NDArray[np.float64]:  # -> (n, d)
    """The first n points of a scrambled sequence in d <= MAX_DIMENSION dimensions."""
    bits = max(n - 1, 0).bit_length()
    columns = _scrambled(directions(d)[:, :bits], rng)
    points = rng.integers(0, 2**BITS, size=(1, d), dtype=np.uint64)  # the random shift
    for b in range(bits):
        points = np.concatenate([points, points ^ columns[:, b]])
    cubes: NDArray[np.float64] = (points[:n] + rng.random((n, d))) * 2.0**-BITS
    return np.minimum(cubes, 1.0 - 2.0**-53)  # the sum may round up to 1


@lru_cache(maxsize=8)
def directions(d: int) -> Words:  # -> (d, BITS)
    """V_b of each dimension, before scrambling."""
    first = [1] * BITS
    numbers = np.array([first, *map(_initial_and_further, JOE_KUO[: d - 1])], dtype=np.uint64)
    return numbers << np.arange(BITS - 1, -1, -1, dtype=np.uint64)


def _initial_and_further(entry: tuple[int, ...]) -> list[int]:
    """m_1 .. m_BITS: the table's initial numbers, continued by the recurrence of the polynomial."""
    polynomial, *numbers = entry
    degree = len(numbers)
    for i in range(degree, BITS):
        following = numbers[i - degree] ^ (numbers[i - degree] << degree)
        for j in range(1, degree):
            if polynomial >> (degree - j) & 1:
                following ^= numbers[i - j] << j
        numbers.append(following)
    return numbers


def _scrambled(columns: Words, rng: np.random.Generator) -> Words:  # (d, b) -> (d, b)
    """L V over GF(2), L lower triangular with a unit diagonal, one for each dimension."""
    digit = np.arange(BITS - 1, -1, -1, dtype=np.uint64)
    unit = np.uint64(1) << digit
    below = rng.integers(0, 2**BITS, size=(len(columns), BITS), dtype=np.uint64) & (
        unit - np.uint64(1)
    )
    scrambled = np.zeros_like(columns)
    for position, column in zip(digit, (unit | below).T, strict=True):  # a column of L: (d,)
        scrambled ^= (columns >> position & np.uint64(1)) * column[:, None]
    return scrambled


def sobol(n: int, d: int, rng: np.random.Generator) -> Array:  # -> (n, d)
    """n scrambled Sobol points; coordinates beyond MAX_DIMENSION are a Latin hypercube."""
    points = sobol_points(n, min(d, MAX_DIMENSION), rng)
    if d <= MAX_DIMENSION:
        return points
    return np.hstack([points, latin_hypercube(n, d - MAX_DIMENSION, rng)])


def latin_hypercube(n: int, d: int, rng: np.random.Generator) -> Array:  # -> (n, d)
    """n points, one in each of the n slices of every coordinate, at random within its slice."""
    slices = rng.permuted(np.tile(np.arange(n), (d, 1)), axis=1).T
    return (slices + rng.random((n, d))) / max(n, 1)


def latin_complement(points: Array, rng: np.random.Generator) -> Array:  # (n, d) -> (n, d)
    """n more points: with those of a Latin hypercube they are one of 2 n points (Qian, 2009)."""
    n = len(points)
    empty = (2 * n * points).astype(np.intp) ^ 1  # the half of every slice where no point is
    return np.asarray((rng.permuted(empty, axis=0) + rng.random(points.shape)) / (2 * n))
