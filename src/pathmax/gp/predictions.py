"""What a Gaussian process says of some points."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pathmax.arrays import Array

# (mean, std) -> a value, its derivative in the mean, its derivative in the std: (m,) each
Partials = Callable[[Array, Array], tuple[Array, Array, Array]]


class Prediction(NamedTuple):
    """Mean and standard deviation of f at each of m points; unpack it as `mean, std`."""

    mean: Array  # (m,)
    std: Array  # (m,)


class Slopes(NamedTuple):
    """A prediction with its gradients in the inputs."""

    mean: Array  # (m,)
    std: Array  # (m,)
    mean_gradient: Array  # (m, d)
    std_gradient: Array  # (m, d)


class Joint(NamedTuple):
    """The joint normal distribution of f at m points."""

    mean: Array  # (m,)
    covariance: Array  # (m, m)


def at_least_tiny(std: Array) -> Array:  # (m,) -> (m, 1)
    """What to divide the gradient of a variance by.

    At the origin of a linear kernel the deviation is 0 and has a kink: its gradient is taken as 0.
    """
    return np.maximum(std, np.finfo(float).tiny)[:, None]
