"""Finite domains, and their best row: every row is looked at, a chunk at a time.

Two passes make the choice the same whatever the chunk. The first goes through all rows, in single
precision where that is fast, and keeps one number a row. The second computes the rows that could
still be the best again, in double precision; of rows that are equal the first one wins. How far the
first pass can be wrong is measured on a sample of the rows.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pathmax.arrays import Array, Index, Mask
from pathmax.errors import ModelError
from pathmax.gp.blas_threads import small_blas
from pathmax.search.domains import FiniteDomain, Maximum, Task, as_mask
from pathmax.search.scores import RowScore

ROWS_AT_ONCE = 1024  # the kernel matrix against 100 observations stays in the cache
SAMPLE = 256  # rows on which the error of the first pass is measured
THREADS = min(4, os.cpu_count() or 1)  # NumPy releases the interpreter lock within a chunk


@final
@dataclass(frozen=True, eq=False)
class Pool(FiniteDomain):
    """The rows of a table. `excluded`: a mask (N,) or the numbers of rows not to choose.

    `is_part`: whether they are those of a larger one with a given value of some coordinate.
    """

    U: NDArray[np.floating]  # (N, d), float64 or float32
    excluded: Mask | Sequence[int] | None = field(default=None, repr=False)
    is_part: bool = False

    def __post_init__(self) -> None:
        if self.U.ndim != 2 or not len(self.U):
            raise ModelError(f"a pool needs rows of coordinates, shape (N, d), got {self.U.shape}")
        object.__setattr__(self, "excluded", as_mask(self.excluded, len(self.U)))

    @property
    def dimension(self) -> int:
        return int(self.U.shape[1])

    @property
    def cardinality(self) -> int:
        return len(self.U)

    @property
    def is_slice(self) -> bool:
        return self.is_part

    @property
    def axis_values(self) -> None:
        return None

    def points(self, index: ArrayLike) -> Array:  # (m,) -> (m, d)
        return np.asarray(self.U[np.asarray(index)], dtype=float)

    def project(self, U: Array) -> Array:  # (m, d) -> (m, d)
        return self.points([int(np.argmin(((self.U - u) ** 2).sum(axis=1))) for u in U])

    def whole(self) -> Pool:
        return replace(self, excluded=None)

    def search(self, task: Task) -> Maximum:
        return maximize_rows(task.score, self)


@final
@dataclass(frozen=True, eq=False)
class GridDomain(FiniteDomain):
    """The product of lists of coordinates. `excluded`: a mask (N,) or the numbers of points."""

    values: Sequence[Array]
    excluded: Mask | Sequence[int] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        values = tuple(np.asarray(v, dtype=float).reshape(-1) for v in self.values)
        if not values or not all(len(v) for v in values):
            sizes = [len(v) for v in values]
            raise ModelError(
                f"a grid needs at least one axis, and a value on every axis, got axes of {sizes}"
            )
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "excluded", as_mask(self.excluded, self.cardinality))

    @property
    def dimension(self) -> int:
        return len(self.values)

    @property
    def shape(self) -> tuple[int, ...]:
        """How many values each axis has."""
        return tuple(len(v) for v in self.values)

    @property
    def cardinality(self) -> int:
        return math.prod(self.shape)

    @property
    def is_slice(self) -> bool:
        return 1 in self.shape

    @property
    def axis_values(self) -> Sequence[Array]:
        return self.values

    def points(self, index: ArrayLike) -> Array:  # (m,) -> (m, d)
        places = np.unravel_index(np.asarray(index, dtype=np.intp).reshape(-1), self.shape)
        return np.stack([v[place] for v, place in zip(self.values, places, strict=True)], axis=1)

    def project(self, U: Array) -> Array:  # (m, d) -> (m, d)
        nearest = [
            values[np.argmin(np.abs(values - column[:, None]), axis=1)]
            for values, column in zip(self.values, U.T, strict=True)
        ]
        return np.stack(nearest, axis=1)

    def whole(self) -> GridDomain:
        return replace(self, excluded=None)

    def search(self, task: Task) -> Maximum:
        return maximize_rows(task.score, self)


def maximize_rows(score: RowScore, domain: FiniteDomain, *, chunk: int = ROWS_AT_ONCE) -> Maximum:
    """The row that may be chosen with the largest score; of equal ones the first."""
    free = domain.free  # raises when there are none
    values = np.empty(domain.cardinality)

    def work(rows: Index) -> None:
        values[rows] = score.approximate(domain.points(rows))

    each_chunk(work, domain.cardinality, chunk)
    return refine(score, domain, free, values[free])


def refine(score: RowScore, domain: FiniteDomain, rows: Index, values: Array) -> Maximum:
    """The best of some rows by `score`, given its approximate values (m,) there."""
    sample = np.linspace(0, len(rows) - 1, min(SAMPLE, len(rows))).astype(np.intp)
    error = float(np.max(np.abs(score(domain.points(rows[sample])) - values[sample])))
    top = float(np.max(values))
    margin = 20.0 * error + 1e-9 * abs(top) + np.finfo(float).tiny
    close = rows[values >= top - margin]
    blocks = [close[i : i + ROWS_AT_ONCE] for i in range(0, len(close), ROWS_AT_ONCE)]
    exact = np.concatenate([score(domain.points(block)) for block in blocks])
    best = float(np.max(exact))
    # equal rows may differ by rounding: BLAS does not sum all rows of a block in one order
    equal = exact >= best - 1e-12 * abs(best) - np.finfo(float).tiny
    winner = int(close[np.flatnonzero(equal)[0]])
    return Maximum(domain.points([winner])[0], best, winner)


def each_chunk(work: Callable[[Index], None], size: int, chunk: int) -> None:
    """Call `work` with the numbers of the rows of every chunk, in a few threads."""
    parts = [np.arange(start, min(start + chunk, size)) for start in range(0, size, chunk)]
    if len(parts) < 4 or THREADS == 1:
        for part in parts:
            work(part)
        return
    with small_blas(0), ThreadPoolExecutor(THREADS) as threads:  # no threads within threads
        for _ in threads.map(work, parts):
            pass
