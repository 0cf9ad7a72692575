"""A draw of the zero-mean prior as a function, in the form that is cheapest to evaluate.

A draw is a weighted sum of random features. The cosine and the sine of a feature add up to one
wave, a cos p + b sin p = r cos(p - s): one cosine per feature for a value, one cosine and one sine
for value and gradient. What does not depend on the point is computed once, and `single` is the same
function in single precision, which is cheaper and enough to see where a path is high.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias, final

import numpy as np

from pathmax.arrays import Array, Single
from pathmax.gp.borrowed_features import AnyFeatures, LentFeatures
from pathmax.gp.embedding import Embedding
from pathmax.gp.features import TURN, EmbeddedFeatures, Features
from pathmax.gp.linalg import blocks
from pathmax.gp.trigonometry import SINGLE_COSINE, cosines_and_sines, falls, haversines

FEATURE_BLOCK = 64  # rows: with 512 features the temporaries stay in the second-level cache
SINGLE_BLOCK = 128  # the same in single precision, with two temporaries


def prior_draw(features: AnyFeatures | LentFeatures, weights: Array) -> AnyDraw:  # (n_weights,)
    """x -> phi(x)' weights."""
    if isinstance(features, Features):
        return PriorDraw.of(features, weights)
    if isinstance(features, EmbeddedFeatures):
        return EmbeddedDraw(prior_draw(features.inner, weights), features.embedding)
    if isinstance(features, LentFeatures):
        prior = prior_draw(features.prior, weights[: 2 * len(features.prior)])
        return LentDraw(features, prior, features.moved(weights[:, None])[:, 0])
    return DrawSum(tuple(prior_draw(part, w) for part, w in features.split(weights)))


@final
@dataclass(frozen=True, eq=False)
class PriorDraw:
    """x -> sum_i R_i(x) amplitude_i cos(w_i'x - s_i), with R_i the real factor of a feature."""

    features: Features
    turns: Array  # (d, F): w_i / 2 pi
    phases: Array  # (F,): -s_i / 2 pi
    amplitudes: Array  # (F,)

    @staticmethod
    def of(features: Features, weights: Array) -> PriorDraw:  # (2F,)
        """phi(x)' weights."""
        a, b = weights[: len(features)], weights[len(features) :]
        return PriorDraw(
            features,
            np.ascontiguousarray(features.frequencies.T / TURN),
            -np.arctan2(b, a) / TURN,
            features.amplitude * np.hypot(a, b),
        )

    @cached_property
    def single(self) -> SingleDraw:
        """The same function in single precision."""
        return SingleDraw(
            self.features,
            np.vstack([self.turns, self.phases]).astype(np.float32),
            self.amplitudes.astype(np.float32),
        )

    def __call__(self, U: Array) -> Array:  # (m, d) -> (m,)
        values = np.empty(len(U))
        for rows in blocks(len(U), 1, FEATURE_BLOCK):
            factor = self.features.factor(U[rows])
            if factor is not None and self.level is not None:
                values[rows] = factor @ self.level
                continue
            half = haversines(self._turns(U[rows]))
            if factor is None:
                values[rows] = self._total - 2.0 * (half @ self.amplitudes)
            else:
                half *= -2.0
                half += 1.0
                half *= factor
                values[rows] = half @ self.amplitudes
        return values

    @cached_property
    def _total(self) -> float:
        return float(self.amplitudes.sum())

    @cached_property
    def level(self) -> Array | None:  # (F,)
        """What the factors multiply when nothing oscillates: categories and straight lines."""
        return None if self.turns.any() else self.amplitudes * np.cos(TURN * self.phases)

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:  # (m, d) -> (m,), (m, d)
        """Values and gradients in one evaluation."""
        cos, sin = cosines_and_sines(self._turns(U))
        cos *= self.amplitudes
        sin *= -TURN * self.amplitudes  # d cos(2 pi p) = -2 pi sin(2 pi p) dp
        factor = self.features.factor(U)
        if factor is None:
            return cos.sum(axis=1), sin @ self.turns.T
        sin *= factor
        gradient = sin @ self.turns.T
        for slope, others in self.features.linear_factors(U):
            gradient += (cos if others is None else cos * others) @ slope
        return np.einsum("mf,mf->m", factor, cos), gradient

    def _turns(self, U: Array) -> Array:  # (m, d) -> (m, F)
        turns: Array = U @ self.turns
        turns += self.phases
        return turns


@final
@dataclass(frozen=True, eq=False)
class SingleDraw:
    """x -> sum_i R_i(x) amplitude_i cos(w_i'x - s_i) in single precision."""

    features: Features
    turns: Single  # (d + 1, F): w_i / 2 pi, and -s_i / 2 pi below
    amplitudes: Single  # (F,)

    def __call__(self, U: Array) -> Array:  # (m, d) -> (m,)
        m, d = U.shape
        values, points = np.empty(m), np.ones((m, d + 1), dtype=np.float32)
        points[:, :d] = U
        turned, spare = np.empty((2, min(m, SINGLE_BLOCK), self.turns.shape[1]), dtype=np.float32)
        for rows in blocks(m, 1, SINGLE_BLOCK):
            size = len(points[rows])
            waves = falls(np.matmul(points[rows], self.turns, out=turned[:size]), spare[:size])
            factor = self.features.factor(U[rows])
            if factor is None:
                values[rows] = self._level + waves @ self.amplitudes
            else:
                waves += np.float32(SINGLE_COSINE[0])
                waves *= factor
                values[rows] = waves @ self.amplitudes
        return values

    @cached_property
    def _level(self) -> float:
        return SINGLE_COSINE[0] * float(self.amplitudes.sum(dtype=float))


@final
@dataclass(frozen=True, eq=False)
class DrawSum:
    """A draw of a sum of kernels, or of a process and of those that lend to it: their sum."""

    draws: tuple[AnyDraw, ...]

    def single(self, U: Array) -> Array:  # (m, d) -> (m,)
        """The same function in single precision."""
        return np.asarray(np.sum([draw.single(U) for draw in self.draws], axis=0))

    def __call__(self, U: Array) -> Array:  # (m, d) -> (m,)
        return np.asarray(np.sum([draw(U) for draw in self.draws], axis=0))

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:  # (m, d) -> (m,), (m, d)
        """Values and gradients in one evaluation."""
        values, gradients = zip(*(draw.value_and_gradient(U) for draw in self.draws), strict=True)
        return np.sum(values, axis=0), np.sum(gradients, axis=0)


@final
@dataclass(frozen=True, eq=False)
class EmbeddedDraw:
    """A draw at points to which coordinates are added."""

    inner: AnyDraw
    embedding: Embedding

    def single(self, U: Array) -> Array:  # (m, d) -> (m,)
        """The same function in single precision."""
        return self.inner.single(self.embedding(U))

    def __call__(self, U: Array) -> Array:  # (m, d) -> (m,)
        return self.inner(self.embedding(U))

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:  # (m, d) -> (m,), (m, d)
        """Values and gradients in one evaluation."""
        values, gradients = self.inner.value_and_gradient(self.embedding(U))
        return values, self.embedding.pull(gradients, U)


@final
@dataclass(frozen=True, eq=False)
class LentDraw:
    """A draw of what data leave open about a process, times a factor: see `LentFeatures`."""

    features: LentFeatures
    prior: AnyDraw
    v: Array  # (n,)

    def single(self, U: Array) -> Array:  # (m, d) -> (m,)
        """The same function, its prior part in single precision."""
        return self._moved(self.prior.single(U), U)

    def __call__(self, U: Array) -> Array:  # (m, d) -> (m,)
        return self._moved(self.prior(U), U)

    def _moved(self, values: Array, U: Array) -> Array:  # (m,), (m, d) -> (m,)
        moved = self.features.lender.link(U).value @ self.v
        return np.asarray(self.features.factor * (values - moved))

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:  # (m, d) -> (m,), (m, d)
        """Values and gradients in one evaluation."""
        value, gradient = self.prior.value_and_gradient(U)
        link, factor = self.features.lender.link(U), self.features.factor
        return factor * (value - link.value @ self.v), factor * (gradient - link.pull(self.v))


AnyDraw: TypeAlias = PriorDraw | DrawSum | EmbeddedDraw | LentDraw


def prior_draws(
    features: AnyFeatures | LentFeatures, weights: Array
) -> Callable[[Array], Array]:  # (n_weights, p) -> (m, d) -> (m, p)
    """x -> phi(x)' weights of several draws that share their features, in single precision."""
    if isinstance(features, Features):
        return _draws(features, weights)
    if isinstance(features, EmbeddedFeatures):
        inner, embedding = prior_draws(features.inner, weights), features.embedding
        return lambda U: inner(embedding(U))
    if isinstance(features, LentFeatures):
        factor, lender, v = features.factor, features.lender, features.moved(weights)
        prior = prior_draws(features.prior, weights[: 2 * len(features.prior)])
        return lambda U: factor * (prior(U) - lender.link(U).value @ v)
    draws = [prior_draws(part, w) for part, w in features.split(weights)]
    return lambda U: np.asarray(sum(draw(U) for draw in draws))


def _draws(features: Features, weights: Array) -> Callable[[Array], Array]:
    if weights.shape[1] == 1:
        draw = PriorDraw.of(features, weights[:, 0]).single
        return lambda U: draw(U)[:, None]
    frequencies = np.asarray(features.frequencies.T, dtype=np.float32, order="C")
    by_cos, by_sin = np.split(np.asarray(features.amplitude * weights, dtype=np.float32), 2)

    def values(U: Array) -> Array:
        out = np.empty((len(U), weights.shape[1]), dtype=np.float32)
        for rows in blocks(len(U), 1, FEATURE_BLOCK):
            sin = np.asarray(U[rows], dtype=np.float32) @ frequencies
            cos = np.cos(sin)
            np.sin(sin, out=sin)
            factor = features.factor(U[rows])
            if factor is not None:
                cos *= factor
                sin *= factor
            out[rows] = cos @ by_cos + sin @ by_sin
        return np.asarray(out, dtype=float)

    return values
