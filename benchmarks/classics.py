"""Textbook functions outside the development suite, and stand-ins for experiments.

Formulas as in Surjanovic and Bingham's collection unless said otherwise; every one is a loss on the
box of its definition. The last ones are ours: a yield with a threshold, a sharp peak on a plain, an
optimum in a corner, and draws from Gaussian processes that are rougher or smoother than our model.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Classic:
    """A loss on the box [low, high]^d; `noise` is the standard deviation of an observation."""

    name: str
    loss: Callable[[Array], float]  # (d,) ->
    low: float
    high: float
    dimension: int
    noise: float = 0.0


def rosenbrock(x: Array) -> float:
    return float(np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (x[:-1] - 1.0) ** 2))


def rastrigin(x: Array) -> float:
    return float(10.0 * len(x) + np.sum(x**2 - 10.0 * np.cos(2.0 * math.pi * x)))


def levy(x: Array) -> float:
    w = 1.0 + (x - 1.0) / 4.0
    inner = (w[:-1] - 1.0) ** 2 * (1.0 + 10.0 * np.sin(math.pi * w[:-1] + 1.0) ** 2)
    last = (w[-1] - 1.0) ** 2 * (1.0 + np.sin(2.0 * math.pi * w[-1]) ** 2)
    return float(np.sin(math.pi * w[0]) ** 2 + np.sum(inner) + last)


def michalewicz(x: Array) -> float:
    i = np.arange(1, len(x) + 1)
    return -float(np.sum(np.sin(x) * np.sin(i * x**2 / math.pi) ** 20))


def griewank(x: Array) -> float:
    i = np.sqrt(np.arange(1, len(x) + 1))
    return float(np.sum(x**2) / 4000.0 - np.prod(np.cos(x / i)) + 1.0)


def styblinski(x: Array) -> float:
    return float(0.5 * np.sum(x**4 - 16.0 * x**2 + 5.0 * x))


def schwefel(x: Array) -> float:
    return float(418.9829 * len(x) - np.sum(x * np.sin(np.sqrt(np.abs(x)))))


def zakharov(x: Array) -> float:
    tilt = float(np.sum(0.5 * np.arange(1, len(x) + 1) * x))
    return float(np.sum(x**2)) + tilt**2 + tilt**4


def powell(x: Array) -> float:
    a, b, c, d = x
    return float((a + 10 * b) ** 2 + 5 * (c - d) ** 2 + (b - 2 * c) ** 4 + 10 * (a - d) ** 4)


def camel(x: Array) -> float:
    a, b = x[0], x[1] * 2.0 / 3.0  # on [-3, 3] x [-2, 2], as a square
    return float((4 - 2.1 * a**2 + a**4 / 3) * a**2 + a * b + (4 * b**2 - 4) * b**2)


def drop_wave(x: Array) -> float:
    size = float(np.sum(x**2))
    return -(1.0 + math.cos(12.0 * math.sqrt(size))) / (0.5 * size + 2.0)


def holder(x: Array) -> float:
    """The table of Holder."""
    a, b = x
    bump = math.exp(abs(1.0 - math.hypot(a, b) / math.pi))
    return -abs(math.sin(a) * math.cos(b) * bump)


HARTMANN3_SHARPNESS = np.array([[3.0, 10, 30], [0.1, 10, 35], [3.0, 10, 30], [0.1, 10, 35]])
HARTMANN3_CENTRE = 1e-4 * np.array(
    [[3689, 1170, 2673], [4699, 4387, 7470], [1091, 8732, 5547], [381, 5743, 8828]]
)


def hartmann3(x: Array) -> float:
    distance = np.sum(HARTMANN3_SHARPNESS * (x - HARTMANN3_CENTRE) ** 2, axis=1)
    return -float(np.array([1.0, 1.2, 3.0, 3.2]) @ np.exp(-distance))


def cosines(x: Array) -> float:
    """The cosine mixture."""
    return float(np.sum(x**2) - 0.1 * np.sum(np.cos(5.0 * math.pi * x)))


def reaction(x: Array) -> float:
    """A yield in per cent: too cold nothing reacts, too hot the product falls apart; the amounts
    of two reagents matter by their ratio, and time saturates."""
    heat, time, one, two, ph = x
    forms = 1.0 / (1.0 + math.exp(-14.0 * (heat - 0.45)))
    decays = math.exp(-6.0 * max(heat - 0.7, 0.0) * (0.3 + time))
    done = 1.0 - math.exp(-4.0 * time * forms)
    ratio = math.exp(-8.0 * (one - 0.6 * two - 0.2) ** 2)
    return -100.0 * done * decays * ratio * math.exp(-12.0 * (ph - 0.35) ** 2)


def peak(x: Array) -> float:
    """A broad hill, and elsewhere a peak twice as high and a fifth as wide."""
    hill = math.exp(-4.0 * float(np.sum((x - 0.7) ** 2)))
    sharp = 2.0 * math.exp(-60.0 * float(np.sum((x - 0.25) ** 2)))
    return -hill - sharp


def corner(x: Array) -> float:
    """Products that reward everything at its limit, with a cost that bends the way there."""
    return -float(np.prod(0.2 + 0.8 * x**2) - 0.1 * np.mean(np.sin(9.0 * x)))


def drawn(seed: int, lengthscale: float, smooth: bool, d: int) -> Callable[[Array], float]:
    """A draw from a Gaussian process: RBF, or Matern-3/2, by 2000 random features."""
    rng = np.random.default_rng(seed)
    frequencies = rng.standard_normal((2000, d)) / lengthscale
    if not smooth:
        frequencies *= np.sqrt(3.0 / rng.chisquare(3.0, (2000, 1)))
    phases = rng.uniform(0.0, 2.0 * math.pi, 2000)
    weights = rng.standard_normal(2000) * math.sqrt(2.0 / 2000)
    return lambda x: -float(weights @ np.cos(frequencies @ x + phases))


def classics() -> list[Classic]:
    return [
        Classic("rosenbrock-3", rosenbrock, -2.048, 2.048, 3),
        Classic("rosenbrock-6", rosenbrock, -2.048, 2.048, 6),
        Classic("rastrigin-3", rastrigin, -5.12, 5.12, 3),
        Classic("levy-4", levy, -10.0, 10.0, 4),
        Classic("levy-8", levy, -10.0, 10.0, 8),
        Classic("michalewicz-5", michalewicz, 0.0, math.pi, 5),
        Classic("griewank-4", griewank, -600.0, 500.0, 4),
        Classic("styblinski-5", styblinski, -5.0, 5.0, 5),
        Classic("schwefel-3", schwefel, -500.0, 500.0, 3),
        Classic("zakharov-4", zakharov, -5.0, 10.0, 4),
        Classic("powell-4", powell, -4.0, 5.0, 4),
        Classic("camel-2", camel, -3.0, 3.0, 2),
        Classic("drop-wave-2", drop_wave, -5.12, 5.12, 2),
        Classic("holder-2", holder, -10.0, 10.0, 2),
        Classic("hartmann-3", hartmann3, 0.0, 1.0, 3),
        Classic("cosines-8", cosines, -0.8, 1.0, 8),
        Classic("reaction-5", reaction, 0.0, 1.0, 5),
        Classic("peak-3", peak, 0.0, 1.0, 3),
        Classic("peak-4", peak, 0.0, 1.0, 4),
        Classic("corner-4", corner, 0.0, 1.0, 4),
        Classic("corner-6", corner, 0.0, 1.0, 6),
        Classic("rough-3", drawn(1, 0.4, False, 3), 0.0, 1.0, 3),
        Classic("rough-6", drawn(2, 0.6, False, 6), 0.0, 1.0, 6),
        Classic("smooth-4", drawn(3, 0.3, True, 4), 0.0, 1.0, 4),
        Classic("smooth-8", drawn(4, 0.6, True, 8), 0.0, 1.0, 8),
        Classic("reaction-5-noisy", reaction, 0.0, 1.0, 5, noise=4.0),
        Classic("hartmann-3-noisy", hartmann3, 0.0, 1.0, 3, noise=0.3),
        Classic("levy-4-noisy", levy, -10.0, 10.0, 4, noise=4.0),
    ]
