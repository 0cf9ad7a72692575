"""Sample paths: draws from the posterior that are functions.

    (f | y)(x) = prior(x) + mean(x) + k(x, X) v,   v = (K + noise)^{-1} (y - mean - prior(X) - eps)
                 --------   -------------------
                 `features`       `Shift`                          (Matheron's rule)

A prior path is a weighted sum of random features; the update moves it through the data. The update
uses the exact kernel, so the path interpolates noiseless data whatever the number of features
(kind "pathwise", the default). Kind "rff" is the paper's: Bayesian linear regression on the
features alone, which loses variance as data come in (docs/sample-paths.md has the table). Kind
"exact" is a joint Cholesky draw on a finite set of points; on grids see `grid_posterior`.

A path is the same function for ever: it can be evaluated at any points, in any order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, final

import numpy as np
from numpy.typing import ArrayLike

from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.gp import linalg
from pathmax.gp.blas_threads import small_blas, while_small
from pathmax.gp.borrowed_features import AnyFeatures, PriorFeatures
from pathmax.gp.exact_paths import ExactPath, ExactPaths
from pathmax.gp.features import Features
from pathmax.gp.inputs import as_points
from pathmax.gp.kernels.base import Kernel, gram
from pathmax.gp.kernels.stationary import Stationary
from pathmax.gp.prior_draw import AnyDraw, prior_draw, prior_draws
from pathmax.gp.process import GaussianProcess
from pathmax.gp.update import Reach, Shift, Update
from pathmax.scalars import describe

PathKind = Literal["pathwise", "rff", "exact"]

N_FEATURES = 512  # cosine and sine pairs
SPREAD_FEATURES = 256  # of frequencies that cover their distribution evenly (`usual_features`)


@final
@dataclass(frozen=True, eq=False)
class Paths:
    """Several sample paths at once: `paths(X)` is (n_paths, m); `paths[i]` is one of them."""

    features: AnyFeatures | PriorFeatures
    weights: Array  # (2F, p)
    shift: Shift  # prior mean and update; without data where the weights carry them
    at_data: Array | None = None  # (n, p) the paths at the data that they were moved through
    only: AnyDraw | None = None  # the draw of the prior, where there is one path and it was made

    def __len__(self) -> int:
        return int(self.weights.shape[1])

    def __getitem__(self, i: int) -> Path:
        i = range(len(self))[i]
        at_data = None if self.at_data is None else self.at_data[:, i]
        path = Path(self.features, self.weights[:, i], self.shift[i], at_data)
        if self.only is not None:
            path._priors[self.shift.update.reach.X.shape[1]] = self.only
        return path

    @property
    def n(self) -> int:
        """How many observations the paths are moved through."""
        return self.shift.update.n

    def prior(self, d: int) -> Callable[[Array], Array]:  # -> (m, d) -> (m, p)
        """The draws of the zero-mean prior that the paths are made of, in single precision."""
        return prior_draws(self.features.at(d), self.weights)

    @while_small
    def __call__(self, X: ArrayLike) -> Array:  # (m, d) -> (p, m)
        X = as_points(X)
        features = self.features.at(X.shape[1])
        prior = np.empty((len(X), len(self)))
        for rows in linalg.blocks(len(X), len(self.weights)):
            prior[rows] = features(X[rows]) @ self.weights
        return self.shift.add_to(prior, X).T

    @while_small
    def gradient(self, X: ArrayLike) -> Array:  # (m, d) -> (p, m, d)
        """The gradient of each path at each point."""
        X = as_points(X)
        prior = self.features.at(X.shape[1]).gradients(X, self.weights)
        return self.shift.add_gradient_to(prior, X)


@final
@dataclass(frozen=True, eq=False)
class Path:
    """One sample path: `path(X)` -> (m,), `path.gradient(X)` -> (m, d)."""

    features: AnyFeatures | PriorFeatures
    weights: Array  # (2F,)
    shift: Shift
    at_data: Array | None = None  # (n,)
    _priors: dict[int, AnyDraw] = field(default_factory=dict, repr=False)

    def prior(self, d: int) -> AnyDraw:
        """The draw of the zero-mean prior that the path is made of, at points (m, d)."""
        if d not in self._priors:
            self._priors[d] = prior_draw(self.features.at(d), self.weights)
        return self._priors[d]

    @property
    def n(self) -> int:
        """How many observations the path is moved through."""
        return self.shift.update.n

    @while_small
    def __call__(self, X: ArrayLike) -> Array:  # (m, d) -> (m,)
        X = as_points(X)
        return self.shift.add_to(self.prior(X.shape[1])(X), X)

    def gradient(self, X: ArrayLike) -> Array:  # (m, d) -> (m, d)
        """The gradient at each point."""
        return self.value_and_gradient(X)[1]

    @while_small
    def value_and_gradient(self, X: ArrayLike) -> tuple[Array, Array]:  # (m, d) -> (m,), (m, d)
        """Values and gradients in one evaluation."""
        X = as_points(X)
        value, gradient = self.prior(X.shape[1]).value_and_gradient(X)
        return self.shift.add_both_to(value, gradient, X)


def draw_path(
    model: GaussianProcess,
    rng: np.random.Generator,
    *,
    kind: PathKind = "pathwise",
    n_features: int | None = None,
    points: ArrayLike | None = None,
) -> Path | ExactPath:
    """A sample path of the posterior: a function, not a vector. See `draw_paths`."""
    return draw_paths(model, rng, 1, kind=kind, n_features=n_features, points=points)[0]


def draw_paths(
    model: GaussianProcess,
    rng: np.random.Generator,
    n: int,
    *,
    kind: PathKind = "pathwise",
    n_features: int | None = None,
    points: ArrayLike | None = None,
) -> Paths | ExactPaths:
    """n independent sample paths that share their random features.

    kind        "pathwise" (default), "rff" (the paper's), or "exact" on the given `points`
    n_features  pairs of cosine and sine, by default `usual_features`; the error of the prior falls
                at least as fast as 1 / sqrt(n_features)
    points      for "exact": the finite set, (N, d). For "pathwise" with a kernel that has no random
                features: points that fill the domain; paths are exact there and at the data, and
                interpolated in between
    """
    if not isinstance(rng, np.random.Generator):
        raise ModelError(
            f"rng must be a NumPy generator, got {describe(rng)}; write np.random.default_rng(seed)"
        )
    n_features = usual_features(model.kernel, kind) if n_features is None else n_features
    if n < 1 or n_features < 1:
        raise ModelError(f"n and n_features must be at least 1, got {n} and {n_features}")
    if kind == "exact":
        if points is None:
            raise ModelError('kind="exact" draws on a finite set: give it as points=(N, d)')
        at = as_points(points).copy()
        return ExactPaths(at, model.sample(at, rng, n))
    if kind not in ("pathwise", "rff"):
        raise ModelError(f'kind must be "pathwise", "rff" or "exact", got {kind!r}')
    if not model.kernel.has_features:
        if kind == "rff" or points is None:
            raise model.kernel.no_features()
        with small_blas(model.n):
            return _interpolated(model, rng, n, as_points(points))
    weights = rng.standard_normal((model.kernel.n_weights(n_features), n))  # ~ N(0, I)
    if not model.n:
        prior = PriorFeatures(model.kernel, n_features, int(rng.integers(2**62)))
        return unconditioned(model, prior, weights)
    features = model.kernel.draw_features(rng, n_features, model.X.shape[1])
    with small_blas(model.n):
        return _conditioned(model, rng, features, weights, kind)


def usual_features(kernel: Kernel, kind: PathKind) -> int:
    """512, or half as many where these are closer to the kernel than 512 independent ones.

    They are for one smooth kernel of the distance. In products signs or other factors decide how
    close features come, and paths by features alone know the data by them (benchmarks/choices.md).
    """
    if kind == "rff" or not (isinstance(kernel, Stationary) and kernel.smooth):
        return N_FEATURES
    ours = type(kernel).draw_frequencies is Stationary.draw_frequencies
    return SPREAD_FEATURES if ours else N_FEATURES


def _conditioned(
    model: GaussianProcess,
    rng: np.random.Generator,
    features: AnyFeatures,
    weights: Array,
    kind: PathKind,
) -> Paths:
    """The prior paths with these weights, moved through the data."""
    only = None
    if kind == "pathwise" and weights.shape[1] == 1:
        only = prior_draw(features, weights[:, 0])
        prior = only(model.X)[:, None]
    else:
        phi = features(model.X)
        prior = phi @ weights
    gap, unit, noise = _gap(model, rng, prior)
    if kind == "pathwise":
        v = linalg.solve(model.cholesky, gap)
        # K v = (K + noise) v - noise v, and the former is what the path still had to move
        left = unit * ((model.noises + model.jitter)[:, None] * v)
        at_data = model.y[:, None] - noise - left
        at_data.setflags(write=False)
        shift = Shift(model.prior_mean, Update.of(model.reach, v, unit))
        return Paths(features, weights, shift, at_data, only)
    K = phi @ phi.T  # the kernel that the features stand for: Matheron's rule in weight space
    K.flat[:: model.n + 1] += model.noises + model.jitter
    factor, _ = linalg.factorize(K)
    return unconditioned(model, features, weights + unit * (phi.T @ linalg.solve(factor, gap)))


def _gap(
    model: GaussianProcess, rng: np.random.Generator, prior: Array
) -> tuple[Array, float, Array]:  # (n, p) -> (n, p), unit, (n, p)
    """How far prior paths are from the data, in units that are returned, and the noise drawn."""
    noise = np.sqrt(model.noises + model.jitter)[:, None] * rng.standard_normal(prior.shape)
    unit = max(float(np.abs(model.residual).max()), np.sqrt(model.kernel.outputscale))
    return (model.residual / unit)[:, None] - (prior + noise) / unit, unit, noise


def _interpolated(model: GaussianProcess, rng: np.random.Generator, n: int, points: Array) -> Paths:
    """Joint draws at the points and the data, and between them what is expected given those.

    prior(x) = k(x, A) w, w = L'^{-1} z, z ~ N(0, I), with A all these points and L L' = k(A, A): at
    A it is L z, a draw of the prior. Then the update, as for other paths.
    """
    A = np.concatenate([model.X, points]) if model.n else points
    L, jitter = linalg.factorize(gram(model.kernel, A))
    z = rng.standard_normal((len(A), n))
    w = linalg.solve_upper(L, z)
    if model.n:
        gap, unit, _ = _gap(model, rng, (L @ z - jitter * w)[: model.n])
        w[: model.n] += unit * linalg.solve(model.cholesky, gap)
    nothing = Features(np.zeros((1, A.shape[1])), outputscale=0.0)
    shift = Shift(model.prior_mean, Update(Reach(model.kernel, A), w))
    return Paths(nothing, np.zeros((2, n)), shift)


def unconditioned(
    model: GaussianProcess, features: AnyFeatures | PriorFeatures, weights: Array
) -> Paths:
    """Paths that are their features alone: there are no data, or the weights carry them."""
    return Paths(
        features, weights, Shift(model.prior_mean, Update.none(model.kernel, weights.shape[1]))
    )
