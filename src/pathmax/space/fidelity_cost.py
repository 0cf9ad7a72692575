"""What a trial of a fidelity costs: a list of numbers, a function, or learnt from durations."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, final

from pathmax.errors import SpaceError
from pathmax.scalars import Scalar, describe, plain

__all__ = ["DURATION", "Cost", "CostFunction", "checked_cost", "is_plain_number", "is_plain_whole"]

DURATION = "duration"


@final
@dataclass(frozen=True)
class CostFunction:
    """A cost that is a function of the fidelity; None when only its name was stored."""

    name: str
    call: Callable[[Any], float] | None = None

    def of(self, value: Any) -> float:
        """What a trial of this fidelity costs."""
        if self.call is None:
            raise SpaceError(
                f"the cost {self.name} is a function, which is not stored; give it again: "
                f"Study.load(name, storage=..., space={{...}}) with Fidelity(..., cost={self.name})"
            )
        cost = plain(self.call(value))
        if isinstance(cost, bool) or not isinstance(cost, int | float) or not 0 < cost < math.inf:
            raise SpaceError(
                f"the cost {self.name} must give a number above 0 for every fidelity, got "
                f"{describe(cost)} for {value!r}"
            )
        return float(cost)


Cost: TypeAlias = Sequence[float] | Callable[[Any], float] | CostFunction | str | None


def checked_cost(name: str, given: Any, levels: Sequence[Scalar] | None) -> Cost:
    """A cost as it is kept, or a `SpaceError` that names the fidelity; `levels` if it has any."""
    if given is None or isinstance(given, CostFunction):
        return given
    if isinstance(given, str) and given == DURATION:
        return DURATION
    if callable(given):
        return CostFunction(getattr(given, "__qualname__", type(given).__name__), given)
    if isinstance(given, Mapping) and set(given) == {"function"}:
        return CostFunction(str(given["function"]))
    needed = 2 if levels is None else len(levels)
    what = "costs at low and at high" if levels is None else "a cost for each level"
    listed = isinstance(given, Sequence) and not isinstance(given, str)
    costs: list[Any] = [plain(cost) for cost in given] if listed else []
    if len(costs) != needed or not all(is_plain_number(c) and 0 < c < math.inf for c in costs):
        raise SpaceError(
            f"{name}: cost is a list of {needed} numbers above 0, {what}, a function of the "
            f'fidelity, or "duration" to learn it, got {describe(given)}'
        )
    return tuple(float(cost) for cost in costs)


def is_plain_number(value: object) -> bool:
    """Whether it is a number; True and False are none."""
    return isinstance(plain(value), int | float) and not isinstance(plain(value), bool)


def is_plain_whole(value: object) -> bool:
    """Whether it is a whole number."""
    return isinstance(plain(value), int) and not isinstance(plain(value), bool)
