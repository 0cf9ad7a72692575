"""Kernels with a length scale for each coordinate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.gp.inputs import are_all, columns_of
from pathmax.gp.kernels.base import Kernel


@dataclass(frozen=True, eq=False)
class Scaled(Kernel):
    """A kernel that looks at x / lengthscale on some coordinates."""

    lengthscale: float | Sequence[float] | Array = 1.0
    outputscale: float = 1.0
    on: tuple[int, ...] | None = None

    @property
    def scales(self) -> Array:
        """The length scale of all coordinates, or that of each."""
        return np.asarray(self.lengthscale, dtype=float)

    def select(self, X: Array) -> Array:  # (n, d) -> (n, len(on))
        """The columns that it looks at, each divided by its length scale."""
        columns, scales = columns_of(X, self.on), self.scales
        if scales.ndim and scales.size != columns.shape[1]:
            raise ModelError(
                f"{type(self).__name__} has {scales.size} length scales but looks at "
                f"{columns.shape[1]} coordinates; give one per coordinate, or a single one"
            )
        return np.asarray(columns / scales)

    def spread(self, gradient: Array, d: int) -> Array:  # (..., len(on)) -> (..., d)
        """A gradient in the scaled coordinates as one in all d original coordinates."""
        gradient = np.asarray(gradient / self.scales)
        if self.on is None or are_all(self.on, d):
            return gradient
        whole = np.zeros((*gradient.shape[:-1], d))
        whole[..., list(self.on)] = gradient
        return whole

    def value(self, X: Array, Z: Array) -> Array:
        return self.link(X, Z).value

    def length_scales(self, d: int) -> Array:
        if self.on is None or are_all(self.on, d):
            return np.array(np.broadcast_to(self.scales, d))
        scales = np.full(d, np.inf)
        scales[list(self.on)] = self.scales
        return scales

    def per_axis(self, d: int) -> dict[int, float]:
        """Length scale of each coordinate that the kernel looks at."""
        coordinates = range(d) if self.on is None else self.on
        return dict(zip(coordinates, np.broadcast_to(self.scales, len(coordinates)), strict=True))
