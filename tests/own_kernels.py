"""Kernels as users write them: one of the distance with random features, one without."""

from dataclasses import dataclass

import numpy as np

from pathmax import gp


@gp.register
@dataclass(frozen=True, eq=False)
class RationalQuadratic(gp.Stationary):
    """r = (1 + s / (2 alpha))^-alpha: RBF kernels of many length scales."""

    alpha: float = 1.0

    def profile(self, s):
        base = 1.0 + s / (2.0 * self.alpha)
        return base**-self.alpha, base

    def slope(self, s, value, memo):
        return -0.5 * value / memo

    def draw_frequencies(self, rng, n, k):
        return rng.standard_normal((n, k)) * np.sqrt(
            rng.gamma(self.alpha, size=(n, 1)) / self.alpha
        )


@gp.register
@dataclass(frozen=True, eq=False)
class Periodic(gp.Kernel):
    """k = outputscale exp(-2 sum_k sin^2(pi (x_k - z_k) / period) / lengthscale^2)."""

    lengthscale: float = 1.0
    period: float = 1.0
    outputscale: float = 1.0

    def value(self, X, Z):
        sines = np.sin(np.pi * (X[:, None] - Z) / self.period)
        return self.outputscale * np.exp(-2.0 * (sines**2).sum(axis=2) / self.lengthscale**2)

    def input_gradient(self, X, Z):
        sines = np.sin(2.0 * np.pi * (X[:, None] - Z) / self.period)
        slope = -2.0 * np.pi / (self.period * self.lengthscale**2) * sines
        return slope * self.value(X, Z)[:, :, None]

    def length_scales(self, d):
        return np.full(d, self.lengthscale * self.period / (2.0 * np.pi))
