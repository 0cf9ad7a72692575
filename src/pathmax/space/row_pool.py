"""Rows to choose from: where they lie, which of them may be chosen, and which are alike.

The coordinates of a row are its feature columns: numbers scaled to [0, 1] by the least and the
greatest of the pool, text as the position of its category.

Rows with the same features are twins: the model cannot tell them apart, so only the first of them
is ever suggested, unless the study is allowed replicates. A result told for one counts for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pathmax.arrays import Array, Index, Mask
from pathmax.errors import ParamsError, PathmaxError, SpaceError
from pathmax.scalars import Scalar
from pathmax.space.axes import Axis
from pathmax.space.candidate_rows import CandidateRows
from pathmax.space.checks import checked_contexts
from pathmax.space.columns import needs_single
from pathmax.space.fidelity import Fidelity, checked_levels
from pathmax.space.known_constraints import Known, Rule, nothing_left, refuse_fidelity
from pathmax.space.levelled_rows import LevelledRows
from pathmax.space.library import Library
from pathmax.space.library_blocks import LibraryReading, count_rows
from pathmax.space.parameter_space import ParameterSpace
from pathmax.space.sentence_columns import ColumnTable, ListedColumn
from pathmax.space.sentence_parts import Variable

NO_ROW = (
    "no row has this context and may be tried; give one that a row of the pool or grid has, or add "
    "rows with it"
)


class RowPool(ParameterSpace):
    """What a pool does with its rows, wherever they came from."""

    def _hold(
        self,
        rows: CandidateRows | LevelledRows | Library,
        skipped: int,
        where: Sequence[Rule],
        context: Sequence[str],
    ) -> Self:
        self._rows, self.skipped = rows, skipped
        self._where = Known.read(where, self._variables())
        refuse_fidelity(self.fidelity, self._where.sentences)
        self._context = checked_contexts(context, self.searched_names, "a feature column")
        self._held, self._whole = {}, None
        return self

    def given(self, values: Mapping[str, object]) -> Self:
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

    def with_fidelity(self, name: str, fidelity: Fidelity) -> Self:
        """The same rows, each of which may be tried at every value of a fidelity.

        It must be listed, as in `Fidelity(["quick", "full"], cost=[1, 20])`, and becomes a column.
        """
        if self.fidelity is not None:
            raise SpaceError(f"{name}: the pool has a fidelity already; add it to one without")
        if not isinstance(self._rows, CandidateRows):
            raise SpaceError(f"{name}: rows that stay in files have no fidelity; give stream=False")
        checked = checked_levels(name, fidelity, self.names)
        pool = type(self).__new__(type(self))
        rows = LevelledRows(self._rows, name, checked)
        return pool._hold(rows, self.skipped, self.where.rules, self._context)

    @property
    def fidelity(self) -> tuple[str, Fidelity] | None:
        """How closely a row is tried, and what that is called; None if there is one way only."""
        rows = self._rows
        return (rows.name, rows.fidelity) if isinstance(rows, LevelledRows) else None

    @property
    def narrowed(self) -> bool:
        """Whether some rows cannot be chosen, tried or not."""
        return bool(self.where) or bool(self._held)

    def knowing(self, where: Sequence[Rule]) -> Self:
        """The same rows with these known constraints and no others."""
        return type(self).__new__(type(self))._hold(self._rows, self.skipped, where, self._context)

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
    def _table(self) -> CandidateRows | LevelledRows:
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
        """The numbers of the rows that may be chosen."""
        return np.flatnonzero(self.allowed)

    @cached_property
    def encoded_allowed(self) -> NDArray[np.floating[Any]]:  # (n, d)
        """The coordinates of those rows, computed once."""
        return self._encoded[self.allowed_rows] if self.narrowed else self._encoded

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
        axes = [
            Axis("float")
            if column.categories is None
            else Axis(
                "categorical",
                np.arange(len(column.categories), dtype=np.float64),
                molecules=column.molecules,
            )
            for column in self._rows.features
        ]
        if self.fidelity is not None:  # the last column
            axes[-1] = self.fidelity[1].axis
        return tuple(axes)

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
        single = needs_single(len(self), self.dimension)
        encoded = np.empty((len(self), self.dimension), np.float32 if single else np.float64)
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

    def locate(self, params: Mapping[str, object]) -> tuple[Array, int]:
        row = self.index(params)
        return self.encode_rows([row])[0], row

    def __getstate__(self) -> dict[str, Any]:
        # What is cached is large and quickly made again.
        kept = ("_rows", "_where", "_context", "_held", "_whole", "skipped")
        return {name: vars(self)[name] for name in kept}
