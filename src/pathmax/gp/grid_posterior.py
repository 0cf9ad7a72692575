"""Exact posteriors and exact paths on a grid, through its Kronecker structure.

On a grid A_1 x ... x A_d a separable kernel has the matrix K = s (K_1 x ... x K_d) (a Kronecker
product), s the output scale. Nothing of size N x N is ever made, N = |A_1| ... |A_d|:

    prior draw      sqrt(s) (R_1 x ... x R_d) z,  R_i R_i' = K_i,  z ~ N(0, I)
    K(grid, X) w    s sum_j w_j (k_1j x ... x k_dj), as one product of two halves, n N flops
    path            prior draw + K(grid, X) v, exact: no features

20^4 = 160,000 points take milliseconds. An observation on the grid updates mean and variance with
one column of the posterior covariance, O(n N); nothing is recomputed. Several at once are one
product of matrices.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.gp import linalg
from pathmax.gp.blas_threads import small_blas, while_small
from pathmax.gp.kernels.base import Kernel
from pathmax.gp.process import GaussianProcess

TOGETHER = 1 << 18  # values: rows of so many points at a time are one product of matrices


@final
@dataclass(frozen=True, eq=False)
class Axes:
    """The axes of a grid with the kernel of each; points are numbered in C order."""

    values: tuple[Array, ...]
    kernels: tuple[Kernel, ...]
    outputscale: float

    @staticmethod
    def of(kernel: Kernel, values: Sequence[ArrayLike]) -> Axes:
        arrays = tuple(np.asarray(v, dtype=float).reshape(-1) for v in values)
        kernels = kernel.axis_kernels(len(arrays))
        if kernels is None:
            raise ModelError(
                f"exact paths on a grid need a kernel that is a product over the axes; "
                f"{type(kernel).__name__} is not. Use RBF, or the product of one-dimensional "
                "kernels: Matern52(l1, on=(0,)) * Matern52(l2, on=(1,)) * ..."
            )
        return Axes(arrays, tuple(kernels), kernel.outputscale)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(v) for v in self.values)

    def __len__(self) -> int:
        return math.prod(self.shape)

    def points(self, index: ArrayLike) -> Array:  # (m,) -> (m, d)
        """The points with these numbers."""
        numbers = np.asarray(index, dtype=np.intp).reshape(-1)
        if ((numbers < 0) | (numbers >= len(self))).any():
            raise ModelError(
                f"points of this grid are numbered from 0 to {len(self) - 1}, got {index!r}"
            )
        places = np.unravel_index(numbers, self.shape)
        return np.stack([v[place] for v, place in zip(self.values, places, strict=True)], axis=1)

    def index(self, X: Array) -> np.ndarray:  # (m, d) -> (m,), -1 where a point is not on the grid
        """The numbers of these points."""
        places = []
        outside = np.zeros(len(X), dtype=bool)
        for column, values in zip(X.T, self.values, strict=True):
            order = np.argsort(values)
            at = np.searchsorted(values, column, sorter=order).clip(0, len(values) - 1)
            before = order[(at - 1).clip(0)]
            nearest = order[at]
            nearest = np.where(
                np.abs(values[before] - column) < np.abs(values[nearest] - column), before, nearest
            )
            outside |= np.abs(values[nearest] - column) > 1e-9 * (1.0 + np.abs(column))
            places.append(nearest)
        return np.where(outside, -1, np.ravel_multi_index(tuple(places), self.shape))

    @cached_property
    def roots(self) -> tuple[Array, ...]:
        """R_i with R_i R_i' = K_i, by eigenvalues: the matrix of an axis is often singular.

        The symmetric root does not depend on the choice of eigenvectors, which is decided by
        rounding where an eigenvalue comes several times, as it does for categories.
        """
        roots = []
        for kernel, values in zip(self.kernels, self.values, strict=True):
            eigenvalues, vectors = np.linalg.eigh(kernel(values[:, None]))
            roots.append((vectors * np.sqrt(np.maximum(eigenvalues, 0.0))) @ vectors.T)
        return tuple(roots)

    def prior(self, rng: np.random.Generator) -> Array:  # -> (N,)
        """A draw from the prior on the whole grid."""
        field = rng.standard_normal(self.shape)  # ~ N(0, I)
        for root in self.roots:  # each pass multiplies the first axis and moves it to the end
            field = np.tensordot(field, root, axes=(0, 1))
        return math.sqrt(self.outputscale) * field.reshape(-1)

    def halves(self, X: Array) -> tuple[Array, Array]:  # (n, d) -> (N1, n), (N2, n), N1 N2 = N
        """K(grid, x_j) = first_j x second_j: the product over the first and the last axes."""
        sizes = np.cumprod(self.shape)
        cut = 1 + int(np.argmin(np.abs(np.log(sizes) - 0.5 * np.log(sizes[-1]))))
        cut = min(cut, max(len(self.values) - 1, 1))
        halves = []
        for axes in (range(cut), range(cut, len(self.values))):
            half = np.full((1, len(X)), self.outputscale if axes.start == 0 else 1.0)
            for i in axes:
                factor = self.kernels[i](self.values[i][:, None], X[:, i, None])
                half = (half[:, None, :] * factor[None, :, :]).reshape(
                    len(half) * len(factor), len(X)
                )
            halves.append(half)
        return halves[0], halves[1]


@final
@dataclass(frozen=True, eq=False)
class GridPosterior:
    """Mean and standard deviation on every point of a grid, and exact paths over it.

    Make it with `GridPosterior.of(model, axes)`; add an observation with `condition(index, y)`,
    which returns a new one at the cost of O(n N).
    """

    model: GaussianProcess
    axes: Axes
    mean: Array  # (N,)
    variance: Array  # (N,) as accumulated, before the floor
    first: Array  # (N1, n)
    second: Array  # (N2, n)

    @staticmethod
    def of(model: GaussianProcess, values: Sequence[ArrayLike]) -> GridPosterior:
        """The posterior of a model on the grid of these axis values."""
        if model.bowl is not None:
            raise ModelError("a GridPosterior has a constant prior mean; its model has a bowl")
        axes = Axes.of(model.kernel, values)
        N, X = len(axes), model.X if model.n else np.empty((0, len(axes.values)))
        first, second = axes.halves(X)
        variance = np.full(N, axes.outputscale)
        blank = GridPosterior(model, axes, np.zeros(N), variance, first, second)
        with small_blas(model.n):
            mean = blank.add_shift(np.zeros(N), model.unit * model.alpha)
            if model.n:
                variance -= explained_variance(model.cholesky, first, second)
        return replace(blank, mean=mean)

    @property
    def n(self) -> int:
        """How many observations it has seen."""
        return self.model.n

    @property
    def process(self) -> GaussianProcess:
        """The process itself, without the grid."""
        return self.model

    @property
    def gridded(self) -> GridPosterior:
        """Itself."""
        return self

    @cached_property
    def std(self) -> Array:  # (N,)
        """Posterior standard deviation everywhere; never below the floor of Lemma 4.2."""
        return np.sqrt(np.maximum(self.variance, self.model.variance_floor))

    @while_small
    def condition(self, index: int, y: float, noise: float | None = None) -> GridPosterior:
        """A new posterior that has also seen the value y at the point with this number."""
        x = self.axes.points([index])
        column = self.covariance(index)
        model = self.model.condition(x, [y], noise)
        spread = max(float(column[index]), self.model.variance_floor) + float(model.noises[-1])
        gain = column / (spread + model.jitter)
        if model.jitter != self.model.jitter:  # the factor is another one: start again
            return GridPosterior.of(model, self.axes.values)
        first, second = self.axes.halves(x)
        return GridPosterior(
            model,
            self.axes,
            self.mean + gain * (y - self.mean[index]),
            self.variance - gain * column,
            np.concatenate([self.first, first], axis=1),
            np.concatenate([self.second, second], axis=1),
        )

    @while_small
    def extended(self, model: GaussianProcess) -> GridPosterior:
        """The posterior of a model that is this one's, conditioned on some more observations.

        Equal to `condition` one by one, but for rounding. The rows n to n + m of L^{-1} K(X, grid),
        squared, are the variance that the new observations explain; times L^{-1} (y - mean) they
        are how far these move the mean: m products of n N, computed as one.
        """
        n, m, N = self.n, model.n - self.n, len(self.axes)
        if not m:
            return self
        if model.jitter != self.model.jitter:  # the factor is another one: start again
            return GridPosterior.of(model, self.axes.values)
        halves = self.axes.halves(model.X[n:])
        first = np.concatenate([self.first, halves[0]], axis=1)
        second = np.concatenate([self.second, halves[1]], axis=1)
        weights = linalg.solve_upper(model.cholesky, np.eye(n + m, order="F")[:, n:]).T
        told = model.unit * (weights @ (model.residual / model.unit))  # (m,)
        mean, variance = self.mean.copy(), self.variance.copy()
        size = max(1, TOGETHER // N)
        for start in range(0, m, size):
            part = slice(start, start + size)
            scaled = first * weights[part, None, :]  # (size, N1, n + m)
            rows = (scaled.reshape(-1, n + m) @ second.T).reshape(-1, N)
            mean += told[part] @ rows
            variance -= np.einsum("iN,iN->N", rows, rows)
        return GridPosterior(model, self.axes, mean, variance, first, second)

    def covariance(self, index: int) -> Array:  # -> (N,)
        """The posterior covariance of every point with one of them."""
        x = self.axes.points([index])
        first, second = self.axes.halves(x)
        column = np.outer(first, second).reshape(-1)
        if self.model.n:
            weights = linalg.solve(self.model.cholesky, self.model.kernel(self.model.X, x))[:, 0]
            column -= self._times(weights)
        return column

    @while_small
    def draw(self, rng: np.random.Generator) -> Array:  # -> (N,)
        """One exact path: its values on the whole grid."""
        prior = self.axes.prior(rng)
        model = self.model
        if (self.places < 0).any():
            raise ModelError(
                "an exact path needs data that lie on the grid; some observation does not. "
                "Use draw_path(model, rng) for a path that is defined everywhere"
            )
        noise = np.sqrt(model.noises + model.jitter) * rng.standard_normal(model.n)
        drawn = prior[self.places] + noise
        unit = max(model.unit, 1e-150 * float(np.abs(drawn).max(initial=0.0)))  # no overflow
        gap = model.residual / unit - drawn / unit
        v = linalg.solve(model.cholesky, gap[:, None])[:, 0]
        return self.add_shift(prior, unit * v)

    def add_shift(self, prior: Array, v: Array) -> Array:  # (N,), (n,) -> (N,)
        """prior + mean + K(grid, X) v: what `Shift.add_to` is elsewhere."""
        values = self._times(v)
        values += prior
        values += self.model.mean
        return values

    def _times(self, v: Array) -> Array:  # (n,) -> (N,)
        """K(grid, X) v."""
        return np.asarray((self.first * v) @ self.second.T).reshape(-1)

    @cached_property
    def places(self) -> np.ndarray:  # (n,)
        """The numbers of the observed points, -1 for one that is off the grid."""
        return self.axes.index(self.model.X) if self.model.n else np.empty(0, dtype=np.intp)


def explained_variance(L: Array, first: Array, second: Array) -> Array:  # -> (N,)
    """sum_i (row i of L^{-1} K(X, grid))^2, each row a product of two halves: n^2 N / 2 in all."""
    row = np.empty((len(first), len(second)))
    explained = np.zeros_like(row)
    for i, weights in enumerate(linalg.inverse_lower(L), start=1):
        np.dot(first[:, :i] * weights[:i], second[:, :i].T, out=row)
        row *= row
        explained += row
    return explained.reshape(-1)
