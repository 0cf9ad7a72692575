"""Frequencies of random features, spread evenly over the spectral density they are drawn from.

A stationary kernel is the mean of cos(w'(x - z)) over its spectral density, and random features are
a finite mean in its place. Here w = r a, with a direction a and a length r that are independent:

    a   rows of orthogonal matrices, the same ones each time, turned by a random rotation
    r   one from each of n equally probable parts of its distribution

Each w by itself has the spectral density, so that the mean over draws is the kernel; together they
cover it more evenly than independent ones (orthogonal random features, Yu et al. 2016, and
stratified lengths). For a smooth kernel 256 of them are closer to it than 512 independent ones up
to about sixty dimensions, and about as close beyond (benchmarks/choices.md).
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from pathmax.arrays import Array

MOST_TURNED = 256  # dimensions: a rotation in more of them takes longer than it saves
CELLS = 4096  # of the grid on which the distribution of lengths is summed up
FARTHEST_NORMAL = 9.0  # added to sqrt(k): longer is one normal vector in 1e18
# of freedom: with more of them Student's t is normal, and the grid of angles too coarse for it
MOST_DEGREES = 1e4


def student_frequencies(rng: np.random.Generator, n: int, k: int, degrees: float) -> Array:
    """n draws of Student's t in k dimensions; of the normal for infinite degrees: -> (n, k)."""
    degrees = degrees if degrees <= MOST_DEGREES else math.inf
    # factors of a product are drawn by themselves: rows must not be in an order, nor signs alike
    lengths = np.copysign(radii(rng, n, k, degrees), rng.random(n) - 0.5)
    return np.asarray(unit_vectors(rng, n, k) * lengths[:, None])


def unit_vectors(rng: np.random.Generator, n: int, k: int) -> Array:  # -> (n, k)
    """n unit vectors, each of them uniform on the sphere."""
    if k > MOST_TURNED:
        normal = rng.standard_normal((n, k))
        return np.asarray(normal / np.sqrt(np.einsum("nk,nk->n", normal, normal))[:, None])
    turn, triangle = np.linalg.qr(rng.standard_normal((k, k)))
    turn *= np.copysign(1.0, triangle.diagonal())  # else not any rotation is as likely
    return np.asarray(orthogonal_rows(n, k)[rng.permutation(n)] @ turn)


@lru_cache(maxsize=8)
def orthogonal_rows(n: int, k: int) -> Array:  # -> (n, k)
    """The rows of as many random orthogonal matrices as it takes, always the same ones."""
    normal = np.random.default_rng(0).standard_normal((-(-n // k), k, k))
    rows = np.linalg.qr(normal)[0].reshape(-1, k)[:n]
    rows.setflags(write=False)
    return np.asarray(rows)


def radii(rng: np.random.Generator, n: int, k: int, degrees: float) -> Array:  # -> (n,)
    """Lengths of n draws in k dimensions, one from each n-th of their distribution, shuffled."""
    shares, at = length_distribution(k, degrees)
    drawn = np.interp(stratified(rng, n), shares, at)
    return np.asarray(math.sqrt(degrees) * np.tan(drawn) if math.isfinite(degrees) else drawn)


def stratified(rng: np.random.Generator, n: int) -> Array:  # -> (n,)
    """Uniform numbers, one from each n-th of the unit interval, shuffled."""
    return np.asarray((rng.permutation(n) + rng.random(n)) / n)


@lru_cache(maxsize=32)
def length_distribution(k: int, degrees: float) -> tuple[Array, Array]:
    """How probable a length up to r is, and r; of Student's t its angle, r = sqrt(degrees) tan.

    The density of the angle is sin^(k - 1) cos^(degrees - 1), that of a normal vector's length
    r^(k - 1) exp(-r^2 / 2).
    """
    if math.isfinite(degrees):
        edges = np.linspace(0.0, 0.5 * math.pi, CELLS + 1)
        middle = 0.5 * (edges[1:] + edges[:-1])
        log_density = (k - 1) * np.log(np.sin(middle)) + (degrees - 1) * np.log(np.cos(middle))
    else:
        edges = np.linspace(0.0, math.sqrt(k) + FARTHEST_NORMAL, CELLS + 1)
        middle = 0.5 * (edges[1:] + edges[:-1])
        log_density = (k - 1) * np.log(middle) - 0.5 * middle * middle
    density = np.exp(log_density - log_density.max())
    shares = np.append(0.0, np.cumsum(density)) / density.sum()
    for one in (shares, edges):
        one.setflags(write=False)
    return shares, edges
