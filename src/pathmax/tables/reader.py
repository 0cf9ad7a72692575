"""Read a CSV file, column by column, all of it or nothing."""

from __future__ import annotations

import csv
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathmax.errors import DataFileError
from pathmax.tables.dialect import Dialect, open_text, sniff
from pathmax.tables.numbers import (
    has_decimal_comma,
    is_number,
    parse_column,
    parse_number,
    reads_as_thousands,
)
from pathmax.tables.records import (
    blocks,
    clean_cell,
    column_names,
    endless_cells_explained,
    first_record,
)

# From this share of numbers on, a cell that is not one is a slip and not a sign of text.
MOSTLY = 0.5

Column = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of one file.

    columns: name -> (n,) array: int64 or float64 (NaN where a cell is blank) when every cell is a
    number, else an object array of `str` ("" where a cell is blank).
    lines: (n,) the line of the file on which each row starts; header_line is that of the names.
    units: what the units row says of each column; empty without one.
    """

    path: str
    header: tuple[str, ...]
    columns: Mapping[str, Column]
    lines: NDArray[np.int64]
    dialect: Dialect = field(default_factory=Dialect)
    units: Mapping[str, str] = field(default_factory=dict)
    header_line: int = 1

    def __len__(self) -> int:
        return len(self.lines)

    def error(self, row: int | None, column: str | None, message: str) -> DataFileError:
        """A DataFileError that says where in the file it is."""
        place = [self.path]
        if row is not None:
            place.append(f"line {self.lines[row]}")
        if column is not None:
            place.append(f"column {column!r}")
        return DataFileError(f"{', '.join(place)}: {message}")

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
    path = os.fspath(path)
    dialect, kept = sniff(path), frozenset(text)
    while True:
        try:
            return _read(path, dialect, kept, units_row)
        except _DecimalCommaError:
            dialect = replace(dialect, decimal=",")
        except _TextColumnsError as seen:
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
    path = os.fspath(path)
    dialect = sniff(path)
    while True:
        try:
            table = _read(path, dialect, None, units_row)
        except UnicodeDecodeError as error:
            dialect = _older_encoding(path, dialect, error)
        else:
            cells = (cell for name in numbers for cell in table.columns.get(name, ()))
            commas = [cell for cell in cells if has_decimal_comma(cell)]
            if not commas or _all_thousands(commas, dialect):
                return table
            return replace(table, dialect=replace(dialect, decimal=","))


class _DecimalCommaError(Exception):
    """Read again: the file has decimal commas."""


class _TextColumnsError(Exception):
    """Read again: these columns are text."""

    def __init__(self, columns: set[str]) -> None:
        self.columns = columns


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
        header_line, names = first_record(reader)
        header = column_names(path, header_line, names)
        units: dict[str, str] = {}
        if units_row:
            _, cells = first_record(reader)
            units = dict(zip(header, map(clean_cell, cells), strict=False))
        parts: list[list[Column]] = [[] for _ in header]
        lines: list[int] = []
        for here, block in blocks(path, dialect, reader, len(header)):
            lines.extend(here)
            texts: set[str] = set()
            for name, part, column in zip(header, parts, zip(*block, strict=True), strict=True):
                if text is None or name in text:
                    part.append(np.array([clean_cell(cell) for cell in column], dtype=object))
                    continue
                try:
                    part.append(_numbers(path, name, column, here, dialect))
                except _TextColumnsError as seen:
                    texts |= seen.columns
            if texts:
                raise _TextColumnsError(texts)
    columns = {
        name: whole_numbers(np.concatenate(part)) if part else np.empty(0, dtype=object)
        for name, part in zip(header, parts, strict=True)
    }
    rows = np.array(lines, dtype=np.int64)
    return Table(path, header, columns, rows, dialect, units, header_line)


def _numbers(
    path: str, name: str, cells: Sequence[str], lines: Sequence[int], dialect: Dialect
) -> Column:
    try:
        return parse_column(cells, dialect.decimal)
    except ValueError:
        pass
    filled = [i for i, cell in enumerate(cells) if cell.strip()]
    odd = [i for i in filled if not is_number(cells[i])]
    if odd and len(odd) >= (1 - MOSTLY) * len(filled):
        raise _TextColumnsError({name})
    place = f"{path}, line {{}}, column {name!r}: "
    if odd:
        raise DataFileError(
            place.format(lines[odd[0]])
            + f"{cells[odd[0]].strip()!r} is not a number, but most cells of this column are; "
            "correct it, or write a letter before the others if they are labels"
        )
    commas = [cell for cell in cells if "," in cell]
    if dialect.decimal == "." and commas and not _all_thousands(commas, dialect):
        raise _DecimalCommaError
    for line, cell in zip(lines, cells, strict=True):
        try:
            _ = parse_number(cell, dialect.decimal) if cell.strip() else None
        except ValueError as error:
            raise DataFileError(place.format(line) + str(error)) from error
    raise AssertionError("a column that cannot be parsed has a cell that cannot")


def _all_thousands(commas: list[str], dialect: Dialect) -> bool:
    """Whether 1,234 is more likely 1234: parse_number then asks which."""
    return dialect.delimiter == "," and all(map(reads_as_thousands, commas))


def whole_numbers(column: Column) -> Column:
    """Whole numbers as integers, so that 3 does not come back as 3.0."""
    if column.dtype == object or not np.isfinite(column).all() or np.abs(column).max() >= 2**53:
        return column
    whole = column.astype(np.int64)
    return whole if np.array_equal(whole, column) else column
