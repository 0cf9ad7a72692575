"""Studies in the memory of this process: gone when it ends, and fast."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from pathmax.storage import report_rows, study_rows, trial_lifecycle, trial_rows
from pathmax.storage.base import Beginning, Storage
from pathmax.storage.forks import gate, renew_in_child
from pathmax.storage.memory_study import PLACE, MemoryStudy
from pathmax.storage.records import (
    Ending,
    Entry,
    Name,
    Remark,
    Standing,
    Start,
    StudyRecord,
    name_of,
)
from pathmax.trials.curves import CurvePoint
from pathmax.trials.trial import Trial, TrialState


class MemoryStorage(Storage):
    """Keeps studies as long as the process lives; what `storage=None` means."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        renew_in_child(self, MemoryStorage._renew)
        self._studies: dict[str, MemoryStudy] = {}

    def _renew(self) -> None:
        """New locks in a forked child; the gate has seen to it that nobody was writing."""
        self._lock = threading.RLock()
        for study in self._studies.values():
            study.turn = threading.Lock()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with gate.inside(), self._lock:
            yield

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self._studies)} studies)"

    @property
    def place(self) -> str:
        return PLACE

    def create(self, record: StudyRecord) -> StudyRecord:
        with self._locked():
            study = self._studies.get(record.name)
            if study is None:
                study = MemoryStudy(study_rows.record_row(record, now=self._clock()))
                self._studies[record.name] = study
            return study_rows.record_of(study.row, PLACE)

    def begin(self, record: StudyRecord, entries: Sequence[Entry]) -> StudyRecord | None:
        now = self._clock()
        study = MemoryStudy(study_rows.record_row(record, now=now))
        new = [trial_rows.entry_row(number, entry) for number, entry in enumerate(entries)]
        for row in trial_rows.timed(new, entries, now):
            study.write(row["number"], row)
        study.add_reports(report_rows.of_entries(0, entries, now))
        with self._locked():
            if record.name in self._studies:
                return None
            self._studies[record.name] = study
            return study_rows.record_of(study.row, PLACE)

    def load(self, name: Name) -> StudyRecord:
        with self._locked():
            return study_rows.record_of(self._study(name).row, PLACE)

    def studies(self) -> list[StudyRecord]:
        with self._locked():
            return [
                study_rows.record_of(study.row, PLACE) for _, study in sorted(self._studies.items())
            ]

    def _update(self, name: Name, parts: Mapping[str, Any]) -> StudyRecord:
        changed = study_rows.changed_row(parts)
        with self._locked():
            study = self._study(name)
            study.row = study.row | changed
            return study_rows.record_of(study.row, PLACE)

    def _change(self, name: Name, parts: Mapping[str, Any]) -> StudyRecord:
        wanted = study_rows.changed_row(parts)
        with self._locked():
            study = self._study(name)
            changed = study_rows.replaced_row(study.row, wanted, len(study.trials))
            if changed:
                trial_lifecycle.check_edition(name, study.edition)
                study.row = study.row | changed
                study.edition += 1
                study.revision += 1
            return study_rows.record_of(study.row, PLACE)

    def delete(self, name: Name) -> None:
        with self._locked():
            del self._studies[self._study(name).name]

    def _start(self, name: Name, number: int, start: Start, token: str | None) -> Trial | None:
        row = trial_rows.running_row(number, start)
        row |= trial_rows.starting_times(self._clock(), start.heartbeat)
        with self._locked():
            study = self._study(name)
            if written := study.receipt(token):
                return written[0]
            if not trial_lifecycle.check_number(study.name, number, len(study.trials)):
                return None
            trial_lifecycle.check_edition(name, study.edition)
            return study.write(number, row, token)

    def _start_next(self, name: Name, since: int, propose: Beginning, token: str | None) -> Trial:
        with self._locked():
            study = self._study(name)
            if written := study.receipt(token):
                return written[0]
            trial_lifecycle.check_edition(name, study.edition)
            start = propose(study.revision, study.changes(since))
            number = len(study.trials)
            row = trial_rows.running_row(number, start)
            row |= trial_rows.starting_times(self._clock(), start.heartbeat)
            return study.write(number, row, token)

    def _insert_many(self, name: Name, entries: Sequence[Entry], token: str | None) -> list[Trial]:
        now = self._clock()
        with self._locked():
            study = self._study(name)
            if written := study.receipt(token):
                return written
            first = len(study.trials)
            new = [trial_rows.entry_row(first + i, entry) for i, entry in enumerate(entries)]
            curves = report_rows.of_entries(first, entries, now)  # refused before one is written
            study.sign(token, first, len(new))
            timed = trial_rows.timed(new, entries, now)
            written = [study.write(row["number"], row) for row in timed]
            study.add_reports(curves)
            return written

    def _finish(self, name: Name, number: int, ending: Ending, token: str | None) -> Trial:
        ended = trial_rows.finished_row(ending)
        with self._locked():
            study, row = self._trial(name, number)
            if written := study.receipt(token):
                return written[0]
            if row["reclaimed"]:
                late = trial_rows.late_row(row, study.trial(row), ending, now=self._clock())
                return study.write(number, late, token)
            if row["state"] != TrialState.RUNNING:
                raise trial_lifecycle.already_told(study.name, number, row["state"], ending.state)
            told_at = max(self._clock(), row["asked_at"])
            remarked = trial_rows.annotated_row(row, ending.remark)
            return study.write(number, ended | remarked | {"told_at": told_at}, token)

    def _correct(self, name: Name, number: int, ending: Ending, token: str | None) -> Trial:
        now = self._clock()
        with self._locked():
            study, row = self._trial(name, number)
            if written := study.receipt(token):
                return written[0]
            if row["state"] == TrialState.RUNNING:
                raise trial_lifecycle.still_running(study.name, number)
            changed = trial_rows.corrected_row(row, study.trial(row), ending, now=now)
            return study.write(number, changed, token)

    def _annotate(self, name: Name, number: int, remark: Remark, token: str | None) -> Trial:
        with self._locked():
            study, row = self._trial(name, number)
            if written := study.receipt(token):
                return written[0]
            return study.write(number, trial_rows.annotated_row(row, remark), token)

    def report(
        self, name: Name, number: int, step: int, outcomes: Mapping[str, float]
    ) -> CurvePoint:
        row = report_rows.report_row(number, step, outcomes, self._clock())
        with self._locked():
            study, trial = self._trial(name, number)
            if (number, step) not in study.reports:
                report_rows.check_running(study.name, number, trial)
                study.revision += 1
                study.reports[number, step] = row | {"revision": study.revision}
            return report_rows.report_of(study.reports[number, step])

    def reports(self, name: Name, since: int = 0) -> tuple[int, list[CurvePoint]]:
        with self._locked():
            study = self._study(name)
            if since > study.revision:
                raise trial_lifecycle.renewed_study(study.name, PLACE)
            found = [row for row in study.reports.values() if row["revision"] > since]
            return study.revision, report_rows.reports_of(found)

    def beat(self, name: Name, numbers: Sequence[int]) -> list[int]:
        now = self._clock()
        with self._locked():
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

    def reclaim(self, name: Name, grace: float) -> list[Trial]:
        now = self._clock()
        with self._locked():
            study = self._study(name)
            return [
                study.write(row["number"], trial_lifecycle.vanished(row["asked_at"], now, grace))
                for row in list(study.trials)
                if row["state"] == TrialState.RUNNING
                and trial_lifecycle.is_stale(row["heartbeat_at"], now, grace)
            ]

    def trial(self, name: Name, number: int) -> Trial:
        with self._locked():
            study, row = self._trial(name, number)
            return study.trial(row)

    def changes(
        self, name: Name, since: int = 0, *, brief: bool = False
    ) -> tuple[int, list[Trial]]:
        with self._locked():
            study = self._study(name)
            return study.revision, study.changes(since, brief=brief)

    def infos(self, name: Name, numbers: Sequence[int]) -> dict[int, dict[str, Any]]:
        with self._locked():
            trials = self._study(name).trials
            there = [number for number in numbers if 0 <= number < len(trials)]
            return {number: trial_rows.info_of(trials[number]["info"]) for number in there}

    def receipt(self, name: Name, token: str) -> list[Trial] | None:
        with self._locked():
            return self._study(name).receipt(token)

    def revisions(self) -> dict[str, Standing]:
        with self._locked():
            return {
                name: Standing(
                    study.row["identity"], study.edition, study.revision, len(study.trials)
                )
                for name, study in self._studies.items()
            }

    @contextmanager
    def turn(self, name: Name, patience: float = 10.0) -> Iterator[bool]:
        with self._locked():
            lock = self._study(name).turn
        free = lock.acquire(timeout=patience)
        try:
            yield free
        finally:
            if free:
                lock.release()

    def close(self) -> None:
        """Nothing to let go of: the studies stay."""

    def _study(self, name: Name) -> MemoryStudy:
        study = self._studies.get(name_of(name))
        if study is None or not (isinstance(name, str) or study.row["identity"] == name.identity):
            raise trial_lifecycle.no_such_study(name, PLACE, self._studies)
        return study

    def _trial(self, name: Name, number: int) -> tuple[MemoryStudy, trial_rows.Row]:
        study = self._study(name)
        if not 0 <= number < len(study.trials):
            raise trial_lifecycle.no_such_trial(study.name, number, len(study.trials))
        return study, study.trials[number]
