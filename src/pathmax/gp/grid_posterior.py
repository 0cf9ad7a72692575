"""Exact posteriors and exact paths on a grid, through its Kronecker structure.

On a grid A_1 x ... x A_d a separable kernel has the matrix K = s (K_1 x ... x K_d) (a Kronecker
product), s the output scale. Nothing of size N x N is ever made, N = |A_1| ... |A_d|:

    prior draw      sqrt(s) (R_1 x ... x R_d) z,  R_i R_i' = K_i,  z ~ N(0, I)
    K(grid, X) w    s sum_j w_j (k_1j x ... x k_dj), as one product of two halves, n N flops
    path            prior draw + K(grid, X) v, exact: no features

20^4 = 160,000 points take milliseconds. An observation on the grid updates mean and variance with
one column of the posterior covariance, O(n N); nothing is recomputed. Several at once, m of them,
move the mean in O(n N) too; the variance that they explain takes m n N, and is computed where it is
asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from pathmax.arrays import Array, Index
from pathmax.errors import ModelError
from pathmax.gp import linalg
from pathmax.gp.blas_threads import small_blas, while_small
from pathmax.gp.kronecker_axes import Axes
from pathmax.gp.process import GaussianProcess

TOGETHER = 1 << 18  # values: rows of so many points at a time are one product of matrices


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
    before: Array  # (N,) variances given the first `accounted` observations, before the floor
    accounted: int
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
        blank = GridPosterior(model, axes, np.zeros(N), variance, model.n, first, second)
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
    @while_small
    def variance(self) -> Array:  # (N,)
        """Posterior variance everywhere as accumulated, before the floor."""
        if not self.defers_variances:
            return self.before
        N, variance = len(self.axes), self.before.copy()
        size = max(1, TOGETHER // N)
        for start in range(0, len(self._whitening), size):
            scaled = self.first * self._whitening[start : start + size, None, :]
            rows = (scaled.reshape(-1, self.n) @ self.second.T).reshape(-1, N)
            variance -= np.einsum("iN,iN->N", rows, rows)
        return variance

    @cached_property
    def std(self) -> Array:  # (N,)
        """Posterior standard deviation everywhere; never below the floor of Lemma 4.2."""
        return self._floored(self.variance)

    @property
    def defers_variances(self) -> bool:
        """Whether the variances are still to be computed, so that asking for few of them pays."""
        return self.accounted < self.n

    @property
    def most_std(self) -> Array:  # (N,)
        """At least the standard deviation, at no cost: observations never raise it."""
        return self._floored(self.before)

    @while_small
    def std_at(self, index: Index) -> Array:  # (m,) -> (m,)
        """The standard deviation at the points with these numbers."""
        if not self.defers_variances or len(index) > len(self.axes) // 16:
            return self.std[index]
        i, j = np.divmod(index, len(self.second))
        rows = (self.first[i] * self.second[j]) @ self._whitening.T
        return self._floored(self.before[index] - np.einsum("mi,mi->m", rows, rows))

    def _floored(self, variance: Array) -> Array:
        return np.sqrt(np.maximum(variance, self.model.variance_floor))

    @cached_property
    def _whitening(self) -> Array:  # (n - accounted, n)
        """The last rows of L^{-1}; times K(X, grid), squared: the variance that is deferred."""
        unit = np.eye(self.n, order="F")[:, self.accounted :]
        return linalg.solve_upper(self.model.cholesky, unit).T

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
            model.n,
            np.concatenate([self.first, first], axis=1),
            np.concatenate([self.second, second], axis=1),
        )

    @while_small
    def extended(self, model: GaussianProcess) -> GridPosterior:
        """The posterior of a model that is this one's, conditioned on some more observations.

        Equal to `condition` one by one, but for rounding, and without its variances, which few
        points are asked for where trials are running: see `most_std` and `std_at`.
        """
        if model.n == self.n:
            return self
        if model.jitter != self.model.jitter:  # the factor is another one: start again
            return GridPosterior.of(model, self.axes.values)
        first, second = self.axes.halves(model.X[self.n :])
        extended = replace(
            self,
            model=model,
            first=np.concatenate([self.first, first], axis=1),
            second=np.concatenate([self.second, second], axis=1),
        )
        mean = extended.add_shift(np.zeros(len(self.axes)), model.unit * model.alpha)
        return replace(extended, mean=mean)

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
