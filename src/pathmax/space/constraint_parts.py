"""Known constraints as a search takes them, in coordinates u: `limits` makes them.

row       low <= a'u <= high        a linear sentence over numbers that are linear in u
curve     low <= h(u) <= high       any other comparison of numbers
values    u_j is one of some values what a sentence says of a choice
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from pathmax.arrays import Array, Mask


@final
@dataclass(frozen=True, eq=False)
class Row:
    """low <= a'u <= high, with a of length 1."""

    a: Array  # (d,)
    low: float
    high: float


@final
@dataclass(frozen=True, eq=False)
class Curve:
    """low <= h(u) <= high."""

    h: Callable[[Array], Array]  # (m, d) -> (m,)
    slopes: Callable[[Array, Array], Array]  # (m, d) -> h (m,); its slopes go to the other (m, d)
    low: float
    high: float


@final
@dataclass(frozen=True, eq=False)
class AllowedValues:
    """Coordinate `column`, the number of a choice, is one of some values."""

    column: int
    inside: Mask  # which choices are

    @cached_property
    def values(self) -> Array:
        return np.flatnonzero(self.inside).astype(float)


@final
@dataclass(frozen=True, eq=False)
class Limits:
    """What holds of the points of a space.

    clauses   the numbers of their parts: rows come first, then curves, then members
    owners    the number of the sentence that each clause is of
    words     the sentences
    opaque    whether `holds` knows something that the clauses do not say
    sparse    groups of columns, of which at most so many may be above 0
    """

    rows: tuple[Row, ...]
    curves: tuple[Curve, ...]
    members: tuple[AllowedValues, ...]
    clauses: tuple[tuple[int | None, ...], ...]
    owners: tuple[int, ...]
    words: tuple[str, ...]
    opaque: bool
    sparse: tuple[tuple[tuple[int, ...], int], ...]
    holds: Callable[[Array], Mask]  # (m, d) -> (m,)
