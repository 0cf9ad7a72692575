"""Conditions that can never hold, where that can be decided: such a parameter is never active.

A condition that only compares single parameters with constants changes nowhere but at these. So it
is enough to look at the ends of each range, at the constants and between them (of a list at the
numbers beside them), and at every choice, in all combinations. Conditions that compute with
parameters are not decided.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from itertools import pairwise, product

from pathmax.scalars import Scalar
from pathmax.space.conditions import Conditions
from pathmax.space.parameters import Parameter
from pathmax.space.ranges import NumberRange
from pathmax.space.sentence_parts import AllOf, AnyOf, Meaning, Relation
from pathmax.space.sentence_tree import Name, Number

MOST_LOOKED_AT = 512  # combinations; conditions that take more are not decided
MOST_NUMBERS_LISTED = 10_000  # numbers of a range; between those of more there are others


def never_active(
    conditions: Conditions, parameters: Mapping[str, Parameter]
) -> dict[str, str]:  # name -> its sentence
    """The parameters whose conditions never hold, as far as that can be decided."""
    left: set[str] = set()
    for name, sentence in conditions.sentences.items():  # after those that it depends on
        depends = [other for other in sentence.names if other in conditions.sentences]
        simple = all(_compares_with_constant(r) for r in _relations(sentence.meaning))
        if simple and all(other in left for other in depends):
            left.add(name)
    looked = _combinations(conditions, parameters)
    if looked is None:
        return {}
    for params in looked:
        if not left:
            break
        left -= conditions.active(dict.fromkeys(left) | params).keys()
    return {n: conditions.sentences[n].text for n in conditions.sentences if n in left}


def _combinations(
    conditions: Conditions, parameters: Mapping[str, Parameter]
) -> Iterator[dict[str, Scalar]] | None:
    """Values of all that decides, in combinations that stand for all; None if there are many."""
    lists: list[list[Scalar]] = []
    size = 1
    for name in conditions.deciding:
        parameter = parameters[name]
        if isinstance(parameter, NumberRange):
            values = _deciding(parameter, _constants(conditions, name))
        else:
            values = list(parameter.choices)
        lists.append(values)
        size *= len(values)
    if size > MOST_LOOKED_AT:
        return None
    return (dict(zip(conditions.deciding, row, strict=True)) for row in product(*lists))


def _deciding(parameter: NumberRange, constants: set[float]) -> list[Scalar]:
    """Numbers of a range that stand for all of them, where only these constants matter."""
    size = parameter.cardinality
    if size is None or size > MOST_NUMBERS_LISTED:
        return list(_between(float(parameter.low), float(parameter.high), constants))
    levels = parameter.levels
    places = parameter.lattice(size) if levels is None else levels.coordinates
    there = [parameter.decode(u) for u in places]
    beside = {0, size - 1}
    for constant in constants:
        first = bisect_left(there, constant)
        beside |= {first - 1, first, bisect_right(there, constant)}
    return [there[i] for i in sorted(beside) if 0 <= i < size]


def _between(low: float, high: float, constants: set[float]) -> list[float]:
    """The ends of a range, the constants in it, and a number between each two of these."""
    marks = sorted({low, high} | {c for c in constants if low < c < high})
    middles = [0.5 * (a + b) for a, b in pairwise(marks)]
    return sorted({*marks, *middles})


def _constants(conditions: Conditions, name: str) -> set[float]:
    found = set()
    for sentence in conditions.sentences.values():
        for relation in _relations(sentence.meaning):
            sides = (relation.left, relation.right)
            if any(isinstance(side, Name) and side.name == name for side in sides):
                found |= {side.value for side in sides if isinstance(side, Number)}
    return found


def _relations(meaning: Meaning) -> Iterator[Relation]:
    if isinstance(meaning, Relation):
        yield meaning
    elif isinstance(meaning, AllOf | AnyOf):
        for part in meaning.parts:
            yield from _relations(part)


def _compares_with_constant(relation: Relation) -> bool:
    kinds = {type(relation.left), type(relation.right)}
    return kinds == {Name, Number}
