"""The listed coordinates of a mixed space: whole numbers and categories as positions in lists.

A point is a row of U; on a listed axis its coordinate is one of the axis' values, and its position
there is the number of that value. Moves go from one lattice point to another, so nothing is ever
rounded: a whole number steps to its neighbours near and far, a category changes to any other.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from pathmax.acquisition.domain import GridDomain, Index, Mixed
from pathmax.gp.linalg import Array

# Points up to which a space without real coordinates is gone through, every point of it: the only
# sure way where categories make a path rugged. 100,000 points take about 0.2 s with 100
# observations; the search of `mixed` takes 0.05 s, but misses the maximum of one path in two there.
ENUMERATED = 100_000

SHORT = 24  # a list up to this long is tried whole; of a longer one neighbours at 1, 2, 4, ...


def as_grid(domain: Mixed) -> GridDomain | None:
    """A mixed space as a grid, when it has no real coordinates and few enough points."""
    size = domain.cardinality
    if size is None or size > ENUMERATED:
        return None
    lattice = Lattice(domain)
    taken = domain.excluded
    excluded = None if taken is None else lattice.numbers(taken).tolist()
    return GridDomain(lattice.values, excluded)


@final
class Lattice:
    """The axes of a mixed space that have a list of values."""

    def __init__(self, domain: Mixed) -> None:
        listed = [i for i, axis in enumerate(domain.axes) if axis.values is not None]
        self.dimension = domain.dimension
        self.columns = np.array(listed, dtype=np.intp)
        self.values = [np.asarray(domain.axes[i].values, dtype=float) for i in listed]
        self.ordered = [domain.axes[i].kind != "categorical" for i in listed]
        self.sizes = [len(v) for v in self.values]
        self.real = np.setdiff1d(np.arange(self.dimension), self.columns)

    @property
    def cardinality(self) -> int:
        return math.prod(self.sizes)

    def place(self, uniform: Array) -> Array:  # (m, d) -> (m, d)
        """Numbers uniform on [0, 1) as points: every value of a list gets its share."""
        U = uniform.copy()
        for column, values in zip(self.columns, self.values, strict=True):
            U[:, column] = values[(uniform[:, column] * len(values)).astype(np.intp)]
        return U

    def numbers(self, U: Array) -> Index:  # (m, d) -> (m,)
        """The number of each lattice point in C order."""
        return np.asarray(np.ravel_multi_index(tuple(self.positions(U).T), self.sizes))

    def enumerate(self) -> Array:  # -> (cardinality, d); real coordinates are 0
        """All lattice points."""
        U = np.zeros((self.cardinality, self.dimension))
        places = np.unravel_index(np.arange(len(U)), self.sizes)
        for column, values, place in zip(self.columns, self.values, places, strict=True):
            U[:, column] = values[place]
        return U

    def positions(self, U: Array) -> Index:  # (m, d) -> (m, L)
        """The number of each listed coordinate in its list; that of the nearest value."""
        columns = []
        for column, values in zip(self.columns, self.values, strict=True):
            middles = 0.5 * (values[1:] + values[:-1])
            columns.append(np.searchsorted(middles, U[:, column]))
        return np.stack(columns, axis=1)

    def snap(self, U: Array) -> Array:  # (m, d) -> (m, d)
        """The same points, to the last bit on the lattice (data come through encoders)."""
        U = U.copy()
        places = self.positions(U)
        for i, (column, values) in enumerate(zip(self.columns, self.values, strict=True)):
            U[:, column] = values[places[:, i]]
        return U

    @cached_property
    def _weights(self) -> NDArray[np.uint64]:
        generator = np.random.default_rng(0)
        return generator.integers(1, 2**63, len(self.sizes), dtype=np.uint64) | np.uint64(1)

    def keys(self, U: Array) -> NDArray[np.uint64]:  # (m, d) -> (m,)
        """A number for each lattice point, different for different points (but for 1 in 2^60)."""
        return np.asarray(self.positions(U).astype(np.uint64) @ self._weights)

    @cached_property
    def moves(self) -> tuple[tuple[Index, Index], ...]:
        """For each axis and each position the positions it may move to, (k, r), and which exist."""
        tables = []
        for size, ordered in zip(self.sizes, self.ordered, strict=True):
            if size <= SHORT or not ordered:
                shifts = np.arange(1, size)
                targets = (np.arange(size)[:, None] + shifts) % size
                tables.append((targets, np.ones_like(targets, dtype=bool)))
            else:
                powers = 2 ** np.arange(int(math.log2(size)) + 1)
                targets = np.arange(size)[:, None] + np.concatenate([powers, -powers])
                exists = (targets >= 0) & (targets < size)
                tables.append((np.clip(targets, 0, size - 1), exists))
        return tuple(tables)

    def neighbours(self, U: Array) -> tuple[Array, Index]:  # (S, d) -> (m, d), (m,)
        """All points one move away from each row, and the row that each belongs to."""
        places = self.positions(U)
        points, owners = [], []
        for i, (targets, exists) in enumerate(self.moves):
            reached, there = targets[places[:, i]], exists[places[:, i]]  # (S, r)
            owner, which = np.nonzero(there)
            moved = U[owner]
            moved[:, self.columns[i]] = self.values[i][reached[owner, which]]
            points.append(moved)
            owners.append(owner)
        return np.concatenate(points), np.concatenate(owners)

    def pairs(self, u: Array, most: int, rng: np.random.Generator) -> Array:  # (d,) -> (m, d)
        """Points two moves away, on different axes; at most `most` of them, drawn at random."""
        place = self.positions(u[None])[0]
        choices = [
            targets[p][exists[p]] for (targets, exists), p in zip(self.moves, place, strict=True)
        ]
        sizes = np.array([len(c) for c in choices])
        first, second = np.triu_indices(len(choices), 1)
        counts = sizes[first] * sizes[second]
        ends = np.cumsum(counts)
        total = int(ends[-1]) if len(ends) else 0
        drawn = np.arange(total) if total <= most else rng.choice(total, most, replace=False)
        pair = np.searchsorted(ends, drawn, side="right")
        within = drawn - (ends[pair] - counts[pair])
        U = np.repeat(u[None], len(drawn), axis=0)
        for end, which in ((first, within // np.maximum(sizes[second[pair]], 1)), (second, within)):
            for i in range(len(choices)):
                rows = np.flatnonzero(end[pair] == i)
                if len(rows):
                    at = which[rows] % sizes[i] if end is second else which[rows]
                    U[rows, self.columns[i]] = self.values[i][choices[i][at]]
        return U

    def jumps(self, U: Array, rng: np.random.Generator) -> Array:  # (m, d) -> (m, d)
        """Each row with one to three of its listed coordinates moved at random."""
        U = U.copy()
        places = self.positions(U)
        moving = rng.random(places.shape) < min(1.0, 2.0 / places.shape[1])
        for i, (targets, exists) in enumerate(self.moves):
            rows = np.flatnonzero(moving[:, i])
            if targets.shape[1] and len(rows):
                which = rng.integers(0, targets.shape[1], len(rows))
                at = places[rows, i]
                to = np.where(exists[at, which], targets[at, which], at)
                U[rows, self.columns[i]] = self.values[i][to]
        return U
