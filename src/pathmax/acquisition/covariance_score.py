"""Scores that look at a point through its mean, its std, and its covariance with some fixed points.

A point x and the points X* = (x*_1 .. x*_S), say the maxima of sample paths, have the posterior
covariances

    c_s(x) = k(x, x*_s) - k(x, X) (K + noise)^{-1} k(X, x*_s)

What a measurement at x tells about f(x*_s) is in them. A score of this kind states its value and
derivatives in (mean, std, c); the chain to the coordinates of x is here.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import final

import numpy as np

from pathmax.acquisition.scores import PointScore
from pathmax.arrays import Array
from pathmax.gp import GaussianProcess, GridPosterior, linalg

COVARIANCE_BLOCK = (
    1 << 12
)  # points at a time: with ten fixed points the temporaries stay in the cache


@final
class Covariances:
    """The posterior covariances with some fixed points."""

    def __init__(self, model: GaussianProcess, X_star: Array) -> None:  # (S, d)
        self.model, self.X_star = model, X_star
        self.weights = np.empty((0, len(X_star)))  # K^{-1} k(X, X*), (n, S)
        if model.n:
            self.weights = linalg.solve(model.cholesky, model.kernel(model.X, X_star))

    def __call__(self, U: Array) -> Array:  # (m, d) -> (m, S)
        covariance = self.model.kernel(U, self.X_star)
        if self.model.n:
            covariance = covariance - self.model.kernel(U, self.model.X) @ self.weights
        return covariance


class CovarianceScore(PointScore):
    """A score of (mean, std, covariances with fixed points)."""

    def __init__(self, model: GaussianProcess, X_star: Array) -> None:  # (S, d)
        self.model, self.X_star = model, X_star
        self.covariances = Covariances(model, X_star)

    @abstractmethod
    def gain(self, mean: Array, std: Array, covariance: Array) -> Array:
        """The score: (m,), (m,), (m, S) -> (m,)."""

    @abstractmethod
    def gains(
        self, mean: Array, std: Array, covariance: Array
    ) -> tuple[Array, Array, Array, Array]:  # (m,), (m,), (m, S) -> (m,), (m,), (m,), (m, S)
        """The score and its derivatives in mean, std and covariances."""

    def __call__(self, U: Array) -> Array:  # (m, d) -> (m,)
        mean, std = self.model.predict(U)
        return self.gain(mean, std, self.covariances(U))

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:  # -> (m,), (m, d)
        mean, std, mean_gradient, std_gradient = self.model.predict_gradient(U)
        weights = self.covariances.weights
        to_star = self.model.kernel.link(U, self.X_star)
        covariance = to_star.value
        if self.model.n:
            to_data = self.model.kernel.link(U, self.model.X)
            covariance = covariance - to_data.value @ weights
        value, by_mean, by_std, by_covariance = self.gains(mean, std, covariance)
        gradient = by_mean[:, None] * mean_gradient + by_std[:, None] * std_gradient
        gradient += to_star.pull(by_covariance)
        if self.model.n:
            gradient -= to_data.pull(by_covariance @ weights.T)
        return value, gradient

    def on_grid(self, posterior: GridPosterior) -> Array:  # -> (N,)
        """The score everywhere; its covariances are columns that the posterior has at hand."""
        mean, std = posterior.mean, posterior.std
        places, back = np.unique(posterior.axes.index(self.X_star), return_inverse=True)
        columns = np.stack([posterior.covariance(int(i)) for i in places], axis=1)[:, back]
        values = np.empty_like(mean)
        for start in range(0, len(mean), COVARIANCE_BLOCK):
            rows = slice(start, start + COVARIANCE_BLOCK)
            values[rows] = self.gain(mean[rows], std[rows], columns[rows])
        return values


def least_variance(variance: Array) -> Array:
    """A floor for the variance that knowing f(x*) leaves: at x* itself it is 0 up to rounding."""
    return np.asarray(1e-12 * variance + np.finfo(float).tiny)
