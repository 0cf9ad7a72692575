"""Scores of several outcomes at once: the probability that all of them reach their targets.

Each outcome i has a posterior of its own, larger is better, and a target tau_i. The rule is

    x = argmax  sum_i log Phi(z_i(x)),      z_i = (mean_i - tau_i) / std_i

the logarithm of the probability that independent outcomes all reach their targets. Where the
targets are what a sample path of every outcome promises (`targets`), this with one outcome is PIMS
(`pims` maximises z itself: log Phi rounds to 0 far above the target, where z still differs).

    AllReach        sum_i log Phi(z_i)
    Feasible        an improvement in the objectives, log EI or log EHVI, plus log Phi of the rest

A `JointRule` looks at a point through the means and stds of all outcomes there, (m, k) each, a
column for each outcome; `JointScore` binds it to the models.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from pathmax.acquisition import normal
from pathmax.acquisition.scores import Rule
from pathmax.acquisition.stacked_posteriors import AnyPosterior, stacked_parts
from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.search.scores import Score


class JointRule(ABC):
    """A score that depends on a point only through the posterior means and stds there."""

    @abstractmethod
    def __call__(self, mean: Array, std: Array) -> Array:  # (m, k), (m, k) -> (m,)
        """The score, larger is better."""

    @abstractmethod
    def partials(self, mean: Array, std: Array) -> tuple[Array, Array, Array]:
        """The score (m,), its derivatives in the means and in the stds, (m, k) each."""


@final
@dataclass(frozen=True, eq=False)
class AllReach(JointRule):
    """sum_i log Phi(z_i). A target of minus infinity asks nothing of its outcome."""

    targets: Array  # (k,)

    def __call__(self, mean: Array, std: Array) -> Array:
        return np.asarray(normal.log_cdf(normal.z_score(mean - self.targets, std)).sum(axis=1))

    def partials(self, mean: Array, std: Array) -> tuple[Array, Array, Array]:
        z = normal.z_score(mean - self.targets, std)
        # d log Phi / dz = exp(-z^2/2 - log Phi(z)) / sqrt(2 pi)
        by_mean = normal.hazard(z) / np.maximum(std, 1.0 / normal.LARGEST_DEVIATION)
        return np.asarray(normal.log_cdf(z).sum(axis=1)), *bounded(by_mean, z)


@final
@dataclass(frozen=True, eq=False)
class One(JointRule):
    """A rule for one outcome, as a joint rule: log EI as the improvement of `Feasible`."""

    rule: Rule

    def __call__(self, mean: Array, std: Array) -> Array:
        return self.rule(mean[:, 0], std[:, 0])

    def partials(self, mean: Array, std: Array) -> tuple[Array, Array, Array]:
        value, by_mean, by_std = self.rule.partials(mean[:, 0], std[:, 0])
        return value, by_mean[:, None], by_std[:, None]


@final
@dataclass(frozen=True, eq=False)
class Feasible(JointRule):
    """An improvement in the first outcomes and the probability that the rest reach their bounds.

    log improvement + sum_j log Phi(z_j): with log EI this is constrained EI (Gardner et al., 2014),
    with log EHVI its counterpart for several objectives. Without an improvement, None, as long as
    nothing feasible is known, the probability alone.
    """

    improvement: JointRule | None  # of the first columns
    objectives: int  # how many they are
    bounds: Array  # (J,) of the other columns

    def __call__(self, mean: Array, std: Array) -> Array:
        k = self.objectives
        value = AllReach(self.bounds)(mean[:, k:], std[:, k:])
        if self.improvement is not None:
            value = value + self.improvement(mean[:, :k], std[:, :k])
        return value

    def partials(self, mean: Array, std: Array) -> tuple[Array, Array, Array]:
        k = self.objectives
        by_mean, by_std = np.zeros_like(mean), np.zeros_like(std)
        rest = AllReach(self.bounds)
        value, by_mean[:, k:], by_std[:, k:] = rest.partials(mean[:, k:], std[:, k:])
        if self.improvement is not None:
            gain = self.improvement.partials(mean[:, :k], std[:, :k])
            value, by_mean[:, :k], by_std[:, :k] = value + gain[0], gain[1], gain[2]
        return value, by_mean, by_std


def bounded(by_mean: Array, z: Array) -> tuple[Array, Array]:
    """The derivatives in mean and std, dz / dstd = -z dz / dmean, large but finite."""
    with np.errstate(over="ignore"):
        by_std = np.clip(-z * by_mean, -normal.LARGEST_DEVIATION, normal.LARGEST_DEVIATION)
    return np.minimum(by_mean, normal.LARGEST_DEVIATION), by_std


@final
class JointScore(Score):
    """A joint rule on the posteriors of several models, in the order of its columns."""

    def __init__(self, models: Sequence[AnyPosterior], rule: JointRule) -> None:
        if not models:
            raise ModelError("a joint score needs the model of at least one outcome, got none")
        self.rule, self.parts = rule, stacked_parts(models)
        self.size = len(models)

    def __call__(self, U: Array) -> Array:  # (m, d) -> (m,)
        return self.rule(*self.moments(U))

    def moments(self, U: Array) -> tuple[Array, Array]:  # (m, d) -> (m, k), (m, k)
        """Means and stds of every model."""
        mean, std = np.empty((2, len(U), self.size))
        for columns, part in self.parts:
            mean[:, columns], std[:, columns] = part.look(U)
        return mean, std

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:  # -> (m,), (m, d)
        mean, std = np.empty((2, len(U), self.size))
        value, gradient, _ = self._chain(U, 0, mean, std)
        return value, gradient

    def _chain(
        self, U: Array, i: int, mean: Array, std: Array
    ) -> tuple[Array, Array, tuple[Array, Array]]:
        """The score, the part of its gradient due to parts i, i + 1, ..., and its partials.

        The derivatives of the rule need the moments of all models, and the gradient of each model
        needs the derivatives: within the chain of one part run those of the parts after it, so
        that every kernel matrix is made once.
        """
        columns, part = self.parts[i]
        later: list[tuple[Array, tuple[Array, Array]]] = []

        def partials(own_mean: Array, own_std: Array) -> tuple[Array, Array, Array]:
            mean[:, columns], std[:, columns] = own_mean, own_std
            if i + 1 < len(self.parts):
                value, gradient, slopes = self._chain(U, i + 1, mean, std)
            else:
                value, *both = self.rule.partials(mean, std)
                gradient, slopes = np.zeros_like(U), (both[0], both[1])
            later.append((gradient, slopes))
            return value, slopes[0][:, columns], slopes[1][:, columns]

        value, own = part.chain(U, partials)
        ((gradient, slopes),) = later
        return value, own + gradient, slopes
