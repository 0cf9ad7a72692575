"""All trials of a study as a table: what `pathmax export` writes and a page offers."""

from __future__ import annotations

import os
from typing import TextIO

from pathmax.tables import CellValue, Dialect, write_table
from pathmax.workspace.attribute_cells import (
    ATTRIBUTE_HEAD,
    attribute_cell,
    attribute_names,
    attributes_of,
)
from pathmax.workspace.brief_trials import BriefTrials
from pathmax.workspace.layout import COST, NOTE, NUMBER, STATE
from pathmax.workspace.opened_study import Opened

# With the byte order mark, without which Excel shows "°" as "Â°".
EUROPEAN = Dialect(encoding="utf-8-sig", delimiter=";", decimal=",")


def trials_table(opened: Opened) -> tuple[list[str], list[list[CellValue]]]:
    """Header and rows: number, params, results with their variances, state, remarks, attributes.

    Parameters that only trials of an earlier space have come after the present ones.
    """
    layout, trials = opened.layout, BriefTrials.at(opened.study).trials
    results, own = layout.results, layout.own
    rest = [name for name in (STATE, NOTE) if name in own]
    if any(trial.cost is not None for trial in trials) and COST not in {
        *layout.domain.names,
        *results,
    }:
        rest = [COST, *rest]
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
            COST: trial.cost,
            NOTE: trial.note or trial.error,
            **trial.params,
            **{column: trial.outcomes.get(name) for column, name in results.items()},
            **{head: trial.noise_of(name) for head, name in noises.items()},
        }
        rows.append([known.get(name) for name in header])
    return header, rows


def write_trials(
    opened: Opened, target: str | os.PathLike[str] | TextIO, *, decimal_comma: bool = False
) -> int:
    """Write the table; how many trials there are."""
    header, rows = trials_table(opened)
    write_table(target, header, rows, dialect=EUROPEAN if decimal_comma else None)
    return len(rows)
