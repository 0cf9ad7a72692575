"""Rows that may be tried at several fidelities: a quick assay of a molecule before the full one.

    row      0      0     1      1     2      2
    level    quick  full  quick  full  quick  full
    number   0      1     2      3     4      5         the levels run fastest

The level is a column like the others, so that a row is one thing to try for each level.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from pathmax.arrays import Index
from pathmax.errors import ParamsError
from pathmax.scalars import Scalar, describe, plain
from pathmax.space.candidate_rows import CandidateRows
from pathmax.space.categories import Categorical
from pathmax.space.columns import Column
from pathmax.space.fidelity import Fidelity
from pathmax.space.sought_rows import number_of, row_number

__all__ = ["LevelledRows"]


@final
@dataclass(frozen=True, eq=False)
class LevelledRows:
    """The rows of a table, each at every level of a fidelity."""

    table: CandidateRows
    name: str  # of the fidelity
    fidelity: Fidelity

    @cached_property
    def columns(self) -> dict[str, Column]:
        """The columns of the table and that of the fidelity, a cell for each row and level."""
        count = len(self.table)
        repeated = {
            name: replace(column, values=np.repeat(column.values, len(self.levels)))
            for name, column in self.table.columns.items()
        }
        named = isinstance(self.fidelity.parameter, Categorical)
        cells = np.arange(len(self.levels)) if named else np.array(self.levels)
        categories = self.levels if named else None
        level = Column(self.name, np.tile(cells, count), categories, fidelity=self.fidelity)
        return repeated | {self.name: level}

    @property
    def levels(self) -> tuple[Scalar, ...]:
        """The fidelities that a row may be tried at."""
        assert self.fidelity.levels is not None, "with_fidelity takes listed values only"
        return self.fidelity.levels

    @property
    def id(self) -> str | None:
        """The column that names a row of the table."""
        return self.table.id

    @property
    def smiles(self) -> str | None:
        """The column of molecules."""
        return self.table.smiles

    @cached_property
    def features(self) -> list[Column]:
        """The columns that are learnt from."""
        return [column for name, column in self.columns.items() if name != self.id]

    def __len__(self) -> int:
        return len(self.table) * len(self.levels)

    def row(self, index: int) -> dict[str, Scalar]:
        """Row `index` as it was given, with its level."""
        place, level = divmod(row_number(index, len(self)), len(self.levels))
        return self.table.row(place) | {self.name: self.levels[level]}

    def rows(self, indices: Sequence[int]) -> list[dict[str, Scalar]]:
        """Some rows as they were given."""
        return [self.row(int(index)) for index in indices]

    def remember(self, many: Iterable[Mapping[str, object]]) -> None:
        """All rows are at hand: nothing needs to be looked up beforehand."""

    def find(self, params: Mapping[str, object]) -> int:
        """The index of the row and level that `params` are, or a `ParamsError`."""
        if isinstance(params, Mapping) and self.name not in params:
            raise ParamsError(
                f"{self.name}: no value given; say how it was tried, as in "
                f"{{{self.name!r}: {self.fidelity.target!r}}}"
            )
        others = {name: value for name, value in params.items() if name != self.name}
        return self.table.find(others) * len(self.levels) + self._level(params[self.name])

    def first_with(self, name: str, value: object) -> int:
        """The first row with this value of a feature, or a `ParamsError`."""
        if name == self.name:
            return self._level(value)
        return self.table.first_with(name, value) * len(self.levels)

    def _level(self, value: object) -> int:
        """The place of a level among them."""
        wanted = plain(value)
        if not isinstance(self.fidelity.parameter, Categorical):
            wanted = number_of(self.columns[self.name], wanted)
        if wanted in self.levels:
            return self.levels.index(wanted)
        there = ", ".join(map(str, self.levels))
        raise ParamsError(
            f"{self.name}: expected one of {there}, got {describe(value)}; say how it was tried"
        )

    @cached_property
    def first(self) -> Index:
        """For each row the first one with the same features and level."""
        count = len(self.levels)
        return np.asarray((self.table.first[:, None] * count + np.arange(count)).ravel())

    @property
    def library_fingerprint(self) -> str:
        """The fingerprint of the table as a `Library` has it."""
        return self.table.library_fingerprint

    @property
    def fingerprint(self) -> str:
        """A hash of the content of the table."""
        return self.table.fingerprint

    def __getstate__(self) -> dict[str, Any]:
        # the columns are large and quickly made again
        return {"table": self.table, "name": self.name, "fidelity": self.fidelity}
