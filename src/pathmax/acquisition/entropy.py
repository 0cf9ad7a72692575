"""Information about the maximum: max-value (MES) and joint entropy search (JES).

MES, for the maxima g* of some sample paths, gamma = (g* - mean) / std:

    gain(gamma) = gamma phi(gamma) / (2 Phi(gamma)) - log Phi(gamma),     averaged over the samples

the entropy that f(x) loses when it is known to stay below g*. Its logarithm is computed, since the
gain itself underflows where g* is far away.

JES (the lower bound of Hvarfner, Hutter and Nardi, 2022) knows where each maximum is, too. With
(x*, g*) added to the data, f(x) is normal with mean m and variance s^2, cut off above g*:

    gain = 1/2 log(std^2 + noise) - 1/2 log(s^2 T(gamma) + noise),    gamma = (g* - m) / s
    m = mean + c (g* - mean*) / std*^2,    s^2 = std^2 - c^2 / std*^2,    c = cov(f(x), f(x*))

T is the variance of a standard normal below gamma. (With rho the correlation of f(x) and f(x*),
gamma has sqrt(1 - rho^2) in its denominator, not 1 - rho^2.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from pathmax.acquisition import normal
from pathmax.acquisition.covariance_score import CovarianceScore
from pathmax.acquisition.options import PathMethod, count
from pathmax.acquisition.scores import Rule
from pathmax.acquisition.step import Choice, Step
from pathmax.acquisition.surfaces.surface import Surface
from pathmax.arrays import Array
from pathmax.gp import GaussianProcess


@final
@dataclass(frozen=True, eq=False)
class MaxValueEntropy(Rule):
    """The logarithm of the mean gain over the sampled maxima."""

    g_stars: Array  # (S,)

    def __call__(self, mean: Array, std: Array) -> Array:
        return self.partials(mean, std)[0]

    def contenders(self, mean: Array, std: Array) -> NDArray[np.intp]:
        """The rows that no other row beats for the smallest and for the largest g* alike.

        The gain falls with gamma, and gamma is linear in g*: who has the smaller gamma at both
        ends has it in between. A few of 160,000 rows are left, and their gains cost nothing.
        """
        low, high = (
            normal.standardise(end - mean, std) for end in (self.g_stars.min(), self.g_stars.max())
        )
        return np.flatnonzero((low <= low[np.argmin(high)]) & (high <= high[np.argmin(low)]))

    def partials(self, mean: Array, std: Array) -> tuple[Array, Array, Array]:
        std = np.maximum(std, 1.0 / normal.LARGEST)
        gamma = normal.standardise(self.g_stars[:, None] - mean, std)  # (S, m)
        log_gain, slope = log_entropy_gain(gamma)
        most = np.max(log_gain, axis=0)
        share = np.exp(log_gain - most)
        total = share.sum(axis=0)
        share /= total
        by_gamma = share * slope
        value = most + np.log(total / len(self.g_stars))
        with np.errstate(over="ignore"):
            by_mean, by_std = -by_gamma.sum(axis=0) / std, -(by_gamma * gamma).sum(axis=0) / std
        return value, *np.clip((by_mean, by_std), -normal.LARGEST, normal.LARGEST)


def log_entropy_gain(gamma: Array) -> tuple[Array, Array]:
    """log(gamma phi / (2 Phi) - log Phi) and its derivative in gamma."""
    h, e = normal.hazard(gamma), normal.excess(gamma)
    below = np.minimum(gamma, 0.0)
    # For gamma < 0 both terms grow like gamma^2 / 2 and cancel; without it they are
    # gamma (h + gamma) / 2 - log(Phi exp(gamma^2 / 2)).
    negative = 0.5 * below * e - np.log(normal.scaled_cdf(below))
    gain = np.where(gamma < 0.0, negative, 0.5 * gamma * h - normal.log_cdf(gamma))
    # For gamma > 6, to 1e-9: -log Phi = 1 - Phi, phi / Phi = phi, and both are multiples of phi.
    far = np.maximum(gamma, 6.0)
    reduced = 0.5 * far + 1.0 / normal.hazard(-far)  # gain / phi; (1 - Phi) / phi = 1 / hazard(-)
    log_far = normal.log_density(far) + np.log(reduced)
    log_gain = np.where(gamma > 6.0, log_far, np.log(np.maximum(gain, np.finfo(float).tiny)))
    # d gain / d gamma = -h (1 + gamma (gamma + h)) / 2
    slope = -0.5 * h * (1.0 + product(gamma, e)) / np.maximum(gain, np.finfo(float).tiny)
    return log_gain, np.where(gamma > 6.0, -0.5 * (1.0 + far * far) / reduced, slope)


def product(gamma: Array, e: Array) -> Array:
    """gamma (gamma + h), without cancellation in 1 + gamma (gamma + h) for gamma -> -inf."""
    square = 1.0 / np.maximum(gamma * gamma, 1e4)
    series = square * (2.0 - square * (10.0 - 74.0 * square)) - 1.0
    return np.where(gamma < -100.0, series, gamma * e)


@final
class JointEntropy(CovarianceScore):
    """The mean gain over sampled pairs (x*, g*), as a score."""

    def __init__(self, model: GaussianProcess, X_star: Array, g_star: Array) -> None:
        """X_star (S, d), g_star (S,)."""
        super().__init__(model, X_star)
        self.g_star = g_star
        mean, std = model.predict(X_star)
        self.lift = g_star - mean  # (S,)
        self.variance = std**2  # (S,)

    def gain(self, mean: Array, std: Array, covariance: Array) -> Array:
        """The mean gain: (m,), (m,), (m, S) -> (m,)."""
        noise = self.model.noise
        mean, variance = mean[:, None], std[:, None] ** 2
        slope = covariance / self.variance
        squared = np.maximum(variance - slope * covariance, least_variance(variance))
        gamma = normal.standardise(self.g_star - mean - slope * self.lift, np.sqrt(squared))
        squared *= normal.truncated_variance(gamma)
        squared += noise
        left = np.log(np.maximum(squared, np.finfo(float).tiny)).mean(axis=1)
        return np.asarray(0.5 * np.log(variance[:, 0] + noise) - 0.5 * left)

    def gains(
        self, mean: Array, std: Array, covariance: Array
    ) -> tuple[Array, Array, Array, Array]:  # (m,), (m,), (m, S) -> (m,), (m,), (m,), (m, S)
        """The mean gain and its derivatives in mean, std and covariance."""
        S, noise = len(self.g_star), self.model.noise
        mean, std = mean[:, None], std[:, None]
        slope = covariance / self.variance  # of the conditional mean in g*
        squared = np.maximum(std**2 - slope * covariance, least_variance(std**2))
        s = np.sqrt(squared)
        gamma = normal.standardise(self.g_star - mean - slope * self.lift, s)
        T, T_slope = normal.truncated_variance_and_slope(gamma)
        left, before = squared * T + noise, std**2 + noise
        by_squared = T - 0.5 * gamma * T_slope  # of squared * T; by the conditional mean: -s T'
        value = 0.5 * np.log(before) - 0.5 * np.log(np.maximum(left, np.finfo(float).tiny))
        by_mean = 0.5 * s * T_slope / left
        by_std = std / before - std * by_squared / left
        by_covariance = (
            slope * by_squared / left + 0.5 * s * T_slope * self.lift / self.variance / left
        )
        return value.mean(axis=1), by_mean.mean(axis=1), by_std.mean(axis=1), by_covariance / S


def least_variance(variance: Array) -> Array:
    """Knowing f(x*) leaves a little variance even at x* itself, as rounding would have it."""
    return np.asarray(1e-12 * variance + np.finfo(float).tiny)


@final
@dataclass(frozen=True, kw_only=True)
class Mes(PathMethod):
    """Max-value entropy search.

    n_samples  sample paths to average over
    """

    name: ClassVar[str] = "mes"
    n_samples: int = field(default=10, metadata={"check": count})

    def choose(self, step: Step) -> Choice:
        surface = self.surface(step)
        X_star, g_stars = peaks(surface, self.n_samples)
        best = surface.top(MaxValueEntropy(g_stars), hints=X_star)
        return step.choice(surface, best, g_stars=g_stars, gain=math.exp(best.value))


@final
@dataclass(frozen=True, kw_only=True)
class Jes(PathMethod):
    """Joint entropy search.

    n_samples  sample paths to average over
    """

    name: ClassVar[str] = "jes"
    n_samples: int = field(default=10, metadata={"check": count})

    def choose(self, step: Step) -> Choice:
        surface = self.surface(step)
        X_star, g_stars = peaks(surface, self.n_samples)
        best = surface.search(JointEntropy(surface.model, X_star, g_stars), hints=X_star)
        return step.choice(surface, best, g_stars=g_stars, gain=best.value)


def peaks(surface: Surface, n: int) -> tuple[Array, Array]:  # -> (n, d), (n,)
    """Where n sample paths have their maxima, and how high these are."""
    found = [path.peak() for path in surface.samples(n)]
    return np.stack([peak.u for peak in found]), np.array([peak.value for peak in found])
