"""Many trials at once: what reading a long study costs is spent here, row by row.

A row as we write it is read the short way; every other one by `rows.trial_of`, which knows what to
do about damage. Both give the same trial for the same row. The short way takes half the time of the
long one, and a third of it goes to making the `Trial`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from pathmax.storage.damage import UNREADABLE
from pathmax.storage.json_text import decode, typed
from pathmax.storage.rows import Row, trial_of
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

WITHOUT_INFO = "{}"
"""In place of what explains a suggestion, where nobody looks at it: most of what a row holds."""

_STATES = {state.value: state for state in TrialState}


def trials_of(found: Iterable[Sequence[Any]], place: str, study: str) -> list[Trial]:
    """The trials in rows of `STORED_COLUMNS`."""
    return [
        _sound(row, study) or trial_of(dict(zip(STORED_COLUMNS, row, strict=True)), place, study)
        for row in found
    ]


def row_of(row: Row) -> tuple[Any, ...]:
    """A row as `trials_of` takes it."""
    return tuple(row[name] for name in STORED_COLUMNS)


def _sound(row: Sequence[Any], study: str) -> Trial | None:
    """The trial in a row that is as we write it; None for any other."""
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
    ) = row
    try:
        known = _STATES[state]
        settings, results = decode(params), decode(outcomes)
        explained = {} if info == WITHOUT_INFO else decode(info)
        attached = {} if attributes == "{}" else decode(attributes)
        error = None if error == "null" else typed(decode(error), str)
        note = None if note == "null" else typed(decode(note), str)
        worker = None if worker == "null" else typed(decode(worker), str)
        # Written out, and added up to be looked at once: this runs for every trial of a study.
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
