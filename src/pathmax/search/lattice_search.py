"""The search of a space with lists: moves on the lattice, gradient steps on the reals, in turn.

A few dozen searches start from the best of many looks and alternate

    climb    quasi-Newton on the real coordinates, the listed ones held
    move     the best change of one listed coordinate, or of several that help alone, for all
             searches in one call
    pairs    when no single change helps: two changes at once, of those that are the best alone

until nothing improves. Excluded points are never returned.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol, final

import numpy as np

from pathmax.arrays import Array, Index, Mask, Words
from pathmax.search.domains import Maximum, Task
from pathmax.search.lattice import Lattice, Moves
from pathmax.search.quasi_newton import ascend
from pathmax.search.regions import Region
from pathmax.search.screening import pick_apart

Pick = Callable[[Array, Array, int, Array], Index]  # which looks start: see `pick_apart`


MIXED_LOOKS = 1024


STARTS = 16  # with 6 reals and 1024 combinations 1 path of 8 is missed (benchmarks/searches.md)


TURNS = 20


POINTS_AT_ONCE = 1024  # points at a time: their kernel matrix stays in the cache


PAIRS = 2048  # pair moves of a point that are tried at a time: all of 64 binaries


class Searchable(Protocol):
    """A domain with listed coordinates: `Mixed`, and what is like it."""

    @property
    def lattice(self) -> Lattice: ...
    @property
    def region(self) -> Region: ...
    @property
    def taken(self) -> Words: ...
    def spread(self, n: int, rng: np.random.Generator) -> Array: ...
    def project(self, U: Array) -> Array: ...
    def jumped(self, U: Array, scales: Array, rng: np.random.Generator) -> Array: ...
    def settled(self, U: Array, columns: Index | None) -> tuple[Array, Mask | None]: ...
    def exchanges(self, U: Array) -> tuple[Array, Index]: ...
    def free_points(self, rng: np.random.Generator) -> Array: ...


@final
class MixedSearch:
    """One search for the maximum of one score."""

    def __init__(self, task: Task, domain: Searchable, pick: Pick = pick_apart) -> None:
        self.pick = pick
        self.score, self.rng, self.hints = task.score, task.rng, task.hints
        self.scales, self.effort, self.enough = task.scales, task.effort, task.enough
        self.share = min(1.0, task.starts / STARTS)
        self.domain, self.lattice, self.taken = domain, domain.lattice, domain.taken

    def run(self) -> Maximum:
        lattice = self.lattice
        U, unit = self.starts()
        tolerance = 1e-6 * unit
        values = self.free_values(U, self.score(U))
        active = np.arange(len(U))
        for _ in range(TURNS):
            if values.max() > self.enough:
                break
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

    def starts(self) -> tuple[Array, float]:  # -> (S, d)
        """Where to begin, and by how much scores differ."""
        looks = max(64, round(self.effort * self.share * MIXED_LOOKS))
        n = max(1, round(self.effort * self.share * STARTS))
        U = np.concatenate([self.domain.spread(looks, self.rng), self.domain.project(self.hints)])
        values = self.score.approximate(U)
        unit = float(np.max(values) - np.median(values))
        best = self.pick(U, values, n, self.scales)
        near = np.repeat(U[best], max(1, looks // (2 * len(best))), axis=0)
        near = self.domain.jumped(near, self.scales, self.rng)
        U = np.concatenate([U, near])
        values = np.concatenate([values, self.score.approximate(near)])
        _, first = np.unique(U, axis=0, return_index=True)
        U, values = U[first], values[first]
        return U[self.pick(U, values, n, self.scales)], unit

    def climb(self, U: Array, unit: float) -> tuple[Array, Array]:
        scales = np.zeros(self.lattice.dimension)
        scales[self.lattice.real] = self.scales[self.lattice.real]
        ascent = ascend(
            self.score,
            U,
            self.domain.region,
            scales=scales,
            unit=unit,
            rounds=30,
            enough=self.enough,
        )
        return ascent.U, ascent.values

    def move(
        self, U: Array, values: Array, rows: Index, tolerance: float, *, pairs: bool = False
    ) -> Mask:  # -> (len(rows),) which rows have improved
        """Take the best change that is found of each of these rows of U, if it helps."""
        here = U[rows]
        moves = self.lattice.moves(here)
        exchanged, givers = self.domain.exchanges(here)
        if not len(moves.owners) and not len(givers):
            return np.zeros(len(rows), dtype=bool)
        single, found = self.settled_looks(moves.of(here), moves.columns)
        more, owners = (
            paired(here, moves, found, round(self.effort * PAIRS))
            if pairs
            else together(here, moves, found, values[rows])
        )
        more, owners = np.concatenate([more, exchanged]), np.concatenate([owners, givers])
        more, looked = self.settled_looks(more, None)
        points, owners = np.concatenate([single, more]), np.concatenate([moves.owners, owners])
        found = np.concatenate([found, looked])
        order = np.lexsort((-found, owners))
        best = order[np.flatnonzero(np.diff(owners[order], prepend=-1))]
        owner = owners[best]
        exact = self.free_values(points[best], self.score(points[best]))
        exact = np.where(np.isneginf(found[best]), -np.inf, exact)
        gains = exact > values[rows[owner]]
        helps = exact > values[rows[owner]] + tolerance
        U[rows[owner[gains]]], values[rows[owner[gains]]] = points[best[gains]], exact[gains]
        improved = np.zeros(len(rows), dtype=bool)
        improved[owner[helps]] = True
        return improved

    def settled_looks(self, U: Array, columns: Index | None) -> tuple[Array, Array]:
        """Changed points as points of the domain, and their values; minus infinity for others."""
        U, there = self.domain.settled(U, columns)
        found = self.free_looks(U)
        return U, found if there is None else np.where(there, found, -np.inf)

    def free_looks(self, U: Array) -> Array:  # (m, d) -> (m,)
        """Approximate values, a chunk at a time, minus infinity at excluded points."""
        chunks = [
            self.score.approximate(U[i : i + POINTS_AT_ONCE])
            for i in range(0, len(U), POINTS_AT_ONCE)
        ]
        return self.free_values(U, np.concatenate([np.empty(0), *chunks]))

    def free_values(self, U: Array, values: Array) -> Array:
        """`values` with minus infinity at excluded points."""
        if not len(self.taken):
            return values
        return np.where(np.isin(self.lattice.keys(U), self.taken), -np.inf, values)

    def anywhere(self) -> Maximum:
        """The best of some random free points: everything near the good ones is taken."""
        U = self.domain.free_points(self.rng)
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
