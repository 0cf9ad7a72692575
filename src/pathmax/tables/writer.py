"""Write a table whole or not at all, as CSV or as a workbook; no cell can start a formula."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TextIO

from pathmax.errors import DataFileError
from pathmax.tables.dialect import Dialect
from pathmax.tables.formulas import guard, guard_parts
from pathmax.tables.new_workbook import CellValue, check_not_open, workbook_bytes
from pathmax.tables.numbers import format_number, reads_as_number
from pathmax.tables.workbook import file_of, is_workbook, openpyxl_or_error

_NEEDS_QUOTES = re.compile('[,;|\t"\r\n]|^\\s|\\s$')

NOT_WRITTEN = {
    ".xlsm": "a workbook with macros",
    ".xls": "an old Excel workbook",
    ".ods": "a LibreOffice workbook",
    ".parquet": "a Parquet file",
    ".pq": "a Parquet file",
    ".json": "a JSON file",
}


def format_cell(value: CellValue, decimal: str = ".") -> str:
    """A value as the text of a cell: numbers stay numbers, text that could run gets a quote."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return format_number(value, decimal)
    return guard(value)


def write_table(
    target: str | os.PathLike[str] | TextIO,
    header: Sequence[str],
    rows: Iterable[Sequence[CellValue]],
    *,
    dialect: Dialect | None = None,
    units: Sequence[str] | None = None,
) -> None:
    """Write rows below a header, as `dialect` writes them; a file appears only when complete.

    A name that ends in .xlsx gives a workbook. Otherwise, without a dialect: UTF-8, commas and
    decimal points, with a byte order mark when there is anything but ASCII, because Excel shows
    "°" as "Â°" without one.
    """
    if isinstance(target, str | os.PathLike):
        check_file(target)
        if is_workbook(target):
            check_not_open(target)
            replace_bytes(file_of(target), workbook_bytes(target, header, rows, units))
            return
    style = dialect or Dialect()
    heads = [header] if units is None else [header, units]
    text = "".join(csv_line(row, style) for row in [*heads, *rows])
    text = text.encode("utf-8", "replace").decode()  # half a character cannot be written
    if dialect is None and not text.isascii() and not hasattr(target, "write"):
        style = Dialect(encoding="utf-8-sig")
    if style.sep_line:
        text = f"sep={style.delimiter}\n" + text
    if isinstance(target, str | os.PathLike):
        replace_file(target, text, style.encoding)
    else:
        target.write(text)


def check_file(path: str | os.PathLike[str]) -> None:
    """Refuse a name by which another program would expect something else than a table of ours."""
    file = file_of(path)
    if "\0" in file:
        raise DataFileError(f"{file!r}: a NUL character cannot be in the name of a file")
    ending = os.path.splitext(file)[1].lower()
    if ending in NOT_WRITTEN:
        raise DataFileError(
            f"{file}: tables are written as CSV or .xlsx, and a program would take this one for "
            f"{NOT_WRITTEN[ending]}; give it a name that ends in .csv or .xlsx"
        )
    if ending == ".xlsx":
        openpyxl_or_error()


def replace_file(path: str | os.PathLike[str], text: str, encoding: str = "utf-8") -> None:
    """Put text in place of the file at once: a full disk leaves the old file as it was."""
    try:
        data = text.encode(encoding, errors="strict")
    except UnicodeEncodeError:
        data = text.encode("utf-8-sig")
    replace_bytes(path, data)


def replace_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """The same with bytes; when this returns, they are on disk."""
    if "\0" in os.fspath(path):
        raise DataFileError(f"{path!r}: a NUL character cannot be in the name of a file")
    path = os.path.realpath(path)
    if os.path.exists(path) and not os.access(path, os.W_OK):
        raise DataFileError(
            f"{path}: is read-only, so that nothing was written; allow writing, or give another "
            "name"
        )
    try:
        handle, draft = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".pathmax-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(draft, _mode(path))
            os.replace(draft, path)
        except BaseException:
            os.unlink(draft)
            raise
    except OSError as error:
        raise DataFileError(
            f"{path}: cannot be written: {error.strerror or error}; nothing was changed"
        ) from error


def _mode(path: str) -> int:
    """The permissions a plain open() would leave: those of the old file, or the process's."""
    if os.path.exists(path):
        return os.stat(path).st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def csv_line(row: Sequence[CellValue], style: Dialect) -> str:
    decimal, delimiter = style.decimal, style.delimiter
    quoted = decimal == delimiter  # a number with its decimal mark would be two cells
    cells = []
    for value in row:
        if isinstance(value, str):
            cells.append(_text_cell(value, delimiter))
            continue
        cell = format_cell(value, decimal)
        cells.append(f'"{cell}"' if quoted and decimal in cell else cell)
    return delimiter.join(cells) + "\n"


@lru_cache(maxsize=1024)  # states and choices stand in thousands of rows
def _text_cell(text: str, delimiter: str) -> str:
    cell = guard_parts(guard(text), delimiter)
    plain_number = delimiter != "," and reads_as_number(cell)
    if _NEEDS_QUOTES.search(cell) and not plain_number:
        cell = '"' + cell.replace('"', '""') + '"'
    return cell
