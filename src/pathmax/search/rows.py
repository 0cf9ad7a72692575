"""The best row of a finite domain: every row is looked at, a chunk at a time.

Two passes make the choice the same whatever the chunk. The first goes through all rows, in single
precision where that is fast, and keeps one number a row. The second computes the rows that could
still be the best again, in double precision; of rows that are equal the first one wins. How far the
first pass can be wrong is measured on a sample of the rows.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from pathmax.arrays import Array, Index
from pathmax.gp.blas_threads import small_blas
from pathmax.search.domains import GridDomain, Maximum, Pool
from pathmax.search.scores import Score

CHUNK = 1024  # rows: the kernel matrix against 100 observations stays in the second-level cache
SAMPLE = 256  # rows on which the error of the first pass is measured
THREADS = min(4, os.cpu_count() or 1)  # NumPy lets go of the interpreter within a chunk

Rows = Pool | GridDomain


def maximize_rows(score: Score, domain: Rows, *, chunk: int = CHUNK) -> Maximum:
    """The row that may be chosen with the largest score; of equal ones the first."""
    free = domain.free  # raises when there are none
    values = np.empty(domain.cardinality)
    look = getattr(score, "approximate", score)

    def work(rows: Index) -> None:
        values[rows] = look(domain.points(rows))

    each_chunk(work, domain.cardinality, chunk)
    return refine(score, domain, free, values[free])


def refine(score: Score, domain: Rows, rows: Index, values: Array) -> Maximum:
    """The best of some rows by `score`, given its approximate values (m,) there."""
    sample = np.linspace(0, len(rows) - 1, min(SAMPLE, len(rows))).astype(np.intp)
    error = float(np.max(np.abs(score(domain.points(rows[sample])) - values[sample])))
    top = float(np.max(values))
    margin = 20.0 * error + 1e-9 * abs(top) + np.finfo(float).tiny
    close = rows[values >= top - margin]
    blocks = [close[i : i + CHUNK] for i in range(0, len(close), CHUNK)]
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
