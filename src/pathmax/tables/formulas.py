"""Cells that a spreadsheet would run get a quotation mark before them, which reading takes away.

    =1+1            ->  '=1+1               what begins like a formula
    x;=HYPERLINK()  ->  x;'=HYPERLINK()     what would, in a program that parts cells elsewhere

A program that expects semicolons parts a file with commas at every semicolon, whether or not it
stands in quotation marks, and each part is a cell of its own. So what follows a mark by which other
programs part cells is guarded as well. See OWASP, "CSV injection".
"""

from __future__ import annotations

import re
from functools import cache

from pathmax.tables.numbers import reads_as_number

FORMULA_STARTS = "=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20"  # also in full width; for a regex
BLANKS = "\\s\x00-\x1f\x7f\u200b-\u200f\u2060\ufeff"  # what programs may drop before it
SEPARATORS = "\t;|,"

_STARTS_A_FORMULA = re.compile(rf"'*[{BLANKS}]*[{FORMULA_STARTS}]")
_GUARDED = re.compile(rf"'+[{BLANKS}]*[{FORMULA_STARTS}]")


def guard(text: str) -> str:
    """The text so that it starts no formula; numbers are left as they are."""
    # Text that begins with our own guard gets another, so that reading gives back what was written.
    return "'" + text if _STARTS_A_FORMULA.match(text) and not reads_as_number(text) else text


def unguard(text: str) -> str:
    """What `guard` was given."""
    return text[1:] if _GUARDED.match(text) else text


def guard_parts(text: str, delimiter: str) -> str:
    """The text so that no part of it starts a formula where another delimiter is expected."""
    return _risky_parts(delimiter).sub("'", text)


def unguard_parts(text: str, delimiter: str) -> str:
    """What `guard_parts` was given."""
    return _guarded_parts(delimiter).sub("", text) if "'" in text else text


@cache
def _risky_parts(delimiter: str) -> re.Pattern[str]:
    """Places after a mark of other programs where something follows that could run."""
    return re.compile(f"(?<=[{_others(delimiter)}])(?={_RISKY})")


@cache
def _guarded_parts(delimiter: str) -> re.Pattern[str]:
    return re.compile(f"(?<=[{_others(delimiter)}])'(?={_RISKY})")


# A part that begins with a sign runs nothing unless it calls, names another cell or program, or
# compares: "-5 °C" stays as it is.
_RISKY = f"[{BLANKS}\"']*(?:[=@\uff1d\uff20]|[+\\-\uff0b\uff0d][^\r\n]*[(!|=@])"


def _others(delimiter: str) -> str:
    marks = "".join(re.escape(mark) for mark in SEPARATORS if mark != delimiter)
    return f"{marks}\r\n"
