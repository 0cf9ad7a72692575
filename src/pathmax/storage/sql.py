"""Studies in a database: SQLite for one machine, PostgreSQL for many.

Every write is one short transaction that begins by raising the revision in the counters of the
study. That row is the queue: whoever holds it writes, the others wait. An ask is two statements,
and so is a tell; a note makes it three.

A connection can break while a commit is on its way, and then nobody knows whether it arrived. So
starting, inserting, finishing and correcting carry a random token, and a second attempt first looks
whether the first one had succeeded.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from sqlalchemy import Connection, delete, select

from pathmax.storage import life_of_a_trial, rows
from pathmax.storage.base import Propose, Storage
from pathmax.storage.database import Database
from pathmax.storage.records import Ending, Entry, Goals, Name, StudyRecord, name_of
from pathmax.storage.schema import counters, studies, trials
from pathmax.storage.transaction import Transaction
from pathmax.storage.turn import turn
from pathmax.trials.trial import Trial, TrialState

T = TypeVar("T")


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

        def work(study: Transaction, _again: bool) -> rows.Stored:
            there = study.find()
            if there is None:
                study.create(row)
            return row if there is None else there

        return self._record(self._write(record.name, work))

    def begin(self, record: StudyRecord, entries: Sequence[Entry]) -> StudyRecord | None:
        token, now = uuid.uuid4().hex, self._clock()
        row = rows.record_row(record, now=now)
        new = [rows.entry_row(number, entry, now=now) for number, entry in enumerate(entries)]

        def work(study: Transaction, again: bool) -> bool:
            there = study.find()
            if there is not None:  # of a first attempt that had succeeded, or somebody else's
                return again and all(there[column] == value for column, value in row.items())
            study.create(row)
            study.add(new, study.claim(new=len(new)), token)
            return True

        return self._record(row) if self._write(record.name, work) else None

    def load(self, name: Name) -> StudyRecord:
        return self._record(self._read(name, Transaction.study))

    def studies(self) -> list[StudyRecord]:
        found = self._database.read(lambda c: c.execute(select(studies)).mappings().all())
        # Sorted here: databases sort text by rules of their own.
        return sorted(map(self._record, found), key=lambda record: record.name)

    def update(
        self,
        name: Name,
        *,
        settings: Mapping[str, Any] | None = None,
        attributes: Mapping[str, Any] | None = None,
        goals: Goals | None = None,
    ) -> StudyRecord:
        changed = rows.update_row(settings, attributes, goals)

        def work(study: Transaction, _again: bool) -> rows.Stored:
            study.revise(changed, study.claim())
            return study.study()

        return self._record(self._write(name, work))

    def change(
        self,
        name: Name,
        *,
        space: Mapping[str, Any] | None = None,
        direction: str | None = None,
        goals: Goals | None = None,
    ) -> StudyRecord:
        wanted = rows.change_row(space, direction, goals)

        def work(study: Transaction, _again: bool) -> rows.Stored:
            claim, row = study.claim(), study.study()
            # A first attempt that had succeeded leaves nothing to change.
            changed = rows.replaced_row(row, wanted, claim.count)
            if changed:
                life_of_a_trial.check_edition(name, claim.edition)
                study.revise(changed, claim)
                study.count_edition(claim)
            return {**row, **changed}

        return self._record(self._write(name, work))

    def delete(self, name: Name) -> None:
        def work(study: Transaction, again: bool) -> None:
            if again and not study.exists():
                return
            key = study.claim().id
            for column in (trials.c.study_id, counters.c.study_id, studies.c.id):
                study.connection.execute(delete(column.table).where(column == key))

        self._write(name, work)

    def start(
        self,
        name: Name,
        number: int,
        params: Mapping[str, Any],
        info: Mapping[str, Any] | None = None,
        worker: str | None = None,
        *,
        heartbeat: bool = False,
    ) -> Trial | None:
        token = uuid.uuid4().hex
        now = self._clock()
        row = rows.running_row(number, params, info, worker, now=now, heartbeat=heartbeat)

        def work(study: Transaction, again: bool) -> bool:
            if again and study.written(token):
                return True
            claim = study.claim_number(number)
            if claim is not None:
                study.add([row], claim, token)
            return claim is not None

        return self._trial(name, row) if self._write(name, work) else None

    def start_next(
        self,
        name: Name,
        since: int,
        propose: Propose,
        worker: str | None = None,
        *,
        heartbeat: bool = False,
    ) -> Trial:
        token = uuid.uuid4().hex

        def work(study: Transaction, again: bool) -> rows.Stored:
            if again and (written := study.written(token)):
                return written[0]
            claim = study.claim(new=1)
            life_of_a_trial.check_edition(name, claim.edition)
            params, info = propose(*study.changes(since, claim))
            number, now = claim.count - 1, self._clock()
            row = rows.running_row(number, params, info, worker, now=now, heartbeat=heartbeat)
            study.add([row], claim, token)
            return row

        return self._trial(name, self._write(name, work))

    def insert_many(self, name: Name, entries: Sequence[Entry]) -> list[Trial]:
        token = uuid.uuid4().hex
        now = self._clock()
        new = [rows.entry_row(0, entry, now=now) for entry in entries]

        def work(study: Transaction, again: bool) -> Sequence[rows.Stored]:
            if again and (written := study.written(token)):
                return written
            claim = study.claim(new=len(new))
            first = claim.count - len(new)
            numbered = [row | {"number": first + i} for i, row in enumerate(new)]
            study.add(numbered, claim, token)
            return numbered

        return [self._trial(name, row) for row in self._write(name, work)]

    def finish(self, name: Name, number: int, ending: Ending) -> Trial:
        token = uuid.uuid4().hex
        ended = rows.finished_row(ending) | {"token": token, "now": self._clock()}

        def work(study: Transaction, again: bool) -> rows.Stored:
            if again and (written := study.written(token)):
                return written[0]
            claim = study.claim()
            row = study.end(number, ended, claim)
            if ending.note is None and not ending.attributes:
                return row
            remarked = rows.annotated_row(row, ending.note, ending.attributes)
            return study.rewrite(row, remarked, claim)

        return self._trial(name, self._write(name, work))

    def correct(self, name: Name, number: int, ending: Ending) -> Trial:
        token, now = uuid.uuid4().hex, self._clock()

        def work(study: Transaction, again: bool) -> rows.Stored:
            if again and (written := study.written(token)):
                return written[0]
            claim = study.claim()
            row = study.trial(number)
            if row["state"] == TrialState.RUNNING:
                raise life_of_a_trial.still_running(study.name, number)
            changed = rows.corrected_row(row, ending, now=now)
            return study.rewrite(row, changed | {"token": token}, claim)

        return self._trial(name, self._write(name, work))

    def annotate(
        self,
        name: Name,
        number: int,
        *,
        note: str | None = None,
        attributes: Mapping[str, Any] | None = None,
    ) -> Trial:
        def work(study: Transaction, _again: bool) -> rows.Stored:
            claim = study.claim()
            row = study.trial(number)
            return study.rewrite(row, rows.annotated_row(row, note, attributes), claim)

        return self._trial(name, self._write(name, work))

    def beat(self, name: Name, numbers: Sequence[int]) -> list[int]:
        now = self._clock()
        return self._write(name, lambda study, _: study.beat(list(numbers), now, study.claim()))

    def reclaim(self, name: Name, grace: float) -> list[Trial]:
        now = self._clock()

        def work(study: Transaction, _again: bool) -> list[rows.Stored]:
            claim = study.claim()
            lost = [study.trial(number) for number in study.stale(now, grace)]
            return [
                study.rewrite(row, life_of_a_trial.vanished(row["asked_at"], now, grace), claim)
                for row in lost
            ]

        # Nearly always there is nothing to do: then nobody is kept waiting.
        if not self._read(name, lambda study: study.stale(now, grace)):
            return []
        return [self._trial(name, row) for row in self._write(name, work)]

    def trial(self, name: Name, number: int) -> Trial:
        return self._trial(name, self._read(name, lambda study: study.trial(number)))

    def changes(self, name: Name, since: int = 0) -> tuple[int, list[Trial]]:
        return self._read(name, lambda study: study.changes(since))

    def turn(self, name: Name, patience: float = 10.0) -> AbstractContextManager[bool]:
        self._read(name, Transaction.count)
        return turn(self._database, name, patience)

    def close(self) -> None:
        self._database.close()

    def _read(self, name: Name, work: Callable[[Transaction], T]) -> T:
        return self._database.read(lambda c: work(Transaction(c, name, self._database.place)))

    def _write(self, name: Name, work: Callable[[Transaction, bool], T]) -> T:
        def inside(connection: Connection, again: bool) -> T:
            return work(Transaction(connection, name, self._database.place), again)

        return self._database.write(inside)

    def _record(self, row: rows.Stored) -> StudyRecord:
        return rows.record_of(row, self._database.place)

    def _trial(self, name: Name, row: rows.Stored) -> Trial:
        return rows.trial_of(row, self._database.place, name_of(name))


def _reopen(url: str, patience: float) -> SqlStorage:
    return SqlStorage(url, patience=patience)
