"""Columns of text that hold numbers: which they are, and what to say of a cell that is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathmax.tables.dialect import Dialect
from pathmax.tables.numbers import parse_column, parse_number, reads_as_number, reads_as_thousands

# From this share of numbers on, a cell that is not one is a slip and not a sign of text.
MOSTLY = 0.5

# What other programs write into a cell without a value.
NO_VALUE = {"na", "n/a", "#n/a", "nan", "null", "none", "nil", "-", "--", "?", "."}

Column = NDArray[Any]


class DecimalCommaError(Exception):
    """Read again: the file has decimal commas."""


class TextColumnsError(Exception):
    """Read again: these columns are text."""

    def __init__(self, columns: set[str]) -> None:
        self.columns = columns


def number_column(
    cells: Sequence[str], dialect: Dialect, refuse: Callable[..., Exception], name: str
) -> Column:
    """A column of numbers; `refuse(row, message=...)` makes the error about a cell of it."""
    try:
        return parse_column(cells, dialect.decimal)
    except ValueError:
        pass
    filled = [i for i, cell in enumerate(cells) if cell.strip()]
    odd = [i for i in filled if not reads_as_number(cells[i])]
    if odd and len(odd) >= (1 - MOSTLY) * len(filled):
        raise TextColumnsError({name})
    if odd:
        found = cells[odd[0]].strip()
        remedy = "correct it, or write a letter before the others if they are labels"
        if found.lower() in NO_VALUE:
            remedy = "leave cells empty where there is no value"
        message = f"{found!r} is not a number, but most cells of this column are; {remedy}"
        raise refuse(odd[0], message=message)
    commas = [cell for cell in cells if "," in cell]
    if dialect.decimal == "." and commas and not all_thousands(commas, dialect):
        raise DecimalCommaError
    for i in filled:
        try:
            parse_number(cells[i], dialect.decimal)
        except ValueError as error:
            raise refuse(i, message=str(error)) from error
    raise AssertionError("a column that cannot be parsed has a cell that cannot")


def all_thousands(commas: list[str], dialect: Dialect) -> bool:
    """Whether 1,234 is more likely 1234: parse_number then asks which."""
    return dialect.delimiter == "," and all(map(reads_as_thousands, commas))


def whole_numbers(column: Column) -> Column:
    """Whole numbers as integers, so that 3 does not come back as 3.0."""
    if column.dtype == object or not np.isfinite(column).all():
        return column
    if np.abs(column).max(initial=0.0) >= 2**53:
        return column
    whole = column.astype(np.int64)
    return whole if np.array_equal(whole, column) else column
