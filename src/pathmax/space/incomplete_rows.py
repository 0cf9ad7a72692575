"""Rows with a missing cell: all of them reported at once, or left out when that is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathmax.errors import PathmaxError
from pathmax.space.columns import Refusal, missing_cells
from pathmax.space.raw_tables import fit_int64

__all__ = ["check_complete", "leave_out", "place_of"]

Columns = Mapping[str, NDArray[Any]]
LISTED_HOLES = 5
SKIPPING = "leave out such rows (--skip-incomplete, or skip_incomplete=True)"


def check_complete(columns: Columns, used: Sequence[str], id: str | None, refuse: Refusal) -> None:
    """Refuse missing cells in the columns that are used, naming the first few and their number."""
    missing = {name: np.flatnonzero(missing_cells(columns[name])) for name in used}
    holes = [(int(row), name) for name, rows in missing.items() for row in rows]
    if not holes:
        return
    holes.sort(key=lambda hole: hole[0])
    row, name = holes[0]
    if len(holes) == 1:
        raise refuse(row, name, one_hole(is_id=name == id))
    places = [place_of(refuse, row, name) for row, name in holes[:LISTED_HOLES]]
    rows = len({row for row, _ in holes})
    raise refuse(None, None, several_holes(places, len(holes), rows, len(columns[name])))


def one_hole(*, is_id: bool) -> str:
    """What to do about the only cell that is missing."""
    what = "the id is missing" if is_id else "the cell is missing"
    remedy = "" if is_id else ", ignore the column"
    return f"{what}; fill it in, remove the row{remedy}, or {SKIPPING}"


def several_holes(places: Sequence[str], count: int, rows: int, total: int) -> str:
    """What to do about many; `places` are the first few of them."""
    more = f"; and {count - len(places)} more" if count > len(places) else ""
    return (
        f"{count} cells are missing in {rows} of {total} rows: {'; '.join(places)}{more}. Fill "
        f"them in, ignore a column, or {SKIPPING}"
    )


def leave_out(
    columns: Columns, used: Sequence[str], refuse: Refusal
) -> tuple[dict[str, NDArray[Any]], Refusal, int]:
    """The rows in which nothing is missing, and how many others there were.

    Errors made by the refusal that is returned still name the row by its place in the file.
    """
    there = ~np.logical_or.reduce([missing_cells(columns[name]) for name in used])
    kept = np.flatnonzero(there)

    def refuse_kept(row: int | None, column: str | None, message: str) -> PathmaxError:
        return refuse(None if row is None else int(kept[row]), column, message)

    complete = {name: _narrowed(column[there]) for name, column in columns.items()}
    return complete, refuse_kept, len(there) - len(kept)


def _narrowed(column: NDArray[Any]) -> NDArray[Any]:
    """Whole numbers as such, where nothing is missing between them any more."""
    if column.dtype != object or set(map(type, column)) != {int} or not fit_int64(column):
        return column
    return column.astype(np.int64)


def place_of(refuse: Refusal, row: int, column: str | None = None) -> str:
    """Where a row or a cell is, without the file, which the sentence has named."""
    file = str(refuse(None, None, "")).removesuffix(": ")
    return str(refuse(row, column, "")).removesuffix(": ").removeprefix(f"{file}, ")
