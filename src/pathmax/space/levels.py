"""Levels: the only numbers that a parameter may be, in ascending order, and where they lie.

    values = [0.1, 0.2, 0.5, 1]          as they are listed
    low = 1, high = 60, log, step = 1    low, low + step, ... up to high
    low = 1, high = 500, log, digits = 1   1, 2, ..., 9, 10, 20, ..., 500

The coordinate of a level is that of the number between the first and the last, linear or
logarithmic, so that levels keep their distances. (Equal steps on a linear scale need no list.)
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from typing import final

from pathmax.errors import ParamsError, SpaceError
from pathmax.scalars import describe
from pathmax.space.axes import MAX_LISTED_VALUES
from pathmax.space.checks import ROUNDING, finite_bound, whole_bound

__all__ = ["Levels", "as_tuple", "by_digits", "by_steps", "checked_digits", "checked_values"]

LEVELS_SHOWN = 8


@final
@dataclass(frozen=True)
class Levels:
    """Ascending numbers on a linear or logarithmic scale from the first to the last."""

    values: tuple[float, ...]  # all whole numbers (int) or none
    log: bool = False

    @cached_property
    def coordinates(self) -> tuple[float, ...]:
        """Where they lie in [0, 1]."""
        low, high = self.values[0], self.values[-1]
        if self.log:
            return tuple(math.log(x / low) / math.log(high / low) for x in self.values)
        return tuple((x - low) / (high - low) for x in self.values)

    @cached_property
    def _middles(self) -> tuple[float, ...]:
        u = self.coordinates
        return tuple(0.5 * (b + a) for a, b in pairwise(u))

    @cached_property
    def _positions(self) -> dict[float, int]:
        return {value: i for i, value in enumerate(self.values)}

    def encode(self, value: float) -> float:
        """The coordinate of one of the levels."""
        return self.coordinates[self._positions[value]]

    def decode(self, u: float) -> float:
        """The level whose coordinate is nearest to u."""
        return self.values[bisect_right(self._middles, u)]

    def nearest(self, x: float) -> float:
        """The level nearest to a number."""
        i = bisect_left(self.values, x)
        return min(self.values[max(i - 1, 0) : i + 1], key=lambda level: abs(level - x))

    def clean(self, name: str, x: float) -> float:
        """The level that a number is, but for rounding; else a `ParamsError`."""
        level = self.nearest(x)
        if abs(level - x) <= ROUNDING * abs(level):
            return level
        shown = ", ".join(map(repr, self.values[:LEVELS_SHOWN]))
        if len(self.values) > LEVELS_SHOWN:
            shown += f", ... ({len(self.values)} in all)"
        raise ParamsError(
            f"{name}: expected one of {shown}, got {x!r}; the nearest is {level!r}; correct the "
            "value, or start a study that allows it"
        )


def as_tuple(given: object) -> object:
    """What was given as `values`, as a tuple if it is a list of any kind."""
    listed = isinstance(given, Iterable) and not isinstance(given, str | bytes | dict)
    return tuple(given) if listed else given  # type: ignore[arg-type]


def checked_values(name: str, given: object, *, whole: bool, log: bool) -> tuple[float, ...]:
    """Listed values in ascending order, as floats or ints, or a `SpaceError`."""
    if not isinstance(given, tuple):
        raise SpaceError(
            f"{name}: values must be a list of numbers such as [0.1, 0.2, 0.5], "
            f"got {describe(given)}"
        )
    number = whole_bound if whole else finite_bound
    values = sorted(number(name, "each of the values", value) for value in given)
    if len(values) < 2:
        raise SpaceError(
            f"{name}: list at least two values, got {values}; "
            f"to keep {name} fixed, give the value itself in place of a parameter"
        )
    for one, other in pairwise(values):
        if one == other:
            raise SpaceError(f"{name}: the value {one!r} is listed twice; remove one")
    if log and values[0] <= 0:
        raise SpaceError(
            f"{name}: log=True needs values above 0, got {values[0]!r}; "
            "leave it out or use log=False"
        )
    return tuple(_separate(name, values, log))


def by_steps(name: str, low: float, high: float, step: float) -> tuple[float, ...]:
    """low, low + step, ..., high as people write them, for a logarithmic scale."""
    count = round((high - low) / step)
    _few(name, count + 1, f"step={step!r}")
    start, size, kind = Decimal(repr(low)), Decimal(repr(step)), type(low)
    return (*(kind(start + k * size) for k in range(count)), high)


def by_digits(name: str, low: float, high: float, digits: int) -> tuple[float, ...]:
    """The numbers from low to high with so many digits, and low and high themselves."""
    first, last = math.floor(math.log10(low)), math.floor(math.log10(high))
    _few(name, 9 * 10 ** (digits - 1) * (last - first + 1), f"digits={digits}")
    kind, found = type(low), {low, high}
    for decade in range(first, last + 1):
        for mantissa in range(10 ** (digits - 1), 10**digits):
            exact = Decimal(mantissa).scaleb(decade - digits + 1)
            number = kind(exact)
            if low <= number <= high and (kind is float or number == exact):
                found.add(number)
    return tuple(sorted(found))


def checked_digits(name: str, digits: object, *, log: bool, step: bool) -> int | None:
    """How many digits may be set, or a `SpaceError`."""
    if digits is None:
        return None
    count = whole_bound(name, "digits", digits)
    if count < 1:
        raise SpaceError(f"{name}: digits must be at least 1, got digits={count}")
    if not log:
        raise SpaceError(
            f"{name}: digits are for log=True, got digits={count} on a linear scale; "
            "say how fine it can be set by a step, such as step=0.5"
        )
    if step:
        raise SpaceError(f"{name}: expected a step or digits, got both; leave out one of them")
    return count


def _few(name: str, count: int, what: str) -> None:
    if count > MAX_LISTED_VALUES:
        raise SpaceError(
            f"{name}: {what} makes more than {MAX_LISTED_VALUES} values on a logarithmic scale, "
            "which is as good as none; leave it out, or make it coarser"
        )


def _separate(name: str, values: Sequence[float], log: bool) -> Sequence[float]:
    """The values, if none of them share a coordinate."""
    _few(name, len(values), "the list of values")
    levels = Levels(tuple(values), log)
    if not all(map(math.isfinite, levels.coordinates)):
        raise SpaceError(f"{name}: the values are too far apart; bring them nearer")
    pairs = zip(levels.coordinates, levels.coordinates[1:], values, strict=False)
    for one, other, value in pairs:
        if one == other:
            raise SpaceError(
                f"{name}: the value {value!r} and the next one are too near to tell apart in "
                f"a range from {values[0]!r} to {values[-1]!r}; remove one"
            )
    return values
