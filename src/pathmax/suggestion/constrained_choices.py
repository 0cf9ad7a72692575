"""What may be suggested where known constraints hold: points that obey, and params that do.

A search is among points; rounding to steps or to what can be weighed makes params of them, which
are looked at again. Where they no longer obey, or are known already, others nearby are taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final
from weakref import WeakKeyDictionary

import numpy as np

from pathmax.acquisition import Domain, Pool
from pathmax.arrays import Array
from pathmax.errors import ExhaustedError
from pathmax.scalars import Scalar
from pathmax.search.conditional_domain import Conditional
from pathmax.search.constrained_domain import Constrained
from pathmax.search.feasibility import conflict
from pathmax.search.mixed_domain import ENUMERATED, Mixed
from pathmax.space.constraint_parts import Limits
from pathmax.space.grid import Grid
from pathmax.space.space import Space
from pathmax.suggestion.choices import BENCH, RESOLUTION, Choices
from pathmax.suggestion.first_design import first_left, guided, points_apart

PLACINGS = 3  # 10 / 7 in a range up to 10 is a last digit less once placed, and then stays
DESIGN_LOOKS = 512  # points that obey known constraints, of which a first design is chosen
MOST_APART = DESIGN_LOOKS // 8  # of them; those that follow are chosen among others


@final
@dataclass(frozen=True, eq=False)
class InKnownSpace(Choices):
    """Points of a space, or of a grid without end, that obey known constraints."""

    by_point = True
    space: Space | Grid

    @property
    def domain(self) -> Domain:
        table = allowed_points(self.space)
        if table is None and (activity := self.space.activity) is not None:
            everything = Constrained(self.space.axes, self.space.limits)
            return Conditional(everything, activity.settle, self.taken_points)
        if table is None:
            return Constrained(self.space.axes, self.space.limits, self.taken_points)
        is_part = bool(self.space.held)
        return Pool(table, None if self.replicates else self._taken(table), is_part)

    @property
    def left(self) -> int | None:
        table = allowed_points(self.space)
        if table is None:
            return None
        return len(table) - (0 if self.replicates else len(self._taken(table)))

    @property
    def everything(self) -> str:
        table = allowed_points(self.space)
        which = "that obey the known constraints" if self.space.where else "of the space"
        return f"{'' if table is None else len(table)} points {which}"

    def _taken(self, table: Array) -> list[int]:  # (N, d)
        taken = {point.tobytes() for point in self.points}
        return [i for i, row in enumerate(table) if row.tobytes() in taken] if taken else []

    def start(
        self, number: int, size: int, seed: int, tried: Array | None = None
    ) -> dict[str, Scalar]:
        """The params of trial `number` of the first design: points apart from each other."""
        block, i = divmod(number, max(size, MOST_APART))
        rng = np.random.default_rng([seed, block, 1])
        looks = self.domain.whole().spread(DESIGN_LOOKS, rng)
        design = points_apart(looks, max(size, i + 1), self.space.axes, rng)
        if tried is not None:
            number = i = first_left(design, tried, self.space.axes)
        point = guided(self.space, design[i], rng.random(self.space.dimension), number)
        return self.settle(point, None, rng)

    def params(self, u: Array, row: int | None) -> dict[str, Scalar]:
        params = self._as_placed(self.space.decode(u))
        if self.space.where.hold(params):
            return params
        return next(self._nearby(u, np.random.default_rng(0)))

    def settle(self, u: Array, row: int | None, rng: np.random.Generator) -> dict[str, Scalar]:
        params = self._as_placed(self.space.decode(u))
        if self.space.where.hold(params) and self._is_new(params):
            return params
        for params in map(self._as_placed, self._nearby(u, rng)):
            if self.space.where.hold(params) and self._is_new(params):
                return params
        raise ExhaustedError(
            "no new params were found that obey the known constraints: those that do have been "
            "tried or are running; loosen a constraint, or allow replicates=True"
        )

    def is_running(self, u: Array, pending: Array) -> bool:  # (d,), (p, d) ->
        gaps = np.abs(pending - u).max(axis=1, initial=0.0)
        return not self.replicates and self.left is None and bool((gaps < BENCH).any())

    def _as_placed(self, params: dict[str, Scalar]) -> dict[str, Scalar]:
        """Params as their own place gives them: those at a bound may be a last digit beside it."""
        for _ in range(PLACINGS):
            placed = self.space.decode(self.space.encode(params))
            if placed == params:
                break
            params = placed
        return params

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
        yield from filter(
            self.space.where.hold, map(self.space.decode, domain.spread(DESIGN_LOOKS, rng))
        )


_tables: WeakKeyDictionary[Limits, Array] = WeakKeyDictionary()


def allowed_points(space: Space | Grid) -> Array | None:  # -> (N, d)
    """All points of a space that obey what is known, where they are few enough to be listed."""
    if not all(axis.values is not None for axis in space.axes):
        return None
    product = Mixed(space.axes)
    if (product.cardinality or 0) > ENUMERATED:
        return None
    if space.limits not in _tables:
        everything = product.lattice.enumerate()
        allowed = everything[space.limits.holds(everything)]
        if not len(allowed):
            raise conflict(space.axes, space.limits)
        activity = space.activity
        _tables[space.limits] = (
            allowed if activity is None else np.unique(activity.settle(allowed), axis=0)
        )
    return _tables[space.limits]
