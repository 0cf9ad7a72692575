"""How probable a kernel's parameters and the noise are, given data.

With theta the logarithms of the kernel's parameters and of the noise variance, K = k(X, X) + noise,
r = y - H b with the prior mean H b at its best for each theta (b: the constant and, where there is
a bowl, its depth), and A = K^{-1},

    -log p(y, theta) = r'A r / 2 + log|K| / 2 + (theta - location)'precision (theta - location) / 2
                       + the same of b
    its gradient     = sum_ij W_ij dK_ij/dtheta + ...,    W = (A - (A r)(A r)') / 2

so that an evaluation is one Cholesky factor, one inverse and a few passes over n x n numbers.
"""

from __future__ import annotations

import math
from typing import Self

import numpy as np

from pathmax.arrays import Array
from pathmax.gp import linalg
from pathmax.gp.kernels.axis_distances import ParameterLink, links_at, value_and_slopes
from pathmax.gp.kernels.base import Kernel
from pathmax.gp.prior_mean import basis
from pathmax.gp.priors import Priors, field_of

# Bounds of the logarithms, for inputs in the unit cube and standardised outputs
LENGTHSCALE = (math.log(0.005), math.log(1e3))
OUTPUTSCALE = (math.log(1e-3), math.log(1e3))
PARAMETER_BOUNDS = {"lengthscale": LENGTHSCALE, "rho": LENGTHSCALE, "outputscale": OUTPUTSCALE}
FARTHEST_FIT = math.log(1e3)  # from the given value of a parameter of another kind
# below 1e-8 a factor of 2000 rows starts to need jitter
NOISE_RANGE = (math.log(1e-8), math.log(2.0))
FIRST_NOISE = -4.0  # where descent starts: see `parameter_posterior`
LEAST_CURVATURE = 1e-2  # expected of a parameter that data and priors say nothing about
CURVATURE_ROWS = 50  # rows that tell what curvature to expect


class ParameterDensity:
    """-log p(y, theta) as a function of theta = (kernel.theta, log noise)."""

    def __init__(
        self,
        kernel: Kernel,
        X: Array,
        y: Array,
        noises: Array,
        priors: Priors | None,
        bowl_on: tuple[int, ...] = (),
        unit: bool = False,
    ) -> None:
        self.kernel, self.X, self.y, self.priors, self.bowl_on = kernel, X, y, priors, bowl_on
        self.unit = unit
        self._link = links_at(kernel, X)
        self.unknown = np.isnan(noises)
        # with less, K is singular up to rounding, and its likelihood is that of the rounding
        self.known = np.where(self.unknown, 0.0, np.maximum(noises, math.exp(NOISE_RANGE[0])))
        self.kinds = [field_of(name) for name in kernel.parameter_names]
        given = zip(self.kinds, kernel.theta, strict=True)
        bounds = [
            PARAMETER_BOUNDS.get(kind, (value - FARTHEST_FIT, value + FARTHEST_FIT))
            for kind, value in given
        ]
        self.low, self.high = np.array([*bounds, NOISE_RANGE]).T
        if priors is None:
            self.location = np.append(kernel.theta, FIRST_NOISE)
            self.precision = np.zeros((len(self.location), len(self.location)))
            mean_precision = 0.0
        else:
            location, covariance = priors.of(kernel)
            self.location = np.append(location, priors.noise.location)
            self.precision = np.zeros((len(self.location), len(self.location)))
            self.precision[:-1, :-1] = np.linalg.inv(covariance)
            self.precision[-1, -1] = priors.noise.spread**-2.0
            mean_precision = priors.mean_spread**-2.0
        self.H, self.expected = basis(X, bowl_on if priors is not None else ()), np.zeros(1)
        self.mean_precision = np.array([mean_precision])
        if bowl_on and priors is not None:
            self.expected = np.array([0.0, priors.depth])
            self.mean_precision = np.array([mean_precision, priors.depth_spread**-2.0])
        if unit:  # variance 1 and mean 0, as in the paper
            self.H, self.expected, self.mean_precision = np.empty((len(X), 0)), *np.zeros((2, 0))
            self.location[-2] = self.low[-2] = self.high[-2] = 0.0
        self._right_sides = np.asfortranarray(np.column_stack([self.H, y]))
        self._mean_precisions = np.diag(self.mean_precision)
        self._means: dict[bytes, Array] = {}  # theta -> the mean that was found with it
        if not self.unknown.any():
            self.low[-1] = self.high[-1] = np.clip(self.location[-1], *NOISE_RANGE)

    def __call__(self, theta: Array) -> tuple[float, Array]:  # (p,) -> value, gradient (p,)
        K, link = self._covariance(theta)
        # what is not needed any more gives its memory: at n = 300 K is as much as a cache holds
        L = linalg.try_cholesky(K, overwrite=True)
        if L is None:
            return np.inf, np.zeros_like(theta)
        mean, weights, _ = self._solve(L)
        self._means[theta.tobytes()] = mean
        residual = self.y - self.H @ mean
        volume = linalg.log_determinant(L)
        # (A - weights weights') / 2, with all of it above the diagonal: the sums are the same
        W = linalg.half_inverse(L, overwrite=True)
        linalg.add_outer_above(W, -1.0, weights)
        W.ravel()[:: len(W) + 1] *= 0.5  # of W itself, which is in C order
        off = theta - self.location
        gradient = self.precision @ off
        unlikely = float(off @ gradient)
        gradient[:-1] += link.pull_parameters(W)
        gradient[-1] += math.exp(theta[-1]) * float(W.diagonal() @ self.unknown)
        misfit = float(residual @ weights) + unlikely
        misfit += float(self.mean_precision @ (mean - self.expected) ** 2)
        return 0.5 * (misfit + volume), gradient

    def _covariance(self, theta: Array) -> tuple[Array, ParameterLink]:
        link = self._link(theta[:-1])
        K = link.above()
        K.flat[:: len(K) + 1] += self.known + math.exp(theta[-1]) * self.unknown
        return K, link

    def _solve(self, L: Array) -> tuple[Array, Array, Array]:  # (n, n) -> (b,), (n,), (b, b)
        """The best prior mean b, A (y - H b), and how precisely b is known: its precision."""
        solved = linalg.solve(L, self._right_sides)
        by_mean, weights = solved[:, :-1], solved[:, -1]
        normal = self.H.T @ by_mean + self._mean_precisions
        told = self.H.T @ weights + self.mean_precision * self.expected
        mean = linalg.solve_small(normal, told)
        assert mean is not None, "an average is known by the data or the priors"
        return mean, weights - by_mean @ mean, normal

    def log_probability(self, theta: Array) -> float:  # (p,)
        """log p(y, theta) up to a constant, with every prior mean b that is possible: no gradient.

        Integrating b out instead of taking the best subtracts log|precision of b| / 2.
        """
        if bool((theta < self.low).any() or (theta > self.high).any()):
            return -np.inf
        L = linalg.try_cholesky(self._covariance(theta)[0], overwrite=True)
        if L is None:
            return -np.inf
        mean, weights, normal = self._solve(L)
        off, surprise = theta - self.location, mean - self.expected
        misfit = float((self.y - self.H @ mean) @ weights) + float(off @ self.precision @ off)
        misfit += float(self.mean_precision @ surprise**2)
        return -0.5 * (misfit + linalg.log_determinant(L) + float(np.linalg.slogdet(normal)[1]))

    def draw_mean(self, theta: Array, rng: np.random.Generator) -> Array:  # (p,) -> (1 or 2,)
        """A draw of the prior mean b, given the data and theta: normal about the best one."""
        L, _ = linalg.factorize(self._covariance(theta)[0])
        mean, _, normal = self._solve(L)
        root = np.linalg.cholesky(normal)
        return np.asarray(mean + np.linalg.solve(root.T, rng.standard_normal(len(mean))))

    def _inside(self, theta: Array) -> Array:
        return np.asarray(np.clip(theta, self.low, self.high))

    def curvature(self, theta: Array) -> Array:  # (p,) -> (p, p)
        """What to expect of the Hessian; positive also where data and priors say nothing."""
        with np.errstate(over="ignore", invalid="ignore"):
            return self.expected_hessian(theta) + LEAST_CURVATURE * np.eye(len(theta))

    def thinned(self, most: int) -> Self:
        """The posterior of at most so many rows, evenly spread."""
        rows = spread_rows(len(self.y), most)
        noises = np.where(self.unknown, np.nan, self.known)[rows]
        return type(self)(
            self.kernel, self.X[rows], self.y[rows], noises, self.priors, self.bowl_on, self.unit
        )

    def expected_hessian(self, theta: Array) -> Array:  # (p,) -> (p, p)
        """tr(A dK_i A dK_j) / 2, the Fisher information, and the priors'."""
        rows = spread_rows(len(self.y), CURVATURE_ROWS)
        noises = math.exp(theta[-1]) * self.unknown[rows]
        K, slopes = value_and_slopes(self.kernel.with_theta(theta[:-1]), self.X[rows])
        K.flat[:: len(K) + 1] += self.known[rows] + noises
        A = linalg.inverse(linalg.factorize(K)[0])
        products = np.concatenate([A @ slopes, [A * noises]])  # (p, n, n)
        left = products.reshape(len(theta), -1)
        right = products.swapaxes(1, 2).reshape(len(theta), -1)
        information = 0.5 * len(self.y) / len(K) * (left @ right.T)
        return np.asarray(information + self.precision)

    def mean(self, theta: Array) -> Array:  # (p,) -> (1 or 2,)
        """The constant mean, if there is one, and the depth of the bowl, if there is one."""
        if not len(self.y):
            return self.expected
        if (known := self._means.get(theta.tobytes())) is not None:
            return known
        L, _ = linalg.factorize(self._covariance(theta)[0])
        return self._solve(L)[0]

    def model(self, theta: Array) -> tuple[Kernel, float]:
        return self.kernel.with_theta(theta[:-1]), math.exp(theta[-1])


def spread_rows(n: int, most: int) -> Array | slice:
    """At most `most` of n rows, evenly spaced and with the last one among them."""
    if n <= most:
        return slice(None)
    return np.unique(np.linspace(0, n - 1, most).round().astype(int))
