"""What people tell as a result, read as a number: of any library, as text, or not at all."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from pathmax.errors import OutcomeError
from pathmax.scalars import describe, plain
from pathmax.trials.goals import VALUE


def read_value(value: object) -> float:
    """`value` as a float: a number of any library, yes/no, text like "71.3"; nan and inf too."""
    if type(value) is float:  # as nearly always
        return value
    mask = getattr(value, "mask", None)  # of np.ma.masked, whose item() is 0.0
    if mask is not None and not callable(mask) and np.all(mask):
        raise OutcomeError(
            "a value must be one number, got a masked one; call study.fail(trial) if there is none"
        )
    if getattr(value, "size", None) == 1 and callable(getattr(value, "item", None)):
        value = value.item()  # type: ignore[attr-defined]  # an array or tensor of one number
    value = plain(value)
    if isinstance(value, bool | int | float | str) or hasattr(value, "__float__"):
        try:
            return float(value)
        except OverflowError:  # an int beyond 1e308
            return math.inf if value > 0 else -math.inf  # type: ignore[operator]
        except (TypeError, ValueError):
            pass
    raise OutcomeError(
        f"a value must be one number, got {describe(value)}; "
        + (
            "return the measured value from the objective, or call study.fail(trial)"
            if value is None
            else "tell one number, such as 71.3, or call study.fail(trial) if there is none"
        )
    )


def read_noise(noise: object) -> float | None:
    """The variance of a measurement as a float, or None when it was not given."""
    if noise is None:
        return None
    try:
        variance = read_value(noise)
    except OutcomeError:
        variance = math.nan
    if not 0.0 <= variance < math.inf:
        raise OutcomeError(
            f"noise is the variance of the value (your units squared): expected 0 or more, "
            f"got {describe(plain(noise))}; square the standard deviation, or leave noise out"
        )
    return variance


def defect(value: float, name: str = "the value") -> str | None:
    """Why a number cannot be data, or None when it can."""
    if math.isnan(value):
        return f"{name} is NaN (not a number)"
    if math.isinf(value):
        return f"{name} is {'+' if value > 0 else '-'}infinity"
    return None


def failure(measured: Mapping[str, float]) -> str | None:
    """Why a result is none: nothing in it is finite, or an infinity is, which no model can hold.

    NaN beside finite numbers is still to come. What was finite is kept in words.
    """
    if measured and all(map(math.isfinite, measured.values())):  # as nearly always
        return None
    names = {name: "the value" if name == VALUE else name for name in measured}
    wrong = {name: why for name, x in measured.items() if (why := defect(x, names[name]))}
    finite = {name: number for name, number in measured.items() if name not in wrong}
    if finite and not any(map(math.isinf, measured.values())):
        return None
    said = ", ".join(wrong.values())
    beside = ", ".join(f"{name} {number:.12g}" for name, number in finite.items())
    return f"{said} (beside {beside})" if finite else said
