"""Suggestions from a table of results, with no database: the table is all there is.

The same table gives the same suggestions: the study is built anew from its rows, with seed 0 unless
another is given.
"""

from __future__ import annotations

import os
import sys

from pathmax.cli.listing import (
    ask_up_to,
    plural,
    suggestion_rows,
    suggestion_table,
    suggestions_json,
)
from pathmax.cli.opening import Opened, Plan, known, load_study, plan_of, start_study
from pathmax.cli.options import Place, Source
from pathmax.cli.output import say, say_json
from pathmax.cli.until import reached
from pathmax.errors import DataFileError, PathmaxError
from pathmax.precision import rounded
from pathmax.sheet import Layout, Sheet, SheetRow, read_sheet
from pathmax.spacefile import UNNAMED
from pathmax.storage import Entry, MemoryStorage
from pathmax.study import Study
from pathmax.tables import format_cell, write_table
from pathmax.trial import TrialState


def suggest_from_table(
    place: Place,
    plan: Plan,
    data: str,
    count: int,
    output: str | None,
    ignore: tuple[str, ...],
    force: bool,
    until: float | None = None,
) -> None:
    """Read the table, suggest, and write the suggestions with the same columns."""
    layout = plan.layout(plan.domain()).ignoring(ignore)
    sheet = existing_sheet(data, layout)
    if output is not None and os.path.exists(output) and os.path.samefile(output, data):
        raise DataFileError(f"-o {output} would replace your results; give it another name")
    check_overwriting(output, layout, force)
    study = study_of(sheet, plan, layout)
    if reached(place, Opened(study, layout), until):
        return
    trials = ask_up_to(study, count)
    if output is not None:
        like = sheet.table
        target = sys.stdout if output == "-" else output
        units = [like.units.get(name, "") for name in like.header] if layout.units_row else None
        rows = suggestion_rows(layout, like.header, trials)
        write_table(target, sheet.header, rows, dialect=like.dialect, units=units)
    counts = {state: sum(row.state is state for row in sheet.rows) for state in TrialState}
    if place.as_json:
        found = suggestions_json(study, trials)
        for answer in found:
            answer["params"] = rounded(layout.domain, answer["params"])
        counted = {str(state): number for state, number in counts.items()}
        say_json({"data": data, **counted, "suggestions": found, "output": output})
    elif output != "-":
        left = "left to run" if len(trials) < count else "to run"
        say(f"{data}: {_counted(counts)}. {plural(len(trials), 'experiment')} {left}:")
        say()
        say(suggestion_table(layout, study, trials, numbered=False))
        if output is not None:
            say()
            say(f"Written to {output}, with the columns of {data}.")
        if plan.assumption:
            say()
            say(plan.assumption)


def opened_for_looking(place: Place, source: Source) -> Opened:
    """The study to look at: the one that a table of results is, or the one that is stored."""
    if source.data is None:
        return start_study(place, plan_of(source)) if source.pool else load_study(place)
    plan = known(plan_of(source))
    layout = plan.layout(plan.domain()).ignoring(source.ignore)
    return Opened(study_of(existing_sheet(source.data, layout), plan, layout), layout)


def existing_sheet(data: str, layout: Layout) -> Sheet:
    """The table of results, or an error that says how to begin one."""
    if not os.path.exists(data):
        header = ",".join(map(format_cell, (*layout.required, layout.objective)))
        raise DataFileError(
            f"{data}: there is no such file. To begin without results, make it with this one line: "
            f"{header}"
        )
    return read_sheet(data, layout)


def check_overwriting(output: str | None, layout: Layout, force: bool) -> None:
    """Refuse to write over a table in which somebody has filled in results."""
    if output is None or not os.path.exists(output):
        return
    if layout.is_pool(output):
        raise DataFileError(f"-o {output} would replace your candidates; give it another name")
    if force:
        return
    try:
        rows = read_sheet(output, layout).rows
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


def study_of(sheet: Sheet, plan: Plan, layout: Layout) -> Study:
    """A study in memory in which each row of the table is a trial, in the same order."""
    storage = MemoryStorage()
    settings = {"seed": 0, **plan.settings}
    named = plan.file.study if plan.file.path and plan.file.study != UNNAMED else "table"
    study = Study(layout.domain, name=named, storage=storage, direction=plan.direction, **settings)
    for number, row in enumerate(sheet.rows):
        if row.state is TrialState.RUNNING:
            storage.start(study.name, number, row.params)
        else:
            storage.insert(study.name, entry_of(row))
    return study


def entry_of(row: SheetRow) -> Entry:
    """A finished row as it is stored."""
    failed = row.state is TrialState.FAILED
    return Entry(
        params=row.params,
        state=row.state,
        outcomes={} if row.value is None else {"value": row.value},
        error="the experiment failed" if failed else None,
        note=row.note,
    )


def _counted(counts: dict[TrialState, int]) -> str:
    parts = [plural(counts[TrialState.COMPLETE], "result")]
    parts += [f"{counts[s]} {s}" for s in (TrialState.RUNNING, TrialState.FAILED) if counts[s]]
    return ", ".join(parts)
