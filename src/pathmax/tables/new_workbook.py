"""A new workbook with one sheet, in which every text is text and no cell a formula."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Sequence

from pathmax.errors import DataFileError
from pathmax.tables.formulas import BLANKS, FORMULA_STARTS
from pathmax.tables.workbook import file_of, openpyxl_or_error, split_sheet

TITLE = "pathmax"
WIDEST = 60
_RISKY = re.compile(rf"[{BLANKS}]*[{FORMULA_STARTS}]")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NO_TITLE = re.compile(r"[\\/*?:\[\]]")

CellValue = str | float | int | bool | None


def workbook_bytes(
    path: str | os.PathLike[str],
    header: Sequence[str],
    rows: Iterable[Sequence[CellValue]],
    units: Sequence[str] | None = None,
) -> bytes:
    """The file: rows below a header, on a sheet named as the path says (`next.xlsx#Runs`)."""
    openpyxl = openpyxl_or_error()
    title = split_sheet(path)[1] or TITLE
    if len(title) > 31 or _NO_TITLE.search(title):
        raise DataFileError(
            f"{path}: Excel takes no sheet named {title!r}; use at most 31 letters, and none of "
            "\\ / * ? : [ ]"
        )
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = title
    table = [header, *([] if units is None else [units]), *rows]
    for i, row in enumerate(table, start=1):
        for j, value in enumerate(row, start=1):
            if value is None or value == "":
                continue
            cell = sheet.cell(i, j)
            if isinstance(value, str):
                cell.value = written_out(value)
                cell.data_type = "s"  # never a formula, whatever it begins with
                cell.quotePrefix = bool(_RISKY.match(value))  # nor when somebody edits it
            elif isinstance(value, bool):
                cell.value = value
            else:
                cell.value, cell.data_type = repr(value), "n"  # openpyxl drops the 17th digit
            if i == 1:
                cell.font = openpyxl.styles.Font(bold=True)
    for j, name in enumerate(header, start=1):
        width = max(len(str(name)), *(len(str(row[j - 1])) for row in table)) + 2
        sheet.column_dimensions[openpyxl.utils.get_column_letter(j)].width = min(width, WIDEST)
    sheet.freeze_panes = "A2"
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def written_out(text: str) -> str:
    """Text without the characters that no workbook can hold: they are written out."""
    return _NOT_XML.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def check_not_open(path: str | os.PathLike[str]) -> None:
    """Refuse a workbook that Excel or LibreOffice has open: each would undo the other's work."""
    folder, name = os.path.split(os.path.abspath(file_of(path)))
    for lock, program in ((f"~${name}", "Excel"), (f".~lock.{name}#", "LibreOffice")):
        if os.path.exists(os.path.join(folder, lock)):
            raise DataFileError(
                f"{file_of(path)}: the workbook is open in {program} (there is a file {lock}); "
                "close it and try again. Nothing was written. If it is open nowhere, delete that "
                "file"
            )
