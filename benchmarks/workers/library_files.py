"""The same library of Parquet files for every benchmark, and its first 100 results."""

from __future__ import annotations

import os

import numpy as np

import pathmax

PER_FILE = 1_000_000
PER_GROUP = 250_000


def write_library(folder: str, rows: int, d: int) -> str:
    """Write uniform rows, a million to a file; the pattern of the files."""
    import pyarrow as pa
    from pyarrow import parquet

    os.makedirs(folder, exist_ok=True)
    for number, start in enumerate(range(0, rows, PER_FILE)):
        U = np.random.default_rng([0, number]).random((min(PER_FILE, rows - start), d))
        table = pa.table({f"x{j}": U[:, j] for j in range(d)})
        path = os.path.join(folder, f"part-{number:05d}.parquet")
        parquet.write_table(table, path, row_group_size=PER_GROUP)
    return os.path.join(folder, "*.parquet")


def study_with_results(pool: pathmax.Candidates, n: int) -> pathmax.Study:
    """A study of the pool with n results at random rows."""
    study = pathmax.Study(pool, direction="maximize", seed=0, initial=1)
    tried = np.random.default_rng(1).choice(len(pool), n, replace=False)
    rows = pool.params_of(tried.tolist())
    X = np.array([list(row.values()) for row in rows])
    values = np.cos(4.0 * (X - 0.4)).sum(axis=1) - 3.0 * ((X - 0.4) ** 2).sum(axis=1)
    for row, value in zip(rows, values.tolist(), strict=True):
        study.add(row, value)
    return study
