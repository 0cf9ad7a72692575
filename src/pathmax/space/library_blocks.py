"""How the rows of a library become points: block by block, the same wherever it is done.

A block has the numbers of its rows, their points, and which of them may be chosen: not those that
are taken, nor their twins, which have the same features. Rows that known constraints forbid are
left out of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeVar, final

import numpy as np
from numpy.typing import NDArray

from pathmax.arrays import Array, Index, Mask
from pathmax.gp.freed_memory import kept_on_a_worker
from pathmax.scalars import Scalar
from pathmax.space.known_constraints import Known
from pathmax.space.library_columns import Batch, Head
from pathmax.space.library_files import Part
from pathmax.space.library_summary import BLOCK, UsedColumns
from pathmax.space.sentence_columns import ColumnTable, ListedColumn
from pathmax.space.stable_keys import MULTIPLIERS, Keys, keys_of_cells

__all__ = ["Block", "LibraryReading", "Taken", "Work", "count_rows", "run_piece"]

R = TypeVar("R")


@final
@dataclass(frozen=True, eq=False)
class Block:
    """Rows that follow each other."""

    numbers: Index  # (m,)
    U: Array  # (m, d)
    free: Mask | None  # (m,); None: all of them

    def where(self, kept: Mask) -> Block:
        """Some of the rows."""
        free = None if self.free is None else self.free[kept]
        return Block(self.numbers[kept], self.U[kept], free)


class Work(Protocol[R]):
    """What is done with the rows of a library, and how results are put together."""

    def start(self) -> R:
        """What is known before any row was seen."""

    def take(self, block: Block, found: R, /) -> R:
        """What is known with a block more."""

    def merge(self, found: list[R], /) -> R:
        """What several know together, in whatever order they come."""


@final
@dataclass(frozen=True, eq=False)
class Taken:
    """Rows that are not to be chosen again: their numbers, in order, and their features."""

    numbers: Index  # (t,)
    values: Array  # (t, d) as `Head.values` has them

    def free(self, numbers: Index, values: list[Array]) -> Mask | None:  # (m,), d of (m,) -> (m,)
        """Which rows are neither taken nor twins of one that is; None: all of them."""
        if not len(self.numbers):
            return None
        places = np.flatnonzero(self._sieve[_short(values)])
        if not len(places):
            return None
        some = np.stack([column[places] for column in values], axis=1)
        free = np.ones(len(numbers), dtype=bool)
        for cells in self.values:
            free[places[(some == cells).all(axis=1)]] = False
        return None if free.all() else free

    @cached_property
    def _sieve(self) -> Mask:  # (2^16,)
        """Which short keys a taken row has: others need not be compared."""
        sieve = np.zeros(1 << 16, dtype=bool)
        sieve[_short(list(self.values.T))] = True
        return sieve


def _short(values: list[Array]) -> NDArray[np.uint16]:  # d of (m,) -> (m,)
    """A key of 16 bits for each row, made from all columns; equal rows have equal keys."""
    keys: Keys = np.zeros(len(values[0]), dtype=np.uint64)
    for column in values:
        keys += keys_of_cells(column)
        keys *= MULTIPLIERS[0]
    return (keys >> np.uint64(48)).astype(np.uint16)


@final
@dataclass(frozen=True, eq=False)
class LibraryReading:
    """What is needed to read a part: it travels to whoever does it."""

    columns: UsedColumns
    heads: Mapping[str, Head]
    single: bool  # whether coordinates are rounded to single precision, as large pools have them
    where: Known
    given: Mapping[int, float]  # coordinate -> the only value that may be chosen of it
    taken: Taken

    @property
    def features(self) -> list[Head]:
        return [head for name, head in self.heads.items() if name != self.columns.id]

    @property
    def names(self) -> list[str]:
        """The columns to read: the id only where known constraints or missing cells need it."""
        about = {name for sentence in self.where.sentences for name in sentence.names}
        id = self.columns.id
        left_out = id if id not in about and not self.where.functions else None
        if self.columns.skip_incomplete:
            left_out = None
        return [name for name in self.heads if name != left_out]

    def blocks(self, part: Part, start: int, size: int = BLOCK) -> Iterator[Block]:
        """The rows of a part whose first row has the number `start` in the library."""
        for batch in self.batches(part, size):
            values = [head.values(batch) for head in self.features]
            numbers = np.arange(start, start + len(batch))
            start += len(batch)
            allowed = self.allowed(batch, values)
            if allowed is not None:
                numbers, values = numbers[allowed], [column[allowed] for column in values]
            if not len(numbers):
                continue
            block = Block(numbers, self.points(values), self.taken.free(numbers, values))
            if self.given:
                block = block.where(self.as_given(block.U))
            if len(block.numbers):
                yield block

    def batches(
        self, part: Part, size: int = BLOCK, names: list[str] | None = None
    ) -> Iterator[Batch]:
        """The rows of a part that count, of all columns that are needed or of some."""
        for batch in part.batches(self.names if names is None else names, size):
            kept = self.columns.complete(batch)
            if len(kept):
                yield kept

    def points(self, values: list[Array]) -> Array:  # d of (m,) -> (m, d)
        """Coordinates, as `Candidates` has them."""
        encoded = np.empty((len(values[0]), len(values)), np.float32 if self.single else np.float64)
        for j, (head, column) in enumerate(zip(self.features, values, strict=True)):
            encoded[:, j] = head.scaled(column)
        return encoded.astype(np.float64)

    def as_given(self, U: Array) -> Mask:  # (m, d) -> (m,)
        """Which points have the values of coordinates that are given."""
        return np.asarray(np.logical_and.reduce([U[:, i] == u for i, u in self.given.items()]))

    def allowed(self, batch: Batch, values: list[Array]) -> Mask | None:  # -> (m,)
        """Which rows the known constraints allow; None: all of them."""
        if not self.where:
            return None
        by_name = {head.name: column for head, column in zip(self.features, values, strict=True)}
        columns: dict[str, Array | ListedColumn] = {}
        for name in {name for sentence in self.where.sentences for name in sentence.names}:
            categories = self.heads[name].categories
            if name == self.columns.id:
                columns[name] = ListedColumn(self.heads[name].ids(batch), np.arange(len(batch)))
            elif categories is not None:
                columns[name] = ListedColumn(categories, by_name[name].astype(np.intp))
            else:
                columns[name] = by_name[name]
        named = self.columns.id if self.where.functions else None
        ids = [] if named is None else self.heads[named].ids(batch)

        def params(row: int) -> dict[str, Scalar]:
            return {
                name: ids[row] if name == self.columns.id else head.cell(float(by_name[name][row]))
                for name, head in self.heads.items()
            }

        return self.where.mask(ColumnTable(len(batch), columns), params)


def work_through(work: Work[R], blocks: Iterable[Block]) -> R:
    """What the work finds in some blocks."""
    found = work.start()
    for block in blocks:
        found = work.take(block, found)
    return found


def run_piece(part: Part, piece: tuple[LibraryReading, int, Work[R]]) -> R:
    """Work on one part, complete: whoever has it can do it, and do it again."""
    reading, start, work = piece
    with kept_on_a_worker():
        return work_through(work, reading.blocks(part, start))


def count_rows(part: Part, reading: LibraryReading) -> int:
    """How many rows of a part the known constraints allow."""
    return sum(len(block.numbers) for block in reading.blocks(part, 0))
