"""Tables, whatever they come in, as columns: numbers, or the codes of categories.

    [{"ligand": "XPhos", "load": 2.5}, ...]    rows
    {"ligand": ["XPhos", ...], "load": ...}    columns
    np.array([[0.1, 2.5], ...])                columns named x0, x1, ... unless names are given
    a pandas, polars or pyarrow table          none is imported: each is known by what it can do

A table of 10^6 rows is a handful of arrays here and never 10^6 objects. Every cell must be there: a
missing one, or one of another type than the rest, is an error that names its row and column.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathmax.errors import PathmaxError, SpaceError
from pathmax.scalars import MOST_DIGITS, Scalar, describe, plain
from pathmax.space.fidelity import Fidelity, misplaced

__all__ = [
    "Column",
    "Refusal",
    "check_categories",
    "feature_column",
    "id_column",
    "is_pandas_index",
    "missing_cells",
    "raw_columns",
    "scaled",
]

Raw = NDArray[Any]
Refusal = Callable[[int | None, str | None, str], PathmaxError]
"""Makes the error for (row, column, message) say where that is in the user's data."""

# A category per row is no category. Below 100 a pool may well be a list of names and nothing else.
MANY_CATEGORIES = 100


@dataclass(frozen=True, eq=False)
class Column:
    """One column of a table: `values` are numbers, or the positions in `categories`."""

    name: str
    values: Raw  # (N,)
    categories: tuple[Scalar, ...] | None = None

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
        return scaled(self.values, float(self.values.min()), float(self.values.max()))


def scaled(values: Raw, low: float, high: float) -> Raw:  # (N,) -> (N,)
    """Numbers from 0 (the least) to 1 (the greatest)."""
    if low == high:
        return np.zeros(len(values))
    halved = 0.5 * values.astype(np.float64)  # halves, so that no range overflows
    low, high = 0.5 * low, 0.5 * high
    return np.clip((halved - low) / (high - low), 0.0, 1.0)


def raw_columns(rows: object, names: Sequence[str] | None = None) -> dict[str, Raw]:
    """The columns of any kind of table, copied; `names` are for those that have none of their own.

    Copied, because a pool must not change when the caller's array does.
    """
    if isinstance(rows, Mapping):
        for name, values in rows.items():
            if isinstance(values, Fidelity):
                raise misplaced(name)
        return _equally_long({name: _array(values) for name, values in rows.items()})
    if isinstance(rows, np.ndarray):
        return _of_array(_unmasked(rows), names)
    if hasattr(rows, "collect"):  # a LazyFrame
        raise SpaceError(f"a {type(rows).__name__} has no rows yet; give rows.collect()")
    if hasattr(rows, "column_names") and hasattr(rows, "column"):  # pyarrow
        kept = [name for name in rows.column_names if not is_pandas_index(name)]
        found = [(name, rows.column(name)) for name in kept]
    elif hasattr(rows, "columns") and hasattr(rows, "__getitem__"):  # pandas, polars
        header = list(rows.columns)
        if len(set(header)) < len(header):
            twice = next(name for name in header if header.count(name) > 1)
            raise SpaceError(f"two columns are called {twice!r}; rename or drop one")
        found = [(name, rows[name]) for name in header]
    else:
        return _of_rows(rows, names)
    return _equally_long({name: np.array(values) for name, values in found})


def _unmasked(rows: Raw) -> Raw:
    """A masked array with None where something is masked, whatever lies below the mask."""
    mask = getattr(rows, "mask", None)
    if mask is None or rows.dtype.names is not None:
        return rows
    cells = np.array(rows.data, dtype=object)
    cells[np.broadcast_to(mask, cells.shape)] = None
    return cells


def is_pandas_index(name: str) -> bool:
    """Whether a column is the row numbers of a frame, which pandas stores without being asked."""
    return re.fullmatch(r"__index_level_\d+__", name) is not None


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
        if not isinstance(cell, str | int | float) or too_long:
            raise refuse(row, name, f"an id must be text or a number, got {describe(cell)}")
    ids = np.empty(len(cells), dtype=object)
    ids[:] = cells
    return Column(name, ids)


def _of_array(rows: Raw, names: Sequence[str] | None) -> dict[str, Raw]:
    if rows.dtype.names is not None and rows.ndim == 1:
        return {name: rows[name].copy() for name in rows.dtype.names}
    if rows.ndim != 2:
        raise SpaceError(
            f"an array of candidates has the shape (rows, features), got {rows.shape}; "
            "for one feature use array.reshape(-1, 1)"
        )
    width = rows.shape[1]
    if names is None:
        names = [f"x{j}" for j in range(width)]
    if len(names) != width:
        raise SpaceError(
            f"the array has {width} columns, but features names {len(names)}; name every column"
        )
    return {name: rows[:, j].copy() for j, name in enumerate(names)}


def _of_rows(rows: object, names: Sequence[str] | None) -> dict[str, Raw]:
    if isinstance(rows, str | bytes) or not isinstance(rows, Sequence):
        raise SpaceError(
            "candidates are a list of dicts, a dict of columns, a 2-D array or a data frame, "
            f"got {describe(rows)}; for a file use Candidates.from_csv or from_parquet"
        )
    if not rows:
        return {}
    if all(isinstance(row, Mapping) for row in rows):
        return _of_dicts(rows)
    if all(isinstance(row, list | tuple | np.ndarray) for row in rows):
        if len({len(row) for row in rows}) > 1:
            raise SpaceError("the rows differ in length; give every row the same features")
        table = np.empty((len(rows), len(rows[0])), dtype=object)
        table[:] = rows
        return _of_array(table, names)
    odd = next(row for row in rows if not isinstance(row, Mapping))
    raise SpaceError(
        f"each candidate must be a dict such as {{'load': 2.5}}, got {describe(odd)}; "
        "name the features"
    )


def _of_dicts(rows: Sequence[Mapping[str, object]]) -> dict[str, Raw]:
    names = list(rows[0])
    for number, row in enumerate(rows):
        if row.keys() != rows[0].keys():
            odd = sorted(map(str, row.keys() ^ rows[0].keys()))[0]
            where = "no" if odd not in row else "a"
            raise SpaceError(
                f"row {number}, column {odd!r}: there is {where} cell, unlike in row 0; "
                "give every row the same columns"
            )
    return {name: _array([row[name] for row in rows]) for name in names}


def _array(values: object) -> Raw:
    """A sequence of cells as an array whose type is not a compromise between theirs."""
    if isinstance(values, np.ndarray):
        return values.copy()
    if isinstance(values, str | bytes) or not hasattr(values, "__len__"):
        raise SpaceError(f"a column must be a list of cells, got {describe(values)}; write [...]")
    if not isinstance(values, Sequence):
        return np.array(values)  # a pandas or polars column
    kinds = set(map(type, values))
    if kinds == {float} or kinds == {bool} or (kinds == {int} and _fit_int64(values)):
        return np.array(values)
    cells = np.empty(len(values), dtype=object)
    for row, value in enumerate(values):
        cells[row] = value
    return cells


def _fit_int64(values: Sequence[Any]) -> bool:
    return bool(-(2**63) <= min(values) and max(values) < 2**63)


def _equally_long(columns: dict[str, Raw]) -> dict[str, Raw]:
    for name, column in columns.items():
        if column.ndim != 1:
            raise SpaceError(
                f"column {name!r}: expected one cell a row, got cells of the shape "
                f"{column.shape[1:]}; make a column of each number in it"
            )
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{name!r} has {length}" for name, length in lengths.items())
        raise SpaceError(f"the columns differ in length: {shown}; give each a cell for every row")
    return columns


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
        whole = set(map(type, cells)) == {int} and _fit_int64(cells)
        return feature_column(name, np.array(cells, np.int64 if whole else np.float64), refuse)
    return _categories(name, cells, refuse)


def _categories(name: str, cells: list[Any], refuse: Refusal) -> Column:
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
