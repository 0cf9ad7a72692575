"""Activity: which coordinates of a point count, in a space with conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, final

import numpy as np

from pathmax.arrays import Array
from pathmax.scalars import Scalar
from pathmax.space.axes import ABSENT, Axis
from pathmax.space.conditions import Conditions
from pathmax.space.parameters import Searched
from pathmax.space.sentence_columns import ColumnTable, ListedColumn

__all__ = ["Activity"]

MOST_COUNTED = 100_000  # combinations of what decides: of more, nobody will try all


@final
class Activity:
    """Where the coordinates of a space count; `settle` puts ABSENT in place of the others."""

    def __init__(
        self,
        conditions: Conditions,
        searched: Mapping[str, Searched],
        fixed: Mapping[str, Scalar],
        axes: Sequence[Axis],
    ) -> None:
        self.conditions, self.axes = conditions, axes
        self.column = {name: i for i, name in enumerate(searched)}
        self.deciding = {name: searched[name] for name in conditions.deciding if name in searched}
        self.fixed = {name: fixed[name] for name in conditions.deciding if name in fixed}

    def settle(self, U: Array) -> Array:  # (m, d) -> (m, d)
        """The same points with ABSENT where a parameter is not active."""
        settled = U.copy()
        for name, there in self.conditions.masks(self._columns(U)).items():
            if name in self.column:
                settled[~there, self.column[name]] = ABSENT
        return settled

    def _columns(self, U: Array) -> ColumnTable:
        columns: dict[str, Array | ListedColumn] = {}
        for name, value in self.fixed.items():
            columns[name] = ListedColumn([value], np.zeros(len(U), dtype=np.intp))
        for name, parameter in self.deciding.items():
            u, values = U[:, self.column[name]], self.axes[self.column[name]].values
            if values is not None:
                middles = 0.5 * (values[1:] + values[:-1])
                places = np.searchsorted(middles, u, side="right")
                columns[name] = ListedColumn(self._listed[name], places)
            elif parameter.cardinality is None:
                columns[name] = parameter.smooth(u)
            else:
                columns[name] = np.array([parameter.decode(x) for x in u.tolist()], dtype=float)
        return ColumnTable(len(U), columns)

    @cached_property
    def _listed(self) -> dict[str, list[Any]]:
        """The values of each listed parameter that decides."""
        found = {}
        for name, parameter in self.deciding.items():
            values = self.axes[self.column[name]].values
            if values is not None:
                found[name] = [parameter.decode(u) for u in values.tolist()]
        return found

    def count(self) -> int | None:
        """How many different points there are; None when they are uncountable, or too many."""
        if any(axis.values is None for axis in self.axes):
            return None
        sizes = [len(axis.values) for axis in self.axes if axis.values is not None]
        deciding = [self.column[name] for name in self.deciding]
        combinations = int(np.prod([float(sizes[i]) for i in deciding]))
        if combinations > MOST_COUNTED:
            return None
        places = np.indices([sizes[i] for i in deciding]).reshape(len(deciding), -1)
        U = np.zeros((places.shape[1] if deciding else 1, len(self.axes)))
        for i, place in zip(deciding, places, strict=True):
            values = self.axes[i].values
            assert values is not None, "finite axes have values"
            U[:, i] = values[place]
        settled = self.settle(U)
        others = [i for i in range(len(self.axes)) if i not in deciding]
        _, first = np.unique(settled[:, deciding], axis=0, return_index=True)
        total = 0
        for row in settled[first]:
            product = 1
            for i in others:
                product *= sizes[i] if row[i] != ABSENT else 1
            total += product
        return total
