"""Add rows to a sheet of somebody's workbook and keep everything else as it is, byte for byte.

A workbook is a zip file of XML files. Programs that read it whole and write it anew lose what they
do not know: charts, pictures, macros, pivot tables. So only the rows are put into the XML of the
one sheet, and the range of an Excel table that ends there grows with them.

    <sheetData> ... <row r="7"><c r="A7" s="2"><v>1.5</v></c></row>  |  </sheetData>
                                                                     new rows
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from pathmax.errors import DataFileError
from pathmax.tables.new_workbook import CellValue, written_out
from pathmax.tables.workbook import openpyxl_or_error

_AREA = re.compile(r"\$?([A-Z]+)\$?(\d+)(?::\$?([A-Z]+)\$?(\d+))?")
_DIMENSION = re.compile(rb'(<(?:\w+:)?dimension\b[^>]*\bref=")([A-Z0-9:]+)(")')
_TABLE_REF = re.compile(rb'(<(?:\w+:)?(?:table|autoFilter)\b[^>]*?\sref=")([A-Z0-9:]+)(")')


@dataclass(slots=True)
class _CellAt:
    column: int
    start: int
    end: int
    style: str | None
    filled: bool = False


@dataclass(slots=True)
class _RowAt:
    number: int
    start: int
    end: int
    attributes: dict[str, str]
    cells: list[_CellAt] = field(default_factory=list)


def with_rows(
    file: str,
    title: str,
    letters: Sequence[str],
    rows: Sequence[Sequence[CellValue]],
    after: int,
    header_line: int,
) -> bytes:
    """The workbook with rows below row `after` of a sheet, in the columns of these letters."""
    with zipfile.ZipFile(file) as archive:
        name = _member(archive, title)
        sheet = _Sheet(archive.read(name), f"{file}#{title}")
        changed = {name: sheet.with_rows(letters, rows, after, header_line)}
        for table in _related(archive, name, "/table"):
            changed[table] = _grown(archive.read(table), _TABLE_REF, header_line, after, len(rows))
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as copy:
            copy.comment = archive.comment
            for info in archive.infolist():
                name = info.filename
                data = changed[name] if name in changed else archive.read(info)
                copy.writestr(info, data, info.compress_type)
    return stream.getvalue()


class _Sheet:
    """The XML of a sheet, and where its rows and cells stand in it."""

    def __init__(self, data: bytes, place: str) -> None:
        self.data, self.place = data, place
        self.rows: list[_RowAt] = []
        self.end = -1  # where the rows end
        self.prefix = ""
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._started
        parser.EndElementHandler = self._ended
        self._parser = parser
        parser.Parse(data, True)
        if self.end < 0 or (b"encoding" in data[:100] and b"utf-8" not in data[:100].lower()):
            raise DataFileError(
                f"{place}: the sheet is not written as Excel writes one; open the workbook in "
                "Excel and save it again"
            )

    def _started(self, name: str, attributes: dict[str, str]) -> None:
        prefix, _, local = name.rpartition(":")
        at = self._parser.CurrentByteIndex
        if local == "sheetData":
            self.prefix = f"{prefix}:" if prefix else ""
        elif local == "row":
            before = self.rows[-1].number if self.rows else 0
            number = int(attributes.get("r", before + 1))
            self.rows.append(_RowAt(number, at, self.data.index(b">", at) + 1, attributes))
        elif local == "c" and self.rows:
            cells = self.rows[-1].cells
            before = cells[-1].column if cells else 0
            column = _column(attributes["r"]) if "r" in attributes else before + 1
            end = self.data.index(b">", at) + 1
            cells.append(_CellAt(column, at, end, attributes.get("s")))
        elif local in ("v", "f", "is") and self.rows and self.rows[-1].cells:
            self.rows[-1].cells[-1].filled = True

    def _ended(self, name: str) -> None:
        local, at = name.rpartition(":")[2], self._parser.CurrentByteIndex
        if local == "sheetData":
            self.end = at
        elif local == "row":
            self.rows[-1].end = max(self.rows[-1].end, self.data.index(b">", at) + 1)
        elif local == "c" and self.rows and self.rows[-1].cells:
            cell = self.rows[-1].cells[-1]
            cell.end = max(cell.end, self.data.index(b">", at) + 1)

    def with_rows(
        self,
        letters: Sequence[str],
        rows: Sequence[Sequence[CellValue]],
        after: int,
        header_line: int,
    ) -> bytes:
        columns = [_column(letter) for letter in letters]
        known = {row.number: row for row in self.rows}
        above = known[after].cells if after > header_line and after in known else []
        styles = {cell.column: cell.style for cell in above}  # numbers look as those above
        pieces: list[tuple[int, int, bytes]] = []
        for number, values in enumerate(rows, start=after + 1):
            there = known.get(number)
            start = there.start if there else self._before(number)
            end = there.end if there else start
            made = self._row(number, dict(zip(columns, values, strict=True)), there, styles)
            pieces.append((start, end, made))
        data = bytearray(self.data)
        for start, end, made in reversed(sorted(pieces, key=lambda piece: piece[0])):
            data[start:end] = made
        return _grown(bytes(data), _DIMENSION, header_line, after, len(rows))

    def _before(self, number: int) -> int:
        return next((row.start for row in self.rows if row.number > number), self.end)

    def _row(
        self,
        number: int,
        values: Mapping[int, CellValue],
        there: _RowAt | None,
        styles: Mapping[int, str | None],
    ) -> bytes:
        cells: dict[int, bytes] = {}
        own: dict[int, str | None] = {}
        for cell in there.cells if there else ():
            if cell.filled and cell.column in values:
                raise DataFileError(
                    f"{self.place}, cell {_letters(cell.column)}{number}: somebody has written "
                    "there meanwhile; run the command again"
                )
            cells[cell.column] = self.data[cell.start : cell.end]
            own[cell.column] = cell.style
        for column, value in values.items():
            style = own.get(column) or styles.get(column)
            if value is not None and value != "":
                cells[column] = self._cell(f"{_letters(column)}{number}", value, style)
        attributes = (there.attributes if there else {}) | {"r": str(number)}
        listed = " ".join(f"{name}={quoteattr(text)}" for name, text in attributes.items())
        inside = b"".join(cells[column] for column in sorted(cells))
        tag = f"{self.prefix}row"
        return f"<{tag} {listed}>".encode() + inside + f"</{tag}>".encode()

    def _cell(self, where: str, value: CellValue, style: str | None) -> bytes:
        p, s = self.prefix, f' s="{style}"' if style else ""
        if isinstance(value, bool):
            return f'<{p}c r="{where}"{s} t="b"><{p}v>{int(value)}</{p}v></{p}c>'.encode()
        if isinstance(value, int | float):
            return f'<{p}c r="{where}"{s}><{p}v>{value!r}</{p}v></{p}c>'.encode()
        text = escape(written_out(str(value)))  # text in place: never a formula
        inside = f'<{p}is><{p}t xml:space="preserve">{text}</{p}t></{p}is>'
        return f'<{p}c r="{where}"{s} t="inlineStr">{inside}</{p}c>'.encode()


def _grown(data: bytes, what: re.Pattern[bytes], top: int, last: int, more: int) -> bytes:
    """The XML with areas that hold the header and the last row made longer by some rows."""

    def grow(found: re.Match[bytes]) -> bytes:
        area = _AREA.fullmatch(found[2].decode())
        if area is None or area[4] is None or not int(area[2]) <= top <= int(area[4]):
            return found[0]
        bottom = max(int(area[4]), last + more) if int(area[4]) >= last else int(area[4])
        return found[1] + f"{area[1]}{area[2]}:{area[3]}{bottom}".encode() + found[3]

    return what.sub(grow, data)


def _member(archive: zipfile.ZipFile, title: str) -> str:
    """The name of the file in the archive that holds the sheet of that title."""
    book = "xl/workbook.xml"
    related = _relations(archive, book)
    for element in ElementTree.fromstring(archive.read(book)).iter():
        if _local(element.tag) == "sheet" and element.get("name") == title:
            key = next(value for name, value in element.items() if _local(name) == "id")
            return related[key][1]
    raise DataFileError(f"{archive.filename}: there is no sheet {title!r} any more")


def _related(archive: zipfile.ZipFile, member: str, kind: str) -> list[str]:
    found = _relations(archive, member).values()
    return [target for type_, target in found if type_.endswith(kind)]


def _relations(archive: zipfile.ZipFile, member: str) -> dict[str, tuple[str, str]]:
    """Type and target of what a file of the archive refers to, by their keys."""
    folder, name = posixpath.split(member)
    path = f"{folder}/_rels/{name}.rels"
    if path not in archive.namelist():
        return {}
    found = {}
    for element in ElementTree.fromstring(archive.read(path)):
        target = element.get("Target", "")
        whole = target[1:] if target.startswith("/") else posixpath.join(folder, target)
        found[element.get("Id", "")] = (element.get("Type", ""), posixpath.normpath(whole))
    return found


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _column(where: str) -> int:
    """The number of a column: A and A7 are 1, AB is 28."""
    number: int = openpyxl_or_error().utils.column_index_from_string(where.rstrip("0123456789"))
    return number


def _letters(column: int) -> str:
    return str(openpyxl_or_error().utils.get_column_letter(column))
