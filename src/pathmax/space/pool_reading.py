"""The rows of a pool: which columns and rows of a table, a CSV file or a Parquet file are used."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, final

from numpy.typing import NDArray

from pathmax.errors import DataFileError, PathmaxError, SpaceError
from pathmax.space.candidate_rows import CandidateRows, chosen_columns
from pathmax.space.checks import flag
from pathmax.space.columns import Refusal
from pathmax.space.incomplete_rows import leave_out
from pathmax.space.library import Library
from pathmax.space.library_columns import Kind
from pathmax.space.library_files import file_name, parquet_module, unreadable_file
from pathmax.space.library_workers import Workers
from pathmax.space.molecules import without_invalid
from pathmax.space.raw_tables import is_pandas_index, raw_columns

__all__ = ["FilePath", "PoolReading", "refusal_of", "refuse_place"]

FilePath: TypeAlias = str | os.PathLike[str]
RawColumns: TypeAlias = Mapping[str, NDArray[Any]]
Read: TypeAlias = tuple[CandidateRows, int]  # and how many rows were left out


@final
@dataclass(frozen=True)
class PoolReading:
    """What is wanted of a table; see `Candidates`."""

    id: str | None
    features: Sequence[str] | None
    ignore: Sequence[str]
    skip_incomplete: bool
    smiles: str | None = None

    def rows(self, given: object) -> Read:
        """The rows of a table in memory."""
        return self._read(self._without_ignored(raw_columns(given, self.features)), refuse_place)

    def of_csv(self, path: FilePath) -> Read:
        """The rows of a CSV file or a sheet."""
        from pathmax.tables import read_table, whole_numbers
        from pathmax.tables.workbook import split_sheet

        named = [name for name in (self.id, self.smiles) if name is not None]
        file = file_name(path)
        if ("*" in file or "?" in file) and not os.path.exists(split_sheet(file)[0]):
            raise DataFileError(
                f"{file}: a pattern stands for Parquet files; put the tables into one, or write "
                "them as Parquet"
            )
        table = read_table(file, text=[*named, *self.ignore])
        columns = self._without_ignored(table.columns)
        return self._read(columns, table.error, whole_numbers)

    def of_parquet(self, files: FilePath | Sequence[str], name: str, schema: Any = None) -> Read:
        """The rows of a Parquet file, of a folder of them, or of some files.

        schema: what all files are read as, where their types differ.
        """
        parquet, arrow_error = parquet_module()
        refuse = refusal_of(name)
        try:
            file = parquet.ParquetDataset(files, schema=schema)
            there = [name for name in file.schema.names if self.may_read(name)]
            table = file.read(columns=self.used(there, refuse))
        except (arrow_error, OSError) as error:
            raise unreadable_file(name, error) from error
        return self._read(raw_columns(table), refuse)

    def _read(
        self,
        columns: RawColumns,
        refuse: Refusal,
        narrowed: Callable[[NDArray[Any]], NDArray[Any]] | None = None,
    ) -> Read:
        """The rows of columns; what is left after skipping some may be `narrowed`."""
        skipped = 0
        if self.skip_incomplete:
            chosen = chosen_columns(list(columns), self.id, self.features, refuse)
            used = [*chosen, *([] if self.id is None else [self.id])]
            if self.smiles is not None and self.smiles in columns:
                molecules = without_invalid(columns[self.smiles])
                columns = {n: molecules if n == self.smiles else c for n, c in columns.items()}
            columns, refuse, skipped = leave_out(columns, used, refuse)
            if narrowed is not None:
                columns = {name: narrowed(column) for name, column in columns.items()}
        return CandidateRows(columns, self.id, self.features, refuse, self.smiles), skipped

    def may_read(self, column: str) -> bool:
        """Whether a column of a Parquet file counts: not one to ignore, nor pandas' row numbers."""
        return column not in self.ignore and not is_pandas_index(column)

    def reads(self, column: str) -> bool:
        """Whether a column of a Parquet file would be read, if it is there."""
        named = self.features is None or column in (self.id, *self.features)
        return named and self.may_read(column)

    def used(self, there: list[str], refuse: Refusal) -> list[str]:
        """Which of the columns that are there a library has, in order."""
        chosen_columns(there, self.id, self.features, refuse)
        named = [] if self.id is None else [self.id]
        return there if self.features is None else [*named, *self.features]

    def left_in_place(
        self, parts: Sequence[Any], kinds: Mapping[str, Kind], refuse: Refusal, workers: Workers
    ) -> tuple[Library, int]:
        """Rows that are gone through where they lie, and how many were left out."""
        how = {"skip_incomplete": self.skip_incomplete}
        library = Library(parts, kinds, self.id, self.features, refuse, workers, **how)
        return library, library.skipped

    def check(self) -> None:
        """Refuse one name where a list is meant, words where yes or no is, and idle molecules."""
        flag("Candidates", self.skip_incomplete, "skip_incomplete")
        if isinstance(self.ignore, str):
            raise SpaceError(
                f"ignore must be a list of columns such as [{self.ignore!r}], got {self.ignore!r}"
            )
        if self.smiles is not None and self.smiles == self.id:
            raise SpaceError(
                f"{self.id}: molecules are learnt from and the id is not; leave out the id, rows "
                "are found by their SMILES"
            )

    def refuse_molecules(self, remedy: str) -> None:
        """Refuse molecules among rows that stay where they are."""
        if self.smiles is not None:
            raise SpaceError(
                "molecules are for pools that are held, since each is compared with those that "
                f"were tried; {remedy}, or give columns of descriptors"
            )

    def _without_ignored(self, columns: RawColumns) -> RawColumns:
        self.check()
        return {name: column for name, column in columns.items() if name not in self.ignore}


def refusal_of(file: str) -> Refusal:
    """Errors that name a file."""

    def refuse(row: int | None, column: str | None, message: str) -> PathmaxError:
        return DataFileError(f"{_place(file, row, column)}: {message}")

    return refuse


def _place(file: str | None, row: int | None, column: str | None) -> str:
    parts = [] if file is None else [file]
    parts += [] if row is None else [f"row {row}"]
    parts += [] if column is None else [f"column {column!r}"]
    return ", ".join(parts)


def refuse_place(row: int | None, column: str | None, message: str) -> PathmaxError:
    """An error about rows that are in no file."""
    place = _place(None, row, column)
    return SpaceError(f"{place}: {message}" if place else message)
