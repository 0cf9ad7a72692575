"""A server as the storage of studies elsewhere: what `pathmax.storage.http` speaks to.

This is between two pathmax programs and not for people; the version is in the path. Every request
is a method of `Storage`, so that all promises of a storage hold across the network.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from pathmax.errors import PathmaxError, StorageError
from pathmax.storage import Ending, Entry, Name, Storage, StudyRecord, wire
from pathmax.storage.connection import Sent
from pathmax.storage.damage import UNREADABLE
from pathmax.storage.records import name_of
from pathmax.trials.trial import Trial
from pathmax.web.server import serving

router = APIRouter(prefix=wire.PREFIX.removeprefix("/api").rstrip("/"), include_in_schema=False)

Content = dict[str, Any]

LONGEST_TOKEN = 64


def _load(storage: Storage, sent: Sent) -> Content:
    return _record(storage.load(_name(sent)))


def _studies(storage: Storage, sent: Sent) -> Content:
    return {"records": [wire.pack(record) for record in storage.studies()]}


def _trial(storage: Storage, sent: Sent) -> Content:
    return _one(storage.trial(_name(sent), int(sent["number"])))


def _changes(storage: Storage, sent: Sent) -> Content:
    name, since = _name(sent), int(sent["since"])
    # Counted before: whoever starts a trial under this number has seen all the ones below it.
    standing = storage.revisions().get(name_of(name))
    revision, trials = storage.changes(name, since, brief="brief" in sent)
    count = max([0 if standing is None else standing.trials, *(t.number + 1 for t in trials)])
    return {"revision": revision, "count": count, **_many(trials)}


def _infos(storage: Storage, sent: Sent) -> Content:
    numbers = [int(each) for each in sent["numbers"].split(",") if each]
    return {"infos": list(storage.infos(_name(sent), numbers).items())}


def _receipt(storage: Storage, sent: Sent) -> Content:
    found = storage.receipt(_name(sent), str(sent["token"]))
    return {"trials": None} if found is None else _many(found)


def _reports(storage: Storage, sent: Sent) -> Content:
    revision, points = storage.reports(_name(sent), int(sent["since"]))
    return {"revision": revision, "points": [wire.point_to_json(point) for point in points]}


def _revisions(storage: Storage, sent: Sent) -> Content:
    return {"studies": {name: list(where) for name, where in storage.revisions().items()}}


READING: dict[str, Callable[[Storage, Sent], Content]] = {
    work.__name__.removeprefix("_"): work
    for work in (_load, _studies, _trial, _changes, _infos, _receipt, _reports, _revisions)
}


def _create(storage: Storage, sent: Sent, token: str | None) -> Content:
    return _record(storage.create(wire.unpack(StudyRecord, sent["record"])))


def _begin(storage: Storage, sent: Sent, token: str | None) -> Content:
    begun = storage.begin(wire.unpack(StudyRecord, sent["record"]), _entries(sent))
    return {"record": None} if begun is None else _record(begun)


def _update(storage: Storage, sent: Sent, token: str | None) -> Content:
    parts = {part: sent[part] for part in ("settings", "attributes", "goals")}
    return _record(storage.update(_name(sent), **parts))


def _change(storage: Storage, sent: Sent, token: str | None) -> Content:
    parts = {part: sent[part] for part in ("space", "direction", "goals")}
    return _record(storage.change(_name(sent), **parts))


def _delete(storage: Storage, sent: Sent, token: str | None) -> Content:
    storage.delete(_name(sent))
    return {}


def _start(storage: Storage, sent: Sent, token: str | None) -> Content:
    started = storage.start(
        _name(sent),
        int(sent["number"]),
        sent["params"],
        sent["info"],
        sent["worker"],
        heartbeat=bool(sent["heartbeat"]),
        token=token,
    )
    return {"trial": None} if started is None else _one(started)


def _insert_many(storage: Storage, sent: Sent, token: str | None) -> Content:
    return _many(storage.insert_many(_name(sent), _entries(sent), token=token))


def _finish(storage: Storage, sent: Sent, token: str | None) -> Content:
    ending = wire.unpack(Ending, sent["ending"])
    return _one(storage.finish(_name(sent), int(sent["number"]), ending, token=token))


def _correct(storage: Storage, sent: Sent, token: str | None) -> Content:
    ending = wire.unpack(Ending, sent["ending"])
    return _one(storage.correct(_name(sent), int(sent["number"]), ending, token=token))


def _annotate(storage: Storage, sent: Sent, token: str | None) -> Content:
    remarks = {"note": sent["note"], "attributes": sent["attributes"]}
    return _one(storage.annotate(_name(sent), int(sent["number"]), **remarks, token=token))


def _report(storage: Storage, sent: Sent, token: str | None) -> Content:
    number, step, outcomes = int(sent["number"]), int(sent["step"]), dict(sent["outcomes"])
    return {"point": wire.point_to_json(storage.report(_name(sent), number, step, outcomes))}


def _beat(storage: Storage, sent: Sent, token: str | None) -> Content:
    return {"numbers": storage.beat(_name(sent), [int(each) for each in sent["numbers"]])}


def _reclaim(storage: Storage, sent: Sent, token: str | None) -> Content:
    return _many(storage.reclaim(_name(sent), float(sent["grace"])))


WRITING: dict[str, Callable[[Storage, Sent, str | None], Content]] = {
    work.__name__.removeprefix("_"): work
    for work in (
        *(_create, _begin, _update, _change, _delete, _start, _insert_many),
        *(_finish, _correct, _annotate, _report, _beat, _reclaim),
    )
}


@router.get("/{what}")
def read(request: Request, what: str) -> Response:
    """A method that reads; what it is given stands in the query."""
    if what not in READING:
        raise HTTPException(404, "Not Found")
    storage, sent = serving(request).studies.storage, dict(request.query_params)
    return _answer(lambda: READING[what](storage, sent))


@router.post("/turn")
async def turn(request: Request) -> Response:
    """Take the turn of a study; it is kept until `release`, or until the connection closes."""
    sent = _content_of(await request.body())
    with _reading():
        name, patience = _name(sent), float(sent["patience"])
    here = serving(request)
    return await here.turns.take(here.studies.storage, name, patience)


@router.post("/release")
async def release(request: Request) -> Response:
    """Give a turn back."""
    sent = _content_of(await request.body())
    await serving(request).turns.release(str(sent.get("turn")))
    return _answer(dict)


@router.post("/{what}")
async def write(request: Request, what: str) -> Response:
    """A method that writes; what it is given stands in the body, its token in a header."""
    if what not in WRITING:
        raise HTTPException(404, "Not Found")
    body, token = await request.body(), request.headers.get("idempotency-key")
    if token is not None and len(token) > LONGEST_TOKEN:
        raise HTTPException(400, f"a token has at most {LONGEST_TOKEN} characters")
    here = serving(request)

    def work() -> Response:
        sent = _content_of(body)
        return _answer(lambda: WRITING[what](here.studies.storage, sent, token))

    response: Response = await run_in_threadpool(work)
    if what != "beat":  # nobody looks at heartbeats
        here.events.nudge()
    return response


def _content_of(body: bytes) -> Content:
    try:
        return wire.from_text(body)
    except StorageError as cause:
        raise HTTPException(400, "this is not what pathmax sends: a JSON object") from cause


def _answer(work: Callable[[], Content]) -> Response:
    with _reading():
        content = work()
    return Response(wire.to_text(content, "the answer"), media_type="application/json")


@contextmanager
def _reading() -> Iterator[None]:
    """Refuse what no pathmax program sends."""
    try:
        yield
    except PathmaxError:
        raise
    except UNREADABLE as cause:
        raise HTTPException(400, f"this is not what pathmax sends ({cause!r:.200})") from cause


def _name(sent: Sent) -> Name:
    return wire.name_from_json(sent)


def _entries(sent: Sent) -> list[Entry]:
    return [wire.unpack(Entry, each) for each in sent["entries"]]


def _record(record: StudyRecord) -> Content:
    return {"record": wire.pack(record)}


def _one(trial: Trial) -> Content:
    return {"trial": trial.to_json()}


def _many(trials: Sequence[Trial]) -> Content:
    return {"trials": [trial.to_json() for trial in trials]}
