"""One parameter: a number, a whole number, a choice, or a fixed value, and its coordinate u.

    Float, Int       u in [0, 1], linear or logarithmic between low and high, or on equal steps
    Categorical      u = 0, 1, ..., k - 1, the position of the choice
    Fixed            no coordinate

`decode(u)` is defined for every u and never leaves [low, high]. `encode` is its exact inverse: for
every value x that decode can give, decode(encode(x)) is x to the last bit. Floating point does not
grant that by itself (low + (x - low)/(high - low) * (high - low) may miss x by a rounding), so
encode moves u by the units in the last place that it takes.

A definition is checked when a space is built from it, not before: then the error can name it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable
from decimal import Decimal
from functools import cached_property

from pathmax.errors import ParamsError, SpaceError
from pathmax.scalars import Scalar, describe, plain, whole
from pathmax.space.checks import (
    finite_bound,
    flag,
    no_choice,
    ordered,
    outside,
    storable_choice,
    whole_bound,
    whole_steps,
    wrong_type,
)

__all__ = ["Categorical", "Fixed", "Float", "Int", "Parameter"]

MAX_INT_RANGE = 2**50  # beyond it neighbours share a coordinate: u has 53 bits
MAX_LOG_INT = 2**40


@dataclasses.dataclass(frozen=True)
class Float:
    """A real number from `low` to `high`, both included; `log=True` searches orders of magnitude.

    With a `step` only low, low + step, low + 2 step, ... and high can be suggested.

    >>> Float(20, 120), Float(1e-5, 1e-1, log=True)
    (Float(20, 120), Float(1e-05, 0.1, log=True))
    >>> Float(0, 0.5, step=0.1).decode(0.61)
    0.3
    """

    low: float
    high: float
    log: bool = False
    step: float | None = None

    def checked(self, name: str) -> Float:
        """The same with plain Python numbers, or a `SpaceError` that names the parameter."""
        low, high = finite_bound(name, "low", self.low), finite_bound(name, "high", self.high)
        log = flag(name, self.log)
        ordered(name, low, high)
        if log and low <= 0:
            raise SpaceError(
                f"{name}: log=True needs low above 0, got low={low!r}; "
                "raise low (1e-6, say) or use log=False"
            )
        if not math.isfinite(high / low if log else high - low):
            scale = "in a ratio" if log else "apart on a linear scale"
            raise SpaceError(
                f"{name}: low={low!r} and high={high!r} are too far {scale}; bring them nearer"
            )
        step = None if self.step is None else finite_bound(name, "step", self.step)
        if step is not None:
            whole_steps(name, low, high, step, log)
        return Float(low, high, log, step)

    def clean(self, name: str, value: object) -> float:
        """`value` as a float within the bounds, or a `ParamsError`."""
        number = plain(value)
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise wrong_type(name, value, f"a number from {self.low:g} to {self.high:g}")
        try:
            x = float(number)
        except OverflowError:
            x = math.inf
        if self.low <= x <= self.high:
            return x if self.step is None else self._on_a_step(name, x, self.step)
        # 3 * 0.1 is not above 0.3 in any sense that matters to an experiment
        slack = 1e-12 * min(self.high - self.low, max(abs(self.low), abs(self.high)))
        if self.low - slack <= x <= self.high + slack:
            return min(max(x, self.low), self.high)
        raise outside(name, value, self.low, self.high)

    def encode(self, value: float) -> float:
        """The coordinate of a clean value."""
        if self.step is not None:
            return round((value - self.low) / self.step) / self._steps
        if self.log:
            u = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            u = (value - self.low) / (self.high - self.low)
        return _nudge(min(max(u, 0.0), 1.0), value, self.decode)

    def decode(self, u: float) -> float:
        """The value at u; coordinates outside [0, 1] give the nearer bound."""
        if u <= 0.0:
            return self.low
        if u >= 1.0:
            return self.high
        if self.step is not None:
            return self._level(math.floor(u * self._steps + 0.5))
        if self.log:
            x = self.low * math.exp(u * math.log(self.high / self.low))
        else:
            x = self.low + u * (self.high - self.low)
        return min(max(x, self.low), self.high)  # rounding may step over a bound

    @property
    def cardinality(self) -> int | None:
        """How many values there are; None without a step, for they cannot be counted."""
        return None if self.step is None else self._steps + 1

    @property
    def _steps(self) -> int:
        assert self.step is not None, "asked for only where there is a step"
        return round((self.high - self.low) / self.step)

    def _level(self, k: int) -> float:
        """The value k steps above low, as people write it: 0.3 and not 0.30000000000000004."""
        if k >= self._steps:
            return self.high
        return float(Decimal(repr(self.low)) + k * Decimal(repr(self.step)))

    def _on_a_step(self, name: str, x: float, step: float) -> float:
        level = self._level(round((x - self.low) / step))
        if abs(x - level) <= 1e-6 * step:
            return level
        raise ParamsError(
            f"{name}: expected {self.low!r} and a whole number of steps of {step!r}, got {x!r}; "
            f"the nearest is {level!r}; correct the value, or start a study without the step"
        )

    def __repr__(self) -> str:
        return shown(self)


@dataclasses.dataclass(frozen=True)
class Int:
    """A whole number from `low` to `high`, both included; `log` and `step` as for `Float`."""

    low: int
    high: int
    log: bool = False
    step: int = 1

    def checked(self, name: str) -> Int:
        """The same with plain Python numbers, or a `SpaceError` that names the parameter."""
        low, high = whole_bound(name, "low", self.low), whole_bound(name, "high", self.high)
        log = flag(name, self.log)
        ordered(name, low, high)
        if log and low < 1:
            raise SpaceError(
                f"{name}: log=True needs low of at least 1, got low={low}; use low=1 or log=False"
            )
        step = whole_bound(name, "step", self.step)
        if step != 1:
            whole_steps(name, low, high, step, log)
        if high - low > MAX_INT_RANGE or (log and high > MAX_LOG_INT):
            limit = f"high up to {MAX_LOG_INT}" if log else f"{MAX_INT_RANGE} values"
            raise SpaceError(
                f"{name}: Int takes at most {limit}, got low={low}, high={high}; "
                "use Float and round where the value is used"
            )
        return Int(low, high, log, step)

    def clean(self, name: str, value: object) -> int:
        """`value` as an int within the bounds (3.0 is 3), or a `ParamsError`."""
        number = plain(value)
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise wrong_type(name, value, f"a whole number from {self.low} to {self.high}")
        x = whole(number)
        if x is None:
            raise ParamsError(
                f"{name}: expected a whole number from {self.low} to {self.high}, "
                f"got {describe(number)}; round it, or make {name} a Float"
            )
        if not self.low <= x <= self.high:
            raise outside(name, value, self.low, self.high)
        if (x - self.low) % self.step:
            raise ParamsError(
                f"{name}: expected {self.low} and a whole number of steps of {self.step}, got {x}; "
                "correct the value, or start a study without the step"
            )
        return x

    def encode(self, value: int) -> float:
        """The coordinate of a clean value: a point of the lattice in [0, 1]."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def decode(self, u: float) -> int:
        """The value whose coordinate is nearest to u."""
        u = min(max(u, 0.0), 1.0)
        if not self.log:
            steps = (self.high - self.low) // self.step
            return self.low + self.step * math.floor(u * steps + 0.5)
        x = self.low * math.exp(u * math.log(self.high / self.low))
        below = min(max(math.floor(x), self.low), self.high - 1)
        middle = 0.5 * (self.encode(below) + self.encode(below + 1))
        return below if u < middle else below + 1

    @property
    def cardinality(self) -> int:
        """How many values there are."""
        return (self.high - self.low) // self.step + 1

    def __repr__(self) -> str:
        return shown(self)


@dataclasses.dataclass(frozen=True)
class Categorical:
    """One of a list of choices without an order: text, numbers, True/False or None.

    Choices that Python holds to be equal (1, 1.0 and True) are refused, since no file or database
    keeps them apart. The values themselves are told apart: True is not the choice 1, "1" is not 1.
    """

    choices: tuple[Scalar, ...]

    def __init__(self, choices: Iterable[Scalar]) -> None:
        unordered = isinstance(choices, str | bytes | set | frozenset | dict)
        listed = isinstance(choices, Iterable) and not unordered
        object.__setattr__(self, "choices", tuple(choices) if listed else choices)

    def checked(self, name: str) -> Categorical:
        """The same with plain Python scalars, or a `SpaceError` that names the parameter."""
        if not isinstance(self.choices, tuple):
            raise SpaceError(
                f"{name}: choices must be a list such as ['a', 'b'], got {describe(self.choices)}; "
                "put them in a list, in the order you like"
            )
        if not self.choices:
            raise SpaceError(f"{name}: no choices given; list at least one")
        choices = tuple(storable_choice(name, value) for value in self.choices)
        seen: dict[Scalar, Scalar] = {}
        for choice in choices:
            if choice in seen:
                raise SpaceError(
                    f"{name}: the choices {seen[choice]!r} and {choice!r} are equal; "
                    "remove one, or write them as different text"
                )
            seen[choice] = choice
        return Categorical(choices)

    @cached_property
    def _codes(self) -> dict[tuple[bool, Scalar], int]:
        return {(isinstance(c, bool), c): code for code, c in enumerate(self.choices)}

    def clean(self, name: str, value: object) -> Scalar:
        """The choice that `value` is, or a `ParamsError`."""
        choice = plain(value)
        try:
            return self.choices[self._codes[isinstance(choice, bool), choice]]  # type: ignore[index]
        except (KeyError, TypeError):
            raise no_choice(name, choice, self.choices) from None

    def encode(self, value: Scalar) -> float:
        """The position of a clean value among the choices."""
        return float(self._codes[isinstance(value, bool), value])

    def decode(self, u: float) -> Scalar:
        """The choice at position u, rounded to the nearest."""
        return self.choices[min(max(math.floor(u + 0.5), 0), len(self.choices) - 1)]

    @property
    def cardinality(self) -> int:
        """How many choices there are."""
        return len(self.choices)


@dataclasses.dataclass(frozen=True)
class Fixed:
    """A value that never changes and takes no part in the search. In a space, write it plainly."""

    value: Scalar

    def checked(self, name: str) -> Fixed:
        """The same with a plain Python scalar, or a `SpaceError` that names the parameter."""
        return Fixed(storable_choice(name, self.value))

    def clean(self, name: str, value: object) -> Scalar:
        """The fixed value if `value` is that, else a `ParamsError`."""
        given = plain(value)
        if isinstance(given, bool) == isinstance(self.value, bool) and given == self.value:
            return self.value
        raise ParamsError(
            f"{name}: is fixed at {self.value!r} in this space, got {describe(given)}; "
            f"leave {name} out, or make it a Categorical, Int or Float"
        )

    @property
    def cardinality(self) -> int:
        """One."""
        return 1


Parameter = Float | Int | Categorical | Fixed


def shown(parameter: Float | Int) -> str:
    """A range as it would be written in Python."""
    log = ", log=True" if parameter.log else ""
    step = "" if parameter.step == type(parameter).step else f", step={parameter.step!r}"
    return f"{type(parameter).__name__}({parameter.low!r}, {parameter.high!r}{log}{step})"


def _nudge(u: float, value: float, decode: Callable[[float], float]) -> float:
    """The coordinate next to u that decodes to `value` exactly; u itself when there is none."""
    moved = u
    for _ in range(4):  # 1 was enough in each of 289,025 random spaces
        got = decode(moved)
        if got == value:
            return moved
        moved = math.nextafter(moved, 1.0 if got < value else 0.0)
    return u
