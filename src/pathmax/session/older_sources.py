"""What a new study is to learn from: older studies, results of a run, or tables of results.

    Study(space, learn_from=[older])                      a study, or what `optimize` returned
    Study(space, learn_from=[frame])                      a data frame or a list of dicts
    Study(space, learn_from={"amide": frame, ...})        with names of their own

Rows are taken where they lie in the space of the new study: they have all of its parameters, within
its ranges, and at least one of its outcomes. What is left out is said in a warning; when nothing is
left, that is an error.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import numpy as np

from pathmax.errors import LeftOutWarning, ParamsError, SettingsError
from pathmax.scalars import describe, plain
from pathmax.session.frame_rows import filled_cells, is_table
from pathmax.space.any_space import AnySpace
from pathmax.space.raw_tables import raw_columns
from pathmax.suggestion.older_results import BEST, MOST_LENT, OlderResults
from pathmax.trials.frames import OWN, STATE, noise_column, result_column
from pathmax.trials.goals import Goals
from pathmax.trials.trial import TrialState
from pathmax.trials.wording import plural

MOST_LISTED_PARAMS = 5  # parameters that a sentence lists


@dataclass(frozen=True, slots=True)
class OlderRow:
    """A result from elsewhere, as it was read."""

    params: Mapping[str, object]
    outcomes: Mapping[str, float]
    noises: Mapping[str, float]


def read_older(given: object, space: AnySpace, goals: Goals) -> tuple[OlderResults, ...]:
    """What `learn_from` says, checked against the space and the goals of the new study."""
    found: list[OlderResults] = []
    for name, source in named_sources(given):
        names = {one.name for one in found}
        unique = next(n for n in candidates_for(name) if n not in names)
        rows = list(rows_of(unique, source, space, goals))
        found.append(fitting(unique, rows, space, goals))
    return tuple(found)


def named_sources(given: object) -> list[tuple[str, Any]]:
    """Each source with its name: that of the study, "table" for the others, or as it is given."""
    if isinstance(given, Mapping) and given and all(is_source(one) for one in given.values()):
        return [(str(name), source) for name, source in given.items()]
    if is_source(given):
        sources: Iterable[Any] = [given]
    elif isinstance(given, Sequence) and not isinstance(given, str | bytes):
        sources = given
    else:
        raise no_source(given)
    for source in sources:
        if not is_source(source):
            raise no_source(source)
    return [(str(getattr(source, "name", None) or "table"), source) for source in sources]


def no_source(given: object) -> SettingsError:
    """What to say of something that nothing can be learnt from."""
    return SettingsError(
        "learn_from takes older studies, results of optimize, data frames or lists of dicts, in a "
        f"list or in a dict that names them, got {describe(given)}; of a CSV file "
        "learn_from=[pandas.read_csv(path)], or on the command line --learn-from"
    )


def is_source(given: object) -> bool:
    """Whether one can learn from it: a study, a result, or a table with rows."""
    if hasattr(given, "trials") and hasattr(given, "goals"):
        return True
    if isinstance(given, Mapping):  # columns
        return bool(given) and all(is_column(cells) for cells in given.values())
    if isinstance(given, Sequence) and is_table(given):
        return bool(given) and all(
            isinstance(row, Mapping) and not any(is_column(cell) for cell in row.values())
            for row in given
        )
    return is_table(given)


def is_column(cells: object) -> bool:
    """Whether a value of a dict is a column of a table."""
    listed = isinstance(cells, Sequence) and not isinstance(cells, str | bytes)
    return (listed or isinstance(cells, np.ndarray)) and not is_source_of_rows(cells)


def is_source_of_rows(cells: Any) -> bool:
    """Whether it is a list of dicts: a table, and no column of one."""
    return len(cells) > 0 and all(isinstance(cell, Mapping) for cell in cells)


def candidates_for(name: str) -> Iterator[str]:
    """A name, and further ones if it is taken."""
    yield name
    yield from (f"{name} {number}" for number in count(2))


def rows_of(name: str, source: Any, space: AnySpace, goals: Goals) -> Iterator[OlderRow]:
    """The results of a source, by the names of the outcomes of the new study."""
    if not hasattr(source, "goals"):
        yield from rows_of_table(name, source, space, goals)
        return
    there = matched(name, source.goals, goals)
    for trial in source.trials:
        if trial.state is TrialState.COMPLETE:
            outcomes = {ours: trial.outcomes[o] for o, ours in there.items() if o in trial.outcomes}
            noises = {ours: trial.noise_of(o) for o, ours in there.items()}
            known = {ours: variance for ours, variance in noises.items() if variance is not None}
            yield OlderRow(trial.params, outcomes, known)


def matched(name: str, theirs: Goals, ours: Goals) -> dict[str, str]:
    """Which outcome of an older study is which of the new one; refuses another direction."""
    there = {goal.name: goal.name for goal in theirs if goal.name in ours.names}
    if not there and len(theirs) == len(ours) == 1:
        there = {theirs.first.name: ours.first.name}
    if not there:
        raise SettingsError(
            f"learn_from: {name!r} has the outcomes {', '.join(theirs.names)}, and none of them is "
            f"one of this study, {', '.join(ours.names)}; give its table with columns of these "
            "names"
        )
    for before, now in there.items():
        was, wanted = theirs.named(before).direction, ours.named(now).direction
        if was and wanted and was != wanted:
            raise SettingsError(
                f"learn_from: {name!r} wants to {was} {before}, and this study to {wanted} {now}, "
                "so they hardly are the same; if they are, give its table: "
                "learn_from=[older.to_frame()]"
            )
    return there


def rows_of_table(name: str, table: Any, space: AnySpace, goals: Goals) -> Iterator[OlderRow]:
    """The rows of a table that have a result; those of trials that did not end well are none."""
    columns = {str(column): cells for column, cells in raw_columns(table).items()}
    usual = {result_column(one, space.names): one for one in goals.names}
    results = {column: one for column, one in usual.items() if column in columns}
    if not results:
        raise SettingsError(
            f"learn_from: {name!r} has no column {' or '.join(map(repr, usual))} with results; its "
            f"columns are {', '.join(map(repr, columns))}; rename the one that holds them"
        )
    own = {*OWN, *(f"pathmax_{one}" for one in OWN)}
    skipped = {*results, *map(noise_column, results), *(own - {*space.names})}
    state = STATE if STATE not in space.names else f"pathmax_{STATE}"
    for i, row in enumerate(filled_cells(columns)):
        if row.get(state, TrialState.COMPLETE) != TrialState.COMPLETE:
            continue
        params = {
            column: cell
            for column, cell in row.items()
            if column not in skipped and not column.startswith("attributes.")
        }
        yield OlderRow(
            params,
            {
                one: number_in(name, i, column, row)
                for column, one in results.items()
                if column in row
            },
            {
                one: number_in(name, i, noise_column(column), row)
                for column, one in results.items()
                if noise_column(column) in row
            },
        )


def number_in(name: str, i: int, column: str, row: Mapping[str, object]) -> float:
    """A number of a table, or a `SettingsError` that says where it is."""
    cell = plain(row[column])
    if isinstance(cell, bool) or not isinstance(cell, int | float) or not np.isfinite(cell):
        raise SettingsError(
            f"learn_from: {name!r}, row {i} (counted from 0), column {column!r}: expected a finite "
            f"number, got {describe(cell)}; correct it, or leave the cell empty"
        )
    return float(cell)


def fitting(name: str, rows: Sequence[OlderRow], space: AnySpace, goals: Goals) -> OlderResults:
    """The rows that lie in the space, as they are stored; says what is left out."""
    space.remember(space.aimed(chosen(row.params, space)) for row in rows)
    kept: list[OlderRow] = []
    reasons: list[str] = []
    for row in rows:
        if not row.outcomes:
            continue
        try:
            params = space.validate(space.aimed(chosen(row.params, space)))
        except ParamsError as error:
            reasons.append(str(error))
            continue
        kept.append(replace(row, params=params))
    if not kept:
        why = f"the first: {reasons[0]}" if reasons else "it has no results"
        raise SettingsError(
            f"learn_from: none of the {len(rows)} rows of {name!r} can be learnt from here; {why}. "
            "A row needs a value of every parameter of this study, within its range: add a column "
            'with what was fixed then, as in frame = older.to_frame(); frame["pressure"] = 1.0'
        )
    say_left_out(name, rows, reasons, space)
    kept = thinned_rows(kept, goals)
    points = tuple(space.validate(row.params) for row in kept)
    outcomes = by_outcome([row.outcomes for row in kept], goals)
    return OlderResults(name, points, outcomes, by_outcome([row.noises for row in kept], goals))


def by_outcome(
    rows: Sequence[Mapping[str, float]], goals: Goals
) -> dict[str, tuple[float | None, ...]]:
    """The numbers of each outcome that some row has, None where it has none."""
    known = [one for one in goals.names if any(one in row for row in rows)]
    return {one: tuple(row.get(one) for row in rows) for one in known}


def chosen(params: Mapping[str, object], space: AnySpace) -> dict[str, object]:
    """Those of some params that the space has too."""
    return {name: value for name, value in params.items() if name in space.names}


def say_left_out(
    name: str, rows: Sequence[OlderRow], reasons: Sequence[str], space: AnySpace
) -> None:
    """Warn of rows and parameters that are not learnt from."""
    said = []
    more = dict.fromkeys(p for row in rows for p in row.params if p not in space.names)
    if more:
        listed = ", ".join([*more][:MOST_LISTED_PARAMS]) + (
            ", ..." if len(more) > MOST_LISTED_PARAMS else ""
        )
        said.append(f"{listed} {'are' if len(more) > 1 else 'is'} no parameter of this study")
    if reasons:
        said.append(f"{plural(len(reasons), 'row')} left out, the first since {reasons[0]}")
    if said:
        warnings.warn(f"learn_from: of {name!r}: {'; '.join(said)}", LeftOutWarning, stacklevel=6)


def thinned_rows(rows: list[OlderRow], goals: Goals) -> list[OlderRow]:
    """At most MOST_LENT rows, in order: the best of the first objective, and others over time."""
    if len(rows) <= MOST_LENT:
        return rows
    goal = goals.first
    values = np.array(
        [goal.sign * row.outcomes.get(goal.name, -np.inf * goal.sign) for row in rows]
    )
    taken = np.zeros(len(rows), dtype=bool)
    taken[np.argsort(-values, kind="stable")[: int(BEST * MOST_LENT)]] = True
    others = np.flatnonzero(~taken)
    left = MOST_LENT - int(taken.sum())
    taken[others[np.linspace(0, len(others) - 1, left).round().astype(int)]] = True
    return [row for row, is_taken in zip(rows, taken, strict=True) if is_taken]
