"""Which comparisons are linear, and which are several that are.

2 * a + b / 4 - 3     {"a": 2, "b": 0.25}, -3
abs(a - b) <= 3       a - b <= 3 and b - a <= 3
max(a, b) > 5         a > 5 or b > 5
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import final

from pathmax.space.sentence_parts import AllOf, AnyOf, Meaning, Relation
from pathmax.space.sentence_tree import (
    Call,
    Comparator,
    Factors,
    Name,
    Node,
    Number,
    Power,
    SignedTerms,
)

__all__ = ["LinearForm", "largest_size", "linear_form", "unfold"]

TURNED: dict[str, Comparator] = {
    "<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="
}  # fmt: skip


@final
@dataclass(frozen=True)
class LinearForm:
    """A weighted sum of parameters and a constant."""

    weights: Mapping[str, float]
    constant: float

    def times(self, factor: float) -> LinearForm:
        weights = {name: factor * weight for name, weight in self.weights.items()}
        return LinearForm(weights, factor * self.constant)

    def plus(self, other: LinearForm) -> LinearForm:
        weights = dict(self.weights)
        for name, weight in other.weights.items():
            weights[name] = weights.get(name, 0.0) + weight
        return LinearForm(weights, self.constant + other.constant)

    @property
    def is_finite(self) -> bool:
        return math.isfinite(self.constant) and all(map(math.isfinite, self.weights.values()))


def linear_form(node: Node) -> LinearForm | None:
    """The number that a node is as a linear form, or None when it is not one."""
    form = _form(node)
    return form if form is not None and form.is_finite else None


def _form(node: Node) -> LinearForm | None:
    match node:
        case Number(value):
            return LinearForm({}, float(value))
        case Name(name):
            return LinearForm({name: 1.0}, 0.0)
        case SignedTerms(terms, signs):
            total = LinearForm({}, 0.0)
            for term, sign in zip(terms, signs, strict=True):
                form = _form(term)
                if form is None:
                    return None
                total = total.plus(form.times(sign))
            return total
        case Factors(factors, divides):
            return _product(factors, divides)
        case Power(base, exponent):
            return _power(_form(base), _form(exponent))
        case Call(function, arguments):
            return _call(function, [_form(argument) for argument in arguments])
    return None


def _power(base: LinearForm | None, power: LinearForm | None) -> LinearForm | None:
    if base is None or power is None or power.weights:
        return None
    if power.constant == 1.0:
        return base
    return None if base.weights else _constant(lambda: base.constant**power.constant)


def _call(function: str, forms: list[LinearForm | None]) -> LinearForm | None:
    values = [form.constant for form in forms if form is not None and not form.weights]
    if len(values) < len(forms):
        return None
    calls: dict[str, Callable[..., float]] = {
        "abs": abs, "log": math.log, "exp": math.exp, "min": min, "max": max
    }  # fmt: skip
    return _constant(lambda: calls[function](*values))


def _product(factors: tuple[Node, ...], divides: tuple[bool, ...]) -> LinearForm | None:
    total = LinearForm({}, 1.0)
    for factor, inverse in zip(factors, divides, strict=True):
        form = _form(factor)
        if form is None:
            return None
        if form.weights and (inverse or total.weights):
            return None
        if form.weights:
            total = form.times(total.constant)
        elif inverse:
            if form.constant == 0.0:
                return None
            total = total.times(1.0 / form.constant)
        else:
            total = total.times(form.constant)
    return total


def _constant(compute: Callable[[], float | complex]) -> LinearForm | None:
    try:
        value = compute()
    except (ArithmeticError, ValueError):
        return None
    return LinearForm({}, float(value)) if isinstance(value, int | float) else None


def largest_size(form: LinearForm, largest: Callable[[str], float]) -> float:
    """The largest that the terms of a form can add up to: rounding is relative to it."""
    return abs(form.constant) + sum(abs(w) * largest(name) for name, w in form.weights.items())


def unfold(relation: Relation) -> Meaning | None:
    """The comparisons that one with abs, min or max on a side of its own stands for, if any."""
    left, comparator, right = relation.left, relation.comparator, relation.right
    if not isinstance(left, Call) or left.function not in ("abs", "min", "max"):
        if not isinstance(right, Call) or right.function not in ("abs", "min", "max"):
            return None
        left, comparator, right = right, TURNED[comparator], left
    if comparator in ("==", "!="):
        return None
    arguments = left.arguments
    if left.function == "abs":
        arguments = (arguments[0], SignedTerms((arguments[0],), (-1,)))
    parts = tuple(Relation(argument, comparator, right) for argument in arguments)
    upper = comparator in ("<", "<=")
    return AllOf(parts) if upper == (left.function != "min") else AnyOf(parts)
