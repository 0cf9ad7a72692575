"""Tables that name trials by number and leave out their settings: an assay that came back.

    trial,impurity
    12,0.31

The study knows the settings, and the outcomes that were told before. With these filled in the table
is one like any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from pathmax.errors import DataFileError
from pathmax.tables import CellValue, Table, format_cell
from pathmax.trials.trial import Trial
from pathmax.workspace.layout import NUMBER, Layout


def with_settings(table: Table, layout: Layout, trials: Sequence[Trial]) -> Table:
    """The table with the settings of its trials, if it has their numbers and no settings at all."""
    here = {*table.header}
    if not trials or NUMBER not in {*layout.own} & here or not here & {*layout.results}:
        return table
    if here & {*layout.domain.names}:
        return table
    named = _named(table, trials)
    cells: dict[str, list[CellValue]] = {
        name: [trial.params.get(name) for trial in named]
        for name in dict.fromkeys([*layout.domain.names, *(n for t in named for n in t.params)])
    }
    for column, outcome in layout.results.items():
        if column not in here:
            cells[column] = [trial.outcomes.get(outcome) for trial in named]
    return _with_columns(table, cells)


def _named(table: Table, trials: Sequence[Trial]) -> list[Trial]:
    """The trial of each row, or an error that says which row has none."""
    known = {trial.number: trial for trial in trials}
    texts = [str(cell).strip() for cell in table.columns[NUMBER]]
    numbers = [int(text) if text.isascii() and text.isdigit() else None for text in texts]
    for row, number in enumerate(numbers):
        if number not in known:
            raise _refusal(table, row, texts[row], len(known))
    return [known[number] for number in numbers if number is not None]


def _refusal(table: Table, row: int, text: str, count: int) -> DataFileError:
    what = f"{text!r} is the number of no trial" if text else "is empty"
    return table.error(
        row,
        NUMBER,
        f"{what}; a row without settings is found by the number of its trial, and the study has 0 "
        f"to {count - 1}",
    )


def _with_columns(table: Table, cells: Mapping[str, Sequence[CellValue]]) -> Table:
    decimal = table.dialect.decimal
    columns = dict(table.columns)
    for name, values in cells.items():
        columns[name] = np.array([_text(value, decimal) for value in values], dtype=object)
    return replace(
        table,
        header=(*table.header, *cells),
        columns=columns,
        letters=(*table.letters, *("" for _ in cells)) if table.letters else (),
    )


def _text(value: CellValue, decimal: str) -> str:
    return value if isinstance(value, str) else format_cell(value, decimal)
