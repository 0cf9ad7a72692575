"""Replicate or explore with several outcomes: what is a measurement of all of them worth?

A measurement at x moves every outcome's model: means by b_i Z_i, variances by -b_i^2,

    b_i(x') = cov_i(x', x) / sqrt(var_i(x) + noise_i),      Z_i ~ N(0, 1)

and it is worth what that is expected to add to what would be recommended then:

    one objective         the best expected value of the points that keep every bound with 95 %
    several objectives    the hypervolume of the expected values of such points, as a share of it

over the points that matter, those measured and those where paths promise something. The expectation
is over SCENARIOS pairs of Z and -Z, the same for every x, so that measured and new points are
compared without the error of chance. With one outcome there is a closed form (`replication`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from pathmax.acquisition.front_ends import extent
from pathmax.acquisition.hypervolume import MOST_OBJECTIVES, hypervolume
from pathmax.analysis.joint_path_maxima import JointPathMaxima
from pathmax.analysis.joint_predictions import SURE_DEVIATION, best_means
from pathmax.analysis.replication import Advice, advised, repeatable
from pathmax.arrays import Array, Mask
from pathmax.errors import SettingsError, TrialError
from pathmax.session.session import Session
from pathmax.suggestion.choices import RESOLUTION
from pathmax.trials.pareto import pareto_mask

SCENARIOS = 16
MOST_JOINTLY_MEASURED = 40  # points, those that are nearest to the bounds and to the front
MOST_NEW = 40


@final
@dataclass(frozen=True, eq=False)
class PointMoments:
    """Joint moments of every column of a scene, objectives first, at some points."""

    mean: Array  # (k, m)
    covariance: Array  # (k, m, m)
    noise: Array  # (k,)
    outcome: list[int]  # (k,) which Z moves the column
    sign: Array  # (k,)
    bounds: Array  # (J,) of the last columns

    @classmethod
    def of(cls, scene: JointPathMaxima, U: Array) -> PointMoments:  # (m, d)
        names = list(scene.scene.outcomes)
        joint = {name: scene.scene.outcomes[name].model.joint(U) for name in names}
        columns = scene.scene.columns
        return cls(
            np.stack([sign * joint[name][0] for name, sign in columns]),
            np.stack([joint[name][1] for name, _ in columns]),
            np.array([scene.scene.outcomes[name].model.noise for name, _ in columns]),
            [names.index(name) for name, _ in columns],
            np.array([sign for _, sign in columns]),
            scene.scene.bounds,
        )

    def after(self, x: int, Z: Array) -> tuple[Array, Array]:  # (s, outcomes) -> (s, k, m), (k, m)
        """Means in every scenario, and standard deviations, once point x is measured."""
        tiny = np.finfo(float).tiny
        spread = np.sqrt(np.maximum(self.covariance[:, x, x] + self.noise, tiny))
        b = self.covariance[:, :, x] / spread[:, None]
        moved = self.mean + b * (self.sign * Z[:, self.outcome])[:, :, None]
        return moved, np.sqrt(np.maximum(self.variance - b * b, 0.0))

    def sure(self, mean: Array, std: Array) -> Mask:  # (k, m), (k, m) -> (m,)
        """Which points keep every bound with a probability of 95 % each."""
        J = len(self.bounds)
        kept = mean[len(mean) - J :] - SURE_DEVIATION * std[len(std) - J :] >= self.bounds[:, None]
        return np.asarray(kept.all(axis=0))

    @property
    def variance(self) -> Array:  # (k, m)
        return np.asarray(np.einsum("kmm->km", self.covariance))

    @property
    def std(self) -> Array:  # (k, m)
        return np.sqrt(np.maximum(self.variance, 0.0))


def replicate_or_explore_jointly(session: Session, n_paths: int) -> Advice:
    """`Study.replicate_or_explore` with several outcomes."""
    scene, past = JointPathMaxima.of(session), session.history()
    if scene.unknown:
        raise TrialError(f"nothing is known of {scene.unknown[0]} yet; tell a value of it first")
    if len(scene.objectives) > MOST_OBJECTIVES:
        raise SettingsError(
            f"gains are measured by hypervolumes of 2 to {MOST_OBJECTIVES} objectives, and this "
            f"study has {len(scene.objectives)}; ask for a trial, or see study.best_probabilities()"
        )
    X = repeatable(scene.scene.domain, past.X)
    measured, new = candidate_points(scene, X, n_paths)
    U = np.concatenate([measured, new])
    points = PointMoments.of(scene, U)
    worth = worth_of(points, scene)
    rng = np.random.default_rng([session.problem.settings.seed, past.number, 4])
    half = rng.standard_normal((SCENARIOS, len(scene.scene.outcomes)))
    gains = expected_gains(points, worth, np.concatenate([half, -half]))
    again, fresh = gains[: len(measured)], gains[len(measured) :]
    replicate = not len(new) or bool(again.max() > fresh.max())
    side = np.arange(len(measured)) if replicate else np.arange(len(measured), len(gains))
    sure, objective = points.sure(points.mean, points.std)[side], points.mean[0, side]
    chosen = int(side[np.lexsort((-objective, ~sure, -gains[side]))[0]])  # of equal gains the best
    other = fresh.max(initial=0.0) if replicate else again.max()
    now = worth(points.mean, points.std)
    gain, instead = outward_gains(scene, now, float(gains[chosen]), float(other))
    unit = "of the front" if scene.several else ""
    return advised(session, U[chosen], replicate, gain, instead, unit)


def candidate_points(scene: JointPathMaxima, X: Array, n_paths: int) -> tuple[Array, Array]:
    """Measured points and new ones that may matter: (m, d), (m', d)."""
    K = len(scene.objectives)
    promised = [best_means(scene.landscape, scene.beliefs).points]
    for found in scene.draws(n_paths):
        promised.append(found.points if found.feasible else found.u[None])
    new = np.unique(np.concatenate(promised), axis=0)
    new = new[~(np.abs(new[:, None] - X[None]).max(axis=2) < RESOLUTION).any(axis=1)]
    rng = scene.scene.rng
    if len(new) > MOST_NEW:
        new = new[rng.choice(len(new), MOST_NEW, replace=False)]
    measured = np.unique(X, axis=0)
    if len(measured) > MOST_JOINTLY_MEASURED:
        means = scene.scene.means(measured)
        short = np.minimum(means[:, K:] - scene.scene.bounds, 0.0).sum(axis=1)
        order = np.argsort(-(means[:, :K].max(axis=1) + short), kind="stable")
        measured = measured[order[:MOST_JOINTLY_MEASURED]]
    return measured, new


Worth = Callable[[Array, Array], float]  # (k, m) means, (k, m) stds


def worth_of(points: PointMoments, scene: JointPathMaxima) -> Worth:
    """What recommending from some means and standard deviations is worth."""
    K = len(scene.objectives)
    if K == 1:
        nothing = float(points.mean[0].min())

        def best(mean: Array, std: Array) -> float:
            return max(nothing, float(mean[0, points.sure(mean, std)].max(initial=-np.inf)))

        return best
    reference = scene.scene.reference
    if reference is None:  # a tenth of an extent below the front of what is expected now
        front = points.mean[:K].T
        front = front[pareto_mask(front)]
        reference = front.min(axis=0) - 0.1 * extent(front)

    def volume(mean: Array, std: Array) -> float:
        return hypervolume(mean[:K, points.sure(mean, std)].T, reference)

    return volume


def expected_gains(points: PointMoments, worth: Worth, Z: Array) -> Array:  # -> (m,)
    """What a measurement at each point is expected to add."""
    now = worth(points.mean, points.std)
    gains = np.empty(points.mean.shape[1])
    for x in range(len(gains)):
        means, std = points.after(x, Z)
        gains[x] = np.mean([worth(mean, std) for mean in means]) - now
    return np.maximum(gains, 0.0)


def outward_gains(
    scene: JointPathMaxima, now: float, gain: float, other: float
) -> tuple[float, float]:
    """Gains in the user's units, or as shares of the hypervolume now.

    While no point keeps the bounds there is none, and they are shares of the larger gain.
    """
    if scene.several:
        whole = now if now > 0.0 else max(gain, other)
        return (gain / whole, other / whole) if whole > 0.0 else (0.0, 0.0)
    before, after, instead = scene.outward(np.array([[now], [now + gain], [now + other]]))[:, 0]
    return float(after - before), float(instead - before)
