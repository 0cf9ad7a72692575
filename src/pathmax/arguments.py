"""Checks of what callers give: numbers, counts, points and flags, as plain values or an error.

Settings of a study raise `SettingsError`, arguments of kernels, models and bounds `ModelError`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from math import inf, isfinite, nan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pathmax.errors import ModelError, SettingsError
from pathmax.scalars import MOST_DIGITS, describe, plain, whole


def whole_number(name: str, value: object, least: int) -> int:
    """`value` as a whole number of at least `least`, or a `SettingsError`."""
    number = whole(plain(value))
    if number is None or number < least or number >= 10**MOST_DIGITS:
        raise SettingsError(
            f"{name} must be a whole number, {least} or more, got {describe(plain(value))}"
            f"{unquoted(value)}"
        )
    return number


def real_number(
    name: str, value: object, expected: str, fits: Callable[[float], bool], remedy: str = ""
) -> float:
    """`value` as a number that fits, or a `SettingsError`."""
    number = plain(value)
    if isinstance(number, int) and abs(number) >= 10**MOST_DIGITS:
        number = math.inf if number > 0 else -math.inf
    if isinstance(number, bool) or not isinstance(number, int | float) or not fits(number):
        remedy = unquoted(value) or (remedy and f"; {remedy}")
        raise SettingsError(f"{name} must be {expected}, got {describe(number)}{remedy}")
    return float(number)


def seconds(name: str, value: object) -> float:
    """`value` as a finite number of seconds from 0 on, or a `SettingsError`."""
    remedy = f"leave {name} out to have none"
    wanted = "a number of seconds, such as 3600"
    return real_number(name, value, wanted, lambda time: 0.0 <= time < inf, remedy)


def yes_or_no(name: str, value: object) -> bool:
    """`value` as True or False, or a `SettingsError`: the text "no" would count as yes."""
    flag = plain(value)
    if not isinstance(flag, bool):
        raise SettingsError(f"{name} must be True or False, got {describe(flag)}")
    return flag


def unquoted(value: object) -> str:
    """The remedy for a number in quotes."""
    try:
        number = float(value) if isinstance(value, str) else nan
    except ValueError:
        return ""
    return f"; write {number:g} without quotes" if isfinite(number) else ""


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
