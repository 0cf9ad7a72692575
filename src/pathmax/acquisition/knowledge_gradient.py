"""The knowledge gradient (Frazier, Powell and Dayanik, 2009): how much the best mean will rise.

A measurement at x moves the mean at x' by c(x, x') z / sqrt(std^2 + noise), z standard normal:

    KG(x) = E max_{x'} (mean(x') + c(x, x') z / sqrt(std(x)^2 + noise))  -  max_{x'} mean(x')

The maximum is over points that may be the best: the maxima of sample paths, the best data, and x
itself. For each z it is over straight lines; the expectation over z is a mean over 64 equal parts
of the normal distribution, each at its own mean, so that straight lines are integrated exactly.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar, final

import numpy as np

from pathmax.acquisition.covariance_score import CovarianceScore
from pathmax.acquisition.entropy import peaks
from pathmax.acquisition.options import PathMethod, positive_count
from pathmax.acquisition.step import Choice, Step
from pathmax.arrays import Array
from pathmax.gp import GaussianProcess

NORMAL_PARTS = 64
BEST_DATA = 8  # data points that take part, beside the maxima of paths
GRADIENT_BLOCK = 256  # points at a time: (points, parts, lines) numbers are compared


@final
class KnowledgeGradient(CovarianceScore):
    """The expected rise of the largest mean over fixed points and the measured one."""

    def __init__(self, model: GaussianProcess, X_star: Array) -> None:  # (S, d)
        super().__init__(model, X_star)
        self.means = model.predict(X_star)[0]  # (S,)
        self.nodes = normal_parts(NORMAL_PARTS)

    def gain(self, mean: Array, std: Array, covariance: Array) -> Array:
        values = np.empty_like(mean)
        for start in range(0, len(mean), GRADIENT_BLOCK):
            rows = slice(start, start + GRADIENT_BLOCK)
            lines, _ = self._lines(mean[rows], std[rows], covariance[rows])
            values[rows] = lines.max(axis=2).mean(axis=1) - self._before(mean[rows])
        return values

    def gains(
        self, mean: Array, std: Array, covariance: Array
    ) -> tuple[Array, Array, Array, Array]:
        m, S = covariance.shape
        lines, spread = self._lines(mean, std, covariance)
        winner = lines.argmax(axis=2)  # (m, Q)
        value = lines.max(axis=2).mean(axis=1) - self._before(mean)
        share, moment = np.zeros((m, S + 1)), np.zeros((m, S + 1))  # of z where each line wins
        rows = np.repeat(np.arange(m), NORMAL_PARTS)
        np.add.at(share, (rows, winner.ravel()), 1.0 / NORMAL_PARTS)
        np.add.at(moment, (rows, winner.ravel()), np.tile(self.nodes, m) / NORMAL_PARTS)
        by_covariance = moment[:, :S] / spread[:, None]
        slope = -std / spread**3  # of 1 / sqrt(std^2 + noise) in std
        by_std = (moment[:, :S] * covariance).sum(axis=1) * slope
        by_std += moment[:, S] * (2.0 * std / spread + std**2 * slope)
        by_mean = share[:, S] - (mean > self.means.max())
        return value, by_mean, by_std, by_covariance

    def _lines(self, mean: Array, std: Array, covariance: Array) -> tuple[Array, Array]:
        """Means after it, (m, Q, S + 1), that of x the last; and sqrt(std^2 + noise), (m,)."""
        spread = np.sqrt(std**2 + self.model.noise + np.finfo(float).tiny)
        slopes = np.concatenate([covariance, (std**2)[:, None]], axis=1) / spread[:, None]
        starts = np.concatenate(
            [np.broadcast_to(self.means, covariance.shape), mean[:, None]], axis=1
        )
        return starts[:, None, :] + self.nodes[None, :, None] * slopes[:, None, :], spread

    def _before(self, mean: Array) -> Array:
        return np.asarray(np.maximum(self.means.max(), mean))


@cache
def normal_parts(n: int) -> Array:  # -> (n,)
    """The means of a standard normal variable in n parts of equal probability."""
    from scipy.special import ndtri

    edges = ndtri(np.linspace(0.0, 1.0, n + 1))
    density = np.exp(-0.5 * edges**2) / np.sqrt(2.0 * np.pi)
    return np.asarray(n * (density[:-1] - density[1:]))


@final
@dataclass(frozen=True, kw_only=True)
class Kg(PathMethod):
    """The knowledge gradient. For researchers: it costs ten to fifteen times what PIMS does.

    n_samples  sample paths whose maxima may become the best
    """

    name: ClassVar[str] = "kg"
    n_samples: int = field(default=24, metadata={"check": positive_count})

    def choose(self, step: Step) -> Choice:
        surface = self.surface(step)
        X_star, _ = peaks(surface, self.n_samples)
        places = with_best_data(X_star, surface.model)
        best = surface.search(KnowledgeGradient(surface.model, places), hints=X_star)
        return step.choice(surface, best, gain=best.value)


def with_best_data(X: Array, model: GaussianProcess) -> Array:  # (m, d) -> (m + k, d)
    """Points, and the data with the largest posterior means."""
    if not model.n:
        return X
    best = np.argsort(-model.fitted, kind="stable")[:BEST_DATA]
    return np.concatenate([X, model.X[best]])
