"""The axes of a grid, with the factor of a separable kernel along each: K = s (K_1 x ... x K_d)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from pathmax.arrays import Array, Index
from pathmax.errors import ModelError
from pathmax.gp.kernels.base import Kernel


@final
@dataclass(frozen=True, eq=False)
class Axes:
    """The axes of a grid with the kernel of each; points are numbered in C order."""

    values: tuple[Array, ...]
    kernels: tuple[Kernel, ...]
    outputscale: float

    @staticmethod
    def of(kernel: Kernel, values: Sequence[ArrayLike]) -> Axes:
        arrays = tuple(np.asarray(v, dtype=float).reshape(-1) for v in values)
        kernels = kernel.axis_kernels(len(arrays))
        if kernels is None:
            raise ModelError(
                f"exact paths on a grid need a kernel that is a product over the axes; "
                f"{type(kernel).__name__} is not. Use RBF, or the product of one-dimensional "
                "kernels: Matern52(l1, on=(0,)) * Matern52(l2, on=(1,)) * ..."
            )
        return Axes(arrays, tuple(kernels), kernel.outputscale)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(v) for v in self.values)

    def __len__(self) -> int:
        return math.prod(self.shape)

    def points(self, index: ArrayLike) -> Array:  # (m,) -> (m, d)
        """The points with these numbers."""
        numbers = np.asarray(index, dtype=np.intp).reshape(-1)
        if ((numbers < 0) | (numbers >= len(self))).any():
            raise ModelError(
                f"points of this grid are numbered from 0 to {len(self) - 1}, got {index!r}"
            )
        places = np.unravel_index(numbers, self.shape)
        return np.stack([v[place] for v, place in zip(self.values, places, strict=True)], axis=1)

    def index(self, X: Array) -> Index:  # (m, d) -> (m,), -1 where a point is not on the grid
        """The numbers of these points."""
        places = []
        outside = np.zeros(len(X), dtype=bool)
        for column, values in zip(X.T, self.values, strict=True):
            order = np.argsort(values)
            at = np.searchsorted(values, column, sorter=order).clip(0, len(values) - 1)
            before = order[(at - 1).clip(0)]
            nearest = order[at]
            nearest = np.where(
                np.abs(values[before] - column) < np.abs(values[nearest] - column), before, nearest
            )
            outside |= np.abs(values[nearest] - column) > 1e-9 * (1.0 + np.abs(column))
            places.append(nearest)
        return np.where(outside, -1, np.ravel_multi_index(tuple(places), self.shape))

    @cached_property
    def roots(self) -> tuple[Array, ...]:
        """R_i with R_i R_i' = K_i, by eigenvalues: the matrix of an axis is often singular.

        The symmetric root does not depend on the choice of eigenvectors, which is decided by
        rounding where an eigenvalue comes several times, as it does for categories.
        """
        roots = []
        for kernel, values in zip(self.kernels, self.values, strict=True):
            eigenvalues, vectors = np.linalg.eigh(kernel(values[:, None]))
            roots.append((vectors * np.sqrt(np.maximum(eigenvalues, 0.0))) @ vectors.T)
        return tuple(roots)

    def prior(self, rng: np.random.Generator) -> Array:  # -> (N,)
        """A draw from the prior on the whole grid."""
        field = rng.standard_normal(self.shape)  # ~ N(0, I)
        for root in self.roots:  # each pass multiplies the first axis and moves it to the end
            field = np.tensordot(field, root, axes=(0, 1))
        return math.sqrt(self.outputscale) * field.reshape(-1)

    def halves(self, X: Array) -> tuple[Array, Array]:  # (n, d) -> (N1, n), (N2, n), N1 N2 = N
        """K(grid, x_j) = first_j x second_j: the product over the first and the last axes."""
        sizes = np.cumprod(self.shape)
        cut = 1 + int(np.argmin(np.abs(np.log(sizes) - 0.5 * np.log(sizes[-1]))))
        cut = min(cut, max(len(self.values) - 1, 1))
        halves = []
        for axes in (range(cut), range(cut, len(self.values))):
            half = np.full((1, len(X)), self.outputscale if axes.start == 0 else 1.0)
            for i in axes:
                factor = self.kernels[i](self.values[i][:, None], X[:, i, None])
                half = (half[:, None, :] * factor[None, :, :]).reshape(
                    len(half) * len(factor), len(X)
                )
            halves.append(half)
        return halves[0], halves[1]
