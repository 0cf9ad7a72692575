"""Settings as somebody at a bench can make them: 73.48 °C, not 73.48291029348.

A number is rounded to a ten-thousandth of its range, or to four digits where the range is
logarithmic: far below what a model or a thermostat can tell apart.
"""

from __future__ import annotations

from collections.abc import Mapping

from pathmax.scalars import Scalar
from pathmax.space.any_space import AnySpace

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


def agree(domain: AnySpace, suggested: Mapping[str, Scalar], given: Mapping[str, Scalar]) -> bool:
    """Whether `given` are the suggested params, rounded or not."""
    near = rounded(domain, suggested)
    return all(
        given.get(name) in (value, near[name], _round(domain, name, value))
        for name, value in suggested.items()
    )


def _round(domain: AnySpace, name: str, value: Scalar, digits: int = DIGITS) -> Scalar:
    numbers = domain.range_of(name)
    if numbers is None or not isinstance(value, float):
        return value
    return numbers.rounded(value, digits)
