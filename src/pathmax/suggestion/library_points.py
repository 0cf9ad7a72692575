"""What may be suggested of a library: any row that is not taken, and is no twin of one that is.

Rows are known by their numbers in the library throughout, also where known constraints leave some
of them out.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import TypeVar, final

import numpy as np

from pathmax.acquisition import Domain
from pathmax.arrays import Array, Index
from pathmax.scalars import Scalar
from pathmax.search.row_sources import WorkLike
from pathmax.search.scores import RowScore
from pathmax.search.streams import ScoreWork, Stream, first_of
from pathmax.space.axes import Axis
from pathmax.space.candidates import Candidates
from pathmax.space.library import Library
from pathmax.space.library_blocks import LibraryReading
from pathmax.space.library_files import Part
from pathmax.suggestion.choices import Choices
from pathmax.suggestion.first_design import mixed_distances

R = TypeVar("R")
NOWHERE = 1e-13  # squared: nearer than this rows are at the point but for rounding


@final
@dataclass(frozen=True, eq=False)
class LibrarySource:
    """The rows of a library within known constraints, some of them taken."""

    pool: Candidates
    taken: tuple[int, ...] = ()

    @property
    def library(self) -> Library:
        library = self.pool.library
        assert library is not None, "a pool that is held is no source"
        return library

    @cached_property
    def reading(self) -> LibraryReading:
        return replace(self.pool.reading, taken=self.library.taken(self.taken))

    @property
    def dimension(self) -> int:
        return self.pool.dimension

    @property
    def cardinality(self) -> int:
        return sum(self.pool.allowed_counts)

    def run(self, work: WorkLike[R]) -> R:
        return self.library.run(work, self.reading)

    def points(self, numbers: Index) -> Array:  # (m,) -> (m, d)
        return self.library.points(numbers)

    def without_taken(self) -> LibrarySource:
        return replace(self, taken=())

    def numbered(self, places: Index) -> Index:  # (m,) -> (m,)
        if not self.pool.narrowed:
            return places
        return self._counted(places, self.pool.allowed_counts, without=())

    @cached_property
    def allowed_taken(self) -> list[int]:
        """The taken rows that known constraints allow, in order."""
        numbers = sorted(set(self.taken))
        if not self.pool.narrowed:
            return numbers
        rows, points = self.library.rows(numbers), self.library.points(numbers)
        inside = [self.pool.where.hold(row) for row in rows]
        if self.pool.reading.given:
            inside = (np.array(inside, dtype=bool) & self.pool.reading.as_given(points)).tolist()
        return [number for number, here in zip(numbers, inside, strict=True) if here]

    @property
    def n_left(self) -> int:
        return self.cardinality - len(self.allowed_taken)

    def left(self, place: int) -> int:
        taken = self.allowed_taken
        if not self.pool.narrowed:
            for number in taken:  # in order: each moves what comes behind it by one
                place += number <= place
            return place
        ends = self.library.ends
        counts = list(self.pool.allowed_counts)
        for number in taken:
            counts[bisect_right(ends, number)] -= 1
        return int(self._counted(np.array([place]), counts, without=tuple(taken))[0])

    def is_free(self, number: int) -> bool:
        values = self.library.values([number])
        return not (self.reading.taken.values == values).all(axis=1).any()

    def _counted(self, places: Index, counts: Sequence[int], without: tuple[int, ...]) -> Index:
        """The numbers of rows that are counted among those allowed, and not among `without`."""
        ends = list(accumulate(counts))
        library, found = self.library, np.empty(len(places), dtype=np.intp)
        by_part: dict[int, list[int]] = {}
        for i, place in enumerate(places.tolist()):
            by_part.setdefault(bisect_right(ends, place), []).append(i)
        parts = sorted(by_part)
        starts = [0, *ends[:-1]]
        asked = [
            Counted(
                self.reading,
                library.starts[p],
                [int(places[i]) - starts[p] for i in by_part[p]],
                without,
            )
            for p in parts
        ]
        answers = library.workers.each(count_out, [library.parts[p] for p in parts], asked)
        for part, numbers in zip(parts, answers, strict=True):
            found[by_part[part]] = numbers
        return found


@final
@dataclass(frozen=True, eq=False)
class Counted:
    """Rows of a part by their places among those that are allowed."""

    reading: LibraryReading
    start: int
    places: list[int]
    without: tuple[int, ...]


def count_out(part: Part, asked: Counted) -> list[int]:
    """The numbers of those rows."""
    numbers = np.concatenate([b.numbers for b in asked.reading.blocks(part, asked.start)])
    if asked.without:
        numbers = numbers[~np.isin(numbers, np.array(asked.without))]
    rows: list[int] = numbers[asked.places].tolist()
    return rows


@final
@dataclass(frozen=True, eq=False)
class InLibrary(Choices):
    """Rows of a table that is not held."""

    space: Candidates

    @cached_property
    def source(self) -> LibrarySource:
        return LibrarySource(self.space, self.taken_rows)

    @property
    def domain(self) -> Domain:
        return Stream(self.source, is_part=bool(self.space.context_names))

    def numbers(self, rows: Sequence[int]) -> Index:
        if not self.space.narrowed:
            return np.array(rows, dtype=np.intp)
        return np.array(LibrarySource(self.space, tuple(rows)).allowed_taken, dtype=np.intp)

    @property
    def left(self) -> int | None:
        return self.source.n_left

    def params(self, u: Array, row: int | None) -> dict[str, Scalar]:
        if row is None:
            work = ScoreWork(RowNearness(u, self.space.axes), self.space.dimension)
            row = first_of(self.source, self.source.run(work)).index
            assert row is not None, "rows have numbers"
        return self.space.params(row)


@final
@dataclass(frozen=True, eq=False)
class RowNearness(RowScore):
    """How near rows are to a point, larger is nearer; a category that differs is 1 away."""

    u: Array  # (d,)
    axes: Sequence[Axis]

    def __call__(self, U: Array) -> Array:  # (m, d) -> (m,)
        squared = mixed_distances(self.u[None], U, self.axes)[0]
        return np.asarray(-np.maximum(squared, NOWHERE))
