"""Requests about a study as a whole that may come twice: their answers are kept with the study.

A study that is made or branched, a change of space and an import write more than trials, so that
the receipts of trials (`pathmax.web.idempotency`) do not suffice. What such a request with a key
was answered is kept among the attributes of its study, the latest few of them; sent again, also
after a restart and after somebody changed the study further, it is answered so and does nothing.
A new study is written with its answer at once. Of a change and an import the answer is a second
write: if the server is killed between the two, the request sent again finds its work done, does
nothing, and says that nothing was left to do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pathmax.storage import Storage, StudyRecord
from pathmax.storage.records import Name

ANSWERED = "answered"
MOST_ANSWERED = 50  # of a study, the latest


def answered(record: StudyRecord, request: str | None) -> dict[str, Any] | None:
    """What a request was answered before; None if it is new or has no key."""
    found = _kept(record.attributes).get(request or "")
    return dict(found) if isinstance(found, Mapping) else None


def answered_by(storage: Storage, request: str | None) -> StudyRecord | None:
    """The study that a request has made before."""
    if request is None:
        return None
    made = (record for record in storage.studies() if answered(record, request) is not None)
    return next(made, None)


def keep_answer(
    storage: Storage, name: Name, request: str | None, content: Mapping[str, Any]
) -> None:
    """Keep what a request was answered, if it has a key."""
    if request is not None:
        record = storage.load(name)
        attributes = with_answer(record.attributes, request, content)
        storage.update(record.key, attributes=attributes)


def with_answer(
    attributes: Mapping[str, Any], request: str | None, content: Mapping[str, Any]
) -> dict[str, Any]:
    """The attributes of a study with one more answer."""
    if request is None:
        return dict(attributes)
    kept = {**_kept(attributes), request: dict(content)}
    latest = dict(list(kept.items())[-MOST_ANSWERED:])
    return {**attributes, ANSWERED: latest}


def without_answers(record: StudyRecord) -> StudyRecord:
    """A record as it matters to whoever holds the study."""
    rest = {name: value for name, value in record.attributes.items() if name != ANSWERED}
    return replace(record, attributes=rest)


def _kept(attributes: Mapping[str, Any]) -> Mapping[str, Any]:
    found = attributes.get(ANSWERED)
    return found if isinstance(found, Mapping) else {}
