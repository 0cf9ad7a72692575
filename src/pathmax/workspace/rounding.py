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
    near = {name: _round(domain, name, value) for name, value in params.items()}
    known = domain.where
    if known and {*domain.names} <= params.keys() and known.are_obeyed(params):
        for digits in range(DIGITS, 16):  # as many as it takes to obey what is known
            near = {name: _round(domain, name, value, digits) for name, value in params.items()}
            if known.are_obeyed(near):
                return near
        return dict(params)
    return near


def alike(domain: AnySpace, suggested: Mapping[str, Scalar], given: Mapping[str, Scalar]) -> bool:
    """Whether `given` are the suggested params, rounded or not."""
    near = rounded(domain, suggested)
    return all(
        given.get(name) in (value, near[name], _round(domain, name, value))
        for name, value in suggested.items()
    )


def _round(domain: AnySpace, name: str, value: Scalar, digits: int = DIGITS) -> Scalar:
    parameter = domain.parameters.get(name) if isinstance(domain, Space) else None
    if not isinstance(parameter, Float) or not isinstance(value, float) or not value:
        return value
    if parameter.cardinality is not None:
        return value
    scale = value if parameter.log else parameter.high - parameter.low
    decimals = digits - 1 - math.floor(math.log10(abs(scale))) + (0 if parameter.log else 1)
    near = round(value, decimals)
    inside = parameter.low <= value <= parameter.high  # or of a time when the range was another
    return min(max(near, parameter.low), parameter.high) if inside else near
