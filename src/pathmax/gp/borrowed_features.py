"""Random features of a process that borrows from others, and of a prior that has seen no data.

own(x) + sum_s factor_s (phi_s(x)'w - k_s(x, X_s) v_s)       `BorrowedFeatures`, see `borrowed`
a prior without data                                         `PriorFeatures`
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol, final

import numpy as np

from pathmax.arrays import Array
from pathmax.gp import linalg
from pathmax.gp.features import PlainFeatures


class CrossCovariance(Protocol):
    """k(x, data), ready to be differentiated: a `kernels.base.Link`."""

    value: Array  # (m, n)

    def pull(self, W: Array) -> Array: ...  # (n,) -> (m, d)


class Linked(Protocol):
    """What knows k(x, data) of a process."""

    def link(self, X: Array) -> CrossCovariance: ...  # (m, d)


@final
@dataclass(frozen=True, eq=False)
class LentFeatures:
    """The features of what data leave open about a process, times a factor.

        factor (phi(x)'w - k(x, X) v),   v = (K + noise)^{-1} (phi(X)'w + sqrt(noise) e)

    with w the weights of the prior and e one more for each datum: Matheron's rule less the mean.
    """

    prior: PlainFeatures
    factor: float
    X: Array  # (n, d)
    deviations: Array  # (n,) of the noise
    cholesky: Array  # (n, n)
    lender: Linked

    @property
    def n_weights(self) -> int:
        return 2 * len(self.prior) + len(self.X)

    def moved(self, weights: Array) -> Array:  # (n_weights, p) -> (n, p)
        """v, for several draws."""
        w, e = np.split(weights, [2 * len(self.prior)])
        return linalg.solve(self.cholesky, self.prior(self.X) @ w + self.deviations[:, None] * e)

    @cached_property
    def _moved(self) -> Array:  # (n, n_weights)
        return self.moved(np.eye(self.n_weights))

    def __call__(self, X: Array) -> Array:  # (m, d) -> (m, n_weights)
        values = -self.lender.link(X).value @ self._moved
        values[:, : 2 * len(self.prior)] += self.prior(X)
        return np.asarray(self.factor * values)

    def gradients(self, X: Array, weights: Array) -> Array:  # (m, d), (n_weights, p) -> (p, m, d)
        """The gradient of phi(x)' weights for several paths."""
        gradient = self.prior.gradients(X, weights[: 2 * len(self.prior)])
        link = self.lender.link(X)
        gradient -= np.stack([link.pull(v) for v in self.moved(weights).T])
        return np.asarray(self.factor * gradient)


@final
@dataclass(frozen=True, eq=False)
class BorrowedFeatures:
    """The features of a process that others lend to, side by side with what those leave open."""

    own: PlainFeatures
    lent: tuple[LentFeatures, ...]

    def at(self, d: int) -> BorrowedFeatures:
        """These features, for points with d coordinates: refuses points with others."""
        self.own.at(d)
        return self

    def split(self, weights: Array) -> Iterator[tuple[PlainFeatures | LentFeatures, Array]]:
        """Its own features and those of each lender, with their weights (n_weights, ...)."""
        sizes = [2 * len(self.own), *(lent.n_weights for lent in self.lent)]
        return zip((self.own, *self.lent), np.split(weights, np.cumsum(sizes)[:-1]), strict=True)

    def __call__(self, X: Array) -> Array:  # (m, d) -> (m, n_weights)
        return np.concatenate([part(X) for part in (self.own, *self.lent)], axis=1)

    def gradients(self, X: Array, weights: Array) -> Array:  # (m, d), (n_weights, p) -> (p, m, d)
        """The gradient of phi(x)' weights for several paths."""
        return np.asarray(sum(part.gradients(X, w) for part, w in self.split(weights)))


AnyFeatures = PlainFeatures | BorrowedFeatures


class Drawable(Protocol):
    """What features are drawn from: a kernel."""

    def draw_features(self, rng: np.random.Generator, n_features: int, d: int) -> AnyFeatures: ...


@final
@dataclass(frozen=True, eq=False)
class PriorFeatures:
    """The features of a prior that has seen no data, and so does not know its dimension yet.

    It learns it from the first points that it is evaluated at; the key makes the draw the same
    whenever that is.
    """

    kernel: Drawable
    n_features: int
    key: int
    known: dict[int, AnyFeatures] = field(default_factory=dict, repr=False)  # drawn before

    def at(self, d: int) -> AnyFeatures:
        """The features for points with d coordinates."""
        if d not in self.known:
            rng = np.random.default_rng([self.key, d])
            self.known[d] = self.kernel.draw_features(rng, self.n_features, d)
        return self.known[d]
