"""What a known constraint says where a parameter that it mentions is absent: nothing.

    momentum = Float(0, 0.99, when="optimizer == 'sgd'")
    where    = ["momentum * rate <= 0.1"]          holds wherever the optimizer is not sgd

Each comparison of the sentence is put as "it holds, or a parameter in it is absent", and absent is
put as what the conditions say of others. Then the sentence can be asked of points in which every
coordinate has a value, as a search goes through them, whatever the absent ones are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pathmax.space.conditions import Conditions
from pathmax.space.known_constraints import Known
from pathmax.space.sentence_parts import (
    AllOf,
    Always,
    Among,
    AnyOf,
    Meaning,
    Relation,
    Same,
    relation_names,
)
from pathmax.space.sentence_tree import FLIPPED
from pathmax.space.sentences import Sentence

__all__ = ["where_present"]


def where_present(known: Known, conditions: Conditions) -> Known:
    """The same known constraints, each comparison only where what it mentions is there."""
    sentences = tuple(
        replace(sentence, meaning=excused(sentence.meaning, conditions.sentences))
        for sentence in known.sentences
    )
    return replace(known, sentences=sentences)


def excused(meaning: Meaning, conditions: Mapping[str, Sentence]) -> Meaning:
    """It holds, a comparison that mentions an absent parameter counting as one that does."""
    match meaning:
        case AllOf(parts):
            return AllOf(tuple(excused(part, conditions) for part in parts))
        case AnyOf(parts):
            return AnyOf(tuple(excused(part, conditions) for part in parts))
    return either(meaning, mentioned(meaning), conditions)


def fails(meaning: Meaning, conditions: Mapping[str, Sentence]) -> Meaning:
    """It does not hold: it is false, or about an absent parameter."""
    match meaning:
        case AllOf(parts):
            return AnyOf(tuple(fails(part, conditions) for part in parts))
        case AnyOf(parts):
            return AllOf(tuple(fails(part, conditions) for part in parts))
        case Always(holds):
            return Always(not holds)
        case Relation(left, comparator, right):
            opposite: Meaning = Relation(left, FLIPPED[comparator], right)
        case Among() | Same():
            opposite = replace(meaning, negated=not meaning.negated)
    return either(opposite, mentioned(meaning), conditions)


def either(meaning: Meaning, names: tuple[str, ...], conditions: Mapping[str, Sentence]) -> Meaning:
    """It holds, or one of these parameters is absent."""
    absent = [fails(conditions[n].meaning, conditions) for n in names if n in conditions]
    return AnyOf((meaning, *absent)) if absent else meaning


def mentioned(meaning: Meaning) -> tuple[str, ...]:
    """The parameters in one comparison."""
    match meaning:
        case Relation():
            return relation_names(meaning)
        case Among(name):
            return (name,)
        case Same(first, second):
            return (first, second)
    return ()
