"""The linear kernel: functions that are straight lines, and so are their sample paths."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from pathmax.arrays import Array
from pathmax.gp.features import Features
from pathmax.gp.kernels.base import Link
from pathmax.gp.kernels.scaled import Scaled


@final
@dataclass(frozen=True, eq=False)
class Linear(Scaled):
    """k(x, z) = outputscale * sum_k x_k z_k / lengthscale_k^2: lines through the origin."""

    def link(self, X: Array, Z: Array | None = None) -> Link:
        return LinearLink(self, X, Z)

    def diagonal(self, X: Array) -> Array:
        x = self.select(X)
        return np.asarray(self.outputscale * np.einsum("ik,ik->i", x, x))

    def diagonal_gradient(self, X: Array) -> Array:
        return self.spread(2.0 * self.outputscale * self.select(X), X.shape[1])

    def input_gradient(self, X: Array, Z: Array) -> Array:
        z = np.broadcast_to(self.select(Z), (len(X), *self.select(Z).shape))
        return self.spread(self.outputscale * z, X.shape[1])

    def parameter_gradient(self, X: Array, Z: Array | None = None) -> Array:
        x, z = self.select(X), self.select(X if Z is None else Z)
        by_scale = -2.0 * self.outputscale * np.einsum("ik,jk->kij", x, z)
        if not self.scales.ndim:
            by_scale = by_scale.sum(axis=0, keepdims=True)
        return np.concatenate([by_scale, self.link(X, Z).value[None]])

    def draw_features(self, rng: np.random.Generator, n_features: int, d: int) -> Features:
        scales = self.per_axis(d)
        slopes = np.zeros((n_features, d))
        basis = rng.standard_normal((n_features, len(scales)))
        if n_features >= len(scales):
            # orthogonal columns: alone the features give x'z / l^2 exactly, in a product on average
            basis = math.sqrt(n_features) * np.linalg.qr(basis)[0]
        slopes[:, list(scales)] = basis / np.array(list(scales.values()))
        return Features(np.zeros((n_features, d)), self.outputscale, slopes=(slopes,))


class LinearLink(Link):
    def __init__(self, kernel: Linear, X: Array, Z: Array | None) -> None:
        self.kernel, self.dimension = kernel, X.shape[1]
        self.x = kernel.select(X)
        self.z = self.x if Z is None else kernel.select(Z)
        self.value = kernel.outputscale * (self.x @ self.z.T)

    def pull(self, W: Array) -> Array:
        W = np.broadcast_to(W, self.value.shape)
        return self.kernel.spread(self.kernel.outputscale * (W @ self.z), self.dimension)

    def pull_parameters(self, W: Array) -> Array:
        by_scale = -2.0 * self.kernel.outputscale * np.einsum("ik,ik->k", self.x, W @ self.z)
        if not self.kernel.scales.ndim:
            by_scale = by_scale.sum(keepdims=True)
        return np.append(by_scale, np.vdot(W, self.value))
