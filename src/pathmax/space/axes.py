"""Axis: what one coordinate of a point may be."""

from __future__ import annotations

import dataclasses
from typing import Literal

import numpy as np

from pathmax.arrays import Array
from pathmax.space.molecule_sets import Molecules

# Whole numbers and steps beyond this many are searched as if they were real and rounded: neighbours
# are then 1.5e-5 apart, far below any length scale that data could tell from zero.
MAX_LISTED_VALUES = 2**16


ABSENT = -1.0  # the coordinate of a parameter that is not active


@dataclasses.dataclass(frozen=True, eq=False)
class Axis:
    """What a coordinate may be: any number of [0, 1], or one of a sorted list of `values`.

    "int" is any ordered list (whole numbers, an axis of a grid), "categorical" one without order.
    `values` is None for "float", and for an "int" of more than 65,536 values.
    """

    kind: Literal["float", "int", "categorical"]
    values: Array | None = None
    properties: Array | None = None  # (k, q): what describes each category, if anything does
    conditional: bool = False  # whether it is ABSENT where a condition does not hold
    molecules: Molecules | None = None  # of each category, if they are molecules
    target: float | None = None  # of a fidelity: the coordinate that is wanted

    def held(self, u: float) -> Axis:
        """The same coordinate with the one value u, which need not be of the list."""
        return dataclasses.replace(self, values=np.array([u]))

    def project(self, u: Array) -> Array:  # (m,) -> (m,)
        """The nearest allowed coordinate."""
        if self.values is None:
            return np.clip(u, 0.0, 1.0)
        middles = 0.5 * (self.values[1:] + self.values[:-1])
        return self.values[np.searchsorted(middles, u, side="right")]

    def from_uniform(self, v: Array) -> Array:  # (m,) -> (m,)
        """Coordinates for v uniform on [0, 1]: every value of an equally spaced list alike."""
        if self.values is None or len(self.values) == 1:
            return self.project(v)
        first, last = self.values[:2], self.values[-2:]
        start = first[0] - 0.5 * (first[1] - first[0])
        end = last[1] + 0.5 * (last[1] - last[0])
        return self.project(start + v * (end - start))
