"""Trials as rows: numbers, and JSON text for everything else.

Every storage keeps the same rows, the one in memory too, so they cannot disagree about what
survives: tuples come back as lists, and nobody else holds a reference into the storage.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pathmax.errors import ForeignStorageError, OutcomeError
from pathmax.storage.damage import REMEDY, UNREADABLE, Salvage
from pathmax.storage.json_text import decode, encode, encode_text, typed
from pathmax.storage.records import Ending, Entry, Remark, Start
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
    cost = ending.cost
    if cost is not None and not (math.isfinite(cost) and cost >= 0):
        raise OutcomeError(f"cost must be a number, finite and not negative, got {cost!r}")
    return {
        "state": TrialState(ending.state).value,
        "outcomes": encode(_with_noises(ending.outcomes, ending.noises), "outcomes"),
        "noise": None if noise is None else float(noise),
        "cost": None if cost is None else float(cost),
        "error": encode_text(ending.error, "error"),
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
    if ending.adds:
        ending = replace(
            ending,
            outcomes=was.outcomes | dict(ending.outcomes),
            noises=was.noises | dict(ending.noises),
        )
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
        ending = replace(ending, noise=noise_before)
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


def trial_of(row: Stored, place: str, study: str) -> Trial:
    """The trial in a row; of a row that pathmax did not write, what can be read."""
    try:
        outcomes, noises = _results(row)
        return Trial(
            number=typed(row["number"], int),
            params=typed(decode(row["params"]), dict),
            state=TrialState(row["state"]),
            outcomes=outcomes,
            noises=noises,
            noise=typed(row["noise"], float, None),
            cost=typed(row["cost"], float, None),
            error=typed(decode(row["error"]), str, None),
            info=typed(decode(row["info"]), dict),
            attributes=typed(decode(row["attributes"]), dict),
            note=typed(decode(row["note"]), str, None),
            asked_at=typed(row["asked_at"], float),
            told_at=typed(row["told_at"], float, None),
            heartbeat_at=typed(row["heartbeat_at"], float, None),
            worker=typed(decode(row["worker"]), str, None),
            study=study,
        )
    except UNREADABLE:
        return _salvaged(row, place, study)


def info_of(text: Any) -> dict[str, Any]:
    """What explains a suggestion, as it is stored; nothing where that is damaged."""
    try:
        info: dict[str, Any] = typed(decode(text), dict)
        return info
    except UNREADABLE:
        return {}


def _salvaged(row: Stored, place: str, study: str) -> Trial:
    """What is left of a trial whose row was damaged: see `pathmax.storage.damage`."""
    number = row["number"]
    if type(number) is not int:
        raise ForeignStorageError(
            f"{place}: a trial of study {study!r} has the number {number!r:.80}; {REMEDY}"
        )
    salvage = Salvage()
    # Without one of these nobody knows what was tried or what came out.
    params: dict[str, Any] = {}
    params = salvage.field("params", lambda: typed(decode(row["params"]), dict), params)
    state = salvage.field("state", lambda: TrialState(row["state"]), TrialState.FAILED)
    nothing: tuple[dict[str, float], dict[str, float]] = ({}, {})
    outcomes, noises = salvage.field("outcomes", lambda: _results(row), nothing)
    useless = bool(salvage.lost)
    trial = Trial(
        number=number,
        params=params,
        state=state,
        outcomes=outcomes,
        noises=noises,
        noise=salvage.field("noise", lambda: typed(row["noise"], float, None), None),
        cost=salvage.field("cost", lambda: typed(row["cost"], float, None), None),
        error=salvage.field("error", lambda: typed(decode(row["error"]), str, None), None),
        info=salvage.field("info", lambda: typed(decode(row["info"]), dict), {}),
        attributes=salvage.field("attributes", lambda: typed(decode(row["attributes"]), dict), {}),
        note=salvage.field("note", lambda: typed(decode(row["note"]), str, None), None),
        asked_at=salvage.field("asked_at", lambda: typed(row["asked_at"], float), 0.0),
        told_at=salvage.field("told_at", lambda: typed(row["told_at"], float, None), None),
        heartbeat_at=salvage.field(
            "heartbeat_at", lambda: typed(row["heartbeat_at"], float, None), None
        ),
        worker=salvage.field("worker", lambda: typed(decode(row["worker"]), str, None), None),
        study=study,
    )
    damage = salvage.sentence(place, study, number)
    if useless:
        trial = replace(
            trial, state=TrialState.FAILED, outcomes={}, noises={}, noise=None, error=damage
        )
    return replace(trial, damage=damage)


def _with_noises(outcomes: Mapping[str, float], noises: Mapping[str, float]) -> dict[str, Any]:
    """As JSON: a number, or [value, variance] where the variance of an outcome was given."""
    return {
        str(name): [float(value), float(noises[name])] if name in noises else float(value)
        for name, value in outcomes.items()
    }


def _results(row: Stored) -> tuple[dict[str, float], dict[str, float]]:
    """Outcomes and the variances of some of them."""
    outcomes, noises = {}, {}
    for name, found in typed(decode(row["outcomes"]), dict).items():
        value, *variance = found if isinstance(found, list) else [found]
        outcomes[name] = typed(value, float)
        if variance:
            noises[name] = typed(*variance, float)
    if not outcomes and row["state"] == "complete":
        raise ValueError("expected a result, got none")
    return outcomes, noises
