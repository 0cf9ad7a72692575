"""The records of a CSV file: where each begins, none too short, none too long, none blank."""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from pathmax.errors import DataFileError
from pathmax.tables.dialect import Dialect, open_text
from pathmax.tables.formulas import unguard, unguard_parts

# Rows held as Python strings at a time: 16384 leave the cache and take nearly twice the time, and
# 10^6 rows of 11 cells at once would take a gigabyte.
RECORD_BLOCK = 1024


class Reader(Protocol):
    """What csv.reader returns."""

    line_num: int

    def __iter__(self) -> Iterator[list[str]]: ...
    def __next__(self) -> list[str]: ...


def clean_cell(cell: str, delimiter: str) -> str:
    """The text of a cell without stray spaces and without the quotes that guard formulas."""
    return unguard(unguard_parts(cell.strip(), delimiter))


def first_record(reader: Reader) -> tuple[int, list[str]]:
    """(line on which it starts, cells) of the next record that is not blank."""
    start = reader.line_num + 1
    for cells in reader:
        if any(map(str.strip, cells)):
            return start, cells
        start = reader.line_num + 1
    return start, []


def record_blocks(
    path: str, dialect: Dialect, reader: Reader, width: int
) -> Iterator[tuple[Sequence[int], list[list[str]]]]:
    """(lines, rows) of up to RECORD_BLOCK rows, each row as wide as the header and not blank."""
    start = reader.line_num + 1
    spans_lines = True  # a file of one record that never ends
    while rows := list(itertools.islice(reader, RECORD_BLOCK)):
        lines: Sequence[int] = range(start, start + len(rows))
        spans_lines = reader.line_num > lines[-1]
        regular = all(len(row) == width and row[0].strip() for row in rows)
        if spans_lines or not regular:
            lines, rows = _fitted(path, start, rows, width)
        start = reader.line_num + 1
        if rows:
            yield lines, rows
    if spans_lines:
        line, text = _last_record(path, dialect)
        if text.count('"') % 2:
            raise DataFileError(
                f"{path}, line {line}: a quotation mark opens here and is never closed, so the "
                "rest of the file would be one cell; close it or take it away"
            )


@contextmanager
def endless_cells_explained(path: str, dialect: Dialect) -> Iterator[None]:
    """The one complaint of csv.reader, that a cell is too long, with the line of that cell."""
    try:
        yield
    except csv.Error as error:
        line, _ = _last_record(path, dialect)
        raise DataFileError(
            f"{path}, line {line}: the cell that begins here never ends ({error}); "
            "is there a quotation mark that is not closed?"
        ) from error


def _last_record(path: str, dialect: Dialect) -> tuple[int, str]:
    """(line on which it starts, raw text) of the last record, or of the first unreadable one."""
    with open_text(path, dialect) as file:
        reader = csv.reader(file, delimiter=dialect.delimiter, skipinitialspace=True)
        start = last = 1
        try:
            for _ in reader:
                last, start = start, reader.line_num + 1
        except csv.Error:
            last = start
    with open_text(path, dialect) as file:
        return last, "".join(itertools.islice(file, last - 1, None))


def _fitted(
    path: str, start: int, rows: list[list[str]], width: int
) -> tuple[list[int], list[list[str]]]:
    """Rows as wide as the header, without the blank ones, and the line of each."""
    lines, fitted = [], []
    for cells in rows:
        line, start = start, start + 1 + sum(map(_line_breaks, cells))
        if not any(map(str.strip, cells)):
            continue
        if any(map(str.strip, cells[width:])):
            remedy = (
                "delete lines above the one that names the columns"
                if width == 1
                else "quote a cell that holds the separator, or put semicolons between the cells "
                "of a file with decimal commas"
            )
            names = "1 column" if width == 1 else f"{width} columns"
            raise DataFileError(
                f"{path}, line {line}: {len(cells)} cells, but the header names {names}; {remedy}"
            )
        lines.append(line)
        # Excel drops trailing separators when the last cells of a row are empty.
        fitted.append((cells + [""] * width)[:width])
    return lines, fitted


def _line_breaks(cell: str) -> int:
    return len(re.findall(r"\r\n|\r|\n", cell)) if "\n" in cell or "\r" in cell else 0


def column_names(path: str, line: int, cells: list[str], delimiter: str) -> tuple[str, ...]:
    """The header's cells as names, each given and none given twice."""
    names = [" ".join(clean_cell(cell, delimiter).split()) for cell in cells]
    while names and not names[-1]:  # Excel keeps the separators of columns that were emptied
        names.pop()
    if not names:
        raise DataFileError(
            f"{path}: the first line does not name any columns; begin with a line such as "
            "temperature,yield"
        )
    seen: dict[str, int] = {}
    for i, name in enumerate(names):
        if not name:
            raise DataFileError(
                f"{path}, line {line}: column {i + 1} has no name; name it or delete the column"
            )
        if name in seen:
            raise DataFileError(
                f"{path}, line {line}: columns {seen[name] + 1} and {i + 1} are both named "
                f"{name!r}; rename or delete one"
            )
        seen[name] = i
    return tuple(names)
