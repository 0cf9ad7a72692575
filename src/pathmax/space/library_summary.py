"""What must be known of a library before anything is suggested, gathered in one pass over it.

Each part is summarised by itself, wherever it lies: the range of its numbers, its texts in order
of appearance, what is missing, and a hash of its rows. The summaries of all parts, in order, make
the heads of the columns.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import final

import numpy as np

from pathmax.arrays import Mask
from pathmax.errors import PathmaxError
from pathmax.scalars import Scalar
from pathmax.space.columns import Refusal, check_categories
from pathmax.space.incomplete_rows import LISTED_HOLES, one_hole, several_holes
from pathmax.space.library_columns import Batch, Head, Kind
from pathmax.space.library_files import Part
from pathmax.space.stable_keys import Keys, RowHash, keys_of_cells

__all__ = [
    "PartSummary",
    "UsedColumns",
    "heads_of",
    "refuse_holes",
    "row_as_given",
    "summarise",
]

BLOCK = 1 << 15  # rows at a time
MOST_TEXTS = 1_000_000  # of a column: more are no categories, and would fill the memory
EXACT = 2**53  # doubles have all whole numbers up to here


@final
@dataclass(frozen=True)
class UsedColumns:
    """The columns that are used: what each holds, and which of them is the id."""

    kinds: Mapping[str, Kind]
    id: str | None
    skip_incomplete: bool = False

    def missing(self, batch: Batch) -> dict[str, np.ndarray]:
        """Which cells of a batch are missing, by column."""
        return {name: batch.missing(name, kind) for name, kind in self.kinds.items()}

    def complete(self, batch: Batch) -> Batch:
        """The rows of a batch that count: those without a missing cell, if others are skipped."""
        if not self.skip_incomplete:
            return batch
        counted = self.counted(batch)
        return batch if counted.all() else batch.where(counted)

    def counted(self, batch: Batch) -> Mask:  # -> (m,)
        """Which rows of a batch count."""
        if not self.skip_incomplete:
            return np.ones(len(batch), dtype=bool)
        return np.asarray(~np.logical_or.reduce(list(self.missing(batch).values())))


@dataclass
class PartSummary:
    """What one part holds; row numbers are those within the part.

    The row that is `infinite` is counted without those that are skipped, unlike the `holes`.
    """

    total: int = 0
    kept: int = 0
    low: dict[str, float] = field(default_factory=dict)
    high: dict[str, float] = field(default_factory=dict)
    texts: dict[str, dict[str, None]] = field(default_factory=dict)
    infinite: tuple[int, str, float] | None = None
    holes: list[tuple[int, str]] = field(default_factory=list)  # the first few
    n_holes: int = 0
    holed_rows: int = 0
    rows: RowHash = field(default_factory=RowHash)
    ids: list[Keys] = field(default_factory=list)


def summarise(part: Part, columns: UsedColumns) -> PartSummary:
    """Look at every row of a part."""
    found = PartSummary()
    for batch in part.batches(list(columns.kinds), BLOCK):
        _add_holes(found, batch, columns)
        kept = columns.complete(batch)
        if len(kept):
            keys = [_keys(found, kept, name, kind, columns) for name, kind in columns.kinds.items()]
            found.rows = found.rows.then(RowHash.of(keys))
        found.total += len(batch)
        found.kept += len(kept)
    return found


def row_as_given(part: Part, asked: tuple[UsedColumns, int]) -> int:
    """The number that a row of a part has when those that are skipped are counted too."""
    columns, row = asked
    if not columns.skip_incomplete:
        return row
    before = 0
    for batch in part.batches(list(columns.kinds), BLOCK):
        counted = np.flatnonzero(columns.counted(batch))
        if row < len(counted):
            return before + int(counted[row])
        row -= len(counted)
        before += len(batch)
    raise AssertionError("the row is one of those that count")


def _add_holes(found: PartSummary, batch: Batch, columns: UsedColumns) -> None:
    missing = columns.missing(batch)
    holed = np.logical_or.reduce(list(missing.values()))
    if not holed.any():
        return
    found.holed_rows += int(np.count_nonzero(holed))
    found.n_holes += sum(int(np.count_nonzero(mask)) for mask in missing.values())
    for row in np.flatnonzero(holed)[:LISTED_HOLES].tolist():
        found.holes += [(found.total + row, name) for name, mask in missing.items() if mask[row]]
    del found.holes[LISTED_HOLES:]


def _keys(found: PartSummary, batch: Batch, name: str, kind: Kind, columns: UsedColumns) -> Keys:
    """The keys of the cells of a column; its ids, texts or range are added to `found`."""
    if name == columns.id:
        keys = batch.keys(name, kind)
        found.ids.append(keys)
        return keys
    if kind == "text":
        texts = batch.texts(name)
        seen = found.texts.setdefault(name, {})
        if len(seen) <= MOST_TEXTS:
            seen.update(dict.fromkeys(texts.known))
        return texts.keys()
    numbers = batch.numbers(name)
    infinite = np.isinf(numbers)
    if infinite.any() and found.infinite is None:
        row = int(np.flatnonzero(infinite)[0])
        found.infinite = (found.kept + row, name, float(numbers[row]))
    if not np.isnan(numbers).all():
        found.low[name] = min(found.low.get(name, math.inf), float(np.nanmin(numbers)))
        found.high[name] = max(found.high.get(name, -math.inf), float(np.nanmax(numbers)))
    return keys_of_cells(numbers)


def heads_of(
    columns: UsedColumns, summaries: Sequence[PartSummary], length: int, refuse: Refusal
) -> dict[str, Head]:
    """The heads of all columns, or an error that names one from which nothing can be learnt."""

    def head(name: str, kind: Kind) -> Head:
        if name == columns.id:
            return Head(name, kind)
        if kind == "choice":
            return Head(name, kind, categories=(False, True))
        if kind != "text":
            low = min(summary.low.get(name, math.inf) for summary in summaries)
            high = max(summary.high.get(name, -math.inf) for summary in summaries)
            if kind == "whole" and max(-low, high) > EXACT:
                raise refuse(
                    None,
                    name,
                    f"holds whole numbers beyond 2^53, such as {high if high > EXACT else low:g}, "
                    "which would be rounded; write them as real numbers, make the column the id, "
                    "ignore it, or hold the rows (stream=False)",
                )
            return Head(name, kind, low, high)
        texts: dict[Scalar, None] = {}
        for summary in summaries:
            texts.update(summary.texts.get(name, {}))
        check_categories(name, texts, length, refuse)
        if len(texts) > MOST_TEXTS:
            raise refuse(
                None,
                name,
                f"has more than {MOST_TEXTS} different texts, and little can be learnt from that; "
                f"make it the id (id={name!r}, or --id), or ignore it (ignore=[{name!r}], or "
                "--ignore)",
            )
        return Head(name, kind, categories=tuple(texts))

    return {name: head(name, kind) for name, kind in columns.kinds.items()}


def refuse_holes(
    parts: Sequence[Part], summaries: Sequence[PartSummary], id: str | None, refuse: Refusal
) -> PathmaxError | None:
    """The error about all missing cells at once, if there are any."""
    listed = [
        (part.place, part.first + row, name)
        for part, summary in zip(parts, summaries, strict=True)
        for row, name in summary.holes
    ]
    if not listed:
        return None
    count = sum(summary.n_holes for summary in summaries)
    rows, total = (sum(getattr(s, what) for s in summaries) for what in ("holed_rows", "total"))
    places = [f"{place}, row {row}, column {name!r}" for place, row, name in listed[:LISTED_HOLES]]
    if count == 1:
        return refuse(None, None, f"{places[0]}: {one_hole(is_id=listed[0][2] == id)}")
    return refuse(None, None, several_holes(places, count, rows, total))
