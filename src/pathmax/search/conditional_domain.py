"""Spaces in which some coordinates count only where others say so, and their search.

A search goes through the whole product of intervals and lists, as if every coordinate counted, and
the score is asked at the settled point, in which those that do not are absent. So the value is the
same whatever an absent coordinate is, and when a category changes, the coordinates that come with
it have values already. A branch is the set of points with the same coordinates absent: the best
looks of each branch start a search of their own, since the maximum may be in a small branch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import final

import numpy as np

from pathmax.arrays import Array, Index, Mask
from pathmax.search.constrained_domain import Constrained
from pathmax.search.domains import Domain, Maximum, Task
from pathmax.search.lattice import Lattice
from pathmax.search.mixed_domain import ENUMERATED, Mixed
from pathmax.search.regions import Region, Surroundings
from pathmax.search.rows import Pool
from pathmax.search.scores import Score
from pathmax.search.screening import pick_apart

Settle = Callable[[Array], Array]  # (m, d) -> (m, d): absent coordinates become negative


@final
@dataclass(frozen=True, eq=False)
class Conditional(Domain):
    """The settled points of a product. `excluded` (m, d): settled points not to choose again.

    As in a mixed space, exclusion matters only where every coordinate that counts is a list: of
    all, or in a branch. A search that ends at such a point is done again without those.
    """

    product: Mixed | Constrained
    settle: Settle
    excluded: Array | None = field(default=None, repr=False)

    @property
    def dimension(self) -> int:
        return self.product.dimension

    @property
    def cardinality(self) -> int | None:
        return len(self._points) if self._points is not None else self.product.cardinality

    @property
    def is_slice(self) -> bool:
        return self.product.is_slice

    @property
    def varying(self) -> int:
        return self.product.varying

    @property
    def is_real(self) -> bool:
        """False: which coordinates there are is a choice."""
        return False

    @cached_property
    def region(self) -> SettledRegion:
        return SettledRegion(self.product.region, self.settle)

    @property
    def lattice(self) -> Lattice:
        return self.product.lattice

    def random(self, rng: np.random.Generator) -> tuple[Array, None]:
        if (pool := self.rows()) is not None:
            return pool.random(rng)[0], None
        return self.settle(self.product.random(rng)[0][None])[0], None

    def spread(self, n: int, rng: np.random.Generator) -> Array:  # -> (n, d)
        return self.settle(self.product.spread(n, rng))

    def project(self, U: Array) -> Array:  # (m, d) -> (m, d)
        return self.settle(self.product.project(U))

    def whole(self) -> Conditional:
        return replace(self, excluded=None)

    @cached_property
    def _points(self) -> Array | None:  # (N, d)
        """All points, if there are only lists and their product is small enough to go through."""
        size = (
            self.product.cardinality
        )  # None within known constraints: `suggestion.constrained_choices`
        if size is None or size > ENUMERATED:
            return None
        return np.unique(self.settle(self.product.lattice.enumerate()), axis=0)

    def rows(self) -> Pool | None:
        """The space as a table, when it has no real coordinates and few enough points."""
        return self._pool

    @cached_property
    def _pool(self) -> Pool | None:
        if self._points is None:
            return None
        if self.excluded is None or not len(self.excluded):
            return Pool(self._points, is_part=self.is_slice)
        taken = {row.tobytes() for row in self.excluded}
        excluded = np.array([row.tobytes() in taken for row in self._points])
        return Pool(self._points, excluded, is_part=self.is_slice)

    def listed(self, most: int) -> Domain:
        if self._points is None or len(self._points) > most:
            return self
        return Pool(self._points, is_part=self.is_slice)

    def search(self, task: Task) -> Maximum:
        if (pool := self.rows()) is not None:
            return replace(pool.search(task), index=None)
        hints = self._filled(task.hints, task.rng)
        inner = replace(task, score=Settled(task.score, self.settle), hints=hints)
        found = self.product.explore(inner, self._pick)
        u = self.settle(found.u[None])
        if among_rows(u, self._tried)[0]:
            inner = replace(inner, score=Elsewhere(inner.score, self.settle, self._tried))
            found = self.product.explore(inner, self._pick)
            u = self.settle(found.u[None])
        return Maximum(u[0], found.value)

    @cached_property
    def _tried(self) -> Array:  # (k, d)
        """Excluded points without a real coordinate that counts: nothing is near them."""
        if self.excluded is None:
            return np.empty((0, self.dimension))
        real = self.product.lattice.real
        return self.excluded[np.all(self.excluded[:, real] < 0.0, axis=1)]

    def _filled(self, hints: Array, rng: np.random.Generator) -> Array:  # (k, d) -> (k, d)
        """Settled points with some value for each absent coordinate."""
        return np.where(hints < 0.0, self.product.spread(len(hints), rng), hints)

    def _pick(self, U: Array, values: Array, n: int, scales: Array) -> Index:
        """`pick_apart` in each branch, an equal share from the best of them."""
        settled = self.settle(U)
        _, branch = np.unique(settled < 0.0, axis=0, return_inverse=True)
        branch = branch.reshape(-1)
        tops = np.full(branch.max() + 1, -np.inf)
        np.maximum.at(tops, branch, values)
        best = np.argsort(-tops, kind="stable")[:n]
        picked = []
        for number in best:
            rows = np.flatnonzero(branch == number)
            share = -(-n // len(best))
            picked.append(rows[pick_apart(settled[rows], values[rows], share, scales)])
        return np.concatenate(picked)


@final
class SettledRegion(Region):
    """The settled points of a region. Absent coordinates stay, unless others bring them back."""

    def __init__(self, region: Region, settle: Settle) -> None:
        self.region, self.settle = region, settle

    def spread(self, n: int, rng: np.random.Generator) -> Array:  # -> (n, d)
        return self.settle(self.region.spread(n, rng))

    def neighbours(self, centres: Array, n: int, scales: Array, rng: np.random.Generator) -> Array:
        return self.settle(self.region.neighbours(self.region.project(centres), n, scales, rng))

    def project(self, U: Array) -> Array:  # (m, d) -> (m, d)
        return self.settle(self.region.project(U))

    def free(self, U: Array, G: Array) -> Mask:  # (m, d), (m, d) -> (m, d)
        return self.region.free(U, G) & (U >= 0.0)

    @property
    def faces(self) -> tuple[Array, Array]:
        return self.region.faces

    def holds(self, U: Array) -> Mask | None:  # (m, d) -> (m,)
        return self.region.holds(U)

    @property
    def is_product(self) -> bool:
        return self.region.is_product

    def about(self, U: Array) -> Surroundings:  # (m, d)
        if self.is_product:
            return super().about(U)
        return SettledSurroundings(self.region.about(np.maximum(U, 0.0)), self.settle, U >= 0.0)


@final
class SettledSurroundings(Surroundings):
    """Points of a region, some of whose coordinates are absent."""

    def __init__(self, place: Surroundings, settle: Settle, present: Mask) -> None:
        self.place, self.settle, self.present = place, settle, present

    def direct(self, G: Array, H: Array, held: Mask | None) -> tuple[Array, Array]:
        P, g = self.place.direct(np.where(self.present, G, 0.0), H, held)
        return np.where(self.present, P, 0.0), np.where(self.present, g, 0.0)

    def ahead(self, step: Array) -> Array:  # (m, d) -> (m, d)
        return self.settle(self.place.ahead(step))

    def along(self, step: Array, which: Index) -> Array:  # (m, d), (k,) -> (k, d)
        return self.settle(self.place.along(step, which))


@final
class Settled(Score):
    """A score at settled points, as a function of points in which every coordinate has a value."""

    def __init__(self, score: Score, settle: Settle) -> None:
        self.score, self.settle = score, settle

    def __call__(self, U: Array) -> Array:  # (m, d) -> (m,)
        return self.score(self.settle(U))

    def approximate(self, U: Array) -> Array:  # (m, d) -> (m,)
        return self.score.approximate(self.settle(U))

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:  # (m, d) -> (m,), (m, d)
        settled = self.settle(U)
        values, gradients = self.score.value_and_gradient(settled)
        return values, np.where(settled < 0.0, 0.0, gradients)


@final
class Elsewhere(Score):
    """A score that is low at some settled points, so that a search ends at another one.

    Low is finite, below what the first looks show: a search measures how much scores differ.
    """

    def __init__(self, score: Score, settle: Settle, tried: Array) -> None:
        self.score, self.settle, self.tried = score, settle, tried
        self.low: float | None = None

    def __call__(self, U: Array) -> Array:  # (m, d) -> (m,)
        return self._lowered(U, self.score(U))

    def approximate(self, U: Array) -> Array:  # (m, d) -> (m,)
        return self._lowered(U, self.score.approximate(U))

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:  # (m, d) -> (m,), (m, d)
        values, gradients = self.score.value_and_gradient(U)
        return self._lowered(U, values), gradients

    def _lowered(self, U: Array, values: Array) -> Array:
        if self.low is None:
            finite = values[np.isfinite(values)]
            if not len(finite):
                return values
            self.low = 2.0 * float(finite.min()) - float(finite.max()) - 1.0
        return np.where(among_rows(self.settle(U), self.tried), self.low, values)


def among_rows(U: Array, rows: Array) -> Mask:  # (m, d), (k, d) -> (m,)
    """Which points are one of the rows, to the last bit."""
    if not len(rows):
        return np.zeros(len(U), dtype=bool)
    known = {row.tobytes() for row in np.ascontiguousarray(rows)}
    return np.array([point.tobytes() in known for point in np.ascontiguousarray(U)], dtype=bool)
