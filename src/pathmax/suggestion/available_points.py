"""What may be suggested next: the space, pool or grid less what was tried or is running.

    Space        any point of the cube, or of its lattice; never within RESOLUTION of another trial
    Candidates   any free row
    Grid         any free point

This is where the three meet: `domain` hands the acquisition the set to search, `start` gives the
points before there is a model, and `settle` turns a point into what the user reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

import numpy as np

from pathmax.acquisition import Box, GridDomain, Mixed, Pool
from pathmax.arrays import Array
from pathmax.errors import ExhaustedError
from pathmax.scalars import Scalar
from pathmax.search.mixed import LONGEST_AXIS
from pathmax.search.sobol import latin_hypercube
from pathmax.space.candidates import Candidates
from pathmax.space.domains import Domain
from pathmax.space.grid import Grid
from pathmax.space.space import Space
from pathmax.suggestion.first_design import nearest_free_cells, nearest_free_rows, place

# Nearer than this two points are one to the kernel: their distance squared is lost beside 1.
RESOLUTION = float(np.sqrt(np.finfo(float).eps))
BENCH = 1e-3  # of a range: nearer than this two experiments are one to whoever sets them up
MOST_NUMBERED, MOST_AXES = 2**62, 32  # NumPy numbers the cells of no larger finite space

# Larger grids are searched like a lattice: arrays over all points would not fit in memory.
MAX_GRID = 10_000_000


def is_held(space: Domain) -> TypeGuard[Grid]:
    """Whether a space is a grid whose points are all looked at."""
    if not isinstance(space, Grid) or space.cardinality > MAX_GRID:
        return False
    return max(len(values) for values in space.axis_values) <= LONGEST_AXIS


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """A space less what is taken: `points` (m, d) and, in a pool or grid, their `rows` (m,)."""

    space: Domain
    points: Array
    rows: tuple[int, ...] = ()
    replicates: bool = False

    @property
    def domain(self) -> Box | Mixed | Pool | GridDomain:
        """The set to search, in coordinates u."""
        if isinstance(self.space, Candidates):
            excluded = None if self.replicates else ~self.space.free(self.rows)
            return Pool(self.space.encode_all(), excluded)
        if is_held(self.space):
            return GridDomain(self.space.axis_values, list(self._taken_rows))
        if all(axis.kind == "float" for axis in self.space.axes):
            return Box(self.space.dimension)
        return Mixed(self.space.axes, None if self.replicates else self.points)

    @property
    def left(self) -> int | None:
        """How many points may still be suggested; None when they are uncountable."""
        size = self.space.cardinality
        if size is None or self.replicates:
            return size
        if isinstance(self.space, Candidates):
            return int(np.count_nonzero(self.space.free(self.rows)))
        return size - len({point.tobytes() for point in self.points})

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

    def settle(self, u: Array, row: int | None, rng: np.random.Generator) -> dict[str, Scalar]:
        """The params of the free point that u stands for: itself, or the nearest that is free."""
        if isinstance(self.space, Space):
            u = self._apart(self.space, u, rng)
        return params_at(self.space, u, row, self._taken_rows)

    def is_running(self, u: Array, pending: Array) -> bool:  # (d,), (p, d) ->
        """Whether nobody could tell the experiment at u from one that is running."""
        if self.replicates or not isinstance(self.space, Space):
            return False  # where points are numbered none is suggested twice in the first place
        gaps = np.abs(pending - u).max(axis=1, initial=0.0)
        return bool((gaps < BENCH).any())

    @property
    def _taken_rows(self) -> tuple[int, ...]:
        return () if self.replicates else self.rows

    def _apart(self, space: Space, u: Array, rng: np.random.Generator) -> Array:
        """u as it will be stored, moved just as far as it takes to be a new point."""
        u = space.project(u[None])[0]
        if self.replicates or not self._occupied(u):
            return u
        if all(axis.values is not None for axis in space.axes):
            if (space.cardinality or 0) > MOST_NUMBERED or space.dimension > MOST_AXES:
                return self._changed(space, u, rng)
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

    def _changed(self, space: Space, u: Array, rng: np.random.Generator) -> Array:
        """u with as few coordinates changed as it takes: the cells are too many to be numbered."""
        moved = u.copy()
        while self._occupied(moved):
            i = int(rng.integers(len(u)))
            values = space.axes[i].values
            assert values is not None, "every axis of a finite space has a list of values"
            moved[i] = values[int(rng.integers(len(values)))]
        return moved

    def _occupied(self, u: Array) -> bool:
        gaps = np.abs(self.points - u).max(axis=1, initial=0.0)
        return bool((gaps < RESOLUTION).any())


def params_at(
    space: Domain, u: Array, row: int | None, taken: Sequence[int] = ()
) -> dict[str, Scalar]:
    """The params at u (d,), which is a row of a pool or grid; by default the nearest not taken."""
    if isinstance(space, Space):
        return space.decode(u)
    if row is None and isinstance(space, Candidates):
        free = space.free(taken)
        row = int(nearest_free_rows(u[None], space.encode_all(), free, space.axes)[0])
    elif row is None:
        row = nearest_free_cells(u[None], space.axes, set(taken))[0]
    return space.params(row)


def _positions(cells: GridDomain, points: Array) -> tuple[np.ndarray, ...]:  # (m, d) -> d of (m,)
    columns = zip(cells.values, points.T, strict=True)
    return tuple(np.searchsorted(values, column) for values, column in columns)
