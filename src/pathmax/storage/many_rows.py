"""Many trials at once: what reading a long study costs is spent here, row by row.

A row as we write it is read the short way; every other one by `trial_rows.trial_of`, which knows
what to do about damage. Both give the same trial for the same row. The JSON of a thousand rows is
read at once, which takes a third of the time of reading it row by row.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import islice, repeat
from typing import Any

from pathmax.storage.damage import UNREADABLE
from pathmax.storage.json_text import decode, decode_all, typed
from pathmax.storage.trial_rows import Row, trial_of
from pathmax.trials.trial import Trial, TrialState

STORED_COLUMNS = (
    "number",
    "state",
    "params",
    "outcomes",
    "noise",
    "cost",
    "error",
    "info",
    "attributes",
    "note",
    "worker",
    "asked_at",
    "told_at",
    "heartbeat_at",
)
"""What of a row is the trial, in the order in which `trials_of` takes it."""

OFTEN = {"error": "null", "info": "{}", "attributes": "{}", "note": "null", "worker": "null"}
"""What most rows hold in these columns; it may be left out, as None."""

READ_AT_ONCE = 1000
_PARAMS, _OUTCOMES, _INFO = map(STORED_COLUMNS.index, ("params", "outcomes", "info"))
_STATES = {state.value: state for state in TrialState}


def trials_of(found: Iterable[Sequence[Any]], place: str, study: str) -> list[Trial]:
    """The trials in rows that begin with `STORED_COLUMNS`."""
    trials: list[Trial] = []
    left = iter(found)
    while rows := list(islice(left, READ_AT_ONCE)):
        params = decode_all([row[_PARAMS] for row in rows]) or repeat(None)
        outcomes = decode_all([row[_OUTCOMES] for row in rows]) or repeat(None)
        written = ["{}" if row[_INFO] is None else row[_INFO] for row in rows]
        infos = decode_all(written) or repeat(None)
        trials += [
            _sound(row, study, *read) or trial_of(_whole(row), place, study)
            for row, *read in zip(rows, params, outcomes, infos, strict=False)
        ]
    return trials


def _whole(row: Sequence[Any]) -> Row:
    """A row as it is stored."""
    found = dict(zip(STORED_COLUMNS, row, strict=False))
    return found | {name: text for name, text in OFTEN.items() if found[name] is None}


def row_of(row: Row) -> tuple[Any, ...]:
    """A row as `trials_of` takes it."""
    return tuple(row[name] for name in STORED_COLUMNS)


def _sound(
    row: Sequence[Any], study: str, settings: Any, results: Any, explained: Any
) -> Trial | None:
    """The trial in a row that is as we write it; None for any other.

    `settings`, `results` and `explained` are what its JSON holds, if that was read.
    """
    (
        number,
        state,
        params,
        outcomes,
        noise,
        cost,
        error,
        info,
        attributes,
        note,
        worker,
        asked_at,
        told_at,
        heartbeat_at,
        *_,
    ) = row
    try:
        known = _STATES[state]
        if settings is None or results is None:
            settings, results = decode(params), decode(outcomes)
        if explained is None:
            explained = {} if info is None else decode(info)
        attached = {} if attributes is None or attributes == "{}" else decode(attributes)
        error = None if error is None or error == "null" else typed(decode(error), str)
        note = None if note is None or note == "null" else typed(decode(note), str)
        worker = None if worker is None or worker == "null" else typed(decode(worker), str)
        # One sum, so that one check finds a number that is not finite: this runs for every trial.
        total = asked_at + (told_at or 0.0) + (heartbeat_at or 0.0) + (noise or 0.0) + (cost or 0.0)
        for value in results.values():
            if type(value) is not float:
                return None
            total += value
    except UNREADABLE:
        return None
    if (
        type(total) is not float
        or not math.isfinite(total)
        or type(number) is not int
        or type(settings) is not dict
        or type(explained) is not dict
        or type(attached) is not dict
        or (not results and known is TrialState.COMPLETE)
        or type(asked_at) is not float
        or not (told_at is None or type(told_at) is float)
        or not (heartbeat_at is None or type(heartbeat_at) is float)
        or not (noise is None or type(noise) is float)
        or not (cost is None or type(cost) is float)
    ):
        return None
    return Trial(
        number=number,
        params=settings,
        state=known,
        outcomes=results,
        noise=noise,
        cost=cost,
        error=error,
        info=explained,
        attributes=attached,
        note=note,
        asked_at=asked_at,
        told_at=told_at,
        heartbeat_at=heartbeat_at,
        worker=worker,
        study=study,
    )
