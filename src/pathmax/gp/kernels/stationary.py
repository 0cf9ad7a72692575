"""Kernels of the scaled distance: RBF and Matern. Each is its formula and its slope."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import ClassVar, final

import numpy as np

from pathmax.arrays import Array
from pathmax.gp.features import Features
from pathmax.gp.kernels.base import STEP, Kernel, Link
from pathmax.gp.kernels.frequencies import student_frequencies
from pathmax.gp.kernels.scaled import Scaled

LONG_DISTANCE = 1e6  # squared, in length scales: a product of matrices is right to 1e-9 up to there
FARTHEST = 1e300  # squared: small enough for what kernels compute from it to be finite


class Stationary(Scaled):
    """A kernel of the scaled distance: r(x, z) = profile(s), s = |(x - z) / lengthscale|^2."""

    smooth: ClassVar[bool] = True  # False: the profile has infinite slope at s = 0
    # of freedom of the Student-t spectral density (2 nu), inf: normal; None: not known
    degrees: ClassVar[float | None] = None
    separable: ClassVar[bool] = False  # True: r is a product over the coordinates

    @abstractmethod
    def profile(self, s: Array) -> tuple[Array, Array]:
        """r(s), and anything of that size that makes `slope` cheaper (its `memo`)."""

    @abstractmethod
    def slope(self, s: Array, value: Array, memo: Array) -> Array:
        """dr/ds, a new array."""

    def correlation(self, s: Array) -> Array:
        """r(s) alone; s may be overwritten."""
        return self.profile(s)[0]

    def draw_frequencies(self, rng: np.random.Generator, n: int, k: int) -> Array:  # -> (n, k)
        """Draws from the spectral density of r for k coordinates of length scale 1."""
        if self.degrees is None:
            raise self.no_features()
        # Student-t: the spectral density of a Matern kernel; normal, that of the RBF
        return student_frequencies(rng, n, k, self.degrees)

    @property
    def has_features(self) -> bool:
        """Whether the spectral density is known."""
        known = type(self).draw_frequencies is not Stationary.draw_frequencies
        return known or self.degrees is not None

    def link(self, X: Array, Z: Array | None = None) -> Link:
        return StationaryLink(self, X, Z)

    def anchored(self, Z: Array) -> Callable[[Array], Link]:
        return Anchor(self, Z)

    def crossed(self, Z: Array) -> Callable[[Array], Array]:
        return Anchor(self, Z).values

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
        return np.stack([*by_scale, *link.others(), link.value])

    def draw_features(self, rng: np.random.Generator, n_features: int, d: int) -> Features:
        drawn = self.draw_frequencies(rng, n_features, d if self.on is None else len(self.on))
        return Features(self.spread(drawn, d), self.outputscale)  # divided by length scales too

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
            centre = np.add.reduce(x, axis=0) / max(len(x), 1)  # small numbers lose less of digits
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
        A, x, z = W * self.slope, self.x, self.z
        if self.kernel.scales.ndim:  # sum_ij A_ij (x_ik - z_jk)^2 for each k, by two products
            by_scale = A.sum(axis=1) @ (x * x) + A.sum(axis=0) @ (z * z)
            by_scale -= 2.0 * np.einsum("ik,ik->k", x, A @ z)
        else:
            by_scale = np.array([np.vdot(A, self.s)])
        others = [np.vdot(W, other) for other in self.others()]
        return np.concatenate([-2.0 * by_scale, [*others, np.vdot(W, self.value)]])

    def others(self) -> Iterator[Array]:  # (n, m) each
        """The derivatives in the parameters of the profile, if it has any."""
        kernel = self.kernel
        if kernel._learnt() == ("lengthscale",):
            return
        theta = kernel.theta
        for p in range(max(kernel.scales.size, 1), len(theta) - 1):
            step = STEP * (np.arange(len(theta)) == p)
            up, down = kernel.with_theta(theta + step), kernel.with_theta(theta - step)
            assert isinstance(up, Stationary) and isinstance(down, Stationary)
            change = up.profile(self.s)[0] - down.profile(self.s)[0]
            yield kernel.outputscale / (2.0 * STEP) * change


@final
class Anchor:
    """X -> link(X, Z) for one Z, whose part in the distances is computed once.

    Worth it where X is a few rows, as in a search: half the time (benchmarks/choices.md).
    """

    def __init__(self, kernel: Stationary, Z: Array) -> None:
        z = kernel.select(Z)
        self.kernel = kernel
        self.centre = z.mean(axis=0) if len(z) else np.zeros(z.shape[1])
        self.z = z - self.centre
        with np.errstate(over="ignore"):
            self._squares = np.einsum("ik,ik->i", self.z, self.z)
        self._far = not kernel.smooth or not self._squares.max(initial=0.0) <= LONG_DISTANCE
        self._minus_twice = -2.0 * self.z.T
        self._with_squares = np.vstack([self._minus_twice, np.ones(len(z)), self._squares])

    def values(self, X: Array) -> Array:  # (n, d) -> (n, m)
        """k(X, Z) alone: squared distances are one product of matrices, the rest is in place."""
        kernel = self.kernel
        x = kernel.select(X) - self.centre
        squares = np.einsum("ik,ik->i", x, x)
        if self._far or not squares.max(initial=0.0) <= LONG_DISTANCE:
            s = squared_distances(x, self.z, exact=not kernel.smooth)
        else:
            s = np.column_stack([x, squares, np.ones(len(x))]) @ self._with_squares
            np.abs(s, out=s)  # rounding may have made it negative
        value = kernel.correlation(s)
        if kernel.outputscale != 1.0:
            value *= kernel.outputscale
        return value

    def __call__(self, X: Array) -> Link:
        return StationaryLink(self.kernel, X, None, self)

    def squared_distances(self, x: Array) -> Array:  # (n, k) -> (n, m)
        """`squared_distances` to the anchored rows."""
        squares = (x * x).sum(axis=1)
        if self._far or not squares.max(initial=0.0) <= LONG_DISTANCE:
            return squared_distances(x, self.z, exact=not self.kernel.smooth)
        s: Array = x @ self._minus_twice
        s += squares[:, None]
        s += self._squares
        return np.maximum(s, 0.0, out=s)


def squared_distances(x: Array, z: Array, *, exact: bool) -> Array:  # (n, d), (m, d) -> (n, m)
    """|x_i - z_j|^2: one matrix product, or by coordinates where its error would matter.

    That is where a root would amplify it, and for length scales so short that |x|^2 reaches
    LONG_DISTANCE.
    """
    xx = np.einsum("ik,ik->i", x, x)
    zz = xx if z is x else np.einsum("ik,ik->i", z, z)
    if exact or max(xx.max(initial=0.0), zz.max(initial=0.0)) > LONG_DISTANCE:
        s = np.zeros((len(x), len(z)))
        with np.errstate(over="ignore"):
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

    degrees = math.inf
    separable = True

    def profile(self, s: Array) -> tuple[Array, Array]:
        value = np.exp(-0.5 * s)
        return value, value

    def slope(self, s: Array, value: Array, memo: Array) -> Array:
        return -0.5 * value


@final
class Matern12(Stationary):
    """r = exp(-sqrt(s)): continuous, nowhere differentiable."""

    smooth = False
    degrees = 1.0

    def profile(self, s: Array) -> tuple[Array, Array]:
        root = np.sqrt(s)
        return np.exp(-root), root

    def slope(self, s: Array, value: Array, memo: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):  # the kink at 0 gets slope 0
            return np.where(memo > 0.0, -0.5 * value / memo, 0.0)


@final
class Matern32(Stationary):
    """r = (1 + a) exp(-a), a = sqrt(3 s): once differentiable."""

    degrees = 3.0

    def profile(self, s: Array) -> tuple[Array, Array]:
        a = np.sqrt(3.0 * s)
        decay = np.exp(-a)
        return (1.0 + a) * decay, decay

    def slope(self, s: Array, value: Array, memo: Array) -> Array:
        return -1.5 * memo


@final
class Matern52(Stationary):
    """r = (1 + a + a^2/3) exp(-a), a = sqrt(5 s): twice differentiable. The default of a study."""

    degrees = 5.0

    def profile(self, s: Array) -> tuple[Array, Array]:
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

    def correlation(self, s: Array) -> Array:
        s *= 5.0
        a = np.sqrt(s)
        s *= 1.0 / 3.0
        s += a
        s += 1.0
        np.negative(a, out=a)
        s *= np.exp(a, out=a)
        return s

    def slope(self, s: Array, value: Array, memo: Array) -> Array:
        return (-5.0 / 6.0) * memo
