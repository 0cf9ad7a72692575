"""What an acquisition is: a score of points, larger is better, with its gradient.

Most acquisitions look at a point only through the posterior mean and standard deviation there. Such
a one is a `Rule`, a function of (mean, std) with its two partial derivatives; `PosteriorScore`
binds it to a model:

    score(U) = rule(mean(U), std(U)),   d score = by_mean d mean + by_std d std

so that pools and grids, where the moments of all points are at hand, need the rule alone. A score
that looks at more than these two is a `PointScore`. A sample path is a score as it stands.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Protocol, final

import numpy as np
from numpy.typing import NDArray

from pathmax.arrays import Array
from pathmax.gp import GaussianProcess, GridPosterior
from pathmax.gp.predictions import Partials, Prediction
from pathmax.search.scores import Score


class Rule(ABC):
    """A score that depends on a point only through the posterior mean and std there."""

    enough: float = math.inf  # a score that ends a search: see `Task`

    @abstractmethod
    def __call__(self, mean: Array, std: Array) -> Array:  # (m,), (m,) -> (m,)
        """The score, larger is better."""

    @abstractmethod
    def partials(self, mean: Array, std: Array) -> tuple[Array, Array, Array]:  # each (m,)
        """The score, its derivative in the mean, and its derivative in the std."""

    def contenders(self, mean: Array, std: Array) -> NDArray[np.intp] | None:  # (m,), (m,) -> few
        """In order, the rows among which the largest score is; None when any row may have it.

        For rules whose score costs much more than telling that a row cannot win.
        """
        return None

    def ceiling(self, mean: Array, most: Array) -> Array:  # (m,), (m,) -> (m,)
        """At least the score wherever the std is at most `most`; infinite where it may be anything.

        It does not fall with the mean. For rules that are looked for among many rows.
        """
        return np.full(len(mean), np.inf)


class PointScore(Score):
    """A score that depends on more than the posterior mean and std at a point."""

    def on_grid(self, posterior: GridPosterior) -> Array | None:  # -> (N,)
        """The score at all points of a grid, if the posterior there makes that cheaper."""
        return None


class Predictor(Protocol):
    """What a rule is bound to: a process, one upside down, or a mixture of some."""

    def look(self, X: Array, /) -> Prediction:
        """Mean and std at X (m, d)."""
        ...

    def chain(self, X: Array, partials: Partials, /) -> tuple[Array, Array]:
        """A function of both and its gradient at X: (m,), (m, d)."""
        ...


@final
class PosteriorScore(Score):
    """A rule on the posterior of a model."""

    def __init__(self, model: Predictor, rule: Rule) -> None:
        self.model, self.rule = model, rule

    def __call__(self, U: Array) -> Array:  # (m, d) -> (m,)
        return self.rule(*self.model.look(U))

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:  # -> (m,), (m, d)
        return self.model.chain(U, self.rule.partials)


@final
class MeanScore(PointScore):
    """The posterior mean of a model: at half the cost of a rule, which has the std as well."""

    def __init__(self, model: GaussianProcess) -> None:
        self.shift = model.shift

    def __call__(self, U: Array) -> Array:  # (m, d) -> (m,)
        return self.shift.add_to(np.zeros(len(U)), U)

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:  # -> (m,), (m, d)
        return self.shift.add_both_to(np.zeros(len(U)), np.zeros_like(U), U)
