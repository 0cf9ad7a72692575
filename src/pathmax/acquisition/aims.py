"""What a climb of joint paths aims at: to surpass points, to fill a gap, to add volume."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

import numpy as np

from pathmax.acquisition.hypervolume import Boxes
from pathmax.arrays import Array, Index


class Aim(ABC):
    """What each start climbs: a function of its objectives in spans."""

    @abstractmethod
    def __call__(self, q: Array, starts: Index, blur: float) -> tuple[Array, Array]:
        """Values (m,) and slopes (m, K) at q (m, K), which belong to these starts (m,)."""


@final
@dataclass(frozen=True, eq=False)
class Surpass(Aim):
    """min over some objectives of q_k - level_k: better in all of them at once (Chebyshev)."""

    levels: Array  # (S, K)
    of: Array  # (S, K), 1 where an objective counts and 0 where not

    def __call__(self, q: Array, starts: Index, blur: float) -> tuple[Array, Array]:
        over = np.where(self.of[starts] > 0, q - self.levels[starts], np.inf)
        return smooth_minimum(over, blur)


@final
@dataclass(frozen=True, eq=False)
class FillGap(Aim):
    """min over data e of max_k (q_k - e_k): how far the data fall short of a point."""

    data: Array  # (E, K) in spans

    def __call__(self, q: Array, starts: Index, blur: float) -> tuple[Array, Array]:
        short, share = smooth_minimum(self.data - q[:, None], blur)  # minus the largest
        value, weight = smooth_minimum(-short, blur)
        return value, np.einsum("me,mek->mk", weight, share)


@final
@dataclass(frozen=True, eq=False)
class AddVolume(Aim):
    """The hypervolume that a point adds, in units of the largest that is known."""

    boxes: Boxes  # in spans
    unit: float

    def __call__(self, q: Array, starts: Index, blur: float) -> tuple[Array, Array]:
        sides = np.minimum(q[:, None], self.boxes.upper) - self.boxes.lower
        moves = (sides > 0.0) & (q[:, None] < self.boxes.upper)
        sides = np.maximum(sides, 0.0)
        slope = np.empty_like(q)
        for k in range(q.shape[1]):
            others = np.prod(np.delete(sides, k, axis=2), axis=2)
            slope[:, k] = (others * moves[:, :, k]).sum(axis=1)
        return np.prod(sides, axis=2).sum(axis=1) / self.unit, slope / self.unit


def smooth_minimum(
    values: Array, blur: float
) -> tuple[Array, Array]:  # (..., K) -> (...), (..., K)
    """-blur log sum_k exp(-v_k / blur) over the last axis, at most the minimum, and its slopes."""
    low = values.min(axis=-1, keepdims=True)
    weight = np.exp((low - values) / blur)
    total = weight.sum(axis=-1, keepdims=True)
    return (low - blur * np.log(total))[..., 0], weight / total
