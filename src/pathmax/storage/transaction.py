"""One study inside one transaction: the steps that every write to it is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import insert, update

from pathmax.errors import ForeignStorageError
from pathmax.storage import driver, report_rows, trial_endings, trial_lifecycle
from pathmax.storage import statements as sql
from pathmax.storage.damage import REMEDY
from pathmax.storage.schema import counters, studies, trials
from pathmax.storage.study_reading import StudyReading, fits
from pathmax.storage.trial_rows import Row, Stored

KEPT = 8 * 86_400.0  # seconds: how long a receipt is kept
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
class Transaction(StudyReading):
    """A transaction that writes: it begins with a claim, and so waits for all other writers."""

    def claim(self, new: int = 0) -> Claim:
        """Raise the revision, and so wait for all other writers; make room for new trials."""
        raised = driver.first(self.connection, sql.RAISE, self._study(new=new))
        if raised is None:
            self.count()  # which names what is missing or damaged
            raise self._missing()
        return self._claim(raised)

    def claim_number(self, number: int) -> Claim | None:
        """The same for one trial of this number; None when the number is taken."""
        wanted = self._study(wanted=number, new=1)
        raised = driver.first(self.connection, sql.CLAIM, wanted) if fits(number) else None
        if raised is None:
            self._check_free(number)
            return None
        claim = self._claim(raised)
        trial_lifecycle.check_edition(self.which, claim.edition)
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
        trial_lifecycle.check_number(self.name, number, count)

    def _claim(self, raised: Mapping[str, Any]) -> Claim:
        revision, count, edition = raised["revision"], raised["trials"], raised["edition"]
        self._check_counters(revision=revision, trials=count, edition=edition)
        return Claim(raised["study_id"], revision, count, edition, self._time(raised["now"]))

    def add(self, new: Sequence[Row], claim: Claim, token: str) -> list[Row]:
        """Store new trials; the whole rows."""
        stamp = {"study_id": claim.id, "revision": claim.revision, "token": token}
        stored = [row | stamp for row in new]
        if stored:
            self.connection.execute(sql.ADD, stored)
        return stored

    def end(self, number: int, ending: Row, claim: Claim) -> Stored | None:
        """Store how a running trial ended; the whole row, or None when it does not run."""
        values = ending | {
            "id": claim.id,
            "which": number,
            "revision": claim.revision,
            "now": claim.now,
        }
        if not fits(number):
            return None
        return driver.first(self.connection, trial_endings.END, values)

    def rewrite(self, row: Stored, changed: Row, claim: Claim) -> Stored:
        """Store other values in some columns of a trial; the whole new row."""
        values = changed | {"revision": claim.revision}
        where = {"id": claim.id, "which": row["number"]}
        self.connection.execute(update(trials).where(sql.ONE_TRIAL).values(values), where)
        return {**row, **values}

    def beat(self, numbers: Sequence[int], claim: Claim) -> list[int]:
        """Store a heartbeat; the numbers of those that run."""
        possible = [number for number in numbers if fits(number)]
        values = {"id": claim.id, "revision": claim.revision, "numbers": possible}
        values["now"] = claim.now
        return sorted(self.connection.execute(sql.BEAT, values).scalars())

    def create(self, row: Row) -> None:
        """Store a new study."""
        made = self.connection.execute(insert(studies).values(row).returning(studies.c.id))
        key = made.scalar_one()
        first = insert(counters).values(study_id=key, revision=0, trials=0, edition=0)
        self.connection.execute(first)

    def revise(self, changed: Row, claim: Claim) -> None:
        """Store other values in some columns of the study."""
        if changed:
            one = update(studies).where(studies.c.id == claim.id)
            self.connection.execute(one.values(changed))

    def count_edition(self, claim: Claim) -> None:
        """Count a change of the space, so that keys from before start no more trials."""
        one = update(counters).where(counters.c.study_id == claim.id)
        self.connection.execute(one.values(edition=claim.edition + 1))

    def report(self, row: Row, claim: Claim) -> Stored:
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

    def add_reports(self, new: Sequence[Row], claim: Claim) -> None:
        """Store points of curves."""
        stamp = {"study_id": claim.id, "revision": claim.revision}
        if new:
            self.connection.execute(sql.REPORT, [row | stamp for row in new])

    def done(self, again: bool, mark: str, token: str | None) -> Sequence[Stored]:
        """What this write has stored before: by its token, or by its mark in an earlier attempt."""
        found = None if token is None else self.receipt(token)
        if found is None and again:
            found = self.written(mark)
        return found or []

    def sign(self, token: str | None, claim: Claim, first: int, count: int = 1) -> None:
        """Keep a receipt of what this write stores; those of long ago are thrown away."""
        if token is None or not count or not fits(first):
            return
        kept = {"study_id": claim.id, "token": token, "first": first, "count": count}
        self.connection.execute(sql.SIGN, kept | {"made_at": claim.now})
        if claim.revision % SWEEP == 0:
            before = {"id": claim.id, "before": claim.now - KEPT}
            self.connection.execute(sql.FORGET, before)
