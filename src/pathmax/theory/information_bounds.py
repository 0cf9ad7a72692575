"""Upper bounds on gamma_t that need the kernel matrix K of the whole domain, for t = 1..T.

    spectrum   K = P + R with P of rank D: information is at most that of P and that of R, and a
               matrix of rank D and a given trace has the largest determinant when its eigenvalues
               are equal (the argument of Vakili, Khezeli and Picheny, 2021)
    designs    as a function of how often each point is measured, also by parts of a measurement,
               information is concave; no design is above the tangent at any other

Both take the eigenvalues or factors of K: O(N^3), for domains of a few hundred points.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from pathmax.arrays import Array

MOST_POINTS = 400  # of a domain, up to which these bounds take less than a second
SMALLEST_NOISE = 1e-8  # of the prior variance, below which rounding would spoil what they certify
LEFT_OVER = 1e-12  # of the prior variance, added to what an eigendecomposition leaves over
FIRST_UPDATES, UPDATES = 10, 3  # of a design; ten reach 1 % of the best, thirty gain 0.2 % more


def by_spectrum(K: Array, variance: float, steps: int) -> Array:  # (N, N) -> (T,)
    """min over D of D/2 log(1 + t p_D / (D sigma^2)) + t/2 log(1 + r_D / sigma^2).

    p_D and r_D are the largest variances that the first D eigenvectors of K explain and leave.
    """
    eigenvalues, vectors = np.linalg.eigh(K)
    order = np.argsort(eigenvalues)[::-1]
    explained = np.cumsum(np.maximum(eigenvalues[order], 0.0) * vectors[:, order] ** 2, axis=1)
    left = (np.diagonal(K)[:, None] - explained).max(axis=0)
    left = np.maximum(left, 0.0) + LEFT_OVER * np.diagonal(K).max()
    rank, t = np.arange(1, len(K) + 1)[:, None], np.arange(1, steps + 1)
    main = 0.5 * rank * np.log1p(t * explained.max(axis=0)[:, None] / (rank * variance))
    return np.asarray((main + 0.5 * t * np.log1p(left / variance)[:, None]).min(axis=0))


def by_designs(K: Array, variance: float, steps: int) -> Array:  # (N, N) -> (T,)
    """The tangents at designs of T, T/2, T/4, ... measurements, spread as well as a few updates do.

    An update gives each point its share of what the measurements tell at the margin
    (Silvey, Titterington and Torsney, 1978).
    """
    N, t = len(K), np.arange(1, steps + 1)
    weights = np.full(N, steps / N)
    upper = np.full(steps, np.inf)
    size, updates = float(steps), FIRST_UPDATES
    while size >= 1.0:
        weights *= size / weights.sum()
        for _ in range(updates):
            information, slopes = gain_and_slopes(K, weights, variance)
            told = float(weights @ slopes)
            upper = np.minimum(upper, information + t * slopes.max() - told)
            if told == 0.0:  # there is nothing to learn, which the tangent says already
                break
            weights = weights * slopes * (size / told)
        size, updates = size / 2.0, UPDATES
    return upper


def gain_and_slopes(K: Array, weights: Array, variance: float) -> tuple[float, Array]:
    """1/2 log det(I + W^(1/2) K W^(1/2) / sigma^2), and its slopes: variances over 2 sigma^2."""
    root = np.sqrt(weights / variance)
    inner = root[:, None] * K * root
    inner[np.diag_indices_from(inner)] += 1.0
    factor = cholesky(inner, lower=True, overwrite_a=True, check_finite=False)
    told = solve_triangular(factor, root[:, None] * K, lower=True, check_finite=False)
    left = np.maximum(np.diagonal(K) - np.sum(told**2, axis=0), 0.0)
    return float(np.log(np.diagonal(factor)).sum()), left / (2.0 * variance)
