"""Covariance functions: what a Gaussian process believes before it has seen anything.

A kernel is a frozen value, k(x, z) = outputscale * r(x, z), where r is the correlation. It looks at
the coordinates `on` (all of them by default), each divided by its own length scale (ARD) or all by
one. Everything that a kernel can do, it does on a `Link`, which holds the matrix between two sets
of points together with what its derivatives need, so that no distance is computed twice:

    link = kernel.link(X, Z)
    link.value                 K_ij = k(x_i, z_j)                                     (n, m)
    link.pull(W)               sum_j W_ij dk(x_i, z_j)/dx_i                           (n, d)
    link.pull_parameters(W)    sum_ij W_ij dK_ij/dtheta, theta the log parameters     (p,)

The contracted forms are BLAS calls of the size of the matrix: no (n, m, d) array is ever made on
the way to a gradient. `input_gradient` and `parameter_gradient` give the whole arrays to those who
want to see them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.gp.features import AnyFeatures
from pathmax.gp.linalg import CELLS, blocks

JSON = dict[str, Any]


class Link(ABC):
    """The matrix of a kernel between X (n, d) and Z (m, d), ready to be differentiated."""

    value: Array  # (n, m)

    @abstractmethod
    def pull(self, W: Array) -> Array:  # (n, m) or (m,) -> (n, d)
        """sum_j W_ij dk(x_i, z_j)/dx_i."""

    @abstractmethod
    def pull_parameters(self, W: Array) -> Array:  # (n, m) -> (p,)
        """sum_ij W_ij dK_ij/dtheta."""


class Kernel(ABC):
    """A covariance function. See the module's text for what a kernel offers."""

    outputscale: float
    on: tuple[int, ...] | None

    @abstractmethod
    def link(self, X: Array, Z: Array | None = None) -> Link:
        """The matrix between X and Z (X itself when Z is None) with its derivatives."""

    def anchored(self, Z: Array) -> Callable[[Array], Link]:
        """X -> link(X, Z), for many X in turn."""
        return partial(self.link, Z=Z)

    @abstractmethod
    def input_gradient(self, X: Array, Z: Array) -> Array:  # -> (n, m, d)
        """dk(x_i, z_j)/dx_i, whole."""

    @abstractmethod
    def parameter_gradient(self, X: Array, Z: Array | None = None) -> Array:  # -> (p, n, m)
        """dk(x_i, z_j)/dtheta, whole; theta holds the logarithms of the parameters."""

    @abstractmethod
    def diagonal(self, X: Array) -> Array:  # (n, d) -> (n,)
        """k(x_i, x_i)."""

    @abstractmethod
    def diagonal_gradient(self, X: Array) -> Array:  # (n, d) -> (n, d)
        """The gradient of k(x, x): 0 for a stationary kernel, not for a linear one."""

    @property
    @abstractmethod
    def theta(self) -> Array:  # (p,)
        """The logarithms of the parameters, the output scale last."""

    @abstractmethod
    def with_theta(self, theta: Array) -> Kernel:
        """The same kernel with other parameters."""

    @property
    @abstractmethod
    def parameter_names(self) -> tuple[str, ...]:
        """A name for each entry of theta."""

    @abstractmethod
    def draw_features(self, rng: np.random.Generator, n_features: int, d: int) -> AnyFeatures:
        """Random features phi with E[phi(x)' phi(z)] = k(x, z): what prior paths are made of."""

    @abstractmethod
    def axis_kernels(self, d: int) -> list[Kernel] | None:
        """One kernel per coordinate whose product (times the output scale) is this kernel.

        Each looks at the single column of a (n, 1) array. None when the kernel does not separate.
        """

    @abstractmethod
    def to_json(self) -> JSON:
        """What `from_json` makes this kernel from."""

    def __call__(self, X: Array, Z: Array | None = None) -> Array:  # (n, d), (m, d) -> (n, m)
        return self.link(X, Z).value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kernel) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(str(self.to_json()))

    def __mul__(self, other: Kernel) -> Kernel:
        from pathmax.gp.kernels.products import (
            Product,  # products are made of kernels, not kernels of them
        )

        return Product((self, other))


def gram(kernel: Kernel, X: Array) -> Array:  # (n, d) -> (n, n)
    """k(X, X), in blocks of rows where it is large."""
    if len(X) ** 2 <= CELLS:
        return kernel(X)
    K = np.empty((len(X), len(X)))
    for rows in blocks(*K.shape):
        K[rows] = kernel(X[rows], X)
    K.flat[:: len(K) + 1] = kernel.diagonal(X)
    return K


def positive(name: str, value: object) -> Array:
    """`value` as an array of positive finite numbers of its own, which nobody can change."""
    try:
        numbers = np.array(value, dtype=float)
        wrong = numbers.ndim > 1 or not numbers.size
        wrong = wrong or not (np.isfinite(numbers) & (numbers > 0)).all()
    except (TypeError, ValueError):
        wrong = True
    if wrong:
        raise ModelError(
            f"{name} must be positive and finite (one number or one per coordinate), got {value!r}"
        )
    numbers.setflags(write=False)
    return numbers


def coordinates(on: Iterable[int] | None) -> tuple[int, ...] | None:
    """The coordinates that a kernel looks at, each once; None for all."""
    if on is None:
        return None
    chosen = tuple(int(i) for i in on)
    if not chosen or min(chosen) < 0 or len(set(chosen)) < len(chosen):
        raise ModelError(
            f"on must name each coordinate once, counted from 0, got {chosen}; None is all of them"
        )
    return chosen


def columns_of(X: Array, on: tuple[int, ...] | None) -> Array:  # (n, d) -> (n, len(on))
    """The columns of X that a kernel looks at."""
    if on is None:
        return X
    if max(on) >= X.shape[1]:
        raise ModelError(
            f"the kernel looks at coordinate {max(on)}, but points have {X.shape[1]} coordinates, "
            "counted from 0"
        )
    return X[:, list(on)]
