"""What objectives are worth: their values in the user's units, larger is better.

Models see values that are bent towards a normal shape (`trials.value_transform`), which draws some
apart and others together. Which point is better does not depend on that, but how much better does:
what a point is expected to add to a hypervolume is measured in the user's units, up to a shift and
a factor for each objective, which change no choice. Where the models are, a front would be worth
most where its values happen to be drawn apart (benchmarks/choices.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from pathmax.arrays import Array
from pathmax.trials.value_transform import ValueTransform


@final
@dataclass(frozen=True, eq=False)
class ObjectiveUnits:
    """The transforms of the objectives, in their order; without any, values are as they are."""

    transforms: tuple[ValueTransform, ...] = ()

    def straighten(self, values: Array) -> Array:  # (m, K) -> (m, K)
        """From the units of the models to those of the user."""
        if not self.transforms:
            return values
        both = zip(self.transforms, values.T, strict=True)
        return np.stack([one.straighten(column) for one, column in both], axis=1)

    def bend(self, straight: Array) -> Array:  # (m, K) -> (m, K)
        """The way back."""
        if not self.transforms:
            return straight
        both = zip(self.transforms, straight.T, strict=True)
        return np.stack([one.bend(column) for one, column in both], axis=1)

    def bent(self, k: int) -> ValueTransform | None:
        """The transform of objective k, where it is more than a shift and a factor."""
        if not self.transforms or not self.transforms[k].is_bent:
            return None
        return self.transforms[k]


AS_MODELLED = ObjectiveUnits()
