"""Settings as somebody at a bench can make them: 73.48 °C, not 73.48291029348.

A number is rounded to a ten-thousandth of its range, or to four digits where the range is
logarithmic: far below what a model or a thermostat can tell apart.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from pathmax.scalars import Scalar
from pathmax.space.any_space import AnySpace
from pathmax.space.parameters import Float
from pathmax.space.space import Space

DIGITS = 4


def rounded(domain: AnySpace, params: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """The params with every Float rounded, and still inside its bounds."""
    return {name: _round(domain, name, value) for name, value in params.items()}


def alike(domain: AnySpace, suggested: Mapping[str, Scalar], given: Mapping[str, Scalar]) -> bool:
    """Whether `given` are the suggested params, rounded or not."""
    return all(
        given.get(name) in (value, _round(domain, name, value)) for name, value in suggested.items()
    )


def _round(domain: AnySpace, name: str, value: Scalar) -> Scalar:
    parameter = domain.parameters.get(name) if isinstance(domain, Space) else None
    if not isinstance(parameter, Float) or not isinstance(value, float) or not value:
        return value
    if parameter.cardinality is not None:
        return value
    scale = value if parameter.log else parameter.high - parameter.low
    decimals = DIGITS - 1 - math.floor(math.log10(abs(scale))) + (0 if parameter.log else 1)
    near = round(value, decimals)
    inside = parameter.low <= value <= parameter.high  # or of a time when the range was another
    return min(max(near, parameter.low), parameter.high) if inside else near
