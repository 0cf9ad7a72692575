"""What a sentence means, in parts: relations between numbers, choices, and how they are joined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pathmax.scalars import Scalar
from pathmax.space.sentence_tree import Comparator, Node, names_in


@dataclass(frozen=True, slots=True)
class Variable:
    """What a sentence knows of a parameter: a number (None), or one of these choices.

    An empty tuple is a choice whose values are not listed, such as the id of a pool.
    """

    choices: tuple[Scalar, ...] | None = None

    @property
    def is_number(self) -> bool:
        return self.choices is None or (bool(self.choices) and all(map(is_number, self.choices)))

    @property
    def is_truth(self) -> bool:
        return bool(self.choices) and all(isinstance(c, bool) for c in self.choices or ())


@dataclass(frozen=True, slots=True)
class Relation:
    """left comparator right, both numbers."""

    left: Node
    comparator: Comparator
    right: Node


@dataclass(frozen=True, slots=True)
class Among:
    """A choice is one of the values; with `negated`, none of them."""

    name: str
    values: tuple[Scalar, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Same:
    """Two choices are the same; `values` are those that both can be."""

    first: str
    second: str
    values: tuple[Scalar, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Always:
    """Holds, or does not, whatever the parameters are."""

    holds: bool


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every part holds."""

    parts: tuple[Meaning, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Some part holds."""

    parts: tuple[Meaning, ...]


def relation_names(relation: Relation) -> tuple[str, ...]:
    """The parameters that a relation mentions, each once."""
    both = (*names_in(relation.left), *names_in(relation.right))
    return tuple(dict.fromkeys(name.name for name in both))


def meaning_names(meaning: Meaning) -> set[str]:
    """The parameters that a meaning is about."""
    match meaning:
        case Relation():
            return set(relation_names(meaning))
        case Among(name):
            return {name}
        case Same(first, second):
            return {first, second}
        case AllOf(parts) | AnyOf(parts):
            return set[str]().union(*map(meaning_names, parts))
    return set()


Meaning: TypeAlias = Relation | Among | Same | Always | AllOf | AnyOf


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
