"""Known constraints as a search needs them: in coordinates u, and as simple as they are.

    row       low <= a'u <= high        a linear sentence over numbers that are linear in u
    curve     low <= h(u) <= high       any other comparison of numbers
    values    u_j is one of some values what a sentence says of a choice

A sentence is a list of clauses, all of which hold; in a clause one part, at least, holds. What
cannot be put so (a function of params, a sentence of very many clauses) is left to `holds`, which
speaks of params as the user receives them and has the last word in any case.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import TypeAlias

import numpy as np

from pathmax.arrays import Array, Mask
from pathmax.space.constraint_parts import AllowedValues, Curve, Limits, Row
from pathmax.space.coordinates import Coordinates
from pathmax.space.linear_forms import largest_size, linear_form, unfold
from pathmax.space.sentence_parts import (
    AllOf,
    Among,
    AnyOf,
    Meaning,
    Relation,
    Same,
    relation_names,
)
from pathmax.space.sentence_slopes import sloped
from pathmax.space.sentence_tree import Number, SignedTerms
from pathmax.space.sentences import SENTENCE_ROUNDING, Sentence, value_and_size

MOST_CLAUSES = 64  # of one sentence; beyond it only `holds` knows it


Part: TypeAlias = Row | Curve | AllowedValues | None  # None: something that only `holds` knows
Clause: TypeAlias = tuple[Part, ...]


def limits_of(
    sentences: Sequence[Sentence],
    coordinates: Coordinates,
    holds: Callable[[Array], Mask],
    *,
    opaque: bool = False,
    words: Sequence[str] = (),
    more: Sequence[tuple[Clause, int]] = (),
    sparse: Sequence[tuple[tuple[int, ...], int]] = (),
) -> Limits:
    """The sentences in coordinates; `more` are clauses of other origin, with their `words`."""
    clauses, owners = [], []
    for number, sentence in enumerate(sentences):
        for clause in clauses_of(sentence.meaning, coordinates):
            clauses.append(clause)
            owners.append(number)
    for clause, number in more:
        clauses.append(clause)
        owners.append(len(sentences) + number)
    texts = (*(sentence.text for sentence in sentences), *words)
    parts = [part for clause in clauses for part in clause]
    rows = tuple(part for part in parts if isinstance(part, Row))
    curves = tuple(part for part in parts if isinstance(part, Curve))
    members = tuple(part for part in parts if isinstance(part, AllowedValues))
    places = {id(part): i for i, part in enumerate((*rows, *curves, *members))}
    numbered = tuple(
        tuple(None if part is None else places[id(part)] for part in clause) for clause in clauses
    )
    unsaid = opaque or None in parts
    return Limits(
        rows, curves, members, numbered, tuple(owners), texts, unsaid, tuple(sparse), holds
    )


def clauses_of(meaning: Meaning, at: Coordinates) -> list[Clause]:
    """A meaning as clauses: none when it always holds, an empty one when it never does."""
    match meaning:
        case Relation():
            return relation_clauses(meaning, at)
        case Among(name, values, negated):
            return [(member(name, values, negated, at),)]
        case Same(first, second, values, negated):
            return same_clauses(first, second, values, negated, at)
        case AllOf(parts):
            return [clause for part in parts for clause in clauses_of(part, at)]
        case AnyOf(parts):
            return any_of([clauses_of(part, at) for part in parts])
    return [] if meaning.holds else [()]


def any_of(options: Sequence[list[Clause]]) -> list[Clause]:
    """One of several lists of clauses holds: a clause for each way to pick one of every list."""
    if any(not clauses for clauses in options):
        return []  # an option always holds
    count = 1
    for clauses in options:
        count *= len(clauses)
        if count > MOST_CLAUSES:
            return [(None,)]
    return [tuple(part for clause in picked for part in clause) for picked in product(*options)]


def member(name: str, values: Sequence[object], negated: bool, at: Coordinates) -> AllowedValues:
    column, choices = at.column(name), at.choices(name)
    inside = [
        any(isinstance(c, bool) == isinstance(v, bool) and c == v for v in values) != negated
        for c in choices
    ]
    return AllowedValues(column, np.array(inside, dtype=bool))


def same_clauses(
    first: str, second: str, values: Sequence[object], negated: bool, at: Coordinates
) -> list[Clause]:
    if not (at.has(first) and at.has(second)):
        return [(None,)]  # one of them is fixed
    if negated:
        return [(member(first, (v,), True, at), member(second, (v,), True, at)) for v in values]
    found: list[Clause] = [(member(first, values, False, at),)]
    found += [(member(first, (v,), True, at), member(second, (v,), False, at)) for v in values]
    return found


def relation_clauses(relation: Relation, at: Coordinates) -> list[Clause]:
    simpler = unfold(relation)
    if simpler is not None:
        return clauses_of(simpler, at)
    gap = SignedTerms((relation.left, relation.right), (1, -1))
    if relation.comparator == "!=":
        below, above = Relation(gap, "<", Number(0.0)), Relation(gap, ">", Number(0.0))
        return any_of([relation_clauses(below, at), relation_clauses(above, at)])
    form = linear_form(gap)
    affine = None if form is None else at.affine(form.weights)
    if form is None or affine is None:
        return [(curve_of(relation, gap, at),)]
    a, constant = affine
    offset = constant + form.constant
    size = max(largest_size(form, at.largest), 1e-300)  # above 0, so that 3 < 3 is not true
    length = norm_of(a)
    if length <= 1e-14 * size:
        low, high = bounds(relation.comparator, 0.0, 2.0 * SENTENCE_ROUNDING * size)
        slack = SENTENCE_ROUNDING * size
        return [] if low - slack <= offset <= high + slack else [()]
    low, high = bounds(relation.comparator, -offset, 2.0 * SENTENCE_ROUNDING * size)
    return [(Row(a / length, low / length, high / length),)]


def norm_of(a: Array) -> float:  # (d,) ->
    """The length of a; of numbers so large or small that their squares are not numbers, too."""
    with np.errstate(over="ignore"):
        length = float(np.linalg.norm(a))
    largest = float(np.max(np.abs(a), initial=0.0))
    if 1e-150 < length < 1e150 or not largest:
        return length
    return largest * float(np.linalg.norm(a / largest))


def bounds(comparator: str, value: float, strict: float) -> tuple[float, float]:
    """What a number is between; `strict` keeps < and > away from the value."""
    match comparator:
        case "<=":
            return -np.inf, value
        case "<":
            return -np.inf, value - strict
        case ">=":
            return value, np.inf
        case ">":
            return value + strict, np.inf
    return value, value


def curve_of(relation: Relation, gap: SignedTerms, at: Coordinates) -> Curve:
    """left - right, in units of how large that usually is."""
    low, high = bounds(relation.comparator, 0.0, 0.0)
    names = relation_names(relation)
    parameters = [(name, at.column(name), at.parameters[name]) for name in names]
    value_and_slopes = sloped(gap)
    strict = {"<": 2.0 * SENTENCE_ROUNDING, ">": -2.0 * SENTENCE_ROUNDING}.get(
        relation.comparator, 0.0
    )
    unit = 1.0

    def slopes(U: Array, along: Array) -> Array:  # (m, d), (m, d) -> (m,)
        table = at.smooth(U, names)
        columns = {name: table.numbers(name) for name in names}
        with np.errstate(all="ignore"):
            value, by_name = value_and_slopes(columns)
            for name, column, parameter in parameters:
                if name in by_name:
                    steepness = parameter.steepness(columns[name]) / unit
                    np.multiply(by_name[name], steepness, out=along[:, column])
            if strict:
                sizes = [value_and_size(side, table)[1] for side in (relation.left, relation.right)]
                value = value + strict * np.maximum(*sizes)
            return np.asarray(value / unit)

    def h(U: Array) -> Array:  # (m, d) -> (m,)
        return np.broadcast_to(slopes(U, np.zeros_like(U)), (len(U),))

    tops = np.array([1.0 if axis.values is None else axis.values[-1] for axis in at.axes])
    sizes = np.abs(h(tops * np.random.default_rng(0).random((64, len(tops)))))
    usual = float(np.median(sizes[np.isfinite(sizes)])) if np.isfinite(sizes).any() else 1.0
    unit = usual if usual > 0.0 else 1.0
    return Curve(h, slopes, low, high)
