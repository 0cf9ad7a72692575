"""What may be reached with several outcomes: joint sample paths, each with what it promises.

A draw has a path of every outcome. Its front, or its best point within the bounds, is a guess at
the true one, and the same paths at the points that were evaluated say what the results are worth in
that guess. Probabilities, regrets and rankings of several outcomes are shares of such draws, of
which each belief about the models' parameters (`suggestion.beliefs`) has its part. On grids and on
pools of up to `MOST_JOINT` rows paths are drawn without approximation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from pathmax.acquisition.outcome_posteriors import OutcomePosteriors
from pathmax.acquisition.targets import Targets, feasible_rows, targets_among
from pathmax.analysis import path_maxima
from pathmax.analysis.joint_predictions import with_objectives
from pathmax.arguments import whole_number
from pathmax.arrays import Array, Index, Mask
from pathmax.gp.blas_threads import small_blas
from pathmax.search.domains import FiniteDomain
from pathmax.session.session import Session
from pathmax.suggestion.beliefs import Belief
from pathmax.suggestion.landscape import Landscape
from pathmax.trials.goals import Goal

JOINT_PATHS = 100  # the front of a draw takes a twentieth to a third of a second in a box


@final
@dataclass(frozen=True, eq=False)
class JointPathMaxima:
    """The posteriors of all outcomes of a study over all of its space, without running trials.

    scene   under the most probable parameters
    views   under each belief, with its weight
    few     all points, if they are few enough to draw on them exactly
    """

    landscape: Landscape
    beliefs: tuple[Belief, ...]
    scene: OutcomePosteriors
    views: tuple[tuple[float, OutcomePosteriors], ...]
    few: FiniteDomain | None

    @classmethod
    def of(cls, session: Session, *, rough: bool = False, quick: bool = False) -> JointPathMaxima:
        """What a session knows; what is rough and what is quick is as for a `Scene`."""
        landscape = with_objectives(session)
        beliefs = (Belief(1.0, landscape),) if rough else session.beliefs()
        seed = session.problem.settings.seed
        # no trial's own key has three numbers
        rng = np.random.default_rng([seed, landscape.history.number, 2])
        domain = landscape.everything.domain.listed(path_maxima.MOST_LISTED)

        def seen(held: Landscape) -> OutcomePosteriors:
            outcomes = {name: held.settled(name) for name in held.surrogates}
            return OutcomePosteriors(outcomes, domain, rng, held.history.X, 1.0)

        scene = seen(landscape)
        views = tuple((belief.weight, seen(belief.landscape)) for belief in beliefs)
        rows = domain.rows()
        listed = rows is domain and not scene.is_gridded
        most = path_maxima.MOST_QUICK if rough or quick else path_maxima.MOST_JOINT
        most = most if listed else 0
        few = rows if rows is not None and rows.cardinality <= most else None
        return cls(landscape, beliefs, scene, views, few)

    @property
    def exact(self) -> bool:
        """Whether paths are drawn without approximation."""
        return self.few is not None or self.scene.is_gridded

    @property
    def objectives(self) -> tuple[Goal, ...]:
        return self.landscape.problem.goals.objectives

    @property
    def several(self) -> bool:
        return len(self.objectives) > 1

    @property
    def unknown(self) -> list[str]:
        """Outcomes with bounds of which nothing was measured yet."""
        bounded = self.landscape.problem.goals.constraints
        return [goal.name for goal in bounded if goal.name not in self.landscape.surrogates]

    def draws(self, n: int) -> Iterator[Targets]:
        """What n joint draws promise."""
        n = whole_number("n_paths", n, least=1)
        for scene, count in path_maxima.shares(self.views, n):
            if self.few is not None:
                yield from self._exact_draws(scene, count, self.few)
                continue
            for _ in range(count):
                with small_blas(self.landscape.history.n):
                    found = scene.draw_once()
                yield found

    def _exact_draws(
        self, scene: OutcomePosteriors, n: int, rows: FiniteDomain
    ) -> Iterator[Targets]:
        N = rows.cardinality
        points = rows.points(np.arange(N))
        at, extra = numbers_among(points, scene.data)
        where = np.concatenate([points, extra])
        batch = max(1, path_maxima.ROOM // (len(where) * len(scene.columns)))
        for start in range(0, n, batch):
            size = min(batch, n - start)
            held = {name: o.model.sample(where, scene.rng, size) for name, o in
                    scene.outcomes.items()}  # fmt: skip
            for i in range(size):
                values = np.stack([sign * held[name][i] for name, sign in scene.columns], axis=1)
                yield targets_among(
                    values[:N], rows.points, values[at], scene.bounds, scene.rng,
                    reference=scene.reference,
                )  # fmt: skip

    def known(self, found: Targets) -> Mask:  # -> (n,)
        """Which evaluated points are within the bounds of a draw."""
        return feasible_rows(found.at_data, self.scene.bounds)

    def outward(self, values: Array) -> Array:  # (m, K) -> (m, K)
        """Objectives in the user's units, flipped so that larger is better."""
        columns = []
        for goal, column in zip(self.objectives, values.T, strict=True):
            transform = self.landscape.surrogates[goal.name].transform
            columns.append(goal.sign * transform.outward(column))
        return np.stack(columns, axis=1)

    @property
    def reference(self) -> Array | None:  # (K,)
        """The user's reference point in the same units, if there is one for every objective."""
        points = [goal.reference for goal in self.objectives]
        if not self.several or any(point is None for point in points):
            return None
        return np.array([g.sign * float(g.reference or 0.0) for g in self.objectives])


def numbers_among(points: Array, data: Array) -> tuple[Index, Array]:  # (N, d), (n, d)
    """Where the data are among the points; those that are not there are numbered from N on."""
    places = {row.tobytes(): i for i, row in enumerate(points)}
    extra: list[Array] = []
    numbers: list[int] = []
    for row in data:
        if row.tobytes() not in places:
            places[row.tobytes()] = len(points) + len(extra)
            extra.append(row)
        numbers.append(places[row.tobytes()])
    return np.array(numbers, dtype=np.intp), np.array(extra).reshape(-1, points.shape[1])
