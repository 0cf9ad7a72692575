"""A draw of a process that others lend to, as a function: see `borrowed_features`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, final

import numpy as np

from pathmax.arrays import Array
from pathmax.gp.borrowed_features import BorrowedFeatures, LentFeatures
from pathmax.gp.features import PlainFeatures


class Draw(Protocol):
    """A draw of a prior: see `prior_draw`."""

    @property
    def single(self) -> Callable[[Array], Array]: ...
    def __call__(self, U: Array) -> Array: ...
    def value_and_gradient(self, U: Array) -> tuple[Array, Array]: ...


MakeDraw = Callable[[PlainFeatures, Array], Draw]
MakeDraws = Callable[[PlainFeatures, Array], Callable[[Array], Array]]


@final
@dataclass(frozen=True, eq=False)
class LentDraw:
    """A draw of what data leave open about a process, times a factor: see `LentFeatures`."""

    features: LentFeatures
    prior: Draw
    v: Array  # (n,)

    @staticmethod
    def of(features: LentFeatures, weights: Array, draw: MakeDraw) -> LentDraw:  # (n_weights,)
        """phi(x)' weights."""
        prior = draw(features.prior, weights[: 2 * len(features.prior)])
        return LentDraw(features, prior, features.moved(weights[:, None])[:, 0])

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


@final
@dataclass(frozen=True, eq=False)
class BorrowedDraw:
    """A draw of a process and of those that lend to it: their sum."""

    own: Draw
    lent: tuple[LentDraw, ...]

    @staticmethod
    def of(features: BorrowedFeatures, weights: Array, draw: MakeDraw) -> BorrowedDraw:
        """phi(x)' weights (n_weights,); `draw` makes draws of other features."""
        own, *others = features.split(weights)
        lent = (LentDraw.of(part, w, draw) for part, w in zip(features.lent, others, strict=True))
        return BorrowedDraw(draw(features.own, own), tuple(lent))

    def single(self, U: Array) -> Array:  # (m, d) -> (m,)
        """The same function, its prior parts in single precision."""
        return np.asarray(sum(part.single(U) for part in (self.own, *self.lent)))

    def __call__(self, U: Array) -> Array:  # (m, d) -> (m,)
        return np.asarray(sum(part(U) for part in (self.own, *self.lent)))

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:  # (m, d) -> (m,), (m, d)
        """Values and gradients in one evaluation."""
        parts = [part.value_and_gradient(U) for part in (self.own, *self.lent)]
        return np.sum([v for v, _ in parts], axis=0), np.sum([g for _, g in parts], axis=0)


def borrowed_draws(
    features: BorrowedFeatures, weights: Array, draws: MakeDraws
) -> Callable[[Array], Array]:  # (n_weights, p) -> (m, d) -> (m, p)
    """x -> phi(x)' weights of several draws, their prior parts in single precision."""
    first, *others = features.split(weights)
    own = draws(features.own, first)
    lent = [
        (part, draws(part.prior, w[: 2 * len(part.prior)]), part.moved(w))
        for part, w in zip(features.lent, others, strict=True)
    ]

    def values(U: Array) -> Array:
        total = np.asarray(own(U), dtype=float)
        for part, prior, v in lent:
            total += part.factor * (prior(U) - part.lender.link(U).value @ v)
        return total

    return values
