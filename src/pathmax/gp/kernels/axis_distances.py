"""Squared distances along each coordinate, kept while length scales are learnt.

    s_ij = sum_k (x_ik - x_jk)^2 / l_k^2

is then one product of a vector with a matrix, and so is the sum of W_ij ds_ij/dl_k: of few rows an
evaluation takes less Python than with distances that are made anew (benchmarks/choices.md).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, final

import numpy as np

from pathmax.arrays import Array
from pathmax.gp.inputs import columns_of
from pathmax.gp.kernels.base import Kernel
from pathmax.gp.kernels.stationary import Stationary

FEW_CELLS = 1 << 16  # half a megabyte, which stays in the cache


class ParameterLink(Protocol):
    """The matrix of a kernel between rows and themselves, ready to be differentiated."""

    value: Array  # (n, n)

    def pull_parameters(self, W: Array) -> Array:  # (n, n) -> (p,)
        """sum_ij W_ij dK_ij/dtheta."""


def links_at(kernel: Kernel, X: Array) -> Callable[[Array], ParameterLink]:
    """theta -> the link of the kernel with these parameters between X and itself."""
    squares = axis_squares(kernel, X)
    if squares is None:
        return lambda theta: kernel.with_theta(theta).link(X)
    assert isinstance(kernel, Stationary)
    return lambda theta: AxisLink(kernel, squares, np.exp(theta))


def value_and_slopes(kernel: Kernel, X: Array) -> tuple[Array, Array]:  # -> (n, n), (p, n, n)
    """k(X, X) and its derivatives in theta, whole."""
    squares = axis_squares(kernel, X)
    if squares is None:
        return kernel(X), kernel.parameter_gradient(X)
    assert isinstance(kernel, Stationary)
    link = AxisLink(kernel, squares, np.append(kernel.scales, kernel.outputscale))
    return link.value, link.slopes()


def axis_squares(kernel: Kernel, X: Array) -> Array | None:  # (n, d) -> (k, n n)
    """(x_ik - x_jk)^2 of the coordinates that a kernel looks at, if they are worth keeping."""
    if (
        not isinstance(kernel, Stationary)
        or not kernel.scales.ndim
        or kernel._learnt() != ("lengthscale",)
        or kernel.scales.size * len(X) ** 2 > FEW_CELLS
    ):
        return None
    x = columns_of(X, kernel.on).T
    squares = x[:, :, None] - x[:, None, :]
    squares *= squares
    return squares.reshape(len(squares), -1)


@final
class AxisLink:
    """The link of a stationary kernel with a length scale for each coordinate.

    `parameters` are the length scales and the output scale: a kernel with them is not made, since
    r(s) depends on neither.
    """

    def __init__(self, kernel: Stationary, squares: Array, parameters: Array) -> None:
        self.kernel, self.squares = kernel, squares  # (k, n n)
        self.per_square = parameters[:-1] ** -2.0
        self.outputscale = float(parameters[-1])
        self.s: Array = self.per_square @ squares
        self._correlation, self._memo = kernel.profile(self.s)
        n = round(len(self.s) ** 0.5)
        self.value = (self.outputscale * self._correlation).reshape(n, n)

    def pull_parameters(self, W: Array) -> Array:
        weights = W.ravel()
        pulled = np.empty(len(self.squares) + 1)
        pulled[:-1] = self.squares @ (weights * self._slope)
        pulled[:-1] *= self._by_scale
        pulled[-1] = weights @ self.value.ravel()
        return pulled

    def slopes(self) -> Array:  # -> (p, n, n)
        """dK_ij/dtheta, whole."""
        slopes = np.empty((len(self.squares) + 1, *self.value.shape))
        by_scale = slopes[:-1].reshape(self.squares.shape)
        np.multiply(self.squares, self._slope, out=by_scale)
        by_scale *= self._by_scale[:, None]
        slopes[-1] = self.value
        return slopes

    @property
    def _slope(self) -> Array:  # dr/ds (n n,)
        return self.kernel.slope(self.s, self._correlation, self._memo)

    @property
    def _by_scale(self) -> Array:  # (k,): ds_ij/dlog l_k is -2 of its part of s_ij
        return -2.0 * self.outputscale * self.per_square
