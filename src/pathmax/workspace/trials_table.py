"""All trials of a study as a table: what `pathmax export` writes and a page offers."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from typing import TextIO

from pathmax.errors import DataFileError, PathmaxError
from pathmax.tables import CellValue, Dialect, write_table
from pathmax.trials.trial import Trial
from pathmax.trials.wording import plural
from pathmax.workspace.attribute_cells import (
    ATTRIBUTE_HEAD,
    attribute_cell,
    attribute_names,
    attributes_of,
)
from pathmax.workspace.brief_trials import BriefTrials
from pathmax.workspace.importing import compare
from pathmax.workspace.layout import NOTE, NUMBER, STATE
from pathmax.workspace.opened_study import Opened
from pathmax.workspace.results_table import ResultsTable, read_results
from pathmax.workspace.table_study import replaces_a_table

# With the byte order mark, without which Excel shows "°" as "Â°".
EUROPEAN = Dialect(encoding="utf-8-sig", delimiter=";", decimal=",")


def trials_table(
    opened: Opened, shown: BriefTrials | None = None
) -> tuple[list[str], list[list[CellValue]]]:
    """Header and rows: number, params, results with their variances, state, remarks, attributes.

    Parameters that only trials of an earlier space have come after the present ones.
    """
    layout, trials = opened.layout, (shown or BriefTrials.at(opened.study)).trials
    results, own = layout.results, layout.own
    rest = [name for name in (STATE, NOTE) if name in own]
    if any(trial.cost is not None for trial in trials):
        rest = [layout.cost, *rest]
    names = dict.fromkeys([*layout.domain.names, *(name for t in trials for name in t.params)])
    attributes = {f"{ATTRIBUTE_HEAD}{name}": name for name in attribute_names(trials)}
    rest += [head for head in attributes if head not in {*names, *results}]
    noises = {
        head: name
        for head, name in layout.noises.items()
        if head not in names and any(trial.noise_of(name) is not None for trial in trials)
    }
    header = [*([NUMBER] if NUMBER in own else []), *names, *results, *noises, *rest]
    rows: list[list[CellValue]] = []
    for trial in trials:
        kept = attributes_of(trial) if attributes else {}
        known: dict[str, CellValue] = {
            **{head: attribute_cell(kept.get(name)) for head, name in attributes.items()},
            NUMBER: trial.number,
            STATE: str(trial.state),
            layout.cost: trial.cost,
            NOTE: trial.note or trial.error,
            **trial.params,
            **{column: trial.outcomes.get(name) for column, name in results.items()},
            **{head: trial.noise_of(name) for head, name in noises.items()},
        }
        rows.append([known.get(name) for name in header])
    return header, rows


def write_trials(
    opened: Opened,
    target: str | os.PathLike[str] | TextIO,
    *,
    decimal_comma: bool = False,
    force: bool = False,
) -> int:
    """Write the table; how many trials there are. What only a file of that name has is kept."""
    shown = BriefTrials.at(opened.study)
    header, rows = trials_table(opened, shown)
    if isinstance(target, str | os.PathLike):
        _check_replacing(opened, os.fspath(target), force, shown, header)
    write_table(target, header, rows, dialect=EUROPEAN if decimal_comma else None)
    return len(rows)


def _check_replacing(
    opened: Opened, output: str, force: bool, shown: BriefTrials, header: Sequence[str]
) -> None:
    """Refuse to write over a table that holds anything which the study does not."""
    if not replaces_a_table(output, opened.layout, force):
        return
    there = f"{output} is there already and"
    other = "give another name, or write over it with --force"
    outside = {t.number: t.params for t in shown.trials if t.number in shown.outside}
    try:
        found = read_results(output, opened.layout, outside)
    except PathmaxError:
        raise DataFileError(f"{there} is no table of this study's trials; {other}") from None
    if own := [name for name in found.table.header if name not in header]:
        listed = ", ".join(own)
        raise DataFileError(f"{there} has columns of yours that would be lost: {listed}; {other}")
    try:
        intake = compare(found, opened.study, shown.trials)
    except PathmaxError as error:
        raise DataFileError(f"{there} says otherwise than the study ({error}); {other}") from None
    missing = "that the study does not have, which would be lost"
    if new := len(intake.told) + len(intake.added):
        first = f"run `pathmax import {shlex.quote(output)}` first"
        raise DataFileError(f"{there} holds {plural(new, 'result')} {missing}; {first}, {other}")
    if notes := _new_notes(found, shown.trials):
        raise DataFileError(f"{there} holds {plural(notes, 'note')} {missing}; {other}")


def _new_notes(found: ResultsTable, trials: Sequence[Trial]) -> int:
    """How many notes of a table are not those of its trials."""
    known = {trial.number: trial for trial in trials}
    new = 0
    for row in found.rows:
        if row.remarks.note:
            trial = None if row.number is None else known[row.number]
            note = None if trial is None else trial.note or trial.error
            new += note is None or note.split() != row.remarks.note.split()
    return new
