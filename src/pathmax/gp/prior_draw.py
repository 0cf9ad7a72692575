"""A draw of the zero-mean prior as a function, in the form that is cheapest to evaluate.

A draw is a weighted sum of random features. The cosine and the sine of a feature add up to one
wave, a cos p + b sin p = r cos(p - s), and with t = tan((p - s) / 2)

    cos = 2 / (1 + t^2) - 1,      sin = 2 t / (1 + t^2)

so that value and gradient need one tangent per feature. What does not depend on the point is
computed once, and `single` is the same function in single precision, for those who only have to see
where a path is high. Measured with 512 features at 1024 points, d = 10, one thread: cosines and
sines side by side 8.8 ms, one tangent in blocks of 64 rows 2.1 ms, in single precision 0.8 ms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from pathmax.arrays import Array
from pathmax.gp.features import AnyFeatures, Features, split

BLOCK = 64  # rows at a time: with 512 features the temporaries stay in the second-level cache

Real = NDArray[np.float64] | NDArray[np.float32]


def prior_draw(features: AnyFeatures, weights: Array) -> PriorDraw | DrawSum:  # (2F,)
    """x -> phi(x)' weights."""
    draws = [PriorDraw.of(part, w) for part, w in split(features, weights)]
    return draws[0] if len(draws) == 1 else DrawSum(tuple(draws))


@final
@dataclass(frozen=True, eq=False)
class PriorDraw:
    """x -> sum_i R_i(x) amplitude_i cos(w_i'x - s_i), with R_i the real factor of a feature."""

    features: Features
    half_frequencies: Real  # (d, F)
    half_phases: Real  # (F,)
    amplitudes: Real  # (F,)

    @staticmethod
    def of(features: Features, weights: Array) -> PriorDraw:  # (2F,)
        """phi(x)' weights."""
        a, b = weights[: len(features)], weights[len(features) :]
        return PriorDraw(
            features,
            np.ascontiguousarray(0.5 * features.frequencies.T),
            -0.5 * np.arctan2(b, a),
            features.amplitude * np.hypot(a, b),
        )

    @cached_property
    def single(self) -> PriorDraw:
        """The same function in single precision."""
        return replace(
            self,
            half_frequencies=self.half_frequencies.astype(np.float32),
            half_phases=self.half_phases.astype(np.float32),
            amplitudes=self.amplitudes.astype(np.float32),
        )

    def __call__(self, U: Real) -> Array:  # (m, d) -> (m,)
        values = np.empty(len(U))
        for start in range(0, len(U), BLOCK):
            rows = U[start : start + BLOCK]
            factor = self.features.factor(np.asarray(rows, dtype=float))
            if factor is not None and self.level is not None:
                values[start : start + BLOCK] = factor @ self.level
                continue
            t = self._tangents(rows)
            t *= t
            t += 1.0
            np.divide(2.0, t, out=t)
            t -= 1.0
            if factor is not None:
                t *= factor
            values[start : start + BLOCK] = t @ self.amplitudes
        return values

    @cached_property
    def level(self) -> Array | None:  # (F,)
        """What the factors multiply when nothing oscillates: categories and straight lines."""
        if self.half_frequencies.any():
            return None
        return np.asarray(self.amplitudes * np.cos(2.0 * self.half_phases), dtype=float)

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:  # (m, d) -> (m,), (m, d)
        """Values and gradients in one evaluation."""
        t = self._tangents(U)
        cos = 2.0 / (1.0 + t * t)
        t *= cos
        t *= -2.0 * self.amplitudes  # d cos(2 h'x - s) / dx = -sin(2 h'x - s) 2 h
        cos -= 1.0
        factor = self.features.factor(U)
        if factor is None:
            return cos @ self.amplitudes, t @ self.half_frequencies.T
        t *= factor
        gradient = t @ self.half_frequencies.T
        for slope, others in self.features.linear_factors(U):
            gradient += (cos * self.amplitudes * (1.0 if others is None else others)) @ slope
        cos *= factor
        return cos @ self.amplitudes, gradient

    def _tangents(self, U: Real) -> Array:  # (m, d) -> (m, F)
        t = np.matmul(np.asarray(U, dtype=self.amplitudes.dtype), self.half_frequencies)
        t += self.half_phases
        return np.asarray(np.tan(t, out=t))


@final
@dataclass(frozen=True, eq=False)
class DrawSum:
    """A draw of a sum of kernels: the sum of a draw of each."""

    draws: tuple[PriorDraw, ...]

    @cached_property
    def single(self) -> DrawSum:
        """The same function in single precision."""
        return DrawSum(tuple(draw.single for draw in self.draws))

    def __call__(self, U: Real) -> Array:  # (m, d) -> (m,)
        return np.asarray(np.sum([draw(U) for draw in self.draws], axis=0))

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:  # (m, d) -> (m,), (m, d)
        """Values and gradients in one evaluation."""
        values, gradients = zip(*(draw.value_and_gradient(U) for draw in self.draws), strict=True)
        return np.sum(values, axis=0), np.sum(gradients, axis=0)


def prior_draws(
    features: AnyFeatures, weights: Array
) -> Callable[[Real], Array]:  # (2F, p) -> (m, d) -> (m, p)
    """x -> phi(x)' weights of several draws that share their features, in single precision."""
    first, *others = [_draws(part, w) for part, w in split(features, weights)]

    def values(U: Real) -> Array:
        total = np.asarray(first(U), dtype=float)
        for other in others:
            total += other(U)
        return total

    return values


def _draws(features: Features, weights: Array) -> Callable[[Real], Real]:
    if weights.shape[1] == 1:
        draw = PriorDraw.of(features, weights[:, 0]).single
        return lambda U: draw(U)[:, None]
    half = np.asarray(0.5 * features.frequencies.T, dtype=np.float32, order="C")
    cosine, sine = np.split(np.asarray(features.amplitude * weights, dtype=np.float32), 2)

    def values(U: Real) -> Real:
        out = np.empty((len(U), weights.shape[1]), dtype=np.float32)
        for start in range(0, len(U), BLOCK):
            rows = U[start : start + BLOCK]
            t = np.asarray(rows, dtype=np.float32) @ half
            np.tan(t, out=t)
            cos = 2.0 / (1.0 + t * t)
            t *= cos
            cos -= 1.0
            factor = features.factor(np.asarray(rows, dtype=float))
            if factor is not None:
                cos *= factor
                t *= factor
            out[start : start + BLOCK] = cos @ cosine + t @ sine
        return out

    return values
