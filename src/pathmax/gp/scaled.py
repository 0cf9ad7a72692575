"""What kernels with length scales share: their parameters, and x / lengthscale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pathmax.errors import ModelError
from pathmax.gp.kernel import JSON, Kernel, columns_of, coordinates, positive
from pathmax.gp.linalg import Array


@dataclass(frozen=True, eq=False)
class Scaled(Kernel):
    """A kernel that looks at x / lengthscale on some coordinates."""

    lengthscale: float | Sequence[float] | Array = 1.0
    outputscale: float = 1.0
    on: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        scales = positive("lengthscale", self.lengthscale)
        object.__setattr__(self, "lengthscale", float(scales) if scales.ndim == 0 else scales)
        object.__setattr__(self, "outputscale", float(positive("outputscale", self.outputscale)))
        object.__setattr__(self, "on", coordinates(self.on))

    @property
    def scales(self) -> Array:
        return np.asarray(self.lengthscale, dtype=float)

    def select(self, X: Array) -> Array:  # (n, d) -> (n, len(on)), divided by the length scales
        columns = columns_of(X, self.on)
        if self.scales.ndim and self.scales.size != columns.shape[1]:
            raise ModelError(
                f"{type(self).__name__} has {self.scales.size} length scales but looks at "
                f"{columns.shape[1]} coordinates; give one per coordinate, or a single one"
            )
        return np.asarray(columns / self.scales)

    def spread(self, gradient: Array, d: int) -> Array:  # (..., len(on)) -> (..., d)
        """A gradient in the scaled coordinates as one in all d original coordinates."""
        gradient = np.asarray(gradient / self.scales)
        if self.on is None:
            return gradient
        whole = np.zeros((*gradient.shape[:-1], d))
        whole[..., list(self.on)] = gradient
        return whole

    @property
    def theta(self) -> Array:
        return np.asarray(np.log(np.append(np.atleast_1d(self.scales), self.outputscale)))

    def with_theta(self, theta: Array) -> Kernel:
        values = np.exp(theta)
        scales = values[:-1] if self.scales.ndim else float(values[0])
        return replace(self, lengthscale=scales, outputscale=float(values[-1]))

    @property
    def parameter_names(self) -> tuple[str, ...]:
        if not self.scales.ndim:
            return ("lengthscale", "outputscale")
        coordinates = self.on if self.on is not None else range(self.scales.size)
        return (*(f"lengthscale[{i}]" for i in coordinates), "outputscale")

    def to_json(self) -> JSON:
        return {
            "kernel": type(self).__name__,
            "lengthscale": self.scales.tolist(),
            "outputscale": self.outputscale,
            "on": None if self.on is None else list(self.on),
        }

    def per_axis(self, d: int) -> dict[int, float]:
        """Length scale of each coordinate that the kernel looks at."""
        coordinates = range(d) if self.on is None else self.on
        return dict(zip(coordinates, np.broadcast_to(self.scales, len(coordinates)), strict=True))
