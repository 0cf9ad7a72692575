"""Candidates: a list of rows to choose from, such as a library of molecules or of alloys.

Here is where the rows come from and how a pool is stored; what is done with them is in `row_pool`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from pathmax.errors import SpaceError
from pathmax.scalars import Scalar
from pathmax.space import pool_reading
from pathmax.space.differences import changed_pool
from pathmax.space.expert_prior import refuse_guess
from pathmax.space.fidelity import Fidelity
from pathmax.space.known_constraints import Rule
from pathmax.space.library_identity import chained, is_library
from pathmax.space.pool_reading import FilePath
from pathmax.space.row_pool import RowPool

__all__ = ["Candidates"]

# Smaller pools travel with the study (about 1 MB of JSON), larger ones only as a fingerprint.
MAX_STORED_CELLS = 50_000


class Candidates(RowPool):
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
        likely: a guess at where the best is, which is for spaces; refused here, with what to do.

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
        likely: object = None,
        replicates: object = None,
    ) -> None:
        refuse_guess(likely, replicates)
        wanted = pool_reading.PoolReading(id, features, ignore, skip_incomplete, smiles)
        self._hold(*wanted.rows(rows), where, context)

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
        likely: object = None,
        replicates: object = None,
    ) -> Candidates:
        """The rows of a CSV file, or of a sheet (`library.xlsx#Tested`) with `pathmax[excel]`.

        Ids are kept as they are written ("007").
        """
        refuse_guess(likely, replicates)
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
        likely: object = None,
        replicates: object = None,
    ) -> Candidates:
        """The rows of a Parquet file, of a folder of them, or of all that a pattern names.

        Needs `pathmax[parquet]`. `library/*.parquet` is a pattern; rows are numbered file by file,
        in the order of their names. The row numbers that pandas stores are left out.

        Args:
            path: a file, a folder, a pattern, or a list of these.
            id, features, ignore, skip_incomplete, where, context, smiles: as for `Candidates`.
            stream: whether rows stay in their files and are gone through a block at a time for
                every suggestion, in memory that does not grow with them; left out, when there are
                more than 20 million cells. The choice is the same.
            executor: a Dask client, or a `concurrent.futures.Executor`, whose workers go through
                the files, which they must be able to read; each has row groups of its own.
        """
        from pathmax.space.parquet_pool import read_parquet

        refuse_guess(likely, replicates)
        wanted = pool_reading.PoolReading(id, features, ignore, skip_incomplete, smiles)
        read = read_parquet(wanted, path, stream, executor)
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
        smiles: str | None = None,
        *,
        client: object = None,
        likely: object = None,
        replicates: object = None,
    ) -> Candidates:
        """The rows of a `dask.dataframe`, whose partitions stay with the workers that have them.

        Rows are numbered partition by partition. The choice is that of the same rows on one
        machine, however they are cut into partitions, and whichever worker is lost on the way.
        `client` is the one to work with, by default the last that was made.
        """
        from pathmax.space.dask_pool import read_dask

        refuse_guess(likely, replicates)
        wanted = pool_reading.PoolReading(id, features, ignore, skip_incomplete, smiles)
        read = read_dask(wanted, frame, client)
        return cls.__new__(cls)._hold(*read, where, context)

    is_pool = True

    @property
    def is_held(self) -> bool:
        return self.library is None

    @property
    def key(self) -> str | None:
        if self.id is not None or self.smiles is None:
            return self.id
        molecules = self._rows.columns[self.smiles].categories or ()
        return self.smiles if len(molecules) == self._listed else None

    @property
    def rows_given(self) -> int:
        return self.skipped + self._listed

    def rows_at_target(self, rows: Sequence[int]) -> Sequence[int]:
        count = len(self.levels)
        wanted = 0 if self.fidelity is None else self.levels.index(self.fidelity[1].target)
        return [row // count * count + wanted for row in rows]

    @property
    def _listed(self) -> int:
        """How many rows were given: those of `len` are one for each fidelity."""
        return len(self) // len(self.levels)

    @property
    def levels(self) -> tuple[Scalar, ...]:
        """The fidelities that each row may be tried at; one if it is tried in one way only."""
        return (None,) if self.fidelity is None else self.fidelity[1].levels or ()

    def sampled(self, most: int) -> list[dict[str, Scalar]]:
        """Rows spread over the pool, at the target if there is a fidelity."""
        rows = np.unique(np.linspace(0, self._listed - 1, most).astype(int)) * len(self.levels)
        return self.params_of(self.rows_at_target(rows.tolist()))

    @property
    def fingerprint(self) -> str:
        """A hash of the whole content: pools with the same one are the same pool."""
        return self._rows.fingerprint

    def describe(self, name: str, show: Callable[[Scalar], str] = str) -> str:
        if self.fidelity is not None and name == self.fidelity[0]:
            return self.fidelity[1].parameter.describe(show)
        return "as in the list of candidates"

    def outline(self) -> dict[str, Any]:
        columns = [{"name": name, "type": "column"} for name in self.names]
        if self.fidelity is not None:  # the last column
            columns[-1] |= self.fidelity[1].entries()
        return {"kind": "candidates", "parameters": columns, "id": self.id}

    def choices(self, name: str) -> tuple[Scalar, ...] | None:
        is_level = self.fidelity is not None and name == self.fidelity[0]
        return self.levels if is_level else None

    def entries(self) -> None:
        return None

    def to_json(self) -> dict[str, Any]:
        """A dict that `json.dumps` takes: fingerprint and columns, and the rows of a small pool."""
        name, fidelity = self.fidelity or (None, None)
        columns = [column for column in self.names if column != name]
        small = self._listed * len(columns) <= MAX_STORED_CELLS
        held = self.params_of(range(0, len(self), len(self.levels))) if small else []
        rows = [[params[column] for column in columns] for params in held] if small else None
        levels = {} if fidelity is None else {"fidelity": {"name": name, **fidelity.to_json()}}
        return {
            "kind": "candidates",
            "length": self._listed,
            "columns": columns,
            "id": self.id,
            "fingerprint": self.fingerprint,
            "rows": rows,
        } | (self._stated() | ({} if self.smiles is None else {"smiles": self.smiles}) | levels)

    def to_json_like(self, other: Mapping[str, Any]) -> dict[str, Any]:
        """`to_json` with a fingerprint of the same form as in `other`, to compare the two."""
        here = self.to_json()
        alike = other["length"] == here["length"] and [*other["columns"]] == here["columns"]
        form = other["fingerprint"] if alike else self.fingerprint
        return here | {"fingerprint": self.fingerprint_like(form)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Candidates:
        """The pool that `to_json` wrote, if it was small enough to be written whole."""
        if data["rows"] is None:
            raise SpaceError(
                f"the {data['length']} rows of this pool are not stored with the study; give the "
                "same Candidates again: Study.load(name, storage=..., space=pool)"
            )
        by_column = zip(*data["rows"], strict=True)
        columns = {n: list(cells) for n, cells in zip(data["columns"], by_column, strict=True)}
        where, context = data.get("where", ()), data.get("context", ())
        smiles = data.get("smiles")
        pool = cls(columns, id=data["id"], where=where, context=context, smiles=smiles)
        if "fidelity" not in data:
            return pool
        return pool.with_fidelity(data["fidelity"]["name"], Fidelity.from_json(data["fidelity"]))

    @property
    def size_words(self) -> str:
        return f"a pool of {self._listed} candidates"

    def changes_to(self, other: Candidates) -> list[str]:
        return changed_pool(self.to_json(), other.to_json_like(self.to_json()))

    def fingerprint_like(self, other: str) -> str:
        """The fingerprint in the form of another one: of rows that are held, or of a library."""
        if self.library is not None:
            return self.fingerprint if is_library(other) else chained(self.library)
        return self._table.library_fingerprint if is_library(other) else self.fingerprint

    def __hash__(self) -> int:
        return hash((len(self), self.names))  # alike whether rows are held or not

    def __repr__(self) -> str:
        named = "" if self.id is None else f", id={self.id!r}"
        named += "" if self.fidelity is None else ", {}={}".format(*self.fidelity)
        named += "".join(f", {name}={said!r}" for name, said in self._stated().items())
        return f"<Candidates: {self._listed} rows of {', '.join(self.searched_names)}{named}>"
