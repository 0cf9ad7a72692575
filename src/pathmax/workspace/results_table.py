"""A laboratory's table of results, row by row: what was set, and what came out if it is known.

    temperature,solvent,yield
    80,THF,71.3                 a result
    95,DMF,                     running: no value yet
    120,water,failed            failed

A list of candidates may itself have a column for the results. Then a row without one is a candidate
and not running.

Every row is understood before any is used, so an error in the last line leaves nothing half-read.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from pathmax.errors import DataFileError, ParamsError
from pathmax.scalars import Scalar
from pathmax.tables import Table, read_cells, reads_as_number
from pathmax.trials.trial import Trial, TrialState
from pathmax.workspace import column_heads as heads
from pathmax.workspace.choice_text import has_fractions, nearest_text, spellings, unknown_choice
from pathmax.workspace.failed_cells import FAILED_WORDS, beside_results, failed_cell, remedy
from pathmax.workspace.layout import NUMBER, STATE, Layout
from pathmax.workspace.numbered_tables import with_settings
from pathmax.workspace.row_remarks import RowRemarks, attribute_heads, read_remarks

OutsideParams = Mapping[int, Mapping[str, Scalar]]  # of trials of an earlier space, by number


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """One row: without `outcomes` unless it is COMPLETE; `number` is that of its trial if given."""

    index: int
    params: dict[str, Scalar]
    state: TrialState
    outcomes: dict[str, float] = field(default_factory=dict)
    noises: dict[str, float] = field(default_factory=dict)  # variances, of outcomes that it has
    number: int | None = None
    remarks: RowRemarks = field(default_factory=RowRemarks)


@dataclass(frozen=True, slots=True)
class ResultsTable:
    """A table, what its rows say, and its header as it is written: `temperature (°C)`."""

    table: Table
    rows: tuple[ResultRow, ...]
    header: tuple[str, ...]


def read_results(
    path: str | os.PathLike[str],
    layout: Layout,
    outside: OutsideParams | None = None,
    trials: Sequence[Trial] = (),
) -> ResultsTable:
    """Read a table of results, or say where it does not fit the layout.

    `outside` are the params of trials that were made in an earlier space of the study: rows with
    their numbers need not fit the present one. Rows may name `trials` by their numbers alone.
    """
    reading, header = opened_table(path, layout, outside, trials)
    reading.check_header()
    reading.check_units()
    listed, rows = layout.is_pool(path), range(len(reading.table))
    told = [i for i in rows if reading.has_result(i)] if listed else rows
    reading.remember(told)
    return ResultsTable(reading.table, tuple(map(reading.row, told)), header)


def opened_table(
    path: str | os.PathLike[str],
    layout: Layout,
    outside: OutsideParams | None = None,
    trials: Sequence[Trial] = (),
) -> tuple[TableReading, tuple[str, ...]]:
    """A table whose columns have the names of the layout, not looked through yet; its header."""
    domain, numeric = layout.domain, heads.numeric_columns(layout.domain)
    fractions = {name for name in domain.names if has_fractions(domain.choices(name))}
    with_decimals = (
        numeric | fractions | {*layout.results, *layout.noises} | ({layout.cost} & {*layout.own})
    )
    written = read_cells(path, numbers=with_decimals, units_row=layout.units_row)
    named = {head: heads.meant_column(head, layout, written) for head in written.header}
    if any(head != name for head, name in named.items()):
        numbers = [head for head in written.header if named[head] in with_decimals]
        written = read_cells(path, numbers=numbers, units_row=layout.units_row)
    table = with_settings(heads.renamed_table(written, named), layout, trials)
    if layout.is_pool(path):
        known = {*domain.names, *layout.results}
        layout = layout.ignoring(tuple(name for name in table.header if name not in known))
    return TableReading(layout, table, frozenset(numeric), outside or {}), written.header


@dataclass(frozen=True, slots=True)
class TableReading:
    layout: Layout
    table: Table
    numeric: frozenset[str]
    outside: OutsideParams

    def check_header(self) -> None:
        header, layout = self.table.header, self.layout
        known = {*layout.domain.names, *layout.results, *layout.own, *layout.ignored}
        known |= (
            {*layout.noises}
            | {*attribute_heads(header, layout)}
            | {name for params in self.outside.values() for name in params}
        )
        place = self.table.place(self.table.header_line)
        for name in (*layout.required, *layout.results):
            if name not in header:
                near = nearest_text(name, [other for other in header if other not in known])
                what = "the result" if name in layout.results else "a parameter"
                remedy = f"rename {near!r}?" if near else f"there are {', '.join(header)}"
                if len(header) == 1:
                    remedy = f"this line has to name the columns, got {header[0]!r} alone"
                if name in layout.results and len(layout.results) > 1:
                    what = "one of the results"
                    remedy += "; if it is still to come, add the column and leave it empty"
                remedy += layout.without(name)
                raise DataFileError(f"{place}: no column {name!r}, which is {what}; {remedy}")
        for name in header:
            if name not in known:
                place = self.table.place(self.table.header_line, name)
                raise DataFileError(
                    f"{place}: neither a parameter nor the result "
                    f"{', '.join(map(repr, layout.results))}; if it is only for you, say so: "
                    f'ignore = ["{name}"] under [csv] in the space file, or --ignore'
                )

    def check_units(self) -> None:
        for name, unit in self.layout.units.items():
            found = self.table.units.get(name, "")
            if found and heads.plain_unit(found) != heads.plain_unit(unit):
                raise DataFileError(
                    f"{self.table.place(self.table.header_line + 1, name)}: the "
                    f"units row says {found!r}, the space file says {unit!r}; convert the numbers "
                    "or correct one of the two"
                )

    def row(self, i: int) -> ResultRow:
        number = self.number(i)
        params = self.params_outside(i, number) or self.params(i)
        state, outcomes = self.result(i)
        return ResultRow(
            index=i,
            params=params,
            state=state,
            outcomes=outcomes,
            noises={name: x for name, x in self.noises(i).items() if name in outcomes},
            number=number,
            remarks=read_remarks(self.table, self.layout, i),
        )

    def remember(self, rows: Iterable[int]) -> None:
        """Look up all rows at once in a pool that is not in memory; `params` refuses wrong ones."""
        if self.layout.domain.is_held:
            return
        known = []
        for i in rows:
            with suppress(DataFileError):
                known.append(self.given(i))
        self.layout.domain.remember(known)

    def given(self, i: int) -> dict[str, Scalar]:
        return {
            name: self.cell(i, name)
            for name in self.layout.domain.names
            if name in self.table.header and (self.text(i, name) or not self.may_be_blank(name))
        }

    def params(self, i: int) -> dict[str, Scalar]:
        return self.validated(i, self.given(i))

    def params_outside(self, i: int, number: int | None) -> dict[str, Scalar] | None:
        """The params of an earlier trial outside the space, if the row repeats them."""
        params = self.outside.get(-1 if number is None else number)
        if params is None:
            return None
        here = {name: value for name, value in params.items() if name in self.table.header}
        same = all(self.says(i, name, value) for name, value in here.items())
        return dict(params) if same else None

    def says(self, i: int, name: str, value: Scalar) -> bool:
        """Whether a cell holds this value, rounded or not."""
        text = self.text(i, name).strip()
        if isinstance(value, float) and reads_as_number(text):
            given = self.table.number(i, name)
            return given is not None and abs(given - value) <= 1e-3 * abs(value)
        return text in spellings(value)

    def text(self, i: int, name: str) -> str:
        return str(self.table.columns[name][i]) if name in self.table.columns else ""

    def may_be_blank(self, name: str) -> bool:
        return name not in self.layout.required and name not in self.layout.results

    def cell(self, i: int, name: str) -> Scalar:
        text = self.text(i, name)
        if name in self.numeric:
            return self.measured(i, name)
        choices = self.layout.domain.choices(name)
        if choices is None:
            return text
        for choice in choices:
            if text.strip() in spellings(choice):
                return choice
        if reads_as_number(text) and (number := self.table.number(i, name)) in choices:
            return number
        raise self.table.error(i, name, unknown_choice(text, choices))

    def measured(self, i: int, name: str) -> float:
        try:
            number = self.table.number(i, name)
        except DataFileError as error:
            if i == 0 and not any(map(str.isdigit, self.text(i, name))):
                raise DataFileError(
                    f"{error}; if this line holds units, write units_row = true under [csv] "
                    "in the space file"
                ) from error
            raise
        if number is None:
            raise self.table.error(i, name, "is empty; fill it in, or delete the row")
        return number

    def has_result(self, i: int) -> bool:
        return any(self.text(i, name) for name in self.layout.results)

    def result(self, i: int) -> tuple[TrialState, dict[str, float]]:
        """What came out; a cell that is left empty beside others is still to come."""
        texts = {name: self.text(i, name) for name in self.layout.results}
        stated = self.text(i, STATE).casefold() if STATE in self.layout.own else ""
        said = [text for text in texts.values() if text]
        if (failed := failed_cell(texts)) and (wrong := beside_results(failed, texts)):
            raise self.table.error(i, failed, wrong)
        if failed or (not said and stated in FAILED_WORDS):
            return TrialState.FAILED, {}
        if stated == TrialState.STOPPED and not said:
            return TrialState.STOPPED, {}
        if not said:
            return TrialState.RUNNING, {}
        outcomes = self.layout.results
        measured = {outcomes[name]: self.outcome(i, name) for name, text in texts.items() if text}
        return TrialState.COMPLETE, measured

    def outcome(self, i: int, name: str) -> float:
        try:
            number = self.table.number(i, name)
            assert number is not None, "the cell is not empty"
            return number
        except DataFileError as error:
            raise DataFileError(f"{error}; {remedy(len(self.layout.results) > 1)}") from error

    def noises(self, i: int) -> dict[str, float]:
        """The variances that stand beside results."""
        found = {}
        for head, name in self.layout.noises.items():
            if head in self.table.header and (variance := self.table.number(i, head)) is not None:
                if variance < 0.0:
                    raise self.table.error(i, head, f"a variance is 0 or more, got {variance:g}")
                found[name] = variance
        return found

    def number(self, i: int) -> int | None:
        text = self.text(i, NUMBER) if NUMBER in self.layout.own else ""
        if not text:
            return None
        if text.isascii() and text.isdigit():
            return int(text)
        raise self.table.error(i, NUMBER, f"{text!r} is not the number of a trial, such as 12")

    def validated(self, i: int, params: dict[str, Scalar]) -> dict[str, Scalar]:
        domain = self.layout.domain
        try:
            clean = domain.validate(params)
        except ParamsError as error:
            name, _, message = str(error).partition(": ")
            if name in self.table.header:
                raise self.table.error(i, name, message) from error
            raise self.table.error(i, None, str(error)) from error
        for name, given in params.items():
            if domain.is_pool and not _alike(clean[name], given):
                raise self.table.error(
                    i, name, f"this candidate has {clean[name]!r} in the pool, got {given!r}"
                )
        return clean


def _alike(stored: Scalar, given: Scalar) -> bool:
    if isinstance(stored, float | int) and isinstance(given, float | int):
        return abs(stored - given) <= 1e-9 * max(abs(stored), abs(given))
    return str(stored) == str(given)
