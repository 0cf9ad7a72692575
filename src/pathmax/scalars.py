"""The values that a parameter may have: text, whole numbers, numbers, yes/no and nothing.

These are the scalars of JSON, because a study is stored as JSON. What people have in hand is wider
(NumPy scalars, Decimal, Fraction, members of an Enum), so it is converted here, on the way in.
Nothing is guessed: the text "3" is never the number 3, and True is never the number 1. (Of results
they are: `trials.values`.)
"""

from __future__ import annotations

import math
from decimal import Decimal
from numbers import Rational
from typing import TypeAlias

import numpy as np

__all__ = ["Scalar", "describe", "plain", "storable_text", "whole"]

Scalar: TypeAlias = str | int | float | bool | None
MOST_DIGITS = 308  # digits of a whole number: the largest float has 309


def plain(value: object) -> object:
    """`value` as the plain Python scalar it stands for; anything else comes back unchanged.

    >>> plain(np.float64(0.5)), plain(np.bool_(True)), plain(Decimal("3"))
    (0.5, True, 3)
    """
    kind = type(value)
    if kind is float or kind is str or kind is int or kind is bool:
        return value
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, np.generic):
        # item() of a long double is a long double
        return float(value) if isinstance(value, np.floating) else value.item()
    if isinstance(value, Decimal):
        return _of_decimal(value)
    return _of_subclass(value)


def _of_decimal(value: Decimal) -> object:
    if value.is_nan():
        return math.nan  # float() of a signalling NaN is an error
    exponent = value.as_tuple().exponent
    exact = isinstance(exponent, int) and exponent >= 0 and value.adjusted() <= MOST_DIGITS
    return int(value) if exact else float(value)


def _of_subclass(value: object) -> object:
    """Members of a StrEnum or IntEnum as their base type, and a Fraction as a float."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, Rational):
        try:
            return float(value)
        except OverflowError:
            return math.inf if int(value.numerator) > 0 else -math.inf
    return value


def whole(value: object) -> int | None:
    """The whole number that a plain `value` is: 3 and 3.0 are one, 3.5 and True are not."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return None


def storable_text(text: str) -> bool:
    """Whether every database can hold `text`: no NUL character and no half of a surrogate pair."""
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def type_of(value: object) -> str:
    """The type of a value with its article, for errors about things that are too large to show."""
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeioAEIO' else 'a'} {name}" if value is not None else "None"


def describe(value: object) -> str:
    """`value` as an error message shows it, with the type where that is the difficulty."""
    try:
        shown = repr(value)
    except ValueError:  # Python refuses to write whole numbers of thousands of digits
        shown = f"a {type(value).__name__} too long to be shown"
    if len(shown) > 80:
        shown = shown[:77] + "..."
    if isinstance(value, bool):
        return f"{shown} (yes/no)"
    if isinstance(value, str):
        return f"the text {shown}"
    if value is None:
        return "None (nothing)"
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return shown
    if isinstance(value, float):
        return f"{shown} (not a finite number)"
    return f"{shown} (a {type(value).__name__})"
