"""What may be lost by stopping now, with several outcomes: draws from joint sample paths.

    one objective, bounds    max of p_0 where the paths keep the bounds, less p_0 at the best
                             measured point; infinite where the paths break a bound there
    several objectives       how far the results fall short of the paths' front, as a share:
      without a reference    the largest gap, max_y min_e max_k (y_k - e_k) / span_k: the additive
                             epsilon indicator in extents of the front (Zitzler et al., 2003)
      with a reference       the hypervolume that the results miss, of that of the front

Results count by what the same paths are worth there, and only those within the bounds of the paths:
with none of them the regret is infinite. The best measured point has the largest expected objective
of those that keep every bound with a probability of SURELY_FEASIBLE, or else the largest
probability.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from pathmax.acquisition.front_ends import worth_their_price
from pathmax.acquisition.hypervolume import MOST_OBJECTIVES, hypervolume
from pathmax.acquisition.targets import Targets, gaps_of
from pathmax.analysis.joint_path_maxima import JointPathMaxima
from pathmax.analysis.joint_predictions import feasibility
from pathmax.analysis.path_maxima import rows_in
from pathmax.analysis.regret import Regret, learnt_from
from pathmax.arguments import whole_number
from pathmax.arrays import Array
from pathmax.session.session import Session
from pathmax.suggestion.available_points import params_at
from pathmax.suggestion.beliefs import mixture
from pathmax.trials.value_transform import LARGEST_NUMBER

SURELY_FEASIBLE = 0.99
LARGE_VALUE = 1e150  # of which differences and ratios are still numbers
ONE_VALUE = 1e-3  # of the extent of results: a front that reaches less far has one value there
SHARE = "of the front"
# paths that are drawn before it is asked whether they are enough: two of each belief, or of a look
JOINT_ROUND, LOOK_ROUND = 32, 2


def joint_regret(
    session: Session,
    n_paths: int,
    *,
    rough: bool = False,
    enough: Callable[[Regret], bool] | None = None,
) -> Regret:
    """`Study.regret` with several outcomes."""
    n_paths = whole_number("n_paths", n_paths, least=1)
    scene = JointPathMaxima.of(session, rough=rough, quick=enough is not None)
    unit = SHARE if scene.several else ""
    empty = Regret(np.empty(0), {}, scene.exact, unit, rough=rough, joint=True)
    if scene.unknown:
        return replace(empty, draws=np.full(n_paths, math.inf))
    empty = replace(empty, n=learnt_from(session), rows=rows_in(scene.scene.domain))
    best = None if scene.several else best_measured(scene)
    if best is not None:
        params = params_at(session.problem.space, scene.scene.data[best], None)
        empty = replace(empty, params=params)
    draws: list[float] = []
    size = n_paths if enough is None else LOOK_ROUND if rough else JOINT_ROUND
    while True:
        drawn = scene.draws(min(size, n_paths - len(draws)))
        draws += [
            front_regret(scene, found) if best is None else regret_at(scene, found, best)
            for found in drawn
        ]
        found = replace(empty, draws=np.array(draws))
        if len(draws) == n_paths or enough is None or enough(found):
            return found


def best_measured(scene: JointPathMaxima) -> int:
    """Which result to settle for, as far as the models know."""
    data, goal = scene.scene.data, scene.objectives[0]
    probability = feasibility(scene.beliefs, data)
    mean = mixture(scene.beliefs, goal.name).predict(data).mean
    sure = np.flatnonzero(probability >= SURELY_FEASIBLE)
    if not len(sure):
        return int(np.lexsort((-mean, -probability))[0])
    return int(sure[np.argmax(mean[sure])])


def regret_at(scene: JointPathMaxima, found: Targets, best: int) -> float:
    """By how much the best point of a draw is better than a measured one."""
    if not found.feasible or not scene.known(found)[best]:
        return math.inf
    here = float(scene.outward(found.at_data[best : best + 1, :1])[0, 0])
    gap = 0.5 * float(scene.outward(found.front)[:, 0].max()) - 0.5 * here  # halves: no overflow
    return 2.0 * min(max(0.0, gap), 0.5 * LARGEST_NUMBER)


def front_regret(scene: JointPathMaxima, found: Targets) -> float:
    """By how much the results fall short of the front of a draw, as a share."""
    known = found.at_data[scene.known(found), : len(scene.objectives)]
    if not found.feasible or not len(known):
        return math.inf
    front, there = scene.outward(found.front), scene.outward(known)
    reference = scene.reference
    if reference is not None and len(reference) <= MOST_OBJECTIVES:
        both = hypervolume(np.concatenate([front, there]), reference)
        if both > 0.0:
            return max(0.0, 1.0 - hypervolume(there, reference) / both)
    return max(0.0, largest_gap(front, there))


def largest_gap(front: Array, there: Array) -> float:  # (P, K), (E, K)
    """The additive epsilon indicator, in extents of the front.

    Where a front has all but one value in an objective, in the extent of the results there.
    """
    largest = np.maximum(np.abs(front).max(axis=0), np.abs(there).max(axis=0))
    smaller = np.where(
        largest > LARGE_VALUE, 1.0 / np.maximum(largest, LARGE_VALUE), 1.0
    )  # no overflow
    front, there = front * smaller, there * smaller
    whole = np.ptp(np.concatenate([front, there]), axis=0)
    spans = np.ptp(worth_their_price(front), axis=0)
    spans = np.where(spans > ONE_VALUE * whole, spans, whole)
    return float(gaps_of(front, there, spans=np.where(spans > 0.0, spans, 1.0)).max())
