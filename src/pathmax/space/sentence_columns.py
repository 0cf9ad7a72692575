"""Many params as columns, as sentences read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from pathmax.arrays import Array, Index, Mask
from pathmax.scalars import Scalar

__all__ = ["ColumnTable", "ListedColumn"]


@final
@dataclass(frozen=True, eq=False)
class ListedColumn:
    """A column of values from a list: the list, and the place of each row in it."""

    values: Sequence[Scalar]
    places: Index  # (m,)

    def numbers(self) -> Array:  # -> (m,)
        return np.asarray(np.array(self.values, dtype=float)[self.places])

    def among(self, values: tuple[Scalar, ...]) -> Mask:  # -> (m,)
        wanted = {(isinstance(value, bool), value) for value in values}
        inside = [(isinstance(value, bool), value) in wanted for value in self.values]
        return np.asarray(np.array(inside, dtype=bool)[self.places])


@final
@dataclass(frozen=True, eq=False)
class ColumnTable:
    """Columns by name: numbers (m,), or places in a list."""

    length: int
    columns: Mapping[str, Array | ListedColumn]

    def __len__(self) -> int:
        return self.length

    def numbers(self, name: str) -> Array:  # -> (m,)
        column = self.columns[name]
        return column.numbers() if isinstance(column, ListedColumn) else column

    def among(self, name: str, values: tuple[Scalar, ...]) -> Mask:  # -> (m,)
        column = self.columns[name]
        if isinstance(column, ListedColumn):
            return column.among(values)
        numbers = [value for value in values if not isinstance(value, bool | str | None)]
        return np.asarray(np.isin(column, np.array(numbers, dtype=float)))
