"""Information about the maximum: max-value (MES) and joint entropy search (JES).

MES, for the maxima g* of some sample paths, gamma = (g* - mean) / std:

    gain(gamma) = gamma phi(gamma) / (2 Phi(gamma)) - log Phi(gamma),     averaged over the samples

the entropy that f(x) loses when it is known to stay below g*. Its logarithm is computed, since the
gain itself underflows where g* is far away.

JES knows where each maximum is, too; its scores are in `joint_entropy`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from pathmax.acquisition import normal
from pathmax.acquisition.joint_entropy import ENTROPIES
from pathmax.acquisition.options import PathMethod, one_of, positive_count
from pathmax.acquisition.scores import Rule
from pathmax.acquisition.step import Choice, Step
from pathmax.acquisition.surfaces.surface import Surface
from pathmax.arrays import Array


@final
@dataclass(frozen=True, eq=False)
class MaxValueEntropy(Rule):
    """The logarithm of the mean gain over the sampled maxima."""

    g_stars: Array  # (S,)

    def __call__(self, mean: Array, std: Array) -> Array:
        return self.partials(mean, std)[0]

    def contenders(self, mean: Array, std: Array) -> NDArray[np.intp]:
        """The rows that the best row for the smallest g*, and that for the largest, do not beat.

        The gain falls with gamma, and gamma is linear in g*: a row with the smaller gamma at both
        ends has it in between. Of 160,000 rows a few are left whose gains have to be computed.
        """
        low, high = (
            normal.z_score(end - mean, std) for end in (self.g_stars.min(), self.g_stars.max())
        )
        return np.flatnonzero((low <= low[np.argmin(high)]) & (high <= high[np.argmin(low)]))

    def ceiling(self, mean: Array, most: Array) -> Array:
        return np.where(mean < self.g_stars.min(), self(mean, most), np.inf)

    def partials(self, mean: Array, std: Array) -> tuple[Array, Array, Array]:
        std = np.maximum(std, 1.0 / normal.LARGEST_DEVIATION)
        gamma = normal.z_score(self.g_stars[:, None] - mean, std)  # (S, m)
        log_gain, slope = log_entropy_gain(gamma)
        most = np.max(log_gain, axis=0)
        share = np.exp(log_gain - most)
        total = share.sum(axis=0)
        share /= total
        by_gamma = share * slope
        value = most + np.log(total / len(self.g_stars))
        with np.errstate(over="ignore"):
            by_mean, by_std = -by_gamma.sum(axis=0) / std, -(by_gamma * gamma).sum(axis=0) / std
        return value, *np.clip(
            (by_mean, by_std), -normal.LARGEST_DEVIATION, normal.LARGEST_DEVIATION
        )


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
@dataclass(frozen=True, kw_only=True)
class Mes(PathMethod):
    """Max-value entropy search.

    n_samples  sample paths to average over
    """

    name: ClassVar[str] = "mes"
    n_samples: int = field(default=10, metadata={"check": positive_count})

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
    entropy    "bound", the lower bound by matched moments (Hvarfner, Hutter and Nardi, 2022), or
               "exact", the information itself (what the estimate of Tu et al., 2022, is of)
    """

    name: ClassVar[str] = "jes"
    n_samples: int = field(default=10, metadata={"check": positive_count})
    entropy: str = field(default="bound", metadata={"check": one_of(*ENTROPIES)})

    def choose(self, step: Step) -> Choice:
        surface = self.surface(step)
        X_star, g_stars = peaks(surface, self.n_samples)
        best = surface.search(ENTROPIES[self.entropy](surface.model, X_star, g_stars), hints=X_star)
        return step.choice(surface, best, g_stars=g_stars, gain=best.value)


def peaks(surface: Surface, n: int) -> tuple[Array, Array]:  # -> (n, d), (n,)
    """Where n sample paths have their maxima, and how high these are."""
    found = [path.peak() for path in surface.samples(n)]
    return np.stack([peak.u for peak in found]), np.array([peak.value for peak in found])
