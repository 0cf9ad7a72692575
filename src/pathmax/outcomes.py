"""Values on their way in and out of the model: read, flipped and standardised once, here.

What people tell is in their units, and larger may be worse. Below the study larger is better and
values have mean 0 and standard deviation 1:

    y = (sign * value - shift) / scale

Plain standardising it is: on the development suite rank copulas, half-rank and log-gap warps were
worse. A study with a fixed model (`refit_every=None`) has shift 0 and scale 1, so that its kernel
and noise speak in the user's units.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pathmax.errors import OutcomeError, SettingsError
from pathmax.scalars import describe, plain

Array = NDArray[np.float64]

SIGNS = {"maximize": 1.0, "minimize": -1.0}
LARGEST = float(np.finfo(float).max)
SMALLEST = float(np.finfo(float).tiny)


def read_value(value: object) -> float:
    """`value` as a float: a number of any library, yes/no, text like "71.3"; nan and inf too."""
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
            "return the measured value from the objective"
            if value is None
            else "tell one number, such as 71.3, or call study.fail(trial) if there is none"
        )
    )


def read_noise(noise: object) -> float | None:
    """The variance of a measurement as a float, or None when it was not given."""
    if noise is None:
        return None
    variance = read_value(noise)
    if not 0.0 <= variance < math.inf:
        raise OutcomeError(
            f"noise is the variance of the value (your units squared): expected 0 or more, "
            f"got {describe(plain(noise))}; square the standard deviation, or leave noise out"
        )
    return variance


def defect(value: float) -> str | None:
    """Why a number cannot be data, or None when it can."""
    if math.isnan(value):
        return "the value is NaN (not a number)"
    if math.isinf(value):
        return f"the value is {'+' if value > 0 else '-'}infinity"
    return None


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The way in (`inward`) and the way out (`outward`) for the values of one study."""

    sign: float
    shift: float = 0.0
    scale: float = 1.0

    def inward(self, values: ArrayLike) -> Array:  # (n,) user units -> (n,) larger is better
        flipped = self.sign * np.asarray(values, dtype=float)
        with np.errstate(over="ignore"):  # far off the scale of the last fit: it is made anew
            y = (0.5 * flipped - 0.5 * self.shift) / (0.5 * self.scale)  # halves cannot overflow
        return np.clip(y, -1e150, 1e150)

    def outward(self, y: ArrayLike) -> Array:  # (n,) -> (n,) user units
        with np.errstate(over="ignore"):
            values = self.sign * (np.asarray(y, dtype=float) * self.scale + self.shift)
        return np.clip(values, -LARGEST, LARGEST)

    def spread(self, std: ArrayLike) -> Array:  # standard deviations -> user units
        with np.errstate(over="ignore"):
            return np.minimum(np.asarray(std, dtype=float) * self.scale, LARGEST, dtype=float)

    def variance_inward(self, noise: ArrayLike) -> Array:  # user units squared -> variances of y
        with np.errstate(over="ignore", under="ignore"):
            relative: Array = np.sqrt(np.asarray(noise, dtype=float)) / self.scale
            return np.minimum(relative**2, 1e150, dtype=float)

    def to_json(self) -> dict[str, float]:
        return {"sign": self.sign, "shift": self.shift, "scale": self.scale}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Outcomes:
        return cls(float(stored["sign"]), float(stored["shift"]), float(stored["scale"]))


def sign_of(direction: str) -> float:
    """+1 when larger is better, -1 when smaller is."""
    if direction not in SIGNS:
        raise SettingsError(
            f'direction must be "maximize" or "minimize", got {direction!r}; '
            "choose which way is better"
        )
    return SIGNS[direction]


def standardise(direction: str, values: ArrayLike) -> Outcomes:  # (n,) user units
    """The transform that gives these values mean 0 and standard deviation 1.

    Works from 1e-300 to 1e300: everything is computed relative to the largest. Values that are all
    equal keep the size of that value as their unit, so nothing is divided by zero.
    """
    sign = sign_of(direction)
    flipped = sign * np.asarray(values, dtype=float)
    largest = max(float(np.abs(flipped).max(initial=0.0)), SMALLEST)
    relative = flipped / largest
    shift = float(relative.mean()) * largest if relative.size else 0.0
    if constant(values):
        return Outcomes(sign, shift, largest if largest > SMALLEST else 1.0)
    return Outcomes(sign, shift, max(float(relative.std()) * largest, SMALLEST))


def constant(values: ArrayLike) -> bool:
    """Whether the values are equal up to rounding."""
    values = np.asarray(values, dtype=float)
    if not values.size:
        return True
    largest = max(float(np.abs(values).max()), SMALLEST)
    return float(np.ptp(values / largest)) <= 8 * float(np.finfo(float).eps)
