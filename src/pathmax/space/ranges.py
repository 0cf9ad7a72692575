"""Ranges of numbers: what `Float` and `Int` share.

A range is linear or logarithmic between low and high, on equal steps, or a list of numbers
(`levels`). Whatever a space, a search or a front end wants to know of a parameter is asked here and
of `categories`, by the same names.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import SpaceError
from pathmax.scalars import Scalar
from pathmax.space.axes import MAX_LISTED_VALUES, Axis
from pathmax.space.expert_prior import GUESSED_CONTEXT, Bump, bump, checked_number
from pathmax.space.levels import Levels, as_tuple, by_digits, by_steps, checked_values
from pathmax.space.parameter_words import listed, terms_of

__all__ = ["NumberRange", "nudge"]


class NumberRange(ABC):
    """A parameter that is a number. An implementation is a frozen dataclass with these fields."""

    low: float
    high: float
    log: bool
    step: float | None
    digits: int | None
    values: Sequence[float] | None
    when: str | None
    context: bool
    likely: float | tuple[float, float] | None

    choices: ClassVar[None] = None  # none are listed: any number of the range
    whole: ClassVar[bool]

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", as_tuple(self.values))
        likely: Any = self.likely
        if isinstance(likely, list):
            object.__setattr__(self, "likely", tuple(likely))

    @property
    @abstractmethod
    def cardinality(self) -> int | None:
        """How many values there are; None where they cannot be counted."""

    @abstractmethod
    def decode(self, u: float) -> float:
        """The value at u."""

    @abstractmethod
    def lattice(self, size: int) -> Sequence[float]:
        """The coordinates of its `size` values, where they are not listed."""

    @property
    def has_step(self) -> bool:
        """Whether a step was given."""
        return self.step != type(self).step

    @cached_property
    def levels(self) -> Levels | None:
        """The numbers that it may be, where they are listed."""
        return self._list("")

    @property
    def axis(self) -> Axis:
        """What its coordinate may be."""
        size = self.cardinality
        if size is None:
            return Axis("float")
        if size > MAX_LISTED_VALUES:
            return Axis("int")
        listed = self.lattice(size) if self.levels is None else self.levels.coordinates
        return Axis("int", np.array(listed))

    def smooth(self, u: Array) -> Array:  # (m,) -> (m,)
        """The column of numbers at u without rounding, as a slope needs them."""
        low, high = float(self.low), float(self.high)
        u = np.minimum(np.maximum(u, 0.0), 1.0)
        if self.log:
            return np.asarray(low * np.exp(u * np.log(high / low)))
        return np.asarray(low + u * (high - low))

    def steepness(self, numbers: Array) -> Array | float:  # (m,) -> (m,)
        """How fast a number grows with u, where it is one of these."""
        low, high = float(self.low), float(self.high)
        return numbers * math.log(high / low) if self.log else high - low

    @property
    def line(self) -> tuple[float, float] | None:
        """(c, a) if the number is c + a u, else None."""
        return None if self.log else (float(self.low), float(self.high) - float(self.low))

    @property
    def largest(self) -> float:
        """The largest absolute value."""
        return max(abs(self.low), abs(self.high))

    @property
    def start(self) -> float:
        """A value to begin with where nothing is known: the middle."""
        return self.decode(0.5)

    def describe(self, show: Callable[[Scalar], str]) -> str:
        """What it may be, in words."""
        if self.values is not None:
            return listed(self.values, show) + terms_of(self)
        words = f"{self.low:g} to {self.high:g}"
        words += ", whole numbers" if self.whole else ""
        words += f", in steps of {self.step:g}" if self.has_step else ""
        words += ", by orders of magnitude" if self.log else ""
        if self.digits is not None:
            words += f", to {self.digits} digit{'' if self.digits == 1 else 's'}"
        return words + terms_of(self)

    def entries(self) -> dict[str, Any]:
        """What a space file says of it."""
        entries: dict[str, Any] = {"low": self.low, "high": self.high}
        if self.values is not None:
            entries = {"values": list(self.values), "type": "float"}  # 1.0 is written as 1
        entries |= {"type": "int"} if self.whole else {}
        said = self.to_json() | {"log": self.log or None}
        more = {name: said.get(name) for name in ("log", "step", "digits", "likely")}
        return entries | {name: part for name, part in more.items() if part is not None}

    def rounded(self, value: float, digits: int) -> float:
        """A value with so many digits of its range, or of itself on a logarithmic one."""
        if self.cardinality is not None or not value:
            return value
        scale = value if self.log else self.high - self.low
        decimals = digits - 1 - math.floor(math.log10(abs(scale))) + (0 if self.log else 1)
        near = round(value, decimals)
        inside = self.low <= value <= self.high  # else it is from before the range was changed
        return min(max(near, self.low), self.high) if inside else near

    def to_json(self) -> dict[str, Any]:
        """Its fields; those that say nothing are left out, as in what older versions stored."""
        ends = {"low": self.low, "high": self.high, "log": self.log}
        said = self._stated().items()
        return ends | {name: list(v) if isinstance(v, tuple) else v for name, v in said}

    def _stated(self) -> dict[str, Any]:
        """What is stated beside the ends, by name."""
        parts = {
            "log": True if self.log else None,
            "step": self.step if self.has_step else None,
            **{name: getattr(self, name) for name in ("digits", "values", "when")},
            "context": True if self.context else None,
            "likely": self.likely,
        }
        return {name: part for name, part in parts.items() if part is not None}

    @property
    def guess(self) -> Bump | None:
        """Where its best value is likely, in coordinates."""
        return bump(self.likely, self.low, self.high, self.log)

    @property
    def guessed(self) -> float:
        """The number that is likely, as it was given."""
        number: Any = self.likely
        return float(number[0] if isinstance(number, tuple) else number)

    def _guess_and_context(
        self, name: str, low: float, high: float, log: bool, context: bool
    ) -> dict[str, Any]:
        """Both of them checked: what is given cannot be guessed."""
        likely = checked_number(name, self.likely, low, high, log)
        if context and likely is not None:
            raise SpaceError(GUESSED_CONTEXT.format(name=name))
        return {"context": context, "likely": likely}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """The range that `to_json` wrote."""
        optional = ("step", "digits", "values", "when", "context", "likely")
        more = {name: stored[name] for name in optional if name in stored}
        return cls(stored["low"], stored["high"], stored["log"], **more)  # type: ignore[call-arg]

    def __repr__(self) -> str:
        said, listed = self._stated(), isinstance(self.values, tuple)
        values = said.pop("values", None)
        given = [f"values={list(values) if listed else values!r}"]
        if values is None:
            given = [repr(self.low), repr(self.high)]
        given += [f"{name}={part!r}" for name, part in said.items()]
        return f"{type(self).__name__}({', '.join(given)})"

    def _list(self, name: str) -> Levels | None:
        """The list that a checked range makes, if it makes one."""
        if self.values is not None:
            return Levels(tuple(self.values), self.log)
        if self.digits is not None:
            return Levels(by_digits(name, self.low, self.high, self.digits), self.log)
        if self.step is None or not self.has_step or not self.log:
            return None
        return Levels(by_steps(name, self.low, self.high, self.step), self.log)

    def _with_short_list(self, name: str) -> Self:
        """The same range, unless it would make too long a list."""
        self._list(name)
        return self

    def _checked_values(self, name: str) -> tuple[float, ...]:
        """The listed values, or a `SpaceError`, also about what does not go with a list."""
        values = checked_values(name, self.values, whole=self.whole, log=bool(self.log))
        if (self.low, self.high) not in ((None, None), (values[0], values[-1])):
            raise SpaceError(
                f"{name}: expected low and high or a list of values, got both; leave out one of "
                "them"
            )
        if self.has_step or self.digits is not None:
            raise SpaceError(
                f"{name}: a list of values needs neither step nor digits; leave out one of them"
            )
        return values


def nudge(u: float, value: float, decode: Callable[[float], float]) -> float:
    """The coordinate next to u that decodes to `value` exactly; u itself when there is none."""
    moved = u
    for _ in range(4):  # 1 was enough in each of 289,025 random spaces
        got = decode(moved)
        if got == value:
            return moved
        moved = math.nextafter(moved, 1.0 if got < value else 0.0)
    return u
