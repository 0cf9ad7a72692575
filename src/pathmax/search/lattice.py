"""The listed coordinates of a mixed space: whole numbers and categories as positions in lists.

A point is a row of U; on a listed axis its coordinate is one of the axis' values, and its position
there is the number of that value. Moves go from one lattice point to another, so nothing is ever
rounded: a whole number steps to its neighbours near and far, a category changes to any other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, Protocol, final

import numpy as np
from numpy.typing import NDArray

from pathmax.arrays import Array, Index, Mask

SHORT_LIST = 24  # a list up to this long is tried whole; of a longer one neighbours at 1, 2, 4, ...
# Choices, up to which each may move to all others: 2048 take 38 MB, 100,000 would take 84 GB. Of a
# longer list each moves by powers of two, and the others are reached from there and by jumps.
LONG_LIST = 2048


class AxisLike(Protocol):
    """One coordinate of a mixed space: `space.Axis`."""

    @property
    def kind(self) -> Literal["float", "int", "categorical"]: ...
    @property
    def values(self) -> Array | None: ...  # None: any number of an interval


@final
@dataclass(frozen=True, eq=False)
class ListedAxis:
    """A coordinate with an ascending list of values."""

    values: Array | None
    kind: Literal["float", "int", "categorical"] = "int"


class Alike(NamedTuple):
    """Axes with the same list of values, which are handled in one go."""

    members: Index  # (g,) which of the listed axes
    columns: Index  # (g,) their columns of U
    values: Array  # (k,)
    middles: Array  # (k - 1,) between the values
    targets: Index  # (k, r) for each position the positions that it may move to,
    exists: Mask  # (k, r) and which of these there are


class Moves(NamedTuple):
    """Single changes of some points."""

    owners: Index  # (m,) which point, ascending
    columns: Index  # (m,) which coordinate of it
    values: Array  # (m,) its new value

    def of(self, U: Array) -> Array:  # (S, d) -> (m, d)
        """The changed points."""
        points: Array = U[self.owners]
        points[np.arange(len(points)), self.columns] = self.values
        return points


@final
class Lattice:
    """The axes of a mixed space that have a list of values."""

    def __init__(self, axes: Sequence[AxisLike]) -> None:
        listed = [i for i, axis in enumerate(axes) if axis.values is not None]
        self.dimension = len(axes)
        self.columns = np.array(listed, dtype=np.intp)
        self.values = [np.asarray(axes[i].values, dtype=float) for i in listed]
        self.ordered = [axes[i].kind != "categorical" for i in listed]
        self.sizes = [len(v) for v in self.values]
        self.real = np.setdiff1d(np.arange(self.dimension), self.columns)

    @property
    def cardinality(self) -> int:
        return math.prod(self.sizes)

    @property
    def varying(self) -> int:
        """How many lists have more than one value."""
        return sum(size > 1 for size in self.sizes)

    @property
    def is_slice(self) -> bool:
        """Whether a list has one value only."""
        return 1 in self.sizes

    @cached_property
    def alike(self) -> tuple[Alike, ...]:
        groups: dict[tuple[bool, bytes], list[int]] = {}
        for i, (ordered, values) in enumerate(zip(self.ordered, self.values, strict=True)):
            groups.setdefault((ordered, values.tobytes()), []).append(i)
        found = []
        for (ordered, _), members in groups.items():
            values = self.values[members[0]]
            middles = 0.5 * (values[1:] + values[:-1])
            which = np.array(members, dtype=np.intp)
            moves = steps(len(values), ordered)
            found.append(Alike(which, self.columns[which], values, middles, *moves))
        return tuple(found)

    def place(self, uniform: Array) -> Array:  # (m, d) -> (m, d)
        """Numbers uniform on [0, 1) as points: every value of a list gets its share."""
        U = uniform.copy()
        for axes in self.alike:
            place = (uniform[:, axes.columns] * len(axes.values)).astype(np.intp)
            U[:, axes.columns] = axes.values[place]
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
        places = np.empty((len(U), len(self.columns)), dtype=np.intp)
        for axes in self.alike:
            places[:, axes.members] = np.searchsorted(axes.middles, U[:, axes.columns])
        return places

    def snap(self, U: Array) -> Array:  # (m, d) -> (m, d)
        """The same points, to the last bit on the lattice (data come through encoders)."""
        U = U.copy()
        for axes in self.alike:
            U[:, axes.columns] = axes.values[np.searchsorted(axes.middles, U[:, axes.columns])]
        return U

    @cached_property
    def _weights(self) -> NDArray[np.uint64]:
        generator = np.random.default_rng(0)
        return generator.integers(1, 2**63, len(self.sizes), dtype=np.uint64) | np.uint64(1)

    def keys(self, U: Array) -> NDArray[np.uint64]:  # (m, d) -> (m,)
        """A number for each lattice point, different for different points (but for 1 in 2^60)."""
        return np.asarray(self.positions(U).astype(np.uint64) @ self._weights)

    def moves(self, U: Array) -> Moves:  # (S, d) -> m of them
        """All moves of one listed coordinate of each row."""
        if not len(self.columns):
            none = np.empty(0, dtype=np.intp)
            return Moves(none, none, np.empty(0))
        parts = []
        for axes in self.alike:
            places = np.searchsorted(axes.middles, U[:, axes.columns])  # (S, g)
            owner, member, which = np.nonzero(axes.exists[places])
            value = axes.values[axes.targets[places[owner, member], which]]
            parts.append((owner, axes.columns[member], value))
        owners, columns, values = (np.concatenate(part) for part in zip(*parts, strict=True))
        order = np.lexsort((columns, owners))
        return Moves(owners[order], columns[order], values[order])

    def jumps(self, U: Array, rng: np.random.Generator) -> Array:  # (m, d) -> (m, d)
        """Each row with some of its listed coordinates moved at random: about two, maybe none."""
        U = U.copy()
        for axes in self.alike:
            moving = rng.random((len(U), len(axes.columns))) < min(1.0, 2.0 / len(self.columns))
            row, member = np.nonzero(moving)
            if axes.targets.shape[1] and len(row):
                column = axes.columns[member]
                at = np.searchsorted(axes.middles, U[row, column])
                which = rng.integers(0, axes.targets.shape[1], len(row))
                to = np.where(axes.exists[at, which], axes.targets[at, which], at)
                U[row, column] = axes.values[to]
        return U


def steps(size: int, ordered: bool) -> tuple[Index, Mask]:  # -> (k, r), (k, r)
    """For each position of a list the positions that it may move to, and which exist."""
    powers = 2 ** np.arange(int(math.log2(size)) + 1)
    if size <= SHORT_LIST or not ordered:
        offsets = (
            np.arange(1, size) if size <= LONG_LIST else np.concatenate([powers[:-1], -powers[:-1]])
        )
        targets = (np.arange(size)[:, None] + offsets) % size
        return targets, np.ones_like(targets, dtype=bool)
    targets = np.arange(size)[:, None] + np.concatenate([powers, -powers])
    exists = (targets >= 0) & (targets < size)
    return np.clip(targets, 0, size - 1), exists
