"""Nearness: how much trials of different fidelities have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from pathmax.arrays import Array
from pathmax.gp.features import Features
from pathmax.gp.kernels.base import Kernel, Link
from pathmax.gp.kernels.stationary import Matern52


@final
@dataclass(frozen=True, eq=False)
class Nearness(Kernel):
    """k(s, t) = outputscale * Matern-5/2 of |s - t| / reach, on the coordinate of a fidelity.

    A factor beside the kernel of the other coordinates. Its `reach` is no length scale like theirs:
    a fidelity is worth having only if it resembles the target, so a long one is expected. Hence
    its own name: of parameters that it does not know `Priors` expects the value that was given.
    """

    reach: float = 2.0
    outputscale: float = 1.0
    on: tuple[int, ...] | None = None

    @cached_property
    def matern(self) -> Matern52:
        """The same as a Matern kernel: its parameters are in the same order."""
        return Matern52(self.reach, self.outputscale, self.on)

    def value(self, X: Array, Z: Array) -> Array:
        return self.matern.value(X, Z)

    def length_scales(self, d: int) -> Array:
        return self.matern.length_scales(d)

    def link(self, X: Array, Z: Array | None = None) -> Link:
        return self.matern.link(X, Z)

    def anchored(self, Z: Array) -> Callable[[Array], Link]:
        return self.matern.anchored(Z)

    def diagonal(self, X: Array) -> Array:
        return self.matern.diagonal(X)

    def diagonal_gradient(self, X: Array) -> Array:
        return self.matern.diagonal_gradient(X)

    def input_gradient(self, X: Array, Z: Array) -> Array:
        return self.matern.input_gradient(X, Z)

    def parameter_gradient(self, X: Array, Z: Array | None = None) -> Array:
        return self.matern.parameter_gradient(X, Z)

    def draw_features(self, rng: np.random.Generator, n_features: int, d: int) -> Features:
        return self.matern.draw_features(rng, n_features, d)

    def axis_kernels(self, d: int) -> list[Kernel] | None:
        return self.matern.axis_kernels(d)
