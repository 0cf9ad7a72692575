"""Functions of one to six coordinates on which reported uncertainties are measured.

    functions("tuning")    what choices of the code are made on
    functions("reported")  what the tables show: other instances, other hills and waves

Half of them are BBOB functions (instances 6 to 10, and 1 to 5), half are smooth hills and waves as
laboratories have them: a few broad bumps on a slope, sums of waves under an envelope, a sigmoid
threshold times a bump. Every fourth of these is measured with noise. All are to be maximised on the
unit cube.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from benchmarks.peers import Peer

Array = NDArray[np.float64]
Set = Literal["tuning", "reported"]


@dataclass(frozen=True, eq=False)
class Function:
    """A function on the unit cube; `noise` is the standard deviation of a measurement."""

    name: str
    dimension: int
    values: Callable[[Array], Array]  # (m, d) -> (m,)
    best: float  # its maximum
    noise: float = 0.0


def functions(which: Set) -> list[Function]:
    """48 functions: 24 of BBOB and 24 hills, waves and thresholds."""
    worker = Peer("ioh")
    first = 6 if which == "tuning" else 1
    shift = 3 if which == "tuning" else 0
    found = []
    for number in range(1, 25):
        dimension, instance = 2 + (number + shift) % 5, first + number % 5
        found.append(bbob(worker, number, dimension, instance))
    seed = 1000 if which == "tuning" else 0
    for number in range(24):
        kind = (hills, waves, threshold)[number % 3]
        found.append(smooth(kind, 1 + (number // 3 + number) % 6, seed + number, number % 4 == 3))
    return found


def bbob(worker: Peer, number: int, dimension: int, instance: int) -> Function:
    """The negative distance of a BBOB function from its optimum."""

    def values(U: Array) -> Array:
        ask = partial(
            worker.call, "evaluate", function=number, instance=instance, dimension=dimension
        )
        return -np.array([ask(x=(10.0 * u - 5.0).tolist()) for u in U])

    return Function(f"f{number}-{dimension}d-i{instance}", dimension, values, 0.0)


def hills(rng: np.random.Generator, d: int) -> Callable[[Array], Array]:
    """Three to five bumps of widths 0.15 to 0.6 per coordinate on a gentle slope."""
    k = int(rng.integers(3, 6))
    centres, widths = rng.uniform(0, 1, (k, d)), rng.uniform(0.15, 0.6, (k, d)) * np.sqrt(d)
    heights, slope = rng.uniform(0.3, 1.0, k), 0.3 * rng.standard_normal(d)

    def values(U: Array) -> Array:
        squares = (((U[:, None] - centres) / widths) ** 2).sum(axis=2)
        return np.asarray(np.exp(-0.5 * squares) @ heights + U @ slope)

    return values


def waves(rng: np.random.Generator, d: int) -> Callable[[Array], Array]:
    """Six plane waves of up to one and a half periods, under a broad envelope."""
    directions = rng.standard_normal((6, d)) * rng.uniform(1.0, 4.0, (6, 1)) / np.sqrt(d) * 1.5
    phases, heights = rng.uniform(0, 2 * np.pi, 6), rng.uniform(0.2, 1.0, 6)
    centre = rng.uniform(0.2, 0.8, d)

    def values(U: Array) -> Array:
        envelope = np.exp(-0.5 * (((U - centre) / 0.6) ** 2).sum(axis=1) / np.sqrt(d))
        return np.asarray(np.cos(U @ directions.T + phases) @ heights * envelope)

    return values


def threshold(rng: np.random.Generator, d: int) -> Callable[[Array], Array]:
    """A yield: nothing below a threshold, and past the best it falls off again."""
    direction = rng.uniform(0.3, 1.0, d) * rng.choice([-1.0, 1.0], d)
    direction /= np.linalg.norm(direction)
    at, centre = rng.uniform(-0.15, 0.15), rng.uniform(0.2, 0.8, d)
    width = rng.uniform(0.3, 0.8, d) * np.sqrt(d)

    def values(U: Array) -> Array:
        through = 1.0 / (1.0 + np.exp(-12.0 * ((U - 0.5) @ direction - at)))
        return np.asarray(
            100.0 * through * np.exp(-0.5 * (((U - centre) / width) ** 2).sum(axis=1))
        )

    return values


def smooth(
    kind: Callable[[np.random.Generator, int], Callable[[Array], Array]],
    d: int,
    seed: int,
    noisy: bool,
) -> Function:
    """One of the above; noise is a tenth of how much the function varies."""
    rng = np.random.default_rng([seed, 77])
    values = kind(rng, d)
    U = rng.uniform(0, 1, (20_000, d))
    looked = values(U)
    ends = [
        minimize(lambda u: -float(values(u[None])[0]), U[i], bounds=[(0, 1)] * d).fun
        for i in np.argsort(-looked)[:10]
    ]
    noise = 0.1 * float(looked.std()) if noisy else 0.0
    name = f"{kind.__name__}-{d}d-s{seed}{'-noisy' if noisy else ''}"
    return Function(name, d, values, max(-min(ends), float(looked.max())), noise)
