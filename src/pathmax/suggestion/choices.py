"""Choices: what may be suggested next, whatever the space is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pathmax.acquisition import Domain
from pathmax.arrays import Array, Index
from pathmax.errors import ExhaustedError
from pathmax.scalars import Scalar
from pathmax.search.sobol import latin_complement, latin_hypercube
from pathmax.space.any_space import AnySpace
from pathmax.suggestion.first_design import first_left, guided, place

# Nearer than this two points are one to the kernel: their distance squared is lost beside 1.
RESOLUTION = float(np.sqrt(np.finfo(float).eps))
BENCH = 1e-3  # of a range: nearer than this two experiments are one to whoever sets them up


@dataclass(frozen=True, eq=False)
class Choices(ABC):
    """A space less what is taken: `points` (m, d) and, in a pool or grid, their `rows` (m,)."""

    by_point: ClassVar[bool] = False  # whether points are known by coordinates, not as rows

    space: AnySpace
    points: Array
    rows: tuple[int, ...] = ()
    replicates: bool = False

    @property
    @abstractmethod
    def domain(self) -> Domain:
        """The set to search, in coordinates u."""

    def settle(self, u: Array, row: int | None, rng: np.random.Generator) -> dict[str, Scalar]:
        """The params of the free point that u stands for: itself, or the nearest that is free."""
        return self.params(u, row)

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

    @property
    def everything(self) -> str:
        """All that could ever be suggested, in words."""
        return f"{self.space.cardinality} points of the space"

    def check(self) -> None:
        """Raise `ExhaustedError` when nothing is left."""
        if self.left == 0:
            raise ExhaustedError(
                f"all {self.everything} have been tried or are running; "
                "to measure some again allow replicates=True, "
                "to go on elsewhere widen the space with study.with_space(...)"
            )

    def start(
        self, number: int, size: int, seed: int, tried: Array | None = None
    ) -> dict[str, Scalar]:
        """The params of trial `number` of the first design: of a Latin hypercube of `size` points.

        Where more are asked for at once, it is part of one of twice as many, and so on. Where
        others than those of the design were `tried` (k, d), each has the place of the nearest.
        """
        rng = np.random.default_rng([seed, 0, 1])  # no trial's own key has a third number
        design = latin_hypercube(max(size, 1), self.space.dimension, rng)
        while len(design) <= number:
            rng = np.random.default_rng([seed, len(design), 1])
            design = np.vstack([design, latin_complement(design, rng)])
        if tried is not None:
            number = first_left(place(design, self.space.axes), tried, self.space.axes)
        point = place(design[number, None], self.space.axes)[0]
        return self.settle(guided(self.space, point, design[number], number), None, rng)

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
