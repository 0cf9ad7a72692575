"""How results get into a study: told, failed, added from before, corrected, remarked upon.

What the user gives is checked here, all of it before anything is stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pathmax.outcomes import defect, read_noise, read_value
from pathmax.session import Session
from pathmax.storage import Entry
from pathmax.trial import Json, Trial, TrialState, check_remarks


def tell(
    session: Session,
    trial: Trial | int,
    value: object,
    noise: float | None,
    note: str | None,
    attributes: Mapping[str, Json] | None,
) -> Trial:
    """`Study.tell`, where the arguments are described; so for the others."""
    number, ending = session.number_of(trial), _ending(value, noise)
    check_remarks(note, attributes)
    told = session.storage.finish(session.name, number, **ending)
    if note is None and attributes is None:
        return told
    return session.storage.annotate(session.name, number, note=note, attributes=attributes)


def fail(session: Session, trial: Trial | int, reason: str) -> Trial:
    number, state = session.number_of(trial), TrialState.FAILED
    return session.storage.finish(session.name, number, state=state, error=reason)


def correct(
    session: Session, trial: Trial | int, value: object, noise: float | None, note: str | None
) -> Trial:
    number, ending = session.number_of(trial), _ending(value, noise)
    check_remarks(note, None)
    return session.storage.correct(session.name, number, **ending, note=note)


def add(
    session: Session,
    params: Mapping[str, object],
    value: object,
    noise: float | None,
    note: str | None,
    attributes: Mapping[str, Json] | None,
) -> Trial:
    ending = _ending(value, noise)
    check_remarks(note, attributes)
    entry = Entry(
        params=session.problem.space.validate(params),
        **ending,
        attributes={} if attributes is None else attributes,
        note=note,
    )
    return session.storage.insert(session.name, entry)


def annotate(
    session: Session,
    trial: Trial | int,
    note: str | None,
    attributes: Mapping[str, Json] | None,
) -> Trial:
    number = session.number_of(trial)
    check_remarks(note, attributes)
    return session.storage.annotate(session.name, number, note=note, attributes=attributes)


def _ending(value: object, noise: object) -> dict[str, Any]:
    """How a trial with this value ends: complete, or failed when it is no finite number."""
    measured, variance = read_value(value), read_noise(noise)
    reason = defect(measured)
    if reason is not None:
        return {"state": TrialState.FAILED, "error": reason}
    return {
        "state": TrialState.COMPLETE,
        "outcomes": {"value": measured},
        "noise": variance,
    }
