"""How curves go on: a Gaussian process over the steps of a run, given the value that it ends with.

    y(t) = end + gap(t) + noise              t from 0 to 1, the last step; larger is better
    gap(t) = decays(t) - decays(1) + drift(t)

`decays` is a mixture of exponential decays with random weights, as in freeze-thaw optimisation
(Swersky, Snoek and Adams 2014, arXiv 1406.3896). With rates from a Gamma distribution and weights
of mean `gain` and standard deviation `spread`,

    E decays(t) = gain (beta / (t + beta))^alpha
    cov(decays(t), decays(t')) = spread^2 (beta / (t + t' + beta))^alpha

`drift` is a Brownian motion that runs backwards from the last step, where it is 0: what is still to
come need not be a decay. Both vanish at the end, so the end is a parameter of its own. What a part
of a curve says about it is a normal message: a value that it might have been measured with, and the
variance of that measurement. Multiplied with what a model of the ends expects at that point of the
space, it is the posterior under the kernel

    k((x, t), (x', t')) = k_ends(x, x') + [same run] k_gap(t, t')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from pathmax.arrays import Array

OPEN_END = 9.0  # variance of an end about which nothing is known
# Means and standard deviations of normal priors: of gain, and of the logarithms of the others.
# Wide: a curve or two overrule them.
PRIOR_MEAN = np.array([0.0, 0.0, 0.0, -2.0, -1.5, -2.0])
PRIOR_STD = np.array([2.0, 1.5, 1.0, 1.5, 1.5, 1.5])


class Message(NamedTuple):
    """What a part of a curve says about its end: a measured value and its variance."""

    mean: float
    variance: float

    def times(self, mean: float, variance: float) -> Message:
        """The same together with what else is known about the end."""
        precision = 1.0 / self.variance + 1.0 / variance
        together = (self.mean / self.variance + mean / variance) / precision
        return Message(together, 1.0 / precision)


@final
@dataclass(frozen=True, slots=True)
class Decay:
    """How curves go on; in units in which ends lie around 0 and values are spread by about 1."""

    gain: float = -1.0  # of the decays at the first step, on average: below 0, curves rise
    spread: float = 1.0
    alpha: float = 1.0
    beta: float = 0.1
    drift: float = 0.2  # standard deviation of what the whole way adds
    noise: float = 0.1  # standard deviation of one report

    def mean(self, t: Array) -> Array:  # (k,) -> (k,)
        """The gap that is expected."""
        decays = (self.beta / (np.append(t, 1.0) + self.beta)) ** self.alpha
        gaps: Array = self.gain * (decays[:-1] - decays[-1])
        return gaps

    def covariance(self, t: Array, s: Array) -> Array:  # (k,), (m,) -> (k, m)
        """Of the gaps of one run, without noise."""

        def decays(one: Array, other: Array) -> Array:
            return (self.beta / (one + other + self.beta)) ** self.alpha

        t, s, end = t[:, None], s[None, :], np.ones((1, 1))
        gaps = decays(t, s) - decays(t, end) - decays(end, s) + decays(end, end)
        left = 1.0 - np.minimum(np.maximum(t, s), 1.0)
        return self.spread**2 * gaps + self.drift**2 * left

    def message(self, t: Array, y: Array) -> Message:  # (k,), (k,)
        """What these reports say about the end of their run."""
        from scipy.linalg import solve_triangular

        factor = self._factor(t)
        sides = np.column_stack([np.ones(len(t)), y - self.mean(t)])
        white: Array = solve_triangular(factor, sides, lower=True)
        ones, rest = white[:, 0], white[:, 1]
        precision = float(ones @ ones)
        return Message(float(ones @ rest) / precision, 1.0 / precision)

    def _factor(self, t: Array) -> Array:  # (k,) -> (k, k)
        from scipy.linalg import cholesky

        covariance = self.covariance(t, t)
        covariance[np.diag_indices_from(covariance)] += self.noise**2 + 1e-10
        factor: Array = cholesky(covariance, lower=True)
        return factor

    def log_likelihood(self, t: Array, Y: Array, ends: Array) -> float:  # (k,), (n, k), (n,)
        """Of runs, each reported at the first few of the steps t and NaN after them.

        `ends` is NaN where the end is not known. The covariance of a part of the steps is a part of
        the covariance, and so is its factor: one factor serves all runs.
        """
        from scipy.linalg import solve_triangular

        factor, there = self._factor(t), ~np.isnan(Y)
        known = ~np.isnan(ends)
        gaps = np.where(there, Y - np.where(known, ends, 0.0)[:, None] - self.mean(t), 0.0)
        whole = solve_triangular(factor, np.vstack([gaps, np.ones(len(t))]).T, lower=True).T
        white, ones = np.where(there, whole[:-1], 0.0), np.where(there, whole[-1], 0.0)
        squares = np.sum(white**2, axis=1)
        log_det = 2.0 * np.sum(np.where(there, np.log(np.diag(factor)), 0.0), axis=1)
        precision = np.sum(ones**2, axis=1)
        open_squares = squares - np.sum(ones * white, axis=1) ** 2 / (1.0 / OPEN_END + precision)
        open_log_det = log_det + np.log1p(OPEN_END * precision)
        total = np.where(known, squares + log_det, open_squares + open_log_det)
        return -0.5 * float(np.sum(total + there.sum(axis=1) * np.log(2.0 * np.pi)))

    @property
    def theta(self) -> Array:  # (6,)
        """As learning sees it."""
        positive = (self.spread, self.alpha, self.beta, self.drift, self.noise)
        return np.array([self.gain, *np.log(positive)])

    @classmethod
    def from_theta(cls, theta: Array) -> Decay:
        return cls(float(theta[0]), *(float(value) for value in np.exp(theta[1:])))


def learn_decay(t: Array, Y: Array, ends: Array) -> Decay:  # (k,), (n, k), (n,)
    """The most probable parameters; `Decay.log_likelihood` describes the arguments."""

    def loss(theta: Array) -> float:
        prior = 0.5 * float(np.sum(((theta - PRIOR_MEAN) / PRIOR_STD) ** 2))
        return prior - Decay.from_theta(theta).log_likelihood(t, Y, ends)

    bounds = [(-30.0, 30.0), (-7.0, 4.0), (-3.0, 3.0), (-6.0, 3.0), (-7.0, 4.0), (-7.0, 3.0)]
    from scipy.optimize import minimize  # takes 0.15 s, for studies with curves only

    found = minimize(loss, PRIOR_MEAN, method="L-BFGS-B", bounds=bounds, options={"maxiter": 60})
    return Decay.from_theta(np.asarray(found.x))
