"""Columns of a pool: numbers, or the codes of categories.

A table of 10^6 rows is a handful of arrays here and never 10^6 objects. Every cell must be there: a
missing one, or one of another type than the rest, is an error that names its row and column. How
tables become columns is in `raw_tables`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pathmax.errors import PathmaxError
from pathmax.scalars import MOST_DIGITS, Scalar, describe, plain
from pathmax.space.fidelity import Fidelity
from pathmax.space.molecule_sets import Molecules
from pathmax.space.raw_tables import Raw, fit_int64

__all__ = [
    "Column",
    "Refusal",
    "check_categories",
    "feature_column",
    "id_column",
    "missing_cells",
    "scaled",
]

Refusal = Callable[[int | None, str | None, str], PathmaxError]
"""Makes the error for (row, column, message) say where that is in the user's data."""

# A category per row is no category. Below 100 a pool may well be a list of names and nothing else.
MANY_CATEGORIES = 100

# Larger pools are encoded in single precision: 10^6 rows of 10 features take 40 MB, not 80, and a
# coordinate is off by at most 3e-8 of its range, far below what any kernel resolves.
MAX_DOUBLE_CELLS = 2_000_000


def needs_single(rows: int, features: int) -> bool:
    """Whether a pool of this size is encoded in single precision."""
    return rows * features > MAX_DOUBLE_CELLS


@dataclass(frozen=True, eq=False)
class Column:
    """One column of a table: `values` are numbers, or the positions in `categories`."""

    name: str
    values: Raw  # (N,)
    categories: tuple[Scalar, ...] | None = None
    molecules: Molecules | None = None  # of the categories, if they are SMILES
    fidelity: Fidelity | None = None  # whose values are the cells

    @cached_property
    def codes(self) -> dict[Scalar, int]:
        """The place of each category."""
        return {category: i for i, category in enumerate(self.categories or ())}

    def cell(self, row: int) -> Scalar:
        """The cell as the user wrote it."""
        value: Scalar = self.values[row]
        if self.categories is not None:
            return self.categories[int(self.values[row])]
        return value.item() if isinstance(value, np.generic) else value

    def scaled(self) -> Raw:  # -> (N,)
        """Coordinates: numbers from 0 (the least) to 1 (the greatest), or the codes."""
        if self.categories is not None:
            return self.values
        if self.fidelity is not None:
            return self.fidelity.places[
                np.searchsorted(np.array(self.fidelity.levels), self.values)
            ]
        return scaled(self.values, float(self.values.min()), float(self.values.max()))


def scaled(values: Raw, low: float, high: float) -> Raw:  # (N,) -> (N,)
    """Numbers from 0 (the least) to 1 (the greatest)."""
    if low == high:
        return np.zeros(len(values))
    halved = 0.5 * values.astype(np.float64)  # halves, so that no range overflows
    low, high = 0.5 * low, 0.5 * high
    return np.clip((halved - low) / (high - low), 0.0, 1.0)


def missing_cells(raw: Raw) -> NDArray[np.bool_]:  # (N,) -> (N,)
    """Which cells are missing: blank, None or NaN."""
    if raw.dtype.kind == "f":
        return np.isnan(raw)
    if raw.dtype.kind != "O":
        return np.zeros(len(raw), dtype=np.bool_)
    cells = raw.tolist()
    if set(map(type, cells)) == {str} and all(map(str.strip, set(cells))):
        return np.zeros(len(raw), dtype=np.bool_)
    return np.fromiter(map(_missing, cells), np.bool_, len(cells))


def feature_column(name: str, raw: Raw, refuse: Refusal) -> Column:
    """A column to learn from: numbers as they are, text and yes/no as categories."""
    if raw.dtype.kind in "iu":
        big = raw.dtype == np.uint64 and len(raw) and raw.max() > np.iinfo(np.int64).max
        return Column(name, raw.astype(np.float64 if big else np.int64, copy=False))
    if raw.dtype.kind == "f":
        return Column(name, _finite(name, raw, refuse))
    if raw.dtype.kind == "b":
        return Column(name, raw.astype(np.int32), (False, True))
    if raw.dtype.kind in "OU":
        return _of_objects(name, raw, refuse)
    raise refuse(
        None,
        name,
        f"expected numbers or text, got {raw.dtype}; turn it into a number (days since a date, "
        "say) or ignore it",
    )


def id_column(name: str, raw: Raw, refuse: Refusal) -> Column:
    """A column that tells rows apart and that nothing is learnt from; kept as it is."""
    if raw.dtype.kind in "iu":
        return Column(name, raw)
    cells = [plain(cell) for cell in raw.tolist()]
    for row, cell in enumerate(cells):
        if _missing(cell):
            raise refuse(row, name, "the id is missing; fill it in, or remove the row")
        too_long = isinstance(cell, int) and abs(cell) >= 10**MOST_DIGITS
        if not isinstance(cell, str | int | float) or isinstance(cell, bool) or too_long:
            raise refuse(row, name, f"an id must be text or a number, got {describe(cell)}")
    ids = np.empty(len(cells), dtype=object)
    ids[:] = cells
    return Column(name, ids)


def _finite(name: str, raw: Raw, refuse: Refusal) -> Raw:
    single = raw.dtype == np.float32
    values = raw if single else raw.astype(np.float64, copy=False)
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        raise _bad_cell(name, int(bad[0]), float(values[bad[0]]), refuse)
    return values


def _bad_cell(name: str, row: int, cell: object, refuse: Refusal) -> PathmaxError:
    if _missing(cell):
        message = "the cell is missing; fill it in, remove the row, or ignore the column"
        return refuse(row, name, message)
    return refuse(row, name, f"expected a finite number or text, got {describe(cell)}")


def _of_objects(name: str, raw: Raw, refuse: Refusal) -> Column:
    cells = raw.tolist()
    if set(map(type, cells)) != {str}:
        cells = [plain(cell) for cell in cells]
    kinds: dict[str, int] = {}  # what kinds of cell there are, and the first row of each
    for row, cell in enumerate(cells):
        kind = _kind(cell)
        if kind is None:
            raise _bad_cell(name, row, cell, refuse)
        kinds.setdefault(kind, row)
    if len(kinds) > 1:
        first, row = list(kinds.values())[:2]
        raise refuse(
            row,
            name,
            f"got {describe(cells[row])} where row {first} holds {describe(cells[first])}; "
            "a column is all numbers or all text",
        )
    if "yes or no" in kinds:
        return feature_column(name, np.array(cells), refuse)
    if "a number" in kinds:
        whole = set(map(type, cells)) == {int} and fit_int64(cells)
        return feature_column(name, np.array(cells, np.int64 if whole else np.float64), refuse)
    codes: dict[Scalar, int] = {}
    values = np.fromiter((codes.setdefault(cell, len(codes)) for cell in cells), np.int32)
    check_categories(name, codes, len(cells), refuse)
    return Column(name, values, tuple(codes))


def check_categories(
    name: str, categories: Collection[Scalar], length: int, refuse: Refusal
) -> None:
    """Refuse text that is no category: numbers, or a text of its own in most of the rows."""
    if all(map(_reads_as_number, categories)):
        raise refuse(
            None,
            name,
            f"holds numbers written as text, such as {next(iter(categories))!r}; convert them with "
            "float(), or, if they are labels, write them as such ('no. 1')",
        )
    if len(categories) > MANY_CATEGORIES and 2 * len(categories) > length:
        raise refuse(
            None,
            name,
            f"has {len(categories)} different texts in {length} rows, and nothing can be learnt "
            f"from that; make it the id (id={name!r}, or --id), or ignore it (ignore=[{name!r}], "
            "or --ignore)",
        )


def _missing(cell: object) -> bool:
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    blank = isinstance(cell, str) and not cell.strip()
    return blank or (isinstance(cell, float) and math.isnan(cell))


def _kind(cell: object) -> str | None:
    if isinstance(cell, bool):
        return "yes or no"
    if isinstance(cell, int | float) and abs(cell) <= sys.float_info.max:
        return "a number"
    return "text" if isinstance(cell, str) and cell.strip() else None


def _reads_as_number(text: Scalar) -> bool:
    if not isinstance(text, str):
        return False
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
