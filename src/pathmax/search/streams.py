"""A stream: so many rows that no array over all of them is made.

Several workers go through them a block at a time, and each keeps the best that it has seen
(`best_rows`). The source decides where that is done (`row_sources`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from pathmax.arrays import Array, Index
from pathmax.errors import ExhaustedError
from pathmax.search.best_rows import BestRows
from pathmax.search.domains import Domain, Maximum, Task, exhausted
from pathmax.search.row_sources import BlockLike, RowSource
from pathmax.search.rows import ROWS_AT_ONCE
from pathmax.search.scores import RowScore

BLOCK_SAMPLE = 64  # rows of a block on which the error of an approximation is measured
TRIES = 100  # random rows, until one is not taken


@final
@dataclass(frozen=True, eq=False)
class Stream(Domain):
    """The rows of a source.

    `is_part`: whether they are those of a larger one with a given value of some coordinate.
    """

    source: RowSource
    is_part: bool = False

    @property
    def row_source(self) -> RowSource:
        return self.source

    def numbered(self) -> Stream:
        return self

    @property
    def is_slice(self) -> bool:
        return self.is_part

    @property
    def dimension(self) -> int:
        return self.source.dimension

    @property
    def cardinality(self) -> int:
        return self.source.cardinality

    @property
    def is_numbered(self) -> bool:
        return True

    def random(self, rng: np.random.Generator) -> tuple[Array, int]:
        for _ in range(TRIES if self.source.n_left > 0 else 0):
            number = self.source.left(int(rng.choice(self.source.n_left)))
            if self.source.is_free(number):  # not the twin of one that is taken
                return self.points([number])[0], number
        best = highest(self.source, Anywhere(int(rng.integers(2**31))))
        assert best.index is not None, "rows have numbers"
        return best.u, best.index

    def some(self, n: int, rng: np.random.Generator) -> Index:  # -> (at most n,)
        """The numbers of some rows that are not taken, each once."""
        left = self.source.n_left
        return np.array(
            [self.source.left(int(i)) for i in rng.choice(left, min(left, n), replace=False)]
        )

    def spread(self, n: int, rng: np.random.Generator) -> Array:  # -> (n, d)
        places = rng.integers(self.cardinality, size=n)
        return self.points(self.source.numbered(places))

    def points(self, index: ArrayLike) -> Array:  # (m,) -> (m, d)
        """The points of rows of these numbers."""
        return self.source.points(np.asarray(index, dtype=np.intp))

    def project(self, U: Array) -> Array:  # (m, d) -> (m, d)
        everything = self.source.without_taken()
        nearest = [everything.run(ScoreWork(NearPoint(u), self.dimension)) for u in U]
        return np.stack([first_of(self.source, one).u for one in nearest])

    def whole(self) -> Stream:
        return Stream(self.source.without_taken(), self.is_part)

    def search(self, task: Task) -> Maximum:
        return highest(self.source, task.score)


@final
@dataclass(frozen=True, eq=False)
class NearPoint(RowScore):
    """How near a point is to a row, larger is nearer."""

    u: Array  # (d,)

    def __call__(self, U: Array) -> Array:  # (m, d) -> (m,)
        return np.asarray(-((U - self.u) ** 2).sum(axis=1))


@final
@dataclass(frozen=True, eq=False)
class Anywhere(RowScore):
    """A random number for every point, the same for the same point."""

    key: int

    def __call__(self, U: Array) -> Array:  # (m, d) -> (m,)
        turns = U @ np.random.default_rng(self.key).uniform(1e3, 1e4, U.shape[1])
        return np.asarray(turns - np.floor(turns))


@final
@dataclass(frozen=True, eq=False)
class ScoreWork:
    """Look for the largest score among the rows that are free."""

    score: RowScore
    dimension: int

    def start(self) -> BestRows:
        return BestRows.none(self.dimension)

    def take(self, block: BlockLike, found: BestRows) -> BestRows:
        rows = free_rows(block)
        if not len(rows):
            return found
        U = block.U[rows]
        values = in_chunks(self.score.approximate, U)
        return refined(self.score, block.numbers[rows], U, values, found)

    def merge(self, found: list[BestRows]) -> BestRows:
        return merged(found, self.dimension)


def free_rows(block: BlockLike) -> Index:
    """The places in a block of rows that may be chosen."""
    return np.arange(len(block.numbers)) if block.free is None else np.flatnonzero(block.free)


def highest(source: RowSource, score: RowScore) -> Maximum:
    """The free row with the largest score; of equal ones the first."""
    return first_of(source, source.run(ScoreWork(score, source.dimension)))


def first_of(source: RowSource, found: BestRows) -> Maximum:
    """The first of the best rows, or ExhaustedError."""
    best = found.maximum()
    if best is None:
        raise ExhaustedError(exhausted(source.cardinality, "rows of the pool"))
    return best


def merged(found: list[BestRows], d: int) -> BestRows:
    """What several have seen."""
    total = BestRows.none(d)
    for one in found:
        total = total.merge(one)
    return total


def in_chunks(score: Callable[[Array], Array], U: Array) -> Array:  # (m, d) -> (m,)
    """A function of many points, so few at a time that what it makes stays in the cache."""
    chunks = [score(U[start : start + ROWS_AT_ONCE]) for start in range(0, len(U), ROWS_AT_ONCE)]
    return np.concatenate(chunks)


def refined(
    score: RowScore, numbers: Index, U: Array, values: Array, found: BestRows
) -> BestRows:  # (m,), (m, d), (m,)
    """The winners with these rows, given the approximate values of their scores.

    How far those can be wrong is measured on a sample; rows that may be the best are computed
    again in double precision.
    """
    sample = np.linspace(0, len(U) - 1, min(BLOCK_SAMPLE, len(U))).astype(np.intp)
    top = float(values.max())
    error = float(np.max(np.abs(score(U[sample]) - values[sample])))
    margin = 20.0 * error + 1e-9 * abs(top) + float(np.finfo(float).tiny)
    close = np.flatnonzero(values >= max(top, found.bar) - margin)
    if not len(close):
        return found
    return found.add(numbers[close], in_chunks(score, U[close]), U[close])
