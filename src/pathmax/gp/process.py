"""The Gaussian process: a posterior as an immutable value.

    gp = GaussianProcess(RBF(lengthscale=0.2), noise=1e-6)       the prior
    gp = gp.condition(X, y)                                      a new one, that has seen the data
    mean, std = gp.predict(points)

Notation: K the kernel matrix of the data, noise the variance of each observation, L the Cholesky
factor of K + diag(noise) + jitter I, alpha = (K + noise)^{-1} (y - mean). Conditioning on m points
extends L by blocks, n^2 m operations, and leaves the old process as it was.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.gp import linalg
from pathmax.gp.blas_threads import small_blas, while_small
from pathmax.gp.freed_memory import keep_freed_memory
from pathmax.gp.inputs import as_points, as_values, as_variances, is_finite
from pathmax.gp.kernels.base import Kernel, gram
from pathmax.gp.predictions import Joint, Partials, Prediction, Slopes, at_least_tiny
from pathmax.gp.prior_mean import Bowl, PriorMean, Trend
from pathmax.gp.update import Reach, Shift, Update


@final
@dataclass(frozen=True, eq=False)
class GaussianProcess:
    """A Gaussian process with the data that it has been conditioned on, if any.

    kernel  the covariance function
    noise   variance of the noise on an observation; `condition` can give one per observation
    mean    the constant prior mean
    bowl    what is added to it: lower towards the corners of the cube, or nothing
    trend   what is known of the mean beforehand, a function, or nothing
    """

    kernel: Kernel
    noise: float
    mean: float = 0.0
    X: Array = field(default_factory=lambda: np.empty((0, 0)), repr=False)  # (n, d)
    y: Array = field(default_factory=lambda: np.empty(0), repr=False)  # (n,)
    noises: Array = field(default_factory=lambda: np.empty(0), repr=False)  # (n,)
    cholesky: Array = field(default_factory=lambda: np.empty((0, 0)), repr=False)  # (n, n)
    jitter: float = 0.0  # what had to be added to the diagonal to factorise it
    bowl: Bowl | None = None
    trend: Trend | None = None

    def __post_init__(self) -> None:
        if not (is_finite(self.noise) and self.noise >= 0):
            raise ModelError(
                f"noise must be a variance, zero or more, got {self.noise!r}; one per observation "
                "is given to condition(X, y, noise)"
            )
        if not is_finite(self.mean):
            raise ModelError(f"mean must be a finite number, got {self.mean!r}")

    def __getstate__(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}  # without what is cached

    @property
    def n(self) -> int:
        """How many observations it has seen."""
        return len(self.y)

    @property
    def process(self) -> GaussianProcess:
        """Itself: a posterior is a process, or one held on a grid."""
        return self

    @property
    def gridded(self) -> None:
        """None: it is not held on the points of a grid, as a `GridPosterior` is."""

    def condition(
        self, X: ArrayLike, y: ArrayLike, noise: float | ArrayLike | None = None
    ) -> GaussianProcess:
        """A new process that has also seen y at X: (m, d), (m,).

        noise: variance(s) of these observations, one or m; the process's own when not given.
        Points may repeat. Costs n^2 m, by extending the Cholesky factor.
        """
        X = self._points(X)
        y = as_values(y, len(X))
        noises = as_variances(self.noise if noise is None else noise, len(X))
        if not len(y):
            return self
        keep_freed_memory()
        with small_blas(self.n + len(y)):
            return self._extended(X, y, noises)

    def _extended(self, X: Array, y: Array, noises: Array) -> GaussianProcess:
        corner = gram(self.kernel, X)
        corner.flat[:: len(X) + 1] += noises + self.jitter
        cholesky, jitter = None, self.jitter
        if self.n:
            cross = self.kernel(X, self.X).T
            cholesky = linalg.extend(self.cholesky, cross, corner)
        all_X = np.concatenate([self.X, X]) if self.n else X.copy()
        all_noises = np.concatenate([self.noises, noises])
        if cholesky is None:  # the first data, or rounding made the matrix indefinite
            K = corner if not self.n else gram(self.kernel, all_X)
            if self.n:
                K.flat[:: len(K) + 1] += all_noises + self.jitter
            cholesky, more = linalg.factorize(K)
            jitter += more
        all_y = np.concatenate([self.y, y])
        return replace(self, X=all_X, y=all_y, noises=all_noises, cholesky=cholesky, jitter=jitter)

    def levelled(self) -> GaussianProcess:
        """The same without a bowl: expected everywhere is what the bowl is on average."""
        if self.bowl is None:
            return self
        level = replace(self, mean=self.mean + self.bowl.average, bowl=None)
        kept = {"reach", "_root"} & vars(self).keys()  # which a mean makes no difference to
        vars(level).update({name: vars(self)[name] for name in kept})
        return level

    @cached_property
    def prior_mean(self) -> PriorMean:
        """The mean before any data, a function."""
        return PriorMean(self.mean, self.bowl, self.trend)

    @cached_property
    def shift(self) -> Shift:
        """The posterior mean, a function."""
        return Shift(self.prior_mean, Update(self.reach, self.alpha, self.unit))

    @cached_property
    def reach(self) -> Reach:
        """x -> k(x, data), a function."""
        return Reach(self.kernel, self.X)

    @while_small
    def predict(self, X: ArrayLike) -> Prediction:
        """Mean and standard deviation of f (without noise) at X: (m, d) -> (m,), (m,)."""
        X = self._points(X)
        worth_inverting = self.n <= 2 * len(X)
        root = self._root if worth_inverting else linalg.Root(self.cholesky, most_inverted=0)
        return self._moments(X, root)

    @while_small
    def look(self, X: Array) -> Prediction:
        """`predict` for a search, which calls it often: the inverse factor is computed and kept."""
        return self._moments(X, self._root)

    def _moments(self, X: Array, root: linalg.Root) -> Prediction:
        if not self.n:
            return self.moments(X, None, None)
        mean, std = np.empty(len(X)), np.empty(len(X))
        for rows in linalg.blocks(len(X), self.n, root.cells):
            cross = self.shift.update.cross(X[rows])
            mean[rows], std[rows] = self.moments(X[rows], cross, root.lower(cross.T))
        return Prediction(mean, std)

    def moments(self, X: Array, cross: Array | None, half: Array | None) -> Prediction:
        """Mean and std at X (m, d) from k(X, data) (m, n) and L^{-1} k(data, X) (n, m), if any."""
        variance = self.kernel.diagonal(X)
        if half is not None:
            explained = np.einsum("nm,nm->m", half, half)
            variance = np.maximum(variance - explained, self._floor(variance))
        return Prediction(self.shift.add_to(np.zeros(len(X)), X, cross), np.sqrt(variance))

    @while_small
    def predict_gradient(self, X: ArrayLike) -> Slopes:
        """`predict` with the gradients of both in the inputs: (m, d) each."""
        X = self._points(X)
        std_gradient = 0.5 * self.kernel.diagonal_gradient(X)
        if not self.n:
            mean, std = self.moments(X, None, None)
            mean_gradient = self.shift.add_gradient_to(np.zeros_like(X), X)
            return Slopes(mean, std, mean_gradient, std_gradient / at_least_tiny(std))
        link = self.shift.update.link(X)
        half = linalg.solve_lower(self.cholesky, link.value.T)
        mean, std = self.moments(X, link.value, half)
        mean_gradient = self.shift.add_gradient_to(np.zeros_like(X), X, link)
        std_gradient -= link.pull(linalg.solve_upper(self.cholesky, half).T)  # K^{-1} k(X, x)
        return Slopes(mean, std, mean_gradient, std_gradient / at_least_tiny(std))

    @while_small
    def chain(self, X: Array, partials: Partials) -> tuple[Array, Array]:
        """A function of mean and std at X (m, d), and its gradient in X: (m,), (m, d).

        `partials` maps mean and std to the function and its derivatives in both. This costs less
        than `predict_gradient`: one sum over the data for the gradient instead of two.
        """
        if not self.n:
            mean, std, mean_gradient, std_gradient = self.predict_gradient(X)
            value, by_mean, by_std = partials(mean, std)
            return value, by_mean[:, None] * mean_gradient + by_std[:, None] * std_gradient
        link = self.shift.update.link(X)
        half = self._root.lower(link.value.T)
        mean, std = self.moments(X, link.value, half)
        value, by_mean, by_std = partials(mean, std)
        by_variance = by_std[:, None] / at_least_tiny(std)  # twice it: d std = d variance / 2 std
        weights = self._root.upper(half).T  # (m, n): K^{-1} k(X, x)
        weights *= -by_variance
        weights += (self.unit * by_mean)[:, None] * self.alpha
        gradient = link.pull(weights)
        if self.bowl is not None:
            gradient += by_mean[:, None] * self.bowl.gradient(X)
        if self.trend is not None:
            gradient += by_mean[:, None] * self.trend.gradient(X)
        own = self.kernel.diagonal_gradient(X)
        return value, gradient + 0.5 * by_variance * own

    def joint(self, X: ArrayLike) -> Joint:
        """Mean and covariance of f at X together: (m, d) -> (m,), (m, m)."""
        X = self._points(X)
        with small_blas(max(self.n, len(X))):
            return self._joint(X)

    def _joint(self, X: Array) -> Joint:
        covariance = self.kernel(X)
        if not self.n:
            return Joint(self.shift.add_to(np.zeros(len(X)), X), covariance)
        cross = self.kernel(X, self.X)
        half = linalg.solve_lower(self.cholesky, cross.T)
        variance = covariance.diagonal().copy()
        covariance -= half.T @ half
        diagonal = np.arange(len(X))
        floored = np.maximum(covariance[diagonal, diagonal], self._floor(variance))
        covariance[diagonal, diagonal] = floored
        return Joint(self.shift.add_to(np.zeros(len(X)), X, cross), covariance)

    def sample(self, X: ArrayLike, rng: np.random.Generator, n: int = 1) -> Array:
        """n exact joint draws of f at X: (m, d) -> (n, m). For functions see `draw_path`."""
        X = self._points(X)
        with small_blas(max(self.n, len(X))):
            mean, covariance = self._joint(X)
            # rounding is relative to the prior; at noiseless data it is all that is left
            prior = float(np.sum(self.kernel.diagonal(X))) / max(len(X), 1)
            root, _ = linalg.factorize(covariance, prior)
            return np.asarray(mean + rng.standard_normal((n, len(mean))) @ root.T)

    def log_marginal_likelihood(self) -> float:
        """log p(y | X, kernel, noise)."""
        residual = self.residual / self.unit
        fit = self.unit * (self.unit * float(residual @ self.alpha))  # may be inf, not NaN
        spread = linalg.log_determinant(self.cholesky) + self.n * math.log(2.0 * math.pi)
        return -0.5 * (fit + spread)

    @property
    def variance_floor(self) -> float:
        """No variance is below this: sigma^2 / (sigma^2 + n) for a unit kernel (Lemma 4.2)."""
        if not self.n:
            return self.kernel.outputscale
        return float(self._floor(np.array([self.kernel.outputscale]))[0])

    @cached_property
    def _root(self) -> linalg.Root:
        return linalg.Root(self.cholesky)

    @cached_property
    def alpha(self) -> Array:  # (n,)
        """(K + noise)^{-1} (y - mean), in units of the largest residual: huge y do not overflow."""
        return linalg.solve(self.cholesky, (self.residual / self.unit)[:, None])[:, 0]

    @cached_property
    def fitted(self) -> Array:  # (n,)
        """The posterior mean at the data, in O(n): K alpha = y - mean - noise alpha."""
        return np.asarray(self.y - self.unit * ((self.noises + self.jitter) * self.alpha))

    @cached_property
    def unit(self) -> float:
        """The largest residual: what `alpha` is in units of."""
        largest = float(np.abs(self.residual).max(initial=0.0))
        return largest if 0.0 < largest < np.inf else 1.0

    @cached_property
    def residual(self) -> Array:  # (n,)
        """y - mean(X)."""
        return np.asarray(self.y - self.prior_mean(self.X)) if self.n else self.y

    def _floor(self, variance: Array) -> Array:
        # n observations tell most about f(x) when all are at x: each adds 1/noise to 1/variance;
        # the ratio of noise to prior variance is taken where the observations are
        return variance / (1.0 + self._precision)

    @cached_property
    def _precision(self) -> float:
        prior = self.kernel.diagonal(self.X)
        noises = np.maximum(self.noises + self.jitter, np.finfo(float).eps * prior)
        return float((prior / np.maximum(noises, np.finfo(float).tiny)).sum())

    def _points(self, X: ArrayLike) -> Array:
        X = as_points(X)
        if self.n and X.shape[1] != self.X.shape[1]:
            raise ModelError(
                f"points must have {self.X.shape[1]} columns like the data, got {X.shape[1]}"
            )
        return X
