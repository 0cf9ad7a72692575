"""The checks that every function of the theory makes on its numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pathmax.errors import ModelError


def positive(name: str, value: float) -> float:
    """`value` as a float when it is finite and above zero."""
    return _number(name, value, above=0.0, hint="give a positive number")


def at_least(name: str, value: float, least: float) -> float:
    """`value` as a float when it is finite and not below `least`."""
    number = _number(name, value, above=-math.inf, hint=f"give a number of at least {least:g}")
    if number < least:
        raise ModelError(f"{name} must be at least {least:g}, got {value!r}")
    return number


def counts(name: str, value: ArrayLike, least: int) -> NDArray[np.float64]:
    """Whole numbers not below `least`, of any shape."""
    try:
        numbers = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ModelError(f"{name} must be a whole number, got {value!r}") from None
    if not np.all(np.isfinite(numbers)) or np.any(numbers != np.floor(numbers)):
        raise ModelError(f"{name} must be a whole number, got {value!r}")
    if np.any(numbers < least):
        raise ModelError(f"{name} must be at least {least}, got {value!r}")
    return numbers


def count(name: str, value: float, least: int) -> int:
    """One whole number not below `least`."""
    numbers = counts(name, value, least)
    if numbers.ndim:
        raise ModelError(f"{name} must be one whole number, got {value!r}")
    return int(numbers)


def points(name: str, value: Any) -> NDArray[np.float64]:  # -> (n, d)
    """A table of points, one a row."""
    table = np.asarray(value, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] == 0:
        raise ModelError(
            f"{name} must have shape (n, d), one point a row, got shape {table.shape}; "
            "a single point x is x[None, :]"
        )
    if not np.all(np.isfinite(table)):
        raise ModelError(f"{name} must be finite, got a NaN or an infinity")
    return table


def _number(name: str, value: float, above: float, hint: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise ModelError(f"{name} must be a number, got {value!r}; {hint}") from None
    if not math.isfinite(number) or not number > above:
        raise ModelError(f"{name} must be finite and above {above:g}, got {value!r}; {hint}")
    return number
