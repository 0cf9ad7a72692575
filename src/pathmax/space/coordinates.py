"""The parameters of a space as functions of u, for many points at once.

Sentences are about params, a search goes through points. Here are the columns of params at points,
rounded as a user receives them (`exact`) or smooth, for slopes (`smooth`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from pathmax.arrays import Array
from pathmax.scalars import Scalar
from pathmax.space.axes import Axis
from pathmax.space.parameters import Searched
from pathmax.space.sentence_columns import ColumnTable, ListedColumn

__all__ = ["Coordinates"]


@final
@dataclass(frozen=True, eq=False)
class Coordinates:
    """The searched parameters and their axes, in the order of the coordinates."""

    parameters: Mapping[str, Searched]
    axes: Sequence[Axis]
    fixed: Mapping[str, Scalar]

    @cached_property
    def _columns(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.parameters)}

    @cached_property
    def _tables(self) -> list[list[Scalar] | None]:
        """The params at the values of each listed axis."""
        return [
            None if axis.values is None else [p.decode(u) for u in axis.values.tolist()]
            for p, axis in zip(self.parameters.values(), self.axes, strict=True)
        ]

    def has(self, name: str) -> bool:
        """Whether a parameter has a coordinate: fixed ones have none."""
        return name in self.parameters

    def column(self, name: str) -> int:
        """The coordinate of a parameter."""
        return self._columns[name]

    def choices(self, name: str) -> tuple[Scalar, ...]:
        """The choices of a categorical parameter."""
        choices = self.parameters[name].choices
        assert choices is not None, "only a choice has choices"
        return choices

    def affine(self, weights: Mapping[str, float]) -> tuple[Array, float] | None:
        """A weighted sum of parameters as a'u + c, or None when one is not linear in u."""
        a, constant = np.zeros(len(self.axes)), 0.0
        for name, weight in weights.items():
            line = self.parameters[name].line
            if line is None:
                return None
            start, slope = line
            a[self.column(name)] += weight * slope
            constant += weight * start
        return a, constant

    def largest(self, name: str) -> float:
        """The largest absolute value of a parameter."""
        return self.parameters[name].largest

    def smooth(self, U: Array, names: Iterable[str]) -> ColumnTable:  # (m, d)
        """Some params at points, numbers without rounding."""
        columns = {name: self.parameters[name].smooth(U[:, self.column(name)]) for name in names}
        return ColumnTable(len(U), columns)

    def exact(self, U: Array) -> ColumnTable:  # (m, d)
        """The params at points as a user receives them."""
        columns: dict[str, Array | ListedColumn] = {}
        tables = zip(self.parameters.items(), self.axes, self._tables, U.T, strict=True)
        for (name, parameter), axis, table, u in tables:
            if table is None or axis.values is None:
                columns[name] = (
                    parameter.smooth(u)
                    if parameter.cardinality is None
                    else np.array([parameter.decode(x) for x in u.tolist()], dtype=float)
                )
            else:
                middles = 0.5 * (axis.values[1:] + axis.values[:-1])
                columns[name] = ListedColumn(table, np.searchsorted(middles, u, side="right"))
        for name, value in self.fixed.items():
            columns[name] = ListedColumn([value], np.zeros(len(U), dtype=np.intp))
        return ColumnTable(len(U), columns)
