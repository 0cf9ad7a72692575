"""What data leave open about a kernel's parameters: draws from their posterior.

The most probable parameters are one explanation of the data among many. With few data the others
predict differently, and a report of the first one alone would be too sure. The draws come in three
steps:

    modes     where descent ends from the most probable parameters, and from the other explanations
    proposal  a Student t about each mode, as wide as the expected curvature there says
    choice    draws of the proposal, each with the weight p(y, theta) / proposal(theta), and of
              these some, drawn with their weights

A proposal that fits badly would put all weight on a few draws. Then the weights are made more equal
by a power, until enough draws count: the result is between the posterior and the proposal.
"""

from __future__ import annotations

import math

import numpy as np

from pathmax.arrays import Array, Index
from pathmax.gp.parameter_posterior import ParameterPosterior

PROPOSED = 96  # draws of the proposal, one factorisation each
DEGREES = 5.0  # of freedom of the proposal: tails heavier than normal ones
SAME_MODE = 0.5  # modes nearer than this in every log parameter are one


def draw_parameters(
    posterior: ParameterPosterior, mode: Array, n: int, rng: np.random.Generator
) -> Array:  # (p,) -> (n, p)
    """n draws of theta, equally probable; some may be equal. `mode` are the most probable."""
    modes = distinct([mode, *posterior.other_modes()])
    free = posterior.low < posterior.high  # a given noise is not
    roots = [root_of(posterior.curvature(one)[np.ix_(free, free)]) for one in modes]
    heights = np.array([posterior.log_probability(one) for one in modes])
    # the mass of each mode, as if it were normal
    masses = heights - np.array([float(np.log(np.diag(root)).sum()) for root in roots])
    shares: Array = np.exp(masses - masses.max())
    shares = 0.5 / len(modes) + 0.5 * shares / shares.sum()
    kept = systematic(shares, PROPOSED, rng)
    draws = np.array([modes[i] for i in kept])
    draws[:, free] += [_student(roots[i], rng) for i in kept]
    proposal = np.logaddexp.reduce(
        [
            math.log(share) + _log_student(root, (draws - one)[:, free])
            for share, root, one in zip(shares, roots, modes, strict=True)
        ]
    )
    logs = np.array([posterior.log_probability(theta) for theta in draws]) - proposal
    if not np.isfinite(logs).any():
        return np.repeat(mode[None], n, axis=0)
    return np.asarray(draws[systematic(evened(logs, least=n), n, rng)])


def root_of(precision: Array) -> Array:  # (p, p) -> (p, p)
    return np.asarray(np.linalg.cholesky(precision), dtype=float)


def distinct(modes: list[Array]) -> list[Array]:
    """The modes that differ from those before."""
    found: list[Array] = []
    for mode in modes:
        if not any(float(np.abs(mode - other).max()) < SAME_MODE for other in found):
            found.append(mode)
    return found


def evened(logs: Array, least: int) -> Array:  # (m,) -> (m,)
    """Weights from their logarithms, made more equal until they count as `least` draws or more."""
    logs = np.where(np.isfinite(logs), logs - logs.max(), -np.inf)
    power = 1.0
    while True:
        weights = np.exp(power * logs)
        weights /= weights.sum()
        if 1.0 / float(weights @ weights) >= least or power < 0.05:
            return np.asarray(weights)
        power *= 0.8


def systematic(weights: Array, n: int, rng: np.random.Generator) -> Index:  # (m,) -> (n,)
    """n numbers drawn with these weights, as evenly as possible (Kitagawa, 1996)."""
    ends = np.cumsum(weights)
    places = (np.arange(n) + rng.random()) / n * ends[-1]
    return np.asarray(np.minimum(np.searchsorted(ends, places, side="right"), len(weights) - 1))


def _student(root: Array, rng: np.random.Generator) -> Array:  # (p, p) of the precision -> (p,)
    normal = np.linalg.solve(root.T, rng.standard_normal(len(root)))
    return np.asarray(normal * math.sqrt(DEGREES / rng.chisquare(DEGREES)))


def _log_student(root: Array, off: Array) -> Array:  # (p, p), (m, p) -> (m,), up to a constant
    p = len(root)
    squares = ((off @ root) ** 2).sum(axis=1)
    volume = float(np.log(np.diag(root)).sum())
    return np.asarray(volume - 0.5 * (DEGREES + p) * np.log1p(squares / DEGREES))
