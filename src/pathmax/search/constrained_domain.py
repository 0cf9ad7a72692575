"""Boxes and mixed spaces within known constraints, and their search.

Screening goes through points that obey (`random_walks`), ascents climb inside (`feasible_region`),
and changes of choices, whole numbers and components are repaired or refused. What is returned
obeys.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import final

import numpy as np

from pathmax.arrays import Array, Index, Mask, Words
from pathmax.errors import ExhaustedError
from pathmax.search.box import climb
from pathmax.search.domains import Domain, Maximum, Task
from pathmax.search.feasible_region import FeasibleRegion
from pathmax.search.lattice import AxisLike, Lattice
from pathmax.search.lattice_search import MixedSearch, Pick
from pathmax.search.random_walks import known_points, spread, walk
from pathmax.search.scores import Score
from pathmax.search.screening import pick_apart
from pathmax.space.constraint_parts import Limits

RANDOM = 30  # steps of a walk to a random point


@final
@dataclass(frozen=True, eq=False)
class Constrained(Domain):
    """The points of a mixed space that obey known constraints. `excluded` as in `Mixed`."""

    axes: Sequence[AxisLike]
    limits: Limits
    excluded: Array | None = field(default=None, repr=False)

    @property
    def dimension(self) -> int:
        return len(self.axes)

    @property
    def cardinality(self) -> None:
        """None: they are not counted."""
        return None

    @cached_property
    def region(self) -> FeasibleRegion:
        """Where ascents can go."""
        return FeasibleRegion(self.axes, self.limits, spread, lambda on: known_points(on).points)

    @property
    def is_slice(self) -> bool:
        return self.lattice.is_slice

    @property
    def varying(self) -> int:
        equations = self.region.clauses.equations
        return max(0, self.lattice.varying + len(self.lattice.real) - equations)

    @property
    def is_real(self) -> bool:
        return not self.lattice.varying and not self.limits.sparse

    @property
    def lattice(self) -> Lattice:
        """The coordinates that are lists."""
        return self.region.lattice

    @cached_property
    def taken(self) -> Words:
        """The keys of the excluded points, if points can come twice at all."""
        if self.excluded is None or not len(self.excluded) or len(self.lattice.real):
            return np.empty(0, dtype=np.uint64)
        return np.unique(self.lattice.keys(self.excluded))

    def random(self, rng: np.random.Generator) -> tuple[Array, None]:
        return self.free_points(rng)[0], None

    def free_points(self, rng: np.random.Generator) -> Array:  # -> (m, d)
        """Points drawn from those that are not taken; at least one."""
        known = known_points(self.region).points
        for _ in range(10):
            start = known[rng.integers(len(known), size=32)]
            U = walk(self.region, start, RANDOM, rng, known)
            if len(self.taken):
                U = U[~np.isin(self.lattice.keys(U), self.taken)]
            if len(U):
                return U
        raise ExhaustedError(
            "no further params that obey the known constraints were found: those that do have been "
            "tried or are running; loosen a constraint, or allow replicates"
        )

    def spread(self, n: int, rng: np.random.Generator) -> Array:  # -> (n, d)
        return self.region.spread(n, rng)

    def project(self, U: Array) -> Array:  # (m, d) -> (m, d)
        V, good = self.region.repair(U)
        if not good.all():
            known = known_points(self.region).points
            for i in np.flatnonzero(~good):
                V[i] = known[int(np.argmin(np.square(known - U[i]).sum(axis=1)))]
        return V

    def beside(self, U: Array, V: Array) -> Array:  # (m, d), (m, d) -> (m, d)
        at, real = U, self.lattice.real
        if len(self.lattice.columns):
            listed = V.copy()
            listed[:, real] = U[:, real]
            listed, good = self.region.repair(listed, tries=1)
            at = np.where(good[:, None], listed, U)
        step = np.zeros_like(U)
        step[:, real] = V[:, real] - U[:, real]
        return self.region.beside(at, step)

    def whole(self) -> Constrained:
        return replace(self, excluded=None)

    def search(self, task: Task) -> Maximum:
        return self.explore(task)

    def explore(self, task: Task, pick: Pick = pick_apart) -> Maximum:
        """Search from starts that `pick` takes from many looks."""
        opaque = self.limits.opaque  # ascents keep all that the clauses say
        fenced = replace(task, score=Fenced(task.score, self.limits)) if opaque else task
        if len(self.lattice.columns) or self.limits.sparse:
            found = MixedSearch(fenced, self, pick).run()
        else:
            found = climb(fenced, self.region)
        return self.verified(found, task)

    def verified(self, found: Maximum, task: Task) -> Maximum:
        """What was found, or the nearest point that obeys: rounding may matter at the very edge."""
        if self.limits.holds(found.u[None])[0]:
            return found
        u = self.project(found.u[None])[0]
        return Maximum(u, float(task.score(u[None])[0]))

    def jumped(self, U: Array, scales: Array, rng: np.random.Generator) -> Array:
        """Points about some: (m, d), (d,) -> (m, d)."""
        near, real = self.lattice.jumps(U, rng), self.lattice.real
        near, good = self.region.repair(near, rng, tries=1)
        near = np.where(good[:, None], near, U)
        return self.region.neighbours(
            near, len(near), scales * np.isin(range(U.shape[1]), real), rng
        )

    def settled(self, U: Array, columns: Index | None) -> tuple[Array, Mask | None]:
        """Changed points, repaired where their changed coordinate can stay, and which obey."""
        if columns is None:
            return U, self.limits.holds(U)
        return self.region.repair(U, keep=columns, tries=1)

    def exchanges(self, U: Array) -> tuple[Array, Index]:  # (S, d) -> (k, d), (k,)
        """Each present component of a sparse mixture for each absent one, and whose point it is."""
        points, owners = [U[:0]], [np.empty(0, dtype=np.intp)]
        for columns, most in self.limits.sparse:
            group = np.array(columns, dtype=np.intp)
            for i, u in enumerate(U):
                present, absent = group[u[group] > 0.0], group[u[group] <= 0.0]
                give, take = (part.reshape(-1) for part in np.meshgrid(present, absent))
                rows = np.arange(len(give))
                V = np.repeat(u[None], len(give), axis=0)
                V[rows, take], V[rows, give] = u[give], 0.0
                points.append(V)
                owners.append(np.full(len(V), i))
                if len(present) < most:  # halves, so that another one is present
                    V = np.repeat(u[None], len(give), axis=0)
                    V[rows, take] = V[rows, give] = 0.5 * u[give]
                    points.append(V)
                    owners.append(np.full(len(V), i))
        return self.region.repair(np.concatenate(points), tries=1)[0], np.concatenate(owners)


@final
class Fenced(Score):
    """A score that is minus infinity where known constraints do not hold."""

    def __init__(self, score: Score, limits: Limits) -> None:
        self.score, self.limits = score, limits

    def __call__(self, U: Array) -> Array:  # (m, d) -> (m,)
        return np.where(self.limits.holds(U), self.score(U), -np.inf)

    def approximate(self, U: Array) -> Array:  # (m, d) -> (m,)
        return np.where(self.limits.holds(U), self.score.approximate(U), -np.inf)

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:  # -> (m,), (m, d)
        value, gradient = self.score.value_and_gradient(U)
        return np.where(self.limits.holds(U), value, -np.inf), gradient
