"""Input warps for `surrogate`: every coordinate bent by Kumaraswamy's distribution function.

u -> 1 - (1 - u^a)^b maps the unit interval onto itself, so that a point chosen in the bent cube has
its place in the straight one. log a and log b are N(0, 0.4^2) beforehand (Snoek et al. 2014 have
the like) and are learnt with the model's parameters, each in turn, by the same evidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.optimize import minimize

from pathmax import gp
from pathmax.gp.fitting import mean_and_scale
from pathmax.gp.parameter_posterior import ParameterPosterior

Array = np.ndarray

SPREAD = 0.4
LARGEST = 1.5  # of |log a| and |log b|
FEWEST = 8  # results: fewer say nothing about two more numbers per coordinate
ROUNDS = 5  # of L-BFGS per trial, from where the trial before ended


@dataclass(frozen=True)
class Warp:
    """Kumaraswamy's function of each of d coordinates."""

    logs: Array  # (2 d,): log a, then log b

    def inward(self, X: Array) -> Array:  # (..., d) -> (..., d)
        a, b = np.exp(self.logs).reshape(2, -1)
        return np.asarray(1.0 - (1.0 - np.clip(X, 1e-9, 1.0 - 1e-9) ** a) ** b)

    def outward(self, U: Array) -> Array:  # (..., d) -> (..., d)
        a, b = np.exp(self.logs).reshape(2, -1)
        return np.asarray(np.clip((1.0 - (1.0 - U) ** (1.0 / b)) ** (1.0 / a), 0.0, 1.0))


def straight(d: int) -> Warp:
    return Warp(np.zeros(2 * d))


def learn(before: Warp, model: gp.GaussianProcess, X: Array, y: Array, priors: gp.Priors) -> Warp:
    """The more probable warp at the parameters of `model`, a fit of `before.inward(X)`."""
    if len(y) < FEWEST:
        return before
    centre, scale = mean_and_scale(y)
    theta = np.append(model.kernel.theta, np.log(model.noise))
    theta[-2:] -= 2.0 * np.log(scale)
    bowl_on = () if model.bowl is None else tuple(range(X.shape[1]))
    cost = partial(unlikely, model.kernel, X, (y - centre) / scale, priors, bowl_on, theta)
    box = [(-LARGEST, LARGEST)] * len(before.logs)
    found = minimize(cost, before.logs, method="L-BFGS-B", bounds=box, options={"maxiter": ROUNDS})
    return Warp(found.x)


def unlikely(
    kernel: gp.Kernel,
    X: Array,
    y: Array,
    priors: gp.Priors,
    bowl_on: tuple[int, ...],
    theta: Array,
    logs: Array,
) -> float:
    """-log p(y, theta, warp) but for a constant."""
    unknown = np.full(len(y), np.nan)
    posterior = ParameterPosterior(kernel, Warp(logs).inward(X), y, unknown, priors, bowl_on)
    value, _ = posterior(np.clip(theta, posterior.low, posterior.high))
    return min(value, 1e6) + 0.5 * float(logs @ logs) / SPREAD**2
