"""The number that a part of a sentence is and its slopes along parameters, for many points.

A tree is turned into functions once, when a space is made; afterwards only arrays are computed. A
slope is exact (differentiation forwards, each operation with its rule), and kept for those
parameters alone that a part mentions. At a kink, of abs, min or max, it is that of one side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np

from pathmax.arrays import Array
from pathmax.space.sentence_tree import Call, Factors, Name, Node, Number, Power, SignedTerms

__all__ = ["Sloped", "sloped"]

Numbers: TypeAlias = Array | float
Slopes: TypeAlias = dict[str, Numbers]  # by parameter
Sloped: TypeAlias = Callable[[Mapping[str, Array]], tuple[Numbers, Slopes]]  # columns (m,) ->


def sloped(node: Node) -> Sloped:
    """A function of columns of numbers that gives the value of a node and its slopes."""
    match node:
        case Number(number):
            return lambda columns: (number, {})
        case Name(name):
            return lambda columns: (columns[name], {name: 1.0})
        case SignedTerms(terms, signs):
            return _sum([sloped(term) for term in terms], signs)
        case Factors(factors, divides):
            return _product([sloped(factor) for factor in factors], divides)
        case Power(base, Number(2.0)):
            return _square(sloped(base))
        case Power(base, exponent):
            return _power(sloped(base), sloped(exponent))
        case Call(function, arguments):
            parts = [sloped(argument) for argument in arguments]
            if function in ("min", "max"):
                return _extreme(parts, function == "min")
            return _called(function, parts[0])
    raise AssertionError(f"{node} is no number: checked when the sentence was read")


def _sum(parts: list[Sloped], signs: tuple[int, ...]) -> Sloped:
    def total(columns: Mapping[str, Array]) -> tuple[Numbers, Slopes]:
        value: Numbers = 0.0
        slopes: Slopes = {}
        for part, sign in zip(parts, signs, strict=True):
            v, along = part(columns)
            value = value + v if sign > 0 else value - v
            for name, slope in along.items():
                signed = slope if sign > 0 else -slope
                slopes[name] = slopes[name] + signed if name in slopes else signed
        return value, slopes

    return total


def _product(parts: list[Sloped], divides: tuple[bool, ...]) -> Sloped:
    def product(columns: Mapping[str, Array]) -> tuple[Numbers, Slopes]:
        value: Numbers = 1.0
        slopes: Slopes = {}
        for part, inverse in zip(parts, divides, strict=True):
            v, along = part(columns)
            if inverse:
                v = np.divide(1.0, v)  # not Python's, which raises where there is nothing
                along = _scaled(along, -v * v)
            slopes = _joined(_scaled(slopes, v), _scaled(along, value))
            value = value * v
        return value, slopes

    return product


def _square(base: Sloped) -> Sloped:
    def square(columns: Mapping[str, Array]) -> tuple[Numbers, Slopes]:
        b, by_base = base(columns)
        return b * b, _scaled(by_base, 2.0 * b)

    return square


def _power(base: Sloped, exponent: Sloped) -> Sloped:
    def power(columns: Mapping[str, Array]) -> tuple[Numbers, Slopes]:
        b, by_base = base(columns)
        e, by_exponent = exponent(columns)
        value: Numbers = np.power(np.asarray(b, dtype=float), e)
        slopes = _scaled(by_base, e * np.power(np.asarray(b, dtype=float), e - 1.0))
        if by_exponent:
            slopes = _joined(slopes, _scaled(by_exponent, value * np.log(b)))
        return value, slopes

    return power


def _called(function: str, part: Sloped) -> Sloped:
    def called(columns: Mapping[str, Array]) -> tuple[Numbers, Slopes]:
        v, along = part(columns)
        match function:
            case "abs":
                return np.abs(v), _scaled(along, np.sign(v))
            case "log":
                return np.log(v), _scaled(along, np.divide(1.0, v))
        value: Numbers = np.exp(v)
        return value, _scaled(along, value)

    return called


def _extreme(parts: list[Sloped], least: bool) -> Sloped:
    def extreme(columns: Mapping[str, Array]) -> tuple[Numbers, Slopes]:
        value, slopes = parts[0](columns)
        for part in parts[1:]:
            v, along = part(columns)
            other = np.less(v, value) if least else np.greater(v, value)
            names = slopes.keys() | along.keys()
            slopes = {n: np.where(other, along.get(n, 0.0), slopes.get(n, 0.0)) for n in names}
            value = np.where(other, v, value)
        return value, slopes

    return extreme


def _scaled(slopes: Slopes, factor: Numbers) -> Slopes:
    """Slopes times a number."""
    return {name: factor * slope for name, slope in slopes.items()}


def _joined(first: Slopes, second: Slopes) -> Slopes:
    """The sum of slopes."""
    return first | {name: first.get(name, 0.0) + slope for name, slope in second.items()}
