"""Results from before in a data frame: every row is read before the first is stored.

    study.add(frame)              columns: the parameters, and the outcomes by name
    study.add(frame, "yield")     the column that holds the result of a study with one outcome

What `to_frame` wrote can be added to another study: trials that were running are left out, failed
and stopped ones stay failed and stopped. In other frames a row without any result is an error that
names it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeGuard

import numpy as np

from pathmax.errors import OutcomeError, ParamsError, PathmaxError
from pathmax.scalars import describe
from pathmax.session.recording import WHY_NO_RESULT, ending, entry, warn_of_disobedience
from pathmax.session.session import Session
from pathmax.space.any_space import AnySpace
from pathmax.space.columns import missing_cells
from pathmax.space.raw_tables import raw_columns
from pathmax.storage import Ending, Entry
from pathmax.trials.frames import COST, ERROR, NOTE, OWN, STATE, noise_column, result_column
from pathmax.trials.trial import Trial, TrialState

MOST_NAMED = 5  # rows with an error that are named


def is_table(params: object) -> TypeGuard[Any]:
    """Whether somebody gave many rows: a frame, an Arrow table or a list of dicts."""
    if isinstance(params, Mapping):
        return False
    is_frame = hasattr(params, "columns") or hasattr(params, "column_names")
    return is_frame or (isinstance(params, Sequence) and not isinstance(params, str | bytes))


def check_plain(*remarks: object) -> None:
    """Refuse what is said of a single result where there are many."""
    if any(remark is not None for remark in remarks):
        raise ParamsError(
            "noise, note, attributes and cost are those of one result; in a table they are "
            "columns: 'noise of value', 'note', 'attributes.batch', 'cost'"
        )


def add_rows(session: Session, table: object, value: object = None) -> list[Trial]:
    """`Study.add` of a table, where the arguments are described."""
    if isinstance(table, Sequence) and not all(isinstance(row, Mapping) for row in table):
        raise ParamsError(
            f"results from before are a data frame or a list of dicts, got {describe(table)}"
        )
    columns = {str(name): cells for name, cells in raw_columns(table).items()}
    if not columns:
        return []
    space, n = session.problem.space, len(next(iter(columns.values())))
    results = result_columns(session, columns, value, n)
    check_columns(space, columns, results)
    entries: list[Entry] = []
    wrong: list[str] = []
    for i, row in enumerate(filled_cells(columns)):
        try:
            found = read_row(session, row, results)
        except PathmaxError as error:
            wrong.append(f"row {i}: {error}")
            continue
        entries += [found] if found is not None else []
    if wrong:
        more = f"; and {len(wrong) - MOST_NAMED} more" if len(wrong) > MOST_NAMED else ""
        raise ParamsError(
            f"nothing was added, since {len(wrong)} of {n} rows (counted from 0) cannot be read. "
            f"{'; '.join(wrong[:MOST_NAMED])}{more}"
        )
    warn_of_disobedience(space, entries)
    return session.storage.insert_many(session.key, entries)


def filled_cells(columns: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Of each row of a table the cells that are not empty."""
    present = {name: ~missing_cells(cells) for name, cells in columns.items()}
    lists = {name: cells.tolist() for name, cells in columns.items()}
    for i in range(len(next(iter(lists.values()), ()))):
        yield {name: cells[i] for name, cells in lists.items() if present[name][i]}


def result_columns(
    session: Session, columns: dict[str, Any], value: object, n: int
) -> dict[str, str]:
    """Which column holds which outcome; a list of values becomes a column."""
    goals, names = session.problem.goals, session.problem.space.names
    if value is None:
        usual = {result_column(name, names): name for name in goals.names}
        found = {column: name for column, name in usual.items() if column in columns}
        if found:
            return found
        example = goals.first.name if len(goals) > 1 else "yield"
        raise OutcomeError(
            f"the table has no column {' or '.join(map(repr, usual))} with results; its columns "
            f"are {', '.join(map(repr, columns))}. Say which one: study.add(frame, {example!r})"
        )
    if len(goals) > 1:
        raise OutcomeError(
            f"this study has the outcomes {', '.join(goals.names)}, each in a column of its name; "
            "leave out the value, and rename columns that are called otherwise"
        )
    if isinstance(value, str):
        if value not in columns:
            raise OutcomeError(
                f"there is no column {value!r}; there are {', '.join(map(repr, columns))}"
            )
        return {value: goals.first.name}
    told = np.asarray(value, dtype=object)
    if told.shape != (n,):
        raise OutcomeError(
            f"expected the name of a column or {n} values, one for each row, got {describe(value)}"
        )
    column = result_column(goals.first.name, names)
    columns[column] = told
    return {column: goals.first.name}


def check_columns(space: AnySpace, columns: Mapping[str, Any], results: Mapping[str, str]) -> None:
    """Refuse columns that mean nothing here: a misspelt name would be missed without a word."""
    known = {*space.names, *results, *map(noise_column, results), *OWN}
    known |= {f"pathmax_{name}" for name in OWN}
    unknown = [n for n in columns if n not in known and not n.startswith("attributes.")]
    if unknown:
        raise ParamsError(
            f"the table has columns that are neither parameters nor outcomes of this study: "
            f"{', '.join(map(repr, unknown))}; drop them (in pandas frame.drop(columns={unknown})) "
            f"or rename them. Parameters: {', '.join(space.names)}; results: {', '.join(results)}"
        )


def read_row(session: Session, row: dict[str, Any], results: Mapping[str, str]) -> Entry | None:
    """A row as it is stored; None when its trial is still running."""
    names = session.problem.space.names
    params = {name: row[name] for name in names if name in row}

    def own(name: str) -> Any:
        return row.get(name if name not in (*names, *results) else f"pathmax_{name}")

    state, note = own(STATE), own(NOTE)
    note = None if note is None else str(note)
    if state == TrialState.RUNNING:
        return None
    for ended, usual in WHY_NO_RESULT.items():
        if state == ended:
            why = own(ERROR) or note or usual
            return entry(session, params, Ending(state=ended, error=str(why), note=note))
    measured = {name: row[column] for column, name in results.items() if column in row}
    if not measured:
        raise OutcomeError(
            f"there is no result ({', '.join(results)}); drop such rows, or write 'failed' in a "
            f"column {STATE!r} where the experiment failed"
        )
    noises = {
        n: row[noise_column(c)]
        for c, n in results.items()
        if n in measured and noise_column(c) in row
    }
    kept = {
        name.removeprefix("attributes."): cell
        for name, cell in row.items()
        if name.startswith("attributes.")
    }
    told = ending(session, measured, noises or None, note, kept or None, own(COST))
    return entry(session, params, told)
