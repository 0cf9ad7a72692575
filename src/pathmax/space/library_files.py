"""The files of a library: which they are, and their row groups, read a batch at a time.

A file that changes while it is in use would make a suggestion out of two libraries. So each part
knows how large its file was and when it was written, and says so when that is no longer true.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, final

from pathmax.errors import DataFileError, MissingExtraError, SpaceError
from pathmax.scalars import type_of
from pathmax.space.library_columns import Batch, kind_of

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
    is_table, is_open = hasattr(path, "columns"), hasattr(path, "read")  # and no list of names
    named = isinstance(path, str | bytes | os.PathLike) or is_table or is_open
    if isinstance(path, Iterable) and not named:
        listed = [file for one in path for file in find_files(one)]
        if not listed:
            raise DataFileError("the list of Parquet files is empty; name at least one")
        refuse_twice(listed)
        return listed
    name = file_name(path)
    if "://" in name:
        raise DataFileError(
            f"{name}: files are read from the folders of this machine; copy them here, or leave "
            "them there: Candidates.from_dask(dask.dataframe.read_parquet(...))"
        )
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
        raise DataFileError(f"{name}: no file has such a name {looked_in(name)}")
    return files


def refuse_twice(files: Sequence[str]) -> None:
    """Refuse a file that is listed again, also under another name: its rows would be doubled."""
    known: set[str] = set()
    for file in files:
        there = os.path.realpath(file)
        if there in known:
            raise DataFileError(f"{file}: the list has this file twice; name it once")
        known.add(there)


def file_name(path: object) -> str:
    """The name of a file as text, or an error about what is none."""
    if not isinstance(path, str | os.PathLike):
        raise SpaceError(
            f"expected the name of a file, got {type_of(path)}; rows that are in memory "
            "go into Candidates(...) as they are"
        )
    return os.fspath(path)


def file_parts(
    files: Sequence[str], is_read: Callable[[str], bool]
) -> tuple[list[FilePart], list[str], bool, Any]:
    """The row groups of some files, the files that have any, whether their types are the same, and
    the schema in Arrow that holds the cells of all.

    Files agree in the columns that are read. One without rows need not: its types say nothing.
    """
    parquet, arrow_error = parquet_module()
    parts: list[FilePart] = []
    with_rows: list[str] = []
    schema: Any = None
    alike = True
    for path in files:
        try:
            stamp = stamp_of(path)
            with parquet.ParquetFile(path) as file:
                found, metadata = file.schema_arrow.remove_metadata(), file.metadata
                groups = [metadata.row_group(g).num_rows for g in range(metadata.num_row_groups)]
        except (arrow_error, OSError) as error:
            raise unreadable_file(path, error) from error
        if schema is None or (any(groups) and not with_rows):
            schema = found
        if not any(groups):
            continue
        with_rows.append(path)
        common = common_schema(path, found, with_rows[0], schema, is_read)
        alike = alike and common is schema
        schema = common
        first = 0
        for group, rows in enumerate(groups):
            if rows:
                parts.append(FilePart(path, group, first, rows, stamp))
            first += rows
    return parts, with_rows or list(files), alike, schema


def common_schema(
    path: str, found: Any, first: str, schema: Any, is_read: Callable[[str], bool]
) -> Any:
    """The schema that holds what is read of one more file, too.

    Files have the same columns in the same order, and in each of them numbers or text.
    """
    twice = next((name for name in found.names if found.names.count(name) > 1), None)
    if twice is not None:
        raise DataFileError(f"{path}: two columns are called {twice!r}; rename or drop one")
    here, there = ([name for name in one.names if is_read(name)] for one in (found, schema))
    if here != there:
        raise DataFileError(
            f"{path}: its columns are {', '.join(here)}, but those of {first} are "
            f"{', '.join(there)}; give all files the same columns in the same order, or ignore "
            "those that some do not have"
        )
    for name in there:
        one, other = found.field(name).type, schema.field(name).type
        if one == other:
            continue
        common = common_type(name, one, other)
        if common is None:
            raise DataFileError(
                f"{path}, column {name!r}: holds {one}, but {first} holds {other} there; write all "
                "files with the same types"
            )
        if common != other:
            schema = schema.set(schema.get_field_index(name), schema.field(name).with_type(common))
    return schema


def common_type(name: str, one: Any, other: Any) -> Any:
    """The type of Arrow that holds numbers of both types, or text of both; None without one."""
    from pyarrow import float64, int64, string

    try:
        kinds = {kind_of(name, kind, refuse_type) for kind in (one, other)}
    except DataFileError:
        return None
    if kinds == {"text"}:
        return string()
    if kinds == {"whole"}:
        return int64()
    return float64() if kinds <= {"whole", "real"} else None


def refuse_type(row: int | None, column: str | None, message: str) -> DataFileError:
    return DataFileError(f"{column}: {message}")


def stamp_of(path: str) -> tuple[int, int]:
    """The size of a file and when it was changed."""
    known = os.stat(path)
    return known.st_size, known.st_mtime_ns


def looked_in(path: str) -> str:
    return f"(looked in {os.path.dirname(os.path.abspath(path))})"


def unreadable_file(path: str, error: Exception) -> DataFileError:
    if isinstance(error, FileNotFoundError):
        return DataFileError(f"{path}: there is no such file {looked_in(path)}")
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
