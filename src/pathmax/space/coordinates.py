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
    def _listed(self) -> dict[str, list[Scalar]]:
        """The params at the values of listed axes, as far as they were asked for."""
        return {}

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

    def exact(self, U: Array, names: Iterable[str] | None = None) -> ColumnTable:  # (m, d)
        """Some params at points, or all of them, as a user receives them; and what is fixed."""
        columns: dict[str, Array | ListedColumn] = {
            name: ListedColumn([value], np.zeros(len(U), dtype=np.intp))
            for name, value in self.fixed.items()
        }
        for name in self.parameters if names is None else names:
            parameter, u = self.parameters[name], U[:, self.column(name)]
            values = self.axes[self.column(name)].values
            if values is not None:
                if name not in self._listed:
                    self._listed[name] = [parameter.decode(x) for x in values.tolist()]
                middles = 0.5 * (values[1:] + values[:-1])
                places = np.searchsorted(middles, u, side="right")
                columns[name] = ListedColumn(self._listed[name], places)
            elif parameter.cardinality is None:
                columns[name] = parameter.smooth(u)
            else:
                columns[name] = np.array([parameter.decode(x) for x in u.tolist()], dtype=float)
        return ColumnTable(len(U), columns)
