"""Mixed spaces: products of intervals and lists.

They are searched by `lattice_search`. Spaces without real coordinates that are small enough to go
through are searched as a grid: see `Mixed.rows`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import final

import numpy as np

from pathmax.arrays import Array, Index, Mask, Words
from pathmax.errors import ExhaustedError
from pathmax.search.box import Box, climb
from pathmax.search.domains import Domain, Maximum, Task, exhausted
from pathmax.search.lattice import AxisLike, Lattice
from pathmax.search.lattice_search import MixedSearch, Pick
from pathmax.search.rows import GridDomain, Pool
from pathmax.search.screening import cube_points, pick_apart

# Up to so many points a space without real coordinates is searched point by point: where categories
# make a path rugged, a search misses the maximum of one path in two (benchmarks/searches.md).
ENUMERATED = 100_000
# A grid's paths need the eigenvalues of each axis: 25 s for 4000 values (benchmarks/searches.md).
LONGEST_AXIS = 1000


@final
@dataclass(frozen=True, eq=False)
class Mixed(Domain):
    """A product of intervals and lists. `excluded` (m, d): points not to choose again.

    Exclusion matters only when every coordinate is a list: among real numbers no point comes twice.
    The intervals are those of `box`, by default [0, 1] each.
    """

    axes: Sequence[AxisLike]
    excluded: Array | None = field(default=None, repr=False)
    box: Box | None = None

    @property
    def dimension(self) -> int:
        return len(self.axes)

    @property
    def cardinality(self) -> int | None:
        return None if len(self.lattice.real) else self.lattice.cardinality

    @property
    def is_slice(self) -> bool:
        return self.lattice.is_slice or self.region.is_slice

    @property
    def varying(self) -> int:
        real = self.lattice.real
        return self.lattice.varying + self.region.on(real).varying

    @property
    def is_real(self) -> bool:
        return not self.lattice.varying

    @cached_property
    def lattice(self) -> Lattice:
        """The coordinates that are lists."""
        return Lattice(self.axes)

    @cached_property
    def region(self) -> Box:
        """The intervals; what it says of the other coordinates means nothing."""
        return Box(self.dimension) if self.box is None else self.box

    @cached_property
    def taken(self) -> Words:
        """The keys of the excluded points, if points can come twice at all."""
        if self.excluded is None or not len(self.excluded) or self.cardinality is None:
            return np.empty(0, dtype=np.uint64)
        taken = np.unique(self.lattice.keys(self.excluded))
        if len(taken) >= self.cardinality:
            raise ExhaustedError(exhausted(self.cardinality, "points of the space"))
        return taken

    def random(self, rng: np.random.Generator) -> tuple[Array, None]:
        return np.asarray(self.free_points(rng)[0]), None

    def free_points(self, rng: np.random.Generator) -> Array:  # -> (m, d)
        """Points drawn uniformly from those that are not taken; at least one."""
        lattice, taken = self.lattice, self.taken
        U = self.place(rng.random((1024, self.dimension)))
        if len(taken):
            U = U[~np.isin(lattice.keys(U), taken)]
            if not len(U) and lattice.cardinality <= 64 * len(taken):  # nearly all: list the rest
                U = lattice.enumerate()
                U = rng.permutation(U[~np.isin(lattice.keys(U), taken)])[:1024]
        return U if len(U) else self.free_points(rng)

    def spread(self, n: int, rng: np.random.Generator) -> Array:  # -> (n, d)
        return self.place(cube_points(n, self.dimension, rng))

    def place(self, uniform: Array) -> Array:  # (m, d) -> (m, d)
        """Numbers uniform on [0, 1) as points."""
        U, real, box = self.lattice.place(uniform), self.lattice.real, self.region
        U[:, real] = box.low[real] + (box.high - box.low)[real] * U[:, real]
        return U

    def project(self, U: Array) -> Array:  # (m, d) -> (m, d)
        inside, real = self.lattice.snap(U), self.lattice.real
        inside[:, real] = self.region.project(inside)[:, real]
        return inside

    def whole(self) -> Mixed:
        return replace(self, excluded=None)

    def rows(self) -> GridDomain | None:
        """The space as a grid, when it has no real coordinates and few enough points."""
        return self._grid

    @cached_property
    def _grid(self) -> GridDomain | None:
        if self.cardinality is None or self.cardinality > ENUMERATED:
            return None
        if max(self.lattice.sizes) > LONGEST_AXIS:
            return None
        taken = self.excluded
        excluded = None if taken is None else self.lattice.numbers(taken).tolist()
        return GridDomain(self.lattice.values, excluded)

    def listed(self, most: int) -> Domain:
        if self.cardinality is None or self.cardinality > most:
            return self
        return Pool(self.lattice.enumerate(), is_part=self.is_slice)

    def jumped(self, U: Array, scales: Array, rng: np.random.Generator) -> Array:
        """Points about some: (m, d), (d,) -> (m, d)."""
        near, real = self.lattice.jumps(U, rng), self.lattice.real
        reals = self.region.on(real)
        near[:, real] = reals.neighbours(near[:, real], len(near), scales[real], rng)
        return near

    def settled(self, U: Array, columns: Index | None) -> tuple[Array, Mask | None]:
        """Changed points as points of the domain, and which belong to it; None: all of them."""
        return U, None

    def exchanges(self, U: Array) -> tuple[Array, Index]:  # (S, d) -> (k, d), (k,)
        """Further changes of some points that no single coordinate makes, and whose they are."""
        return U[:0], np.empty(0, dtype=np.intp)

    def search(self, task: Task) -> Maximum:
        if (grid := self.rows()) is not None:
            return replace(grid.search(task), index=None)
        return self.explore(task)

    def explore(self, task: Task, pick: Pick = pick_apart) -> Maximum:
        """Search as if there were too many points to go through."""
        if len(self.lattice.columns):
            return MixedSearch(task, self, pick).run()
        return climb(task, self.region)
