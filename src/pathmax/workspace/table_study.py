"""Suggestions from a table of results, with no database: the table is all there is.

The same table gives the same suggestions: the study is built anew from its rows, with seed 0 unless
another is given.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from pathmax.errors import DataFileError, PathmaxError
from pathmax.session.recording import WHY_NO_RESULT, warn_of_disobedience
from pathmax.storage import Entry, MemoryStorage
from pathmax.study import Study
from pathmax.tables import (
    check_appending,
    check_file,
    check_not_open,
    file_of,
    format_cell,
    is_workbook,
    sheet_names,
)
from pathmax.trials.goals import VALUE
from pathmax.trials.trial import TrialState
from pathmax.trials.wording import plural
from pathmax.workspace.layout import NUMBER, Layout
from pathmax.workspace.location import Location
from pathmax.workspace.opened_study import Opened, load_study, start_study
from pathmax.workspace.results_table import ResultRow, ResultsTable, read_results
from pathmax.workspace.space_file import UNNAMED
from pathmax.workspace.study_plan import Plan, Source, known, plan_of


@dataclass(frozen=True, slots=True)
class TableStudy:
    """A table of results, and the study in memory that it is."""

    opened: Opened
    results: ResultsTable

    @property
    def counts(self) -> dict[TrialState, int]:
        """How many rows there are of each state."""
        rows = self.results.rows
        return {state: sum(row.state is state for row in rows) for state in TrialState}


def open_table(plan: Plan, data: str, ignore: Sequence[str] = ()) -> TableStudy:
    """The study of a table: each row is a trial, in the same order."""
    layout = plan.layout(plan.domain()).ignoring(tuple(ignore))
    results = existing_results(data, layout)
    said = [*plan.remarks(layout.domain), *filter(None, [results.table.gaps])]
    opened = Opened(_study_of(results, plan, layout), layout, tuple(said))
    return TableStudy(opened, results)


def opened_for_looking(location: Location, source: Source) -> Opened:
    """The study to look at: the one that a table of results is, or the one that is stored."""
    if source.data is None:
        return start_study(location, plan_of(source)) if source.pool else load_study(location)
    return open_table(known(plan_of(source)), source.data, source.ignore).opened


def existing_results(data: str, layout: Layout) -> ResultsTable:
    """The table of results, or an error that says how to begin one."""
    if not os.path.exists(file_of(data)):
        domain = layout.domain
        columns = layout.required if domain.is_pool else domain.searched_names
        header = ",".join(map(format_cell, (*columns, *layout.results)))
        raise DataFileError(
            f"{data}: there is no such file. To begin without results, make it with this one line: "
            f"{header}"
        )
    return read_results(data, layout)


def check_overwriting(
    output: str | None, layout: Layout, force: bool, data: str | None = None
) -> None:
    """Refuse to write over a table in which somebody has filled in results, such as `data`."""
    if output is None or not replaces_a_table(output, layout, force, data):
        return
    try:
        rows = read_results(output, layout).rows
    except PathmaxError:
        raise DataFileError(
            f"{output} is there already and is not a table of suggestions; give another name, "
            "or write over it with --force"
        ) from None
    filled = sum(row.state is not TrialState.RUNNING for row in rows)
    if filled:
        raise DataFileError(
            f"{output} holds {plural(filled, 'result')} that would be lost; import them or copy "
            "them to your table first, give another name, or write over it with --force"
        )


def replaces_a_table(output: str, layout: Layout, force: bool, data: str | None = None) -> bool:
    """Whether a table is there that must be looked into; some files are never written over."""
    _check_place(output)
    if not os.path.exists(file_of(output)):
        return False
    if data is not None and os.path.samefile(file_of(output), file_of(data)):
        raise DataFileError(
            f"-o {output} would replace your results; give it another name, or have the "
            "suggestions added below them with --append in place of -o"
        )
    if layout.is_pool(output):
        raise DataFileError(f"-o {output} would replace your candidates; give it another name")
    if is_workbook(output):
        _check_workbook(output, force)
    return not force


def _check_place(output: str) -> None:
    check_file(output)
    folder = os.path.dirname(file_of(output)) or "."
    if not os.path.isdir(folder):
        raise DataFileError(f"{output}: there is no folder {folder}; make it first")


def _check_workbook(output: str, force: bool) -> None:
    check_not_open(output)
    if not force and len(sheet_names(output)) > 1:
        raise DataFileError(
            f"{output} is there already and has other sheets, which would be lost; give another "
            "name, add rows to a sheet of it by `pathmax suggest --append`, or write over it with "
            "--force"
        )


def table_to_append_to(output: str, layout: Layout) -> ResultsTable:
    """The table that suggestions of a stored study are added to."""
    table = existing_results(output, layout)
    if NUMBER in layout.own and NUMBER not in table.table.header:
        raise DataFileError(
            f"{output}: suggestions of a study can be added when there is a column {NUMBER!r}, by "
            "which each result finds its trial; add one, or write them to another table with -o"
        )
    check_append(table, layout)
    return table


def check_append(results: ResultsTable, layout: Layout) -> None:
    """Refuse a table to which suggestions cannot be added, before there are any."""
    if layout.is_pool(results.table.path):
        raise DataFileError(
            f"{results.table.path}: this is the list of candidates itself, which has the suggested "
            "rows already; write the suggestions to another table with -o"
        )
    check_appending(results.table)


def _study_of(results: ResultsTable, plan: Plan, layout: Layout) -> Study:
    """A study in memory in which each row of the table is a trial, in the same order."""
    storage = MemoryStorage()
    settings = {"seed": 0, **plan.wanted(layout.domain)}
    named = plan.file.study if plan.file.path and plan.file.study != UNNAMED else "table"
    told = [entry_of(row) for row in results.rows if row.state is TrialState.COMPLETE]
    warn_of_disobedience(layout.domain, told)
    study = Study(layout.domain, name=named, storage=storage, **settings)
    for number, row in enumerate(results.rows):
        if row.state is TrialState.RUNNING:
            storage.start(study.name, number, row.params)
        else:
            storage.insert(study.name, entry_of(row))
    return study


def entry_of(row: ResultRow) -> Entry:
    """A finished row as it is stored."""
    return Entry(
        params=row.params,
        state=row.state,
        outcomes=row.outcomes,
        noise=row.noises.get(VALUE),
        noises={name: variance for name, variance in row.noises.items() if name != VALUE},
        error=WHY_NO_RESULT.get(row.state),
        **row.remarks._asdict(),
    )
