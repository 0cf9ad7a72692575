"""Optuna's distributions as a space of pathmax, and values on their way between the two.

    FloatDistribution(low, high, log)      Float(low, high, log)
    IntDistribution(low, high, log)        Int(low, high, log)
    either with a step                     Int(0, k), the number of steps from low
    CategoricalDistribution(choices)       Categorical([0, 1, ...]), the position of the choice
    a number whose range moves             Float(0, 1), its place in the range of the trial

Choices go by position because Optuna allows what no space of ours does: True beside 1, NaN, any
object. So the params of the space are numbers throughout, and any storage can hold them.

A range moves when it depends on another parameter, as in `trial.suggest_int("width", 1, depth)`. A
place in it can always be had, where a value in the widest range there was often could not.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from optuna.distributions import (
    BaseDistribution,
    CategoricalDistribution,
    FloatDistribution,
    IntDistribution,
)

from pathmax.errors import SpaceError
from pathmax.scalars import Scalar
from pathmax.space.parameters import Categorical, Float, Int
from pathmax.space.space import Space

__all__ = ["SHARE_OF_RANGE", "SearchSpace", "inward", "outward", "place_of", "value_at"]

SHARE_OF_RANGE = FloatDistribution(0.0, 1.0)  # of a number whose range moves


class SearchSpace:
    """Distributions by name, none of a single value, and the `space` that they make.

    `conditions` are sentences in the terms of the space: where they hold a parameter is asked for.
    `moving` are the numbers whose ranges move: each trial has one, and here is `SHARE_OF_RANGE`.
    """

    def __init__(
        self,
        distributions: Mapping[str, BaseDistribution],
        conditions: Mapping[str, str] | None = None,
        moving: Collection[str] = (),
    ) -> None:
        self.moving = frozenset(moving)
        self.distributions, self.conditions = dict(distributions), dict(conditions or {})
        parameters = {name: _parameter(name, d) for name, d in self.distributions.items()}
        for name, when in self.conditions.items():
            parameters[name] = replace(parameters[name], when=when)
        self.space = Space(parameters)

    def inward(
        self, params: Mapping[str, Any], own: Mapping[str, BaseDistribution]
    ) -> dict[str, Any]:
        """Optuna's values in the terms of the space; names that it does not have are left out.

        `own` are the distributions of their trial. Raises `ValueError` for what is no choice of a
        categorical distribution.
        """
        known = {name: d for name, d in self.distributions.items() if name in params}
        fixed = {name: d for name, d in known.items() if name not in self.moving}
        places = {
            name: place_of(own[name], params[name])
            for name in known
            if name in self.moving and name in own
        }
        return {name: inward(d, params[name]) for name, d in fixed.items()} | places

    def outward(self, params: Mapping[str, Scalar]) -> dict[str, Any]:
        """Params of the space as Optuna's values, but for ranges that move."""
        active = {
            name: d
            for name, d in self.distributions.items()
            if name in params and name not in self.moving
        }
        return {name: outward(d, params[name]) for name, d in active.items()}


def _parameter(name: str, distribution: BaseDistribution) -> Float | Int | Categorical:
    if isinstance(distribution, CategoricalDistribution):
        return Categorical(range(len(distribution.choices)))
    if not isinstance(distribution, FloatDistribution | IntDistribution):
        raise SpaceError(
            f"{name}: expected a float, int or categorical distribution, got {distribution!r}; "
            "use trial.suggest_float, suggest_int or suggest_categorical"
        )
    step = _step(distribution)
    if step is not None:
        return Int(0, round((distribution.high - distribution.low) / step))
    if isinstance(distribution, IntDistribution):
        return Int(distribution.low, distribution.high, distribution.log)
    return Float(distribution.low, distribution.high, distribution.log)


def inward(distribution: Any, value: Any) -> Any:
    """A value of Optuna in the terms of the space."""
    if isinstance(distribution, CategoricalDistribution):
        return int(distribution.to_internal_repr(value))
    step = _step(distribution)
    return value if step is None else round((value - distribution.low) / step)


def outward(distribution: Any, value: Any) -> Any:
    """A value of the space in Optuna's terms."""
    if isinstance(distribution, CategoricalDistribution):
        return distribution.choices[value]
    return value if _step(distribution) is None else _listed(distribution, value)


def place_of(distribution: Any, value: float) -> float:
    """Where a number is in its range, between 0 and 1; listed numbers have a part of it each."""
    count = _count(distribution)
    if count is not None:
        number: int = round((value - distribution.low) / distribution.step)
        return (number + 0.5) / count
    low, high, x = float(distribution.low), float(distribution.high), float(value)
    if distribution.log:
        low, high, x = math.log(low), math.log(high), math.log(x)
    return 0.5 if low == high else min(max((x - low) / (high - low), 0.0), 1.0)


def value_at(distribution: Any, place: float) -> float | int:
    """The number at a place of its range."""
    count = _count(distribution)
    if count is not None:
        return _listed(distribution, min(int(place * count), count - 1))
    low, high = float(distribution.low), float(distribution.high)
    if distribution.log:
        x = math.exp(math.log(low) + place * (math.log(high) - math.log(low)))
    else:
        x = low + place * (high - low)
    x = min(max(x, low), high)
    return round(x) if isinstance(distribution, IntDistribution) else x


def _listed(distribution: Any, number: int) -> float | int:
    """The number that is so many steps from the lowest."""
    listed = min(distribution.low + number * distribution.step, distribution.high)
    return int(listed) if isinstance(distribution, IntDistribution) else float(listed)


def _count(distribution: FloatDistribution | IntDistribution) -> int | None:
    """How many numbers a range has; None where it is searched as a real one."""
    if distribution.step is None or distribution.log:
        return None
    return round((distribution.high - distribution.low) / distribution.step) + 1


def _step(distribution: FloatDistribution | IntDistribution) -> float | None:
    """The step between neighbours; None where there is none, or it is that of whole numbers."""
    whole = isinstance(distribution, IntDistribution) and distribution.step == 1
    return None if whole else distribution.step
