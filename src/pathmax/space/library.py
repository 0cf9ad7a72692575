"""A library: rows of a pool that stay where they are, and are gone through a block at a time.

It has what `CandidateRows` has without holding the rows: what is known of its columns, and the
rows that somebody has asked for. Everything else is a pass over its parts by its workers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate
from typing import Any, TypeVar, final

import numpy as np

from pathmax.arrays import Array, Index
from pathmax.errors import ParamsError
from pathmax.scalars import Scalar, describe, plain
from pathmax.space.candidate_rows import chosen_columns
from pathmax.space.checks import check_names
from pathmax.space.columns import Refusal, needs_single
from pathmax.space.incomplete_rows import place_of
from pathmax.space.known_constraints import Known
from pathmax.space.library_blocks import LibraryReading, Taken, Work
from pathmax.space.library_columns import Head, Kind
from pathmax.space.library_lookup import (
    Found,
    find_rows,
    find_value,
    pick_rows,
)
from pathmax.space.library_summary import (
    PartSummary,
    UsedColumns,
    heads_of,
    refuse_holes,
    row_as_given,
    summarise,
)
from pathmax.space.library_workers import Workers
from pathmax.space.sought_rows import (
    Sought,
    no_such_features,
    no_such_id,
    number_of,
    row_number,
    sought,
)

__all__ = ["Library"]

R = TypeVar("R")
COMPARED_IDS = 100  # pairs of ids that look alike and are compared
MOST_CHECKED = 100_000_000  # ids: their keys are held at once to see whether one comes twice


@final
class Library:
    """Rows in parts: one of the columns may be the id, the others are features."""

    smiles = None  # molecules are for rows that are held

    def __init__(
        self,
        parts: Sequence[Any],
        kinds: Mapping[str, Kind],
        id: str | None,
        features: Sequence[str] | None,
        refuse: Refusal,
        workers: Workers,
        *,
        skip_incomplete: bool = False,
    ) -> None:
        check_names(kinds)
        chosen = chosen_columns(list(kinds), id, features, refuse)
        used = {n: kind for n, kind in kinds.items() if n in chosen or n == id}
        if id is not None and kinds[id] == "choice":
            raise refuse(None, id, "an id must be text or a number, and this column is yes or no")
        self.id, self.parts, self.workers = id, list(parts), workers
        self.table = UsedColumns(used, id, skip_incomplete)
        summaries = workers.each(summarise, self.parts, [self.table] * len(self.parts))
        self.ends = list(accumulate(summary.kept for summary in summaries))
        if not self.ends or not self.ends[-1]:
            raise refuse(None, None, "no candidates; a pool needs at least one row")
        self._check(summaries, refuse)
        self.columns: dict[str, Head] = heads_of(self.table, summaries, len(self), refuse)
        self.features = [head for name, head in self.columns.items() if name != id]
        self.skipped = sum(summary.total - summary.kept for summary in summaries)
        self.single = needs_single(len(self), len(self.features))
        rows = summaries[0].rows
        for summary in summaries[1:]:
            rows = rows.then(summary.rows)
        self.fingerprint = rows.fingerprint([(name, name == id) for name in self.columns])
        self._known: dict[int, dict[str, Scalar]] = {}
        self._places: dict[Sought, int] = {}
        if id is not None and len(self) <= MOST_CHECKED:
            self._check_ids(summaries, refuse)

    def __len__(self) -> int:
        return self.ends[-1]

    @property
    def starts(self) -> list[int]:
        """The number of the first row of each part."""
        return [0, *self.ends[:-1]]

    def row(self, index: int) -> dict[str, Scalar]:
        """Row `index` as it was given."""
        return self.rows([index])[0]

    def rows(self, indices: Sequence[int]) -> list[dict[str, Scalar]]:
        """Some rows as they were given, those that are not known yet in one pass."""
        wanted = [row_number(index, len(self)) for index in indices]
        new = sorted({*wanted} - self._known.keys())
        by_part: dict[int, list[int]] = {}
        for index in new:
            by_part.setdefault(bisect_right(self.ends, index), []).append(index)
        starts = self.starts
        local = [[i - starts[p] for i in some] for p, some in by_part.items()]
        asked = [(self.plain, tuple(some)) for some in local]
        picked = self.workers.each(pick_rows, [self.parts[p] for p in by_part], asked)
        for some, rows in zip(by_part.values(), picked, strict=True):
            for index, row in zip(some, rows, strict=True):
                self._remember(index, row)
        return [dict(self._known[index]) for index in wanted]

    def find(self, params: Mapping[str, object]) -> int:
        """The index of the row that `params` are, or a `ParamsError`."""
        wanted = sought(params, self.columns, self.id)
        if isinstance(wanted.id, str | int | float) or not wanted.by_id:
            self._look_up([wanted])
            if wanted in self._places and not isinstance(wanted.id, bool):
                return self._places[wanted]
        if wanted.by_id:
            raise no_such_id(str(self.id), wanted.id, self.row(0)[str(self.id)])
        raise no_such_features(params)

    def remember(self, many: Iterable[Mapping[str, object]]) -> None:
        """Look up many params at once, so that `find` need not go through the library for each."""
        wanted = []
        for params in many:
            try:
                one = sought(params, self.columns, self.id)
            except ParamsError:
                continue  # `find` says what is wrong
            if isinstance(one.id, str | int | float) or not one.by_id:
                wanted.append(one)
        self._look_up(wanted)

    def values(self, indices: Sequence[int] | Index) -> Array:  # -> (m, d)
        """The features of some rows as numbers, a category as its place."""
        rows = self.rows([int(i) for i in indices])
        cells = [[head.number(row[head.name]) for head in self.features] for row in rows]
        return np.array(cells, dtype=np.float64).reshape(len(rows), len(self.features))

    def points(self, indices: Sequence[int] | Index) -> Array:  # -> (m, d)
        """The coordinates of some rows."""
        return self.plain.points(list(self.values(indices).T))

    def reading(self, where: Known, given: Mapping[int, float]) -> LibraryReading:
        """How blocks are read within known constraints and given values of coordinates."""
        return replace(self.plain, where=where, given=dict(given))

    def taken(self, indices: Sequence[int]) -> Taken:
        """Rows that are not to be chosen again."""
        rows = np.unique(np.array(indices, dtype=np.intp))
        return Taken(rows, self.values(rows))

    def first_with(self, name: str, value: object) -> int:
        """The first row with this value of a feature, or a `ParamsError`."""
        head = self.columns[name]
        asked = (self.plain, head, number_of(head, plain(value)))
        found = self.each(find_value, [asked] * len(self.parts))
        rows = [s + row for s, row in zip(self.starts, found, strict=True) if row is not None]
        if rows:
            return rows[0]
        raise ParamsError(
            f"{name}: no row of the pool has {describe(plain(value))}; give a value that one has, "
            "or add rows with it"
        )

    def run(self, work: Work[R], reading: LibraryReading) -> R:
        """A pass over all rows."""
        return self.workers.run(work, reading, self.parts, self.starts)

    def each(self, function: Callable[[Any, Any], R], args: Sequence[Any]) -> list[R]:
        """function(part, arg) for each part."""
        return self.workers.each(function, self.parts, args)

    @cached_property
    def plain(self) -> LibraryReading:
        """How all rows are read."""
        nothing = Taken(np.empty(0, np.intp), np.empty((0, len(self.features))))
        return LibraryReading(self.table, self.columns, self.single, Known(), {}, nothing)

    def _look_up(self, wanted: Sequence[Sought]) -> None:
        new = [one for one in dict.fromkeys(wanted) if one not in self._places]
        if not new:
            return
        asked = (self.plain, tuple(new))
        found: dict[int, Found] = {}
        by_part = self.workers.each(find_rows, self.parts, [asked] * len(self.parts))
        for start, some in zip(self.starts, by_part, strict=True):
            for one in some:
                here = one.moved(start)
                found[one.wanted] = min(found.get(one.wanted, here), here)
        for place, one in found.items():
            self._places[new[place]] = one.row
            self._remember(one.row, one.cells)

    def _remember(self, index: int, row: dict[str, Scalar]) -> None:
        self._known[index] = row
        if self.id is not None:
            self._places[Sought(True, id=row[self.id])] = index
        else:  # rows with the same features are one to whoever has no ids
            point = tuple(head.number(row[head.name]) for head in self.features)
            self._places.setdefault(Sought(False, point=point), index)

    def _check(self, summaries: Sequence[PartSummary], refuse: Refusal) -> None:
        holes = None if self.table.skip_incomplete else refuse_holes(
            self.parts, summaries, self.id, refuse
        )  # fmt: skip
        if holes is not None:
            raise holes
        for part, summary in zip(self.parts, summaries, strict=True):
            if summary.infinite is not None:
                row, name, value = summary.infinite
                place = self.workers.each(row_as_given, [part], [(self.table, row)])[0]
                raise refuse(
                    None,
                    None,
                    f"{part.place}, row {part.first + place}, column {name!r}: expected a finite "
                    f"number or text, got {value!r}",
                )

    def _check_ids(self, summaries: Sequence[PartSummary], refuse: Refusal) -> None:
        keys = np.concatenate([keys for summary in summaries for keys in summary.ids])
        order = np.argsort(keys, kind="stable")
        alike = np.flatnonzero(keys[order[1:]] == keys[order[:-1]])[:COMPARED_IDS]
        pairs = sorted((int(order[i + 1]), int(order[i])) for i in alike)
        for second, first in pairs:
            one, other = (row[str(self.id)] for row in self.rows([first, second]))
            if one == other:
                earlier = place_of(refuse, self._as_given(first, summaries))
                message = f"{describe(one)} is the id of {earlier} too; make ids unique"
                raise refuse(self._as_given(second, summaries), self.id, message)

    def _as_given(self, index: int, summaries: Sequence[PartSummary]) -> int:
        """The number of a row when those that are skipped are counted too."""
        p = bisect_right(self.ends, index)
        asked = (self.table, index - self.starts[p])
        place = self.workers.each(row_as_given, [self.parts[p]], [asked])[0]
        return sum(summary.total for summary in summaries[:p]) + place
