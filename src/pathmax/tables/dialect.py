"""How a CSV file is written: its encoding, what separates its cells, its decimal mark."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TextIO

from pathmax.errors import DataFileError

SAMPLE_BYTES = 65_536
# On a tie the earlier one wins: commas also occur inside numbers and names, the others rarely do.
DELIMITERS = ("\t", ";", "|", ",")

_NOT_TEXT = {
    b"PK\x03\x04": "an Excel workbook or another zip file; give a workbook a name that ends in "
    ".xlsx, or in Excel choose Save As, CSV UTF-8",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook; in Excel choose Save As, CSV UTF-8",
    b"PAR1": "a Parquet file, not a CSV; give it a name ending in .parquet",
    b"SQLite format 3": "a database, not a CSV; give it to --storage",
    b"%PDF": "a PDF, not a CSV",
}
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# Excel writes and obeys a first line such as "sep=;".
_SEP_LINE = re.compile(r'\s*"?sep=(?P<delimiter>.)"?\s*$', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Dialect:
    """What has to be known to read a file, and to write another that looks like it."""

    encoding: str = "utf-8"
    delimiter: str = ","
    decimal: str = "."
    sep_line: bool = False


def sniff(path: str) -> Dialect:
    """The dialect of the file, from its first bytes; the decimal mark shows only while reading."""
    with _explained(path), open(path, "rb") as file:
        sample = file.read(SAMPLE_BYTES)
    for magic, what in _NOT_TEXT.items():
        if sample.startswith(magic):
            raise DataFileError(f"{path}: this is {what}")
    encoding = _encoding(sample)
    if b"\x00" in sample and encoding != "utf-16":
        raise DataFileError(f"{path}: this is not a text file; expected a CSV")
    text = sample.decode(encoding, errors="replace")
    lines = [line for line in re.split(r"\r\n|\r|\n", text) if line.strip()]
    if not lines:
        raise DataFileError(
            f"{path}: the file is empty; expected a first line with the names of the columns"
        )
    if match := _SEP_LINE.match(lines[0]):
        return Dialect(encoding=encoding, delimiter=match["delimiter"], sep_line=True)
    return Dialect(encoding=encoding, delimiter=_delimiter(lines))


@contextmanager
def open_text(path: str, dialect: Dialect) -> Iterator[TextIO]:
    """The file as text, every failure told in the user's words."""
    with _explained(path), open(path, encoding=dialect.encoding, newline="") as file:
        yield file


def _encoding(sample: bytes) -> str:
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if sample.startswith(mark):
            return encoding
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return "cp1252"  # what Excel on Windows writes when it is not asked for UTF-8
    return "utf-8"


def _delimiter(lines: list[str]) -> str:
    header, *rows = (re.sub(r'"[^"]*"', "", line) for line in lines[:50])
    in_header = {mark: header.count(mark) for mark in DELIMITERS if mark in header}
    if not in_header:
        return ","

    def agreement(mark: str) -> float:
        return sum(row.count(mark) == in_header[mark] for row in rows[:-1]) / max(len(rows) - 1, 1)

    return max(in_header, key=agreement)


@contextmanager
def _explained(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        what = {
            FileNotFoundError: "there is no such file"
            f" (looked in {os.path.dirname(os.path.abspath(path))})",
            IsADirectoryError: "this is a folder; expected a CSV file",
            PermissionError: "no permission to read this file; ask its owner",
        }.get(type(error), f"cannot be read: {error.strerror or error}")
        raise DataFileError(f"{path}: {what}") from error
    except ValueError as error:
        if "\0" not in path:
            raise
        raise DataFileError(f"{path!r}: a NUL character cannot be in the name of a file") from error
