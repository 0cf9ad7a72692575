"""Arguments as arrays of numbers: points, values, variances; or an error that says what to give."""

from __future__ import annotations

import math
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from pathmax.arrays import Array
from pathmax.errors import ModelError


def as_points(X: ArrayLike) -> Array:  # -> (m, d)
    """X as an array of points, one a row."""
    points = _numbers("points", X)
    if points.ndim != 2:
        raise ModelError(
            f"points must be a table with a row per point, shape (m, d), got shape {points.shape}; "
            "one point of d coordinates is X.reshape(1, d)"
        )
    if not np.isfinite(points).all():
        raise ModelError("points must be finite; leave out rows with NaN or infinity")
    return points


def as_values(y: ArrayLike, n: int) -> Array:  # -> (n,)
    """y as an array of n finite values."""
    values = _numbers("y", y).reshape(-1)
    if len(values) != n:
        raise ModelError(
            f"X and y must have the same length, got {n} rows and {len(values)} values"
        )
    if not np.isfinite(values).all():
        raise ModelError("y must be finite; leave out rows with NaN or infinity")
    return values


def as_variances(noise: ArrayLike, n: int, *, learnt: bool = False) -> Array:  # -> (n,)
    """One variance of the noise for each of n observations; NaN is allowed if it can be learnt."""
    variances = _numbers("noise", noise)
    if variances.ndim > 1 or (variances.ndim and len(variances) != n):
        raise ModelError(
            f"noise must be one variance or one for each of {n} observations, "
            f"got shape {variances.shape}"
        )
    fine = (variances >= 0) & np.isfinite(variances)
    fine |= learnt & np.isnan(variances)
    if not fine.all():
        raise ModelError(
            "noise must be finite and zero or more everywhere: it is a variance, "
            f"got {float(variances[~fine].flat[0])}"
        )
    return np.broadcast_to(variances, n)


def _numbers(name: str, given: ArrayLike) -> Array:
    try:
        return np.asarray(given, dtype=float)
    except (TypeError, ValueError) as mistake:
        raise ModelError(f"{name} must be numbers: {mistake}") from mistake


def is_number(value: object) -> bool:
    """Whether it is one finite number."""
    return isinstance(value, Real) and math.isfinite(value)
