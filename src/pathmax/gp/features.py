"""Random features: finitely many functions whose weighted sum is a draw from a prior.

A feature is R_i(x) exp(i w_i'x): a wave of random frequency w_i for the stationary part of a
kernel, times a real factor R_i, the product of a random sign per categorical coordinate and of a
random linear function per linear factor. Each is drawn so that the mean of feature_i(x) conj
feature_i(z) is k(x, z), hence

    prior(x) = sqrt(outputscale / F) sum_i R_i(x) (a_i cos w_i'x + b_i sin w_i'x),  a, b ~ N(0, I)

has covariance k. Cosine and sine in pairs halve the variance of the estimate against one wave of
random phase, and make the variance at a point exact. The features of a sum of kernels are those of
each, side by side (`FeatureSum`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.gp.embedding import Embedding
from pathmax.gp.sign_features import ListedSigns, SignProduct, Signs
from pathmax.gp.trigonometry import cosines_and_sines

TURN = 2.0 * math.pi


@final
@dataclass(frozen=True, eq=False)
class Features:
    """Random features of a kernel that is no sum. Factors multiply: `features * features`."""

    frequencies: Array  # (F, d)
    outputscale: float
    signs: tuple[Signs | ListedSigns, ...] = ()
    slopes: tuple[Array, ...] = ()  # each (F, d): the factor (x' slope_i)

    def __len__(self) -> int:
        return len(self.frequencies)

    def at(self, d: int) -> Features:
        """These features, for points with d coordinates: refuses points with others."""
        if d != self.frequencies.shape[1]:
            raise ModelError(
                f"points must have {self.frequencies.shape[1]} columns like the data, got {d}"
            )
        return self

    @property
    def parts(self) -> tuple[Features, ...]:
        """The features of each term of a sum: here there is one."""
        return (self,)

    def __mul__(self, other: Features | FeatureSum) -> Features | FeatureSum:
        if isinstance(other, FeatureSum):
            return FeatureSum(tuple(self.times(part) for part in other.parts))
        return self.times(other)

    def times(self, other: Features) -> Features:
        """The products of these features with those of another kernel, one by one."""
        return Features(
            self.frequencies + other.frequencies,
            self.outputscale * other.outputscale,
            self.signs + other.signs,
            self.slopes + other.slopes,
        )

    def scaled(self, factor: float) -> Features:
        """The features of the kernel times a factor."""
        return replace(self, outputscale=self.outputscale * factor)

    @property
    def amplitude(self) -> float:
        return float(np.sqrt(self.outputscale / len(self)))

    def __call__(self, X: Array) -> Array:  # (m, d) -> (m, 2F): cosines, then sines
        cos, sin = self.waves(X)
        factor = self.factor(X)
        values = np.concatenate([cos, sin], axis=1)
        values *= self.amplitude
        if factor is not None:
            values[:, : len(self)] *= factor
            values[:, len(self) :] *= factor
        return values

    def waves(self, X: Array) -> tuple[Array, Array]:  # (m, d) -> (m, F), (m, F)
        """cos w_i'x and sin w_i'x."""
        return cosines_and_sines(X @ (self.frequencies.T / TURN))

    def factor(self, X: Array) -> Array | None:  # (m, d) -> (m, F)
        """R_i(x), or None when it is 1 everywhere."""
        return self._times(self._sign(X), X, self.slopes)

    def _sign(self, X: Array) -> Array | None:  # (m, d) -> (m, F)
        return self._signs(X) if self.signs else None

    @cached_property
    def _signs(self) -> SignProduct:
        return SignProduct(self.signs)

    @staticmethod
    def _times(product: Array | None, X: Array, slopes: tuple[Array, ...]) -> Array | None:
        for slope in slopes:
            values = X @ slope.T
            product = values if product is None else product * values
        return product

    def gradients(self, X: Array, weights: Array) -> Array:  # (m, d), (2F, p) -> (p, m, d)
        """The gradient of phi(x)' weights for several paths, which share the waves."""
        cos, sin = self.waves(X)
        a, b = np.split(self.amplitude * weights, 2)
        terms = [(self.frequencies, self.factor(X), b, -a)]
        terms += [(slope, others, a, b) for slope, others in self.linear_factors(X)]
        gradient = np.zeros((weights.shape[1], *X.shape))
        for directions, factor, by_cos, by_sin in terms:
            for k, direction in enumerate(directions.T):
                along = direction if factor is None else factor * direction
                gradient[:, :, k] += ((along * cos) @ by_cos + (along * sin) @ by_sin).T
        return gradient

    def linear_factors(self, X: Array) -> Iterator[tuple[Array, Array | None]]:
        """Each linear factor's slope with R_i(x) without it, for the product rule."""
        sign = self._sign(X) if self.slopes else None
        for i, slope in enumerate(self.slopes):
            yield slope, self._times(sign, X, self.slopes[:i] + self.slopes[i + 1 :])


@final
@dataclass(frozen=True, eq=False)
class FeatureSum:
    """The features of a sum of kernels: those of each term, side by side, equally many of each."""

    parts: tuple[Features, ...]

    def __len__(self) -> int:
        return sum(len(part) for part in self.parts)

    def at(self, d: int) -> FeatureSum:
        """These features, for points with d coordinates: refuses points with others."""
        for part in self.parts:
            part.at(d)
        return self

    def __mul__(self, other: Features | FeatureSum) -> FeatureSum:
        return FeatureSum(tuple(one.times(two) for one in self.parts for two in other.parts))

    def scaled(self, factor: float) -> FeatureSum:
        """The features of the kernel times a factor."""
        return FeatureSum(tuple(part.scaled(factor) for part in self.parts))

    def split(self, weights: Array) -> Iterator[tuple[Features, Array]]:  # (2F,) or (2F, p)
        """The features of each term with their weights."""
        return zip(self.parts, np.split(weights, len(self.parts)), strict=True)

    def __call__(self, X: Array) -> Array:  # (m, d) -> (m, 2F)
        return np.concatenate([part(X) for part in self.parts], axis=1)

    def gradients(self, X: Array, weights: Array) -> Array:  # (m, d), (2F, p) -> (p, m, d)
        """The gradient of phi(x)' weights for several paths."""
        return np.asarray(sum(part.gradients(X, w) for part, w in self.split(weights)))


@final
@dataclass(frozen=True, eq=False)
class EmbeddedFeatures:
    """The features of a kernel at points to which coordinates are added."""

    inner: Features | FeatureSum
    embedding: Embedding

    def __len__(self) -> int:
        return len(self.inner)

    def at(self, d: int) -> EmbeddedFeatures:
        """These features, for points with d coordinates: refuses points with others."""
        self.inner.at(d + self.embedding.extra)
        return self

    def __call__(self, X: Array) -> Array:  # (m, d) -> (m, 2F)
        return self.inner(self.embedding(X))

    def gradients(self, X: Array, weights: Array) -> Array:  # (m, d), (2F, p) -> (p, m, d)
        """The gradient of phi(x)' weights for several paths."""
        return self.embedding.pull(self.inner.gradients(self.embedding(X), weights), X)


PlainFeatures = Features | FeatureSum | EmbeddedFeatures
