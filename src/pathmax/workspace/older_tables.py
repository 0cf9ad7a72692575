"""Tables of older results that a study learns from: `learn_from = ["amide.csv"]`, or --learn-from.

They are read like a table of results, but a row that does not fit is left out with a warning, not
refused, and so is a column that is no parameter here: they were made for another space.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from pathmax.errors import DataFileError
from pathmax.tables import file_of
from pathmax.trials.trial import TrialState
from pathmax.workspace.layout import Layout
from pathmax.workspace.results_table import TableReading, opened_table


def read_older_tables(paths: Sequence[str], layout: Layout) -> dict[str, list[dict[str, Any]]]:
    """The rows with a result of each table, by the name of its file; as `Study` takes them."""
    found: dict[str, list[dict[str, Any]]] = {}
    for path in paths:
        name = os.path.splitext(os.path.basename(file_of(path)))[0]
        while name in found:
            name += "'"
        found[name] = rows_with_results(path, layout)
    return found


def rows_with_results(path: str, layout: Layout) -> list[dict[str, Any]]:
    """Params and outcomes of each row, by the names that the study has for them."""
    if not os.path.exists(file_of(path)):
        raise DataFileError(
            f"{path}: there is no such file to learn from; give the table of an older study, with "
            f"its parameters and {', '.join(layout.results)} in columns"
        )
    reading, _ = opened_table(path, layout)
    reading.check_units()
    lacking = [name for name in layout.results if name not in reading.table.header]
    if len(lacking) == len(layout.results):
        raise DataFileError(
            f"{reading.table.place(reading.table.header_line)}: no column "
            f"{' or '.join(map(repr, lacking))} with results to learn from; there are "
            f"{', '.join(reading.table.header)}"
        )
    others = {*layout.own, *layout.ignored, *layout.results}
    params = [name for name in reading.table.header if name not in others]
    rows = []
    for i in range(len(reading.table)):
        state, outcomes = reading.result(i)
        if state is TrialState.COMPLETE:
            known = {name: _cell(reading, i, name) for name in params if reading.text(i, name)}
            rows.append(known | outcomes)
    if not rows:
        raise DataFileError(f"{path}: there is no row with a result to learn from")
    return rows


def _cell(reading: TableReading, i: int, name: str) -> Any:
    """A value of a parameter, or what is written there when it is none: that row is left out."""
    if name not in reading.layout.domain.names:
        return reading.text(i, name)
    try:
        return reading.cell(i, name)
    except DataFileError:
        return reading.text(i, name)
