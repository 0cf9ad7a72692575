"""Optuna's distributions as a space of pathmax, and values on their way between the two.

    FloatDistribution(low, high, log)      Float(low, high, log)
    IntDistribution(low, high, log)        Int(low, high, log)
    either with a step                     Int(0, k), the number of steps from low
    CategoricalDistribution(choices)       Categorical([0, 1, ...]), the position of the choice

Choices go by position because Optuna allows what no space of ours does: True beside 1, NaN, any
object. So the params of the space are numbers throughout, and any storage can hold them.
"""

from __future__ import annotations

from collections.abc import Mapping
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

__all__ = ["SearchSpace", "inward", "outward"]


class SearchSpace:
    """Distributions by name, none of a single value, and the `space` that they make.

    `conditions` are sentences in the terms of the space: where they hold a parameter is asked for.
    """

    def __init__(
        self,
        distributions: Mapping[str, BaseDistribution],
        conditions: Mapping[str, str] | None = None,
    ) -> None:
        self.distributions, self.conditions = dict(distributions), dict(conditions or {})
        parameters = {name: _parameter(name, d) for name, d in self.distributions.items()}
        for name, when in self.conditions.items():
            parameters[name] = replace(parameters[name], when=when)
        self.space = Space(parameters)

    def inward(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Optuna's values in the terms of the space; names that it does not have are left out.

        Raises `ValueError` for what is no choice of a categorical distribution.
        """
        known = {name: d for name, d in self.distributions.items() if name in params}
        return {name: inward(d, params[name]) for name, d in known.items()}

    def outward(self, params: Mapping[str, Scalar]) -> dict[str, Any]:
        """Params of the space as the values that Optuna's distributions hold."""
        active = {name: d for name, d in self.distributions.items() if name in params}
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
    step = _step(distribution)
    return value if step is None else min(distribution.low + value * step, distribution.high)


def _step(distribution: FloatDistribution | IntDistribution) -> float | None:
    """The step between neighbours; None where there is none, or it is that of whole numbers."""
    whole = isinstance(distribution, IntDistribution) and distribution.step == 1
    return None if whole else distribution.step
