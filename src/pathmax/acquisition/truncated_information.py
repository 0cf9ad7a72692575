"""What is learnt from a noisy value when it becomes known to stay below a level.

f ~ N(m, s^2) is measured with noise, and then known to be below g*. With gamma = (g* - m) / s,
kappa = sqrt(noise) / s and r^2 = 1 + kappa^2, the measured value in units of its std before the cut
has the density of an extended skew normal law

    p(w) = phi(w) Phi(v) / Phi(gamma),     v = (gamma r - w) / kappa

and its entropy falls by

    G = gamma phi / (2 r^2 Phi)  -  log Phi(gamma)  +  E log Phi(v)

The last mean has no closed form. As an integral over v it is smooth, and Gauss and Legendre's rule
has it to 1e-7. Without noise it is zero, and G is the gain of MES.
"""

from __future__ import annotations

import numpy as np

from pathmax.acquisition import normal
from pathmax.arrays import Array

NODES = 40
LOWEST, HIGHEST = -20.0, 20.0  # gamma beyond them: the cut takes nearly all, or nothing
DEVIATIONS = 8.0  # of a normal variable; beyond them its density is below 1e-14
CERTAIN_DEVIATION = 9.0  # log Phi(9) is -1e-19


def truncation_gain(gamma: Array, kappa: Array) -> tuple[Array, Array, Array]:
    """G and its derivatives in gamma and kappa; constant in gamma outside of [-20, 20]."""
    inside = (gamma > LOWEST) & (gamma < HIGHEST)
    gamma = np.clip(gamma, LOWEST, HIGHEST)
    h, log_cdf = normal.hazard(gamma), normal.log_cdf(gamma)
    narrow = 1.0 / (1.0 + kappa**2)  # r^-2
    mean, by_gamma, by_kappa = _mean_log_cdf(gamma, kappa, log_cdf)
    by_gamma += 0.5 * narrow * h * (1.0 - gamma * (h + gamma)) - h - h * mean
    by_kappa -= kappa * narrow**2 * gamma * h
    return 0.5 * narrow * gamma * h - log_cdf + mean, np.where(inside, by_gamma, 0.0), by_kappa


def _mean_log_cdf(gamma: Array, kappa: Array, log_cdf: Array) -> tuple[Array, Array, Array]:
    """E log Phi(v), and the derivatives of its numerator over Phi(gamma)."""
    r = np.sqrt(1.0 + kappa**2)
    share = kappa / r  # sqrt(noise) in the std of the measured value
    # v = gamma share + t / (r^2 share) - z / r with z normal and t >= 0 the distance from the cut
    low = np.minimum(gamma * share - DEVIATIONS / r, CERTAIN_DEVIATION)
    farthest = np.maximum(gamma, 0.0) + DEVIATIONS
    reach = farthest / np.maximum(r * kappa, 1e-12) + DEVIATIONS / r
    high = np.clip(gamma * share + reach, low, CERTAIN_DEVIATION)
    nodes, weights = normal.gauss_legendre(NODES)
    places, weights = 0.5 * (nodes + 1.0), 0.5 * weights
    v = low[..., None] + (high - low)[..., None] * places
    u = (gamma * r)[..., None] - kappa[..., None] * v
    log_v = normal.log_cdf(v)
    density = np.exp(normal.log_density(u) - log_cdf[..., None] + log_v)
    terms = (high - low)[..., None] * weights * density * log_v
    total, by_u = terms.sum(axis=-1), u * terms
    turn = gamma * kappa / r
    by_gamma = -kappa * r * by_u.sum(axis=-1)
    by_kappa = total - kappa * (turn * by_u.sum(axis=-1) - (by_u * v).sum(axis=-1))
    return kappa * total, by_gamma, by_kappa
