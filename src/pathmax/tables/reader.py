"""Read a CSV file or a sheet of a workbook, column by column, all of it or nothing."""

from __future__ import annotations

import csv
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pathmax.errors import DataFileError
from pathmax.tables.csv_records import (
    clean_cell,
    column_names,
    endless_cells_explained,
    first_record,
    record_blocks,
)
from pathmax.tables.dialect import Dialect, open_text, sniff
from pathmax.tables.number_columns import (
    Column,
    DecimalCommaError,
    TextColumnsError,
    all_thousands,
    number_column,
    whole_numbers,
)
from pathmax.tables.numbers import has_decimal_comma, parse_number
from pathmax.tables.workbook import Sheet, is_workbook, read_sheet

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


def read_table(
    path: str | os.PathLike[str], *, text: Collection[str] = (), units_row: bool = False
) -> Table:
    """Read a file whose columns are numbers or text, as their cells show.

    `text` names columns to keep as they are written even when they look like numbers (an id
    "007"). With `units_row` the line below the header holds units.
    """
    if is_workbook(path):
        return _typed(read_sheet(path, units_row=units_row), frozenset(text))
    path = os.fspath(path)
    dialect, kept = sniff(path), frozenset(text)
    while True:
        try:
            return _read(path, dialect, kept, units_row)
        except DecimalCommaError:
            dialect = replace(dialect, decimal=",")
        except TextColumnsError as seen:
            kept |= seen.columns
        except UnicodeDecodeError as error:
            dialect = _older_encoding(path, dialect, error)


def read_cells(
    path: str | os.PathLike[str], *, numbers: Collection[str] = (), units_row: bool = False
) -> Table:
    """Read a file with every cell as text; `Table.number` gives the numbers one by one.

    `numbers` names the columns whose cells tell whether the file has decimal commas; those that
    the file lacks are passed over.
    """
    if is_workbook(path):
        return _pointed(_of_sheet(read_sheet(path, units_row=units_row)), numbers)
    path = os.fspath(path)
    dialect = sniff(path)
    while True:
        try:
            table = _read(path, dialect, None, units_row)
        except UnicodeDecodeError as error:
            dialect = _older_encoding(path, dialect, error)
        else:
            if not _has_decimal_commas(table, numbers):
                return table
            return replace(table, dialect=replace(dialect, decimal=","))


def _has_decimal_commas(table: Table, numbers: Collection[str]) -> bool:
    cells = (cell for name in numbers for cell in table.columns.get(name, ()))
    commas = [cell for cell in cells if has_decimal_comma(cell)]
    return bool(commas) and not all_thousands(commas, table.dialect)


def _pointed(table: Table, numbers: Collection[str]) -> Table:
    """The table of a sheet with decimal points in numbers that are text to Excel, as 50,5 is.

    Cells that are numbers to Excel have points already.
    """
    if not _has_decimal_commas(table, numbers):
        return table
    pointed = {
        name: np.array(list(map(_with_point, table.columns[name])), dtype=object)
        for name in numbers
        if name in table.columns
    }
    return replace(table, columns={**table.columns, **pointed})


def _with_point(cell: str) -> str:
    return cell.replace(",", ".") if has_decimal_comma(cell) else cell


def _of_sheet(sheet: Sheet) -> Table:
    """The table of a sheet, every cell as text."""
    by_column = zip(*sheet.rows, strict=True) if sheet.rows else [() for _ in sheet.header]
    columns = {
        name: np.array(cells, dtype=object)
        for name, cells in zip(sheet.header, by_column, strict=True)
    }
    return Table(
        sheet.place,
        sheet.header,
        columns,
        np.array(sheet.lines, dtype=np.int64),
        units=dict(zip(sheet.header, sheet.units, strict=False)),
        header_line=sheet.header_line,
        sheet=sheet.title,
        letters=sheet.letters,
    )


def _typed(sheet: Sheet, text: frozenset[str]) -> Table:
    """The same with columns of numbers as numbers."""
    table = _of_sheet(sheet)
    columns = dict(table.columns)
    for name in table.header:
        if name in text or not len(table.lines):
            continue
        refuse = partial(table.error, column=name)
        try:
            cells = columns[name].tolist()
            columns[name] = whole_numbers(number_column(cells, table.dialect, refuse, name))
        except TextColumnsError:
            continue
        except DecimalCommaError:
            cells = list(map(_with_point, cells))
            columns[name] = whole_numbers(number_column(cells, table.dialect, refuse, name))
    return replace(table, columns=columns)


def _older_encoding(path: str, dialect: Dialect, error: UnicodeDecodeError) -> Dialect:
    if dialect.encoding != "utf-8":
        raise DataFileError(
            f"{path}: the text is damaged ({error.reason}); save it again as CSV UTF-8"
        ) from error
    return replace(dialect, encoding="cp1252")


def _read(path: str, dialect: Dialect, text: frozenset[str] | None, units_row: bool) -> Table:
    with open_text(path, dialect) as file, endless_cells_explained(path, dialect):
        reader = csv.reader(file, delimiter=dialect.delimiter, skipinitialspace=True)
        if dialect.sep_line:
            next(reader)
        mark = dialect.delimiter
        header_line, names = first_record(reader)
        header = column_names(path, header_line, names, mark)
        units: dict[str, str] = {}
        if units_row:
            _, cells = first_record(reader)
            units = dict(zip(header, (clean_cell(cell, mark) for cell in cells), strict=False))
        parts: list[list[Column]] = [[] for _ in header]
        lines: list[int] = []
        for here, block in record_blocks(path, dialect, reader, len(header)):
            lines.extend(here)
            texts: set[str] = set()
            for name, part, column in zip(header, parts, zip(*block, strict=True), strict=True):
                if text is None or name in text:
                    part.append(np.array([clean_cell(cell, mark) for cell in column], dtype=object))
                    continue
                try:
                    part.append(
                        number_column(column, dialect, partial(_refuse, path, name, here), name)
                    )
                except TextColumnsError as seen:
                    texts |= seen.columns
            if texts:
                raise TextColumnsError(texts)
    columns = {
        name: whole_numbers(np.concatenate(part)) if part else np.empty(0, dtype=object)
        for name, part in zip(header, parts, strict=True)
    }
    rows = np.array(lines, dtype=np.int64)
    return Table(path, header, columns, rows, dialect, units, header_line)


def _refuse(
    path: str, column: str, lines: Sequence[int], row: int, *, message: str
) -> DataFileError:
    return DataFileError(f"{path}, line {lines[row]}, column {column!r}: {message}")
