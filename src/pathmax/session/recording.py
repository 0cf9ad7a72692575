"""How results get into a study: told, failed, added from before, corrected, remarked upon.

What the user gives is checked here, all of it before anything is stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace

from pathmax.arguments import yes_or_no
from pathmax.errors import TrialError
from pathmax.scalars import describe
from pathmax.session.session import Session
from pathmax.storage import Ending, Entry
from pathmax.trials.trial import Json, Trial, TrialState, check_remarks
from pathmax.trials.values import defect, read_noise, read_value


def tell(
    session: Session,
    trial: Trial | int,
    value: object,
    noise: float | None = None,
    note: str | None = None,
    attributes: Mapping[str, Json] | None = None,
) -> Trial:
    """`Study.tell`, where the arguments are described; so for the others."""
    number, ending = session.number_of(trial), _ending(value, noise, note, attributes)
    return session.storage.finish(session.key, number, ending)


def fail(session: Session, trial: Trial | int, reason: str, correct: bool = False) -> Trial:
    number, replaces = session.number_of(trial), yes_or_no("correct", correct)
    if not isinstance(reason, str):
        raise TrialError(
            f"a reason is text, got {describe(reason)}; put it in words, or write str(error)"
        )
    ending = Ending(state=TrialState.FAILED, error=reason)
    store = session.storage.correct if replaces else session.storage.finish
    return store(session.key, number, ending)


def correct(
    session: Session, trial: Trial | int, value: object, noise: float | None, note: str | None
) -> Trial:
    number, ending = session.number_of(trial), _ending(value, noise, note, None)
    return session.storage.correct(session.key, number, ending)


def add(
    session: Session,
    params: Mapping[str, object],
    value: object,
    noise: float | None,
    note: str | None,
    attributes: Mapping[str, Json] | None,
) -> Trial:
    ending = _ending(value, noise, note, attributes)
    entry = Entry(params=session.problem.space.validate(params), **asdict(ending))
    return session.storage.insert(session.key, entry)


def annotate(
    session: Session,
    trial: Trial | int,
    note: str | None = None,
    attributes: Mapping[str, Json] | None = None,
) -> Trial:
    number = session.number_of(trial)
    check_remarks(note, attributes)
    return session.storage.annotate(session.key, number, note=note, attributes=attributes)


def _ending(
    value: object, noise: object, note: str | None, attributes: Mapping[str, Json] | None
) -> Ending:
    """How a trial with this value ends: complete, or failed when it is no finite number."""
    measured, variance = read_value(value), read_noise(noise)
    check_remarks(note, attributes)
    remarked = Ending(note=note, attributes=attributes or {})
    reason = defect(measured)
    if reason is not None:
        return replace(remarked, state=TrialState.FAILED, error=reason)
    return replace(remarked, outcomes={"value": measured}, noise=variance)
