"""Data beside the domain: what was tried under another context, moved to this one.

Where some coordinates are held, few data lie in the domain, or none. What was chosen elsewhere can
be chosen here too, and the model says what to expect of it: these points, not the measured values,
are what an improvement has to beat, and where a search begins.
"""

from __future__ import annotations

import numpy as np

from pathmax.arrays import Array, Mask
from pathmax.gp import GaussianProcess
from pathmax.search.domains import Domain

SAME = 1e-9  # nearer than this a result is at the point of the domain that its params stand for


def lie_in(domain: Domain, X: Array) -> Mask:  # (n, d) -> (n,)
    """Which points are points of the domain."""
    return np.asarray(np.abs(domain.project(X) - X).max(axis=1, initial=0.0) < SAME)


def moved(domain: Domain, X: Array) -> Array:  # (n, d) -> (k, d)
    """The points of a slice that were tried there or elsewhere; elsewhere as they are."""
    return np.unique(domain.project(X), axis=0) if domain.is_slice and len(X) else X


def moved_points(model: GaussianProcess, domain: Domain) -> tuple[Array, Array] | None:
    """These points with the mean there: (k, d), (k,); None where all data lie in the domain."""
    if not domain.is_slice or not model.n or lie_in(domain, model.X).all():
        return None
    points = moved(domain, model.X)
    return points, model.predict(points).mean
