"""The records of studies in a database; their trials are in `pathmax.storage.sql`."""

from __future__ import annotations

import time
import uuid
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import delete, select

from pathmax.errors import DamageWarning, ForeignStorageError
from pathmax.storage import report_rows, study_rows, trial_lifecycle, trial_rows
from pathmax.storage import statements as sql
from pathmax.storage.base import Storage
from pathmax.storage.begun_trials import BegunTrials
from pathmax.storage.database import Database
from pathmax.storage.driver import DriverCursor
from pathmax.storage.records import Entry, Name, Standing, StudyRecord, name_of
from pathmax.storage.schema import counters, receipts, reports, studies, trials
from pathmax.storage.study_reading import StudyReading
from pathmax.storage.transaction import Transaction
from pathmax.trials.trial import Trial

T = TypeVar("T")


class SqlStudies(Storage):
    """What a storage in a database does with studies as a whole."""

    def __init__(
        self, url: str, *, patience: float = 60.0, clock: Callable[[], float] | None = None
    ) -> None:
        self._database = Database(url, patience)
        self._clock = clock
        self._begun = BegunTrials()

    @property
    def place(self) -> str:
        return self._database.place

    def create(self, record: StudyRecord) -> StudyRecord:
        row = study_rows.record_row(record, now=self._here())

        def work(study: Transaction, _again: bool) -> trial_rows.Stored:
            there = study.find()
            if there is None:
                study.create(row)
            return row if there is None else there

        return self._record(self._write(record.name, work))

    def begin(self, record: StudyRecord, entries: Sequence[Entry]) -> StudyRecord | None:
        token, row = uuid.uuid4().hex, study_rows.record_row(record, now=self._here())
        new = [trial_rows.entry_row(number, entry) for number, entry in enumerate(entries)]
        curves = report_rows.of_entries(0, entries, 0.0)

        def work(study: Transaction, again: bool) -> bool:
            there = study.find()
            if there is not None:  # of a first attempt that had succeeded, or somebody else's
                return again and all(there[column] == value for column, value in row.items())
            study.create(row)
            claim = study.claim(new=len(new))
            study.add(trial_rows.timed(new, entries, claim.now), claim, token)
            study.add_reports([row | {"reported_at": claim.now} for row in curves], claim)
            return True

        return self._record(row) if self._write(record.name, work) else None

    def load(self, name: Name) -> StudyRecord:
        return self._record(self._read(name, StudyReading.study))

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

    def _update(self, name: Name, parts: Mapping[str, Any]) -> StudyRecord:
        changed = study_rows.changed_row(parts)

        def work(study: Transaction, _again: bool) -> trial_rows.Stored:
            study.revise(changed, study.claim())
            return study.study()

        return self._record(self._write(name, work))

    def _change(self, name: Name, parts: Mapping[str, Any]) -> StudyRecord:
        wanted = study_rows.changed_row(parts)

        def work(study: Transaction, _again: bool) -> trial_rows.Stored:
            claim, row = study.claim(), study.study()
            # A first attempt that had succeeded leaves nothing to change.
            changed = study_rows.replaced_row(row, wanted, claim.count)
            if changed:
                trial_lifecycle.check_edition(name, claim.edition)
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

    def revisions(self) -> dict[str, Standing]:
        found = self._database.read(lambda c: c.execute(sql.STANDING).all())
        return {name: Standing(*where) for name, *where in found}

    def close(self) -> None:
        self._database.close()

    def _read(self, name: Name, work: Callable[[StudyReading], T]) -> T:
        place, clock = self._database.place, self._clock
        return self._database.read(lambda c: work(StudyReading(c, name, place, clock)))

    def _write(
        self,
        name: Name,
        work: Callable[[Transaction, bool], T],
        at_once: Callable[[DriverCursor], T | None] | None = None,
    ) -> T:
        place, clock = self._database.place, self._clock
        return self._database.write(
            lambda c, again: work(Transaction(c, name, place, clock), again), at_once
        )

    def _here(self) -> float:
        return time.time() if self._clock is None else self._clock()

    def _record(self, row: trial_rows.Stored) -> StudyRecord:
        return study_rows.record_of(row, self._database.place)

    def _trial(self, name: Name, row: trial_rows.Stored) -> Trial:
        return trial_rows.trial_of(row, self._database.place, name_of(name))
