"""Points that follow the best ones: near and far, in about twenty of their coordinates.

In many dimensions a move along all coordinates leads to where nothing is known, however short each
of them is; one along few stays comparable (arXiv 2502.09198 finds about twenty to be enough).
"""

from __future__ import annotations

import numpy as np

from pathmax.arrays import Array
from pathmax.search.domains import Domain

MOVED = 20.0  # coordinates that are moved, on average
LONGEST_MOVE = 0.5  # of the range of a coordinate: a standard deviation of the longest moves
DECADES = 2.0  # moves are that much shorter at most, powers of ten


def perturbed(
    domain: Domain, centres: Array, n: int, scales: Array, rng: np.random.Generator
) -> Array:  # (c, d), (d,) -> (n, d)
    """n points of a domain about some of its points, by length scales and by parts of them."""
    U = domain.project(centres)[rng.integers(len(centres), size=n)]
    moves = rng.standard_normal(U.shape) * np.minimum(scales, LONGEST_MOVE)
    moves *= 10.0 ** (-DECADES * rng.random((n, 1)))
    moves *= rng.random(U.shape) < min(1.0, MOVED / domain.dimension)
    lattice, V = domain.lattice, U
    if lattice is not None:
        V = lattice.jumps(U, rng)
        moves[:, lattice.columns] = 0.0
    return domain.beside(U, V + moves)
