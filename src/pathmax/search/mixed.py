"""The best point of a mixed space: moves on the lattice, gradient steps on the reals, in turn.

A few dozen searches start from the best of many looks and alternate

    climb    quasi-Newton on the real coordinates, the listed ones held
    move     the best change of one listed coordinate, or of several that help alone, for all
             searches in one call
    pairs    when no single change helps: two changes at once, of those that are the best alone

until nothing improves. Points that are excluded are never brought back. Spaces without real
coordinates that are small enough to go through do not come here: see `lattice.as_grid`.
"""

from __future__ import annotations

import math
from typing import final

import numpy as np
from numpy.typing import NDArray

from pathmax.arrays import Array, Index, Mask
from pathmax.errors import ExhaustedError
from pathmax.search import screening
from pathmax.search.domains import Maximum, Mixed, exhausted
from pathmax.search.lattice import Lattice, Moves
from pathmax.search.quasi_newton import ascend
from pathmax.search.scores import Score

Keys = NDArray[np.uint64]

LOOKS = 1024
STARTS = 16  # with 6 reals and 1024 combinations 1 path of 8 missed (20 times the effort) in 55 ms
TURNS = 20
CHUNK = 1024  # points at a time: their kernel matrix stays in the cache
PAIRS = 2048  # pair moves of a point that are tried at a time: all of 64 binaries
# Measured with 50 observations: paths on 64 binaries end 0.05 prior standard deviations below a
# search of 6 times the effort (mean of 5), as 4 of the 5 fall short; on 12 categories of 5 none of
# 5 does, and PIMS misses on neither.


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
            active = active[self.move(U, values, active, tolerance)]
            if not len(active):
                # where single changes end, two at once may help: for the most promising only
                active = np.argsort(-values, kind="stable")[: max(1, round(4 * self.effort))]
                active = active[self.move(U, values, active, tolerance, pairs=True)]
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

    def move(
        self, U: Array, values: Array, rows: Index, tolerance: float, *, pairs: bool = False
    ) -> Mask:  # -> (len(rows),) which rows have improved
        """Take the best change that is found of each of these rows of U, if it helps."""
        here = U[rows]
        moves = self.lattice.moves(here)
        if not len(moves.owners):
            return np.zeros(len(rows), dtype=bool)
        single = moves.of(here)
        found = self.free_looks(single)
        more, owners = (
            paired(here, moves, found, round(self.effort * PAIRS))
            if pairs
            else together(here, moves, found, values[rows])
        )
        points, owners = np.concatenate([single, more]), np.concatenate([moves.owners, owners])
        found = np.concatenate([found, self.free_looks(more)])
        order = np.lexsort((-found, owners))
        best = order[np.flatnonzero(np.diff(owners[order], prepend=-1))]
        owner = owners[best]
        exact = self.free_values(points[best], self.score(points[best]))
        gains = exact > values[rows[owner]]
        helps = exact > values[rows[owner]] + tolerance
        U[rows[owner[gains]]], values[rows[owner[gains]]] = points[best[gains]], exact[gains]
        improved = np.zeros(len(rows), dtype=bool)
        improved[owner[helps]] = True
        return improved

    def free_looks(self, U: Array) -> Array:  # (m, d) -> (m,)
        """Approximate values, a chunk at a time, minus infinity at excluded points."""
        chunks = [self.look(U[i : i + CHUNK]) for i in range(0, len(U), CHUNK)]
        return self.free_values(U, np.concatenate([np.empty(0), *chunks]))

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


def together(U: Array, moves: Moves, found: Array, values: Array) -> tuple[Array, Index]:
    """Points with the 2, 4, 8, ... best moves of each row made at once, and their rows.

    Only moves that help alone, the best of each coordinate: (S, d), m moves with their values (m,),
    (S,) -> (k, d), (k,). Where coordinates hardly interact, one turn does the work of many.
    """
    order = np.lexsort((-found, moves.columns, moves.owners))
    key = moves.owners[order] * U.shape[1] + moves.columns[order]
    order = order[np.flatnonzero(np.diff(key, prepend=-1))]  # the best of each coordinate
    order = order[found[order] > values[moves.owners[order]]]
    order = order[np.lexsort((-found[order], moves.owners[order]))]
    owners = moves.owners[order]
    rank = np.arange(len(order)) - np.searchsorted(owners, owners)
    counts = np.bincount(owners, minlength=len(U))
    points, whose = [U[:0]], [owners[:0]]
    size = 2
    while size < 2 * counts.max(initial=0):
        made = order[rank < size]
        changed = U.copy()
        changed[moves.owners[made], moves.columns[made]] = moves.values[made]
        which = np.flatnonzero(2 * counts > size)
        points.append(changed[which])
        whose.append(which)
        size *= 2
    return np.concatenate(points), np.concatenate(whose)


def paired(U: Array, moves: Moves, found: Array, most: int) -> tuple[Array, Index]:
    """Points with two moves made at once, on different coordinates, and their rows.

    Of those moves of a row that are the best alone, as many as make at most `most` pairs:
    (S, d), m moves with their values (m,) -> (k, d), (k,).
    """
    few = max(2, math.isqrt(2 * most))
    points, whose = [], []
    for i, u in enumerate(U):
        mine = np.flatnonzero(moves.owners == i)
        mine = mine[np.argsort(-found[mine], kind="stable")[:few]]
        columns = moves.columns[mine]
        first, second = np.nonzero(np.triu(columns[:, None] != columns, 1))
        changed = np.repeat(u[None], len(first), axis=0)
        rows = np.arange(len(first))
        changed[rows, columns[first]] = moves.values[mine[first]]
        changed[rows, columns[second]] = moves.values[mine[second]]
        points.append(changed)
        whose.append(np.full(len(first), i))
    return np.concatenate(points), np.concatenate(whose)


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
