"""Read a CSV file or a sheet of a workbook, column by column, all of it or nothing."""

from __future__ import annotations

import csv
import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

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
from pathmax.tables.numbers import has_decimal_comma
from pathmax.tables.table import Table
from pathmax.tables.workbook import is_workbook, read_sheet


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
        return _pointed(read_sheet(path, units_row=units_row), numbers)
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


def _typed(table: Table, text: frozenset[str]) -> Table:
    """The same with columns of numbers as numbers."""
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
