"""Studies on a server that `pathmax serve` runs: workers need no database of their own.

    Study.load("suzuki", storage="http://lab:8080")       token from PATHMAX_TOKEN
    Study.load("suzuki", storage="http://TOKEN@lab:8080")

Every method is one request. A server that is restarted is waited for, as a database is. An answer
can be lost on its way: whatever writes trials carries a token, and the server does nothing twice.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from pathmax.errors import StudyNotFoundError
from pathmax.storage import report_rows, study_rows, trial_rows, wire
from pathmax.storage.base import Beginning, Storage
from pathmax.storage.connection import Connection
from pathmax.storage.records import Ending, Entry, Name, Remark, Standing, Start, StudyRecord
from pathmax.trials.curves import CurvePoint
from pathmax.trials.trial import Trial

PATIENCE = 60.0  # seconds
SENT_AT_ONCE = 200  # numbers of trials in one address
UNMARKED = {"note": "null", "attributes": "{}"}  # a row to see whether a remark can be stored


class HttpStorage(Storage):
    """Keeps studies on a server.

    Args:
        url: `http://lab:8080` or `https://...`, with the token before an @ or in PATHMAX_TOKEN.
        patience: for how many seconds to wait for a server that went away, before
            `StorageUnavailableError`.
    """

    def __init__(self, url: str, *, patience: float = PATIENCE) -> None:
        self._url, self._patience = url, patience
        self._server = Connection(url, patience)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.place!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(HttpStorage, self._url, patience=self._patience), ()

    @property
    def place(self) -> str:
        return self._server.place

    def create(self, record: StudyRecord) -> StudyRecord:
        study_rows.record_row(record, now=0.0)  # what cannot be stored is refused here
        return self._record(self._server.post("create", {"record": wire.pack(record)}))

    def begin(self, record: StudyRecord, entries: Sequence[Entry]) -> StudyRecord | None:
        study_rows.record_row(record, now=0.0)
        sent = {"record": wire.pack(record), "entries": _entries(entries)}
        found = self._server.post("begin", sent)
        if found["record"] is not None:
            return self._record(found)
        if found.again:  # an attempt whose answer was lost may have begun it
            there = self.load(record.name)
            if _same(there, record) and self._changes(there.key, 0, True)["count"] == len(entries):
                return there
        return None

    def load(self, name: Name) -> StudyRecord:
        return self._record(self._get("load", name))

    def studies(self) -> list[StudyRecord]:
        found = self._server.get("studies", {})
        return [wire.unpack(StudyRecord, sent) for sent in found["records"]]

    def _update(self, name: Name, parts: Mapping[str, Any]) -> StudyRecord:
        study_rows.changed_row(parts)
        return self._record(self._post("update", name, **parts))

    def _change(self, name: Name, parts: Mapping[str, Any]) -> StudyRecord:
        study_rows.changed_row(parts)
        return self._record(self._post("change", name, **parts))

    def delete(self, name: Name) -> None:
        self._server.post("delete", wire.name_to_json(name), done=(StudyNotFoundError,))

    def _start(self, name: Name, number: int, start: Start, token: str | None) -> Trial | None:
        trial_rows.running_row(number, start)
        sent = {"number": number, "params": dict(start.params), "info": dict(start.info)}
        sent |= {"worker": start.worker, "heartbeat": start.heartbeat}
        found = self._post("start", name, token or _new_token(), **sent)
        return None if found["trial"] is None else self._trial(found)

    def _start_next(self, name: Name, since: int, propose: Beginning, token: str | None) -> Trial:
        # A server cannot call back while all others wait: whoever is slower proposes again.
        token = token or _new_token()
        while True:
            found = self._changes(name, since)
            revision, changed = self._read_changes(found)
            trial = self._start(name, found["count"], propose(revision, changed), token)
            if trial is not None:
                return trial
            since = revision

    def _insert_many(self, name: Name, entries: Sequence[Entry], token: str | None) -> list[Trial]:
        sent = {"entries": _entries(entries)}
        return self._trials(self._post("insert_many", name, token or _new_token(), **sent))

    def _finish(self, name: Name, number: int, ending: Ending, token: str | None) -> Trial:
        return self._end("finish", name, number, ending, token)

    def _correct(self, name: Name, number: int, ending: Ending, token: str | None) -> Trial:
        return self._end("correct", name, number, ending, token)

    def _annotate(self, name: Name, number: int, remark: Remark, token: str | None) -> Trial:
        trial_rows.annotated_row(UNMARKED, remark)
        sent = {"number": number, "note": remark.note, "attributes": dict(remark.attributes)}
        return self._trial(self._post("annotate", name, token or _new_token(), **sent))

    def report(
        self, name: Name, number: int, step: int, outcomes: Mapping[str, float]
    ) -> CurvePoint:
        report_rows.report_row(number, step, outcomes, 0.0)
        sent: dict[str, Any] = {"number": number, "step": step, "outcomes": dict(outcomes)}
        return wire.point_from_json(self._post("report", name, **sent)["point"])

    def reports(self, name: Name, since: int = 0) -> tuple[int, list[CurvePoint]]:
        found = self._get("reports", name, since=since)
        return found["revision"], [wire.point_from_json(each) for each in found["points"]]

    def beat(self, name: Name, numbers: Sequence[int]) -> list[int]:
        found: list[int] = self._post("beat", name, numbers=list(numbers))["numbers"]
        return found

    def reclaim(self, name: Name, grace: float) -> list[Trial]:
        return self._trials(self._post("reclaim", name, grace=grace))

    def trial(self, name: Name, number: int) -> Trial:
        return self._trial(self._get("trial", name, number=number))

    def changes(
        self, name: Name, since: int = 0, *, brief: bool = False
    ) -> tuple[int, list[Trial]]:
        return self._read_changes(self._changes(name, since, brief))

    def infos(self, name: Name, numbers: Sequence[int]) -> dict[int, dict[str, Any]]:
        found: dict[int, dict[str, Any]] = {}
        for first in range(0, len(numbers), SENT_AT_ONCE) or [0]:
            some = ",".join(map(str, numbers[first : first + SENT_AT_ONCE]))
            sent = self._get("infos", name, numbers=some)["infos"]
            found |= {int(key): info for key, info in sent}
        return found

    def receipt(self, name: Name, token: str) -> list[Trial] | None:
        found = self._get("receipt", name, token=token)
        return None if found["trials"] is None else self._trials(found)

    def revisions(self) -> dict[str, Standing]:
        found = self._server.get("revisions", {})["studies"]
        return {name: Standing(*where) for name, where in found.items()}

    @contextmanager
    def turn(self, name: Name, patience: float = 10.0) -> Iterator[bool]:
        """As long as the request is open the turn is ours; if this process dies, it is closed."""
        sent = wire.name_to_json(name) | {"patience": patience}
        with self._server.streaming("turn", sent, patience) as taken:
            try:
                yield bool(taken["free"])
            finally:
                self._server.post("release", {"turn": taken["turn"]})

    def close(self) -> None:
        self._server.close()

    def _get(self, what: str, name: Name, **sent: Any) -> Any:
        return self._server.get(what, wire.name_to_json(name) | sent)

    def _post(self, what: str, name: Name, token: str | None = None, **sent: Any) -> Any:
        return self._server.post(what, wire.name_to_json(name) | sent, token)

    def _end(self, what: str, name: Name, number: int, ending: Ending, token: str | None) -> Trial:
        trial_rows.finished_row(ending)
        trial_rows.annotated_row(UNMARKED, ending.remark)
        sent = {"number": number, "ending": wire.pack(ending)}
        return self._trial(self._post(what, name, token or _new_token(), **sent))

    def _changes(self, name: Name, since: int, brief: bool = False) -> Any:
        return self._get("changes", name, since=since, **({"brief": 1} if brief else {}))

    def _read_changes(self, found: Any) -> tuple[int, list[Trial]]:
        return found["revision"], self._trials(found)

    @staticmethod
    def _record(found: Any) -> StudyRecord:
        return wire.unpack(StudyRecord, found["record"])

    @staticmethod
    def _trial(found: Any) -> Trial:
        return Trial.from_json(found["trial"])

    @staticmethod
    def _trials(found: Any) -> list[Trial]:
        return [Trial.from_json(each) for each in found["trials"]]


def _entries(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    for entry in entries:
        trial_rows.entry_row(0, entry)  # what cannot be stored is refused here
        report_rows.of_entry(0, entry, 0.0)
    return [wire.pack(entry) for entry in entries]


def _same(there: StudyRecord, record: StudyRecord) -> bool:
    """Whether a stored study is the one that was sent: its settings have a random seed."""
    parts = ("space", "direction", "settings", "attributes", "goals")
    return all(getattr(there, part) == getattr(record, part) for part in parts)


def _new_token() -> str:
    return uuid.uuid4().hex
