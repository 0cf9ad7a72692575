"""The prior mean: a constant, and what falls off towards the corners of the cube.

    mean(x) = constant + bowl(x)
    bowl(x) = -depth * average over the coordinates `on` of (2 x_k - 1)^2

People choose ranges in which they expect the best, so a point in the middle is likelier to be good
than a corner. A stationary process treats all points alike, and in a cube of many dimensions nearly
all points are close to a corner: paths have their maxima there, and the first dozens of trials go
there. The depth is learnt together with the constant: where data show the best in a corner, it
becomes negative.

The mean is linear in its coefficients (constant, depth): `basis` holds what they multiply, and
fitting needs nothing else. Another kind of mean is another column of it and another term here.
A `Trend` is what is expected beforehand for another reason, such as older results (`borrowed`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, final

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.gp.inputs import columns_of, coordinates, is_finite


@final
@dataclass(frozen=True, slots=True)
class Bowl:
    """How much lower the prior mean is in a corner than at the centre, and on which coordinates."""

    depth: float
    on: tuple[int, ...]

    def __post_init__(self) -> None:
        if not is_finite(self.depth):
            raise ModelError(f"depth must be a finite number, got {self.depth!r}")
        object.__setattr__(self, "on", tuple(sorted(coordinates(self.on) or ())))

    def __call__(self, X: Array) -> Array:  # (n, d) -> (n,)
        return -self.depth * rim(X, self.on)

    def gradient(self, X: Array) -> Array:  # (n, d) -> (n, d)
        """Its gradient at each point."""
        slope = (-4.0 * self.depth / len(self.on)) * centred(X, self.on)
        if len(self.on) == X.shape[1]:
            return np.asarray(slope)
        whole = np.zeros_like(X)
        whole[:, list(self.on)] = slope
        return whole

    @property
    def average(self) -> float:
        """Its mean over the cube: that of (2 x - 1)^2 is 1/3."""
        return -self.depth / 3.0

    def to_json(self) -> dict[str, Any]:
        """What `from_json` makes it from."""
        return {"depth": self.depth, "on": list(self.on)}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Bowl:
        """The bowl that `to_json` wrote."""
        return cls(float(stored["depth"]), tuple(int(i) for i in stored["on"]))


class Trend(Protocol):
    """A part of the prior mean that is known: a function of points."""

    def __call__(self, X: Array) -> Array:  # (m, d) -> (m,)
        """Its values."""
        ...

    def gradient(self, X: Array) -> Array:  # (m, d) -> (m, d)
        """Its gradient at each point."""
        ...

    @property
    def hints(self) -> Array:  # (k, d)
        """Points where it is high."""
        ...


@final
@dataclass(frozen=True, slots=True)
class PriorMean:
    """The mean of a process before any data."""

    constant: float
    bowl: Bowl | None = None
    trend: Trend | None = None

    def __call__(self, X: Array) -> Array | float:  # (m, d) -> (m,), or one for all
        level = self.constant if self.bowl is None else self.constant + self.bowl(X)
        return level if self.trend is None else level + self.trend(X)

    def add_to(self, values: Array, X: Array) -> None:  # (m,) or (m, p), in place
        """values += mean(X)."""
        values += self.constant
        if self.bowl is not None:
            fall = self.bowl(X)
            values += fall if values.ndim == 1 else fall[:, None]
        if self.trend is not None:
            known = self.trend(X)
            values += known if values.ndim == 1 else known[:, None]

    def add_gradient_to(self, gradient: Array, X: Array) -> None:  # (..., m, d), in place
        """The gradient of `add_to`."""
        if self.bowl is not None:
            gradient += self.bowl.gradient(X)
        if self.trend is not None:
            gradient += self.trend.gradient(X)


def basis(X: Array, bowl_on: tuple[int, ...]) -> Array:  # (n, d) -> (n, 1 or 2)
    """What the constant and, where there is a bowl, its depth multiply at each point."""
    ones = np.ones((len(X), 1))
    return np.stack([ones[:, 0], -rim(X, bowl_on)]).T if bowl_on else ones


def rim(X: Array, on: tuple[int, ...]) -> Array:  # (n, d) -> (n,)
    """0 at the centre of the cube, 1 in its corners."""
    z = centred(X, on)
    return np.asarray(np.einsum("ik,ik->i", z, z) / len(on))


def centred(X: Array, on: tuple[int, ...]) -> Array:  # (n, d) -> (n, len(on))
    """From -1 to 1 on each of the coordinates, which are in order."""
    return np.asarray(2.0 * (X if len(on) == X.shape[1] else columns_of(X, on)) - 1.0)
