"""The rows of one file, as they were read, and where in the file each cell is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pathmax.errors import DataFileError
from pathmax.tables.dialect import Dialect
from pathmax.tables.number_columns import Column
from pathmax.tables.numbers import parse_number

MOST_GAPS = 5  # empty rows of a sheet that are named


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of one file.

    columns: name -> (n,) array: int64 or float64 (NaN where a cell is blank) when every cell is a
    number, else an object array of `str` ("" where a cell is blank).
    lines: (n,) the line of the file on which each row starts; header_line is that of the names.
    units: what the units row says of each column; empty without one.
    sheet, letters: of a workbook, its sheet and the letter of each column; then errors name cells.
    """

    path: str
    header: tuple[str, ...]
    columns: Mapping[str, Column]
    lines: NDArray[np.int64]
    dialect: Dialect = field(default_factory=Dialect)
    units: Mapping[str, str] = field(default_factory=dict)
    header_line: int = 1
    sheet: str | None = None
    letters: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def gaps(self) -> str:
        """What to say of empty rows of a sheet between others; empty where there are none."""
        if self.sheet is None or not len(self):
            return ""
        first = self.header_line + (2 if self.units else 1)
        between = np.setdiff1d(np.arange(first, self.lines[-1]), self.lines).tolist()
        if not between:
            return ""
        cells = ", ".join(f"{self.letters[0]}{row}" for row in between[:MOST_GAPS])
        more = ", ..." if len(between) > MOST_GAPS else ""
        rows = "an empty row" if len(between) == 1 else f"{len(between)} empty rows"
        return f"{self.path}: {rows} between others ({cells}{more}): passed over."

    def error(self, row: int | None, column: str | None, message: str) -> DataFileError:
        """A DataFileError that says where in the file it is."""
        line = None if row is None else int(self.lines[row])
        return DataFileError(f"{self.place(line, column)}: {message}")

    def place(self, line: int | None, column: str | None = None) -> str:
        """Where in the file a line, a column or a cell is."""
        place = [self.path]
        if self.sheet is not None and line is not None:
            there = column in self.header
            letter = self.letters[self.header.index(column)] if there and column else ""
            place.append(f"cell {letter}{line}" if letter else f"row {line}")
        elif line is not None:
            place.append(f"line {line}")
        if column is not None:
            place.append(f"column {column!r}")
        return ", ".join(place)

    def is_text(self, column: str) -> bool:
        return bool(self.columns[column].dtype == object)

    def number(self, row: int, column: str) -> float | None:
        """The number in a cell of text, None when it is blank; else an error with its place."""
        cell = self.columns[column][row]
        try:
            return parse_number(cell, self.dialect.decimal) if cell else None
        except ValueError as error:
            raise self.error(row, column, str(error)) from error
