"""What a trial of lower fidelity would tell about reaching g* at the target.

At the point x that was chosen, f = f(x, target) and a measurement y of another fidelity are jointly
normal with correlation rho. If a sample path's maximum g* is the best there is, f <= g*. Knowing
that changes what is expected of y, and the entropy that y loses by it is what y can tell: the gain
of MF-MES with one sample (Takeno et al., 2020, arXiv 1901.08275). With gamma = (g* - mean) / std of
f, z = y in standard units, h its density given f <= g*, hazard = phi / Phi at gamma:

    h(z)  = phi(z) Phi((gamma - rho z) / r) / Phi(gamma),     r = sqrt(1 - rho^2)
    gain  = rho^2 gamma hazard / 2 - log Phi(gamma) + E_h log Phi((gamma - rho z) / r)

At rho = 1 the last term is 0 and the gain is that of MES. (The information that y has about f
itself, -log(1 - rho^2) / 2, diverges there as the noise goes to 0, and the nugget decides.) The
expectation is an integral over z, and where rho > r, so that the logarithm is steep, over
b = (gamma - rho z) / r. There phi(z) Phi(b) is log-concave, and the logarithm is 0 beyond b = 9.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from pathmax.acquisition import normal
from pathmax.arrays import Array
from pathmax.gp import GaussianProcess

GAIN_NODES = 96  # the gain is right to 1e-9 of itself for |gamma| up to 8 (tests)
NOTHING = 9.0  # log Phi above it is 0 in floats
WIDE = 12.0  # standard deviations that are integrated over to either side
HALVINGS = 60


def gain(gamma: Array, rho: Array) -> Array:  # (m,), (m,) -> (m,)
    """The entropy, in nats, that y loses when f <= g* is known."""
    gamma, rho = np.broadcast_arrays(
        np.clip(np.asarray(gamma, float), -1e6, 1e6), np.clip(np.abs(rho), 0.0, 1.0)
    )
    r = np.sqrt(np.maximum((1.0 - rho) * (1.0 + rho), 0.0))
    found = 0.5 * rho**2 * gamma * normal.hazard(gamma) - normal.log_cdf(gamma)
    steep = rho > r
    inside = steep & (r > 0.0)
    if inside.any():
        found[inside] += _over_b(gamma[inside], rho[inside], r[inside])
    if (~steep).any():
        found[~steep] += _over_z(gamma[~steep], rho[~steep], r[~steep])
    return np.maximum(found, 0.0)


def _over_z(gamma: Array, rho: Array, r: Array) -> Array:
    """E_h log Phi((gamma - rho z) / r), where the logarithm varies slowly."""
    nodes, weights = normal.gauss_legendre(GAIN_NODES)
    hazard, excess = normal.hazard(gamma), normal.excess(gamma)
    mean = -rho * hazard
    std = np.sqrt(np.maximum(1.0 - rho**2 * hazard * excess, np.finfo(float).eps))
    z = mean[:, None] + WIDE * std[:, None] * nodes
    log_tail = normal.log_cdf((gamma[:, None] - rho[:, None] * z) / r[:, None])
    density = np.exp(normal.log_density(z) + log_tail - normal.log_cdf(gamma)[:, None])
    return np.asarray(WIDE * std * ((density * log_tail) @ weights))


def _over_b(gamma: Array, rho: Array, r: Array) -> Array:
    """The same, where it is steep: z = (gamma - r b) / rho."""
    nodes, weights = normal.gauss_legendre(GAIN_NODES)
    peak = _peak(gamma, rho, r)
    low = np.minimum(peak, 0.0) - WIDE
    half = 0.5 * (NOTHING - low)
    b = low[:, None] + half[:, None] * (1.0 + nodes)
    z = (gamma[:, None] - r[:, None] * b) / rho[:, None]
    log_tail = normal.log_cdf(b)
    density = np.exp(normal.log_density(z) + log_tail - normal.log_cdf(gamma)[:, None])
    return np.asarray(half * (r / rho) * ((density * log_tail) @ weights))


def _peak(gamma: Array, rho: Array, r: Array) -> Array:
    """Where phi(z) Phi(b) is largest for b below NOTHING: its logarithm is concave."""
    low, high = np.minimum(r * gamma, 0.0) - 2.0, np.full(len(gamma), NOTHING)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        rises = normal.hazard(middle) + r * (gamma - r * middle) / rho**2 > 0.0
        low, high = np.where(rises, middle, low), np.where(rises, high, middle)
    return low


@final
@dataclass(frozen=True, eq=False)
class Wanted:
    """An outcome and what it should reach at the target: the gains of several are added."""

    model: GaussianProcess
    levels: Sequence[float]  # what it is at most: g* of a sample path or of several, or a bound
    floors: Sequence[float] = ()  # what it is at least: bounds


def gains(wanted: Sequence[Wanted], U: Array, target: Array) -> Array:  # (m, d), (d,) -> (m,)
    """What a measurement at each of U, one point at m fidelities, tells about the target.

    Outcomes are independent, and each is measured: what they tell adds up.
    """
    total = np.zeros(len(U))
    for one in wanted:
        mean, covariance = one.model.joint(np.concatenate([U, target[None]]))
        variance = np.maximum(covariance.diagonal(), np.finfo(float).tiny)
        std = np.sqrt(variance[-1])
        rho = covariance[-1, :-1] / (std * np.sqrt(variance[:-1] + one.model.noise))
        gaps = [level - mean[-1] for level in one.levels] + [mean[-1] - f for f in one.floors]
        for gap in gaps:  # f >= floor is -f <= -floor, of which y tells as much
            total += gain(normal.z_score(np.array([gap]), std), rho) / len(gaps)
    return total
