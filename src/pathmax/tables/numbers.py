"""Numbers as people write them, and the ones that could mean two things."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

from pathmax.arrays import Array

_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+")  # 0,287 can only be a decimal comma
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:[ '\u00a0\u202f.,]\d{3})+(?:[.,]\d+)?")
_WITH_UNIT = re.compile(r"(?P<number>[+-]?\d+(?:[.,]\d+)?)\s*(?P<unit>\S.*)")


def reads_as_number(cell: str) -> bool:
    """Whether the cell is one number, with a decimal point or a decimal comma."""
    return _NUMBER.fullmatch(_plain(cell)) is not None


def has_decimal_comma(cell: str) -> bool:
    return "," in cell and reads_as_number(cell)


def reads_as_thousands(cell: str) -> bool:
    """Whether a comma in this cell could be a thousands separator (1,234)."""
    return _THOUSANDS.fullmatch(_plain(cell)) is not None


def parse_number(cell: str, decimal: str = ".") -> float:
    """The number in a cell; ValueError carries what to write instead.

    The other decimal mark, thousands separators, units and infinities are refused: a value that is
    wrong by a factor of a thousand is worse than an error.
    """
    text = _plain(cell)
    if _NUMBER.fullmatch(text) is None:
        raise ValueError(_reason(text))
    if decimal == "," and "." in text:
        raise ValueError(
            f"{text!r} has a decimal point where other numbers of the file have decimal commas; "
            "use one of the two throughout"
        )
    if decimal == "." and "," in text:
        raise ValueError(
            f"{text!r} has a comma that may group thousands or be a decimal mark; "
            "write the number without it or with a decimal point"
        )
    number = float(text.replace(",", "."))
    if not math.isfinite(number):
        raise ValueError(f"{cell.strip()!r} is too large for a number")
    return number


def parse_column(cells: Sequence[str], decimal: str) -> Array:  # -> (n,)
    """All cells at once, blank ones as NaN; ValueError when any of them is not a number."""
    joined = "\n".join(cells)
    other = "." if decimal == "," else ","
    if "_" in joined or other in joined:  # float("1_0") is 10, but in a file it is a label
        raise ValueError
    plain = joined.replace(",", ".").split("\n") if decimal == "," else cells
    if len(plain) != len(cells):
        raise ValueError
    try:
        column = np.fromiter(map(float, plain), np.float64, len(cells))
    except ValueError:
        return np.array([parse_number(c, decimal) if c.strip() else math.nan for c in cells])
    if not np.isfinite(column).all():
        raise ValueError
    return column


def format_number(value: float, decimal: str = ".", digits: int | None = None) -> str:
    """The shortest text that reads back as the same number; `digits` keeps that many.

    What is not finite is written as Python writes it (inf, -inf, nan); no table reads it back.
    """
    if not math.isfinite(value):
        return repr(float(value))
    if digits is not None and value:
        value = float(f"{value:.{digits}g}")
    text = repr(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))
    return text.replace(".", decimal)


def _plain(cell: str) -> str:
    return cell.strip().replace("\u2212", "-")  # the minus sign of word processors


def _reason(text: str) -> str:
    if text.endswith("%") and (number := text[:-1].strip()):
        return f"{text!r} is not a number; write {number} without the % sign"
    if _GROUPED.fullmatch(text):
        return f"{text!r} has a thousands separator; write it with one decimal mark and no other"
    if match := _WITH_UNIT.fullmatch(text):
        return (
            f"{text!r} is not a number; write {match['number']} here and move "
            f"{match['unit']!r} to the header or to a units row"
        )
    return f"{text!r} is not a number"
