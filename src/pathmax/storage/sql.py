"""Studies in a database: SQLite for one machine, PostgreSQL for many.

Every write is one short transaction that begins by raising the revision in the counters of the
study. That row is the queue: whoever holds it writes, the others wait. An ask is two statements,
and so is a tell; a note makes it three.

A connection can break while a commit is on its way, and then nobody knows whether it arrived. So
starting, inserting, finishing and correcting leave a random mark, and a second attempt first looks
whether the first one had succeeded. A caller who may lose the answer gives a token of its own; its
receipt is written in the same transaction.
"""

from __future__ import annotations

import time
import uuid
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from sqlalchemy import Connection, delete, select

from pathmax.errors import DamageWarning, ForeignStorageError
from pathmax.storage import life_of_a_trial, report_rows, rows, study_rows
from pathmax.storage import statements as sql
from pathmax.storage.base import Propose, Storage
from pathmax.storage.database import Database
from pathmax.storage.records import Ending, Entry, Goals, Name, Standing, StudyRecord, name_of
from pathmax.storage.schema import counters, receipts, reports, studies, trials
from pathmax.storage.transaction import Transaction
from pathmax.storage.turn import turn
from pathmax.trials.curves import CurvePoint
from pathmax.trials.trial import Trial, TrialState

T = TypeVar("T")


class SqlStorage(Storage):
    """Keeps studies in a SQLite file or a PostgreSQL database.

    Args:
        url: `sqlite:///lab.db` or `postgresql+psycopg://user@host/database`.
        patience: for how many seconds to wait for a lock, or for a server that went away, before
            `StorageUnavailableError`.
        clock: where the time comes from, in seconds since 1970. None for the clock of the database:
            the machines that share it need not agree about the time.
    """

    def __init__(
        self, url: str, *, patience: float = 60.0, clock: Callable[[], float] | None = None
    ) -> None:
        self._database = Database(url, patience)
        self._clock = clock

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._database.place!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _reopen, (self._database.url, self._database.patience)

    @property
    def place(self) -> str:
        return self._database.place

    def create(self, record: StudyRecord) -> StudyRecord:
        row = study_rows.record_row(record, now=self._here())

        def work(study: Transaction, _again: bool) -> rows.Stored:
            there = study.find()
            if there is None:
                study.create(row)
            return row if there is None else there

        return self._record(self._write(record.name, work))

    def begin(self, record: StudyRecord, entries: Sequence[Entry]) -> StudyRecord | None:
        token, row = uuid.uuid4().hex, study_rows.record_row(record, now=self._here())
        new = [rows.entry_row(number, entry) for number, entry in enumerate(entries)]
        curves = _curves(0, entries, 0.0)

        def work(study: Transaction, again: bool) -> bool:
            there = study.find()
            if there is not None:  # of a first attempt that had succeeded, or somebody else's
                return again and all(there[column] == value for column, value in row.items())
            study.create(row)
            claim = study.claim(new=len(new))
            study.add(_timed(new, entries, claim.now), claim, token)
            study.add_reports([row | {"reported_at": claim.now} for row in curves], claim)
            return True

        return self._record(row) if self._write(record.name, work) else None

    def load(self, name: Name) -> StudyRecord:
        return self._record(self._read(name, Transaction.study))

    def studies(self) -> list[StudyRecord]:
        found = self._database.read(lambda c: c.execute(select(studies)).mappings().all())
        records = []
        for row in found:
            try:
                records.append(self._record(row))
            except ForeignStorageError as error:  # the others are there all the same
                warnings.warn(str(error), DamageWarning, stacklevel=2)
        # Sorted here: databases sort text by rules of their own.
        return sorted(records, key=lambda record: record.name)

    def update(
        self,
        name: Name,
        *,
        settings: Mapping[str, Any] | None = None,
        attributes: Mapping[str, Any] | None = None,
        goals: Goals | None = None,
    ) -> StudyRecord:
        changed = study_rows.update_row(settings, attributes, goals)

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
        wanted = study_rows.change_row(space, direction, goals)

        def work(study: Transaction, _again: bool) -> rows.Stored:
            claim, row = study.claim(), study.study()
            # A first attempt that had succeeded leaves nothing to change.
            changed = study_rows.replaced_row(row, wanted, claim.count)
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
            for column in (
                reports.c.study_id,
                receipts.c.study_id,
                trials.c.study_id,
                counters.c.study_id,
                studies.c.id,
            ):
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
        token: str | None = None,
    ) -> Trial | None:
        mark, row = uuid.uuid4().hex, rows.running_row(number, params, info, worker)

        def work(study: Transaction, again: bool) -> rows.Stored | None:
            if written := study.done(again, mark, token):
                return written[0]
            claim = study.claim_number(number)
            if claim is None:
                return None
            started = row | rows.starting_times(claim.now, heartbeat)
            study.add([started], claim, mark)
            study.sign(token, claim, number)
            return started

        started = self._write(name, work)
        return None if started is None else self._trial(name, started)

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
        mark = uuid.uuid4().hex

        def work(study: Transaction, again: bool) -> rows.Stored:
            if written := study.done(again, mark, token):
                return written[0]
            claim = study.claim(new=1)
            life_of_a_trial.check_edition(name, claim.edition)
            params, info = propose(*study.changes(since, claim))
            row = rows.running_row(claim.count - 1, params, info, worker)
            row |= rows.starting_times(claim.now, heartbeat)
            study.add([row], claim, mark)
            study.sign(token, claim, claim.count - 1)
            return row

        return self._trial(name, self._write(name, work))

    def insert_many(
        self, name: Name, entries: Sequence[Entry], *, token: str | None = None
    ) -> list[Trial]:
        mark = uuid.uuid4().hex
        new = [rows.entry_row(0, entry) for entry in entries]

        def work(study: Transaction, again: bool) -> Sequence[rows.Stored]:
            if written := study.done(again, mark, token):
                return written
            claim = study.claim(new=len(new))
            first = claim.count - len(new)
            timed = _timed(new, entries, claim.now)
            numbered = [row | {"number": first + i} for i, row in enumerate(timed)]
            study.add(numbered, claim, mark)
            study.add_reports(_curves(first, entries, claim.now), claim)
            study.sign(token, claim, first, len(new))
            return numbered

        return [self._trial(name, row) for row in self._write(name, work)]

    def finish(self, name: Name, number: int, ending: Ending, *, token: str | None = None) -> Trial:
        mark = uuid.uuid4().hex
        ended = rows.finished_row(ending) | {"token": mark}

        def work(study: Transaction, again: bool) -> rows.Stored:
            if written := study.done(again, mark, token):
                return written[0]
            claim = study.claim()
            study.sign(token, claim, number)
            row = study.end(number, ended, claim)
            with study.reading(number):
                if row is None:
                    row = study.trial(number)
                    if not row["reclaimed"]:
                        raise life_of_a_trial.already_told(
                            study.name, number, row["state"], ending.state
                        )
                    was = self._trial(name, row)
                    changed = rows.late_row(row, was, ending, now=claim.now) | {"token": mark}
                elif ending.note is None and not ending.attributes:
                    return row
                else:
                    changed = rows.annotated_row(row, ending.note, ending.attributes)
            return study.rewrite(row, changed, claim)

        return self._trial(name, self._write(name, work))

    def correct(
        self, name: Name, number: int, ending: Ending, *, token: str | None = None
    ) -> Trial:
        mark = uuid.uuid4().hex

        def work(study: Transaction, again: bool) -> rows.Stored:
            if written := study.done(again, mark, token):
                return written[0]
            claim = study.claim()
            row = study.trial(number)
            study.sign(token, claim, number)
            if row["state"] == TrialState.RUNNING:
                raise life_of_a_trial.still_running(study.name, number)
            with study.reading(number):
                was = self._trial(name, row)
                changed = rows.corrected_row(row, was, ending, now=claim.now)
            return study.rewrite(row, changed | {"token": mark}, claim)

        return self._trial(name, self._write(name, work))

    def annotate(
        self,
        name: Name,
        number: int,
        *,
        note: str | None = None,
        attributes: Mapping[str, Any] | None = None,
        token: str | None = None,
    ) -> Trial:
        def work(study: Transaction, _again: bool) -> rows.Stored:
            if written := study.done(False, "", token):
                return written[0]
            claim = study.claim()
            row = study.trial(number)
            study.sign(token, claim, number)
            with study.reading(number):
                remarked = rows.annotated_row(row, note, attributes)
            return study.rewrite(row, remarked, claim)

        return self._trial(name, self._write(name, work))

    def report(
        self, name: Name, number: int, step: int, outcomes: Mapping[str, float]
    ) -> CurvePoint:
        row = report_rows.row_of(number, step, outcomes, 0.0)

        def work(study: Transaction, _again: bool) -> rows.Stored:
            claim = study.claim()
            return study.report(row | {"reported_at": claim.now}, claim)

        return report_rows.point_of(self._write(name, work))

    def reports(self, name: Name, since: int = 0) -> tuple[int, list[CurvePoint]]:
        return self._read(name, lambda study: study.reports(since))

    def beat(self, name: Name, numbers: Sequence[int]) -> list[int]:
        return self._write(name, lambda study, _: study.beat(list(numbers), study.claim()))

    def reclaim(self, name: Name, grace: float) -> list[Trial]:
        def work(study: Transaction, _again: bool) -> list[rows.Stored]:
            claim, taken = study.claim(), []
            for number in study.stale(grace):
                row = study.trial(number)
                asked_at = self._trial(name, row).asked_at
                gone = life_of_a_trial.vanished(asked_at, claim.now, grace)
                taken.append(study.rewrite(row, gone, claim))
            return taken

        # Nearly always there is nothing to do: then nobody is kept waiting.
        if not self._read(name, lambda study: study.stale(grace)):
            return []
        return [self._trial(name, row) for row in self._write(name, work)]

    def trial(self, name: Name, number: int) -> Trial:
        return self._trial(name, self._read(name, lambda study: study.trial(number)))

    def changes(
        self, name: Name, since: int = 0, *, brief: bool = False
    ) -> tuple[int, list[Trial]]:
        return self._read(name, lambda study: study.changes(since, brief=brief))

    def infos(self, name: Name, numbers: Sequence[int]) -> dict[int, dict[str, Any]]:
        return self._read(name, lambda study: study.infos(numbers))

    def receipt(self, name: Name, token: str) -> list[Trial] | None:
        def work(study: Transaction) -> Sequence[rows.Stored] | None:
            found = study.receipt(token)
            if found is None:
                study.count()  # there is such a study
            return found

        found = self._read(name, work)
        return None if found is None else [self._trial(name, row) for row in found]

    def revisions(self) -> dict[str, Standing]:
        found = self._database.read(lambda c: c.execute(sql.STANDING).all())
        return {name: Standing(*where) for name, *where in found}

    def turn(self, name: Name, patience: float = 10.0) -> AbstractContextManager[bool]:
        return turn(
            self._database, name, patience, check=lambda: self._read(name, Transaction.count)
        )

    def close(self) -> None:
        self._database.close()

    def _read(self, name: Name, work: Callable[[Transaction], T]) -> T:
        return self._database.read(lambda c: work(self._transaction(c, name)))

    def _write(self, name: Name, work: Callable[[Transaction, bool], T]) -> T:
        def inside(connection: Connection, again: bool) -> T:
            return work(self._transaction(connection, name), again)

        return self._database.write(inside)

    def _transaction(self, connection: Connection, name: Name) -> Transaction:
        return Transaction(connection, name, self._database.place, self._clock)

    def _here(self) -> float:
        return time.time() if self._clock is None else self._clock()

    def _record(self, row: rows.Stored) -> StudyRecord:
        return study_rows.record_of(row, self._database.place)

    def _trial(self, name: Name, row: rows.Stored) -> Trial:
        return rows.trial_of(row, self._database.place, name_of(name))


def _timed(new: Sequence[rows.Row], entries: Sequence[Entry], now: float) -> list[rows.Row]:
    pairs = zip(new, entries, strict=True)
    return [row | rows.entry_times(entry, now) for row, entry in pairs]


def _curves(first: int, entries: Sequence[Entry], now: float) -> list[rows.Row]:
    found = (report_rows.of_entry(first + i, entry, now) for i, entry in enumerate(entries))
    return [row for rows_of_one in found for row in rows_of_one]


def _reopen(url: str, patience: float) -> SqlStorage:
    return SqlStorage(url, patience=patience)
