"""Candidates: a list of rows to choose from, such as a library of molecules or of alloys.

The coordinates of a row are its feature columns: numbers scaled to [0, 1] by the least and the
greatest of the pool, text as the position of its category. The id column names a row and is not
learnt from.

Rows with the same features are twins: the model cannot tell them apart, so only the first of them
is ever suggested, unless the study is allowed replicates. A result told for one counts for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathmax.arrays import Array, Index, Mask
from pathmax.errors import ParamsError, PathmaxError, SpaceError
from pathmax.scalars import Scalar
from pathmax.space import pool_reading
from pathmax.space.axes import Axis
from pathmax.space.candidate_rows import CandidateRows
from pathmax.space.checks import checked_contexts
from pathmax.space.dask_pool import read_dask
from pathmax.space.differences import changed_pool
from pathmax.space.known_constraints import (
    Known,
    Rule,
    nothing_left,
)
from pathmax.space.library import Library
from pathmax.space.library_blocks import LibraryReading, count_rows
from pathmax.space.library_identity import chained, is_library
from pathmax.space.parameter_space import ParameterSpace
from pathmax.space.parquet_pool import read_parquet
from pathmax.space.pool_reading import FilePath
from pathmax.space.sentence_columns import ColumnTable, ListedColumn
from pathmax.space.sentence_parts import Variable

__all__ = ["Candidates"]


# Larger pools are encoded in single precision: 10^6 rows of 10 features take 40 MB, not 80, and a
# coordinate is off by at most 3e-8 of its range, far below what any kernel resolves.
MAX_DOUBLE_CELLS = 2_000_000
# Smaller pools travel with the study (about 1 MB of JSON), larger ones only as a fingerprint.
MAX_STORED_CELLS = 50_000
NO_ROW = (
    "no row has this context and may be tried; give one that a row of the pool or grid has, or add "
    "rows with it"
)


class Candidates(ParameterSpace):
    """A finite list of candidates: which of these rows next?

    Args:
        rows: a list of dicts, a dict of columns, a 2-D array, or a pandas, polars or pyarrow table.
        id: the column that names a row. It is part of every suggestion and is not learnt from.
        features: the columns to learn from; all but the id when left out. Others are dropped.
            For a plain array, the names of its columns (x0, x1, ... when left out).
        ignore: columns to drop, such as a price or a supplier; those that are not there are passed
            over. Shorter than `features` where most columns are to be learnt from.
        skip_incomplete: whether to leave out rows with a missing cell, which are an error
            otherwise; `skipped` says how many there were.
        smiles: the column that holds molecules as SMILES, which are learnt from by their structure
            (`pathmax[molecules]`).
        where: what is known beforehand about which rows can be tried: sentences about the columns,
            or functions of params. Rows that do not obey are never suggested.
        context: feature columns that are given and not chosen: a suggestion is a row with the
            values that `ask(context=...)` names.

    >>> pool = Candidates([{"ligand": "XPhos", "load": 1.0}, {"ligand": "SPhos", "load": 2.5}])
    >>> len(pool), pool.params(1)
    (2, {'ligand': 'SPhos', 'load': 2.5})
    """

    def __init__(
        self,
        rows: object,
        id: str | None = None,
        features: Sequence[str] | None = None,
        ignore: Sequence[str] = (),
        skip_incomplete: bool = False,
        where: Sequence[Rule] = (),
        context: Sequence[str] = (),
        smiles: str | None = None,
    ) -> None:
        wanted = pool_reading.PoolReading(id, features, ignore, skip_incomplete, smiles)
        self._hold(*wanted.rows(rows), where, context)

    def _hold(
        self,
        rows: CandidateRows | Library,
        skipped: int,
        where: Sequence[Rule],
        context: Sequence[str],
    ) -> Candidates:
        self._rows, self.skipped = rows, skipped
        self._where = Known.read(where, self._variables())
        self._context = checked_contexts(context, self.searched_names, "a feature column")
        self._held: dict[int, float] = {}
        self._whole: Candidates | None = None
        return self

    @property
    def context_names(self) -> tuple[str, ...]:
        """The feature columns that are given and not chosen."""
        return self._context

    def given(self, values: Mapping[str, object]) -> Candidates:
        """The same rows, of which those with these values may be chosen."""
        pool = self.knowing(self.where.rules)
        pool._held, pool._whole = dict(self._held), self.unheld
        if self.library is None:
            vars(pool)["_encoded"] = self._encoded
        names = self.searched_names
        for name, value in values.items():
            column = names.index(name)
            row = self._rows.first_with(name, value)
            pool._held[column] = float(self.encode_rows([row])[0, column])
        return pool

    @property
    def unheld(self) -> Candidates:
        """The same with all rows to choose from."""
        return self if self._whole is None else self._whole

    @property
    def narrowed(self) -> bool:
        """Whether some rows cannot be chosen, tried or not."""
        return bool(self.where) or bool(self._held)

    @property
    def where(self) -> Known:
        """What is known about which rows can be tried."""
        return self._where

    def knowing(self, where: Sequence[Rule]) -> Candidates:
        """The same rows with these known constraints and no others."""
        return Candidates.__new__(Candidates)._hold(self._rows, self.skipped, where, self._context)

    def _variables(self) -> dict[str, Variable]:
        id, columns = self._rows.id, self._rows.columns
        return {
            name: Variable(() if name == id else column.categories)
            for name, column in columns.items()
        }

    @property
    def library(self) -> Library | None:
        """The rows, where they are too many to be held and are gone through a block at a time."""
        return self._rows if isinstance(self._rows, Library) else None

    @property
    def _table(self) -> CandidateRows:
        if isinstance(self._rows, Library):
            raise SpaceError(
                f"the {len(self)} rows of this pool stay where they are, so that there is no array "
                "over all of them; hold them with stream=False if they fit into memory"
            )
        return self._rows

    @cached_property
    def reading(self) -> LibraryReading:
        """How the rows of a library that may be chosen are read."""
        assert self.library is not None, "a pool that is held has a mask"
        return self.library.reading(self.where, self._held)

    @cached_property
    def allowed_counts(self) -> list[int]:
        """How many rows of each part of a library may be chosen."""
        library = self.library
        assert library is not None, "a pool that is held has a mask"
        if not self.narrowed:
            return [end - start for start, end in zip(library.starts, library.ends, strict=True)]
        counts = library.each(count_rows, [self.reading] * len(library.parts))
        if not any(counts):
            raise self._nothing_left
        return counts

    @property
    def _nothing_left(self) -> PathmaxError:
        return ParamsError(NO_ROW) if self._held else nothing_left(self.where, "rows of the pool")

    @cached_property
    def allowed(self) -> Mask:  # (N,)
        """Which rows may be chosen: by the known constraints, and where a context is given."""
        columns: dict[str, Array | ListedColumn] = {}
        for name in {name for sentence in self.where.sentences for name in sentence.names}:
            column = self._table.columns[name]
            if column.categories is not None:
                columns[name] = ListedColumn(column.categories, column.values.astype(np.intp))
            elif name == self.id:
                columns[name] = ListedColumn(column.values.tolist(), np.arange(len(self)))
            else:
                columns[name] = column.values.astype(float)
        allowed = self.where.mask(ColumnTable(len(self), columns), self.params)
        if not allowed.any():
            raise nothing_left(self.where, "rows of the pool")
        for i, u in self._held.items():
            allowed = allowed & (self._encoded[:, i] == u)
        if not allowed.any():
            raise ParamsError(NO_ROW)
        return allowed

    @cached_property
    def allowed_rows(self) -> Index:
        """The numbers of the rows that the known constraints allow."""
        return np.flatnonzero(self.allowed)

    @cached_property
    def encoded_allowed(self) -> NDArray[np.floating[Any]]:  # (n, d)
        """The coordinates of those rows, computed once."""
        return self._encoded[self.allowed_rows] if self.narrowed else self._encoded

    @classmethod
    def from_csv(
        cls,
        path: FilePath,
        id: str | None = None,
        features: Sequence[str] | None = None,
        ignore: Sequence[str] = (),
        skip_incomplete: bool = False,
        where: Sequence[Rule] = (),
        context: Sequence[str] = (),
        smiles: str | None = None,
    ) -> Candidates:
        """The rows of a CSV file, or of a sheet (`library.xlsx#Tested`) with `pathmax[excel]`.

        Ids are kept as they are written ("007").
        """
        wanted = pool_reading.PoolReading(id, features, ignore, skip_incomplete, smiles)
        return cls.__new__(cls)._hold(*wanted.of_csv(path), where, context)

    @classmethod
    def from_parquet(
        cls,
        path: FilePath | Sequence[FilePath],
        id: str | None = None,
        features: Sequence[str] | None = None,
        ignore: Sequence[str] = (),
        skip_incomplete: bool = False,
        where: Sequence[Rule] = (),
        context: Sequence[str] = (),
        smiles: str | None = None,
        *,
        stream: bool | None = None,
        executor: Any = None,
    ) -> Candidates:
        """The rows of a Parquet file, of a folder of them, or of all that a pattern names.

        Needs `pathmax[parquet]`. `library/*.parquet` is a pattern; rows are numbered file by file,
        in the order of their names. The row numbers that pandas stores are left out.

        Args:
            path: a file, a folder, a pattern, or a list of these.
            id, features, ignore, skip_incomplete, where, context, smiles: as ever.
            stream: whether rows stay in their files and are gone through a block at a time for
                every suggestion, in memory that does not grow with them; left out, when there are
                more than 20 million cells. The choice is the same.
            executor: a Dask client, or a `concurrent.futures.Executor`, whose workers go through
                the files, which they must be able to read; each has row groups of its own.
        """
        wanted = pool_reading.PoolReading(id, features, ignore, skip_incomplete, smiles)
        read = read_parquet(wanted, path, stream, executor, MAX_DOUBLE_CELLS)
        return cls.__new__(cls)._hold(*read, where, context)

    @classmethod
    def from_dask(
        cls,
        frame: object,
        id: str | None = None,
        features: Sequence[str] | None = None,
        ignore: Sequence[str] = (),
        skip_incomplete: bool = False,
        where: Sequence[Rule] = (),
        context: Sequence[str] = (),
        *,
        client: object = None,
    ) -> Candidates:
        """The rows of a `dask.dataframe`, whose partitions stay with the workers that have them.

        Rows are numbered partition by partition. The choice is that of the same rows on one
        machine, however they are cut into partitions, and whichever worker is lost on the way.
        `client` is the one to work with, by default the last that was made.
        """
        wanted = pool_reading.PoolReading(id, features, ignore, skip_incomplete)
        read = read_dask(wanted, frame, client, MAX_DOUBLE_CELLS)
        return cls.__new__(cls)._hold(*read, where, context)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of a suggestion, the id included, in order."""
        return tuple(self._rows.columns)

    @property
    def id(self) -> str | None:
        """The column that names a row."""
        return self._rows.id

    @property
    def smiles(self) -> str | None:
        """The column of molecules."""
        return self._rows.smiles

    @property
    def searched_names(self) -> tuple[str, ...]:
        """The feature column of each coordinate."""
        return tuple(column.name for column in self._rows.features)

    @property
    def dimension(self) -> int:
        """d, the number of feature columns."""
        return len(self._rows.features)

    @cached_property
    def axes(self) -> tuple[Axis, ...]:
        """What each coordinate is."""
        return tuple(
            Axis("float")
            if column.categories is None
            else Axis(
                "categorical",
                np.arange(len(column.categories), dtype=np.float64),
                molecules=column.molecules,
            )
            for column in self._rows.features
        )

    @property
    def cardinality(self) -> int:
        """How many different rows there are that may be tried, twins counted once if held."""
        if self.library is not None:
            return sum(self.allowed_counts)
        if self.narrowed:
            return int(np.count_nonzero(self.free()))
        return len(self) - int(np.count_nonzero(self.repeated))

    def params(self, index: int) -> dict[str, Scalar]:
        """Row `index` as it was given, the id included."""
        return self._rows.row(index)

    def params_of(self, indices: Sequence[int]) -> list[dict[str, Scalar]]:
        """Some rows as they were given."""
        return self._rows.rows(indices)

    def remember(self, many: Iterable[Mapping[str, object]]) -> None:
        """Find many rows at once; only worth it where they are not held."""
        self._rows.remember(many)

    def index(self, params: Mapping[str, object]) -> int:
        """The row that `params` are: by its id if there is one, else by its features."""
        return self._rows.find(params)

    def validate(self, params: Mapping[str, object]) -> dict[str, Scalar]:
        """The row of the pool that `params` are, or a `ParamsError`."""
        return self.params(self.index(params))

    @cached_property
    def _encoded(self) -> NDArray[np.floating[Any]]:  # (N, d)
        double = len(self) * self.dimension <= MAX_DOUBLE_CELLS
        encoded = np.empty((len(self), self.dimension), np.float64 if double else np.float32)
        for j, column in enumerate(self._table.features):
            encoded[:, j] = column.scaled()
        encoded.flags.writeable = False
        return encoded

    def encode_all(self) -> NDArray[np.floating[Any]]:  # -> (N, d)
        """The coordinates of every row, computed once; in single precision for large pools."""
        return self._encoded

    def encode_rows(self, indices: Sequence[int] | Index) -> Array:  # m rows -> (m, d)
        """The coordinates of some rows."""
        rows = np.asarray(indices, dtype=np.intp)
        if self.library is not None:
            return self.library.points(rows)
        return self._encoded[rows].astype(np.float64).reshape(-1, self.dimension)

    def encode(self, params: Mapping[str, object]) -> Array:  # -> (d,)
        """The coordinates of the row that `params` are."""
        return self.encode_rows([self.index(params)]).reshape(self.dimension)

    def encode_many(self, rows: Iterable[Mapping[str, object]]) -> Array:  # n rows -> (n, d)
        """The coordinates of many params, one row each."""
        many = list(rows)
        self.remember(many)
        return self.encode_rows([self.index(params) for params in many])

    @cached_property
    def repeated(self) -> NDArray[np.bool_]:  # (N,)
        """Which rows have the same features as an earlier one."""
        later: NDArray[np.bool_] = self._table.first != np.arange(len(self))
        return later

    def free(self, tried: Iterable[int] = ()) -> NDArray[np.bool_]:  # -> (N,)
        """Which rows may still be suggested: the first of its twins, and none of them tried."""
        free = ~self.repeated
        free[self._table.first[np.array([*tried], dtype=np.intp)]] = False
        return free & self.allowed if self.narrowed else free

    @property
    def fingerprint(self) -> str:
        """A hash of the whole content: pools with the same one are the same pool."""
        return self._rows.fingerprint

    def fingerprint_like(self, other: str) -> str:
        """The fingerprint in the form of another one: of rows that are held, or of a library."""
        if self.library is not None:
            return self.fingerprint if is_library(other) else chained(self.library)
        return self._table.library_fingerprint if is_library(other) else self.fingerprint

    is_pool = True

    @property
    def is_held(self) -> bool:
        return self.library is None

    @property
    def rows_given(self) -> int:
        return self.skipped + len(self)

    def choices(self, name: str) -> None:
        return None

    def describe(self, name: str, show: Callable[[Scalar], str] = str) -> str:
        return "as in the list of candidates"

    def outline(self) -> dict[str, Any]:
        columns = [{"name": name, "type": "column"} for name in self.names]
        return {"kind": "candidates", "parameters": columns, "id": self.id}

    def entries(self) -> None:
        return None

    def sampled(self, most: int) -> list[dict[str, Scalar]]:
        return self.params_of(np.unique(np.linspace(0, len(self) - 1, most).astype(int)).tolist())

    def locate(self, params: Mapping[str, object]) -> tuple[Array, int]:
        row = self.index(params)
        return self.encode_rows([row])[0], row

    def to_json(self) -> dict[str, Any]:
        """A dict that `json.dumps` takes: fingerprint and columns, and the rows of a small pool."""
        small = len(self) * len(self.names) <= MAX_STORED_CELLS
        held = self.params_of(range(len(self))) if small else []
        rows = [list(params.values()) for params in held] if small else None
        return {
            "kind": "candidates",
            "length": len(self),
            "columns": list(self.names),
            "id": self.id,
            "fingerprint": self.fingerprint,
            "rows": rows,
        } | (
            ({"where": self.where.to_json()} if self.where else {})
            | ({"context": list(self._context)} if self._context else {})
            | ({"smiles": self.smiles} if self.smiles is not None else {})
        )

    def to_json_like(self, other: Mapping[str, Any]) -> dict[str, Any]:
        """The same to be compared with what was stored of a pool, its fingerprint in that form."""
        alike = other["length"] == len(self) and [*other["columns"]] == [*self.names]
        form = other["fingerprint"] if alike else self.fingerprint
        return self.to_json() | {"fingerprint": self.fingerprint_like(form)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Candidates:
        """The pool that `to_json` wrote, if it was small enough to be written whole."""
        if data["rows"] is None:
            raise SpaceError(
                f"the {data['length']} rows of this pool are not stored with the study; "
                "open the study with the same Candidates again"
            )
        by_column = zip(*data["rows"], strict=True)
        columns = {n: list(cells) for n, cells in zip(data["columns"], by_column, strict=True)}
        where, context = data.get("where", ()), data.get("context", ())
        smiles = data.get("smiles")
        return cls(columns, id=data["id"], where=where, context=context, smiles=smiles)

    def difference(self, other: object) -> list[str]:
        """What changed from this pool to `other`, a sentence each; empty when nothing did."""
        if not isinstance(other, Candidates):
            return [f"a pool of {len(self)} candidates became a {type(other).__name__}"]
        return changed_pool(self.to_json(), other.to_json_like(self.to_json()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Candidates) and not self.difference(other)

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        named = "" if self.id is None else f", id={self.id!r}"
        where = f", where={self.where.to_json()!r}" if self.where else ""
        where += f", context={list(self._context)!r}" if self._context else ""
        return f"<Candidates: {len(self)} rows of {', '.join(self.searched_names)}{named}{where}>"

    def __getstate__(self) -> dict[str, Any]:
        # What is cached is large and quickly made again.
        kept = ("_rows", "_where", "_context", "_held", "_whole", "skipped")
        return {name: vars(self)[name] for name in kept}
