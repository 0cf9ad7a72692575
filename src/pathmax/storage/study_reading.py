"""One study as a transaction reads it. Only writers wait for each other, see `transaction`."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection

from pathmax.errors import ForeignStorageError, StudyNotFoundError
from pathmax.storage import report_rows, trial_lifecycle, trial_rows
from pathmax.storage import statements as sql
from pathmax.storage.damage import REMEDY, missing_trial, reading
from pathmax.storage.many_rows import trials_of
from pathmax.storage.records import Name, name_of
from pathmax.storage.trial_rows import Stored
from pathmax.trials.curves import CurvePoint
from pathmax.trials.trial import Trial

NUMBERS_AT_ONCE = 500  # of trials, in one statement


@dataclass(frozen=True, slots=True)
class StudyReading:
    """A study as one transaction sees it.

    When there is none, all but `find`, `exists`, `receipt` and `written` raise.
    """

    connection: Connection
    which: Name
    place: str
    clock: Callable[[], float] | None = None
    """Where the time comes from; None for the clock of the database."""

    @property
    def name(self) -> str:
        """The name of the study."""
        return name_of(self.which)

    def find(self) -> Stored | None:
        """The row of the study, if there is one."""
        return self.connection.execute(sql.SELECT_STUDY, self._study()).mappings().first()

    def study(self) -> Stored:
        """The row of the study."""
        found = self.find()
        if found is None:
            raise self._missing()
        return found

    def exists(self) -> bool:
        """Whether there is such a study."""
        return self.connection.execute(sql.ALL_COUNTERS, self._study()).first() is not None

    def count(self) -> int:
        """How many trials there are."""
        found = self.connection.execute(sql.ALL_COUNTERS, self._study()).mappings().first()
        if found is None:
            raise self._missing()
        self._check_counters(**found)
        count: int = found["trials"]
        return count

    def trial(self, number: int) -> Stored:
        """The row of a trial."""
        wanted = self._study(which=number)
        found = (
            self.connection.execute(sql.SELECT_TRIAL, wanted).mappings().first()
            if fits(number)
            else None
        )
        if found is None:
            count = self.count()
            if 0 <= number < count:
                raise ForeignStorageError(missing_trial(self.place, self.name, number).damage)
            raise trial_lifecycle.no_such_trial(self.name, number, count)
        return found

    def changes(
        self, since: int, *, brief: bool = False, starting: bool = False
    ) -> tuple[int, list[Trial]]:
        """The revision that others see, and the trials written after `since`.

        `starting`: for a writer that starts one trial. Its claim has raised revision and count
        already, but it has written nothing yet.
        """
        wanted = sql.BRIEF_CHANGES if brief else sql.CHANGES
        changed = self.connection.execute(wanted, self._study(since=since)).all()
        if not changed:
            raise self._missing()
        *_, revision, count = changed[0]
        self._check_counters(revision=revision, trials=count)
        if starting:
            revision, count = revision - 1, count - 1
        if since > revision:
            raise trial_lifecycle.renewed_study(self.name, self.place)
        there = [row for row in changed if type(row[0]) is int and row[0] >= 0]
        there.sort(key=itemgetter(0))
        trials = trials_of(there, self.place, self.name)
        if since == 0 and len(trials) < count:  # whoever has read before has the others
            known = {trial.number: trial for trial in trials}
            trials = [known.get(i) or missing_trial(self.place, self.name, i) for i in range(count)]
        return revision, trials

    def infos(self, numbers: Sequence[int]) -> dict[int, dict[str, Any]]:
        """What explains some trials, by number."""
        wanted = [number for number in numbers if fits(number)]
        found: dict[int, dict[str, Any]] = {}
        for first in range(0, len(wanted), NUMBERS_AT_ONCE):
            part = self._study(numbers=wanted[first : first + NUMBERS_AT_ONCE])
            for number, text in self.connection.execute(sql.INFOS, part):
                found[number] = trial_rows.info_of(text)
        if not found:
            self.count()  # there is such a study
        return found

    def reports(self, since: int) -> tuple[int, list[CurvePoint]]:
        """The revision that others see, and what was reported after `since`."""
        found = self.connection.execute(sql.REPORTS, self._study(since=since)).mappings().all()
        if not found:
            raise self._missing()
        revision = found[0]["present"]
        self._check_counters(revision=revision)
        if since > revision:
            raise trial_lifecycle.renewed_study(self.name, self.place)
        there = [row for row in found if row["step"] is not None]
        with reading(f"{self.place}: what is stored of the curves of study {self.name!r}"):
            return revision, report_rows.reports_of(there)

    def stale(self, grace: float) -> list[int]:
        """The numbers of the running trials whose worker gives no sign of life."""
        pulses = self.connection.execute(sql.PULSES, self._study()).all()
        if not pulses:
            raise self._missing()
        now = self._time(pulses[0].now)
        beats = [(number, at) for number, at, _ in pulses if type(at) in (int, float)]
        return [number for number, at in beats if trial_lifecycle.is_stale(at, now, grace)]

    def receipt(self, token: str) -> Sequence[Stored] | None:
        """The trials that a write with this token has stored; None when there was none."""
        found = self.connection.execute(sql.RECEIPT, self._study(token=token)).first()
        if found is None:
            return None
        numbers = self._study(first=found.first, end=found.first + found.count)
        return self.connection.execute(sql.BETWEEN, numbers).mappings().all()

    def written(self, token: str) -> list[Mapping[str, object]]:
        """The trials that an earlier attempt with this token did write after all."""
        found = self.connection.execute(sql.WRITTEN, self._study(token=token))
        return [dict(row) for row in found.mappings()]

    def reading(self, number: int) -> AbstractContextManager[None]:
        """Around work on what is stored of a trial: says which one when that is damaged."""
        return reading(f"{self.place}: what is stored of trial {number} of study {self.name!r}")

    def _time(self, now: float | None) -> float:
        """The time, given what the database says it is."""
        if self.clock is not None:
            return self.clock()
        return time.time() if now is None else now

    def _check_counters(self, **counted: object) -> None:
        wrong = [
            f"{name} = {found!r:.80}"
            for name, found in counted.items()
            if not (isinstance(found, int) and 0 <= found <= sql.LARGEST_COUNT)
        ]
        if wrong:
            raise ForeignStorageError(
                f"{self.place}: the counters of study {self.name!r} are not what pathmax writes"
                f" ({', '.join(wrong)}); {REMEDY}"
            )

    def _study(self, **others: object) -> dict[str, Any]:
        return sql.of_study(self.which, **others)

    def _missing(self) -> StudyNotFoundError:
        known = self.connection.execute(sql.NAMES).scalars().all()
        names = [name for name in known if isinstance(name, str)]  # another is damaged
        return trial_lifecycle.no_such_study(self.which, self.place, names)


def fits(number: int) -> bool:
    """Whether a trial can have this number: a larger one is no integer to a database."""
    return 0 <= number < 2**31
