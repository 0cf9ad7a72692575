"""Linear sentences of many rows at once: two products of matrices in place of a walk through trees.

A search asks about thousands of points some hundred times for one suggestion. What is said of a row
is what `sentences` says, rounding included: equal is equal to 1e-9 of the largest term.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self, final

import numpy as np

from pathmax.arrays import Array, Mask
from pathmax.space.linear_forms import LinearForm, linear_form
from pathmax.space.sentence_parts import AllOf, Meaning, Relation
from pathmax.space.sentence_tree import Node, names_in
from pathmax.space.sentences import SENTENCE_ROUNDING, Columns, Sentence

__all__ = ["LinearRelations"]

BOUNDS = {"<=": (-np.inf, 1.0), "<": (-np.inf, -1.0), ">=": (-1.0, np.inf), ">": (1.0, np.inf),
          "==": (-1.0, 1.0)}  # fmt: skip
# what left - right lies between, in units of the rounding; < and > leave out the end itself


@final
@dataclass(frozen=True, eq=False)
class LinearRelations:
    """k relations over p numbers: left (k, p) and right (k, p) with their constants (k,)."""

    names: tuple[str, ...]
    sides: Array  # (2, k, p)
    constants: Array  # (2, k)
    low: Array  # (k,)
    high: Array  # (k,)
    strict: Mask  # (k,)

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> tuple[Self | None, list[Sentence]]:
        """What can be put so, if anything, and the sentences that cannot."""
        found: list[tuple[LinearForm, str, LinearForm]] = []
        others = []
        for sentence in sentences:
            parts = linear_parts(sentence.meaning)
            if parts is None:
                others.append(sentence)
            else:
                found += parts
        if not found:
            return None, others
        forms = [[left for left, _, _ in found], [right for _, _, right in found]]
        names = tuple(dict.fromkeys(n for side in forms for form in side for n in form.weights))
        weights = [[[form.weights.get(n, 0.0) for n in names] for form in side] for side in forms]
        sides = np.array(weights).reshape(2, len(found), len(names))
        constants = np.array([[form.constant for form in side] for side in forms])
        bounds = np.array([BOUNDS[f[1]] for f in found])
        strict = np.array([f[1] in "<>" for f in found])
        return cls(names, sides, constants, bounds[:, 0], bounds[:, 1], strict), others

    def mask(self, columns: Columns) -> Mask:  # -> (m,)
        """Which rows satisfy all of them."""
        X = np.array([columns.numbers(name) for name in self.names])
        X = X.reshape(len(self.names), len(columns))  # also of no rows
        with np.errstate(all="ignore"):
            values = self.sides @ X + self.constants[:, :, None]  # (2, k, m)
            sizes = np.abs(self.sides) @ np.abs(X) + np.abs(self.constants)[:, :, None]
            slack = SENTENCE_ROUNDING * sizes.max(axis=0)
            gap = values[0] - values[1]
            low, high = (np.where(np.isinf(b), b, b * slack.T).T for b in (self.low, self.high))
            inside = (gap >= low) & (gap <= high)
            inside &= ~self.strict[:, None] | ((gap > low) & (gap < high))
            inside &= np.isfinite(gap)
        return np.asarray(inside.all(axis=0))


def linear_parts(meaning: Meaning) -> list[tuple[LinearForm, str, LinearForm]] | None:
    """A meaning as linear relations that all hold, or None."""
    if isinstance(meaning, AllOf):
        parts = [linear_parts(part) for part in meaning.parts]
        return None if None in parts else [form for part in parts for form in part or ()]
    if not isinstance(meaning, Relation) or meaning.comparator not in BOUNDS:
        return None
    left, right = side(meaning.left), side(meaning.right)
    return None if left is None or right is None else [(left, meaning.comparator, right)]


def side(node: Node) -> LinearForm | None:
    """A linear number that mentions no parameter twice: terms that cancel count for rounding."""
    names = [name.name for name in names_in(node)]
    return linear_form(node) if len(set(names)) == len(names) else None
