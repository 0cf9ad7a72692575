"""Sheets of Excel workbooks: `results.xlsx`, or `results.xlsx#Runs` for one of several sheets.

A sheet is read as text, row by row, so that everything else is as for a CSV file. What a
spreadsheet can hold and a table cannot is an error that names the cell: merged cells, formulas
without a stored value, percentages (71 % is stored as 0.71), error values, content beside
the table.
"""

from __future__ import annotations

import os
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, TypeAlias

import numpy as np

from pathmax.errors import DataFileError, MissingExtraError
from pathmax.tables.table import Table

Worksheet: TypeAlias = Any  # of openpyxl, which is imported when it is used
Cell: TypeAlias = Any

ENDINGS = (".xlsx", ".xlsm")
_NAMED = re.compile(r"(?P<file>.*\.xls[xm])#(?P<sheet>.+)", re.IGNORECASE | re.DOTALL)
_FORMULA = re.compile(rb"<(?:\w+:)?f[ />]")
MAX_LISTED = 8
LARGEST_FILE = 500_000_000  # bytes unpacked: a few kilobytes of zip can hold a disk of zeros


def is_workbook(path: str | os.PathLike[str]) -> bool:
    """Whether the path names a workbook, or a sheet in one."""
    return file_of(path).lower().endswith(ENDINGS)


def file_of(path: str | os.PathLike[str]) -> str:
    """The file of a path, without the name of a sheet."""
    return split_sheet(path)[0]


def split_sheet(path: str | os.PathLike[str]) -> tuple[str, str | None]:
    """A file, and the name of the sheet if there is one: `lab.xlsx#Runs`."""
    text = os.fspath(path)
    match = None if os.path.exists(text) else _NAMED.fullmatch(text)
    return (match["file"], match["sheet"]) if match else (text, None)


def read_sheet(path: str | os.PathLike[str], *, units_row: bool = False) -> Table:
    """The rows of a sheet as text, all of them or an error that names a cell."""
    file, wanted = split_sheet(path)
    with readable(file):
        _check_size(file)
        with open(file, "rb") as stream:
            book = openpyxl_or_error().load_workbook(stream, data_only=True)
        sheet = _chosen(book, file, wanted)
        formulas = None
        if _has_formulas(file):
            with open(file, "rb") as stream:
                formulas = openpyxl_or_error().load_workbook(stream)[sheet.title]
    return _SheetReading(sheet, formulas, f"{file}#{sheet.title}" if wanted else file).read(
        units_row
    )


def sheet_names(path: str | os.PathLike[str]) -> list[str]:
    """The titles of all sheets of a workbook."""
    file = file_of(path)
    with readable(file), open(file, "rb") as stream:
        return list(openpyxl_or_error().load_workbook(stream, read_only=True).sheetnames)


@dataclass(frozen=True, slots=True)
class _SheetReading:
    sheet: Worksheet
    formulas: Worksheet | None
    place: str

    def read(self, units_row: bool) -> Table:
        filled = (row for row in self.sheet.iter_rows() if any(self.text(cell) for cell in row))
        head = next(filled, None)
        if head is None:
            raise DataFileError(
                f"{self.place}: the sheet is empty; expected a first row with the names of the "
                "columns"
            )
        columns = self.header(head)
        self.check_merged(head[0].row, [cell.column for cell in columns])
        units: tuple[str, ...] = ()
        if units_row:
            below = next(filled, ())
            units = tuple(self.texts(below, columns)) if below else ()
        rows, lines = [], []
        for row in filled:
            rows.append(self.texts(row, columns))
            lines.append(row[0].row)
        header = tuple(" ".join(self.text(cell).split()) for cell in columns)
        by_column = zip(*rows, strict=True) if rows else [()] * len(header)
        cells = zip(header, by_column, strict=True)
        return Table(
            self.place,
            header,
            {name: np.array(column, dtype=object) for name, column in cells},
            np.array(lines, dtype=np.int64),
            units=dict(zip(header, units, strict=False)),
            header_line=head[0].row,
            sheet=self.sheet.title,
            letters=tuple(cell.column_letter for cell in columns),
        )

    def header(self, head: tuple[Cell, ...]) -> list[Cell]:
        """The cells with the names of the columns: next to each other, each given once."""
        named = [cell for cell in head if self.text(cell)]
        columns = [cell for cell in head if named[0].column <= cell.column <= named[-1].column]
        seen: dict[str, Cell] = {}
        for cell in columns:
            name = " ".join(self.text(cell).split())
            if not name:
                raise self.error(cell, "the column has no name; name it or delete the column")
            if name in seen:
                raise self.error(
                    cell,
                    f"the column is named {name!r} like that of {seen[name].coordinate}; rename or "
                    "delete one",
                )
            seen[name] = cell
        return columns

    def check_merged(self, first: int, columns: list[int]) -> None:
        for merged in self.sheet.merged_cells.ranges:
            beside = merged.max_col < min(columns) or merged.min_col > max(columns)
            if merged.max_row >= first and not beside:
                corner = self.sheet.cell(merged.min_row, merged.min_col).coordinate
                raise DataFileError(
                    f"{self.place}, cells {merged.coord}: they are merged, so only {corner} has a "
                    "value; split them and fill in each, and keep titles on another sheet"
                )

    def texts(self, row: tuple[Cell, ...], columns: list[Cell]) -> list[str]:
        first, last = columns[0].column, columns[-1].column
        for cell in row:
            if not first <= cell.column <= last and self.text(cell):
                raise self.error(
                    cell, "there is something in a column without a name; name it or clear the cell"
                )
        return [self.text(cell) for cell in row if first <= cell.column <= last]

    def text(self, cell: Cell) -> str:
        """A cell as the text that it would be in a CSV file."""
        value: Any = cell.value
        if value is None:
            if self.formulas is not None and self.formulas[cell.coordinate].value is not None:
                raise self.error(
                    cell,
                    "it holds a formula whose value is not stored; open the workbook in Excel and "
                    "save it, or write the value",
                )
            return ""
        if cell.data_type == "e":
            raise self.error(cell, f"it holds the error {value}; correct or clear it")
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, int | float):
            if "%" in cell.number_format:
                raise self.error(
                    cell,
                    f"it is shown as {100 * value:g} % and stored as {value:g}; format the column "
                    "as a plain number, and write which of the two you mean",
                )
            return repr(value)
        if isinstance(value, datetime) and value.time() == time():
            value = value.date()
        if isinstance(value, date | time):
            return value.isoformat()
        return str(value).strip() if not isinstance(value, timedelta) else str(value)

    def error(self, cell: Cell, message: str) -> DataFileError:
        return DataFileError(f"{self.place}, cell {cell.coordinate}: {message}")


def _chosen(book: Any, file: str, wanted: str | None) -> Worksheet:
    """The sheet of that name, or the only one that has anything on it."""
    sheets: list[Worksheet] = book.worksheets
    names = [sheet.title for sheet in sheets]
    listed = ", ".join(names[:MAX_LISTED]) + (", ..." if len(names) > MAX_LISTED else "")
    if wanted is not None:
        for sheet in sheets:
            if sheet.title.casefold() == wanted.casefold():  # as Excel sees them
                return sheet
        raise DataFileError(f"{file}: there is no sheet {wanted!r}; there are {listed}")
    filled = [
        s for s in sheets if s.sheet_state == "visible" and (s.max_row, s.max_column) > (1, 1)
    ]
    if len(filled) != 1:
        if len(sheets) == 1:
            return sheets[0]
        raise DataFileError(
            f"{file}: which sheet? It has {listed}; name one behind a #, as in "
            f"{os.path.basename(file)}#{names[0]}"
        )
    return filled[0]


def _check_size(file: str) -> None:
    with zipfile.ZipFile(file) as archive:
        size = sum(info.file_size for info in archive.infolist())
    if size > LARGEST_FILE:
        raise DataFileError(
            f"{file}: holds {size / 1e6:.0f} MB when unpacked, more than the "
            f"{LARGEST_FILE / 1e6:.0f} that are read; save the sheet as CSV UTF-8"
        )


def _has_formulas(file: str) -> bool:
    with zipfile.ZipFile(file) as archive:
        sheets = [name for name in archive.namelist() if name.startswith("xl/worksheets/sheet")]
        return any(_FORMULA.search(archive.read(name)) for name in sheets)


def openpyxl_or_error() -> Any:
    """The package, or an error that says how to get it."""
    try:
        import openpyxl
    except ImportError as error:
        raise MissingExtraError(
            "workbooks need openpyxl, which is not installed; run: "
            'pip install "pathmax[excel]", or save the sheet as CSV UTF-8'
        ) from error
    return openpyxl


@contextmanager
def readable(file: str) -> Iterator[None]:
    """Whatever a file that is no workbook leads to, in the user's words."""
    try:
        yield
    except FileNotFoundError as error:
        folder = os.path.dirname(os.path.abspath(file))
        raise DataFileError(f"{file}: there is no such file (looked in {folder})") from error
    except OSError as error:
        raise DataFileError(
            f"{file}: cannot be read: {error.strerror or error}; if it is open in Excel, close it"
        ) from error
    except (DataFileError, MissingExtraError):
        raise
    except Exception as error:  # of the zip file, its XML, or what openpyxl makes of it
        raise DataFileError(
            f"{file}: this is not a workbook that can be read ({type(error).__name__}: {error}); "
            "open it in Excel and save it again, or save the sheet as CSV UTF-8"
        ) from error
