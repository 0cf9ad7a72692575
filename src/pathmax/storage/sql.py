"""Studies in a database: SQLite for one machine, PostgreSQL for many.

Every write is one short transaction that begins by raising the revision in the counters of the
study. That row is the queue: whoever holds it writes, the others wait. An ask is two statements,
and so is a tell, of which PostgreSQL makes one; a note makes it three.

A connection can break while a commit is on its way, and then nobody knows whether it arrived. So
starting, inserting, finishing and correcting leave a random mark, and a second attempt first looks
whether the first one had succeeded. A caller who may lose the answer gives a token of its own; its
receipt is written in the same transaction.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from pathmax.storage import report_rows, trial_lifecycle, trial_rows
from pathmax.storage.base import Beginning
from pathmax.storage.begun_trials import BegunTrial
from pathmax.storage.driver import DriverCursor
from pathmax.storage.records import Ending, Entry, Name, Remark, Start, name_of
from pathmax.storage.sql_studies import SqlStudies
from pathmax.storage.study_reading import StudyReading
from pathmax.storage.transaction import Transaction
from pathmax.storage.trial_endings import end_as_begun, end_at_once
from pathmax.storage.trial_rows import Row, Stored
from pathmax.storage.turn import turn
from pathmax.trials.curves import CurvePoint
from pathmax.trials.trial import Trial, TrialState

Rows = Sequence[Stored]
ReadEnded = Callable[[], Trial]
"""Reads what was written, after the commit."""


class SqlStorage(SqlStudies):
    """Keeps studies in a SQLite file or a PostgreSQL database.

    Args:
        url: `sqlite:///lab.db` or `postgresql+psycopg://user@host/database`.
        patience: for how many seconds to wait for a lock, or for a server that went away, before
            `StorageUnavailableError`.
        clock: where the time comes from, in seconds since 1970. None for the clock of the database:
            the machines that share it need not agree about the time.
    """

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._database.place!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        database = self._database
        return partial(SqlStorage, database.url, patience=database.patience), ()

    def _start(self, name: Name, number: int, start: Start, token: str | None) -> Trial | None:
        row = trial_rows.running_row(number, start)

        def work(study: Transaction, mark: str) -> Rows:
            claim = study.claim_number(number)
            if claim is None:
                return []
            timed = row | trial_rows.starting_times(claim.now, start.heartbeat)
            started = study.add([timed], claim, mark)
            study.sign(token, claim, number)
            return started

        return next(iter(self._started(name, self._write_once(name, token, work))), None)

    def _start_next(self, name: Name, since: int, propose: Beginning, token: str | None) -> Trial:
        def work(study: Transaction, mark: str) -> Rows:
            claim = study.claim(new=1)
            trial_lifecycle.check_edition(name, claim.edition)
            start = propose(*study.changes(since, starting=True))
            row = trial_rows.running_row(claim.count - 1, start)
            row |= trial_rows.starting_times(claim.now, start.heartbeat)
            started = study.add([row], claim, mark)
            study.sign(token, claim, claim.count - 1)
            return started

        return self._started(name, self._write_once(name, token, work))[0]

    def _started(self, name: Name, rows: Rows) -> list[Trial]:
        """The trials that were started, whose ends need not be read as a whole."""
        started = [self._trial(name, row) for row in rows]
        for row, trial in zip(rows, started, strict=True):
            self._begun.keep(name, row, trial)
        return started

    def _insert_many(self, name: Name, entries: Sequence[Entry], token: str | None) -> list[Trial]:
        new = [trial_rows.entry_row(0, entry) for entry in entries]

        def work(study: Transaction, mark: str) -> Rows:
            claim = study.claim(new=len(new))
            first = claim.count - len(new)
            timed = trial_rows.timed(new, entries, claim.now)
            numbered = [row | {"number": first + i} for i, row in enumerate(timed)]
            study.add(numbered, claim, mark)
            study.add_reports(report_rows.of_entries(first, entries, claim.now), claim)
            study.sign(token, claim, first, len(new))
            return numbered

        return [self._trial(name, row) for row in self._write_once(name, token, work)]

    def _finish(self, name: Name, number: int, ending: Ending, token: str | None) -> Trial:
        ended = trial_rows.finished_row(ending) | {"token": _new_mark()}
        begun = self._begun.take(name, number)

        def work(study: Transaction, again: bool) -> ReadEnded:
            found = study.done(again, ended["token"], token)
            row = found[0] if found else self._end(study, number, ending, ended, token)
            return partial(self._ended, name, row, begun)

        def at_once(cursor: DriverCursor) -> ReadEnded | None:
            if begun is not None:
                told_at = end_as_begun(cursor, begun, ended, self._clock)
                if told_at is not None:
                    return partial(begun.ended, ending, told_at)
            row = end_at_once(cursor, name, number, ended, self._clock)
            return None if row is None else partial(self._ended, name, row, begun)

        plain = token is None and ending.note is None and not ending.attributes
        read = self._write(name, work, at_once if plain else None)
        return read()

    def _end(
        self, study: Transaction, number: int, ending: Ending, ended: Row, token: str | None
    ) -> Stored:
        """End a trial step by step, also one that was taken back, or say why it cannot be."""
        claim = study.claim()
        study.sign(token, claim, number)
        row = study.end(number, ended, claim)
        with study.reading(number):
            if row is None:
                row = study.trial(number)
                if not row["reclaimed"]:
                    raise trial_lifecycle.already_told(
                        study.name, number, row["state"], ending.state
                    )
                was = self._trial(study.which, row)
                changed = trial_rows.late_row(row, was, ending, now=claim.now)
                changed |= {"token": ended["token"]}
            elif ending.note is None and not ending.attributes:
                return row
            else:
                changed = trial_rows.annotated_row(row, ending.remark)
        return study.rewrite(row, changed, claim)

    def _ended(self, name: Name, row: Stored, begun: BegunTrial | None) -> Trial:
        read = {} if begun is None else begun.read_of(row)
        return trial_rows.trial_of(row, self.place, name_of(name), read)

    def _correct(self, name: Name, number: int, ending: Ending, token: str | None) -> Trial:
        def work(study: Transaction, mark: str) -> Rows:
            claim = study.claim()
            row = study.trial(number)
            study.sign(token, claim, number)
            if row["state"] == TrialState.RUNNING:
                raise trial_lifecycle.still_running(study.name, number)
            with study.reading(number):
                was = self._trial(name, row)
                changed = trial_rows.corrected_row(row, was, ending, now=claim.now)
            return [study.rewrite(row, changed | {"token": mark}, claim)]

        return self._trial(name, self._write_once(name, token, work)[0])

    def _annotate(self, name: Name, number: int, remark: Remark, token: str | None) -> Trial:
        def work(study: Transaction, _mark: str) -> Rows:
            claim = study.claim()
            row = study.trial(number)
            study.sign(token, claim, number)
            with study.reading(number):
                remarked = trial_rows.annotated_row(row, remark)
            return [study.rewrite(row, remarked, claim)]

        return self._trial(name, self._write_once(name, token, work)[0])

    def _write_once(
        self,
        name: Name,
        token: str | None,
        work: Callable[[Transaction, str], Rows],
    ) -> Rows:
        """The trials that `work` writes with the mark it is given, or wrote in a first attempt."""
        mark = _new_mark()

        def attempt(study: Transaction, again: bool) -> Rows:
            return study.done(again, mark, token) or work(study, mark)

        return self._write(name, attempt)

    def report(
        self, name: Name, number: int, step: int, outcomes: Mapping[str, float]
    ) -> CurvePoint:
        row = report_rows.report_row(number, step, outcomes, 0.0)

        def work(study: Transaction, _again: bool) -> Stored:
            claim = study.claim()
            return study.report(row | {"reported_at": claim.now}, claim)

        return report_rows.report_of(self._write(name, work))

    def reports(self, name: Name, since: int = 0) -> tuple[int, list[CurvePoint]]:
        return self._read(name, lambda study: study.reports(since))

    def beat(self, name: Name, numbers: Sequence[int]) -> list[int]:
        return self._write(name, lambda study, _: study.beat(list(numbers), study.claim()))

    def reclaim(self, name: Name, grace: float) -> list[Trial]:
        def work(study: Transaction, _again: bool) -> list[Stored]:
            claim, taken = study.claim(), []
            for number in study.stale(grace):
                row = study.trial(number)
                asked_at = self._trial(name, row).asked_at
                gone = trial_lifecycle.vanished(asked_at, claim.now, grace)
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
        def work(study: StudyReading) -> Sequence[Stored] | None:
            found = study.receipt(token)
            if found is None:
                study.count()  # there is such a study
            return found

        found = self._read(name, work)
        return None if found is None else [self._trial(name, row) for row in found]

    def turn(self, name: Name, patience: float = 10.0) -> AbstractContextManager[bool]:
        return turn(
            self._database, name, patience, check=lambda: self._read(name, StudyReading.count)
        )


def _new_mark() -> str:
    return os.urandom(16).hex()
