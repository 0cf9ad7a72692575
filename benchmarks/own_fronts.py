"""Fronts to choose rules by: none of them is on the list of `benchmarks.outcomes`.

Formulas of the literature (RE21, RE37: Tanabe and Ishibuchi, 2020), some with their optimum moved
off the centre or off the corner where guesses would find it, and draws from Gaussian processes.
Every objective is minimised; constraints are met at values of at most 0. `noise` is a share of the
standard deviation that each outcome has over the box.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from pathmax.arrays import Array

Formula = Callable[[Array], tuple[Array, Array]]  # (m, d) -> objectives (m, K), constraints (m, J)


@dataclass(frozen=True, eq=False)
class Front:
    """A problem on a box, many points at a time."""

    name: str
    low: tuple[float, ...]
    high: tuple[float, ...]
    formula: Formula
    noise: float = 0.0

    def __call__(self, U: Array) -> tuple[Array, Array]:  # (m, d) of the unit cube
        low, high = np.array(self.low), np.array(self.high)
        return self.formula(low + np.atleast_2d(U) * (high - low))


def free(*objectives: Array) -> tuple[Array, Array]:
    return np.stack(objectives, axis=1), np.empty((len(objectives[0]), 0))


def bounded(objectives: list[Array], constraints: list[Array]) -> tuple[Array, Array]:
    return np.stack(objectives, axis=1), np.stack(constraints, axis=1)


def fonseca(X: Array) -> tuple[Array, Array]:
    c = 1.0 / np.sqrt(X.shape[1])
    return free(*(1.0 - np.exp(-((X - s * c) ** 2).sum(axis=1)) for s in (1.0, -1.0)))


def kursawe(X: Array) -> tuple[Array, Array]:
    pairs = np.sqrt(X[:, :-1] ** 2 + X[:, 1:] ** 2)
    waves = np.abs(X) ** 0.8 + 5.0 * np.sin(X**3)
    return free(-10.0 * np.exp(-0.2 * pairs).sum(axis=1), waves.sum(axis=1))


def poloni(X: Array) -> tuple[Array, Array]:
    def b(x: Array, y: Array) -> tuple[Array, Array]:
        first = 0.5 * np.sin(x) - 2.0 * np.cos(x) + np.sin(y) - 1.5 * np.cos(y)
        return first, 1.5 * np.sin(x) - np.cos(x) + 2.0 * np.sin(y) - 0.5 * np.cos(y)

    x, y = X.T
    goal, here = b(np.ones(1), np.full(1, 2.0)), b(x, y)
    misfit = sum((g - h) ** 2 for g, h in zip(goal, here, strict=True))
    return free(1.0 + misfit, (x + 3.0) ** 2 + (y + 1.0) ** 2)


def viennet(X: Array) -> tuple[Array, Array]:
    x, y = X.T
    r = x**2 + y**2
    second = (3.0 * x - 2.0 * y + 4.0) ** 2 / 8.0 + (x - y + 1.0) ** 2 / 27.0 + 15.0
    return free(0.5 * r + np.sin(r), second, 1.0 / (r + 1.0) - 1.1 * np.exp(-r))


def truss(X: Array) -> tuple[Array, Array]:
    """RE21: four bars, volume against displacement."""
    a, b, c, d = X.T
    two = np.sqrt(2.0)
    volume = 200.0 * (2.0 * a + two * b + np.sqrt(c) + d)
    return free(volume, 0.01 * (2.0 / a + 2.0 * two / b - 2.0 * two / c + 2.0 / d))


def injector(X: Array) -> tuple[Array, Array]:
    """RE37: three temperatures and a length of a rocket's injector, as fitted polynomials."""
    a, h, o, p = X.T
    first = 0.692 + 0.477 * a - 0.687 * h - 0.080 * o - 0.0650 * p - 0.167 * a * a - 0.0129 * h * a
    first += 0.0796 * h * h - 0.0634 * o * a - 0.0257 * o * h + 0.0877 * o * o - 0.0521 * p * a
    first += 0.00156 * p * h + 0.00198 * p * o + 0.0184 * p * p
    second = 0.153 - 0.322 * a + 0.396 * h + 0.424 * o + 0.0226 * p + 0.175 * a * a
    second += 0.0185 * h * a - 0.0701 * h * h - 0.251 * o * a + 0.179 * o * h + 0.0150 * o * o
    second += 0.0134 * p * a + 0.0296 * p * h + 0.0752 * p * o + 0.0192 * p * p
    third = 0.370 - 0.205 * a + 0.0307 * h + 0.108 * o + 1.019 * p - 0.135 * a * a
    third += 0.0141 * h * a + 0.0998 * h * h + 0.208 * o * a - 0.0301 * o * h - 0.226 * o * o
    third += 0.353 * p * a - 0.0497 * p * o - 0.423 * p * p + 0.202 * h * a * a - 0.281 * o * a * a
    third += -0.342 * h * h * a - 0.245 * h * h * o + 0.281 * o * o * h - 0.184 * p * p * a
    third -= 0.281 * h * a * o
    return free(first, second, third)


def sphere(K: int, centre: float, X: Array) -> tuple[Array, Array]:
    """DTLZ2 with its distance counted from elsewhere than the middle."""
    size = 1.0 + ((X[:, K - 1 :] - centre) ** 2).sum(axis=1)
    angles = 0.5 * np.pi * X[:, : K - 1]
    found = []
    for k in range(K):
        part = np.prod(np.cos(angles[:, : K - 1 - k]), axis=1)
        found.append(size * (part * np.sin(angles[:, K - 1 - k]) if k else part))
    return free(*found)


def curve(X: Array) -> tuple[Array, Array]:
    """DTLZ5 with three objectives: the front is a curve; its distance from 0.3."""
    size = ((X[:, 2:] - 0.3) ** 2).sum(axis=1)
    theta = X[:, 0] * np.pi / 2.0
    phi = np.pi / (4.0 * (1.0 + size)) * (1.0 + 2.0 * size * X[:, 1])
    one = 1.0 + size
    return free(one * np.cos(theta) * np.cos(phi), one * np.cos(theta) * np.sin(phi),
                one * np.sin(theta))  # fmt: skip


def islands(K: int, X: Array) -> tuple[Array, Array]:
    """DTLZ7: 2^(K - 1) pieces, on a face of the box."""
    g = 1.0 + 9.0 * X[:, K - 1 :].mean(axis=1)
    f = X[:, : K - 1]
    h = K - (f / (1.0 + g[:, None]) * (1.0 + np.sin(3.0 * np.pi * f))).sum(axis=1)
    return free(*f.T, (1.0 + g) * h)


def plane(X: Array) -> tuple[Array, Array]:
    """A linear front of three objectives with a few waves in the distance from it."""
    far = X[:, 2:] - 0.35
    size = 1.0 + (far**2 - 0.05 * np.cos(4.0 * np.pi * far) + 0.05).sum(axis=1)
    a, b = X[:, 0], X[:, 1]
    return free(0.5 * a * b * size, 0.5 * a * (1.0 - b) * size, 0.5 * (1.0 - a) * size)


def pieces(X: Array) -> tuple[Array, Array]:
    """Pieces along an edge of the box, the other parameters at 0 and 1 by turns."""
    side = np.arange(X.shape[1] - 1) % 2
    g = 1.0 + 6.0 * np.abs(X[:, 1:] - side).mean(axis=1)
    f = X[:, 0]
    wave = 0.7 * f / g * np.sin(9.0 * np.pi * f)
    return free(f, g * (1.0 - (f / g) ** 0.6 - wave))


def edge(X: Array) -> tuple[Array, Array]:
    """A concave front along an edge, reached by a curve that is flat near it (like ZDT6)."""
    f = 1.0 - np.exp(-3.0 * X[:, 0]) * np.sin(4.0 * np.pi * X[:, 0]) ** 2
    g = 1.0 + 5.0 * np.sqrt((1.0 - X[:, 1:]).mean(axis=1))
    return free(f, g * (1.0 - (f / g) ** 2))


def mixture(X: Array) -> tuple[Array, Array]:
    """Two sums of bells with several optima each."""
    centres = np.array(
        [[[0.2, 0.2], [0.8, 0.2], [0.5, 0.7]], [[0.07, 0.2], [0.4, 0.8], [0.85, 0.1]]]
    )
    found = []
    for k in range(2):
        square = ((X[:, None] - centres[k]) ** 2).sum(axis=2)
        widths = np.array([0.2, 0.1, 0.15]) + 0.03 * k
        found.append(-(np.array([0.6, 0.8, 1.0]) * np.exp(-square / (2.0 * widths**2))).sum(axis=1))
    return free(*found)


def drawn(seed: int, d: int, K: int, scale: float, X: Array) -> tuple[Array, Array]:
    """Draws of smooth processes, a sum of cosines each."""
    found = []
    for k in range(K):
        rng = np.random.default_rng([seed, k])
        # Matern-5/2 frequencies: normal over the root of a chi-square with five degrees
        w = rng.standard_normal((512, d)) / scale / np.sqrt(rng.chisquare(5, (512, 1)) / 5)
        phase, weight = rng.uniform(0, 2 * np.pi, 512), rng.standard_normal(512)
        found.append(np.cos(X @ w.T + phase) @ weight / 16.0)
    return free(*found)


def binh(X: Array) -> tuple[Array, Array]:
    x, y = X.T
    kept = [(x - 5.0) ** 2 + y**2 - 25.0, 7.7 - (x - 8.0) ** 2 - (y + 3.0) ** 2]
    return bounded([4.0 * x**2 + 4.0 * y**2, (x - 5.0) ** 2 + (y - 5.0) ** 2], kept)


def srinivas(X: Array) -> tuple[Array, Array]:
    x, y = X.T
    return bounded([2.0 + (x - 2.0) ** 2 + (y - 1.0) ** 2, 9.0 * x - (y - 1.0) ** 2],
                   [x**2 + y**2 - 225.0, x - 3.0 * y + 10.0])  # fmt: skip


def osyczka(X: Array) -> tuple[Array, Array]:
    a, b, c, d, e, f = X.T
    first = -(25.0 * (a - 2) ** 2 + (b - 2) ** 2 + (c - 1) ** 2 + (d - 4) ** 2 + (e - 1) ** 2)
    kept = [a + b - 2, 6 - a - b, 2 - b + a, 2 - a + 3 * b]
    kept += [4 - (c - 3) ** 2 - d, (e - 3) ** 2 + f - 4]
    return bounded([first, (X**2).sum(axis=1)], [-one for one in kept])


def tanaka(X: Array) -> tuple[Array, Array]:
    x, y = X.T
    angle = np.arctan2(x, y)
    return bounded([x, y], [1.0 + 0.1 * np.cos(16.0 * angle) - x**2 - y**2,
                            (x - 0.5) ** 2 + (y - 0.5) ** 2 - 0.5])  # fmt: skip


def cube(d: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    return (0.0,) * d, (1.0,) * d


def own_fronts() -> Iterator[Front]:
    """The list, simple and hard ones by turns, so that its beginning stands for all of it."""
    bars = (1.0, 2.0**0.5, 2.0**0.5, 1.0), (3.0,) * 4
    yield Front("pieces-5", *cube(5), pieces)
    yield Front("truss-4", *bars, truss)
    yield Front("sphere-2-5", *cube(5), partial(sphere, 2, 0.3))
    yield Front("draws-2-3", *cube(3), partial(drawn, 1, 3, 2, 0.4))
    yield Front("kursawe-3", (-5.0,) * 3, (5.0,) * 3, kursawe)
    yield Front("injector-4", *cube(4), injector)
    yield Front("osyczka-6", (0.0, 0.0, 1.0, 0.0, 1.0, 0.0), (10.0, 10, 5, 6, 5, 10), osyczka)
    yield Front("islands-2-5", *cube(5), partial(islands, 2))
    yield Front("draws-3-4", *cube(4), partial(drawn, 2, 4, 3, 0.6))
    yield Front("fonseca-3", (-4.0,) * 3, (4.0,) * 3, fonseca)
    yield Front("sphere-3-6", *cube(6), partial(sphere, 3, 0.35))
    yield Front("mixture-2", *cube(2), mixture)
    yield Front("edge-5", *cube(5), edge)
    yield Front("tanaka-2", (0.0, 0.0), (np.pi, np.pi), tanaka)
    yield Front("viennet-2", (-3.0,) * 2, (3.0,) * 2, viennet)
    yield Front("draws-2-6", *cube(6), partial(drawn, 3, 6, 2, 0.8))
    yield Front("curve-5", *cube(5), curve)
    yield Front("poloni-2", (-np.pi,) * 2, (np.pi,) * 2, poloni)
    yield Front("plane-5", *cube(5), plane)
    yield Front("binh-2", (0.0, 0.0), (5.0, 3.0), binh)
    yield Front("islands-3-5", *cube(5), partial(islands, 3))
    yield Front("srinivas-2", (-20.0,) * 2, (20.0,) * 2, srinivas)
    yield Front("noisy-truss-4", *bars, truss, noise=0.1)
    yield Front("noisy-draws-2-3", *cube(3), partial(drawn, 4, 3, 2, 0.4), noise=0.1)
    yield Front("noisy-sphere-2-4", *cube(4), partial(sphere, 2, 0.3), noise=0.1)
