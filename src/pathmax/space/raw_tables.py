"""Tables as people have them in memory, as columns.

[{"ligand": "XPhos", "load": 2.5}, ...]    rows
{"ligand": ["XPhos", ...], "load": ...}    columns
np.array([[0.1, 2.5], ...])                columns named x0, x1, ... unless names are given
a pandas, polars or pyarrow table          none is imported: each is known by what it can do
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathmax.errors import SpaceError
from pathmax.scalars import describe
from pathmax.space.fidelity import Fidelity, misplaced

Raw = NDArray[Any]


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
    if hasattr(rows, "to_delayed"):  # of Dask, and perhaps larger than this machine
        raise SpaceError(
            "the rows of a Dask data frame are elsewhere; Candidates.from_dask(frame) leaves them "
            "there, and Candidates(frame.compute()) brings them here"
        )
    if hasattr(rows, "column_names") and hasattr(rows, "column"):  # pyarrow
        kept = [name for name in rows.column_names if not is_pandas_index(name)]
        found = [(name, _of_arrow(rows.column(name))) for name in kept]
    elif hasattr(rows, "columns") and hasattr(rows, "__getitem__"):  # pandas, polars
        header = list(rows.columns)
        if len(set(header)) < len(header):
            twice = next(name for name in header if header.count(name) > 1)
            raise SpaceError(f"two columns are called {twice!r}; rename or drop one")
        found = [(name, rows[name]) for name in header]
    else:
        return _of_rows(rows, names)
    return _equally_long({name: np.array(values) for name, values in found})


def _of_arrow(column: Any) -> Any:
    """A column of Arrow, of which whole numbers stay whole where others are missing."""
    whole = str(column.type).startswith(("int", "uint"))
    if not (whole and column.null_count):
        return column
    cells = np.empty(len(column), dtype=object)
    cells[:] = column.to_pylist()
    return cells


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
    if kinds == {float} or kinds == {bool} or (kinds == {int} and fit_int64(values)):
        return np.array(values)
    cells = np.empty(len(values), dtype=object)
    for row, value in enumerate(values):
        cells[row] = value
    return cells


def fit_int64(values: Sequence[Any] | Raw) -> bool:
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
