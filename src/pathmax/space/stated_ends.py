"""Where sentences about one parameter alone end: "temperature <= 100" ends at 100.

Numbers that differ by rounding are equal to a sentence (`sentences`), and a search that ends at a
bound may come out beyond it by some last digits. Whoever receives 100.000000000005 compares it
with 100 by other means: such a number is handed out as 100.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import final

from pathmax.space.linear_forms import TURNED, linear_form, unfold
from pathmax.space.sentence_parts import AllOf, AnyOf, Meaning, Relation
from pathmax.space.sentence_tree import SignedTerms
from pathmax.space.sentences import SENTENCE_ROUNDING, Sentence

__all__ = ["StatedEnd", "stated_ends"]


@final
@dataclass(frozen=True)
class StatedEnd:
    """A number beyond which a parameter breaks a sentence: above it, below it or both."""

    at: float
    above: bool
    below: bool

    def kept(self, value: float) -> float:
        """The value, or the end where it is beyond it by rounding alone."""
        beyond = (self.above and value > self.at) or (self.below and value < self.at)
        size = max(abs(value), abs(self.at))
        return self.at if beyond and abs(value - self.at) <= SENTENCE_ROUNDING * size else value


def stated_ends(sentences: Iterable[Sentence]) -> dict[str, list[StatedEnd]]:
    """The ends that sentences state, by parameter. < and > have none: they keep away from it."""
    found: dict[str, list[StatedEnd]] = {}
    for sentence in sentences:
        for name, end in _ends(sentence.meaning):
            found.setdefault(name, []).append(end)
    return found


def _ends(meaning: Meaning) -> Iterator[tuple[str, StatedEnd]]:
    if isinstance(meaning, AllOf | AnyOf):
        for part in meaning.parts:
            yield from _ends(part)
    elif isinstance(meaning, Relation):
        simpler = unfold(meaning)
        if simpler is not None:
            yield from _ends(simpler)
        elif meaning.comparator in ("<=", ">=", "=="):
            yield from _end(meaning)


def _end(relation: Relation) -> Iterator[tuple[str, StatedEnd]]:
    form = linear_form(SignedTerms((relation.left, relation.right), (1, -1)))
    weights = {} if form is None else {name: w for name, w in form.weights.items() if w}
    if form is None or len(weights) != 1:
        return
    ((name, weight),) = weights.items()
    comparator = relation.comparator if weight > 0.0 else TURNED[relation.comparator]
    end = 0.0 - form.constant / weight  # not -0.0
    yield name, StatedEnd(end, above=comparator != ">=", below=comparator != "<=")
