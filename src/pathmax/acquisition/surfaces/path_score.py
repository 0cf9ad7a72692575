"""A sample path in the form that is cheapest to search.

The prior part of a path is a sum of waves. The cosine and the sine of a feature add up to one,
a cos p + b sin p = r cos(p - s), and with t = tan((p - s) / 2)

    cos = 2 / (1 + t^2) - 1,      sin = 2 t / (1 + t^2)

so that value and gradient need one tangent per feature. What does not depend on the point is
computed once, and screening, which only has to see where the path is high, runs in single
precision. Measured with 512 features at 1024 points, d = 10, one thread: cosines and sines side by
side 8.8 ms, one tangent in blocks of 64 rows 2.1 ms, the same in single precision 0.8 ms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from pathmax.arrays import Array
from pathmax.gp import GaussianProcess
from pathmax.gp.features import Features
from pathmax.gp.linalg import blocks
from pathmax.gp.paths import Path, Paths
from pathmax.search.scores import Score

BLOCK = 64  # rows at a time: with 512 features the temporaries stay in the second-level cache

Real = NDArray[np.float64] | NDArray[np.float32]


@final
@dataclass(frozen=True, eq=False)
class Wave:
    """x -> sum_i R_i(x) amplitude_i cos(w_i'x - s_i), with R_i the random signs of the features."""

    features: Features
    half_frequencies: Real  # (d, F)
    half_phases: Real  # (F,)
    amplitudes: Real  # (F,)

    @staticmethod
    def of(features: Features, weights: Array) -> Wave:  # (2F,)
        """phi(x)' weights, for features without linear factors."""
        a, b = weights[: len(features)], weights[len(features) :]
        return Wave(
            features,
            np.ascontiguousarray(0.5 * features.frequencies.T),
            -0.5 * np.arctan2(b, a),
            features.amplitude * np.hypot(a, b),
        )

    @cached_property
    def single(self) -> Wave:
        """The same wave in single precision."""
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
        """What the signs multiply when nothing oscillates: a space of categories only."""
        if self.half_frequencies.any():
            return None
        return np.asarray(self.amplitudes * np.cos(2.0 * self.half_phases), dtype=float)

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:  # (m, d) -> (m,), (m, d)
        t = self._tangents(U)
        cos = 2.0 / (1.0 + t * t)
        t *= cos
        t *= -2.0 * self.amplitudes  # d cos(2 h'x - s) / dx = -sin(2 h'x - s) 2 h
        cos -= 1.0
        factor = self.features.factor(U)
        if factor is not None:
            cos *= factor
            t *= factor
        return cos @ self.amplitudes, t @ self.half_frequencies.T

    def _tangents(self, U: Real) -> Array:  # (m, d) -> (m, F)
        t = np.matmul(np.asarray(U, dtype=self.amplitudes.dtype), self.half_frequencies)
        t += self.half_phases
        return np.asarray(np.tan(t, out=t))


def prior_values(paths: Paths, d: int) -> Callable[[Real], Real]:  # -> (m, d) -> (m, p)
    """The prior part of several paths that share their features, in single precision."""
    features = paths.features if isinstance(paths.features, Features) else paths.features.at(d)
    if features.slopes:
        return lambda U: features(np.asarray(U, dtype=float)) @ paths.weights
    if len(paths) == 1:
        wave = Wave.of(features, paths.weights[:, 0]).single
        return lambda U: wave(U)[:, None]
    half = np.asarray(0.5 * features.frequencies.T, dtype=np.float32, order="C")
    cosine, sine = np.split(np.asarray(features.amplitude * paths.weights, dtype=np.float32), 2)

    def values(U: Real) -> Real:
        out = np.empty((len(U), len(paths)), dtype=np.float32)
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


def glance(paths: Paths, U: Array) -> Array:  # (m, d) -> (m, p)
    """Several paths at once, their prior part in single precision: right to 1e-5 of their scale."""
    values = np.asarray(prior_values(paths, U.shape[1])(U) + paths.mean, dtype=float)
    if paths.bowl is not None:
        values += paths.bowl(U)[:, None]
    if len(paths.X):
        update = paths.unit * paths.update
        for rows in blocks(len(U), len(paths.X)):
            values[rows] += paths.kernel(U[rows], paths.X) @ update
    return values


@final
class PathScore(Score):
    """A sample path as a score: `path(U)`, faster, and with a cheap approximation."""

    def __init__(self, path: Path, d: int) -> None:
        family = path.family
        features = family.features
        self.path = path
        self.features = features if isinstance(features, Features) else features.at(d)
        self.wave = None if self.features.slopes else Wave.of(self.features, family.weights[:, 0])
        self.update = family.unit * family.update[:, 0]
        self.link = family.kernel.anchored(family.X) if len(family.X) else family.kernel.link

    def __call__(self, U: Array) -> Array:  # (m, d) -> (m,)
        return self.path(U) if self.wave is None else self._updated(self.wave(U), U)

    def at_data(self, model: GaussianProcess) -> Array:  # -> (n,)
        """The path at the data of the model it was drawn from, without a kernel matrix."""
        family = self.path.family
        known = family.at_data if family.X is model.X else None
        return self(model.X) if known is None else np.asarray(known[:, 0])

    def approximate(self, U: Array) -> Array:  # (m, d) -> (m,)
        """The prior part in single precision: right to about 1e-5 of its scale."""
        return self.path(U) if self.wave is None else self._updated(self.wave.single(U), U)

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:  # -> (m,), (m, d)
        if self.wave is None:
            return self.path.value_and_gradient(U)
        value, gradient = self.wave.value_and_gradient(U)
        family = self.path.family
        value += family.mean
        if family.bowl is not None:
            value += family.bowl(U)
            gradient += family.bowl.gradient(U)
        if len(family.X):
            link = self.link(U)
            value += link.value @ self.update
            gradient += link.pull(self.update)
        return value, gradient

    def _updated(self, prior: Array, U: Array) -> Array:  # (m,), (m, d) -> (m,)
        family = self.path.family
        prior += family.mean
        if family.bowl is not None:
            prior += family.bowl(U)
        if len(family.X):
            for rows in blocks(len(U), len(family.X)):
                prior[rows] += self.link(U[rows]).value @ self.update
        return prior
