"""Requests that may come twice: the answer to the first was lost, so it is sent again.

    POST /api/studies/suzuki/ask
    Idempotency-Key: bench-2-0017

What such a request writes carries tokens derived from its path, its key and its content; the
storage keeps their receipts in the same transaction as the trials. So the second time, also after
the server was killed and started again, nothing is written, and the answer is the same trials. A
request with the same key and another content is another request: no result is lost by a mistake.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import Request

from pathmax.storage import Ending, Entry, Name, Standing, Storage, StudyRecord
from pathmax.storage.base import Propose
from pathmax.storage.records import Goals
from pathmax.trials.curves import CurvePoint
from pathmax.trials.trial import Trial

HEADER = "Idempotency-Key"
LONGEST_KEY = 255


@dataclass(slots=True)
class Writes:
    """The tokens of what one request writes, in order."""

    request: str
    count: int = 0

    def token(self) -> str:
        return f"{self.request}:{self.count}"


_writes: ContextVar[Writes | None] = ContextVar("pathmax_writes", default=None)


class Once:
    """A request that is done once, if it has a key."""

    def __init__(self, request: Request, body: BaseModel) -> None:
        key = request.headers.get(HEADER)
        if key is not None and not 0 < len(key) <= LONGEST_KEY:
            raise HTTPException(400, f"{HEADER} has 1 to {LONGEST_KEY} characters, got {len(key)}")
        said = "\n".join((request.method, request.url.path, key or "", body.model_dump_json()))
        digest = hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:48]
        self._request = None if key is None else digest

    def done(self, storage: Storage, name: Name) -> list[Trial]:
        """The trials that this request has written before, as they are now."""
        found: list[Trial] = []
        while self._request is not None:
            token = Writes(self._request, len(found)).token()
            written = storage.receipt(name, token)
            if written is None:
                break
            found += written
        return found

    @contextmanager
    def writing(self, done: int = 0) -> Iterator[None]:
        """What is written meanwhile has the tokens of this request, those after `done` of them."""
        if self._request is None:
            yield
            return
        before = _writes.set(Writes(self._request, done))
        try:
            yield
        finally:
            _writes.reset(before)


class OnceStorage(Storage):
    """A storage in which every write of a request carries a token of the request."""

    def __init__(self, storage: Storage) -> None:
        self._kept = storage

    def __repr__(self) -> str:
        return repr(self._kept)

    @property
    def place(self) -> str:
        return self._kept.place

    def create(self, record: StudyRecord) -> StudyRecord:
        return self._kept.create(record)

    def begin(self, record: StudyRecord, entries: Sequence[Entry]) -> StudyRecord | None:
        return self._kept.begin(record, entries)

    def load(self, name: Name) -> StudyRecord:
        return self._kept.load(name)

    def studies(self) -> list[StudyRecord]:
        return self._kept.studies()

    def update(
        self,
        name: Name,
        *,
        settings: Mapping[str, Any] | None = None,
        attributes: Mapping[str, Any] | None = None,
        goals: Goals | None = None,
    ) -> StudyRecord:
        return self._kept.update(name, settings=settings, attributes=attributes, goals=goals)

    def change(
        self,
        name: Name,
        *,
        space: Mapping[str, Any] | None = None,
        direction: str | None = None,
        goals: Goals | None = None,
    ) -> StudyRecord:
        return self._kept.change(name, space=space, direction=direction, goals=goals)

    def delete(self, name: Name) -> None:
        self._kept.delete(name)

    def start(
        self,
        name: Name,
        number: int,
        params: Mapping[str, Any],
        info: Mapping[str, Any] | None = None,
        worker: str | None = None,
        *,
        heartbeat: bool = False,
        token: str | None = None,
    ) -> Trial | None:
        with _counted(token) as own:
            started = self._kept.start(
                name, number, params, info, worker, heartbeat=heartbeat, token=own.token
            )
            own.written = started is not None
            return started

    def start_next(
        self,
        name: Name,
        since: int,
        propose: Propose,
        worker: str | None = None,
        *,
        heartbeat: bool = False,
        token: str | None = None,
    ) -> Trial:
        with _counted(token) as own:
            return self._kept.start_next(
                name, since, propose, worker, heartbeat=heartbeat, token=own.token
            )

    def insert_many(
        self, name: Name, entries: Sequence[Entry], *, token: str | None = None
    ) -> list[Trial]:
        with _counted(token) as own:
            return self._kept.insert_many(name, entries, token=own.token)

    def finish(self, name: Name, number: int, ending: Ending, *, token: str | None = None) -> Trial:
        with _counted(token) as own:
            return self._kept.finish(name, number, ending, token=own.token)

    def correct(
        self, name: Name, number: int, ending: Ending, *, token: str | None = None
    ) -> Trial:
        with _counted(token) as own:
            return self._kept.correct(name, number, ending, token=own.token)

    def annotate(
        self,
        name: Name,
        number: int,
        *,
        note: str | None = None,
        attributes: Mapping[str, Any] | None = None,
        token: str | None = None,
    ) -> Trial:
        with _counted(token) as own:
            return self._kept.annotate(
                name, number, note=note, attributes=attributes, token=own.token
            )

    def report(
        self, name: Name, number: int, step: int, outcomes: Mapping[str, float]
    ) -> CurvePoint:
        return self._kept.report(name, number, step, outcomes)  # never twice for a step

    def reports(self, name: Name, since: int = 0) -> tuple[int, list[CurvePoint]]:
        return self._kept.reports(name, since)

    def beat(self, name: Name, numbers: Sequence[int]) -> list[int]:
        return self._kept.beat(name, numbers)

    def reclaim(self, name: Name, grace: float) -> list[Trial]:
        return self._kept.reclaim(name, grace)

    def trial(self, name: Name, number: int) -> Trial:
        return self._kept.trial(name, number)

    def changes(
        self, name: Name, since: int = 0, *, brief: bool = False
    ) -> tuple[int, list[Trial]]:
        return self._kept.changes(name, since, brief=brief)

    def infos(self, name: Name, numbers: Sequence[int]) -> dict[int, dict[str, Any]]:
        return self._kept.infos(name, numbers)

    def receipt(self, name: Name, token: str) -> list[Trial] | None:
        return self._kept.receipt(name, token)

    def revisions(self) -> dict[str, Standing]:
        return self._kept.revisions()

    def turn(self, name: Name, patience: float = 10.0) -> AbstractContextManager[bool]:
        return self._kept.turn(name, patience)

    def close(self) -> None:
        self._kept.close()


@dataclass(slots=True)
class _Write:
    token: str | None
    written: bool = True


@contextmanager
def _counted(token: str | None) -> Iterator[_Write]:
    """The token of one write; once it has succeeded the next write has another."""
    writes = _writes.get()
    own = _Write(token if writes is None else writes.token())
    yield own
    if writes is not None and own.written:
        writes.count += 1
