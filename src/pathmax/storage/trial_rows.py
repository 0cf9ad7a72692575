"""Trials as rows: numbers, and JSON text for everything else.

Every storage keeps the same rows, the one in memory too, so they cannot disagree about what
survives: tuples come back as lists, and nobody else holds a reference into the storage.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pathmax.errors import ForeignStorageError, OutcomeError
from pathmax.storage.damage import REMEDY, UNREADABLE, damaged_trial
from pathmax.storage.json_text import decode, encode, encode_numbers, encode_text, typed
from pathmax.storage.records import Ending, Entry, Remark, Start, Told
from pathmax.trials.trial import EARLIER, Trial, TrialState

Row = dict[str, Any]
Stored = Mapping[Any, Any]
"""A row as it comes back: a dict here, a row of the database there."""


def running_row(number: int, start: Start) -> Row:
    """The row of a trial that starts, its times apart."""
    running = TrialState.RUNNING
    entry = Entry(params=start.params, state=running, info=start.info, worker=start.worker)
    return entry_row(number, entry)


def starting_times(now: float, heartbeat: bool) -> Row:
    """The times of a trial that starts now."""
    return {"asked_at": now, "told_at": None, "heartbeat_at": now if heartbeat else None}


def entry_times(entry: Entry, now: float) -> Row:
    """The times of a trial that arrives as a whole: those that it has, and now for the others."""
    asked_at = float(now if entry.asked_at is None else entry.asked_at)
    told_at: float | None = None
    if entry.state != TrialState.RUNNING:
        told_at = max(float(now if entry.told_at is None else entry.told_at), asked_at)
    return {"asked_at": asked_at, "told_at": told_at, "heartbeat_at": None}


def timed(new: Sequence[Row], entries: Sequence[Entry], now: float) -> list[Row]:
    """The rows of trials that arrive as a whole, with their times."""
    pairs = zip(new, entries, strict=True)
    return [row | entry_times(entry, now) for row, entry in pairs]


def entry_row(number: int, entry: Entry) -> Row:
    """The row of a trial that arrives as a whole, its times apart: they are the storage's."""
    return {
        "number": number,
        "params": encode(dict(entry.params), "params"),
        "info": encode(dict(entry.info), "info"),
        "attributes": encode(dict(entry.attributes), "attributes"),
        "note": encode_text(entry.note, "note"),
        "worker": encode_text(entry.worker, "worker"),
        "reclaimed": False,
        **ending_row(entry),
    }


def finished_row(ending: Ending) -> Row:
    """What `finish` writes about a trial, its time and remarks apart."""
    if ending.state == TrialState.RUNNING:
        raise OutcomeError("a trial ends complete or failed, got 'running'")
    return ending_row(ending) | {"reclaimed": False}


def ending_row(ending: Told) -> Row:
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
    cost = ending.cost
    if cost is not None and not (math.isfinite(cost) and cost >= 0):
        raise OutcomeError(f"cost must be a number, finite and not negative, got {cost!r}")
    return {
        "state": str(TrialState(ending.state)),
        "outcomes": _results_text(ending.outcomes, ending.noises),
        "noise": None if noise is None else float(noise),
        "cost": None if cost is None else float(cost),
        "error": encode_text(ending.error, "error"),
    }


def told_values(ending: Told) -> dict[str, Any]:
    """What is read from what `finished_row` writes."""
    outcomes, noises, error = ending.outcomes, ending.noises, ending.error
    noise, cost = ending.noise, ending.cost
    return {
        "state": TrialState(ending.state),
        "outcomes": {str(name): float(value) for name, value in outcomes.items()},
        "noises": {str(name): float(noises[name]) for name in outcomes if name in noises},
        "noise": None if noise is None else float(noise),
        "cost": None if cost is None else float(cost),
        "error": None if error is None else str(error),
    }


def annotated_row(row: Stored, remark: Remark) -> Row:
    """The part of a trial's row that remarks change: the note and merged attributes."""
    merged = typed(decode(row["attributes"]), dict) | dict(remark.attributes)
    return {
        "note": row["note"] if remark.note is None else encode_text(remark.note, "note"),
        "attributes": encode(merged, "attributes"),
    }


def corrected_row(row: Stored, was: Trial, ending: Ending, *, now: float) -> Row:
    """The part of a trial's row that `correct` changes; what it replaces goes to the attributes."""
    noise_before, earlier = was.noise, was.attributes.get(EARLIER)
    noise_kept = noise_before
    if ending.adds:
        noises = was.noises | dict(ending.noises)
        if noise_before is not None and ending.outcomes.keys() - was.outcomes.keys():
            # It is the variance of the outcomes that were there, and of no other.
            noises = dict.fromkeys(was.outcomes, noise_before) | noises
            noise_kept = None
        ending = replace(ending, outcomes=was.outcomes | dict(ending.outcomes), noises=noises)
    replaced = {
        "state": was.state.value,
        "outcomes": was.outcomes,
        "noise": noise_before,
        **({"noises": was.noises} if was.noises else {}),
        "error": was.error,
        "note": was.note,
        "corrected_at": now,
    }
    kept = {EARLIER: [*(earlier if isinstance(earlier, list) else []), replaced]}
    if ending.noise is None and ending.state == TrialState.COMPLETE:
        ending = replace(ending, noise=noise_kept)
    if ending.cost is None:  # that of the trial, whatever came out
        ending = replace(ending, cost=was.cost)
    remarked = annotated_row(row, Remark(ending.note, {**ending.attributes, **kept}))
    return finished_row(ending) | remarked


def late_row(row: Stored, was: Trial, ending: Ending, *, now: float) -> Row:
    """The same for the result of a trial that was taken back.

    That it had been taken back is kept, as what a correction replaces is: the trials that were
    suggested meanwhile came from a past in which this one had failed.
    """
    return corrected_row(row, was, ending, now=now) | {"told_at": max(now, was.asked_at)}


def trial_of(
    row: Stored, place: str, study: str, read_before: Mapping[str, Any] | None = None
) -> Trial:
    """The trial in a row; of a row that pathmax did not write, what can be read.

    A field that is lost is as in a trial that was made by hand; see `pathmax.storage.damage`.
    `read_before` has fields that need not be read again.
    """
    number = row["number"]
    if type(number) is not int:
        raise ForeignStorageError(
            f"{place}: a trial of study {study!r} has the number {number!r:.80}; {REMEDY}"
        )
    known = read_before or {}
    found: dict[str, Any] = {"params": {}, "outcomes": ({}, {}), **known}
    lost: dict[str, str] = {}
    for name, read in READERS.items():
        if name in known:
            continue
        try:
            found[name] = read(row[name])
        except UNREADABLE as cause:
            lost[name] = f"{name}: {cause}"
    found["outcomes"], found["noises"] = found["outcomes"]
    if not found["outcomes"] and found.get("state") is TrialState.COMPLETE:
        lost.setdefault("outcomes", "outcomes: expected a result, got none")
    if not lost:  # as nearly always
        return Trial(number=number, study=study, **found)
    damage = damaged_trial(place, study, number, "; ".join(lost.values()))
    if lost.keys() & {"params", "state", "outcomes"}:  # nobody knows what was tried or came out
        found |= {"state": TrialState.FAILED, "error": damage}
        found |= {"outcomes": {}, "noises": {}, "noise": None}
    return Trial(number=number, study=study, damage=damage, **found)


def info_of(text: Any) -> dict[str, Any]:
    """What explains a suggestion, as it is stored; nothing where that is damaged."""
    try:
        info: dict[str, Any] = _object(text)
        return info
    except UNREADABLE:
        return {}


def _results_text(outcomes: Mapping[str, float], noises: Mapping[str, float]) -> str:
    """As JSON: a number, or [value, variance] where the variance of an outcome was given."""
    if not noises:
        return encode_numbers(outcomes)
    with_noises = {
        str(name): [float(value), float(noises[name])] if name in noises else float(value)
        for name, value in outcomes.items()
    }
    return encode(with_noises, "outcomes")


def _object(text: Any) -> Any:
    return typed(decode(text), dict)


def _words(text: Any) -> Any:
    return None if text == "null" else typed(decode(text), str)  # most notes and errors


def _time(number: Any) -> Any:
    return typed(number, float)


def _number(number: Any) -> Any:
    return None if number is None else typed(number, float)


def _results(text: Any) -> tuple[dict[str, float], dict[str, float]]:
    """Outcomes and the variances of some of them."""
    outcomes, noises = {}, {}
    for name, found in _object(text).items():
        value, *variance = found if isinstance(found, list) else [found]
        outcomes[name] = typed(value, float)
        if variance:
            noises[name] = typed(*variance, float)
    return outcomes, noises


READERS: dict[str, Callable[[Any], Any]] = {
    "params": _object,
    "state": TrialState,
    "outcomes": _results,
    "noise": _number,
    "cost": _number,
    "error": _words,
    "info": _object,
    "attributes": _object,
    "note": _words,
    "asked_at": _time,
    "told_at": _number,
    "heartbeat_at": _number,
    "worker": _words,
}
"""How each column of a trial is read; the rest of a row is ours."""
