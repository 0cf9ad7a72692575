"""One study inside one transaction: the steps that every operation on it is made of."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, insert, update

from pathmax.errors import ForeignStorageError, StudyNotFoundError
from pathmax.storage import life_of_a_trial, report_rows, rows
from pathmax.storage import statements as sql
from pathmax.storage.damage import REMEDY, missing_trial, reading
from pathmax.storage.many_rows import trials_of
from pathmax.storage.records import Name, name_of
from pathmax.storage.schema import counters, studies, trials
from pathmax.trials.curves import CurvePoint
from pathmax.trials.trial import Trial

KEPT = 8 * 86_400.0  # seconds: how long a receipt is kept
WRITTEN_AT_ONCE = 500  # numbers of trials in one statement
SWEEP = 256  # revisions: how often those of long ago are looked for


@dataclass(frozen=True, slots=True)
class Claim:
    """What a writer writes with: the key of the study, its new revision, its count of trials."""

    id: int
    revision: int
    count: int
    edition: int
    now: float


@dataclass(frozen=True, slots=True)
class Transaction:
    """A study as one transaction sees it. All but `find` and `create` raise when there is none."""

    connection: Connection
    which: Name
    place: str
    clock: Callable[[], float] | None = None
    """Where the time comes from; None for the clock of the database."""

    @property
    def name(self) -> str:
        """The name of the study."""
        return name_of(self.which)

    def claim(self, new: int = 0) -> Claim:
        """Raise the revision, and so wait for all other writers; make room for new trials."""
        raised = self.connection.execute(sql.RAISE, self._study(new=new)).first()
        if raised is None:
            raise self._missing()
        return self._claim(raised)

    def claim_number(self, number: int) -> Claim | None:
        """The same for one trial of this number; None when the number is taken."""
        wanted = self._study(wanted=number, new=1)
        raised = self.connection.execute(sql.CLAIM, wanted).first() if _fits(number) else None
        if raised is None:
            self._check_free(number)
            return None
        claim = self._claim(raised)
        life_of_a_trial.check_edition(self.which, claim.edition)
        return claim

    def _check_free(self, number: int) -> None:
        count = self.count()
        if (
            number > count
            and self.connection.execute(sql.SELECT_TRIAL, self._study(which=count)).first()
        ):
            raise ForeignStorageError(
                f"{self.place}: study {self.name!r} counts {count} trials, and there is a trial"
                f" {count}; {REMEDY}"
            )
        life_of_a_trial.check_number(self.name, number, count)

    def _claim(self, raised: Any) -> Claim:
        self._check_counters(raised.revision, raised.trials, raised.edition)
        return Claim(
            raised.study_id, raised.revision, raised.trials, raised.edition, self._time(raised.now)
        )

    def _time(self, now: float | None) -> float:
        """The time, given what the database says it is."""
        if self.clock is not None:
            return self.clock()
        return time.time() if now is None else now

    def _check_counters(self, *counted: object) -> None:
        if not all(type(number) is int and number >= 0 for number in counted):
            raise ForeignStorageError(
                f"{self.place}: the counters of study {self.name!r} are not what pathmax writes"
                f" ({counted!s:.80}); {REMEDY}"
            )

    def add(self, new: Sequence[rows.Row], claim: Claim, token: str) -> None:
        """Store new trials."""
        stamp = {"study_id": claim.id, "revision": claim.revision, "token": token}
        if new:
            self.connection.execute(sql.ADD, [row | stamp for row in new])

    def end(self, number: int, ending: rows.Row, claim: Claim) -> rows.Stored | None:
        """Store how a running trial ended; the whole row, or None when it does not run."""
        values = ending | {
            "id": claim.id,
            "which": number,
            "revision": claim.revision,
            "now": claim.now,
        }
        if not _fits(number):
            return None
        return self.connection.execute(sql.END, values).mappings().first()

    def reading(self, number: int) -> AbstractContextManager[None]:
        """Around work on what is stored of a trial: says which one when that is damaged."""
        return reading(f"{self.place}: what is stored of trial {number} of study {self.name!r}")

    def rewrite(self, row: rows.Stored, changed: rows.Row, claim: Claim) -> rows.Stored:
        """Store other values in some columns of a trial; the whole new row."""
        values = changed | {"revision": claim.revision}
        where = {"id": claim.id, "which": row["number"]}
        self.connection.execute(update(trials).where(sql.ONE_TRIAL).values(values), where)
        return {**row, **values}

    def beat(self, numbers: Sequence[int], claim: Claim) -> list[int]:
        """Store a heartbeat; the numbers of those that run."""
        possible = [number for number in numbers if _fits(number)]
        values = {"id": claim.id, "revision": claim.revision, "numbers": possible}
        values["now"] = claim.now
        return sorted(self.connection.execute(sql.BEAT, values).scalars())

    def create(self, row: rows.Row) -> None:
        """Store a new study."""
        made = self.connection.execute(insert(studies).values(row).returning(studies.c.id))
        key = made.scalar_one()
        first = insert(counters).values(study_id=key, revision=0, trials=0, edition=0)
        self.connection.execute(first)

    def revise(self, changed: rows.Row, claim: Claim) -> None:
        """Store other values in some columns of the study."""
        if changed:
            one = update(studies).where(studies.c.id == claim.id)
            self.connection.execute(one.values(changed))

    def count_edition(self, claim: Claim) -> None:
        """Have it known that the space is another one now."""
        one = update(counters).where(counters.c.study_id == claim.id)
        self.connection.execute(one.values(edition=claim.edition + 1))

    def find(self) -> rows.Stored | None:
        """The row of the study, if there is one."""
        return self.connection.execute(sql.SELECT_STUDY, self._study()).mappings().first()

    def study(self) -> rows.Stored:
        """The row of the study."""
        found = self.find()
        if found is None:
            raise self._missing()
        return found

    def exists(self) -> bool:
        """Whether there is such a study."""
        return self.connection.execute(sql.COUNT, self._study()).first() is not None

    def count(self) -> int:
        """How many trials there are."""
        found = self.connection.execute(sql.COUNT, self._study()).first()
        if found is None:
            raise self._missing()
        self._check_counters(0, found.trials, 0)
        count: int = found.trials
        return count

    def trial(self, number: int) -> rows.Stored:
        """The row of a trial."""
        wanted = self._study(which=number)
        found = (
            self.connection.execute(sql.SELECT_TRIAL, wanted).mappings().first()
            if _fits(number)
            else None
        )
        if found is None:
            count = self.count()
            if 0 <= number < count:
                raise ForeignStorageError(missing_trial(self.place, self.name, number).damage)
            raise life_of_a_trial.no_such_trial(self.name, number, count)
        return found

    def changes(
        self, since: int, claim: Claim | None = None, *, brief: bool = False
    ) -> tuple[int, list[Trial]]:
        """The revision that others see, and the trials written after `since`.

        With the claim of a writer that starts one trial: it has raised revision and count already,
        but has written nothing yet.
        """
        wanted = sql.BRIEF_CHANGES if brief else sql.CHANGES
        changed = self.connection.execute(wanted, self._study(since=since)).all()
        if not changed:
            raise self._missing()
        *_, revision, count = changed[0]
        self._check_counters(revision, count, 0)
        if claim is not None:
            revision, count = revision - 1, count - 1
        if since > revision:
            raise life_of_a_trial.renewed_study(self.name, self.place)
        there = [row[:-2] for row in changed if type(row[0]) is int and row[0] >= 0]
        there.sort(key=itemgetter(0))
        trials = trials_of(there, self.place, self.name)
        if since == 0 and len(trials) < count:  # whoever has read before has the others
            known = {trial.number: trial for trial in trials}
            trials = [known.get(i) or missing_trial(self.place, self.name, i) for i in range(count)]
        return revision, trials

    def infos(self, numbers: Sequence[int]) -> dict[int, dict[str, Any]]:
        """What explains some trials, by number."""
        wanted = [number for number in numbers if _fits(number)]
        found: dict[int, dict[str, Any]] = {}
        for first in range(0, len(wanted), WRITTEN_AT_ONCE):
            part = self._study(numbers=wanted[first : first + WRITTEN_AT_ONCE])
            for number, text in self.connection.execute(sql.INFOS, part):
                found[number] = rows.info_of(text)
        if not found:
            self.count()  # there is such a study
        return found

    def report(self, row: rows.Row, claim: Claim) -> rows.Stored:
        """Store a point of the curve of a running trial, or give back the first of its step."""
        which = {"id": claim.id, "which": row["number"], "step": row["step"]}
        found = self.connection.execute(sql.REPORTED, which).mappings().first()
        if found is None:
            self.trial(row["number"])  # which says that there is none
        elif found["step"] is not None:
            return found
        else:
            report_rows.check_running(self.name, row["number"], found)
        self.add_reports([row], claim)
        return row

    def add_reports(self, new: Sequence[rows.Row], claim: Claim) -> None:
        """Store points of curves."""
        stamp = {"study_id": claim.id, "revision": claim.revision}
        if new:
            self.connection.execute(sql.REPORT, [row | stamp for row in new])

    def reports(self, since: int) -> tuple[int, list[CurvePoint]]:
        """The revision that others see, and what was reported after `since`."""
        found = self.connection.execute(sql.REPORTS, self._study(since=since)).mappings().all()
        if not found:
            raise self._missing()
        revision = found[0]["present"]
        self._check_counters(revision)
        if since > revision:
            raise life_of_a_trial.renewed_study(self.name, self.place)
        there = [row for row in found if row["step"] is not None]
        with reading(f"{self.place}: what is stored of the curves of study {self.name!r}"):
            return revision, report_rows.points_of(there)

    def stale(self, grace: float) -> list[int]:
        """The numbers of the running trials whose worker gives no sign of life."""
        pulses = self.connection.execute(sql.PULSES, self._study()).all()
        if not pulses:
            raise self._missing()
        now = self._time(pulses[0].now)
        beats = [(number, at) for number, at, _ in pulses if type(at) in (int, float)]
        return [number for number, at in beats if life_of_a_trial.is_stale(at, now, grace)]

    def done(self, again: bool, mark: str, token: str | None) -> Sequence[rows.Stored]:
        """What this write has stored before: by its token, or by its mark in an earlier attempt."""
        found = None if token is None else self.receipt(token)
        if found is None and again:
            found = self.written(mark)
        return found or []

    def receipt(self, token: str) -> Sequence[rows.Stored] | None:
        """The trials that a write with this token has stored; None when there was none."""
        found = self.connection.execute(sql.RECEIPT, self._study(token=token)).first()
        if found is None:
            return None
        numbers = self._study(first=found.first, end=found.first + found.count)
        return self.connection.execute(sql.BETWEEN, numbers).mappings().all()

    def sign(self, token: str | None, claim: Claim, first: int, count: int = 1) -> None:
        """Keep a receipt of what this write stores; those of long ago are thrown away."""
        if token is None or not count or not _fits(first):
            return
        kept = {"study_id": claim.id, "token": token, "first": first, "count": count}
        self.connection.execute(sql.SIGN, kept | {"made_at": claim.now})
        if claim.revision % SWEEP == 0:
            before = {"id": claim.id, "before": claim.now - KEPT}
            self.connection.execute(sql.FORGET, before)

    def written(self, token: str) -> list[Mapping[str, object]]:
        """The trials that an earlier attempt with this token did write after all."""
        found = self.connection.execute(sql.WRITTEN, self._study(token=token))
        return [dict(row) for row in found.mappings()]

    def _study(self, **others: object) -> dict[str, Any]:
        return sql.of_study(self.which, **others)

    def _missing(self) -> StudyNotFoundError:
        known = self.connection.execute(sql.NAMES).scalars().all()
        names = [name for name in known if isinstance(name, str)]  # another is damaged
        return life_of_a_trial.no_such_study(self.which, self.place, names)


def _fits(number: int) -> bool:
    """Whether a trial can have this number: a larger one is no integer to a database."""
    return 0 <= number < 2**31
