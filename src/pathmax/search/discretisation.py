"""The finite set X_t inside a box on which the theory lets a method choose."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from pathmax.errors import SettingsError
from pathmax.search.domains import Domain
from pathmax.search.lattice import ListedAxis
from pathmax.search.mixed_domain import Mixed
from pathmax.search.rows import Pool


def discretised(domain: Domain, points: int | ArrayLike) -> Domain:
    """Equal divisions of the axes of a box, or given points (N, d)."""
    if domain.corners is None:
        raise SettingsError(
            "discretization is for a box, where every parameter is a real number, got a "
            f"{type(domain).__name__}; leave it out"
        )
    if not isinstance(points, int):
        return Pool(np.asarray(points, dtype=float))
    if points < 2:
        raise SettingsError(f"discretization needs at least 2 points an axis, got {points}")
    sides = zip(*domain.corners, strict=True)
    return Mixed([ListedAxis(np.linspace(low, high, points)) for low, high in sides])
