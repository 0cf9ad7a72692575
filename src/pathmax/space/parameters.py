"""One parameter: a number, a whole number, a choice, or a fixed value, and its coordinate u.

    Float, Int            u in [0, 1], linear or logarithmic between low and high, on equal steps,
                          or one of a list of numbers (`levels`)
    Categorical, Fixed    see `categories`

`decode(u)` is defined for every u and never leaves [low, high]. `encode` is its exact inverse: for
every value x that decode can give, decode(encode(x)) is x to the last bit. Floating point does not
grant that by itself (low + (x - low)/(high - low) * (high - low) may miss x by a rounding), so
encode moves u by the units in the last place that it takes.

A definition is checked when a space is built from it, not before: then the error can name it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from decimal import Decimal
from typing import ClassVar, TypeAlias, final

from pathmax.errors import ParamsError, SpaceError
from pathmax.scalars import describe, plain, whole
from pathmax.space.categories import Categorical, Fixed
from pathmax.space.checks import (
    checked_context,
    checked_when,
    finite_bound,
    flag,
    ordered,
    outside,
    whole_bound,
    whole_steps,
    wrong_type,
)
from pathmax.space.levels import checked_digits
from pathmax.space.ranges import NumberRange, nudge
from pathmax.space.refused_keywords import refusing

__all__ = ["Categorical", "Fixed", "Float", "Int", "Parameter", "Searched"]

MAX_INT_RANGE = 2**50  # beyond it neighbours share a coordinate: u has 53 bits
MAX_LOG_INT = 2**40


@final
@refusing("Float")
@dataclasses.dataclass(frozen=True, repr=False)
class Float(NumberRange):
    """A real number from `low` to `high`, both included; `log=True` searches orders of magnitude.

    With a `step` only low, low + step, low + 2 step, ... and high can be suggested, with `digits`
    (and log=True) only numbers of so many digits, with `values` only these. `when` is a sentence
    about other parameters, such as "optimizer == 'sgd'": elsewhere the parameter is absent. With
    `context=True` it is given and not chosen, such as the humidity of the day: `ask(context=...)`.
    `likely` is where you expect the best, a number or (number, how far off it may be): a guess that
    results overrule.

    >>> Float(20, 120), Float(1e-5, 1e-1, log=True)
    (Float(20, 120), Float(1e-05, 0.1, log=True))
    >>> Float(0, 0.5, step=0.1).decode(0.61)
    0.3
    >>> Float(values=[0.1, 0.2, 0.5, 1])
    Float(values=[0.1, 0.2, 0.5, 1])
    """

    low: float = None  # type: ignore[assignment]  # of listed values: the least and the greatest
    high: float = None  # type: ignore[assignment]
    log: bool = False
    step: float | None = None
    digits: int | None = dataclasses.field(default=None, kw_only=True)
    values: Sequence[float] | None = dataclasses.field(default=None, kw_only=True)
    when: str | None = dataclasses.field(default=None, kw_only=True)
    context: bool = dataclasses.field(default=False, kw_only=True)
    likely: float | tuple[float, float] | None = dataclasses.field(default=None, kw_only=True)
    whole: ClassVar[bool] = False

    def checked(self, name: str) -> Float:
        """The same with plain Python numbers, or a `SpaceError` that names the parameter."""
        when = checked_when(name, self.when)
        context = checked_context(name, self.context, when)
        if self.values is not None:
            log, values = flag(name, self.log), self._checked_values(name)
            more = self._guess_and_context(name, values[0], values[-1], log, context)
            return Float(values[0], values[-1], log, values=values, when=when, **more)
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
            whole_steps(name, low, high, step)
        digits = checked_digits(name, self.digits, log=log, step=step is not None)
        more = self._guess_and_context(name, low, high, log, context)
        checked = Float(low, high, log, step, digits=digits, when=when, **more)
        return checked._with_short_list(name)

    def lattice(self, size: int) -> list[float]:
        """The coordinates of equal steps."""
        return [k / (size - 1) for k in range(size)]

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
            if self.levels is not None:
                return self.levels.clean(name, x)
            return x if self.step is None else self._on_a_step(name, x, self.step)
        # 3 * 0.1 is not above 0.3 in any sense that matters to an experiment
        slack = 1e-12 * min(self.high - self.low, max(abs(self.low), abs(self.high)))
        if self.low - slack <= x <= self.high + slack:
            return min(max(x, self.low), self.high)
        raise outside(name, value, self.low, self.high)

    def encode(self, value: float) -> float:
        """The coordinate of a clean value."""
        if self.levels is not None:
            return self.levels.encode(value)
        if self.step is not None:
            return round((value - self.low) / self.step) / self._steps
        if self.log:
            u = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            u = (value - self.low) / (self.high - self.low)
        return nudge(min(max(u, 0.0), 1.0), value, self.decode)

    def decode(self, u: float) -> float:
        """The value at u; coordinates outside [0, 1] give the nearer bound."""
        if u <= 0.0:
            return self.low
        if u >= 1.0:
            return self.high
        if self.levels is not None:
            return self.levels.decode(u)
        if self.step is not None:
            return self._level(math.floor(u * self._steps + 0.5))
        if self.log:
            x = self.low * math.exp(u * math.log(self.high / self.low))
        else:
            x = self.low + u * (self.high - self.low)
        return min(max(x, self.low), self.high)  # rounding may step over a bound

    @property
    def cardinality(self) -> int | None:
        """How many values there are; None where they cannot be counted."""
        if self.levels is not None:
            return len(self.levels.values)
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


@final
@refusing("Int")
@dataclasses.dataclass(frozen=True, repr=False)
class Int(NumberRange):
    """A whole number from `low` to `high`, both included; the rest is as for `Float`."""

    low: int = None  # type: ignore[assignment]  # of listed values: the least and the greatest
    high: int = None  # type: ignore[assignment]
    log: bool = False
    step: int = 1
    digits: int | None = dataclasses.field(default=None, kw_only=True)
    values: Sequence[int] | None = dataclasses.field(default=None, kw_only=True)
    when: str | None = dataclasses.field(default=None, kw_only=True)
    context: bool = dataclasses.field(default=False, kw_only=True)
    likely: float | tuple[float, float] | None = dataclasses.field(default=None, kw_only=True)
    whole: ClassVar[bool] = True

    def checked(self, name: str) -> Int:
        """The same with plain Python numbers, or a `SpaceError` that names the parameter."""
        when = checked_when(name, self.when)
        context = checked_context(name, self.context, when)
        if self.values is not None:
            log = flag(name, self.log)
            values = tuple(map(int, self._checked_values(name)))
            _few_whole_numbers(name, values[0], values[-1], log)
            more = self._guess_and_context(name, values[0], values[-1], log, context)
            return Int(values[0], values[-1], log, values=values, when=when, **more)
        low, high = whole_bound(name, "low", self.low), whole_bound(name, "high", self.high)
        log = flag(name, self.log)
        ordered(name, low, high)
        if log and low < 1:
            raise SpaceError(
                f"{name}: log=True needs low of at least 1, got low={low}; use low=1 or log=False"
            )
        step = whole_bound(name, "step", self.step)
        if step != 1:
            whole_steps(name, low, high, step)
        _few_whole_numbers(name, low, high, log)
        digits = checked_digits(name, self.digits, log=log, step=step != 1)
        more = self._guess_and_context(name, low, high, log, context)
        checked = Int(low, high, log, step, digits=digits, when=when, **more)
        return checked._with_short_list(name)

    def lattice(self, size: int) -> list[float]:
        """The coordinates of the whole numbers."""
        return [self.encode(x) for x in range(self.low, self.high + 1, self.step)]

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
        if self.levels is not None:
            return int(self.levels.clean(name, x))
        if (x - self.low) % self.step:
            raise ParamsError(
                f"{name}: expected {self.low} and a whole number of steps of {self.step}, got {x}; "
                "correct the value, or start a study without the step"
            )
        return x

    def encode(self, value: int) -> float:
        """The coordinate of a clean value: a point of the lattice in [0, 1]."""
        if self.levels is not None:
            return self.levels.encode(value)
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def decode(self, u: float) -> int:
        """The value whose coordinate is nearest to u."""
        u = min(max(u, 0.0), 1.0)
        if self.levels is not None:
            return int(self.levels.decode(u))
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
        if self.levels is not None:
            return len(self.levels.values)
        return (self.high - self.low) // self.step + 1


Searched: TypeAlias = Float | Int | Categorical  # what has a coordinate
Parameter: TypeAlias = Searched | Fixed


def _few_whole_numbers(name: str, low: int, high: int, log: bool) -> None:
    if high - low > MAX_INT_RANGE or (log and high > MAX_LOG_INT):
        limit = f"high up to {MAX_LOG_INT}" if log else f"{MAX_INT_RANGE} values"
        raise SpaceError(
            f"{name}: Int takes at most {limit}, got low={low}, high={high}; "
            "use Float and round where the value is used"
        )
