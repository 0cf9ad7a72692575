"""What a Gaussian process says of some points."""

from __future__ import annotations

from typing import NamedTuple

from pathmax.arrays import Array


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
