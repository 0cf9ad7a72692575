"""Functions whose best point lies on a face, an edge or a corner of the box, as laboratories have.

    networks    random networks of leaky ReLU, as emulators of experiments are: best at the edge
    two hills   a hill inside the box, and a higher and narrower one at its edge, flat elsewhere
    thresholds  yields that need several things at once: products of sigmoids, some of them with a
                decline beyond the optimum

Each is a loss on the unit cube, drawn with a seed of its own: what was chosen on alkox, corner-6
and holder-2 alone would be chosen on three functions. The optimum is searched for beforehand, by
more evaluations than any run has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Values = Callable[[Array], Array]  # (m, d) -> (m,)


@dataclass(frozen=True, eq=False)
class EdgeProblem:
    """A loss on the unit cube whose minimum is known."""

    name: str
    dimension: int
    values: Values  # to be maximised
    best: float

    def loss(self, u: Array) -> float:  # (d,) ->
        return self.best - float(self.values(u[None])[0])


def network(rng: np.random.Generator, d: int) -> Values:
    """A network with three hidden layers; bad results are 0, as a yield is."""
    widths = [d, 24, 24, 24]
    layers = [
        (rng.standard_normal((a, b)) * np.sqrt(2.0 / a), 0.5 * rng.standard_normal(b))
        for a, b in pairwise(widths)
    ]
    last = rng.standard_normal(24) / np.sqrt(24.0)

    def raw(U: Array) -> Array:
        h = 3.4 * (U - 0.5)  # uniform numbers of variance 1
        for weights, bias in layers:
            h = h @ weights + bias
            h = np.where(h > 0.0, h, 0.2 * h)
        return np.asarray(h @ last)

    level = float(np.quantile(raw(rng.random((4096, d))), 0.2))
    return lambda U: np.maximum(raw(U) - level, 0.0)


def two_hills(rng: np.random.Generator, d: int) -> Values:
    """The higher hill is at an edge in half of the coordinates or more, and narrower."""
    inner, outer = rng.uniform(0.3, 0.7, d), rng.uniform(0.2, 0.8, d)
    held = rng.permutation(d)[: int(rng.integers((d + 1) // 2, d + 1))]
    outer[held] = rng.integers(0, 2, len(held))
    wide, narrow = rng.uniform(0.3, 0.6, d), rng.uniform(0.2, 0.45, d) * np.sqrt(d / 2.0)
    height = rng.uniform(1.5, 3.0)

    def values(U: Array) -> Array:
        a = np.exp(-0.5 * (((U - inner) / wide) ** 2).sum(axis=1))
        b = np.exp(-0.5 * (((U - outer) / narrow) ** 2).sum(axis=1))
        return np.asarray(a + height * b)

    return values


def thresholds(rng: np.random.Generator, d: int) -> Values:
    """Nothing below the thresholds; above them more is better, or too much is worse."""
    at, steep = rng.uniform(0.3, 0.8, d), rng.uniform(6.0, 16.0, d)
    flipped = rng.random(d) < 0.5
    declines = np.where(rng.random(d) < 0.4, rng.uniform(1.0, 4.0, d), 0.0)

    def values(U: Array) -> Array:
        V = np.where(flipped, 1.0 - U, U)
        rise = 1.0 / (1.0 + np.exp(-steep * (V - at)))
        return np.asarray(np.prod(rise * np.exp(-declines * np.maximum(V - at, 0.0)), axis=1))

    return values


KINDS = {"network": network, "hills": two_hills, "threshold": thresholds}


def maximum(values: Values, d: int, rng: np.random.Generator) -> float:
    """The best of many points over the cube, on its faces, and about the best of these."""
    U = rng.random((10_000, d))
    held = rng.random(U.shape) < rng.random((len(U), 1))
    U = np.concatenate([U, np.where(held, rng.integers(0, 2, U.shape), U)])
    best = U[np.argsort(-values(U))[:20]]
    for width in 0.3 * 0.6 ** np.arange(25):
        shape = (40, *best.shape)
        steps = width * rng.standard_normal(shape) * (rng.random(shape) < 0.5)
        V = np.concatenate([best, np.clip(best + steps, 0.0, 1.0).reshape(-1, d)])
        best = V[np.argsort(-values(V), kind="stable")[:20]]
    return float(values(best[:1])[0])


def edge_problems(first: int = 0, rounds: int = 4) -> Iterator[EdgeProblem]:
    """Three kinds in two to six dimensions, `rounds` of each; those of `first` on are others."""
    for turn in range(first, first + rounds):
        for k, (kind, make) in enumerate(KINDS.items()):
            for d in range(2, 7):
                rng = np.random.default_rng([turn, k, d])
                values = make(rng, d)
                yield EdgeProblem(f"{kind}-{d}d-{turn}", d, values, maximum(values, d, rng))
