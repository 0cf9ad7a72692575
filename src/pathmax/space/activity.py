"""Activity: which coordinates of a point count, in a space with conditions."""

from __future__ import annotations

import math
from typing import final

import numpy as np

from pathmax.arrays import Array
from pathmax.space.axes import ABSENT
from pathmax.space.conditions import Conditions
from pathmax.space.coordinates import Coordinates

__all__ = ["Activity"]

MOST_COUNTED = 100_000  # combinations of what decides: of more, nobody will try all


@final
class Activity:
    """Where the coordinates of a space count; `settle` puts ABSENT in place of the others."""

    def __init__(self, conditions: Conditions, coordinates: Coordinates) -> None:
        self.conditions, self.coordinates = conditions, coordinates
        self.deciding = [name for name in conditions.deciding if coordinates.has(name)]

    def settle(self, U: Array) -> Array:  # (m, d) -> (m, d)
        """The same points with ABSENT where a parameter is not active."""
        settled, at = U.copy(), self.coordinates
        for name, there in self.conditions.masks(at.exact(U, self.deciding)).items():
            if at.has(name):
                settled[~there, at.column(name)] = ABSENT
        return settled

    def count(self) -> int | None:
        """How many different points there are; None when they are uncountable, or too many."""
        listed = [axis.values for axis in self.coordinates.axes if axis.values is not None]
        if len(listed) < len(self.coordinates.axes):
            return None
        sizes = [len(values) for values in listed]
        deciding = [self.coordinates.column(name) for name in self.deciding]
        combinations = int(np.prod([float(sizes[i]) for i in deciding]))
        if combinations > MOST_COUNTED:
            return None
        places = np.indices([sizes[i] for i in deciding]).reshape(len(deciding), -1)
        U = np.zeros((places.shape[1] if deciding else 1, len(sizes)))
        for i, place in zip(deciding, places, strict=True):
            U[:, i] = listed[i][place]
        settled = self.settle(U)
        others = [i for i in range(len(sizes)) if i not in deciding]
        _, first = np.unique(settled[:, deciding], axis=0, return_index=True)
        return sum(
            math.prod(sizes[i] for i in others if row[i] != ABSENT) for row in settled[first]
        )
