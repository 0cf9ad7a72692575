"""Joint entropy search (JES): what a measurement tells about a maximum and its place together.

For pairs (x*, g*), the places and heights of the maxima of sample paths, each added to the data as
known, f(x) is normal with mean m and variance s^2, cut off above g*:

    m = mean + c (g* - mean*) / std*^2,    s^2 = std^2 - c^2 / std*^2,    c = cov(f(x), f(x*))

The entropy of the measured value falls from log(std^2 + noise) / 2 to that of such a law, plus
noise. Two forms are published, and both are here:

    JointEntropy        a normal law of the same variance, log(s^2 T(gamma) + noise) / 2 with
                        gamma = (g* - m) / s and T the variance of a standard normal below gamma.
                        It has the most entropy that a variance allows, so the gain is a lower
                        bound (Hvarfner, Hutter and Nardi, 2022; "LB" in BoTorch)
    ExactJointEntropy   the entropy itself, log(s^2 + noise) / 2 - G(gamma), which estimates by
                        Monte Carlo converge to (Tu et al., 2022; "MC" in BoTorch)

(With rho the correlation of f(x) and f(x*), gamma has sqrt(1 - rho^2) in its denominator, not
1 - rho^2.)
"""

from __future__ import annotations

from typing import final

import numpy as np

from pathmax.acquisition import normal
from pathmax.acquisition.covariance_score import CovarianceScore, least_variance
from pathmax.acquisition.truncated_information import truncation_gain
from pathmax.arrays import Array
from pathmax.gp import GaussianProcess

ENTROPY_BLOCK = 256  # rows at a time: what an integral needs for them stays in the cache


class PairScore(CovarianceScore):
    """A score that knows pairs (x*, g*) of sampled maxima."""

    def __init__(self, model: GaussianProcess, X_star: Array, g_star: Array) -> None:
        """X_star (S, d), g_star (S,)."""
        super().__init__(model, X_star)
        self.g_star = g_star
        mean, std = model.predict(X_star)
        self.lift = g_star - mean  # (S,)
        self.variance = std**2  # (S,)

    def given_pairs(
        self, mean: Array, std: Array, covariance: Array
    ) -> tuple[Array, Array, Array, Array]:  # (m, 1), (m, 1), (m, S) -> (m, S) each
        """What is left at a point when a pair is known: the slope of its mean in g*, its variance
        and standard deviation, and how far below g* the mean is in those.
        """
        slope = covariance / self.variance
        squared = np.maximum(std**2 - slope * covariance, least_variance(std**2))
        s = np.sqrt(squared)
        return slope, squared, s, normal.z_score(self.g_star - mean - slope * self.lift, s)


@final
class JointEntropy(PairScore):
    """The mean gain over the pairs, by matched moments."""

    def gain(self, mean: Array, std: Array, covariance: Array) -> Array:
        """The mean gain: (m,), (m,), (m, S) -> (m,)."""
        noise = self.model.noise
        mean, variance = mean[:, None], std[:, None] ** 2
        slope = covariance / self.variance
        squared = np.maximum(variance - slope * covariance, least_variance(variance))
        gamma = normal.z_score(self.g_star - mean - slope * self.lift, np.sqrt(squared))
        squared *= normal.truncated_variance(gamma)
        squared += noise
        left = np.log(np.maximum(squared, np.finfo(float).tiny)).mean(axis=1)
        return np.asarray(0.5 * np.log(variance[:, 0] + noise) - 0.5 * left)

    def gains(
        self, mean: Array, std: Array, covariance: Array
    ) -> tuple[Array, Array, Array, Array]:  # (m,), (m,), (m, S) -> (m,), (m,), (m,), (m, S)
        """The mean gain and its derivatives in mean, std and covariance."""
        S, noise, std = len(self.g_star), self.model.noise, std[:, None]
        slope, squared, s, gamma = self.given_pairs(mean[:, None], std, covariance)
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


@final
class ExactJointEntropy(PairScore):
    """The mean gain over the pairs, with the entropy itself."""

    def gain(self, mean: Array, std: Array, covariance: Array) -> Array:
        """The mean gain: (m,), (m,), (m, S) -> (m,)."""
        blocks = [slice(i, i + ENTROPY_BLOCK) for i in range(0, max(len(mean), 1), ENTROPY_BLOCK)]
        return np.concatenate([self.gains(mean[b], std[b], covariance[b])[0] for b in blocks])

    def gains(
        self, mean: Array, std: Array, covariance: Array
    ) -> tuple[Array, Array, Array, Array]:  # (m,), (m,), (m, S) -> (m,), (m,), (m,), (m, S)
        """The mean gain and its derivatives in mean, std and covariance."""
        S, noise, std = len(self.g_star), self.model.noise, std[:, None]
        slope, squared, s, gamma = self.given_pairs(mean[:, None], std, covariance)
        kappa = np.sqrt(noise) / s
        G, by_gamma, by_kappa = truncation_gain(gamma, kappa)
        before, left = std**2 + noise, squared + noise
        value = 0.5 * np.log(before) - 0.5 * np.log(left) + G
        by_squared = -0.5 / left - 0.5 * (gamma * by_gamma + kappa * by_kappa) / squared
        by_mean = -by_gamma / s
        by_std = std / before + 2.0 * std * by_squared
        by_covariance = -2.0 * slope * by_squared + by_mean * self.lift / self.variance
        return value.mean(axis=1), by_mean.mean(axis=1), by_std.mean(axis=1), by_covariance / S


ENTROPIES: dict[str, type[PairScore]] = {"bound": JointEntropy, "exact": ExactJointEntropy}
