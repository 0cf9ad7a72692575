"""Kernels of the scaled distance: RBF and Matern. Each is its formula and its slope."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, final

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.gp.features import Features
from pathmax.gp.kernels.base import JSON, Kernel, Link, columns_of, coordinates, positive

LONG = 1e6  # squared, in length scales: a product of matrices is right to 1e-9 up to there
FARTHEST = 1e300  # squared: its root and its products are numbers still


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


class Stationary(Scaled):
    """A kernel of the scaled distance: r(x, z) = profile(s), s = |(x - z) / lengthscale|^2."""

    smooth: ClassVar[bool] = True  # False: the profile has infinite slope at s = 0
    degrees: ClassVar[float] = math.inf  # of freedom of the Student-t spectral density (2 nu)
    separable: ClassVar[bool] = False

    @staticmethod
    @abstractmethod
    def profile(s: Array) -> tuple[Array, Array]:
        """r(s) and what `slope` needs to turn it into dr/ds."""

    @staticmethod
    @abstractmethod
    def slope(s: Array, value: Array, memo: Array) -> Array:
        """dr/ds."""

    def link(self, X: Array, Z: Array | None = None) -> Link:
        return StationaryLink(self, X, Z)

    def anchored(self, Z: Array) -> Callable[[Array], Link]:
        return Anchor(self, Z)

    def diagonal(self, X: Array) -> Array:
        return np.full(len(X), self.outputscale)

    def diagonal_gradient(self, X: Array) -> Array:
        return np.zeros_like(X)

    def input_gradient(self, X: Array, Z: Array) -> Array:
        link = StationaryLink(self, X, Z)
        difference = link.x[:, None, :] - link.z[None, :, :]
        return self.spread(2.0 * link.slope[:, :, None] * difference, X.shape[1])

    def parameter_gradient(self, X: Array, Z: Array | None = None) -> Array:
        link = StationaryLink(self, X, Z)
        by_scale = link.x.T[:, :, None] - link.z.T[:, None, :]  # (d, n, m)
        by_scale *= by_scale
        by_scale *= -2.0 * link.slope
        if not self.scales.ndim:
            by_scale = by_scale.sum(axis=0, keepdims=True)
        return np.concatenate([by_scale, link.value[None]])

    def draw_features(self, rng: np.random.Generator, n_features: int, d: int) -> Features:
        scales = self.per_axis(d)
        normal = rng.standard_normal((n_features, len(scales)))
        if math.isfinite(self.degrees):  # Student-t: the spectral density of a Matern kernel
            normal *= np.sqrt(self.degrees / rng.chisquare(self.degrees, (n_features, 1)))
        frequencies = np.zeros((n_features, d))
        frequencies[:, list(scales)] = normal / np.array(list(scales.values()))
        return Features(frequencies, self.outputscale)

    def axis_kernels(self, d: int) -> list[Kernel] | None:
        scales = self.per_axis(d)
        if not self.separable and len(scales) > 1:
            return None
        unseen = replace(self, lengthscale=1e150, outputscale=1.0, on=None)  # constant correlation
        return [replace(unseen, lengthscale=scales[i]) if i in scales else unseen for i in range(d)]


class StationaryLink(Link):
    def __init__(
        self, kernel: Stationary, X: Array, Z: Array | None, anchor: Anchor | None = None
    ) -> None:
        self.kernel, self.dimension = kernel, X.shape[1]
        x = kernel.select(X)
        if anchor is not None:
            self.x, self.z = x - anchor.centre, anchor.z
            self.s = anchor.squared_distances(self.x)
        else:
            centre = x.mean(axis=0) if len(x) else 0.0  # small numbers lose less to cancellation
            self.x = x - centre
            self.z = self.x if Z is None else kernel.select(Z) - centre
            self.s = squared_distances(self.x, self.z, exact=not kernel.smooth)
            if Z is None:
                self.s.flat[:: len(x) + 1] = 0.0
        self._correlation, self._memo = kernel.profile(self.s)
        scale = kernel.outputscale
        self.value = self._correlation if scale == 1.0 else scale * self._correlation
        self._slope: Array | None = None

    @property
    def slope(self) -> Array:  # outputscale * dr/ds (n, m)
        if self._slope is None:
            self._slope = self.kernel.slope(self.s, self._correlation, self._memo)
            self._slope *= self.kernel.outputscale
        return self._slope

    def pull(self, W: Array) -> Array:
        A = W * self.slope
        scaled = 2.0 * (A.sum(axis=1)[:, None] * self.x - A @ self.z)
        return self.kernel.spread(scaled, self.dimension)

    def pull_parameters(self, W: Array) -> Array:
        A = W * self.slope
        if self.kernel.scales.ndim:  # sum_ij A_ij (x_ik - z_jk)^2 for each k, by two products
            squares = A.sum(axis=1) @ self.x**2 + A.sum(axis=0) @ self.z**2
            by_scale = squares - 2.0 * np.einsum("ik,ik->k", self.x, A @ self.z)
        else:
            by_scale = np.array([np.vdot(A, self.s)])
        return np.append(-2.0 * by_scale, np.vdot(W, self.value))


@final
class Anchor:
    """X -> link(X, Z) for one Z, whose part in the distances is computed once.

    Worth it where X is a few rows, as in a search: 23 microseconds a call instead of 48 with 6 rows
    against 20, d = 4.
    """

    def __init__(self, kernel: Stationary, Z: Array) -> None:
        z = kernel.select(Z)
        self.kernel = kernel
        self.centre = z.mean(axis=0) if len(z) else np.zeros(z.shape[1])
        self.z = z - self.centre
        with np.errstate(over="ignore"):
            self._squares = np.einsum("ik,ik->i", self.z, self.z)
        self._far = not kernel.smooth or not self._squares.max(initial=0.0) <= LONG
        self._minus_twice = -2.0 * self.z.T

    def __call__(self, X: Array) -> Link:
        return StationaryLink(self.kernel, X, None, self)

    def squared_distances(self, x: Array) -> Array:  # (n, k) -> (n, m)
        """`squared_distances` to the anchored rows."""
        squares = (x * x).sum(axis=1)
        if self._far or not squares.max(initial=0.0) <= LONG:
            return squared_distances(x, self.z, exact=not self.kernel.smooth)
        s: Array = x @ self._minus_twice
        s += squares[:, None]
        s += self._squares
        return np.maximum(s, 0.0, out=s)


def squared_distances(x: Array, z: Array, *, exact: bool) -> Array:  # (n, d), (m, d) -> (n, m)
    """|x_i - z_j|^2: one matrix product, or by coordinates where its error would matter.

    That is where a root would amplify it, and for length scales so short that |x|^2 is LONG.
    """
    with np.errstate(over="ignore"):
        xx, zz = np.einsum("ik,ik->i", x, x), np.einsum("ik,ik->i", z, z)
        if exact or max(xx.max(initial=0.0), zz.max(initial=0.0)) > LONG:
            s = np.zeros((len(x), len(z)))
            for k in range(x.shape[1]):
                s += np.subtract.outer(x[:, k], z[:, k]) ** 2
            return np.minimum(s, FARTHEST, out=s)
    s = x @ (-2.0 * z.T)
    s += xx[:, None]
    s += zz
    return np.maximum(s, 0.0, out=s)


@final
class RBF(Stationary):
    """r = exp(-s/2): infinitely smooth. The kernel of the paper's experiments."""

    separable = True

    @staticmethod
    def profile(s: Array) -> tuple[Array, Array]:
        value = np.exp(-0.5 * s)
        return value, value

    @staticmethod
    def slope(s: Array, value: Array, memo: Array) -> Array:
        return -0.5 * value


@final
class Matern12(Stationary):
    """r = exp(-sqrt(s)): continuous, nowhere differentiable."""

    smooth = False
    degrees = 1.0

    @staticmethod
    def profile(s: Array) -> tuple[Array, Array]:
        root = np.sqrt(s)
        return np.exp(-root), root

    @staticmethod
    def slope(s: Array, value: Array, memo: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):  # the kink at 0 gets slope 0
            return np.where(memo > 0.0, -0.5 * value / memo, 0.0)


@final
class Matern32(Stationary):
    """r = (1 + a) exp(-a), a = sqrt(3 s): once differentiable."""

    degrees = 3.0

    @staticmethod
    def profile(s: Array) -> tuple[Array, Array]:
        a = np.sqrt(3.0 * s)
        decay = np.exp(-a)
        return (1.0 + a) * decay, decay

    @staticmethod
    def slope(s: Array, value: Array, memo: Array) -> Array:
        return -1.5 * memo


@final
class Matern52(Stationary):
    """r = (1 + a + a^2/3) exp(-a), a = sqrt(5 s): twice differentiable. The default of a study."""

    degrees = 5.0

    @staticmethod
    def profile(s: Array) -> tuple[Array, Array]:
        a = 5.0 * s
        np.sqrt(a, out=a)
        decay = np.negative(a)
        np.exp(decay, out=decay)
        value = (5.0 / 3.0) * s
        a += 1.0
        value += a
        value *= decay
        a *= decay  # (1 + a) exp(-a): dr/ds is -5/6 of it
        return value, a

    @staticmethod
    def slope(s: Array, value: Array, memo: Array) -> Array:
        return (-5.0 / 6.0) * memo
