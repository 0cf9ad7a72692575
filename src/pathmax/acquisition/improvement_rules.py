"""Improvement over a reference: its probability (PI) and its expectation (EI).

With z = (mean - reference) / std

    PI = Phi(z)                          increasing in z: z itself is what is maximised
    EI = std (phi(z) + z Phi(z))         log EI = log std + log Phi(z) + log(phi(z)/Phi(z) + z)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from pathmax.acquisition import normal
from pathmax.acquisition.scores import Rule
from pathmax.arrays import Array


@final
@dataclass(frozen=True)
class ProbabilityOfImprovement(Rule):
    """z = (mean - reference) / std: the same order as Phi(z), without its flat tails."""

    reference: float
    enough: float = math.inf

    def __call__(self, mean: Array, std: Array) -> Array:
        return normal.z_score(mean - self.reference, std)

    def partials(self, mean: Array, std: Array) -> tuple[Array, Array, Array]:
        z = self(mean, std)
        per_std = 1.0 / np.maximum(std, 1.0 / normal.LARGEST_DEVIATION)
        return z, per_std, -z * per_std

    def ceiling(self, mean: Array, most: Array) -> Array:
        return np.where(mean < self.reference, self(mean, most), np.inf)

    def log_probability(self, mean: Array, std: Array) -> Array:  # (m,), (m,) -> (m,)
        """log Phi(z): the logarithm of the probability of improvement itself."""
        return normal.log_cdf(self(mean, std))


@final
@dataclass(frozen=True)
class ExpectedImprovement(Rule):
    """log E[max(f - reference, 0)], finite and exact however hopeless the point."""

    reference: float

    def __call__(self, mean: Array, std: Array) -> Array:
        return self.partials(mean, std)[0]

    def ceiling(self, mean: Array, most: Array) -> Array:
        return self(mean, most)

    def partials(self, mean: Array, std: Array) -> tuple[Array, Array, Array]:
        std = np.maximum(std, 1.0 / normal.LARGEST_DEVIATION)
        z = normal.z_score(mean - self.reference, std)
        e = normal.excess(z)
        value = np.log(std) + normal.log_cdf(z) + np.log(e)
        # d EI / d mean = Phi(z) and d EI / d std = phi(z), each over EI = std Phi(z) e
        with np.errstate(over="ignore"):
            by_mean, by_std = 1.0 / (std * e), normal.hazard(z) / (std * e)
        return value, by_mean, np.minimum(by_std, normal.LARGEST_DEVIATION)
