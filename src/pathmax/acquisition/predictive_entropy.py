"""Predictive entropy search (Hernandez-Lobato, Hoffman and Ghahramani, 2014), from sample paths.

What y at x tells about where the maximum is, x*:

    PES(x) = H(y | data) - mean over s of H(y | data, x*_s),     x*_s the maximum of a sample path

That x* is the maximum is taken as: f(x*) is above the best posterior mean at the data, and
f(x*) >= f(x). Both are linear in the pair (f(x), f(x*)), which is normal, and each is brought in by
matching mean and variance; the variance of f(x) that is left gives the entropy. (The published
method also asks for a vanishing slope and a negative curvature at x*, by expectation propagation;
here a path's own maximum is the sample, and those are left out.) With c = cov(f(x), f(x*)):

    f(x*) >= best:   std*^2 -> std*^2 T(a),   a = (mean* - best) / std*
    f(x*) >= f(x):   var(f(x)) -> v - (c - v)^2 / s^2 (1 - T(b)),   b = E(f(x*) - f(x)) / s

T is the variance of a standard normal below a bound, s^2 the variance of f(x*) - f(x).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from pathmax.acquisition import normal
from pathmax.acquisition.covariance_score import CovarianceScore, least_variance
from pathmax.acquisition.entropy import peaks
from pathmax.acquisition.options import PathMethod, positive_count
from pathmax.acquisition.step import Choice, Step
from pathmax.arrays import Array
from pathmax.gp import GaussianProcess


@final
class PredictiveEntropy(CovarianceScore):
    """The mean entropy that knowing x* takes from a measurement, as a score."""

    def __init__(self, model: GaussianProcess, X_star: Array, best: float) -> None:
        super().__init__(model, X_star)
        mean, std = model.predict(X_star)  # (S,)
        a = normal.z_score(mean - best, std)
        self.variance = np.maximum(std**2, np.finfo(float).tiny)
        self.rise = std * normal.hazard(a)  # of the mean at x*, once it is above the best
        self.kept = normal.truncated_variance(a)  # the share of its variance that is left
        self.top = mean + self.rise

    def gain(self, mean: Array, std: Array, covariance: Array) -> Array:
        return self.gains(mean, std, covariance)[0]

    def gains(
        self, mean: Array, std: Array, covariance: Array
    ) -> tuple[Array, Array, Array, Array]:
        noise, S = self.model.noise, len(self.X_star)
        before = std**2
        m, c = mean[:, None], covariance
        lost = 1.0 - self.kept
        # f(x) once f(x*) is above the best
        centre = m + c * self.rise / self.variance
        v = np.maximum(
            before[:, None] - lost * c**2 / self.variance, least_variance(before)[:, None]
        )
        joint = c * self.kept
        # f(x*) - f(x)
        spread = np.maximum(
            self.variance * self.kept + v - 2.0 * joint, least_variance(before)[:, None]
        )
        s = np.sqrt(spread)
        b = np.clip(normal.z_score(self.top - centre, s), -1e100, 1e100)  # its square is finite
        T, T_slope = normal.truncated_variance_and_slope(b)
        q, cut = joint - v, 1.0 - T
        left = np.maximum(v - q**2 / spread * cut, least_variance(before)[:, None])
        total = left + noise
        value = 0.5 * np.log(before + noise) - 0.5 * np.log(total).mean(axis=1)

        def change(centre_by: Array | float, v_by: Array | float, joint_by: Array | float) -> Array:
            """The derivative of `left`, given those of centre, v and joint."""
            spread_by = v_by - 2.0 * joint_by
            b_by = -centre_by / s - 0.5 * b * spread_by / spread
            q_by = joint_by - v_by
            taken = 2.0 * q * q_by * cut / spread - q**2 * cut * spread_by / spread**2
            return np.asarray(v_by - taken + q**2 / spread * T_slope * b_by)

        with np.errstate(over="ignore", invalid="ignore"):  # values of 1e300
            by_mean = -0.5 * (change(1.0, 0.0, 0.0) / total).mean(axis=1)
            by_variance = (change(0.0, 1.0, 0.0) / total).mean(axis=1)
            by_std = std / (before + noise) - std * by_variance
            by_covariance = (
                -0.5
                / S
                * change(self.rise / self.variance, -2.0 * lost * c / self.variance, self.kept)
            )
            by_covariance /= total
        finite = [
            np.nan_to_num(
                part, nan=0.0, posinf=normal.LARGEST_DEVIATION, neginf=-normal.LARGEST_DEVIATION
            )
            for part in (by_mean, by_std, by_covariance)
        ]
        return value, *finite


@final
@dataclass(frozen=True, kw_only=True)
class Pes(PathMethod):
    """Predictive entropy search. For researchers: it costs what JES does.

    n_samples  sample paths to average over
    """

    name: ClassVar[str] = "pes"
    n_samples: int = field(default=10, metadata={"check": positive_count})

    def choose(self, step: Step) -> Choice:
        surface = self.surface(step)
        X_star, _ = peaks(surface, self.n_samples)
        score = PredictiveEntropy(surface.model, X_star, surface.incumbent)
        best = surface.search(score, hints=X_star)
        return step.choice(surface, best, gain=best.value)
