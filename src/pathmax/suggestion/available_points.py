"""What may be suggested next: the space, pool or grid less what was tried or is running.

    InSpace       any point of the cube, or of its lattice; never within RESOLUTION of another trial
    InKnownSpace  the same within known constraints
    InPool        any free row
    InLibrary     the same where rows are not held
    InGrid        any free point

Of each, `domain` is the set that an acquisition searches, `start` gives the points before there is
a model, and `settle` turns a point into params.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from pathmax.acquisition import Box, Domain, GridDomain, Pool
from pathmax.arrays import Array, Index
from pathmax.errors import ExhaustedError
from pathmax.scalars import Scalar
from pathmax.search.conditional_domain import Conditional
from pathmax.search.mixed_domain import LONGEST_AXIS, Mixed
from pathmax.space.any_space import AnySpace
from pathmax.space.candidates import Candidates
from pathmax.space.grid import Grid
from pathmax.space.space import Space
from pathmax.suggestion.choices import BENCH, RESOLUTION, Choices
from pathmax.suggestion.constrained_choices import InKnownSpace
from pathmax.suggestion.first_design import nearest_free_cells, nearest_free_rows
from pathmax.suggestion.library_points import InLibrary

MOST_NUMBERED, MOST_AXES = 2**62, 32  # NumPy numbers the cells of no larger finite space

# Larger grids are searched like a lattice: arrays over all points would not fit in memory.
MAX_GRID = 10_000_000
MOST_FILTERED = 2_000_000  # points of a grid that are gone through for those that obey


@final
@dataclass(frozen=True, eq=False)
class InSpace(Choices):
    """Points of a space of parameters."""

    by_point = True
    space: Space

    @property
    def domain(self) -> Domain:
        if (activity := self.space.activity) is not None:
            return Conditional(Mixed(self.space.axes), activity.settle, self.taken_points)
        axes, held = self.space.axes, self.space.held
        if all(axis.kind == "float" or i in held for i, axis in enumerate(axes)):
            if not held:
                return Box(self.space.dimension)
            at = np.array([held.get(i, np.nan) for i in range(len(axes))])
            low, high = np.where(np.isnan(at), 0.0, at), np.where(np.isnan(at), 1.0, at)
            return Box(len(axes), low, high)
        return Mixed(axes, self.taken_points)

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
class InPool(Choices):
    """Rows of a table."""

    space: Candidates

    @property
    def domain(self) -> Domain:
        excluded = None if self.replicates else ~self.space.free(self.rows)
        if self.space.narrowed:
            excluded = None if excluded is None else excluded[self.space.allowed_rows]
            is_part = bool(self.space.context_names or self.space.held)
            return Pool(self.space.encoded_allowed, excluded, is_part)
        return Pool(self.space.encode_all(), excluded)

    def numbers(self, rows: Sequence[int]) -> Index:
        if not self.space.narrowed:
            return np.array(rows)
        return places_among(self.space.allowed_rows, rows)

    @property
    def left(self) -> int | None:
        if self.replicates:
            return self.space.cardinality
        return int(np.count_nonzero(self.space.free(self.rows)))

    def params(self, u: Array, row: int | None) -> dict[str, Scalar]:
        if row is None:
            pool, free = self.space, self.space.free(self.taken_rows)
            row = int(nearest_free_rows(u[None], pool.encode_all(), free, pool.axes)[0])
        elif self.space.narrowed:
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
        by_context = self.space.context_names or self.space.fidelity
        if self.space.where or by_context:  # one axis or another is held
            return None
        axes = tuple(self.space.axis_values)
        longest = max(len(values) for values in axes)
        return axes if self.space.cardinality <= MAX_GRID and longest <= LONGEST_AXIS else None

    def params(self, u: Array, row: int | None) -> dict[str, Scalar]:
        if row is None and self.space.where:
            allowed = self.space.encoded_allowed
            free = np.ones(len(allowed), dtype=bool)
            free[self.numbers(self.taken_rows)] = False
            row = int(nearest_free_rows(u[None], allowed, free, self.space.axes)[0])
        elif row is None:
            row = nearest_free_cells(u[None], self.space.axes, set(self.taken_rows))[0]
        return self.space.params(int(self.space.allowed_rows[row]) if self.space.where else row)


def available(
    space: AnySpace, points: Array, rows: tuple[int, ...] = (), replicates: bool = False
) -> Choices:
    """What may be suggested in a space, given what is taken."""
    taken = points if space.is_pool else among(points, space.held)
    return kind_of_choices(space)(space, taken, rows, replicates)


def kind_of_choices(space: AnySpace) -> Callable[..., Choices]:
    """The kind that a space asks for, by what it says of itself."""
    if space.is_pool:
        return InPool if space.is_held else InLibrary
    if not space.is_numbered:
        return InKnownSpace if space.where else InSpace
    endless = space.where and (space.cardinality or 0) > MOST_FILTERED
    return InKnownSpace if endless or space.held else InGrid


def among(points: Array, held: Mapping[int, float]) -> Array:  # (m, d) -> (k, d)
    """Those points whose held coordinates have the value that is given."""
    there = np.ones(len(points), dtype=bool)
    for column, u in held.items():
        there &= np.abs(points[:, column] - u) < RESOLUTION
    return points[there] if held else points


def everything(space: AnySpace) -> Choices:
    """What may be suggested in a space when nothing is taken."""
    return available(space, np.empty((0, space.dimension)))


def params_at(space: AnySpace, u: Array, row: int | None) -> dict[str, Scalar]:
    """The params at u (d,), in a pool or grid those of a row: the nearest one if None."""
    return everything(space.at_target).params(u, row)


def places_among(allowed: Index, rows: Sequence[int]) -> Index:
    """Where some rows are among the sorted allowed ones; others are left out."""
    wanted = np.unique(np.array(rows, dtype=np.intp))
    place = np.minimum(np.searchsorted(allowed, wanted), len(allowed) - 1)
    return np.asarray(place[allowed[place] == wanted])


def _positions(cells: GridDomain, points: Array) -> tuple[np.ndarray, ...]:  # (m, d) -> d of (m,)
    columns = zip(cells.values, points.T, strict=True)
    return tuple(np.searchsorted(values, column) for values, column in columns)
