"""Sample paths: draws from the posterior that are functions.

    (f | y)(x) = mean + prior(x) + k(x, X) v,    v = (K + noise)^{-1} (y - mean - prior(X) - eps)
                        -------    ---------
                        features    update                         (Matheron's rule)

A prior path is a weighted sum of random features; the update moves it through the data. The update
uses the exact kernel, so the path interpolates noiseless data whatever the number of features
(kind "pathwise", the default). Kind "rff" is the paper's: Bayesian linear regression on the
features alone, which loses variance as data come in (docs/sample-paths.md has the table). Kind
"exact" is a joint Cholesky draw on a finite set of points; on grids see `grids`.

A path is the same function for ever: it can be evaluated at any points, in any order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, final

import numpy as np
from numpy.typing import ArrayLike

from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.gp import linalg
from pathmax.gp.blas_threads import small_blas, while_small
from pathmax.gp.features import Features, PriorFeatures
from pathmax.gp.inputs import as_points
from pathmax.gp.kernels.base import Kernel
from pathmax.gp.prior_mean import Bowl
from pathmax.gp.process import GaussianProcess

Kind = Literal["pathwise", "rff", "exact"]

N_FEATURES = 512  # cosine and sine pairs


@final
@dataclass(frozen=True, eq=False)
class Paths:
    """Several sample paths at once: `paths(X)` is (n_paths, m); `paths[i]` is one of them."""

    mean: float
    features: Features | PriorFeatures
    weights: Array  # (2F, p)
    kernel: Kernel
    X: Array  # (n, d)
    update: Array  # (n, p): v / unit; empty when there are no data or the features carry them
    unit: float = 1.0
    bowl: Bowl | None = None
    at_data: Array | None = None  # (n, p) the paths at X, when they were moved through data there

    def __len__(self) -> int:
        return int(self.weights.shape[1])

    def __getitem__(self, i: int) -> Path:
        i = range(len(self))[i]
        return Path(
            replace(
                self,
                weights=self.weights[:, i, None],
                update=self.update[:, i, None],
                at_data=None if self.at_data is None else self.at_data[:, i, None],
            )
        )

    @property
    def n(self) -> int:
        """How many observations the paths are conditioned on."""
        return len(self.X)

    def points(self, X: ArrayLike) -> Array:  # -> (m, d)
        """X as points where the paths can be evaluated."""
        X, features = as_points(X), self.features
        if isinstance(features, Features) and X.shape[1] != features.frequencies.shape[1]:
            raise ModelError(
                f"points must have {features.frequencies.shape[1]} columns like the data, "
                f"got {X.shape[1]}"
            )
        return X

    @while_small
    def __call__(self, X: ArrayLike) -> Array:  # (m, d) -> (p, m)
        X = self.points(X)
        values = np.empty((len(X), len(self)))
        for rows in linalg.blocks(len(X), max(self.n, len(self.weights))):
            values[rows] = self.features(X[rows]) @ self.weights
            if len(self.X):
                values[rows] += self.unit * (self.kernel(X[rows], self.X) @ self.update)
        values += self.mean
        if self.bowl is not None:
            values += self.bowl(X)[:, None]
        return np.asarray(values.T)

    @while_small
    def gradient(self, X: ArrayLike) -> Array:  # (m, d) -> (p, m, d)
        """The gradient of each path at each point."""
        X = self.points(X)
        gradient = self.features.gradients(X, self.weights)
        if self.bowl is not None:
            gradient += self.bowl.gradient(X)
        if len(self.X):
            link = self.kernel.link(X, self.X)
            for i, v in enumerate(self.update.T):
                gradient[i] += self.unit * link.pull(v)
        return gradient


@final
@dataclass(frozen=True, eq=False)
class Path:
    """One sample path: `path(X)` -> (m,), `path.gradient(X)` -> (m, d)."""

    family: Paths  # of one

    @property
    def n(self) -> int:
        """How many observations the path is conditioned on."""
        return len(self.family.X)

    @while_small
    def __call__(self, X: ArrayLike) -> Array:  # (m, d) -> (m,)
        family = self.family
        X = family.points(X)
        value = np.empty(len(X))
        for rows in linalg.blocks(len(X), max(self.n, len(family.weights) // 2)):
            value[rows] = family.features.value(X[rows], family.weights[:, 0])
            if len(family.X):
                cross = family.kernel(X[rows], family.X)
                value[rows] += family.unit * (cross @ family.update[:, 0])  # either may be huge
        value += family.mean
        if family.bowl is not None:
            value += family.bowl(X)
        return value

    def gradient(self, X: ArrayLike) -> Array:  # (m, d) -> (m, d)
        """The gradient at each point."""
        return self.value_and_gradient(X)[1]

    @while_small
    def value_and_gradient(self, X: ArrayLike) -> tuple[Array, Array]:  # (m, d) -> (m,), (m, d)
        """Values and gradients in one evaluation."""
        family = self.family
        X = family.points(X)
        prior, prior_gradient = family.features.value_and_gradient(X, family.weights[:, 0])
        value = family.mean + prior
        if family.bowl is not None:
            value += family.bowl(X)
            prior_gradient = prior_gradient + family.bowl.gradient(X)
        if not len(family.X):
            return value, prior_gradient
        link = family.kernel.link(X, family.X)
        v = family.update[:, 0]
        value += family.unit * (link.value @ v)
        return value, prior_gradient + family.unit * link.pull(v)


@final
@dataclass(frozen=True, eq=False)
class ExactPaths:
    """Exact joint draws on a finite set of points: callable there and nowhere else."""

    points: Array  # (N, d)
    values: Array  # (p, N)

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, i: int) -> ExactPath:
        return ExactPath(self, i)

    @cached_property
    def rows(self) -> dict[bytes, int]:
        """Where each point is; 0.0 is added since -0.0 is the same point."""
        return {row.tobytes(): i for i, row in enumerate(np.ascontiguousarray(self.points) + 0.0)}

    def __call__(self, X: ArrayLike) -> Array:  # (m, d) -> (p, m)
        try:
            at = [self.rows[row.tobytes()] for row in np.ascontiguousarray(as_points(X)) + 0.0]
        except KeyError:
            raise ModelError(
                f"an exact path is known only on its {len(self.points)} points; got another point; "
                'draw with kind="pathwise" for a path that is defined everywhere'
            ) from None
        return np.asarray(self.values[:, at])


@final
@dataclass(frozen=True, eq=False)
class ExactPath:
    """One exact draw on a finite set: `path(X)`, or all the values at once in `path.values`."""

    family: ExactPaths
    i: int

    @property
    def points(self) -> Array:  # (N, d)
        """Where the path was drawn."""
        return self.family.points

    @property
    def values(self) -> Array:  # (N,)
        """Its values there."""
        return np.asarray(self.family.values[self.i])

    def __call__(self, X: ArrayLike) -> Array:  # (m, d) -> (m,)
        return np.asarray(self.family(X)[self.i])


def draw_path(
    model: GaussianProcess,
    rng: np.random.Generator,
    *,
    kind: Kind = "pathwise",
    n_features: int = N_FEATURES,
    points: ArrayLike | None = None,
) -> Path | ExactPath:
    """A sample path of the posterior: a function, not a vector. See `draw_paths`."""
    return draw_paths(model, rng, 1, kind=kind, n_features=n_features, points=points)[0]


def draw_paths(
    model: GaussianProcess,
    rng: np.random.Generator,
    n: int,
    *,
    kind: Kind = "pathwise",
    n_features: int = N_FEATURES,
    points: ArrayLike | None = None,
) -> Paths | ExactPaths:
    """n independent sample paths that share their random features.

    kind        "pathwise" (default), "rff" (the paper's), or "exact" on the given `points`
    n_features  pairs of cosine and sine; the error of the prior falls as 1 / sqrt(n_features)
    points      for "exact": the finite set, (N, d)
    """
    if n < 1 or n_features < 1:
        raise ModelError(f"n and n_features must be at least 1, got {n} and {n_features}")
    if kind == "exact":
        if points is None:
            raise ModelError('kind="exact" draws on a finite set: give it as points=(N, d)')
        at = as_points(points).copy()
        return ExactPaths(at, model.sample(at, rng, n))
    if kind not in ("pathwise", "rff"):
        raise ModelError(f'kind must be "pathwise", "rff" or "exact", got {kind!r}')
    weights = rng.standard_normal((2 * n_features, n))  # ~ N(0, I)
    if not model.n:
        prior = PriorFeatures(model.kernel, n_features, int(rng.integers(2**62)))
        return unconditioned(model, prior, weights)
    features = model.kernel.draw_features(rng, n_features, model.X.shape[1])
    with small_blas(model.n):
        return _conditioned(model, rng, features, weights, kind)


def _conditioned(
    model: GaussianProcess,
    rng: np.random.Generator,
    features: Features,
    weights: Array,
    kind: Kind,
) -> Paths:
    """The prior paths with these weights, moved through the data."""
    n = weights.shape[1]
    if kind == "pathwise" and n == 1:
        prior = features.value(model.X, weights[:, 0])[:, None]
    else:
        phi = features(model.X)
        prior = phi @ weights
    noise = np.sqrt(model.noises + model.jitter)[:, None] * rng.standard_normal((model.n, n))
    residual = model.y - model.prior_mean(model.X)
    unit = max(float(np.abs(residual).max()), np.sqrt(model.kernel.outputscale))
    gap = (residual / unit)[:, None] - (prior + noise) / unit
    if kind == "pathwise":
        update = linalg.solve(model.cholesky, gap)
        # K v = (K + noise) v - noise v, and the former is what the path still had to move
        left = unit * (model.noises + model.jitter)[:, None] * update
        at_data = model.y[:, None] - noise - left
        at_data.setflags(write=False)
        moved = (model.kernel, model.X, update, unit, model.bowl, at_data)
        return Paths(model.mean, features, weights, *moved)
    gram = phi @ phi.T  # the kernel that the features stand for: Matheron's rule in weight space
    gram.flat[:: model.n + 1] += model.noises + model.jitter
    factor, _ = linalg.factorize(gram)
    return unconditioned(model, features, weights + unit * (phi.T @ linalg.solve(factor, gap)))


def unconditioned(
    model: GaussianProcess, features: Features | PriorFeatures, weights: Array
) -> Paths:
    """Paths that are their features alone: there are no data, or the weights carry them."""
    nothing = np.empty((0, weights.shape[1]))
    return Paths(
        model.mean, features, weights, model.kernel, np.empty((0, 0)), nothing, bowl=model.bowl
    )
