"""Parquet files as a pool: held while they are small, else gone through where they lie."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from pathmax.errors import DataFileError, PathmaxError, SpaceError
from pathmax.space.candidate_rows import CandidateRows
from pathmax.space.checks import flag
from pathmax.space.columns import Refusal
from pathmax.space.library import Library
from pathmax.space.library_columns import kind_of
from pathmax.space.library_files import FilePart, file_parts, find_files
from pathmax.space.library_workers import OnExecutor, Threads
from pathmax.space.pool_reading import FilePath, PoolReading, refusal_of

__all__ = ["read_parquet"]

# Larger tables stay in their files: held, 20 million cells take 160 MB as they are, in double
# precision, and 80 MB as coordinates, in single precision.
MOST_HELD_CELLS = 20_000_000


def read_parquet(
    wanted: PoolReading,
    path: FilePath | Sequence[FilePath],
    stream: bool | None,
    executor: Any,
) -> tuple[CandidateRows | Library, int]:
    """The rows of some files, held or not, and how many were left out."""
    wanted.check()
    stream = None if stream is None else flag("Candidates", stream, "stream")
    if executor is not None and stream is False:
        raise SpaceError(
            "an executor goes through files that are not held; leave out stream=False, or the "
            "executor"
        )
    found = find_files(path)
    parts, files, alike, schema = file_parts(found, wanted.reads)
    name = os.fspath(path) if isinstance(path, str | os.PathLike) else found[0]
    there = [n for n in schema.names if wanted.may_read(n)]
    if stream is None:
        stream = executor is not None or sum(p.rows for p in parts) * len(there) > MOST_HELD_CELLS
    if not stream:
        if not alike:
            check_folders(files, refusal_of(name), "write all files with the same types")
        whole_folder = os.path.isdir(name) and files == found
        common = None if alike else schema
        return wanted.of_parquet(name if whole_folder else files, name, common)
    wanted.refuse_molecules("give stream=False")
    refuse = refusal_of(name)
    check_folders(files, refuse, "hold the rows with stream=False")
    used = wanted.used(there, refuse)
    kinds = {n: kind_of(n, schema.field(n).type, refuse) for n in used}
    workers = Threads() if executor is None else OnExecutor(executor)
    return wanted.left_in_place(parts, kinds, located(parts, refuse), workers)


def located(parts: Sequence[FilePart], refuse: Refusal) -> Refusal:
    """Errors that name a row by its file and its number there; those that are skipped count too."""

    def of_part(row: int | None, column: str | None, message: str) -> PathmaxError:
        if row is None:
            return refuse(row, column, message)
        before = 0
        for part in parts:
            if row < before + part.rows:
                place = f"{part.path}, row {part.first + row - before}"
                place += "" if column is None else f", column {column!r}"
                return DataFileError(f"{place}: {message}")
            before += part.rows
        return refuse(row, column, message)

    return of_part


def check_folders(files: Sequence[str], refuse: Refusal, remedy: str) -> None:
    """Refuse files whose folders carry a column (`year=2025/a.parquet`), which they do not hold."""
    for file in files:
        for folder in os.path.normpath(file).split(os.sep)[:-1]:
            if "=" in folder:
                raise refuse(
                    None,
                    None,
                    f"the folder {folder!r} stands for a column that the files in it do not hold; "
                    f"write the column into the files, or {remedy}",
                )
