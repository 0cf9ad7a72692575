"""The formulas of the benchmark functions, as given by Surjanovic and Bingham's collection.

Each is a function of the params, which stand in the order of the space, to be minimised.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pathmax.arrays import Array

Inputs = Mapping[str, Any]


def ackley(params: Inputs) -> float:
    """A funnel full of dents, in any dimension."""
    x = vector(params)
    funnel = -20.0 * math.exp(-0.2 * math.sqrt(float(np.mean(x**2))))
    dents = -math.exp(float(np.mean(np.cos(2.0 * math.pi * x))))
    return funnel + dents + 20.0 + math.e


SHEKEL_DEPTH = 0.1 * np.array([1, 2, 2, 4, 4, 6, 3, 7, 5, 5])
SHEKEL_CENTRE = np.array(
    [
        [4.0, 1.0, 8.0, 6.0, 3.0, 2.0, 5.0, 8.0, 6.0, 7.0],
        [4.0, 1.0, 8.0, 6.0, 7.0, 9.0, 3.0, 1.0, 2.0, 3.6],
        [4.0, 1.0, 8.0, 6.0, 3.0, 2.0, 5.0, 8.0, 6.0, 7.0],
        [4.0, 1.0, 8.0, 6.0, 7.0, 9.0, 3.0, 1.0, 2.0, 3.6],
    ]
).T  # (m, 4)


def shekel(m: int, params: Inputs) -> float:
    """m holes of different depths."""
    distance = np.sum((vector(params) - SHEKEL_CENTRE[:m]) ** 2, axis=1)
    return -float(np.sum(1.0 / (distance + SHEKEL_DEPTH[:m])))


def branin(params: Inputs) -> float:
    """A bent valley with three equal minima."""
    x, y = vector(params)
    bent = y - 5.1 / (4.0 * math.pi**2) * x**2 + 5.0 / math.pi * x - 6.0
    return float(bent**2 + 10.0 * (1.0 - 1.0 / (8.0 * math.pi)) * math.cos(x) + 10.0)


HARTMANN6_WEIGHT = np.array([1.0, 1.2, 3.0, 3.2])
HARTMANN6_SHARPNESS = np.array(
    [
        [10.0, 3.0, 17.0, 3.5, 1.7, 8.0],
        [0.05, 10.0, 17.0, 0.1, 8.0, 14.0],
        [3.0, 3.5, 1.7, 10.0, 17.0, 8.0],
        [17.0, 8.0, 0.05, 10.0, 0.1, 14.0],
    ]
)
HARTMANN6_CENTRE = 1e-4 * np.array(
    [
        [1312, 1696, 5569, 124, 8283, 5886],
        [2329, 4135, 8307, 3736, 1004, 9991],
        [2348, 1451, 3522, 2883, 3047, 6650],
        [4047, 8828, 8732, 5743, 1091, 381],
    ]
)


def hartmann6(params: Inputs) -> float:
    """Four bumps in six dimensions."""
    distance = np.sum(HARTMANN6_SHARPNESS * (vector(params) - HARTMANN6_CENTRE) ** 2, axis=1)
    return -float(HARTMANN6_WEIGHT @ np.exp(-distance))


def vector(params: Inputs) -> Array:  # -> (d,)
    """The values of the params in their order."""
    return np.array([float(value) for value in params.values()])
