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

FORMULA_SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20"  # also in full width; for a regex
FORMULA_STARTS = f"{FORMULA_SIGNS}\t\r\n"
WITHIN_A_LINE = " \xa0\u3000\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b-\u200f\u2060\ufeff"
BLANKS = f"\\s{WITHIN_A_LINE}"  # what programs may drop before it
SEPARATORS = "\t;|,"
# What has none of these calls nothing, names no other cell or program and compares nothing: it is
# harmless, and "cooled, -5 °C" or "1;-1" stays as it is.
COULD_RUN = re.compile("[(!|=@\uff1d\uff20]")

_STARTS_A_FORMULA = re.compile(rf"'*[{BLANKS}]*[{FORMULA_STARTS}]")
_GUARDED = re.compile(rf"'+[{BLANKS}]*[{FORMULA_STARTS}]")
_LINE_ENDS = re.compile("(\r\n|\r|\n)")


def guard(text: str) -> str:
    """The text so that it starts no formula; numbers are left as they are."""
    # Text that begins with our own guard gets another, so that reading gives back what was written.
    return "'" + text if _STARTS_A_FORMULA.match(text) and not reads_as_number(text) else text


def unguard(text: str) -> str:
    """What `guard` was given."""
    return text[1:] if _GUARDED.match(text) else text


def guard_parts(text: str, delimiter: str) -> str:
    """The text so that no part of it starts a formula where another delimiter is expected."""
    return _in_each_line(text, delimiter, "", "'")


def unguard_parts(text: str, delimiter: str) -> str:
    """What `guard_parts` was given."""
    return _in_each_line(text, delimiter, "'", "") if "'" in text else text


def _in_each_line(text: str, delimiter: str, before: str, after: str) -> str:
    """Put a guard, or take it away, where parts start, in lines that could run.

    Line by line, as each but the first may be a row of its own elsewhere; a guard does not change
    whether a line could run.
    """
    if not COULD_RUN.search(text):
        return text
    lines = _LINE_ENDS.split(text)
    for i, line in enumerate(lines):
        if COULD_RUN.search(line):
            lines[i] = _starts_of_parts(delimiter, before, first=i == 0).sub(after, line)
    return "".join(lines)


@cache
def _starts_of_parts(delimiter: str, guarded: str, first: bool) -> re.Pattern[str]:
    """Places in a line where another program may begin a cell, and something risky follows."""
    marks = "".join(mark for mark in SEPARATORS if mark != delimiter)
    place = f"(?<=[{marks}])" if first else f"(?:^|(?<=[{marks}]))"
    blanks = WITHIN_A_LINE if "\t" in marks else f"\t{WITHIN_A_LINE}"
    return re.compile(f"{place}{guarded}(?=[{blanks}\"']*[{FORMULA_SIGNS}])")
