"""How probable a kernel's parameters and the noise are, given data, and the most probable ones.

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
from collections.abc import Sequence

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.gp import linalg
from pathmax.gp.descent import Descent, descend
from pathmax.gp.kernels.base import Kernel, Link
from pathmax.gp.prior_mean import basis
from pathmax.gp.priors import Priors, kind_of
from pathmax.gp.process import GaussianProcess

# Bounds of the logarithms, for inputs in the unit cube and standardised outputs
LENGTHSCALE = (math.log(0.005), math.log(1e3))
OUTPUTSCALE = (math.log(1e-3), math.log(1e3))
PARAMETER_BOUNDS = {"lengthscale": LENGTHSCALE, "rho": LENGTHSCALE, "outputscale": OUTPUTSCALE}
FARTHEST_FIT = math.log(1e3)  # from the given value of a parameter of another kind
NOISE_RANGE = (
    math.log(1e-8),
    math.log(2.0),
)  # below 1e-8 a factor of 2000 rows starts to need jitter

# Where descent starts. There are two explanations of rough data, wiggles and noise. What ends in
# MUCH_NOISE is tried from the other side as well, where length scales are short (WIGGLES below what
# is expected) and noise is little. Measured on 288 data sets (d = 2, 5, 10, n = 12 to 100, smooth,
# rough and noisy): from FIRST_NOISE alone 19 % end in the worse explanation, from e^-9 alone 15 %,
# with the second look 1 %, in 20 evaluations instead of 17.
FIRST_NOISE = -4.0
MUCH_NOISE = -3.0
LITTLE_NOISE = -9.0
WIGGLES = 2.0
# A fit to fewer data that found less noise than this has excluded it; one that found more may have
# taken noise for wiggles. Going on from there as it is loses 5.6 nats on average, and up to 50, on
# data with 30 % noise (27 data sets, n = 12 to 200, each fit from the one before); from FIRST_NOISE
# it loses none, in 8.7 evaluations instead of 6.3 (17.3 from a cold start).
EXCLUDED_NOISE = -11.0
# The opposite trap: a fit to fewer data that took noise for wiggles, in short length scales without
# noise, leads the next one there as well. What ends by a factor of e below what is expected is
# tried from a cold start too.
TOO_SHORT = 1.0
# Nats: parameters that are one per cent less probable predict the same. Against 1e-3, with which
# the counts of evaluations above and below were taken, a cold fit of 15 to 100 rows takes 8 % fewer
# evaluations and loses 0.004 nats on average and 0.018 at most (81 data sets); a warm one of 100 to
# 300 rows takes a quarter to a third fewer.
FIT_TOLERANCE = 1e-2
MAX_EVALUATIONS = 100
LEAST_CURVATURE = 1e-2  # expected of a parameter that data and priors say nothing about
COARSE = 100  # rows: above it a third of them is fitted first
CURVATURE_ROWS = 50  # rows that tell what curvature to expect
LONGEST_FIT_STEP = 2.0  # of a log parameter in one step


class ParameterPosterior:
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
        self.unknown = np.isnan(noises)
        # with less, K is singular up to rounding, and its likelihood is that of the rounding
        self.known = np.where(self.unknown, 0.0, np.maximum(noises, math.exp(NOISE_RANGE[0])))
        self.kinds = [kind_of(name) for name in kernel.parameter_names]
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
        # (A - weights weights') / 2, with all of A in one triangle: the sums are the same
        W = linalg.half_inverse(L, overwrite=True)
        W.flat[:: len(W) + 1] *= 0.5
        linalg.add_outer(W, -0.5, weights)
        off = theta - self.location
        gradient = self.precision @ off
        unlikely = float(off @ gradient)
        gradient[:-1] += link.pull_parameters(W)
        gradient[-1] += math.exp(theta[-1]) * float(W.diagonal() @ self.unknown)
        misfit = float(residual @ weights) + unlikely
        misfit += float(self.mean_precision @ (mean - self.expected) ** 2)
        return 0.5 * (misfit + volume), gradient

    def _covariance(self, theta: Array) -> tuple[Array, Link]:
        link = self.kernel.with_theta(theta[:-1]).link(self.X)
        K = link.value.copy()
        K.flat[:: len(K) + 1] += self.known + math.exp(theta[-1]) * self.unknown
        return K, link

    def _solve(self, L: Array) -> tuple[Array, Array, Array]:  # (n, n) -> (b,), (n,), (b, b)
        """The best prior mean b, A (y - H b), and how precisely b is known: its precision."""
        solved = linalg.solve(L, np.column_stack([self.H, self.y]))
        by_mean, weights = solved[:, :-1], solved[:, -1]
        normal = self.H.T @ by_mean + np.diag(self.mean_precision)
        told = self.H.T @ weights + self.mean_precision * self.expected
        mean = np.asarray(np.linalg.solve(normal, told), dtype=float)
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

    @property
    def start(self) -> Array:
        return self._inside(np.append(self.location[:-1], FIRST_NOISE))

    @property
    def wiggles(self) -> Array:
        """A start in the belief that what looks like noise is the function."""
        short = [WIGGLES if kind in ("lengthscale", "rho") else 0.0 for kind in self.kinds[:-1]]
        return self._inside(np.append(self.location[:-2] - short, [0.0, LITTLE_NOISE]))

    @property
    def scattered(self) -> list[Array]:
        """Starts with long and short length scales: without priors there are many modes."""
        long, short = self.location.copy(), self.location.copy()
        numbers = [i for i, kind in enumerate(self.kinds) if kind == "lengthscale"]
        long[numbers], short[numbers] = math.log(1.0), math.log(0.1)
        return [self._inside(long), self._inside(short)]

    def warm_start(self, earlier: GaussianProcess, variance_unit: float) -> Array:
        """Where an earlier fit ended, in the present standard units."""
        theta = np.append(earlier.kernel.theta, math.log(max(earlier.noise, 1e-300)))
        if len(theta) != len(self.location):
            raise ModelError(
                f"warm must be a fit of the same kind of kernel, with {len(self.location) - 1} "
                f"parameters, got one with {len(theta) - 1}"
            )
        theta[-2:] -= math.log(variance_unit)
        return self._reconsidered(theta)

    def draw_start(self, rng: np.random.Generator) -> Array:
        """A start drawn from the priors, or within a factor of e or so of the given kernel."""
        some = rng.standard_normal(len(self.location))
        if self.priors is not None:
            some = np.linalg.solve(np.linalg.cholesky(self.precision).T, some)
        return self._inside(self.location + some)

    def _reconsidered(self, theta: Array) -> Array:
        """What fewer data have found, as a start that can still end in the other explanation."""
        start = theta.copy()
        if start[-1] > EXCLUDED_NOISE:
            start[-1] = max(start[-1], FIRST_NOISE)
        return self._inside(start)

    def _is_short(self, theta: Array) -> bool:
        """Whether length scales are much shorter than expected: noise may look like that too."""
        scales = np.array([kind == "lengthscale" for kind in (*self.kinds, "noise")])
        short = self.location[scales] - theta[scales]
        return bool(self.unknown.any() and scales.any() and short.mean() > TOO_SHORT)

    def _inside(self, theta: Array) -> Array:
        return np.asarray(np.clip(theta, self.low, self.high))

    def mode(self, start: Array, others: Sequence[Array] = (), warm: bool = False) -> Array:
        """The most probable of the modes that descent finds from `start` and `others`.

        A warm start knows the place but not the curvature: that is expected from 50 rows. Many
        rows are approached from a third of them, whose mode and curvature are close already.
        Measured at n = 300, d = 10 on five kinds of data: a warm start takes 15 evaluations instead
        of 28, a cold one 26 of a third of the rows and 13 of all instead of 36 of all.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            if warm:
                least = LEAST_CURVATURE * np.eye(len(start))
                found = [self._descend(start, self.expected_hessian(start) + least)]
            elif len(self.y) > COARSE:
                coarse = self.thinned(len(self.y) // 3)
                rough = coarse._descend(start)
                scale = len(self.y) / len(coarse.y)
                found = [self._descend(self._reconsidered(rough.x), scale * rough.hessian)]
            else:
                found = [self._descend(start)]
            found += [self._descend(other) for other in others]
            best = min(found, key=lambda descent: descent.value)
            if warm and self._is_short(best.x):
                best = min(best, self._descend(self.start), key=lambda descent: descent.value)
            if best.x[-1] > MUCH_NOISE and self.unknown.any():
                best = min(best, self._descend(self.wiggles), key=lambda descent: descent.value)
        return best.x

    def other_modes(self) -> list[Array]:
        """Where descent ends from a cold start and, if noise is learnt, from wiggles."""
        starts = [self.start, self.wiggles] if self.unknown.any() else [self.start]
        with np.errstate(over="ignore", invalid="ignore"):
            return [self._descend(start).x for start in starts]

    def curvature(self, theta: Array) -> Array:  # (p,) -> (p, p)
        """What to expect of the Hessian; positive also where data and priors say nothing."""
        with np.errstate(over="ignore", invalid="ignore"):
            return self.expected_hessian(theta) + LEAST_CURVATURE * np.eye(len(theta))

    def thinned(self, most: int) -> ParameterPosterior:
        """The posterior of at most so many rows, evenly spread."""
        rows = spread_rows(len(self.y), most)
        noises = np.where(self.unknown, np.nan, self.known)[rows]
        return ParameterPosterior(
            self.kernel, self.X[rows], self.y[rows], noises, self.priors, self.bowl_on, self.unit
        )

    def expected_hessian(self, theta: Array) -> Array:  # (p,) -> (p, p)
        """tr(A dK_i A dK_j) / 2, the Fisher information, and the priors'."""
        rows = spread_rows(len(self.y), CURVATURE_ROWS)
        kernel, X = self.kernel.with_theta(theta[:-1]), self.X[rows]
        noises = math.exp(theta[-1]) * self.unknown[rows]
        K = kernel(X)
        K.flat[:: len(K) + 1] += self.known[rows] + noises
        A = linalg.inverse(linalg.factorize(K)[0])
        products = np.concatenate([A @ kernel.parameter_gradient(X), [A * noises]])  # (p, n, n)
        left = products.reshape(len(theta), -1)
        right = products.swapaxes(1, 2).reshape(len(theta), -1)
        information = 0.5 * len(self.y) / len(X) * (left @ right.T)
        return np.asarray(information + self.precision)

    def _descend(self, start: Array, hessian: Array | None = None) -> Descent:
        return descend(
            self,
            start,
            self.low,
            self.high,
            self.precision + np.eye(len(start)) if hessian is None else hessian,
            tolerance=FIT_TOLERANCE,
            max_evaluations=MAX_EVALUATIONS,
            longest_step=LONGEST_FIT_STEP,
        )

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
