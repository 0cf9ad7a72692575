"""Trials as a data frame: a row for each, in pandas or polars, whichever is there.

    trial | parameters ... | outcomes ... | state | note | error | asked_at | told_at | worker

Variances and costs stand in columns of their own where some were given, and so do attributes. A
column of ours whose name is taken by a parameter or an outcome is called `pathmax_state`, say.
Neither library is imported before a frame is asked for.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal

from pathmax.errors import MissingExtraError, SettingsError
from pathmax.trials.goals import Goals
from pathmax.trials.trial import OWN_ATTRIBUTES, Trial

Library = Literal["pandas", "polars"]
LIBRARIES: tuple[Library, ...] = ("pandas", "polars")

NUMBER, STATE, NOTE, ERROR, COST = "trial", "state", "note", "error", "cost"
OWN = (NUMBER, STATE, NOTE, ERROR, COST, "asked_at", "told_at", "worker")


def to_frame(
    trials: Sequence[Trial], names: Iterable[str], goals: Goals, library: str | None = None
) -> Any:
    """The trials as a frame of that library; of pandas, or else of polars, when None.

    names: of the parameters; those that only some trials have come after them.
    """
    return frame(columns(trials, names, goals), library)


def columns(trials: Sequence[Trial], names: Iterable[str], goals: Goals) -> dict[str, list[Any]]:
    """The cells of each column, None where there is nothing."""
    names = list(dict.fromkeys([*names, *(name for t in trials for name in t.params)]))
    results = {result_column(name, names): name for name in goals.names}
    taken = {*names, *results}
    own = {name: name if name not in taken else f"pathmax_{name}" for name in OWN}
    found: dict[str, list[Any]] = {own[NUMBER]: [trial.number for trial in trials]}
    found |= {name: [trial.params.get(name) for trial in trials] for name in names}
    found |= {c: [trial.outcomes.get(name) for trial in trials] for c, name in results.items()}
    for column, name in results.items():
        noises = [trial.noise_of(name) for trial in trials]
        if any(noise is not None for noise in noises):
            found[noise_column(column)] = noises
    if any(trial.cost is not None for trial in trials):
        found[own[COST]] = [trial.cost for trial in trials]
    found[own[STATE]] = [str(trial.state) for trial in trials]
    found[own[NOTE]] = [trial.note for trial in trials]
    found[own[ERROR]] = [trial.error for trial in trials]
    found[own["asked_at"]] = [moment(trial.asked_at) for trial in trials]
    found[own["told_at"]] = [moment(trial.told_at) for trial in trials]
    found[own["worker"]] = [trial.worker for trial in trials]
    keys = dict.fromkeys(key for t in trials for key in t.attributes if key not in OWN_ATTRIBUTES)
    found |= {f"attributes.{key}": [t.attributes.get(key) for t in trials] for key in keys}
    return found


def result_column(outcome: str, params: Sequence[str]) -> str:
    """The column of an outcome: its name, unless a parameter has it."""
    return outcome if outcome not in params else f"{outcome} (result)"


def noise_column(result: str) -> str:
    """The column with the variances of a result."""
    return f"noise of {result}"


def moment(seconds: float | None) -> datetime.datetime | None:
    """A time since 1970 as a date, in UTC."""
    if not seconds:
        return None
    return datetime.datetime.fromtimestamp(seconds, tz=datetime.UTC)


def frame(cells: Mapping[str, list[Any]], library: str | None = None) -> Any:
    """Columns as a frame of a library."""
    chosen = choose_library(library)
    module = import_module(chosen)
    if chosen == "pandas":
        return module.DataFrame(cells)
    return module.DataFrame({name: uniform(values) for name, values in cells.items()}, strict=False)


def uniform(values: list[Any]) -> list[Any]:
    """Cells of one type, as polars wants them: numbers, or all as text."""
    kinds = {type(value) for value in values if value is not None}
    numbers = kinds <= {int, float}
    if (len(kinds) < 2 and not kinds & {dict, list}) or numbers:
        return values
    return [None if value is None else str(value) for value in values]


def choose_library(library: str | None) -> str:
    """The library that was asked for, or the first that is installed."""
    if library is not None and library not in LIBRARIES:
        raise SettingsError(
            f'library must be "pandas" or "polars", got {library!r}; leave it out for the one that '
            "is installed"
        )
    wanted = LIBRARIES if library is None else (library,)
    for name in wanted:
        if find_spec(name) is not None:
            return name
    raise MissingExtraError(
        f"a data frame needs {' or '.join(wanted)}, which is not installed; run: pip install "
        f'{wanted[0]}, or pip install "pathmax[notebook]" for pandas and all that notebooks use'
    )
