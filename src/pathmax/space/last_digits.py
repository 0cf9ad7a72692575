"""Params that keep sentences to the last digit, and not by a billionth only.

Numbers that differ by rounding are equal to a sentence (`sentences`), and a search that ends at a
bound may come out beyond it by some last digits. Whoever receives a + b = 10.000000000005 compares
it with 10 by other means. So what is beyond a bound by rounding alone is brought within it: one
of the numbers that may be any of a range moves by as much, one that has not moved before.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from pathmax.scalars import Scalar
from pathmax.space.linear_forms import unfold
from pathmax.space.parameters import Float
from pathmax.space.sentence_parts import AllOf, AnyOf, Meaning, Relation, relation_names
from pathmax.space.sentence_slopes import Sloped, sloped
from pathmax.space.sentence_tree import Call, Factors, Name, Node, Number, Power, SignedTerms
from pathmax.space.sentences import OneRow, Sentence, truth

__all__ = ["Bound", "bounds_in", "keep_to_the_last_digit"]

CROSSINGS = 12  # bounds that cross are gone through in turns; each round goes further inside
COMPUTED_BY: dict[str, Callable[..., float]] = {
    "abs": abs, "log": math.log, "exp": math.exp, "min": min, "max": max
}  # fmt: skip
LAST_DIGITS = 8  # steps of 1, 2, 4, ... last digits until a bound is kept


@final
@dataclass(frozen=True, eq=False)
class Bound:
    """A comparison in a sentence that rounding may break."""

    relation: Relation
    names: tuple[str, ...]
    difference: Sloped

    def above(self, params: Mapping[str, Any]) -> float:
        """By how much its left side is above its right one."""
        return number_at(self.relation.left, params) - number_at(self.relation.right, params)

    def short(self, params: Mapping[str, Any]) -> float:
        """By how much it is missed; at most 0 where it is kept."""
        above, equal = self.above(params), self.relation.comparator == "=="
        return abs(above) if equal else -above if self.relation.comparator == ">=" else above

    def slopes(self, params: Mapping[str, Any]) -> dict[str, float]:
        """The slopes of `above` along each number."""
        row = OneRow(params)
        with np.errstate(all="ignore"):
            found = self.difference({name: row.numbers(name) for name in self.names})[1]
        return {name: float(np.asarray(slope).item()) for name, slope in found.items()}

    def is_rounded(self, params: Mapping[str, Scalar]) -> bool:
        """Whether it holds but for rounding."""
        return bool(truth(self.relation, OneRow(params))[0][0])

    def bring_inside(
        self, params: dict[str, Any], movable: Mapping[str, Float], moved: set[str], digits: int
    ) -> bool:
        """Move the number that can best keep it, by so many digits more than needed.

        What crosses this bound may have moved one already: it had better be another.
        """
        if not all(name in params for name in self.names):
            return False  # about a parameter that is not active
        if not self.short(params) > 0.0 or not self.is_rounded(params):
            return False
        above, slopes = self.above(params), self.slopes(params)
        reach = {name: abs(slopes.get(name, 0.0)) * (p.high - p.low) for name, p in movable.items()}
        for name in sorted(reach, key=lambda name: (name in moved, -reach[name])):
            if not 0.0 < reach[name] < math.inf:
                continue
            before, parameter = params[name], movable[name]
            for value in _inwards(before, above / slopes[name], digits):
                params[name] = value
                if parameter.low <= value <= parameter.high and self.short(params) <= 0.0:
                    moved.add(name)
                    return True
            params[name] = before
        return False


def number_at(node: Node, params: Mapping[str, Any]) -> float:
    """The number that a part of a sentence is, as Python computes it; NaN where it is undefined."""
    try:
        return _number(node, params)
    except (ArithmeticError, ValueError):
        return math.nan


def _number(node: Node, params: Mapping[str, Any]) -> float:
    match node:
        case Number(number):
            return float(number)
        case Name(name):
            return float(params[name])
        case SignedTerms(terms, signs):
            total = 0.0
            for term, sign in zip(terms, signs, strict=True):  # not sum(), which rounds otherwise
                total += sign * _number(term, params)
            return total
        case Factors(factors, divides):
            product = 1.0
            for factor, inverse in zip(factors, divides, strict=True):
                value = _number(factor, params)
                product = product / value if inverse else product * value
            return product
        case Power(base, exponent):
            power: Any = _number(base, params) ** _number(exponent, params)
            return math.nan if isinstance(power, complex) else float(power)
        case Call(function, arguments):
            return float(COMPUTED_BY[function](*(_number(one, params) for one in arguments)))
    raise AssertionError(f"{node} is no number: checked when the sentence was read")


def _inwards(value: float, excess: float, digits: int) -> Iterator[float]:
    """The value less the excess, then further by one, two, four ... last digits, then less far."""
    end = value - excess
    yield end
    for side in (1, -1):  # an equation has two
        for power in range(LAST_DIGITS):
            yield end - side * math.copysign(digits * 2**power * math.ulp(end), excess)


def bounds_in(sentences: Iterable[Sentence]) -> list[Bound]:
    """The comparisons in sentences that rounding may break; < and > keep away from their end."""
    found = (relation for sentence in sentences for relation in _relations(sentence.meaning))
    return [
        Bound(one, relation_names(one), sloped(SignedTerms((one.left, one.right), (1, -1))))
        for one in found
        if one.comparator in ("<=", ">=", "==")
    ]


def _relations(meaning: Meaning) -> Iterator[Relation]:
    if isinstance(meaning, AllOf | AnyOf):
        for part in meaning.parts:
            yield from _relations(part)
    elif isinstance(meaning, Relation):
        simpler = unfold(meaning)
        yield from [meaning] if simpler is None else _relations(simpler)


def keep_to_the_last_digit(
    params: dict[str, Scalar], bounds: Iterable[Bound], movable: Mapping[str, Float]
) -> dict[str, Scalar]:
    """The params, within all bounds that they were beyond by rounding; else as they were."""
    kept = dict(params)
    there = {name: p for name, p in movable.items() if name in params}
    moved: set[str] = set()
    for round_ in range(CROSSINGS):
        changes = [bound.bring_inside(kept, there, moved, 2**round_) for bound in bounds]
        if not any(changes):
            return kept
    return params
