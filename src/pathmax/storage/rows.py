"""Trials and records as rows: numbers, and JSON text for everything else.

Every storage keeps the same rows, the one in memory too, so they cannot disagree about what
survives: tuples come back as lists, and nobody else holds a reference into the storage.

Text is stored as JSON text also where it is a plain string (note, error, worker): JSON escapes
NUL and lone surrogates, which PostgreSQL refuses in its text columns. JSON proper has no infinity
and no NaN; databases disagree about them. An outcome must be finite. Elsewhere (`info`,
`attributes`) they are written as {"$float": "inf"} and read back as numbers.
"""

from __future__ import annotations

import json
import math
import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pathmax.errors import ForeignStorageError, OutcomeError, StorageError
from pathmax.storage.records import (
    Ending,
    Entry,
    Goals,
    StudyRecord,
    check_direction,
    check_goals,
)
from pathmax.trials.trial import EARLIER, Trial, TrialState

FLOAT_TAG = "$float"

Row = dict[str, Any]
Stored = Mapping[Any, Any]
"""A row as it comes back: a dict here, a row of the database there."""


def running_row(
    number: int,
    params: Mapping[str, Any],
    info: Mapping[str, Any] | None,
    worker: str | None,
    *,
    now: float,
    heartbeat: bool,
) -> Row:
    """The row of a trial that starts now."""
    entry = Entry(params=params, state=TrialState.RUNNING, info=info or {}, worker=worker)
    return entry_row(number, entry, now=now) | {"heartbeat_at": now if heartbeat else None}


def entry_row(number: int, entry: Entry, *, now: float) -> Row:
    """The row of a trial that arrives as a whole."""
    asked_at = now if entry.asked_at is None else entry.asked_at
    running = entry.state == TrialState.RUNNING
    told_at = None if running else (now if entry.told_at is None else entry.told_at)
    return {
        "number": number,
        "params": encode(dict(entry.params), "params"),
        "info": encode(dict(entry.info), "info"),
        "attributes": encode(dict(entry.attributes), "attributes"),
        "note": encode_text(entry.note, "note"),
        "worker": encode_text(entry.worker, "worker"),
        "asked_at": float(asked_at),
        "told_at": None if told_at is None else max(float(told_at), float(asked_at)),
        "heartbeat_at": None,
        "reclaimed": False,
        **ending_row(entry),
    }


def finished_row(ending: Ending) -> Row:
    """What `finish` writes about a trial, its time and remarks apart."""
    if ending.state == TrialState.RUNNING:
        raise OutcomeError("a trial ends complete or failed, got 'running'")
    return ending_row(ending) | {"reclaimed": False}


def ending_row(ending: Ending | Entry) -> Row:
    """The part of a row that says how the trial ended."""
    if ending.state == TrialState.COMPLETE and not ending.outcomes:
        raise OutcomeError(
            "a complete trial has an outcome, got none; pass outcomes={'value': 71.3},"
            " or tell the trial as failed"
        )
    for name, value in ending.outcomes.items():
        if not math.isfinite(value):
            raise OutcomeError(
                f"{name} must be a finite number, got {value!r}; a trial without a usable result"
                " is told as failed"
            )
    noise = ending.noise
    for variance in (noise, *ending.noises.values()):
        if variance is not None and not (math.isfinite(variance) and variance >= 0):
            raise OutcomeError(
                f"noise must be a variance, finite and not negative, got {variance!r}"
            )
    return {
        "state": TrialState(ending.state).value,
        "outcomes": encode(_with_noises(ending.outcomes, ending.noises), "outcomes"),
        "noise": None if noise is None else float(noise),
        "error": encode_text(ending.error, "error"),
    }


def annotated_row(row: Stored, note: str | None, attributes: Mapping[str, Any] | None) -> Row:
    """The part of a trial's row that remarks change: the note and merged attributes."""
    merged = decode(row["attributes"]) | dict(attributes or {})
    return {
        "note": row["note"] if note is None else encode_text(note, "note"),
        "attributes": encode(merged, "attributes"),
    }


def corrected_row(row: Stored, ending: Ending, *, now: float) -> Row:
    """The part of a trial's row that `correct` changes; what it replaces goes to the attributes."""
    noise_before = None if row["noise"] is None else float(row["noise"])
    outcomes, noises = _without_noises(decode(row["outcomes"]))
    if ending.adds:
        ending = replace(
            ending, outcomes=outcomes | dict(ending.outcomes), noises=noises | dict(ending.noises)
        )
    earlier = decode(row["attributes"]).get(EARLIER)
    replaced = {
        "state": row["state"],
        "outcomes": outcomes,
        "noise": noise_before,
        **({"noises": noises} if noises else {}),
        "error": decode(row["error"]),
        "note": decode(row["note"]),
        "corrected_at": now,
    }
    kept = {EARLIER: [*(earlier if isinstance(earlier, list) else []), replaced]}
    if ending.noise is None and ending.state == TrialState.COMPLETE:
        ending = replace(ending, noise=noise_before)
    remarked = annotated_row(row, ending.note, {**ending.attributes, **kept})
    return finished_row(ending) | remarked


def trial_of(row: Stored, place: str, study: str) -> Trial:
    """The trial in a row; a row that nobody of ours wrote is an error that names the place."""
    try:
        outcomes, noises = _without_noises(decode(row["outcomes"]))
        return Trial(
            number=_typed(row["number"], int),
            params=_typed(decode(row["params"]), dict),
            state=TrialState(row["state"]),
            outcomes=outcomes,
            noises=noises,
            noise=_typed(row["noise"], float, None),
            error=_typed(decode(row["error"]), str, None),
            info=_typed(decode(row["info"]), dict),
            attributes=_typed(decode(row["attributes"]), dict),
            note=_typed(decode(row["note"]), str, None),
            asked_at=_typed(row["asked_at"], float),
            told_at=_typed(row["told_at"], float, None),
            heartbeat_at=_typed(row["heartbeat_at"], float, None),
            worker=_typed(decode(row["worker"]), str, None),
            study=study,
        )
    except (ValueError, TypeError, RecursionError) as cause:
        raise ForeignStorageError(
            f"{place}: trial {row['number']!r} is not one that pathmax wrote ({cause});"
            " the database is damaged or was changed by another program"
        ) from cause


def record_row(record: StudyRecord, *, now: float) -> Row:
    """The row of a new study, with an identity of its own."""
    return {
        "name": record.name,
        "direction": record.direction,
        "space": encode(dict(record.space), "space"),
        "settings": encode(dict(record.settings), "settings"),
        "attributes": encode(dict(record.attributes), "attributes"),
        "created_at": float(now if record.created_at is None else record.created_at),
        "goals": _goals_text(record.goals),
        "earlier_spaces": encode([dict(each) for each in record.earlier_spaces], "earlier_spaces"),
        "identity": uuid.uuid4().hex,
    }


def update_row(
    settings: Mapping[str, Any] | None, attributes: Mapping[str, Any] | None, goals: Goals | None
) -> Row:
    """The part of a study's row that `update` replaces."""
    given = {"settings": settings, "attributes": attributes}
    changed = {what: encode(dict(v), what) for what, v in given.items() if v is not None}
    return changed if goals is None else changed | {"goals": _goals_text(goals)}


def change_row(space: Mapping[str, Any] | None, direction: str | None, goals: Goals | None) -> Row:
    """The part of a study's row that `change` replaces."""
    changed: Row = {} if space is None else {"space": encode(dict(space), "space")}
    if direction is not None:
        check_direction(direction)
        changed["direction"] = direction
    return changed if goals is None else changed | {"goals": _goals_text(goals)}


def replaced_row(row: Stored, changed: Row, count: int) -> Row:
    """What `change` writes into a study with `count` trials; nothing when nothing differs."""
    if all(row[column] == value for column, value in changed.items()):
        return {}
    replaced = {
        "space": decode(row["space"]),
        "direction": row["direction"],
        "goals": None if row["goals"] is None else decode(row["goals"]),
        "until": count,
    }
    earlier = [*_typed(decode(row["earlier_spaces"]), list), replaced]
    return changed | {"earlier_spaces": encode(earlier, "earlier_spaces")}


def record_of(row: Stored, place: str) -> StudyRecord:
    """The record in a row; a row that nobody of ours wrote is an error that names the place."""
    try:
        return StudyRecord(
            name=_typed(row["name"], str),
            direction=row["direction"],
            space=_typed(decode(row["space"]), dict),
            settings=_typed(decode(row["settings"]), dict),
            attributes=_typed(decode(row["attributes"]), dict),
            created_at=_typed(row["created_at"], float),
            goals=None if row["goals"] is None else _typed(decode(row["goals"]), list),
            earlier_spaces=_dicts(decode(row["earlier_spaces"])),
            identity=_typed(row["identity"], str),
        )
    except (ValueError, TypeError, RecursionError) as cause:
        raise ForeignStorageError(
            f"{place}: study {row['name']!r} is not one that pathmax wrote ({cause});"
            " the database is damaged or was changed by another program"
        ) from cause


def encode(value: Any, what: str) -> str:
    """JSON text that every JSON reader accepts; `what` names the value in the error."""
    try:
        try:
            return _encoder.encode(value)
        except ValueError:  # an infinity or NaN somewhere: rare, so only then look for it
            return _encoder.encode(_tag(value))
    except (TypeError, ValueError, RecursionError) as cause:
        raise StorageError(
            f"{what} must be plain JSON (numbers, text, booleans, None, lists, dicts): {cause};"
            " convert arrays with .tolist() and other objects to text"
        ) from cause


def encode_text(value: str | None, what: str) -> str:
    """The same for text or None: anything else could be written, but not be read again."""
    if not isinstance(value, str | None):
        raise StorageError(f"{what} must be text or None, got {value!r:.80}; put it in quotes")
    return encode(value, what)


def decode(text: Any) -> Any:
    """What `encode` was given, tuples as lists."""
    if type(text) is not str:
        raise TypeError(f"expected JSON text, got {type(text).__name__}")
    if text == "null":  # most notes and errors: three in seven of all texts
        return None
    return _decoder.decode(text)


def _tag(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return {FLOAT_TAG: str(float(value))}
    if isinstance(value, dict):
        return {key: _tag(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_tag(item) for item in value]
    return value


def _untag(value: dict[str, Any]) -> Any:
    if len(value) == 1 and value.get(FLOAT_TAG) in ("inf", "-inf", "nan"):
        return float(value[FLOAT_TAG])
    return value


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


_encoder = json.JSONEncoder(allow_nan=False, separators=(",", ":"))
_decoder = json.JSONDecoder(object_hook=_untag, parse_constant=_refuse)


def _goals_text(goals: Goals | None) -> str | None:
    check_goals(goals)
    return None if goals is None else encode([dict(goal) for goal in goals], "goals")


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [_typed(each, dict) for each in _typed(value, list)]


def _with_noises(outcomes: Mapping[str, float], noises: Mapping[str, float]) -> dict[str, Any]:
    """As JSON: a number, or [value, variance] where the variance of an outcome was given."""
    return {
        str(name): [float(value), float(noises[name])] if name in noises else float(value)
        for name, value in outcomes.items()
    }


def _without_noises(stored: Any) -> tuple[dict[str, float], dict[str, float]]:
    """Outcomes and the variances of some of them."""
    outcomes, noises = {}, {}
    for name, found in _typed(stored, dict).items():
        value, *variance = found if isinstance(found, list) else [found]
        outcomes[name] = _typed(value, float)
        if variance:
            noises[name] = _typed(*variance, float)
    return outcomes, noises


def _typed(value: Any, *kinds: type | None) -> Any:
    if float in kinds and type(value) is int:  # databases hand back 1.0 as 1
        value = float(value)
    if type(value) in kinds or (value is None and None in kinds):
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"expected a finite number, got {value!r}")
        return value
    expected = " or ".join("null" if kind is None else kind.__name__ for kind in kinds)
    raise TypeError(f"expected {expected}, got {value!r:.80}")
