"""What a study with several outcomes knows: how probably bounds are kept, what to recommend.

A recommendation is the best expected objective, or the front of expected objectives, among the
points where every bound holds with a probability of 95 % each; where there is no such point, with
one half; and else the point that comes nearest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from pathmax.acquisition import normal
from pathmax.acquisition.joint_optima import promise
from pathmax.acquisition.mirror_images import Mirrored
from pathmax.acquisition.outcome_posteriors import OutcomePosteriors
from pathmax.acquisition.scores import PosteriorScore
from pathmax.acquisition.targets import Targets
from pathmax.acquisition.ucb import UpperConfidence
from pathmax.analysis.asked_points import encoded
from pathmax.arrays import Array, Index
from pathmax.errors import TrialError
from pathmax.scalars import Scalar
from pathmax.session.session import Session
from pathmax.suggestion.beliefs import Belief, mixture
from pathmax.suggestion.landscape import Landscape, bounds_inward
from pathmax.trials.goals import Goal

SURE_DEVIATION = 1.6448536269514722  # the standard normal is below it with probability 0.95
MOST_RECOMMENDED = 20  # points that stand for a front


def feasibility_of(session: Session, params: Sequence[Mapping[str, object]]) -> Array:
    """The probability that every bound is kept, for each of the params."""
    return feasibility(session.beliefs(), encoded(session, params))


def feasibility(beliefs: Sequence[Belief], U: Array) -> Array:  # (m, d) -> (m,)
    """The probability that every bound is kept, outcomes being independent."""
    landscape, probability = beliefs[0].landscape, np.ones(len(U))
    for goal in landscape.problem.goals.constraints:
        check_known(landscape, goal)
        low, high = bounds_inward(landscape.surrogates[goal.name], goal)
        inside = np.zeros(len(U))
        for weight, seen in beliefs:
            mean, std = seen.model(goal.name).predict(U)
            inside += weight * np.exp(within(mean, std, low, high))
        probability *= inside
    return probability


def within(mean: Array, std: Array, low: float, high: float) -> Array:
    """The logarithm of the probability that a normal value is between two bounds."""
    above = normal.z_score(mean - low, std) if math.isfinite(low) else np.full_like(mean, np.inf)
    below = normal.z_score(high - mean, std) if math.isfinite(high) else np.full_like(mean, np.inf)
    near, far = np.minimum(above, below), np.maximum(above, below)  # of the bounds in deviations
    # log(Phi(near) - Phi(-far)): both in the lower tail where the mean is outside
    log_near, log_beyond = normal.log_cdf(near), normal.log_cdf(-far)
    with np.errstate(divide="ignore"):
        return np.asarray(log_near + np.log1p(-np.exp(np.minimum(log_beyond - log_near, 0.0))))


def recommend_jointly(session: Session) -> dict[str, Scalar]:
    """The params with the best expected objective that keep every bound, as far as is known."""
    landscape = with_all_outcomes(session)
    found = best_means(landscape, session.beliefs())
    return landscape.everything.settle(found.u, found.index, _rng(landscape))


def recommend_front(session: Session) -> list[dict[str, Scalar]]:
    """Params that stand for the best front of expected objectives, far from each other."""
    landscape = with_all_outcomes(session)
    found = best_means(landscape, session.beliefs())
    everything, rng = landscape.everything, _rng(landscape)
    if not found.feasible:
        return [everything.settle(found.u, found.index, rng)]
    rows = spread_out(found.front, MOST_RECOMMENDED)
    some = [everything.settle(found.points[row], None, rng) for row in rows]
    return [params for i, params in enumerate(some) if params not in some[:i]]


def with_objectives(session: Session) -> Landscape:
    """The landscape of a study of which every objective was measured."""
    landscape = session.landscape()
    for goal in session.problem.goals.objectives:
        if goal.name not in landscape.surrogates:
            raise TrialError(f"no trial has a value of {goal.name} yet; tell one first")
    return landscape


def with_all_outcomes(session: Session) -> Landscape:
    """The same where something is known of every bounded outcome too: what else keeps a bound?"""
    landscape = with_objectives(session)
    for goal in session.problem.goals.constraints:
        check_known(landscape, goal)
    return landscape


def check_known(landscape: Landscape, goal: Goal) -> None:
    """Refuse to speak of a bound where nothing was measured of its outcome."""
    if goal.name not in landscape.surrogates:
        raise TrialError(f"nothing is known of {goal.name} yet; tell a value of it first")


def _rng(landscape: Landscape) -> np.random.Generator:
    return np.random.default_rng([landscape.problem.settings.seed, landscape.history.number, 3])


def best_means(landscape: Landscape, beliefs: Sequence[Belief]) -> Targets:
    """The best expected objectives over the points that keep every bound, more or less surely.

    How surely is a matter of all beliefs: a bound that only the most probable parameters keep is
    not kept.
    """
    seed = landscape.problem.settings.seed
    rng = np.random.default_rng([seed, landscape.history.number])
    outcomes = {name: landscape.settled(name) for name in landscape.surrogates}
    domain = landscape.everything.domain
    scene = OutcomePosteriors(outcomes, domain, rng, landscape.history.X, 1.0)
    k = len(scene.objectives)
    held = [(mixture(beliefs, name), sign) for name, sign in scene.columns[k:]]
    mixed = [model if sign > 0 else Mirrored(model) for model, sign in held]
    for width in (SURE_DEVIATION, 0.0):
        scores = [PosteriorScore(model, UpperConfidence(0.0)) for model in scene.models[:k]]
        bounded = [PosteriorScore(model, UpperConfidence(-width)) for model in mixed]
        found = promise(
            scores, bounded, scene.rows, scene.data, rng,
            bounds=scene.bounds, reference=scene.reference, scales=scene.scales,
        )  # fmt: skip
        if found.feasible:
            break
    return found


def spread_out(front: Array, most: int) -> Sequence[int] | Index:  # (P, K)
    """At most so many rows of a front, far from each other, in order of the first objective."""
    if len(front) > most:
        q = front / np.maximum(np.ptp(front, axis=0), np.finfo(float).tiny)
        chosen = [int(np.argmax(q[:, 0]))]
        nearest = np.abs(q - q[chosen[0]]).max(axis=1)
        while len(chosen) < most:
            chosen.append(int(np.argmax(nearest)))
            nearest = np.minimum(nearest, np.abs(q - q[chosen[-1]]).max(axis=1))
        rows = np.array(chosen)
    else:
        rows = np.arange(len(front))
    return rows[np.argsort(-front[rows, 0], kind="stable")]
