"""Studies in a database: SQLite for one machine, PostgreSQL for many.

Every write is one short transaction that begins by raising the revision in the counters of the
study. That row is the queue: whoever holds it writes, the others wait. An ask is two statements,
and so is a tell.

A connection can break while a commit is on its way, and then nobody knows whether it arrived. So
starting, inserting and finishing carry a random token, and a second attempt first looks whether
the first one had succeeded.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from pathmax.errors import StudyNotFoundError
from pathmax.storage import rows, rules
from pathmax.storage import statements as sql
from pathmax.storage.base import Entry, Storage, StudyRecord
from pathmax.storage.database import Database
from pathmax.storage.schema import counters, studies, trials
from pathmax.storage.turn import turn
from pathmax.trial import Trial, TrialState


class SqlStorage(Storage):
    """Keeps studies in a SQLite file or a PostgreSQL database.

    Args:
        url: `sqlite:///lab.db` or `postgresql+psycopg://user@host/database`.
        patience: for how many seconds to wait for a lock, or for a server that went away, before
            `StorageUnavailableError`.
        clock: where the time comes from, in seconds since 1970.
    """

    def __init__(
        self, url: str, *, patience: float = 60.0, clock: Callable[[], float] = time.time
    ) -> None:
        self._database = Database(url, patience)
        self._clock = clock

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._database.place!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _reopen, (self._database.url, self._database.patience)

    def create(self, record: StudyRecord) -> StudyRecord:
        row = rows.record_row(record, now=self._clock())

        def work(connection: Connection, _again: bool) -> rows.Stored:
            there = connection.execute(sql.STUDY, {"study": record.name}).mappings().first()
            if there is not None:
                return there
            made = connection.execute(insert(studies).values(row).returning(studies.c.id))
            key = made.scalar_one()
            connection.execute(insert(counters).values(study_id=key, revision=0, trials=0))
            return row

        return self._record(self._database.write(work))

    def load(self, name: str) -> StudyRecord:
        return self._record(self._database.read(lambda c: self._study_row(c, name)))

    def studies(self) -> list[StudyRecord]:
        found = self._database.read(lambda c: c.execute(select(studies)).mappings().all())
        # Sorted here: databases sort text by rules of their own.
        return sorted(map(self._record, found), key=lambda record: record.name)

    def update(
        self,
        name: str,
        *,
        settings: Mapping[str, Any] | None = None,
        attributes: Mapping[str, Any] | None = None,
    ) -> StudyRecord:
        changed = rows.update_row(settings, attributes)

        def work(connection: Connection, _again: bool) -> rows.Stored:
            self._raise(connection, name)
            if changed:
                connection.execute(update(studies).where(studies.c.name == name).values(changed))
            return self._study_row(connection, name)

        return self._record(self._database.write(work))

    def delete(self, name: str) -> None:
        def work(connection: Connection, _again: bool) -> None:
            key = self._raise(connection, name)["id"]
            for table in (trials, counters):
                connection.execute(delete(table).where(table.c.study_id == key))
            connection.execute(delete(studies).where(studies.c.id == key))

        self._database.write(work)

    def start(
        self,
        name: str,
        number: int,
        params: Mapping[str, Any],
        info: Mapping[str, Any] | None = None,
        worker: str | None = None,
        *,
        heartbeat: bool = False,
    ) -> Trial | None:
        token = uuid.uuid4().hex
        row = rows.running_row(number, params, info, worker, now=self._clock(), heartbeat=heartbeat)

        def work(connection: Connection, again: bool) -> bool:
            if again and self._written(connection, name, token):
                return True
            claim = {"study": name, "wanted": number, "new": 1}
            claimed = connection.execute(sql.CLAIM, claim).first()
            if claimed is None:
                return rules.check_number(name, number, self._count(connection, name))
            key = {"study_id": claimed.study_id, "revision": claimed.revision, "token": token}
            connection.execute(sql.ADD, row | key)
            return True

        return self._trial(row) if self._database.write(work) else None

    def insert_many(self, name: str, entries: Sequence[Entry]) -> list[Trial]:
        token = uuid.uuid4().hex
        now = self._clock()
        new = [rows.entry_row(0, entry, now=now) for entry in entries]

        def work(connection: Connection, again: bool) -> Sequence[rows.Stored]:
            if again and (written := self._written(connection, name, token)):
                return written
            key = self._raise(connection, name, new=len(new))
            stamp = {"study_id": key["id"], "revision": key["revision"], "token": token}
            first = key["count"] - len(new)
            numbered = [row | stamp | {"number": first + i} for i, row in enumerate(new)]
            if numbered:
                connection.execute(sql.ADD, numbered)
            return numbered

        return [self._trial(row) for row in self._database.write(work)]

    def finish(
        self,
        name: str,
        number: int,
        *,
        state: TrialState = TrialState.COMPLETE,
        outcomes: Mapping[str, float] | None = None,
        noise: float | None = None,
        error: str | None = None,
    ) -> Trial:
        token = uuid.uuid4().hex
        ending = rows.finished_row(state, outcomes, noise, error)
        ending |= {"token": token, "which": number, "now": self._clock()}

        def work(connection: Connection, again: bool) -> rows.Stored:
            if again and (written := self._written(connection, name, token)):
                return written[0]
            key = self._raise(connection, name)
            ended = connection.execute(sql.END, ending | key).mappings().first()
            if ended is None:
                there = self._trial_row(connection, name, number)
                raise rules.already_told(name, number, there["state"])
            return ended

        return self._trial(self._database.write(work))

    def annotate(
        self,
        name: str,
        number: int,
        *,
        note: str | None = None,
        attributes: Mapping[str, Any] | None = None,
    ) -> Trial:
        def work(connection: Connection, _again: bool) -> rows.Stored:
            key = self._raise(connection, name)
            there = self._trial_row(connection, name, number)
            return self._rewrite(
                connection, there, rows.annotated_row(there, note, attributes), key
            )

        return self._trial(self._database.write(work))

    def beat(self, name: str, numbers: Sequence[int]) -> list[int]:
        now = self._clock()

        def work(connection: Connection, _again: bool) -> list[int]:
            key = self._raise(connection, name)
            beaten = connection.execute(sql.BEAT, key | {"now": now, "numbers": list(numbers)})
            return sorted(beaten.scalars())

        return self._database.write(work)

    def reclaim(self, name: str, grace: float) -> list[Trial]:
        now = self._clock()

        def stale(connection: Connection) -> list[int]:
            pulses = connection.execute(sql.PULSES, {"study": name}).all()
            if not pulses:
                raise self._missing(connection, name)
            return [number for number, at in pulses if rules.is_stale(at, now, grace)]

        def work(connection: Connection, _again: bool) -> list[rows.Stored]:
            key = self._raise(connection, name)
            lost = [self._trial_row(connection, name, number) for number in stale(connection)]
            return [
                self._rewrite(connection, row, rules.vanished(row["asked_at"], now, grace), key)
                for row in lost
            ]

        # Nearly always there is nothing to do: then nobody is kept waiting.
        taken = self._database.write(work) if self._database.read(stale) else []
        return [self._trial(row) for row in taken]

    def trial(self, name: str, number: int) -> Trial:
        return self._trial(self._database.read(lambda c: self._trial_row(c, name, number)))

    def changes(self, name: str, since: int = 0) -> tuple[int, list[Trial]]:
        def work(connection: Connection) -> Sequence[rows.Stored]:
            found = connection.execute(sql.CHANGES, {"study": name, "since": since})
            changed = found.mappings().all()
            if not changed:
                raise self._missing(connection, name)
            return changed

        changed = self._database.read(work)
        revision: int = changed[0]["present"]
        if since > revision:
            raise rules.renewed_study(name, self._database.place)
        return revision, [self._trial(row) for row in changed if row["number"] is not None]

    def turn(self, name: str, patience: float = 10.0) -> AbstractContextManager[bool]:
        self._database.read(lambda c: self._count(c, name))
        return turn(self._database, name, patience)

    def close(self) -> None:
        self._database.close()

    def _record(self, row: rows.Stored) -> StudyRecord:
        return rows.record_of(row, self._database.place)

    def _trial(self, row: rows.Stored) -> Trial:
        return rows.trial_of(row, self._database.place)

    def _raise(self, connection: Connection, name: str, new: int = 0) -> dict[str, int]:
        """Raise the revision of a study, and so wait for its other writers; what to write with."""
        raised = connection.execute(sql.RAISE, {"study": name, "new": new}).first()
        if raised is None:
            raise self._missing(connection, name)
        return {"id": raised.study_id, "revision": raised.revision, "count": raised.trials}

    def _rewrite(
        self,
        connection: Connection,
        row: rows.Stored,
        changed: rows.Row,
        key: Mapping[str, int],
    ) -> rows.Stored:
        """Store changed columns of a trial under the revision of the key; the whole new row."""
        values = changed | {"revision": key["revision"]}
        where = {"id": key["id"], "which": row["number"]}
        connection.execute(update(trials).where(sql.ONE).values(values), where)
        return {**row, **values}

    def _study_row(self, connection: Connection, name: str) -> rows.Stored:
        found = connection.execute(sql.STUDY, {"study": name}).mappings().first()
        if found is None:
            raise self._missing(connection, name)
        return found

    def _trial_row(self, connection: Connection, name: str, number: int) -> rows.Stored:
        found = connection.execute(sql.TRIAL, {"study": name, "which": number}).mappings().first()
        if found is None:
            raise rules.no_such_trial(name, number, self._count(connection, name))
        return found

    def _count(self, connection: Connection, name: str) -> int:
        count: int | None = connection.execute(sql.COUNT, {"study": name}).scalar()
        if count is None:
            raise self._missing(connection, name)
        return count

    def _written(self, connection: Connection, name: str, token: str) -> list[rows.Stored]:
        """The trials that an earlier attempt with this token did write."""
        found = connection.execute(sql.WRITTEN, {"study": name, "token": token})
        return list(found.mappings())

    def _missing(self, connection: Connection, name: str) -> StudyNotFoundError:
        known = connection.execute(select(studies.c.name)).scalars()
        return rules.no_such_study(name, self._database.place, known)


def _reopen(url: str, patience: float) -> SqlStorage:
    return SqlStorage(url, patience=patience)
