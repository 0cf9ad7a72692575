"""Sentence: a known constraint over parameters, in words, such as "catalyst + ligand <= 10".

A sentence is read once and evaluated for one dict of params or for columns of many. Where a part of
it is undefined (a division by zero, the logarithm of a negative number, an overflow) a comparison
with that part is neither true nor false: `x == 0 or 1/x > 2` holds at 0, since one part does, while
`1/x > 2` and `not (1/x > 2)` do not. A sentence that comes out undefined is not satisfied.

Numbers that differ by rounding alone are equal: <=, >= and == allow for 1e-9 of the largest term,
and < and > are the opposites of >= and <=.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, final

import numpy as np

from pathmax.arrays import Array, Mask
from pathmax.scalars import Scalar
from pathmax.space.sentence_meaning import meaning_of
from pathmax.space.sentence_parser import parse
from pathmax.space.sentence_parts import AllOf, Among, AnyOf, Meaning, Relation, Same, Variable
from pathmax.space.sentence_tokens import complain, normal
from pathmax.space.sentence_tree import (
    Call,
    Factors,
    Name,
    Node,
    Number,
    Power,
    SignedTerms,
    names_in,
)

__all__ = ["Columns", "OneRow", "Partly", "Sentence", "truth"]

SENTENCE_ROUNDING = 1e-9  # of the largest term


class Columns(Protocol):
    """Many params, a column each."""

    def __len__(self) -> int: ...
    def numbers(self, name: str) -> Array:  # -> (m,)
        """The values of a number."""

    def among(self, name: str, values: tuple[Scalar, ...]) -> Mask:  # -> (m,)
        """Where a choice is one of the values."""


@final
@dataclass(frozen=True)
class OneRow:
    """One dict of params as columns of one row."""

    params: Mapping[str, Scalar]

    def __len__(self) -> int:
        return 1

    def numbers(self, name: str) -> Array:
        return np.array([self.params.get(name, np.nan)], dtype=float)

    def there(self, name: str) -> Mask:
        """Whether the row has the parameter, which may be absent by its condition."""
        return np.array([name in self.params])

    def among(self, name: str, values: tuple[Scalar, ...]) -> Mask:
        if name not in self.params:
            return np.zeros(1, dtype=bool)
        given = self.params[name]
        kind = isinstance(given, bool)
        return np.array([any(kind == isinstance(v, bool) and given == v for v in values)])


@final
@dataclass(frozen=True, eq=False)
class Partly:
    """Columns of params, some of which are absent in some rows: what conditions are read on."""

    columns: Columns
    present: dict[str, Mask]

    def __len__(self) -> int:
        return len(self.columns)

    def numbers(self, name: str) -> Array:  # -> (m,)
        there = self.there(name)
        if not there.any():
            return np.full(len(self), np.nan)
        return np.where(there, self.columns.numbers(name), np.nan)

    def among(self, name: str, values: tuple[Scalar, ...]) -> Mask:  # -> (m,)
        there = self.there(name)
        return self.columns.among(name, values) & there if there.any() else there

    def there(self, name: str) -> Mask:  # -> (m,)
        """Where a parameter is active."""
        return self.present.get(name, np.ones(len(self), dtype=bool))


@final
@dataclass(frozen=True, eq=False)
class Sentence:
    """A known constraint, read against the parameters that it speaks of.

    >>> sentence = Sentence.read("a + b <= 10", {"a": Variable(), "b": Variable()})
    >>> sentence.holds({"a": 3, "b": 7}), sentence.holds({"a": 4, "b": 7})
    (True, False)
    """

    text: str
    tree: Node
    meaning: Meaning
    names: tuple[str, ...]  # the parameters that it mentions, each once

    @classmethod
    def read(cls, text: str, variables: Mapping[str, Variable]) -> Sentence:
        """The sentence that a text is, or a `SpaceError` that points at what is wrong."""
        tree = parse(text)
        if next(names_in(tree), None) is None:
            known = [name for name in variables if f"'{name}'" in text]
            advice = (
                f"; '{known[0]}' is text, for the parameter write `{known[0]}`" if known else ""
            )
            complain(text, 0, f"the sentence mentions no parameter, so it says nothing{advice}")
        meaning = meaning_of(tree, text, variables)
        spelling = {normal(name): name for name in variables}
        names = dict.fromkeys(spelling[name.name] for name in names_in(tree))
        return cls(text.strip(), tree, meaning, tuple(names))

    def holds(self, params: Mapping[str, Scalar]) -> bool:
        """Whether params satisfy it."""
        return bool(self.mask(OneRow(params))[0])

    def mask(self, columns: Columns) -> Mask:  # -> (m,)
        """Which rows satisfy it."""
        return truth(self.meaning, columns)[0]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sentence) and self.tree == other.tree

    def __hash__(self) -> int:
        return hash(self.tree)

    def __str__(self) -> str:
        return self.text


def truth(meaning: Meaning, columns: Columns) -> tuple[Mask, Mask]:  # -> (m,), (m,)
    """Where it is true and where it is false; where it is neither, a part of it is undefined."""
    match meaning:
        case Relation():
            with np.errstate(all="ignore"):
                return relation(meaning, columns)
        case Among(name, values, negated):
            inside, there = columns.among(name, values), present(columns, name)
            yes, no = inside & there, ~inside & there
            return (no, yes) if negated else (yes, no)
        case Same(first, second, values, negated):
            equal = np.zeros(len(columns), dtype=bool)
            for value in values:
                equal |= columns.among(first, (value,)) & columns.among(second, (value,))
            there = present(columns, first) & present(columns, second)
            yes, no = equal & there, ~equal & there
            return (no, yes) if negated else (yes, no)
        case AllOf(parts) | AnyOf(parts):
            truths = [truth(part, columns) for part in parts]
            true, false = [t for t, _ in truths], [f for _, f in truths]
            if isinstance(meaning, AllOf):
                return np.logical_and.reduce(true), np.logical_or.reduce(false)
            return np.logical_or.reduce(true), np.logical_and.reduce(false)
    whole = np.full(len(columns), meaning.holds)
    return whole, ~whole


def present(columns: Columns, name: str) -> Mask:  # -> (m,)
    """Where a parameter is there at all."""
    if isinstance(columns, Partly | OneRow):
        return columns.there(name)
    return np.ones(len(columns), dtype=bool)


def relation(part: Relation, columns: Columns) -> tuple[Mask, Mask]:
    left, left_size = value_and_size(part.left, columns)
    right, right_size = value_and_size(part.right, columns)
    slack = SENTENCE_ROUNDING * np.maximum(left_size, right_size)
    match part.comparator:
        case "<=":
            true = left <= right + slack
        case ">=":
            true = left >= right - slack
        case "<":
            true = left < right - slack
        case ">":
            true = left > right + slack
        case "==":
            true = np.abs(left - right) <= slack
        case "!=":
            true = np.abs(left - right) > slack
    defined = np.isfinite(left) & np.isfinite(right) & np.isfinite(slack)
    shape = (len(columns),)
    true, defined = np.broadcast_to(true, shape), np.broadcast_to(defined, shape)
    return true & defined, ~true & defined


def value_and_size(node: Node, columns: Columns) -> tuple[Array, Array]:
    """The value of a number, and the size of what was added up to it: rounding is relative to it.

    Constants come as arrays without a dimension.
    """
    match node:
        case Number(number):
            value = np.asarray(number)
            return value, np.abs(value)
        case Name(name):
            value = columns.numbers(name)
            return value, np.abs(value)
        case SignedTerms(terms, signs):
            parts = [value_and_size(term, columns) for term in terms]
            total = sum(sign * value for sign, (value, _) in zip(signs, parts, strict=True))
            return np.asarray(total), np.asarray(sum(size for _, size in parts))
        case Factors(factors, divides):
            value, size = np.asarray(1.0), np.asarray(1.0)
            for factor, inverse in zip(factors, divides, strict=True):
                v, s = value_and_size(factor, columns)
                value = value / v if inverse else value * v
                size = size / np.abs(v) if inverse else size * s
            return value, size
        case Power(base, exponent):
            value = np.power(value_and_size(base, columns)[0], value_and_size(exponent, columns)[0])
            return value, np.abs(value)
        case Call(function, arguments):
            values = [value_and_size(argument, columns) for argument in arguments]
            return called(function, values)
    raise AssertionError(f"{node} is no number: checked when the sentence was read")


def called(function: str, arguments: list[tuple[Array, Array]]) -> tuple[Array, Array]:
    value, size = arguments[0]
    match function:
        case "abs":
            return np.abs(value), size
        case "log":
            return np.log(value), np.abs(np.log(value))
        case "exp":
            return np.exp(value), np.exp(value)
    choose = np.minimum if function == "min" else np.maximum
    for other, other_size in arguments[1:]:
        value, size = choose(value, other), np.maximum(size, other_size)
    return value, size
