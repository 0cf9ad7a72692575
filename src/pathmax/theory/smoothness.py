"""How fast sample paths and the posterior standard deviation can change.

Continuous domains need it: the proofs lay a lattice X_t over the box and pay for what happens
between its points. Assumption 2.1 says, with constants a >= 1 and b > 0, for every coordinate j,

    P( sup_x |df/dx_j| > L )  <=  a exp(-(L / b)^2)       for all L >= 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pathmax import arguments
from pathmax.arrays import Array
from pathmax.errors import ModelError

if TYPE_CHECKING:
    from pathmax.gp import Kernel, Path


def expected_slope(a: float, b: float, dimension: int) -> float:
    """b (sqrt(log(a d)) + sqrt(pi) / 2), which bounds E[max_j sup_x |df/dx_j|].

    Lemma H.1 of Takeno et al. (2023), repeated in the paper's appendix; a and b are those of
    Assumption 2.1, d the dimension.
    """
    tail = arguments.at_least("a", a, 1.0) * arguments.count("dimension", dimension, least=1)
    return arguments.positive("b", b) * (math.sqrt(math.log(tail)) + math.sqrt(math.pi) / 2.0)


def lipschitz_std(kernel: Kernel) -> float:
    """L_sigma: |std(x) - std(x')| <= L_sigma |x - x'|_1 for every posterior. Lemma 3.3.

    s for the linear kernel, sqrt(2) s / l for RBF, sqrt(2) s / l sqrt(nu / (nu - 1)) for Matern
    with nu > 1, where s^2 is the output scale and l the (shortest) length scale; the linear kernel
    has l = 1 in the paper and s / l here. Matern-1/2 has none: its std has a kink at the data that
    is steeper than any L.
    """
    scale, shortest = math.sqrt(kernel.outputscale), float(np.min(_lengthscales(kernel)))
    kind = type(kernel).__name__
    if kind == "Linear":
        return scale / shortest
    return math.sqrt(2.0 * _curvature(kind)) * scale / shortest


@dataclass(frozen=True, slots=True)
class DerivativeTail:
    """Constants of Assumption 2.1 and what they were estimated from."""

    a: float
    b: float
    expected_supremum: float  # of |df/dx_j|, for the steepest j
    standard_error: float
    derivative_std: float  # of df/dx_j at one point, for the steepest j
    n_paths: int


def derivative_tail(
    kernel: Kernel,
    dimension: int,
    rng: np.random.Generator,
    *,
    r: float = 1.0,
    n_paths: int = 128,
    n_points: int = 1024,
) -> DerivativeTail:
    """Estimate a and b of Assumption 2.1 on [0, r]^d from draws of derivative paths.

    Method. The derivative is itself a Gaussian process, with variance v known in closed form, so
    the Borell-TIS inequality gives P(sup > m + u) <= exp(-u^2 / (2 v)) with m = E sup. For any
    kappa > 0 it follows that a = exp(m^2 / (2 v kappa)), b = sqrt(2 v (1 + kappa)) satisfy the
    assumption, and kappa is chosen to make `expected_slope`, all that the bounds use, smallest.
    Only m is estimated: by the mean over `n_paths` prior paths of the largest |df/dx_j| found, to
    which three standard errors are added.

    Caveat. A search of n_points places, sharpened around the best, can miss the supremum and never
    overshoots it, so m is a slight underestimate, more so in many dimensions; and paths are made
    of finitely many random features. a and b enter the bounds through a logarithm only: raising
    n_points tells how much that matters. Constants that you know are better.
    """
    from pathmax import gp

    d = arguments.count("dimension", dimension, least=1)
    side = arguments.positive("r", r)
    n = arguments.count("n_paths", n_paths, least=2)
    scale, lengthscales = math.sqrt(kernel.outputscale), _lengthscales(kernel)
    if lengthscales.size not in (1, d):
        raise ModelError(
            f"the kernel has {lengthscales.size} length scales, got dimension={d}; make them equal"
        )
    std = scale * math.sqrt(_curvature(type(kernel).__name__)) / float(np.min(lengthscales))

    prior = gp.GaussianProcess(kernel, noise=1e-6)
    X = side * rng.random((arguments.count("n_points", n_points, least=1), d))
    suprema = np.empty((n, d))
    for i in range(n):
        path = gp.draw_path(prior, rng)  # its own features each time: independent draws
        assert isinstance(path, gp.Path)
        suprema[i] = _steepest(path, X, side, rng)
    means = suprema.mean(axis=0)  # per coordinate
    j = int(np.argmax(means))
    error = float(suprema[:, j].std(ddof=1)) / math.sqrt(n)
    mean = float(means[j]) + 3.0 * error
    a, b = _least_slope(mean / std, d)
    return DerivativeTail(a, b * std, float(means[j]), error, std, n)


def _steepest(path: Path, X: Array, side: float, rng: np.random.Generator) -> Array:  # -> (d,)
    """The largest |df/dx_j| found for each j: everywhere first, then ever closer to the best."""
    slopes = np.abs(path.gradient(X))
    best, place = slopes.max(axis=0), X[slopes.argmax(axis=0)]  # (d,), (d, d)
    reach = side * len(X) ** (-1.0 / X.shape[1])  # the mean distance between neighbours
    for _ in range(4):
        near = np.clip(place[:, None] + reach * rng.standard_normal((1, 16, X.shape[1])), 0, side)
        slopes = np.abs(path.gradient(near.reshape(-1, X.shape[1])))
        found, where = slopes.max(axis=0), slopes.argmax(axis=0)
        better = found > best
        best = np.where(better, found, best)
        place = np.where(better[:, None], near.reshape(-1, X.shape[1])[where], place)
        reach /= 2.0
    return np.asarray(best)


def _least_slope(mean: float, dimension: int) -> tuple[float, float]:
    """(a, b) for a derivative of unit variance, over a grid of kappa."""
    kappa = np.geomspace(1e-2, 1e2, 2001)
    log_a = mean**2 / (2.0 * kappa)
    b = np.sqrt(2.0 * (1.0 + kappa))
    slope = b * (np.sqrt(log_a + math.log(dimension)) + math.sqrt(math.pi) / 2.0)
    slope[log_a > 700.0] = np.inf  # a itself would overflow
    best = int(np.argmin(slope))
    return float(math.exp(log_a[best])), float(b[best])


def _lengthscales(kernel: Kernel) -> Array:
    lengthscale = getattr(kernel, "lengthscale", None)
    if lengthscale is None:
        raise ModelError(
            f"{type(kernel).__name__} kernels are not covered by the paper's lemmas; "
            "use Linear, RBF, Matern32 or Matern52"
        )
    return np.atleast_1d(np.asarray(lengthscale, dtype=np.float64))


def _curvature(kind: str) -> float:
    """-k''(0) l^2 of a unit kernel: the variance of df/dx_j in units of 1 / l^2."""
    known = {"Linear": 1.0, "RBF": 1.0, "Matern32": 3.0, "Matern52": 5.0 / 3.0}  # nu / (nu - 1)
    if kind not in known:
        raise ModelError(
            f"{kind} paths have no derivative that the lemmas cover; "
            "use Linear, RBF, Matern32 or Matern52 (Matern needs nu > 1)"
        )
    return known[kind]
