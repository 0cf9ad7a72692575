"""Add rows below a table that somebody has, in its own file and in its own way of writing."""

from __future__ import annotations

from collections.abc import Sequence

from pathmax.errors import DataFileError
from pathmax.tables.dialect import open_text
from pathmax.tables.new_workbook import CellValue, check_not_open
from pathmax.tables.table import Table
from pathmax.tables.workbook import file_of, readable
from pathmax.tables.writer import csv_line, replace_bytes, replace_file


def check_appending(table: Table) -> None:
    """Refuse what `append_rows` would refuse, before anything is suggested."""
    if table.sheet is not None:
        check_not_open(table.path)
        _appended(table, [])


def append_rows(table: Table, rows: Sequence[Sequence[CellValue]]) -> None:
    """Write rows below those of a table that was read; all else in its file stays as it is."""
    if table.sheet is not None:
        check_not_open(table.path)
        replace_bytes(file_of(table.path), _appended(table, rows))
        return
    with open_text(table.path, table.dialect) as file:
        text = file.read()
    end = "\r\n" if "\r\n" in text else "\n"
    lines = [csv_line(row, table.dialect).removesuffix("\n") + end for row in rows]
    text += "" if text.endswith(("\n", "\r")) else end
    replace_file(table.path, text + "".join(lines), table.dialect.encoding)


def _appended(table: Table, rows: Sequence[Sequence[CellValue]]) -> bytes:
    from pathmax.tables.workbook_rows import with_rows  # loads an XML parser

    assert table.sheet is not None, "asked for workbooks only"
    file = file_of(table.path)
    first = table.header_line + (1 if table.units else 0)
    last = int(table.lines[-1]) if len(table) else first
    try:
        with readable(file):
            return with_rows(file, table.sheet, table.letters, rows, last, first)
    except DataFileError as error:
        raise DataFileError(f"{error}. Nothing was written") from error
