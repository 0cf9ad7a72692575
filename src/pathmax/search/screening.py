"""Where to start a search: the score is approximated at many points, the best that lie apart start.

looks   Sobol points over the cube, the hints (data, earlier optima), then points scattered about
        the best of these at two distances, all coordinates or a few of them
starts  the best looks, none close to a better one (APART) while there are others
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pathmax.arrays import Array, Index
from pathmax.search.sobol import sobol

APART = 0.25  # length scales per coordinate between two starts


def cube_points(n: int, d: int, rng: np.random.Generator) -> Array:  # -> (n, d)
    """n points that fill the unit cube evenly, moved by a random shift around the torus."""
    points = sobol_base(1 << max(n - 1, 0).bit_length(), d)[:n] + rng.random(d)
    points -= np.floor(points)
    return points


@lru_cache(maxsize=32)
def sobol_base(n: int, d: int) -> Array:  # -> (n, d)
    """The points before the shift, kept: scrambling anew takes twenty times as long as shifting."""
    return sobol(n, d, np.random.default_rng(0))


def scatter(centres: Array, n: int, scales: Array, rng: np.random.Generator) -> Array:
    """n points about the centres (c, d) -> (n, d), by 0.1 and by 0.5 length scales in turn.

    In more than three dimensions half of them move only about three coordinates. Some may lie
    outside the domain.
    """
    c, d = centres.shape
    number = np.arange(n)
    moves = rng.standard_normal((n, d)) * scales
    moves *= np.where(number % 2, 0.5, 0.1)[:, None]
    if d > 3:
        moves *= (rng.random((n, d)) < 3.0 / d) | (number % 4 < 2)[:, None]
    moves += centres[number % c]
    return moves


def pick_apart(U: Array, values: Array, n: int, scales: Array) -> Index:  # (m, d), (m,) -> (n,)
    """The numbers of the n best rows of which none is close to a better one, best first.

    Too few places apart are filled up with the best that are left.
    """
    shortlist = np.argsort(-values, kind="stable")[: 4 * n]
    Z = U[shortlist] / scales
    square = np.einsum("md,md->m", Z, Z)
    closeness = Z @ (2.0 * Z.T)
    closeness -= square  # |z_i|^2 - |z_i - z_j|^2
    near = closeness > (square - APART**2 * Z.shape[1])[:, None]
    chosen = np.zeros(len(shortlist), dtype=bool)
    taken = np.zeros(len(shortlist), dtype=bool)
    left = n
    for i in range(len(shortlist)):
        if not taken[i]:
            chosen[i] = True
            left -= 1
            if not left:
                break
            np.logical_or(taken, near[i], out=taken)
    chosen[np.flatnonzero(~chosen)[:left]] = True
    return np.asarray(shortlist[chosen])
