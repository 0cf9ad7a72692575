"""The columns of a library: what is known of each, and how a batch of its cells is read.

A batch is what Arrow hands out of a Parquet file, some ten thousand rows of some columns. Numbers
come as doubles, text as the places of categories, in the order in which they first appear in the
library; -1 and NaN are missing cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, final

import numpy as np
from numpy.typing import NDArray

from pathmax.arrays import Array, Mask
from pathmax.scalars import Scalar
from pathmax.space.columns import Refusal, scaled
from pathmax.space.stable_keys import Keys, keys_of_bytes, keys_of_cells, keys_of_texts

__all__ = ["Batch", "Head", "Kind", "Texts", "kind_of"]

Kind = Literal["whole", "real", "text", "choice"]  # choice: yes or no


@final
@dataclass(frozen=True, eq=False)
class Head:
    """A column of a library once all of it has been looked at."""

    name: str
    kind: Kind
    low: float = 0.0
    high: float = 0.0
    categories: tuple[Scalar, ...] | None = None
    molecules: ClassVar[None] = None  # they are for rows that are held

    @cached_property
    def codes(self) -> dict[Scalar, int]:
        """The place of each category."""
        return {category: i for i, category in enumerate(self.categories or ())}

    def cell(self, value: float) -> Scalar:
        """A value of `values` as the user wrote it."""
        if self.categories is not None:
            return self.categories[int(value)]
        return int(value) if self.kind == "whole" else float(value)

    def number(self, cell: Scalar) -> float:
        """A cell as a number, a category as its place."""
        if self.categories is not None:
            return float(self.codes[cell])
        assert isinstance(cell, int | float), "the cells of a feature are numbers or categories"
        return float(cell)

    def ids(self, batch: Batch) -> list[Scalar]:
        """The cells of a batch as they are, where this is the id."""
        if self.kind == "real":  # a part may hold whole numbers where others do not
            return list(batch.numbers(self.name).tolist())
        return batch.cells(self.name)

    def values(self, batch: Batch) -> Array:  # -> (m,)
        """The cells of a batch as numbers, a category as its place."""
        if self.categories is None or self.kind == "choice":
            return batch.numbers(self.name)
        texts = batch.texts(self.name)
        places = np.array([self.codes.get(text, -1) for text in texts.known], dtype=np.float64)
        return np.append(places, -1.0)[texts.places]

    def scaled(self, values: Array) -> Array:  # (m,) -> (m,)
        """Coordinates: numbers from 0 (the least) to 1 (the greatest), or the places."""
        return values if self.categories is not None else scaled(values, self.low, self.high)


@final
@dataclass(frozen=True, eq=False)
class Texts:
    """Cells with text: those that appear, in order of appearance, and the place of each cell.

    A cell that is missing or blank has the place -1.
    """

    known: list[str]
    places: NDArray[np.intp]  # (m,)

    def keys(self) -> Keys:  # -> (m,)
        """A key for each cell."""
        return np.append(keys_of_texts(self.known), np.uint64(0))[self.places]


@final
class Batch:
    """Some rows of a library, of a record batch or table of Arrow."""

    def __init__(self, arrow: Any) -> None:
        self.arrow = arrow

    def __len__(self) -> int:
        return int(self.arrow.num_rows)

    def numbers(self, name: str) -> Array:  # -> (m,)
        """The numbers of a column; NaN where a cell is missing."""
        column = self.arrow.column(name)
        if column.null_count:
            column = column.cast("float64")
        return np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.float64)

    def texts(self, name: str) -> Texts:
        """The texts of a column."""
        column = _whole(self.arrow.column(name))
        coded = column if hasattr(column, "dictionary") else column.dictionary_encode()
        places = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.intp)
        known = coded.dictionary.to_pylist()
        return _in_order(known, places)

    def cells(self, name: str) -> list[Scalar]:
        """The cells of a column one by one."""
        cells: list[Scalar] = self.arrow.column(name).to_pylist()
        return cells

    def keys(self, name: str, kind: Kind) -> Keys:  # -> (m,)
        """A key for each cell of an id; 0 where it is missing."""
        if kind != "text":
            return keys_of_cells(self.numbers(name))
        column = _whole(self.arrow.column(name))
        if hasattr(column, "dictionary"):
            return self.texts(name).keys()
        missing = self.missing(name, kind)
        filled = column.fill_null("-").cast("large_string")
        if missing.any():
            return np.where(
                missing, np.uint64(0), keys_of_texts([c or "-" for c in filled.to_pylist()])
            )
        _, offsets, data = filled.buffers()
        m, start = len(filled), filled.offset
        ends = np.frombuffer(offsets, dtype=np.int64)[start : start + m + 1]
        letters = np.frombuffer(data, dtype=np.uint8)[ends[0] : ends[-1]]
        return keys_of_bytes(letters, ends - ends[0])

    def missing(self, name: str, kind: Kind) -> Mask:  # -> (m,)
        """Which cells are missing: none, NaN or blank."""
        if kind == "text":
            column = self.arrow.column(name)
            if hasattr(_whole(column), "dictionary"):
                return np.asarray(self.texts(name).places < 0)
            from pyarrow import compute

            letters = compute.utf8_length(compute.utf8_trim_whitespace(column))
            return np.asarray(letters.fill_null(0).to_numpy(zero_copy_only=False) == 0)
        return np.asarray(np.isnan(self.numbers(name)))

    def where(self, kept: Mask) -> Batch:
        """Some of the rows."""
        from pyarrow import array

        return Batch(self.arrow.filter(array(kept)))

    def at(self, places: Sequence[int] | NDArray[np.intp]) -> Batch:
        """The rows at some places."""
        from pyarrow import array

        return Batch(self.arrow.take(array(np.asarray(places, dtype=np.int64))))


def _whole(column: Any) -> Any:
    """A column in one piece."""
    if not hasattr(column, "combine_chunks"):
        return column
    whole = column.combine_chunks()
    return whole if not hasattr(whole, "chunks") else whole.chunk(0)


def _in_order(known: list[Any], places: NDArray[np.intp]) -> Texts:
    """The texts that do appear, in order of appearance; blank ones are missing."""
    used = np.unique(places, return_index=True)
    order = used[0][np.argsort(used[1])]
    kept = [int(i) for i in order if i >= 0 and known[i] is not None and known[i].strip()]
    renumbered = np.full(len(known) + 1, -1, dtype=np.intp)
    renumbered[kept] = np.arange(len(kept))
    return Texts([known[i] for i in kept], renumbered[places])


def kind_of(name: str, arrow: Any, refuse: Refusal) -> Kind:
    """What a column of an Arrow type holds, or an error that says what to do with it."""
    from pyarrow import types

    if types.is_dictionary(arrow):
        arrow = arrow.value_type
    if types.is_boolean(arrow):
        return "choice"
    if types.is_integer(arrow):
        return "whole"
    if types.is_floating(arrow) or types.is_null(arrow):
        return "real"
    if types.is_string(arrow) or types.is_large_string(arrow) or types.is_string_view(arrow):
        return "text"
    raise refuse(
        None,
        name,
        f"expected numbers or text, got {arrow}; turn it into a number (days since a date, say) "
        "or ignore it",
    )
