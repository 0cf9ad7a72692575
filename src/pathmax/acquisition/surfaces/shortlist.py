"""The rows among which PIMS will choose, found while the maximum g* of its path is still sought.

(mean - g) / std is a line in g for each row. Once the path is seen at m of N rows, g* is at least
`low`, the highest of them. If its values were normal with a spread s, their maximum would still
rise by about

    (sqrt(2 log N) - sqrt(2 log m)) s

to `high`. A row that another one beats at both ends is beaten wherever g* turns out to be in
between, so the few others are enough, and one pass over the rows does. Where g* is beyond `high`
after all, there is a second pass.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from pathmax.acquisition.improvement_rules import ProbabilityOfImprovement
from pathmax.acquisition.surfaces.crude_moments import CrudeMoments
from pathmax.acquisition.surfaces.first_data import FirstData, add_contenders, steps_by
from pathmax.acquisition.surfaces.stream_work import PathWinners, PathWork
from pathmax.arrays import Array, Index, Mask
from pathmax.gp import GaussianProcess
from pathmax.gp.blas_threads import small_blas
from pathmax.gp.paths import Paths
from pathmax.search.best_rows import BestRows
from pathmax.search.domains import Maximum
from pathmax.search.row_sources import BlockLike
from pathmax.search.streams import free_rows, in_chunks

CRUDENESS = 1e-3  # of the spread of a path: more than what values in single precision are wrong by


@final
@dataclass(frozen=True, eq=False)
class Shortlist:
    """Rows with their moments, one of which is the best for every g* from low to high."""

    low: float
    high: float
    rows: Index  # (k,)
    mean: Array  # (k,)
    std: Array  # (k,)
    U: Array  # (k, d)

    @staticmethod
    def none(d: int) -> Shortlist:
        """Before any row was seen."""
        nothing = np.empty(0)
        return Shortlist(-np.inf, np.inf, np.empty(0, np.intp), nothing, nothing, np.empty((0, d)))

    def ends(self) -> tuple[ProbabilityOfImprovement, ProbabilityOfImprovement]:
        """The rule of PIMS for the least and the largest maximum."""
        return ProbabilityOfImprovement(self.low), ProbabilityOfImprovement(self.high)

    def between(self, seen: Array, n: int) -> Shortlist:  # (m,)
        """With values of the path at m more rows seen, of n in all."""
        top, spread = float(seen.max()), float(seen.std())
        rise = math.sqrt(2.0 * math.log(max(n, len(seen)))) - math.sqrt(2.0 * math.log(len(seen)))
        high = self.high if np.isfinite(self.high) else top + (rise + CRUDENESS) * spread
        return replace(self, low=max(self.low, top - CRUDENESS * spread), high=high)

    def may_win(self, mean: Array, most: Array) -> Mask:  # (m,), (m,) -> (m,)
        """Which rows with at most such moments are not beaten by one of these at both ends."""
        first, last = self.ends()
        at_low, at_high = first.ceiling(mean, most), last.ceiling(mean, most)
        if not len(self.rows):
            return np.ones(len(mean), dtype=bool)
        order = np.argsort(first(self.mean, self.std))
        lows = first(self.mean, self.std)[order]
        highs = np.maximum.accumulate(last(self.mean, self.std)[order][::-1])[::-1]
        place = np.searchsorted(lows, at_low, side="right")  # those from here are above at_low
        return at_high >= np.append(highs, -np.inf)[place]

    def add(self, rows: Index, mean: Array, std: Array, U: Array) -> Shortlist:
        """With these rows seen too; those that are beaten are dropped."""
        rows, U = np.concatenate([self.rows, rows]), np.concatenate([self.U, U])
        mean, std = np.concatenate([self.mean, mean]), np.concatenate([self.std, std])
        everything = Shortlist(self.low, self.high, rows, mean, std, U)
        kept = everything.may_win(mean, std)
        return Shortlist(self.low, self.high, rows[kept], mean[kept], std[kept], U[kept])

    def merge(self, other: Shortlist) -> Shortlist:
        """What both have seen, for every g* that both are made for."""
        return Shortlist(
            max(self.low, other.low),
            min(self.high, other.high),
            np.concatenate([self.rows, other.rows]),
            np.concatenate([self.mean, other.mean]),
            np.concatenate([self.std, other.std]),
            np.concatenate([self.U, other.U]),
        )

    def best(self, rule: ProbabilityOfImprovement) -> Maximum | None:
        """The best row; None where g* is none of those that it was made for."""
        if not self.low <= rule.reference <= self.high:
            return None
        nothing = BestRows.none(self.U.shape[1])
        return nothing.add(self.rows, rule(self.mean, self.std), self.U).maximum()


@final
@dataclass(frozen=True, eq=False)
class ShortlistWork:
    """Look for the maximum of a path, and for the rows among which PIMS will choose."""

    model: GaussianProcess
    paths: Paths  # one
    dimension: int
    n: int  # rows in all

    @cached_property
    def path(self) -> PathWork:
        return PathWork(self.paths, self.dimension)

    @cached_property
    def crude(self) -> CrudeMoments:
        return CrudeMoments(self.model)

    @cached_property
    def steps(self) -> list[FirstData]:
        return steps_by(self.model)

    @cached_property
    def usable(self) -> bool:
        """Whether path and moments can be had from one kernel matrix in single precision."""
        update = self.paths.shift.update
        same = update.reach.X is self.model.X and update.kernel is self.model.kernel
        return same and self.crude.usable and self.path.moved is not None

    def start(self) -> tuple[PathWinners, Shortlist]:
        return self.path.start(), Shortlist.none(self.dimension)

    def take(
        self, block: BlockLike, found: tuple[PathWinners, Shortlist]
    ) -> tuple[PathWinners, Shortlist]:
        winners, shortlist = found
        with small_blas(0):
            seen = in_chunks(self.glance, block.U)  # (m, 3): the path, the mean, the std
            winners = self.path.add(block, seen[:, :1], winners)
            shortlist = shortlist.between(seen[:, 0], self.n)
            rows = free_rows(block)
            mean, most = seen[rows, 1], seen[rows, 2]
            middle = ProbabilityOfImprovement(0.5 * (shortlist.low + shortlist.high))
            return winners, add_contenders(
                shortlist,
                block.U[rows],
                most,
                self.steps,
                promise=lambda _, some: middle.ceiling(mean[some], most[some]),
                may_win=lambda found, some: found.may_win(mean[some], most[some]),
                added=lambda found, some: self.added(block, rows[some], found),
            )

    def glance(self, U: Array) -> Array:  # (m, d) -> (m, 3)
        """The path, at least the mean and at least the std, in single precision."""
        cross = self.crude.cross(U)
        path = self.path.prior(U)
        self.paths.shift.mean.add_to(path, U)
        path += cross @ self.path.pull
        return np.column_stack([path, *self.crude.of_matrix(U, cross)])

    def added(self, block: BlockLike, rows: Index, found: Shortlist) -> Shortlist:
        """The shortlist with these rows, computed in double precision."""
        if not len(rows):
            return found
        U = block.U[rows]
        moments = in_chunks(lambda some: np.column_stack(self.model.look(some)), U)
        return found.add(block.numbers[rows], moments[:, 0], moments[:, 1], U)

    def merge(self, found: list[tuple[PathWinners, Shortlist]]) -> tuple[PathWinners, Shortlist]:
        shortlist = Shortlist.none(self.dimension)
        for _, one in found:
            shortlist = shortlist.merge(one)
        return self.path.merge([winners for winners, _ in found]), shortlist
