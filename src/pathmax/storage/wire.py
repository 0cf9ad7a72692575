"""Studies and trials as JSON between a server and those who use it as their storage.

The same rules as in a database (`json_text`): infinities survive, and so does text with
lone surrogates. Whoever reads takes nothing on trust: what is not of the right form is an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import TypeVar

from pathmax.errors import StorageError
from pathmax.storage.damage import UNREADABLE
from pathmax.storage.json_text import decode, encode, typed
from pathmax.storage.records import Ending, Entry, Name, StudyKey, StudyRecord
from pathmax.trials.curves import CurvePoint
from pathmax.trials.trial import Json, TrialState

PREFIX = "/api/storage/v1/"
Kind = TypeVar("Kind", StudyRecord, Entry, Ending)


def to_text(content: Json, what: str = "the request") -> str:
    """JSON as it travels."""
    return encode(content, what)


def from_text(text: bytes) -> dict[str, Json]:
    """What was sent; `StorageError` when it is no JSON object."""
    try:
        content: dict[str, Json] = typed(decode(text.decode("utf-8")), dict)
        return content
    except UNREADABLE as cause:
        raise StorageError(f"expected a JSON object ({cause}); is this a pathmax server?") from None


def name_to_json(name: Name) -> dict[str, Json]:
    """A name, or the key of a certain study."""
    return {"name": name} if isinstance(name, str) else asdict(name)


def name_from_json(sent: Mapping[str, Json]) -> Name:
    name = typed(sent["name"], str)
    if sent.get("identity") is None:
        return str(name)
    return StudyKey(name, typed(sent["identity"], str), int(sent["edition"]))


def pack(value: StudyRecord | Entry | Ending) -> dict[str, Json]:
    """What a study, a whole trial or an ending holds."""
    return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}


def unpack(kind: type[Kind], sent: Mapping[str, Json]) -> Kind:
    """The same as it was, of the entries that this version knows."""
    known = {field.name: sent[field.name] for field in fields(kind) if field.name in sent}
    return kind(**known | ({"state": TrialState(known["state"])} if "state" in known else {}))


def point_to_json(point: CurvePoint) -> list[Json]:
    return [point.number, point.step, dict(point.outcomes), point.reported_at]


def point_from_json(sent: Sequence[Json]) -> CurvePoint:
    number, step, outcomes, reported_at = sent
    return CurvePoint(int(number), int(step), dict(outcomes), float(reported_at))


def _plain(value: Json) -> Json:
    if isinstance(value, Mapping):
        return dict(value)
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value
