"""Some rows of a library: those of given numbers, and those that given params describe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from pathmax.arrays import Array, Index, Mask
from pathmax.scalars import Scalar
from pathmax.space.checks import ROUNDING
from pathmax.space.library_blocks import LibraryReading
from pathmax.space.library_columns import Batch, Head
from pathmax.space.library_files import Part
from pathmax.space.library_summary import BLOCK
from pathmax.space.sought_rows import Sought

__all__ = ["Found", "find_rows", "find_value", "pick_rows"]

CellsOfRow = dict[str, Scalar]


@final
@dataclass(frozen=True)
class Found:
    """Which of the wanted rows this is, how near, its number, and its cells."""

    wanted: int
    row: int
    exact: bool
    cells: CellsOfRow

    def moved(self, start: int) -> Found:
        """With the number that the row has in the library."""
        return replace(self, row=self.row + start)

    def __lt__(self, other: Found) -> bool:
        return (not self.exact, self.row) < (not other.exact, other.row)


def find_value(part: Part, asked: tuple[LibraryReading, Head, float]) -> int | None:
    """The first row of the part with that value of a feature."""
    reading, head, x = asked
    for start, batch in _batches(part, reading):
        near = np.flatnonzero(_is_near(head.values(batch), x, head))
        if len(near):
            return start + int(near[0])
    return None


def pick_rows(part: Part, asked: tuple[LibraryReading, Sequence[int]]) -> list[CellsOfRow]:
    """Rows of the part by their numbers in it, in order."""
    reading, rows = asked
    wanted = np.array(rows, dtype=np.intp)
    found: list[CellsOfRow] = []
    for start, batch in _batches(part, reading):
        here = wanted[(wanted >= start) & (wanted < start + len(batch))]
        if len(here):
            found += _cells(reading, batch, here - start)
        if len(found) == len(wanted):
            break
    return found


def find_rows(part: Part, asked: tuple[LibraryReading, Sequence[Sought]]) -> list[Found]:
    """The first row of the part that each of the wanted ones may be."""
    reading, wanted = asked
    found: dict[int, Found] = {}
    ids = [(i, one) for i, one in enumerate(wanted) if one.by_id]
    others = [(i, one) for i, one in enumerate(wanted) if not one.by_id]
    for start, batch in _batches(part, reading):
        matches = [*_by_id(batch, reading, ids)] if ids else []
        if others:
            values = [head.values(batch) for head in reading.features]
            for i, one in others:
                matches += [(i, *match) for match in _by_features(values, one, reading)]
        if matches:
            rows = _cells(reading, batch, np.array([row for _, row, _ in matches]))
            for (i, row, exact), cells in zip(matches, rows, strict=True):
                here = Found(i, start + row, exact, cells)
                found[i] = min(found.get(i, here), here)
    return list(found.values())


def _is_near(values: Array, x: float, head: Head) -> Mask:
    exact = head.categories is not None
    return np.asarray(np.abs(values - x) <= (0.0 if exact else ROUNDING * abs(x)))


def _batches(part: Part, reading: LibraryReading) -> Iterator[tuple[int, Batch]]:
    start = 0
    for batch in part.batches(list(reading.heads), BLOCK):
        kept = reading.columns.complete(batch)
        yield start, kept
        start += len(kept)


def _cells(reading: LibraryReading, batch: Batch, places: Index) -> list[CellsOfRow]:
    some = batch.at(places)
    columns: dict[str, list[Any]] = {}
    for name, head in reading.heads.items():
        if name == reading.columns.id:
            columns[name] = head.ids(some)
        else:
            columns[name] = [head.cell(value) for value in head.values(some).tolist()]
    return [{name: cells[i] for name, cells in columns.items()} for i in range(len(places))]


def _by_id(
    batch: Batch, reading: LibraryReading, wanted: list[tuple[int, Sought]]
) -> Iterator[tuple[int, int, bool]]:
    name = str(reading.columns.id)
    text = reading.columns.kinds[name] == "text"
    if text:
        from pyarrow import array, compute

        texts = [one.id for _, one in wanted if isinstance(one.id, str)]
        column = batch.arrow.column(name)
        if hasattr(column, "dictionary_decode"):
            column = column.dictionary_decode()
        kept: Mask = compute.is_in(column, array(texts, column.type)).to_numpy(zero_copy_only=False)
    else:
        numbers = [
            one.id
            for _, one in wanted
            if isinstance(one.id, int | float) and not isinstance(one.id, bool)
        ]
        kept = np.isin(batch.numbers(name), np.array(numbers, dtype=np.float64))
    rows = np.flatnonzero(kept)
    if not len(rows):
        return
    cells = reading.heads[name].ids(batch.at(rows))
    for i, one in wanted:
        for row, cell in zip(rows.tolist(), cells, strict=True):
            if cell == one.id and not isinstance(one.id, bool):
                yield i, row, True


def _by_features(
    values: list[Array], one: Sought, reading: LibraryReading
) -> Iterator[tuple[int, bool]]:
    """The first row with exactly these features, or else the first with them but for rounding."""
    rows: Index | None = None
    for head, column, x in zip(reading.features, values, one.point, strict=True):
        cells = column if rows is None else column[rows]
        near = _is_near(cells, x, head)
        rows = np.flatnonzero(near) if rows is None else rows[near]
        if not len(rows):
            return
    assert rows is not None, "a pool has a feature"
    equal = np.ones(len(rows), dtype=bool)
    for column, x in zip(values, one.point, strict=True):
        equal &= column[rows] == x
    if equal.any():
        yield int(rows[np.flatnonzero(equal)[0]]), True
    else:
        yield int(rows[0]), False
