"""The constants of the regret bounds and the confidence parameters of the UCB methods.

Notation: sigma^2 noise variance, |X| number of points of a finite domain, d dimension of a
continuous one, [0, r]^d the box that holds it, a and b the constants of Assumption 2.1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pathmax import arguments
from pathmax.arrays import Array
from pathmax.errors import ModelError


def c1(noise: float) -> float:
    """C_1 = 2 / log(1 + 1/sigma^2) of Theorems 3.1 to 4.3.

    It turns information into variance: the posterior variances at the evaluated points add up to
    at most C_1 times the information gained there (Lemma 5.4 of Srinivas et al., 2010).
    """
    return 2.0 / math.log1p(1.0 / arguments.positive("noise", noise))


def c2(cardinality: float) -> float:
    """C_2 = 2 + 2 log(|X| / 2) of Theorems 3.1 and 4.1.

    By Lemma 3.2 it bounds E[eta_t^2 1{eta_t >= 0}] of Thompson sampling and by Lemma 4.1
    E[xi_t^2 1{xi_t >= 0}] of PIMS, at every step and whatever the data. At least two points:
    on one point there is no regret to bound.
    """
    return 2.0 + 2.0 * math.log(arguments.count("cardinality", cardinality, least=2) / 2.0)


def confidence_beta(delta: float, cardinality: float) -> float:
    """beta_delta = 2 log(|X| / (2 delta)) of Lemma 3.1.

    With probability at least 1 - delta, f(x) <= mean(x) + sqrt(beta_delta) std(x) at all the
    points of a finite domain at once.
    """
    size = arguments.count("cardinality", cardinality, least=2)
    if not 0.0 < delta < 1.0:
        raise ModelError(f"delta must lie strictly between 0 and 1, got {delta!r}")
    return 2.0 * math.log(size / (2.0 * delta))


def gp_ucb_beta(
    t: ArrayLike, *, cardinality: float | None = None, dimension: float | None = None
) -> Array:
    """beta_t of GP-UCB at step t = 1, 2, ...; give one of `cardinality` and `dimension`.

    `cardinality=|X|`: the theoretical 2 log(|X| t^2 / sqrt(2 pi)) of a finite domain.
    `dimension=d`: the heuristic 0.2 d log(2 t) of the paper's benchmark section.
    """
    step = arguments.counts("t", t, least=1)
    if cardinality is not None and dimension is None:
        size = arguments.count("cardinality", cardinality, least=2)
        beta = 2.0 * np.log(size * step**2 / math.sqrt(2.0 * math.pi))
        return np.maximum(beta, 0.0)  # below 0 only for two points at the first step
    if dimension is not None and cardinality is None:
        return np.asarray(0.2 * arguments.count("dimension", dimension, 1) * np.log(2.0 * step))
    raise ModelError("gp_ucb_beta takes cardinality= (theory) or dimension= (heuristic), not both")


@dataclass(frozen=True, slots=True)
class TwoParameterExponential:
    """The law of zeta = shift + E with E exponential of the given rate."""

    shift: float
    rate: float = 0.5

    @property
    def mean(self) -> float:
        """shift + 1 / rate."""
        return self.shift + 1.0 / self.rate

    @property
    def std(self) -> float:
        """1 / rate."""
        return 1.0 / self.rate

    def quantile(self, probability: ArrayLike) -> Array:
        """The value that zeta stays below with the given probability."""
        p = np.asarray(probability, dtype=np.float64)
        if np.any((p < 0.0) | (p >= 1.0)):
            raise ModelError(f"probability must lie in [0, 1), got {probability!r}")
        return np.asarray(self.shift - np.log1p(-p) / self.rate)

    def sample(self, rng: np.random.Generator, n: int) -> Array:  # -> (n,)
        """n independent draws."""
        return self.shift + rng.exponential(1.0 / self.rate, size=n)


def irgp_ucb_zeta(
    *, cardinality: float | None = None, dimension: float | None = None
) -> TwoParameterExponential:
    """The law of zeta_t of IRGP-UCB, Exp(s, 1/2); give one of `cardinality` and `dimension`.

    `cardinality=|X|`: the theoretical s = 2 log(|X| / 2), whose mean s + 2 is C_2.
    `dimension=d`: the heuristic s = 2 / d of the paper's benchmark section.
    """
    if cardinality is not None and dimension is None:
        return TwoParameterExponential(c2(cardinality) - 2.0)
    if dimension is not None and cardinality is None:
        return TwoParameterExponential(2.0 / arguments.count("dimension", dimension, least=1))
    raise ModelError(
        "irgp_ucb_zeta takes cardinality= (theory) or dimension= (heuristic), not both"
    )


def variance_floor(noise: float, n: ArrayLike, *, outputscale: float = 1.0) -> Array:
    """The least posterior variance after n observations, sigma^2 / (sigma^2 + n): Lemma 4.2.

    No arrangement of n points leaves less than n repeats of one point do. With an output scale
    s^2 it is s^2 sigma^2 / (sigma^2 + n s^2).
    """
    variance = arguments.positive("noise", noise)
    scale = arguments.positive("outputscale", outputscale)
    return np.asarray(scale * variance / (variance + arguments.counts("n", n, least=0) * scale))
