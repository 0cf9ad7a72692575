"""What joint sample paths promise in a stream of rows: their front, or their best feasible row.

A part of the rows has a front of its own, and the front of all is that of these fronts together.
Where no row is feasible a second pass looks for the least violation, in units of how much each
constraint varies over all rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from pathmax.acquisition.path_columns import JointPaths
from pathmax.acquisition.targets import Targets, feasible_rows, targets_among
from pathmax.arrays import Array, Index
from pathmax.gp.blas_threads import small_blas
from pathmax.gp.freed_memory import keep_freed_memory
from pathmax.search.row_sources import BlockLike, RowSource
from pathmax.search.scores import RowScore
from pathmax.search.streams import highest, in_chunks
from pathmax.trials.pareto import pareto_mask


@final
@dataclass(frozen=True, eq=False)
class StreamFront:
    """The front of the rows seen so far, and the sums that their spread comes from."""

    rows: Index  # (P,)
    values: Array  # (P, K + J)
    U: Array  # (P, d)
    sums: Array  # (3, K + J): how many, their sum, the sum of their squares

    @staticmethod
    def of(rows: Index, values: Array, U: Array, sums: Array, K: int) -> StreamFront:
        """Of feasible rows those that no other one beats; of equal single objectives the first."""
        order = np.argsort(rows, kind="stable")
        rows, values, U = rows[order], values[order], U[order]
        if K == 1:
            kept = np.argmax(values[:, :1], axis=0) if len(rows) else np.empty(0, dtype=np.intp)
        else:
            kept = np.flatnonzero(pareto_mask(values[:, :K])) if len(rows) else np.arange(0)
        return StreamFront(rows[kept], values[kept], U[kept], sums)


@final
@dataclass(frozen=True, eq=False)
class FrontWork:
    """Look for the front of some paths among all rows within the bounds."""

    paths: JointPaths
    bounds: Array  # (J,)
    dimension: int

    @property
    def objectives(self) -> int:
        return len(self.paths) - len(self.bounds)

    def start(self) -> StreamFront:
        keep_freed_memory()
        k = len(self.paths)
        nothing = np.empty(0, dtype=np.intp), np.empty((0, k)), np.empty((0, self.dimension))
        return StreamFront(*nothing, np.zeros((3, k)))

    def take(self, block: BlockLike, found: StreamFront) -> StreamFront:
        with small_blas(0):
            values = in_chunks(self.paths, block.U)
        sums = np.stack([np.full(values.shape[1], len(values)), values.sum(0), (values**2).sum(0)])
        inside = feasible_rows(values, self.bounds)
        here = StreamFront.of(
            block.numbers[inside], values[inside], block.U[inside], sums, self.objectives
        )
        return self.merge([found, here])

    def merge(self, found: list[StreamFront]) -> StreamFront:
        rows = np.concatenate([one.rows for one in found])
        values = np.concatenate([one.values for one in found])
        U = np.concatenate([one.U for one in found])
        sums = np.asarray(np.sum([one.sums for one in found], axis=0))
        return StreamFront.of(rows, values, U, sums, self.objectives)


@final
@dataclass(frozen=True, eq=False)
class Satisfaction(RowScore):
    """By how much the worst constraint is kept, in units of its spread."""

    paths: JointPaths
    bounds: Array  # (J,)
    spreads: Array  # (J,)

    def __call__(self, U: Array) -> Array:  # (m, d) -> (m,)
        K = len(self.paths) - len(self.bounds)
        return np.asarray(((self.paths(U)[:, K:] - self.bounds) / self.spreads).min(axis=1))


def targets_in_stream(
    paths: JointPaths,
    source: RowSource,
    at_data: Array,  # (n, K + J)
    bounds: Array,  # (J,)
    rng: np.random.Generator,
    reference: Array | None,  # (K,)
) -> Targets:
    """The targets that one path of every outcome sets, over all rows."""
    found = source.run(FrontWork(paths, bounds, source.dimension))
    rows, values, U = found.rows, found.values, found.U
    spreads = None
    if not len(rows):
        count, total, squares = found.sums[:, len(paths) - len(bounds) :]
        varied = np.sqrt(np.maximum(squares / count - (total / count) ** 2, 0.0))
        spreads = np.where(varied > 0.0, varied, 1.0)
        best = highest(source, Satisfaction(paths, bounds, spreads))
        assert best.index is not None, "rows have numbers"
        rows, U = np.array([best.index]), best.u[None]
        values = paths(U)
    targets = targets_among(
        values, lambda some: U[some], at_data, bounds, rng, reference=reference, spreads=spreads
    )
    assert targets.index is not None and targets.rows is not None, "they are numbered"
    return replace(targets, index=int(rows[targets.index]), rows=rows[targets.rows])
