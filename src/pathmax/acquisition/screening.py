"""Where to start a search: cheap looks at many points, then the best that lie apart.

looks   Sobol points over the cube, the hints (data, earlier optima), then points scattered about
        the best of these at two distances, all coordinates or a few of them
starts  the best looks, none within half a length scale of a better one while there are others
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pathmax.acquisition.domain import Box, Mixed
from pathmax.acquisition.lattice import Lattice
from pathmax.design import sobol
from pathmax.gp.kernel import Kernel
from pathmax.gp.linalg import Array


def cube_points(n: int, d: int, rng: np.random.Generator) -> Array:  # -> (n, d)
    """n points that fill the unit cube evenly, moved by a random shift around the torus."""
    points = sobol_base(n, d) + rng.random(d)
    points -= np.floor(points)
    return points


@lru_cache(maxsize=32)
def sobol_base(n: int, d: int) -> Array:  # -> (n, d)
    """The points before the shift: scrambling anew takes 1 ms, shifting 0.05 ms."""
    return sobol(n, d, np.random.default_rng(0))


def spread_points(n: int, domain: Box | Mixed, rng: np.random.Generator) -> Array:  # -> (n, d)
    """n points that stand for a domain."""
    points = cube_points(n, domain.dimension, rng)
    return points if isinstance(domain, Box) else Lattice(domain).place(points)


def scatter(
    centres: Array, n: int, scales: Array, rng: np.random.Generator
) -> Array:  # (c, d) -> (n, d)
    """n points about the centres: half of them near, half farther; every second moves few coordinates."""
    c, d = centres.shape
    moves = rng.standard_normal((n, d)) * scales
    moves *= np.where(np.arange(n) % 2, 0.5, 0.1)[:, None]
    if d > 3:
        few = rng.random((n, d)) < 3.0 / d
        moves *= few | (np.arange(n) % 4 < 2)[:, None]
    points = centres[np.arange(n) % c] + moves
    # reflect at the faces, so that the scatter does not pile up on them
    points = np.abs(points)
    return np.clip(np.where(points > 1.0, 2.0 - points, points), 0.0, 1.0)


def pick_apart(U: Array, values: Array, n: int, scales: Array) -> np.ndarray:  # -> (<= n,)
    """The numbers of the n best rows of which none is close to a better one, best first."""
    shortlist = np.argsort(-values, kind="stable")[: 8 * n]
    Z = U[shortlist] / scales
    square = (Z * Z).sum(axis=1)
    distance = square[:, None] + square - 2.0 * (Z @ Z.T)
    near = distance < 0.25 * 0.5**2 * Z.shape[1]
    chosen: list[int] = []
    blocked = np.zeros(len(shortlist), dtype=bool)
    for i in range(len(shortlist)):
        if not blocked[i]:
            chosen.append(i)
            blocked |= near[i]
            if len(chosen) == n:
                break
    for i in range(len(shortlist)):  # too few places apart: fill up with the best
        if len(chosen) >= n:
            break
        if i not in chosen:
            chosen.append(i)
    return np.asarray(shortlist[chosen])


def length_scales(kernel: Kernel, d: int) -> Array:  # -> (d,)
    """The distance over which the process varies along each coordinate, at most 1."""
    scales = np.ones(d)
    for part in getattr(kernel, "factors", (kernel,)):
        if hasattr(part, "per_axis"):
            for i, scale in part.per_axis(d).items():
                scales[i] = min(scales[i], scale)
    return np.maximum(scales, 1e-3)
