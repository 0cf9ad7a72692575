"""Descriptors: what is known of each choice, so that choices that are alike are known to be.

    Categorical(["THF", "dioxane", "water"], descriptors={
        "THF":     {"polarity": 0.21, "boiling point": 66},
        "dioxane": {"polarity": 0.16, "boiling point": 101},
        "water":   {"polarity": 1.00, "boiling point": 100},
    })

Or the name of a CSV file whose first column holds the choices. Rows of other choices are left out,
and so are columns of text in a file.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import SpaceError
from pathmax.scalars import Scalar, describe, plain
from pathmax.space.checks import finite_bound

__all__ = ["Descriptors", "read_descriptors"]

SPREAD = 1.0 / math.sqrt(12.0)  # the standard deviation of a number of [0, 1], as parameters are


@final
@dataclass(frozen=True)
class Descriptors:
    """Numbers that describe the choices of a parameter: `rows` in the order of the choices."""

    names: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]

    @property
    def standardised(self) -> Array:  # -> (k, q)
        """Each property with mean 0 and the spread of a parameter; those that vary only."""
        table = np.array(self.rows, dtype=float)
        table = table / np.abs(table).max(axis=0).clip(1e-300)  # no square overflows
        spread = table.std(axis=0)
        varies = spread > 1e-12
        return np.asarray(SPREAD * (table - table.mean(axis=0))[:, varies] / spread[varies])

    def to_json(self) -> dict[str, Any]:
        """What `from_json` makes them from."""
        return {"names": list(self.names), "rows": [list(row) for row in self.rows]}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Descriptors:
        """The descriptors that `to_json` wrote."""
        return cls(tuple(stored["names"]), tuple(tuple(map(float, r)) for r in stored["rows"]))

    def of(self, choices: Sequence[Scalar]) -> dict[Scalar, dict[str, float]]:
        """As they are written in Python."""
        return {
            choice: dict(zip(self.names, row, strict=True))
            for choice, row in zip(choices, self.rows, strict=True)
        }


def read_descriptors(name: str, given: object, choices: Sequence[Scalar]) -> Descriptors:
    """The descriptors of some choices, or a `SpaceError` that names the parameter."""
    table: Mapping[Any, Any]
    if isinstance(given, Descriptors):
        table = given.of(choices) if len(given.rows) == len(choices) else {}
    elif isinstance(given, str | os.PathLike):
        rows = _rows(given)
        table = {choice: rows[str(choice)] for choice in choices if str(choice) in rows}
    elif isinstance(given, Mapping):
        table = given
    else:
        raise SpaceError(
            f"{name}: descriptors are a dict such as {{'THF': {{'polarity': 0.2}}}}, or the name "
            f"of a CSV file, got {describe(given)}"
        )
    known = [_row(name, choice, table.get(choice)) for choice in choices]
    names = tuple(known[0])
    if not names:
        raise SpaceError(f"{name}: no properties given for {choices[0]!r}; give at least one")
    for choice, row in zip(choices, known, strict=True):
        odd = [*(p for p in names if p not in row), *(p for p in row if p not in names)]
        if odd:
            raise SpaceError(
                f"{name}: {odd[0]!r} is given for some choices and not for others, such as "
                f"{choices[0] if odd[0] in row else choice!r}; give every choice the same "
                "properties"
            )
    found = Descriptors(names, tuple(tuple(row[p] for p in names) for row in known))
    if not found.standardised.shape[1]:
        raise SpaceError(
            f"{name}: the descriptors are the same for all choices, so they say nothing; "
            "leave them out"
        )
    return found


def _row(name: str, choice: Scalar, given: object) -> dict[str, float]:
    if given is None:
        raise SpaceError(
            f"{name}: there are no descriptors for the choice {choice!r}; add them, or leave out "
            "the choice"
        )
    if not isinstance(given, Mapping):
        raise SpaceError(
            f"{name}: the descriptors of {choice!r} are a dict such as {{'polarity': 0.2}}, "
            f"got {describe(given)}"
        )
    for key in given:
        if not isinstance(key, str):
            raise SpaceError(f"{name}: the name of a property must be text, got {describe(key)}")
    return {key: finite_bound(name, f"{key} of {choice!r}", plain(v)) for key, v in given.items()}


def _rows(path: str | os.PathLike[str]) -> dict[str, dict[str, object]]:
    """The rows of a file by their first column, without columns of text."""
    from pathmax.tables import read_cells, read_table

    first = read_cells(path).header[0]
    table = read_table(path, text=[first])
    numbers = [column for column in table.header if not table.is_text(column)]
    if not numbers:
        raise table.error(None, None, f"there is no column of numbers beside {first!r}")
    rows: dict[str, dict[str, object]] = {}
    for i, choice in enumerate(map(str, table.columns[first])):
        if choice in rows:
            raise table.error(i, first, f"{choice!r} comes twice; remove one of the rows")
        rows[choice] = {column: table.columns[column][i].item() for column in numbers}
    return rows
