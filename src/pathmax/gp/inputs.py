"""Arguments as arrays: points, values, parameters of kernels; or an error that says what to do."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
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


def positive_array(name: str, value: object) -> Array:
    """`value` as an array of positive finite numbers: a read-only copy."""
    try:
        numbers = np.array(value, dtype=float)
        wrong = numbers.ndim > 1 or not numbers.size
        wrong = wrong or not (np.isfinite(numbers) & (numbers > 0)).all()
    except (TypeError, ValueError):
        wrong = True
    if wrong:
        raise ModelError(
            f"{name} must be positive and finite (one number or one per coordinate), got {value!r}"
        )
    numbers.setflags(write=False)
    return numbers


def coordinates(on: Iterable[int] | None) -> tuple[int, ...] | None:
    """The coordinates that a kernel looks at, each once; None for all."""
    if on is None:
        return None
    chosen = tuple(int(i) for i in on)
    if not chosen or min(chosen) < 0 or len(set(chosen)) < len(chosen):
        raise ModelError(
            f"on must name each coordinate once, counted from 0, got {chosen}; None is all of them"
        )
    return chosen


@lru_cache(maxsize=64)
def are_all(on: tuple[int, ...], d: int) -> bool:
    """Whether these are all of d coordinates, in order."""
    return on == tuple(range(d))


def columns_of(X: Array, on: tuple[int, ...] | None) -> Array:  # (n, d) -> (n, len(on))
    """The columns of X that a kernel looks at."""
    if on is None or are_all(on, X.shape[1]):
        return X
    if max(on) >= X.shape[1]:
        raise ModelError(
            f"the kernel looks at coordinate {max(on)}, but points have {X.shape[1]} coordinates, "
            "counted from 0"
        )
    return X[:, list(on)]


def _numbers(name: str, given: ArrayLike) -> Array:
    try:
        return np.asarray(given, dtype=float)
    except (TypeError, ValueError) as mistake:
        raise ModelError(f"{name} must be numbers: {mistake}") from mistake


def is_finite(value: object) -> bool:
    """Whether it is one finite number."""
    return isinstance(value, Real) and math.isfinite(value)
