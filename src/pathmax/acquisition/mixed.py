"""The best point of a mixed space: moves on the lattice, gradient steps on the reals, in turn.

A few dozen searches start from the best of many looks and alternate

    climb    quasi-Newton on the real coordinates, the listed ones held
    move     the best change of one listed coordinate, for all searches in one call
    pairs    when no single change helps: changes of two listed coordinates at once

until nothing improves. Points that are excluded are never brought back. Spaces without real
coordinates that are small enough to go through do not come here: see `lattice.as_grid`.
"""

from __future__ import annotations

from typing import final

import numpy as np
from numpy.typing import NDArray

from pathmax.acquisition import screening
from pathmax.acquisition.domain import Mixed, exhausted
from pathmax.acquisition.lattice import Lattice
from pathmax.acquisition.maximum import Maximum
from pathmax.acquisition.quasi_newton import ascend
from pathmax.acquisition.rules import Score
from pathmax.errors import ExhaustedError
from pathmax.gp.linalg import Array

Keys = NDArray[np.uint64]

LOOKS = 1024
STARTS = 16  # with 6 reals and 1024 combinations 10 % of paths missed in 46 ms; 32 gain nothing
TURNS = 20
PAIRS = 1024  # pair moves tried at a time


def maximize_mixed(
    score: Score,
    domain: Mixed,
    rng: np.random.Generator,
    *,
    hints: Array,
    scales: Array,
    effort: float,
) -> Maximum:
    """The best point of a mixed space that is not excluded."""
    return Search(score, domain, rng, scales, effort).run(hints)


@final
class Search:
    """One search for the maximum of one score."""

    def __init__(
        self,
        score: Score,
        domain: Mixed,
        rng: np.random.Generator,
        scales: Array,
        effort: float,
    ) -> None:
        self.score, self.rng, self.scales, self.effort = score, rng, scales, effort
        self.lattice = lattice = Lattice(domain)
        self.look = getattr(score, "approximate", score)
        self.taken = taken_keys(domain, lattice)

    def run(self, hints: Array) -> Maximum:
        lattice = self.lattice
        U, unit = self.starts(hints)
        tolerance = 1e-6 * unit
        values = self.free_values(U, self.score(U))
        active = np.arange(len(U))
        for _ in range(TURNS):
            if len(lattice.real):
                U[active], values[active] = self.climb(U[active], unit)
            before = values[active].copy()
            U[active], values[active] = self.move(U[active], values[active])
            better = values[active] > before + tolerance
            active = active[better]
            if not len(active):
                # where single changes end, two at once may help: for the most promising only
                order = np.argsort(-values, kind="stable")[: max(1, round(4 * self.effort))]
                active = np.array([i for i in order if self.paired(U, values, i, tolerance)], int)
                if not len(active):
                    break
        best = int(np.argmax(values))
        if not np.isfinite(values[best]):
            return self.anywhere()
        return Maximum(U[best].copy(), float(values[best]))

    def starts(self, hints: Array) -> tuple[Array, float]:  # -> (S, d)
        """Where to begin, and by how much scores differ."""
        lattice, looks = self.lattice, max(64, round(self.effort * LOOKS))
        n = max(1, round(self.effort * STARTS))
        points = lattice.place(screening.cube_points(looks, lattice.dimension, self.rng))
        U = np.concatenate([points, lattice.snap(hints)])
        values = self.look(U)
        unit = float(np.max(values) - np.median(values))
        best = screening.pick_apart(U, values, n, self.scales)
        near = np.repeat(U[best], max(1, looks // (2 * len(best))), axis=0)
        near = lattice.jumps(near, self.rng)
        real = lattice.real
        near[:, real] = screening.scatter(near[:, real], len(near), self.scales[real], self.rng)
        U, values = np.concatenate([U, near]), np.concatenate([values, self.look(near)])
        _, first = np.unique(U, axis=0, return_index=True)
        U, values = U[first], values[first]
        return U[screening.pick_apart(U, values, n, self.scales)], unit

    def climb(self, U: Array, unit: float) -> tuple[Array, Array]:
        scales = np.zeros(self.lattice.dimension)
        scales[self.lattice.real] = self.scales[self.lattice.real]
        ascent = ascend(self.score, U, scales=scales, unit=unit, rounds=30)
        return ascent.U, ascent.values

    def move(self, U: Array, values: Array) -> tuple[Array, Array]:
        """The best single change of each row, if it helps."""
        points, owners = self.lattice.neighbours(U)
        if not len(points):
            return U, values
        found = self.free_values(points, self.look(points))
        order = np.lexsort((-found, owners))
        firsts = np.flatnonzero(np.r_[True, np.diff(owners[order]) > 0])
        best = order[firsts]
        owner = owners[best]
        exact = self.free_values(points[best], self.score(points[best]))
        helps = exact > values[owner]
        U, values = U.copy(), values.copy()
        U[owner[helps]] = points[best[helps]]
        values[owner[helps]] = exact[helps]
        return U, values

    def paired(self, U: Array, values: Array, i: int, tolerance: float) -> bool:
        """Take the best change of two coordinates of row i, if it helps."""
        points = self.lattice.pairs(U[i], max(64, round(self.effort * PAIRS)), self.rng)
        if not len(points):
            return False
        found = self.free_values(points, self.look(points))
        best = int(np.argmax(found))
        value = float(self.free_values(points[best, None], self.score(points[best, None]))[0])
        if not value > values[i] + tolerance:
            return False
        U[i], values[i] = points[best], value
        return True

    def free_values(self, U: Array, values: Array) -> Array:
        """`values` with minus infinity at excluded points."""
        if not len(self.taken):
            return values
        return np.where(np.isin(self.lattice.keys(U), self.taken), -np.inf, values)

    def anywhere(self) -> Maximum:
        """The best of some random free points: everything near the good ones is taken."""
        U = free_points(self.lattice, self.taken, self.rng)
        values = self.score(U)
        best = int(np.argmax(values))
        return Maximum(U[best], float(values[best]))


def random_free(domain: Mixed, rng: np.random.Generator) -> Array:  # -> (d,)
    """A point of a mixed space drawn uniformly from those that are not excluded."""
    lattice = Lattice(domain)
    points = free_points(lattice, taken_keys(domain, lattice), rng)
    return np.asarray(points[0])


def taken_keys(domain: Mixed, lattice: Lattice) -> Keys:
    """The keys of the excluded points, if points can come twice at all."""
    if domain.excluded is None or not len(domain.excluded) or len(lattice.real):
        return np.empty(0, dtype=np.uint64)
    taken = np.unique(lattice.keys(domain.excluded))
    if len(taken) >= lattice.cardinality:
        raise ExhaustedError(exhausted(lattice.cardinality, "points of the space"))
    return taken


def free_points(lattice: Lattice, taken: Keys, rng: np.random.Generator) -> Array:  # -> (m, d)
    """Points drawn uniformly from those that are not taken; at least one."""
    U = lattice.place(rng.random((1024, lattice.dimension)))
    if len(taken):
        U = U[~np.isin(lattice.keys(U), taken)]
        if not len(U) and lattice.cardinality <= 64 * len(taken):  # nearly all are: list the rest
            U = lattice.enumerate()
            U = rng.permutation(U[~np.isin(lattice.keys(U), taken)])[:1024]
    return U if len(U) else free_points(lattice, taken, rng)
