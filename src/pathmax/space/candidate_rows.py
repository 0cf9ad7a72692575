"""Rows: a table as it was given, and which row is which.

A row is found by its id, or by its features when there is no id, of which the molecule is enough
if no other row has it. Rows with the same features are
twins; `first` leads from each to the first of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathmax.arrays import Index, Mask
from pathmax.errors import ParamsError, SpaceError
from pathmax.scalars import Scalar, describe, plain
from pathmax.space.checks import ROUNDING, check_names
from pathmax.space.columns import Column, Refusal, feature_column, id_column
from pathmax.space.incomplete_rows import check_complete, place_of
from pathmax.space.molecules import molecule_column
from pathmax.space.row_index import Lookup, keys_of_numbers, keys_of_objects
from pathmax.space.sought_rows import (
    Sought,
    no_such_features,
    no_such_id,
    number_of,
    row_number,
    sought,
)
from pathmax.space.stable_keys import RowHash, keys_of_cells, keys_of_texts

__all__ = ["CandidateRows", "chosen_columns"]


class CandidateRows:
    """A table with named columns: one of them may be the id, the others are features."""

    def __init__(
        self,
        columns: Mapping[str, NDArray[Any]],
        id: str | None,
        features: Sequence[str] | None,
        refuse: Refusal,
        smiles: str | None = None,
    ) -> None:
        check_names(columns)
        chosen = chosen_columns(list(columns), id, features, refuse)
        if not len(columns[chosen[0]]):
            raise refuse(None, None, "no candidates; a pool needs at least one row")
        check_complete(columns, [*chosen, *([] if id is None else [id])], id, refuse)
        self.id, self.smiles = id, smiles
        if smiles is not None and smiles not in chosen:
            there = ", ".join(chosen)
            raise refuse(None, None, f"smiles: there is no feature {smiles!r}; there are {there}")
        readers, kept = {id: id_column, smiles: molecule_column}, {*chosen, id}
        self.columns = {
            name: readers.get(name, feature_column)(name, columns[name], refuse)
            for name in columns
            if name in kept
        }
        self.features = [column for name, column in self.columns.items() if name != id]
        self._check_ids(refuse)

    def __len__(self) -> int:
        return len(self.features[0].values)

    def row(self, index: int) -> dict[str, Scalar]:
        """Row `index` as it was given."""
        number = row_number(index, len(self))
        return {name: column.cell(number) for name, column in self.columns.items()}

    def rows(self, indices: Sequence[int]) -> list[dict[str, Scalar]]:
        """Some rows as they were given."""
        return [self.row(int(index)) for index in indices]

    def remember(self, many: Iterable[Mapping[str, object]]) -> None:
        """All rows are at hand: nothing needs to be looked up beforehand."""

    def find(self, params: Mapping[str, object]) -> int:
        """The index of the row that `params` are, or a `ParamsError`."""
        wanted = sought(params, self.columns, self.id, self.smiles)
        if wanted.by_id:
            return self._find_id(str(self.id), wanted.id)
        if wanted.some:
            return self._find_described(params, wanted)
        return self._find_features(params, wanted.point)

    def first_with(self, name: str, value: object) -> int:
        """The first row with this value of a feature, or a `ParamsError`."""
        column = self.columns[name]
        x = number_of(column, plain(value))
        close = np.abs(column.values - x) <= (0.0 if column.categories else ROUNDING * abs(x))
        if close.any():
            return int(np.argmax(close))
        there = np.unique(column.values)
        shown = ", ".join(f"{v:g}" for v in there[:8]) + (", ..." if len(there) > 8 else "")
        raise ParamsError(
            f"{name}: no row of the pool has {describe(plain(value))}; rows have {shown}; give one "
            "of these, or add rows with it"
        )

    @cached_property
    def first(self) -> Index:  # (N,)
        """For each row the first one with the same features: itself, unless it is a later twin."""

        def equal(some: Index, others: Index) -> NDArray[np.bool_]:
            same = np.ones(len(some), dtype=np.bool_)
            for column in self.features:
                same &= column.values[some] == column.values[others]
            return same

        return self._by_features.first_of_equals(equal)

    @cached_property
    def library_fingerprint(self) -> str:
        """The fingerprint that a `Library` of the same rows has."""
        keys = []
        for column in self.columns.values():
            if column.categories is not None and not isinstance(column.categories[0], bool):
                keys.append(keys_of_texts(column.categories)[column.values.astype(np.intp)])
            elif column.values.dtype == object and not all(map(_is_double, column.values)):
                keys.append(keys_of_texts(column.values.tolist()))
            else:
                keys.append(keys_of_cells(column.values))
        return RowHash.of(keys).fingerprint([(name, name == self.id) for name in self.columns])

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the whole content."""
        from hashlib import blake2b

        digest = blake2b(digest_size=16)
        for name, column in self.columns.items():
            digest.update(repr((name, name == self.id, column.categories)).encode())
            if column.values.dtype == object:
                digest.update(repr(column.values.tolist()).encode())
            else:
                digest.update(column.values.astype("<f8").tobytes())
        return digest.hexdigest()

    def __getstate__(self) -> dict[str, Any]:
        # What is cached stays behind: it is large, and text hashes differently in every process.
        return {name: self.__dict__[name] for name in ("id", "smiles", "columns", "features")}

    @cached_property
    def _by_features(self) -> Lookup:
        return Lookup.of(keys_of_numbers([column.values for column in self.features]))

    @cached_property
    def _by_id(self) -> Lookup:
        ids = self.columns[self.id].values if self.id is not None else np.empty(0)
        return Lookup.of(keys_of_objects(ids.tolist(), len(ids)))

    def _check_ids(self, refuse: Refusal) -> None:
        if self.id is None:
            return
        ids = self.columns[self.id].values
        first = self._by_id.first_of_equals(lambda some, others: ids[some] == ids[others])
        again = np.flatnonzero(first != np.arange(len(self)))
        if len(again):
            shown = describe(plain(ids[again[0]]))
            earlier = place_of(refuse, int(first[again[0]]))
            raise refuse(
                int(again[0]), self.id, f"{shown} is the id of {earlier} too; make ids unique"
            )

    def _find_id(self, name: str, id: object) -> int:
        ids = self.columns[name].values
        try:
            rows = self._by_id.find(keys_of_objects([id], 1)[0])
        except TypeError:  # cannot be hashed, so it is no id
            rows = np.empty(0, dtype=np.intp)
        for row in rows:
            if ids[row] == id and not isinstance(id, bool):
                return int(row)
        raise no_such_id(name, id, plain(ids[0]))

    def _find_features(self, params: Mapping[str, object], point: Sequence[float]) -> int:
        key = keys_of_numbers([np.array([x]) for x in point])[0]
        for row in self._by_features.find(key):
            if all(c.values[row] == x for c, x in zip(self.features, point, strict=True)):
                return int(row)
        close = self._close(self.features, point)
        if close.any():
            return int(np.argmax(close))
        raise no_such_features(params)

    def _find_described(self, params: Mapping[str, object], wanted: Sought) -> int:
        """The only row with some features, its molecule among them; twins are one."""
        rows = np.flatnonzero(
            self._close([self.columns[name] for name in wanted.some], wanted.point)
        )
        if not len(rows):
            raise no_such_features(params)
        if len(np.unique(self.first[rows])) > 1:
            others = [c.name for c in self.features if c.name not in wanted.some]
            raise ParamsError(
                f"{self.smiles}: {len(rows)} rows have {describe(plain(params[str(self.smiles)]))};"
                f" say which of them by {', '.join(others)}"
            )
        return int(rows[0])

    def _close(self, columns: Sequence[Column], point: Sequence[float]) -> Mask:  # -> (N,)
        """Which rows have these values, rounded or not."""
        close = np.ones(len(self), dtype=np.bool_)
        for column, x in zip(columns, point, strict=True):
            close &= np.abs(column.values - x) <= (0.0 if column.categories else ROUNDING * abs(x))
        return close


def chosen_columns(
    names: list[str], id: str | None, features: Sequence[str] | None, refuse: Refusal
) -> list[str]:
    """The feature columns by name, once it is sure that they exist and make sense."""
    if not names:
        raise refuse(None, None, "no candidates; a pool needs at least one row")
    if isinstance(features, str):
        raise SpaceError(f"features must be a list of columns; write [{features!r}]")
    chosen = [name for name in names if name != id] if features is None else list(features)
    there = set(names)
    for name in [*([] if id is None else [id]), *chosen]:
        if name not in there:
            raise refuse(None, None, f"there is no column {name!r}; there are {', '.join(names)}")
    if id in chosen:
        raise SpaceError(f"{id}: the id cannot be a feature as well; take it out of features")
    if len(set(chosen)) < len(chosen):
        raise SpaceError(f"features names a column twice: {', '.join(chosen)}; name each once")
    if not chosen:
        raise SpaceError("no feature columns; a model needs at least one besides the id")
    return chosen


def _is_double(cell: object) -> bool:
    """Whether a cell is a number that Arrow could hold, which has the key of a double."""
    return isinstance(cell, float) or (isinstance(cell, int) and -(2**63) <= cell < 2**64)
