"""The power transform of Yeo and Johnson (2000), which bends skewed values towards a normal shape.

    T(z) =  ((1 + z)^p - 1) / p              z >= 0
           -((1 - z)^(2 - p) - 1) / (2 - p)  worst <= z < 0
            T(worst) + T'(worst) (z - worst) z < worst

p = 1 leaves values as they are; p > 1 draws bad values together and good ones apart, as for a loss
that explodes far from its optimum; p < 1 does the opposite. Below the worst value seen it is
continued as a straight line, which is our addition: so the transform is onto the real line for
every p >= 0, and whatever a model predicts can be turned back.
"""

from __future__ import annotations

import math

import numpy as np

from pathmax.arrays import Array

POWERS = np.linspace(0.0, 4.0, 41)
FEWEST_VALUES = 4  # values: with fewer there is no shape to see
POWER_SPREAD = 1.0  # p is believed to be normal about 1, by so much


def bend(z: Array, power: float, worst: float) -> Array:  # (n,) -> (n,)
    """T(z), for worst <= 0."""
    inside = np.maximum(z, worst)
    bent = _branch(np.maximum(inside, 0.0), power) - _branch(np.maximum(-inside, 0.0), 2.0 - power)
    return np.asarray(bent + _steepness(worst, power) * np.minimum(z - worst, 0.0))


def unbend(t: Array, power: float, worst: float) -> Array:  # (n,) -> (n,)
    """The z with T(z) = t."""
    lowest = float(bend(np.array([worst]), power, worst)[0])
    inside = np.maximum(t, lowest)
    good = _unbranch(np.maximum(inside, 0.0), power)
    bad = np.minimum(_unbranch(np.maximum(-inside, 0.0), 2.0 - power), -worst)
    return np.asarray(good - bad + np.minimum(t - lowest, 0.0) / _steepness(worst, power))


def slope(z: Array, power: float, worst: float) -> Array:  # (n,) -> (n,)
    """dT/dz."""
    inside = np.maximum(z, worst)
    return np.asarray(np.exp((power - 1.0) * np.sign(inside) * np.log1p(np.abs(inside))))


def most_normal(z: Array) -> float:  # (n,) of mean 0 and standard deviation 1
    """The power under which z is most probable as a normal sample, if p ~ N(1, POWER_SPREAD^2)."""
    if len(z) < FEWEST_VALUES:
        return 1.0
    logs = float((np.sign(z) * np.log1p(np.abs(z))).sum())  # sum log dT/dz = (p - 1) logs
    up, down = np.log1p(np.maximum(z, 0.0)), np.log1p(np.maximum(-z, 0.0))
    bent = _branches(up, POWERS) - _branches(down, 2.0 - POWERS)  # `bend` under all powers at once
    moved = POWERS - 1.0
    fit = (
        -0.5 * len(z) * np.log(bent.var(axis=1)) + moved * logs - 0.5 * (moved / POWER_SPREAD) ** 2
    )
    return float(POWERS[int(np.argmax(fit))])


def _steepness(worst: float, power: float) -> float:
    return math.exp((1.0 - power) * math.log1p(-worst))


def _branch(size: Array, power: float) -> Array:  # sizes >= 0
    if power == 0.0:
        return np.log1p(size)
    return np.asarray(np.expm1(power * np.log1p(size)) / power)


def _branches(logs: Array, powers: Array) -> Array:  # (n,) log1p of sizes, (k,) -> (k, n)
    column = powers[:, None]
    safe = np.where(column == 0.0, 1.0, column)
    return np.where(column == 0.0, logs, np.expm1(safe * logs) / safe)


def _unbranch(size: Array, power: float) -> Array:
    if power == 0.0:
        return np.asarray(np.expm1(size))
    with np.errstate(divide="ignore", invalid="ignore"):  # a negative power ends at -1 / power
        return np.asarray(np.expm1(np.log1p(np.maximum(power * size, -1.0)) / power))
