"""Tails: how improbable a large deviation, a large optimism or a large regret is."""

from __future__ import annotations

from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from pathmax import arguments
from pathmax.arrays import Array
from pathmax.errors import ModelError


def normal_tail(c: ArrayLike) -> Array:
    """exp(-c^2 / 2) / 2, which bounds 1 - Phi(c) for c >= 0: Lemma D.1."""
    level = np.asarray(c, dtype=np.float64)
    if np.any(~(level >= 0.0)):
        raise ModelError(f"the bound is for c >= 0, got {c!r}")
    return np.asarray(0.5 * np.exp(-0.5 * level * level))


def optimism_tail(c: ArrayLike, cardinality: float) -> Array:
    """At most this is P(xi_t > c) of PIMS, and P(eta_t > c) of TS, on |X| points; c >= 0.

    By Lemma D.5 xi_t exceeds c exactly when g* exceeds mean + c std everywhere; a union over |X|
    points and Lemma D.1 give min(1, |X| / 2 exp(-c^2 / 2)). Its integral over c^2 is C_2.
    """
    size = arguments.count("cardinality", cardinality, least=1)
    return np.minimum(1.0, size * normal_tail(c))


@overload
def high_probability_bound(expected: float, delta: float) -> float: ...
@overload
def high_probability_bound(expected: Array, delta: float) -> Array: ...
def high_probability_bound(expected: float | Array, delta: float) -> float | Array:
    """What the regret stays below with probability 1 - delta, given a bound on its expectation.

    Regret is not negative, so by Markov's inequality it exceeds E[regret] / delta with probability
    delta at most; the paper's Section 2 gives its bounds with high probability in this way. The
    price is 1 / delta, where bounds made for the purpose pay log(1 / delta).
    """
    if not 0.0 < delta < 1.0:
        raise ModelError(f"delta must lie strictly between 0 and 1, got {delta!r}")
    values = np.asarray(expected, dtype=np.float64)
    if np.any(~(values >= 0.0)):
        raise ModelError(f"an expected regret is zero or more, got {expected!r}")
    return values / delta if values.ndim else float(values) / delta
