"""The categorical kernel: categories are alike or not, there is nothing in between."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.gp.features import Features
from pathmax.gp.inputs import columns_of
from pathmax.gp.kernels.base import DiscreteKernel, Kernel, Link
from pathmax.gp.kernels.frequencies import stratified
from pathmax.gp.kernels.stationary import RBF
from pathmax.gp.sign_features import Signs


@final
@dataclass(frozen=True, eq=False)
class Categorical(DiscreteKernel):
    """The Hamming kernel: prod_j [rho_j + (1 - rho_j) 1{x_j = z_j}] over category codes.

    rho_j in (0, 1) is how much two different categories of coordinate j have in common. Fitting
    works on log l_j with rho_j = exp(-1 / l_j), so that l_j is a length scale like any other.
    """

    rho: float | Sequence[float] | Array = 0.5
    outputscale: float = 1.0
    on: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.rhos >= 1.0).any():
            raise ModelError(f"rho must lie between 0 and 1, got {self.rho!r}")

    @property
    def rhos(self) -> Array:
        """rho as an array."""
        return np.asarray(self.rho, dtype=float)

    def coordinates(self, d: int) -> list[int]:
        """The columns it looks at, of d; refuses a rho that does not fit them."""
        coordinates = list(range(d)) if self.on is None else list(self.on)
        if self.rhos.ndim and self.rhos.size != len(coordinates):
            raise ModelError(
                f"Categorical has {self.rhos.size} values of rho but looks at {len(coordinates)} "
                "coordinates; give one per coordinate, or a single one"
            )
        return coordinates

    def agreements(self, X: Array, Z: Array | None) -> np.ndarray:  # -> (c, n, m) bool
        """Where x_i and z_j have the same category, column by column."""
        self.coordinates(X.shape[1])
        x, z = columns_of(X, self.on).T, columns_of(X if Z is None else Z, self.on).T
        return np.asarray(x[:, :, None] == z[:, None, :])

    def value(self, X: Array, Z: Array) -> Array:
        return self.link(X, Z).value

    def link(self, X: Array, Z: Array | None = None) -> Link:
        return CategoricalLink(self, X, Z)

    def anchored(self, Z: Array) -> Callable[[Array], Link]:
        return CategoricalAnchor(self, Z)

    def parameter_gradient(self, X: Array, Z: Array | None = None) -> Array:
        link = CategoricalLink(self, X, Z)
        slope = -np.log(self.rhos)  # d log rho / d log l = 1 / l = -log rho
        by_rho = np.broadcast_to(slope, len(link.agree))[:, None, None] * ~link.agree * link.value
        if not self.rhos.ndim:
            by_rho = by_rho.sum(axis=0, keepdims=True)
        return np.concatenate([by_rho, link.value[None]])

    @property
    def theta(self) -> Array:
        return np.append(
            np.log(-1.0 / np.log(np.atleast_1d(self.rhos))), math.log(self.outputscale)
        )

    def with_theta(self, theta: Array) -> Kernel:
        rho = np.clip(np.exp(-np.exp(-theta[:-1])), 1e-12, 1.0 - 1e-12)
        outputscale = math.exp(theta[-1])
        return replace(self, rho=rho if self.rhos.ndim else float(rho[0]), outputscale=outputscale)

    def draw_features(self, rng: np.random.Generator, n_features: int, d: int) -> Features:
        columns = self.coordinates(d)
        signs = []
        for coordinate, rho in zip(columns, np.broadcast_to(self.rhos, len(columns)), strict=True):
            common = np.asarray(2.0 * rng.integers(0, 2, n_features) - 1.0, dtype=float)
            shared = stratified(rng, n_features) < rho
            signs.append(Signs(coordinate, common, shared, int(rng.integers(2**62))))
        return Features(np.zeros((n_features, d)), self.outputscale, signs=tuple(signs))

    def axis_kernels(self, d: int) -> list[Kernel] | None:
        columns = self.coordinates(d)
        rho = dict(zip(columns, np.broadcast_to(self.rhos, len(columns)), strict=True))
        unseen: Kernel = RBF(lengthscale=1e150)  # constant correlation
        return [Categorical(float(rho[i])) if i in rho else unseen for i in range(d)]


class CategoricalLink(Link):
    def __init__(
        self, kernel: Categorical, X: Array, Z: Array | None, value: Array | None = None
    ) -> None:
        self.kernel, self.X, self.Z = kernel, X, Z
        if value is None:
            value = np.full(self.agree.shape[1:], kernel.outputscale)
            rhos = np.broadcast_to(kernel.rhos, len(self.agree))
            for agree, rho in zip(self.agree, rhos, strict=True):
                value *= np.where(agree, 1.0, rho)
        self.value = value

    @cached_property
    def agree(self) -> np.ndarray:  # (c, n, m) bool
        return self.kernel.agreements(self.X, self.Z)

    def pull(self, W: Array) -> Array:
        return np.zeros((len(self.value), self.X.shape[1]))  # categories do not vary smoothly

    def pull_parameters(self, W: Array) -> Array:
        A = W * self.value
        by_rho = -np.log(self.kernel.rhos) * np.array([A[~agree].sum() for agree in self.agree])
        if not self.kernel.rhos.ndim:
            by_rho = by_rho.sum(keepdims=True)
        return np.append(by_rho, A.sum())


@final
class CategoricalAnchor:
    """X -> link(X, Z) for one Z: log k(x, z) = sum of log rho_j where x and z differ.

    With a column for each category of each coordinate that Z has, 1 in the column of x_j, that sum
    is one product of matrices, 16 to 30 times as fast with 64 coordinates (benchmarks/choices.md).
    """

    def __init__(self, kernel: Categorical, Z: Array) -> None:
        on = kernel.coordinates(Z.shape[1])
        self.kernel, self.Z = kernel, Z
        self.costs = -np.log(np.broadcast_to(kernel.rhos, len(on)))  # (c,)
        categories = [np.unique(Z[:, i]) for i in on]
        sizes = [len(one) for one in categories]
        self.columns = np.repeat(on, sizes)  # (q,)
        self.categories = np.concatenate([*categories, np.empty(0)])  # (q,)
        differ = Z[:, self.columns] != self.categories  # (m, q)
        self.differ = -(np.repeat(self.costs, sizes) * differ).T  # (q, m)
        self.starts = np.cumsum([0, *sizes[:-1]])  # the first column of each coordinate

    def __call__(self, X: Array) -> Link:
        if not len(self.Z):
            return CategoricalLink(self.kernel, X, self.Z)
        same = np.asarray(X[:, self.columns] == self.categories, dtype=float)  # (n, q)
        value: Array = same @ self.differ
        if np.count_nonzero(same) < len(X) * len(self.costs):  # a category that Z does not have
            known = np.add.reduceat(same, self.starts, axis=1)  # (n, c)
            value -= ((1.0 - known) @ self.costs)[:, None]
        np.exp(value, out=value)
        if self.kernel.outputscale != 1.0:
            value *= self.kernel.outputscale
        return CategoricalLink(self.kernel, X, self.Z, value)
