"""The files of a library: which they are, and their row groups, read a batch at a time.

A file that changes while it is in use would make a suggestion out of two libraries. So each part
knows how large its file was and when it was written, and says so when that is no longer true.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, final

from pathmax.errors import DataFileError, MissingExtraError
from pathmax.space.library_columns import Batch

__all__ = ["FilePart", "Part", "file_parts", "find_files", "parquet_module"]

PARQUET_ENDINGS = (".parquet", ".pq")
Path = str | os.PathLike[str]


class Part(Protocol):
    """Rows of a library that lie together, wherever that is."""

    @property
    def place(self) -> str:
        """Where they are, in words."""

    @property
    def first(self) -> int:
        """The number of the first row in that place."""

    def batches(self, columns: Sequence[str], size: int) -> Iterator[Batch]:
        """The rows in order, at most so many at a time."""


@final
@dataclass(frozen=True)
class FilePart:
    """A row group of a Parquet file."""

    path: str
    group: int
    first: int
    rows: int
    stamp: tuple[int, int]  # size and time of change, as it was when the library was opened

    @property
    def place(self) -> str:
        return self.path

    def batches(self, columns: Sequence[str], size: int) -> Iterator[Batch]:
        parquet, arrow_error = parquet_module()
        try:
            if stamp_of(self.path) != self.stamp:
                raise DataFileError(
                    f"{self.path}: the file has changed since the library was opened; open it "
                    "again: Candidates.from_parquet(...), or run the command again"
                )
            with parquet.ParquetFile(self.path) as file:
                groups = file.iter_batches(size, row_groups=[self.group], columns=list(columns))
                for batch in groups:
                    yield Batch(batch)
        except (arrow_error, OSError) as error:
            raise unreadable_file(self.path, error) from error


def find_files(path: Path | Sequence[Path]) -> list[str]:
    """The Parquet files that a name, a folder or a pattern such as `library/*.parquet` means."""
    if not isinstance(path, str | os.PathLike):
        return [file for one in path for file in find_files(one)]
    name = os.fspath(path)
    if os.path.isdir(name):
        found = glob.glob(os.path.join(glob.escape(name), "**", "*"), recursive=True)
        files = sorted(
            f for f in found if f.lower().endswith(PARQUET_ENDINGS) and os.path.isfile(f)
        )
        if not files:
            raise DataFileError(f"{name}: there is no Parquet file in this folder")
        return files
    if os.path.exists(name) or not glob.has_magic(name):
        return [name]
    files = sorted(f for f in glob.glob(name, recursive=True) if os.path.isfile(f))
    if not files:
        raise DataFileError(f"{name}: no file has such a name")
    return files


def file_parts(files: Sequence[str]) -> tuple[list[FilePart], Any]:
    """The row groups of some files that have the same columns, and their schema in Arrow."""
    parquet, arrow_error = parquet_module()
    parts: list[FilePart] = []
    schema: Any = None
    for path in files:
        try:
            stamp = stamp_of(path)
            with parquet.ParquetFile(path) as file:
                found, metadata = file.schema_arrow.remove_metadata(), file.metadata
                groups = [metadata.row_group(g).num_rows for g in range(metadata.num_row_groups)]
        except (arrow_error, OSError) as error:
            raise unreadable_file(path, error) from error
        schema = found if schema is None else schema
        check_schema(path, found, files[0], schema)
        first = 0
        for group, rows in enumerate(groups):
            if rows:
                parts.append(FilePart(path, group, first, rows, stamp))
            first += rows
    return parts, schema


def check_schema(path: str, found: Any, first: str, schema: Any) -> None:
    """All files of a library have the same columns, in the same order, of the same types."""
    if found.names != schema.names:
        raise DataFileError(
            f"{path}: its columns are {', '.join(found.names)}, but those of {first} are "
            f"{', '.join(schema.names)}; give all files the same columns"
        )
    for name in schema.names:
        if found.field(name).type != schema.field(name).type:
            raise DataFileError(
                f"{path}, column {name!r}: holds {found.field(name).type}, but {first} holds "
                f"{schema.field(name).type} there; write all files with the same types"
            )


def stamp_of(path: str) -> tuple[int, int]:
    """The size of a file and when it was changed."""
    known = os.stat(path)
    return known.st_size, known.st_mtime_ns


def unreadable_file(path: str, error: Exception) -> DataFileError:
    return DataFileError(f"{path}: cannot be read as Parquet: {error}")


def parquet_module() -> tuple[Any, Any]:
    """Arrow's module for Parquet, and what it raises; pathmax[parquet] has it."""
    try:
        from pyarrow import ArrowException, parquet
    except ImportError as error:
        raise MissingExtraError(
            "reading Parquet needs pyarrow, which is not installed; "
            'run: pip install "pathmax[parquet]"'
        ) from error
    return parquet, ArrowException
