"""What is done with the rows of a stream: look for the best of paths or of a rule, or for moments.

Each begins in single precision; what may win is computed again in double precision, so that the
choice is that of `pool_surface` on the same rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from pathmax.acquisition.scores import PosteriorScore, Rule
from pathmax.acquisition.surfaces.crude_moments import CRUDE, CrudeMoments
from pathmax.acquisition.surfaces.first_data import (
    SUM_ROUNDING,
    FirstData,
    add_contenders,
    steps_by,
)
from pathmax.acquisition.surfaces.path_score import PathScore
from pathmax.arrays import Array, Index, Single
from pathmax.gp import GaussianProcess
from pathmax.gp.blas_threads import small_blas
from pathmax.gp.freed_memory import keep_freed_memory
from pathmax.gp.paths import Paths
from pathmax.gp.single_precision import single_cross
from pathmax.search.best_rows import BestRows
from pathmax.search.row_sources import BlockLike
from pathmax.search.rows import ROWS_AT_ONCE
from pathmax.search.streams import free_rows, in_chunks, merged, refined

PathWinners = list[tuple[BestRows, BestRows]]


@final
@dataclass(frozen=True, eq=False)
class PathWork:
    """Look for the best rows of several paths: of all rows, and of those that are free."""

    paths: Paths
    dimension: int

    @cached_property
    def moved(self) -> Callable[[Array], Array | Single] | None:  # (m, d) -> (m, p)
        """The update in single precision; None without one, or where that would be too crude."""
        update = self.paths.shift.update
        if not update.n:
            return None
        cross = single_cross(update.kernel, update.reach.X)
        v = self.pull
        some = update.reach.X[:ROWS_AT_ONCE]
        gap = np.abs(cross(some) @ v - update.of_matrix(update.kernel(some, update.reach.X)))
        spread = max(1.0, math.sqrt(update.kernel.outputscale))
        return (lambda U: cross(U) @ v) if float(gap.max()) <= CRUDE * spread else None

    def __getstate__(self) -> dict[str, Any]:
        # a function does not travel to other processes, and is quickly made again
        return {name: value for name, value in vars(self).items() if name != "moved"}

    @cached_property
    def pull(self) -> Single:  # (n, p)
        """What the kernel matrix against the data is multiplied with."""
        update = self.paths.shift.update
        return np.asarray(update.unit * update.v, dtype=np.float32)

    @cached_property
    def prior(self) -> Callable[[Array], Array]:
        return self.paths.prior(self.dimension)

    @cached_property
    def scores(self) -> list[PathScore]:
        return [PathScore(self.paths[i], self.dimension) for i in range(len(self.paths))]

    def approximate(self, U: Array) -> Array:  # (m, d) -> (m, p)
        if self.moved is None:
            return self.paths.shift.add_to(self.prior(U), U)
        values = self.prior(U)
        self.paths.shift.mean.add_to(values, U)
        values += self.moved(U)
        return values

    def start(self) -> PathWinners:
        keep_freed_memory()  # a worker has made no model itself
        nothing = BestRows.none(self.dimension)
        return [(nothing, nothing)] * len(self.paths)

    def take(self, block: BlockLike, found: PathWinners) -> PathWinners:
        with small_blas(0):
            return self.add(block, in_chunks(self.approximate, block.U), found)

    def add(self, block: BlockLike, values: Array, found: PathWinners) -> PathWinners:
        """With a block more, given approximate values (m, p) of the paths there."""
        U, numbers, free = block.U, block.numbers, block.free
        allowed = None if free is None else np.flatnonzero(free)
        result: PathWinners = []
        for i, (score, (peak, top)) in enumerate(zip(self.scores, found, strict=True)):
            peak = refined(score, numbers, U, values[:, i], peak)
            if allowed is None:
                top = refined(score, numbers, U, values[:, i], top)
            elif len(allowed):
                some = values[allowed, i]
                top = refined(score, numbers[allowed], U[allowed], some, top)
            result.append((peak, top))
        return result

    def merge(self, found: list[PathWinners]) -> PathWinners:
        return [
            (
                merged([one[i][0] for one in found], self.dimension),
                merged([one[i][1] for one in found], self.dimension),
            )
            for i in range(len(self.paths))
        ]


@final
@dataclass(frozen=True, eq=False)
class RuleWork:
    """Look for the best free row of a rule.

    Rows that cannot win are told by an upper bound: a rule that rises with the mean and the std is
    at most that of `CrudeMoments`, and with many data that of the first of them.
    """

    model: GaussianProcess
    rule: Rule
    dimension: int

    @cached_property
    def crude(self) -> CrudeMoments:
        return CrudeMoments(self.model)

    @cached_property
    def steps(self) -> list[FirstData]:
        return steps_by(self.model)

    @cached_property
    def score(self) -> PosteriorScore:
        return PosteriorScore(self.model, self.rule)

    def bounds(self, U: Array) -> Array:  # (m, d) -> (m, 2)
        """At least the mean and at least the std."""
        if self.crude.usable:
            return np.column_stack(self.crude(U))
        mean, variance = np.zeros(len(U)), self.model.kernel.diagonal(U)
        mean = self.model.shift.add_to(mean, U) + SUM_ROUNDING * math.sqrt(variance.max())
        return np.column_stack([mean, np.sqrt(variance)])

    def start(self) -> BestRows:
        keep_freed_memory()
        return BestRows.none(self.dimension)

    def take(self, block: BlockLike, found: BestRows) -> BestRows:
        rows = free_rows(block)
        if not len(rows):
            return found
        with small_blas(0):
            if not self.crude.usable and not self.steps:
                return self.added(block, rows, found)
            U = block.U[rows]
            mean, most = in_chunks(self.bounds, U).T

            def promise(_: BestRows, some: Index) -> Array:
                return self.rule.ceiling(mean[some], most[some])

            return add_contenders(
                found,
                U,
                most,
                self.steps,
                promise=promise,
                may_win=lambda found, some: promise(found, some) >= found.bar,
                added=lambda found, some: self.added(block, rows[some], found),
            )

    def added(self, block: BlockLike, rows: Index, found: BestRows) -> BestRows:
        """The winners with these rows, computed in double precision."""
        if not len(rows):
            return found
        U = block.U[rows]
        return found.add(block.numbers[rows], in_chunks(self.score, U), U)

    def merge(self, found: list[BestRows]) -> BestRows:
        return merged(found, self.dimension)


Moments = list[tuple[Index, Array, Array]]


@final
@dataclass(frozen=True, eq=False)
class MomentWork:
    """Mean and std at every row."""

    model: GaussianProcess

    def start(self) -> Moments:
        keep_freed_memory()
        return []

    def take(self, block: BlockLike, found: Moments) -> Moments:
        with small_blas(0):
            moments = in_chunks(lambda some: np.column_stack(self.model.look(some)), block.U)
        return [*found, (block.numbers, *moments.T)]

    def merge(self, found: list[Moments]) -> Moments:
        return [one for some in found for one in some]
