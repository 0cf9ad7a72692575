"""The standard normal distribution, exact far into its tails.

Acquisitions divide phi by Phi and take logarithms of both where both underflow. Everything here is
built on two functions that never do:

    hazard(z) = phi(z) / Phi(z) = sqrt(2/pi) / erfcx(-z / sqrt 2)
    excess(z) = hazard(z) + z           (of order 1/|z| for z -> -inf, where the sum cancels)

For z < -100 `excess` uses its asymptotic series with a = |z|: 1/a - 2/a^3 + 10/a^5 - 74/a^7.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from pathmax.arrays import Array

LOG_SQRT_2PI = 0.5 * math.log(2.0 * math.pi)
SQRT_HALF = math.sqrt(0.5)

# |z| is kept below this, so that its square is finite and no inf - inf can follow.
LARGEST_DEVIATION = 1e150
SMALLEST_STD = float(np.finfo(float).tiny)


def z_score(difference: Array, std: Array) -> Array:
    """difference / std, finite for every std including 0; 0 / 0 counts as 0."""
    with np.errstate(over="ignore"):
        z = difference / np.maximum(std, SMALLEST_STD)
    return np.minimum(np.maximum(z, -LARGEST_DEVIATION), LARGEST_DEVIATION)


@cache
def gauss_legendre(n: int) -> tuple[Array, Array]:  # -> (n,), (n,)
    """Nodes and weights of Gauss and Legendre's rule on [-1, 1]."""
    nodes, weights = np.polynomial.legendre.leggauss(n)
    return nodes, weights


def log_density(z: Array) -> Array:
    """log phi(z)."""
    return -0.5 * z * z - LOG_SQRT_2PI


def log_cdf(z: Array) -> Array:
    """log Phi(z)."""
    from scipy.special import log_ndtr  # 60 ms of import that PIMS and TS do not need

    return np.asarray(log_ndtr(z))


def scaled_cdf(z: Array) -> Array:
    """Phi(z) exp(z^2 / 2): for z <= 0, where it neither underflows nor overflows."""
    from scipy.special import erfcx

    return np.asarray(0.5 * erfcx(-SQRT_HALF * z))


def hazard(z: Array) -> Array:
    """phi(z) / Phi(z)."""
    from scipy.special import erfcx

    return np.asarray(math.sqrt(2.0 / math.pi) / erfcx(-SQRT_HALF * z))  # 1 / inf = 0 for large z


def excess(z: Array) -> Array:
    """hazard(z) + z, positive for every z."""
    inverse = 1.0 / np.maximum(np.abs(z), 100.0)
    square = inverse * inverse
    series = inverse * (1.0 - square * (2.0 - square * (10.0 - 74.0 * square)))
    return np.where(z < -100.0, series, hazard(z) + z)


def truncated_variance(z: Array) -> Array:
    """The variance of a standard normal known to lie below z."""
    h = hazard(z)
    variance = 1.0 - h * (h + z)
    far = z < FAR_TAIL
    if far.any():
        variance[far] = _far_variance(z[far])
    return variance


def truncated_variance_and_slope(z: Array) -> tuple[Array, Array]:
    """The same, and its derivative in z."""
    h = hazard(z)
    e = h + z
    variance, slope = 1.0 - h * e, h * (e * (e + h) - 1.0)
    far = z < FAR_TAIL
    if far.any():
        square = 1.0 / np.square(z[far])
        variance[far] = _far_variance(z[far])
        slope[far] = (
            np.sqrt(square) * square * (2.0 - square * (24.0 - square * (300.0 - 4144.0 * square)))
        )
    return variance, slope


FAR_TAIL = -30.0  # below it the direct forms lose more digits than the series


def _far_variance(z: Array) -> Array:
    square = 1.0 / np.square(z)
    return np.asarray(square * (1.0 - square * (6.0 - square * (50.0 - 518.0 * square))))
