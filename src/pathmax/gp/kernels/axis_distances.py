"""Squared distances along each coordinate, kept while length scales are learnt.

    s_ij = sum_k (x_ik - x_jk)^2 / l_k^2

is then one product of a vector with a matrix, and so is the sum of W_ij ds_ij/dl_k. Both matrices
are symmetric, so that only what is on the diagonal and above it is computed: half of the roots and
exponentials. An evaluation takes a quarter to four tenths of the time of distances that are made
anew up to 100 rows, and 0.6 to 0.8 of it with 300 (benchmarks/choices.md).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, final

import numpy as np

from pathmax.arrays import Array, Index
from pathmax.gp.inputs import columns_of
from pathmax.gp.kernels.base import Kernel, Link
from pathmax.gp.kernels.stationary import Stationary

# With more coordinates, or with arrays that no cache holds, a product of matrices that makes the
# distances anew is faster (benchmarks/choices.md).
MOST_KEPT_AXES = 30
MOST_CELLS = 1 << 20


class ParameterLink(Protocol):
    """The matrix of a kernel between rows and themselves, ready to be differentiated."""

    def above(self) -> Array:  # -> (n, n)
        """A new matrix, which need be right on the diagonal and above it only."""

    def pull_parameters(self, W: Array) -> Array:  # (n, n) -> (p,)
        """sum_ij W_ij dK_ij/dtheta, with nothing in W below the diagonal."""


def links_at(kernel: Kernel, X: Array) -> Callable[[Array], ParameterLink]:
    """theta -> the link of the kernel with these parameters between X and itself."""
    if not is_kept(kernel, len(X)):
        return lambda theta: WholeLink(kernel.with_theta(theta).link(X))
    assert isinstance(kernel, Stationary)
    n, cells = len(X), cells_above(len(X))
    squares = np.ascontiguousarray(axis_squares(kernel, X)[:, cells])
    return lambda theta: TriangleLink(kernel, n, squares, cells, np.exp(theta))


def is_kept(kernel: Kernel, n: int) -> bool:
    """Whether squared distances of n rows along each coordinate are worth keeping."""
    return (
        isinstance(kernel, Stationary)
        and bool(kernel.scales.ndim)
        and kernel._learnt() == ("lengthscale",)
        and kernel.scales.size <= MOST_KEPT_AXES
        and kernel.scales.size * (n * (n + 1) // 2) <= MOST_CELLS
    )


def axis_squares(kernel: Stationary, X: Array) -> Array:  # (n, d) -> (k, n n)
    """(x_ik - x_jk)^2 of the coordinates that a kernel looks at."""
    x = columns_of(X, kernel.on).T
    squares = x[:, :, None] - x[:, None, :]
    squares *= squares
    return squares.reshape(len(squares), -1)


@lru_cache(maxsize=8)
def cells_above(n: int) -> Index:
    """The numbers of the cells of an n x n matrix on the diagonal and above it."""
    rows, columns = np.triu_indices(n)
    cells = rows * n + columns
    cells.setflags(write=False)
    return cells


@final
@dataclass(frozen=True)
class WholeLink:
    """The link of a kernel that is computed anew, whole."""

    link: Link

    def above(self) -> Array:
        return self.link.value.copy()

    def pull_parameters(self, W: Array) -> Array:
        return self.link.pull_parameters(W)


@final
class TriangleLink:
    """The link of a stationary kernel with a length scale for each coordinate.

    `parameters` are the length scales and the output scale: a kernel with them is not made, since
    r(s) depends on neither.
    """

    def __init__(
        self, kernel: Stationary, n: int, squares: Array, cells: Index, parameters: Array
    ) -> None:  # (k, c), (c,), (p,)
        self.kernel, self.n, self.squares, self.cells = kernel, n, squares, cells
        self.per_square = parameters[:-1] ** -2.0
        self.outputscale = float(parameters[-1])
        self.s: Array = self.per_square @ squares
        self._correlation, self._memo = kernel.profile(self.s)
        self.values = self.outputscale * self._correlation  # (c,)

    def above(self) -> Array:
        whole = np.zeros((self.n, self.n))
        whole.ravel()[self.cells] = self.values
        return whole

    def pull_parameters(self, W: Array) -> Array:
        weights = W.ravel()[self.cells]
        slope = self.kernel.slope(self.s, self._correlation, self._memo)
        pulled = np.empty(len(self.squares) + 1)
        pulled[:-1] = self.squares @ (weights * slope)
        pulled[:-1] *= by_scale(self.outputscale, self.per_square)
        pulled[-1] = weights @ self.values
        return pulled


def by_scale(outputscale: float, per_square: Array) -> Array:  # (k,) -> (k,)
    """ds_ij/dlog l_k is -2 of its part of s_ij: what that is multiplied by in dK_ij/dlog l_k."""
    return -2.0 * outputscale * per_square


def value_and_slopes(kernel: Kernel, X: Array) -> tuple[Array, Array]:  # -> (n, n), (p, n, n)
    """k(X, X) and its derivatives in theta, whole."""
    n = len(X)
    if not is_kept(kernel, n):
        return kernel(X), kernel.parameter_gradient(X)
    assert isinstance(kernel, Stationary)
    squares, per_square = axis_squares(kernel, X), kernel.scales**-2.0
    s = per_square @ squares
    correlation, memo = kernel.profile(s)
    slopes = np.empty((len(squares) + 1, n, n))
    along = slopes[:-1].reshape(squares.shape)
    np.multiply(squares, kernel.slope(s, correlation, memo), out=along)
    along *= by_scale(kernel.outputscale, per_square)[:, None]
    value = (kernel.outputscale * correlation).reshape(n, n)
    slopes[-1] = value
    return value, slopes
