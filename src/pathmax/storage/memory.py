"""Studies in the memory of this process: gone when it ends, and fast."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from pathmax.storage import rows
from pathmax.storage.base import Ending, Entry, Propose, Storage, StudyRecord
from pathmax.storage.life_of_a_trial import (
    already_told,
    check_number,
    is_stale,
    no_such_study,
    no_such_trial,
    renewed_study,
    still_running,
    vanished,
)
from pathmax.trials.trial import Trial, TrialState

PLACE = "memory"


@dataclass(slots=True)
class _Study:
    row: rows.Row
    revision: int = 0
    trials: list[rows.Row] = field(default_factory=list)
    turn: threading.Lock = field(default_factory=threading.Lock)

    def write(self, number: int, values: rows.Row) -> Trial:
        """Put values into a trial's row under a new revision."""
        self.revision += 1
        changed = {**values, "revision": self.revision}
        if number == len(self.trials):
            self.trials.append(changed)
        else:
            self.trials[number] = self.trials[number] | changed
        return self.trial(self.trials[number])

    def changes(self, name: str, since: int) -> list[Trial]:
        """The trials written after a revision."""
        if since > self.revision:
            raise renewed_study(name, PLACE)
        changed = [] if since == self.revision else self.trials
        return [self.trial(row) for row in changed if row["revision"] > since]

    def trial(self, row: rows.Row) -> Trial:
        return rows.trial_of(row, PLACE, self.row["name"])


class MemoryStorage(Storage):
    """Keeps studies as long as the process lives; what `storage=None` means."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._studies: dict[str, _Study] = {}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self._studies)} studies)"

    def create(self, record: StudyRecord) -> StudyRecord:
        with self._lock:
            study = self._studies.get(record.name)
            if study is None:
                study = _Study(rows.record_row(record, now=self._clock()))
                self._studies[record.name] = study
            return rows.record_of(study.row, PLACE)

    def begin(self, record: StudyRecord, entries: Sequence[Entry]) -> StudyRecord | None:
        now = self._clock()
        study = _Study(rows.record_row(record, now=now))
        for number, entry in enumerate(entries):
            study.write(number, rows.entry_row(number, entry, now=now))
        with self._lock:
            if record.name in self._studies:
                return None
            self._studies[record.name] = study
            return rows.record_of(study.row, PLACE)

    def load(self, name: str) -> StudyRecord:
        with self._lock:
            return rows.record_of(self._study(name).row, PLACE)

    def studies(self) -> list[StudyRecord]:
        with self._lock:
            return [rows.record_of(study.row, PLACE) for _, study in sorted(self._studies.items())]

    def update(
        self,
        name: str,
        *,
        settings: Mapping[str, Any] | None = None,
        attributes: Mapping[str, Any] | None = None,
    ) -> StudyRecord:
        changed = rows.update_row(settings, attributes)
        with self._lock:
            study = self._study(name)
            study.row = study.row | changed
            return rows.record_of(study.row, PLACE)

    def delete(self, name: str) -> None:
        with self._lock:
            self._study(name)
            del self._studies[name]

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
        row = rows.running_row(number, params, info, worker, now=self._clock(), heartbeat=heartbeat)
        with self._lock:
            study = self._study(name)
            if not check_number(name, number, len(study.trials)):
                return None
            return study.write(number, row)

    def start_next(
        self,
        name: str,
        since: int,
        propose: Propose,
        worker: str | None = None,
        *,
        heartbeat: bool = False,
    ) -> Trial:
        with self._lock:
            study = self._study(name)
            params, info = propose(study.revision, study.changes(name, since))
            number = len(study.trials)
            now = self._clock()
            row = rows.running_row(number, params, info, worker, now=now, heartbeat=heartbeat)
            return study.write(number, row)

    def insert_many(self, name: str, entries: Sequence[Entry]) -> list[Trial]:
        now = self._clock()
        with self._lock:
            study = self._study(name)
            first = len(study.trials)
            new = [rows.entry_row(first + i, entry, now=now) for i, entry in enumerate(entries)]
            return [study.write(row["number"], row) for row in new]

    def finish(self, name: str, number: int, ending: Ending) -> Trial:
        ended = rows.finished_row(ending)
        with self._lock:
            study, row = self._trial(name, number)
            if row["state"] != TrialState.RUNNING and not row["reclaimed"]:
                raise already_told(name, number, row["state"], ending.state)
            told_at = max(self._clock(), row["asked_at"])
            remarked = rows.annotated_row(row, ending.note, ending.attributes)
            return study.write(number, ended | remarked | {"told_at": told_at})

    def correct(self, name: str, number: int, ending: Ending) -> Trial:
        now = self._clock()
        with self._lock:
            study, row = self._trial(name, number)
            if row["state"] == TrialState.RUNNING:
                raise still_running(name, number)
            return study.write(number, rows.corrected_row(row, ending, now=now))

    def annotate(
        self,
        name: str,
        number: int,
        *,
        note: str | None = None,
        attributes: Mapping[str, Any] | None = None,
    ) -> Trial:
        with self._lock:
            study, row = self._trial(name, number)
            return study.write(number, rows.annotated_row(row, note, attributes))

    def beat(self, name: str, numbers: Sequence[int]) -> list[int]:
        now = self._clock()
        with self._lock:
            study = self._study(name)
            running = [
                number
                for number in sorted(set(numbers))
                if 0 <= number < len(study.trials)
                and study.trials[number]["state"] == TrialState.RUNNING
            ]
            for number in running:
                study.write(number, {"heartbeat_at": now})
            return running

    def reclaim(self, name: str, grace: float) -> list[Trial]:
        now = self._clock()
        with self._lock:
            study = self._study(name)
            return [
                study.write(row["number"], vanished(row["asked_at"], now, grace))
                for row in list(study.trials)
                if row["state"] == TrialState.RUNNING and is_stale(row["heartbeat_at"], now, grace)
            ]

    def trial(self, name: str, number: int) -> Trial:
        with self._lock:
            study, row = self._trial(name, number)
            return study.trial(row)

    def changes(self, name: str, since: int = 0) -> tuple[int, list[Trial]]:
        with self._lock:
            study = self._study(name)
            return study.revision, study.changes(name, since)

    @contextmanager
    def turn(self, name: str, patience: float = 10.0) -> Iterator[bool]:
        with self._lock:
            lock = self._study(name).turn
        free = lock.acquire(timeout=patience)
        try:
            yield free
        finally:
            if free:
                lock.release()

    def close(self) -> None:
        """Nothing to let go of: the studies stay."""

    def _study(self, name: str) -> _Study:
        if name not in self._studies:
            raise no_such_study(name, PLACE, self._studies)
        return self._studies[name]

    def _trial(self, name: str, number: int) -> tuple[_Study, rows.Row]:
        study = self._study(name)
        if not 0 <= number < len(study.trials):
            raise no_such_trial(name, number, len(study.trials))
        return study, study.trials[number]
