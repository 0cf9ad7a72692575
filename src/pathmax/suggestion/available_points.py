"""What may be suggested next: the space, pool or grid less what was tried or is running.

    InSpace   any point of the cube, or of its lattice; never within RESOLUTION of another trial
    InKnownSpace   the same within known constraints
    InPool    any free row
    InGrid    any free point

This is where the three meet: `domain` hands the acquisition the set to search, `start` gives the
points before there is a model, and `settle` turns a point into what the user reads.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import final
from weakref import WeakKeyDictionary

import numpy as np

from pathmax.acquisition import Box, Domain, GridDomain, Pool
from pathmax.arrays import Array, Index
from pathmax.errors import ExhaustedError, SpaceError
from pathmax.scalars import Scalar, describe
from pathmax.search.conditional import Conditional
from pathmax.search.constrained import Constrained
from pathmax.search.feasibility import conflict
from pathmax.search.mixed import ENUMERATED, LONGEST_AXIS, Mixed
from pathmax.search.sobol import latin_hypercube
from pathmax.space.any_space import AnySpace
from pathmax.space.candidates import Candidates
from pathmax.space.grid import Grid
from pathmax.space.limits import Limits
from pathmax.space.space import Space
from pathmax.suggestion.first_design import (
    nearest_free_cells,
    nearest_free_rows,
    place,
    points_apart,
)

# Nearer than this two points are one to the kernel: their distance squared is lost beside 1.
RESOLUTION = float(np.sqrt(np.finfo(float).eps))
BENCH = 1e-3  # of a range: nearer than this two experiments are one to whoever sets them up
MOST_NUMBERED, MOST_AXES = 2**62, 32  # NumPy numbers the cells of no larger finite space

# Larger grids are searched like a lattice: arrays over all points would not fit in memory.
MAX_GRID = 10_000_000
LOOKS = 512  # points that obey known constraints, of which a first design is chosen


@dataclass(frozen=True, eq=False)
class Choices(ABC):
    """A space less what is taken: `points` (m, d) and, in a pool or grid, their `rows` (m,)."""

    space: AnySpace
    points: Array
    rows: tuple[int, ...] = ()
    replicates: bool = False

    @property
    @abstractmethod
    def domain(self) -> Domain:
        """The set to search, in coordinates u."""

    @abstractmethod
    def settle(self, u: Array, row: int | None, rng: np.random.Generator) -> dict[str, Scalar]:
        """The params of the free point that u stands for: itself, or the nearest that is free."""

    @abstractmethod
    def params(self, u: Array, row: int | None) -> dict[str, Scalar]:
        """The params at u (d,), or those of a number of the domain: the nearest free one if None.

        Known constraints leave some rows out of the domain, which has numbers of its own then.
        """

    def numbers(self, rows: Sequence[int]) -> Index:
        """The numbers of the domain that rows of a pool or grid have, of those in the domain."""
        return np.array(rows, dtype=np.intp)

    @property
    def left(self) -> int | None:
        """How many points may still be suggested; None when they are uncountable."""
        size = self.space.cardinality
        if size is None or self.replicates:
            return size
        return size - len({point.tobytes() for point in self.points})

    @property
    def held_axes(self) -> tuple[Array, ...] | None:
        """The axes of a grid whose points are all looked at, so that a posterior is held on it."""
        return None

    def check_known(self) -> None:
        """Raise `SpaceError` when the known constraints leave nothing."""
        if self.space.where:
            self.domain.spread(1, np.random.default_rng(0))

    def check(self) -> None:
        """Raise `ExhaustedError` when nothing is left."""
        if self.left == 0:
            raise ExhaustedError(
                f"all {self.space.cardinality} points of the space have been tried or are running; "
                "to measure some again allow replicates=True, "
                "to go on elsewhere widen the space with study.with_space(...)"
            )

    def start(self, number: int, size: int, seed: int) -> dict[str, Scalar]:
        """The params of trial `number` of the first design: Latin hypercubes of `size` points."""
        block, i = divmod(number, max(size, 1))
        rng = np.random.default_rng([seed, block, 1])  # no trial's own key has a third number
        design = latin_hypercube(max(size, 1), self.space.dimension, rng)
        return self.settle(place(design, self.space.axes)[i], None, rng)

    def is_running(self, u: Array, pending: Array) -> bool:  # (d,), (p, d) ->
        """Whether nobody could tell the experiment at u from one that is running."""
        return False  # where points are numbered none is suggested twice in the first place

    @property
    def taken_rows(self) -> tuple[int, ...]:
        """The rows that are not suggested again."""
        return () if self.replicates else self.rows

    @property
    def taken_points(self) -> Array | None:
        """The points that are not suggested again."""
        return None if self.replicates else self.points


@final
@dataclass(frozen=True, eq=False)
class InSpace(Choices):
    """Points of a space of parameters."""

    space: Space

    @property
    def domain(self) -> Domain:
        if (activity := self.space.activity) is not None:
            return Conditional(Mixed(self.space.axes), activity.settle, self.taken_points)
        if all(axis.kind == "float" for axis in self.space.axes):
            return Box(self.space.dimension)
        return Mixed(self.space.axes, self.taken_points)

    def settle(self, u: Array, row: int | None, rng: np.random.Generator) -> dict[str, Scalar]:
        return self.space.decode(self._apart(u, rng))

    def params(self, u: Array, row: int | None) -> dict[str, Scalar]:
        return self.space.decode(u)

    def is_running(self, u: Array, pending: Array) -> bool:  # (d,), (p, d) ->
        gaps = np.abs(pending - u).max(axis=1, initial=0.0)
        return not self.replicates and bool((gaps < BENCH).any())

    def _apart(self, u: Array, rng: np.random.Generator) -> Array:
        """u as it will be stored, moved just as far as it takes to be a new point."""
        space = self.space
        u = space.project(u[None])[0]
        if self.replicates or not self._occupied(u):
            return u
        if space.activity is not None:
            return self._elsewhere(u, rng)
        if all(axis.values is not None for axis in space.axes):
            if (space.cardinality or 0) > MOST_NUMBERED or space.dimension > MOST_AXES:
                return self._changed(u, rng)
            cells = GridDomain([axis.values for axis in space.axes if axis.values is not None])
            taken = np.ravel_multi_index(_positions(cells, self.points), cells.shape)
            free = nearest_free_cells(u[None], space.axes, set(taken.tolist()))[0]
            return np.asarray(cells.points(free)[0])
        movable = np.array([axis.values is None for axis in space.axes])
        for doubling in range(1, 100):  # beyond 27 doublings the step is the whole cube
            step = RESOLUTION * 2.0 ** min(doubling, 27) * rng.uniform(-1.0, 1.0, len(u))
            moved: Array = space.project(np.clip(u + step * movable, 0.0, 1.0)[None])[0]
            if not self._occupied(moved):
                return moved
        raise ExhaustedError(
            "no new point was found: the bounds leave room for a few floats only, and they have "
            "been tried; widen the space with study.with_space(...) or allow replicates=True"
        )

    def _elsewhere(self, u: Array, rng: np.random.Generator) -> Array:
        """The free point nearest to u, as far as random points tell: its branch may be full."""
        space, domain = self.space, self.domain
        if (pool := domain.rows()) is not None:
            free, axes = np.asarray(pool.points(pool.free)), space.axes
            row = nearest_free_rows(u[None], free, np.ones(len(free), dtype=bool), axes)[0]
            return np.asarray(free[row])
        movable = np.array([axis.values is None for axis in space.axes]) & (u >= 0.0)
        for doubling in range(1, 60):  # beyond 27 doublings other branches are looked at too
            far = doubling > 27 or not movable.any()
            step = RESOLUTION * 2.0 ** min(doubling, 27) * rng.uniform(-1.0, 1.0, len(u))
            moved = np.where(movable, np.clip(u + step, 0.0, 1.0), u)
            point = space.project((domain.random(rng)[0] if far else moved)[None])[0]
            if not self._occupied(point):
                return np.asarray(point)
        raise ExhaustedError(
            "no new point was found in this space; widen it with study.with_space(...) or allow "
            "replicates=True"
        )

    def _changed(self, u: Array, rng: np.random.Generator) -> Array:
        """u with as few coordinates changed as it takes: the cells are too many to be numbered."""
        moved = u.copy()
        while self._occupied(moved):
            i = int(rng.integers(len(u)))
            values = self.space.axes[i].values
            assert values is not None, "every axis of a finite space has a list of values"
            moved[i] = values[int(rng.integers(len(values)))]
        return moved

    def _occupied(self, u: Array) -> bool:
        gaps = np.abs(self.points - u).max(axis=1, initial=0.0)
        return bool((gaps < RESOLUTION).any())


@final
@dataclass(frozen=True, eq=False)
class InKnownSpace(Choices):
    """Points of a space of parameters that obey known constraints."""

    space: Space

    @property
    def domain(self) -> Domain:
        table = allowed_points(self.space)
        if table is None:
            return Constrained(self.space.axes, self.space.limits, self.taken_points)
        return Pool(table, None if self.replicates else self._taken(table))

    @property
    def left(self) -> int | None:
        table = allowed_points(self.space)
        if table is None:
            return None
        return len(table) - (0 if self.replicates else len(self._taken(table)))

    def _taken(self, table: Array) -> list[int]:  # (N, d)
        taken = {point.tobytes() for point in self.points}
        return [i for i, row in enumerate(table) if row.tobytes() in taken] if taken else []

    def start(self, number: int, size: int, seed: int) -> dict[str, Scalar]:
        """The params of trial `number` of the first design: points apart from each other."""
        block, i = divmod(number, max(size, 1))
        rng = np.random.default_rng([seed, block, 1])
        looks = self.domain.whole().spread(LOOKS, rng)
        return self.settle(points_apart(looks, size, self.space.axes, rng)[i], None, rng)

    def params(self, u: Array, row: int | None) -> dict[str, Scalar]:
        params = self.space.decode(u)
        if self.space.where.hold(params):
            return params
        return next(self._nearby(u, np.random.default_rng(0)))

    def settle(self, u: Array, row: int | None, rng: np.random.Generator) -> dict[str, Scalar]:
        params = self.space.decode(u)
        if self.space.where.hold(params) and self._is_new(params):
            return params
        for params in self._nearby(u, rng):
            if self._is_new(params):
                return params
        raise ExhaustedError(
            "no new params were found that obey the known constraints: those that do have been "
            "tried or are running; loosen a constraint, or allow replicates=True"
        )

    def is_running(self, u: Array, pending: Array) -> bool:  # (d,), (p, d) ->
        gaps = np.abs(pending - u).max(axis=1, initial=0.0)
        return not self.replicates and self.left is None and bool((gaps < BENCH).any())

    def _is_new(self, params: dict[str, Scalar]) -> bool:
        gaps = np.abs(self.points - self.space.encode(params)).max(axis=1, initial=0.0)
        return self.replicates or not bool((gaps < RESOLUTION).any())

    def _nearby(self, u: Array, rng: np.random.Generator) -> Iterator[dict[str, Scalar]]:
        """Params that obey, from those about u to any."""
        domain = self.domain.whole()
        inside = domain.project(u[None])
        for reach in (1e-7, 1e-5, 1e-3, 0.01, 0.1, 1.0):
            steps = reach * rng.uniform(-1.0, 1.0, (32, len(u)))
            near = domain.project(inside + steps * (np.arange(32) > 0)[:, None])
            yield from filter(self.space.where.hold, map(self.space.decode, near))
        yield from filter(self.space.where.hold, map(self.space.decode, domain.spread(LOOKS, rng)))


@final
@dataclass(frozen=True, eq=False)
class InPool(Choices):
    """Rows of a table."""

    space: Candidates

    @property
    def domain(self) -> Domain:
        excluded = None if self.replicates else ~self.space.free(self.rows)
        if self.space.where:
            excluded = None if excluded is None else excluded[self.space.allowed_rows]
            return Pool(self.space.encoded_allowed, excluded)
        return Pool(self.space.encode_all(), excluded)

    def numbers(self, rows: Sequence[int]) -> Index:
        return places_among(self.space.allowed_rows, rows) if self.space.where else np.array(rows)

    @property
    def left(self) -> int | None:
        if self.replicates:
            return self.space.cardinality
        return int(np.count_nonzero(self.space.free(self.rows)))

    def settle(self, u: Array, row: int | None, rng: np.random.Generator) -> dict[str, Scalar]:
        return self.params(u, row)

    def params(self, u: Array, row: int | None) -> dict[str, Scalar]:
        if row is None:
            pool, free = self.space, self.space.free(self.taken_rows)
            row = int(nearest_free_rows(u[None], pool.encode_all(), free, pool.axes)[0])
        elif self.space.where:
            row = int(self.space.allowed_rows[row])
        return self.space.params(row)


@final
@dataclass(frozen=True, eq=False)
class InGrid(Choices):
    """Points of a grid."""

    space: Grid

    @property
    def domain(self) -> Domain:
        if self.space.where:
            return Pool(self.space.encoded_allowed, self.numbers(self.taken_rows).tolist())
        if self.held_axes is not None:
            return GridDomain(self.held_axes, list(self.taken_rows))
        return Mixed(self.space.axes, self.taken_points)

    def numbers(self, rows: Sequence[int]) -> Index:
        return places_among(self.space.allowed_rows, rows) if self.space.where else np.array(rows)

    @property
    def left(self) -> int | None:
        if not self.space.where:
            return super().left
        taken = len(set(self.numbers(self.taken_rows).tolist()))
        return len(self.space.allowed_rows) - taken

    @property
    def held_axes(self) -> tuple[Array, ...] | None:
        if self.space.where:
            return None
        axes = tuple(self.space.axis_values)
        longest = max(len(values) for values in axes)
        return axes if self.space.cardinality <= MAX_GRID and longest <= LONGEST_AXIS else None

    def settle(self, u: Array, row: int | None, rng: np.random.Generator) -> dict[str, Scalar]:
        return self.params(u, row)

    def params(self, u: Array, row: int | None) -> dict[str, Scalar]:
        if row is None and self.space.where:
            pool = self.domain
            assert isinstance(pool, Pool)
            free = np.ones(len(pool.U), dtype=bool)
            free[self.numbers(self.taken_rows)] = False
            row = int(nearest_free_rows(u[None], pool.U, free, self.space.axes)[0])
        elif row is None:
            row = nearest_free_cells(u[None], self.space.axes, set(self.taken_rows))[0]
        return self.space.params(int(self.space.allowed_rows[row]) if self.space.where else row)


@singledispatch
def available(
    space: AnySpace, points: Array, rows: tuple[int, ...] = (), replicates: bool = False
) -> Choices:
    """What may be suggested in a space, given what is taken."""
    raise SpaceError(f"a study needs a Space, Candidates or a Grid, got {describe(space)}")


@available.register
def _in_space(
    space: Space, points: Array, rows: tuple[int, ...] = (), replicates: bool = False
) -> Choices:
    kind = InKnownSpace if space.where else InSpace
    return kind(space, points, rows, replicates)


available.register(Candidates, InPool)
available.register(Grid, InGrid)


def everything(space: AnySpace) -> Choices:
    """What may be suggested in a space when nothing is taken."""
    return available(space, np.empty((0, space.dimension)))


def params_at(space: AnySpace, u: Array, row: int | None) -> dict[str, Scalar]:
    """The params at u (d,), in a pool or grid those of a row: the nearest one if None."""
    return everything(space).params(u, row)


_tables: WeakKeyDictionary[Limits, Array] = WeakKeyDictionary()


def allowed_points(space: Space) -> Array | None:  # -> (N, d)
    """All points of a space that obey what is known, where they are few enough to be listed."""
    if not all(axis.values is not None for axis in space.axes):
        return None
    if (space.cardinality or 0) > ENUMERATED:
        return None
    if space.limits not in _tables:
        everything = Mixed(space.axes).lattice.enumerate()
        allowed = everything[space.limits.holds(everything)]
        if not len(allowed):
            raise conflict(space.axes, space.limits)
        _tables[space.limits] = allowed
    return _tables[space.limits]


def places_among(allowed: Index, rows: Sequence[int]) -> Index:
    """Where some rows are among the sorted allowed ones; others are left out."""
    wanted = np.unique(np.array(rows, dtype=np.intp))
    place = np.minimum(np.searchsorted(allowed, wanted), len(allowed) - 1)
    return np.asarray(place[allowed[place] == wanted])


def _positions(cells: GridDomain, points: Array) -> tuple[np.ndarray, ...]:  # (m, d) -> d of (m,)
    columns = zip(cells.values, points.T, strict=True)
    return tuple(np.searchsorted(values, column) for values, column in columns)
