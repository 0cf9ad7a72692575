"""One study inside one transaction: the steps that every operation on it is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, insert, update

from pathmax.errors import StudyNotFoundError
from pathmax.storage import life_of_a_trial, rows
from pathmax.storage import statements as sql
from pathmax.storage.records import Name, name_of
from pathmax.storage.schema import counters, studies, trials
from pathmax.trials.trial import Trial


@dataclass(frozen=True, slots=True)
class Claim:
    """What a writer writes with: the key of the study, its new revision, its count of trials."""

    id: int
    revision: int
    count: int
    edition: int


@dataclass(frozen=True, slots=True)
class Transaction:
    """A study as one transaction sees it. All but `find` and `create` raise when there is none."""

    connection: Connection
    which: Name
    place: str

    @property
    def name(self) -> str:
        """The name of the study."""
        return name_of(self.which)

    def claim(self, new: int = 0) -> Claim:
        """Raise the revision, and so wait for all other writers; make room for new trials."""
        raised = self.connection.execute(sql.RAISE, self._study(new=new)).first()
        if raised is None:
            raise self._missing()
        return Claim(raised.study_id, raised.revision, raised.trials, raised.edition)

    def claim_number(self, number: int) -> Claim | None:
        """The same for one trial of this number; None when the number is taken."""
        wanted = self._study(wanted=number, new=1)
        raised = self.connection.execute(sql.CLAIM, wanted).first() if _fits(number) else None
        if raised is None:
            life_of_a_trial.check_number(self.name, number, self.count())
            return None
        claim = Claim(raised.study_id, raised.revision, raised.trials, raised.edition)
        life_of_a_trial.check_edition(self.which, claim.edition)
        return claim

    def add(self, new: Sequence[rows.Row], claim: Claim, token: str) -> None:
        """Store new trials."""
        stamp = {"study_id": claim.id, "revision": claim.revision, "token": token}
        if new:
            self.connection.execute(sql.ADD, [row | stamp for row in new])

    def end(self, number: int, ending: rows.Row, claim: Claim) -> rows.Stored:
        """Store how a trial ended; the whole row."""
        values = ending | {"id": claim.id, "which": number, "revision": claim.revision}
        ended = (
            self.connection.execute(sql.END, values).mappings().first() if _fits(number) else None
        )
        if ended is None:
            state = self.trial(number)["state"]
            raise life_of_a_trial.already_told(self.name, number, state, ending["state"])
        return ended

    def rewrite(self, row: rows.Stored, changed: rows.Row, claim: Claim) -> rows.Stored:
        """Store other values in some columns of a trial; the whole new row."""
        values = changed | {"revision": claim.revision}
        where = {"id": claim.id, "which": row["number"]}
        self.connection.execute(update(trials).where(sql.ONE).values(values), where)
        return {**row, **values}

    def beat(self, numbers: Sequence[int], now: float, claim: Claim) -> list[int]:
        """Store a heartbeat; the numbers of those that run."""
        possible = [number for number in numbers if _fits(number)]
        values = {"id": claim.id, "revision": claim.revision, "now": now, "numbers": possible}
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
        return self.connection.execute(sql.STUDY, self._study()).mappings().first()

    def study(self) -> rows.Stored:
        """The row of the study."""
        found = self.find()
        if found is None:
            raise self._missing()
        return found

    def exists(self) -> bool:
        """Whether there is such a study."""
        return self.connection.execute(sql.COUNT, self._study()).scalar() is not None

    def count(self) -> int:
        """How many trials there are."""
        count: int | None = self.connection.execute(sql.COUNT, self._study()).scalar()
        if count is None:
            raise self._missing()
        return count

    def trial(self, number: int) -> rows.Stored:
        """The row of a trial."""
        wanted = self._study(which=number)
        found = (
            self.connection.execute(sql.TRIAL, wanted).mappings().first() if _fits(number) else None
        )
        if found is None:
            raise life_of_a_trial.no_such_trial(self.name, number, self.count())
        return found

    def changes(self, since: int, claim: Claim | None = None) -> tuple[int, list[Trial]]:
        """The revision that others see, and the trials written after `since`."""
        found = self.connection.execute(sql.CHANGES, self._study(since=since))
        changed: Sequence[rows.Stored] = found.mappings().all()
        if not changed:
            raise self._missing()
        # A writer has raised the revision already, but has written nothing under it yet.
        revision: int = changed[0]["present"] if claim is None else claim.revision - 1
        if since > revision:
            raise life_of_a_trial.renewed_study(self.name, self.place)
        there = [row for row in changed if row["number"] is not None]
        return revision, [rows.trial_of(row, self.place, self.name) for row in there]

    def stale(self, now: float, grace: float) -> list[int]:
        """The numbers of the running trials whose worker gives no sign of life."""
        pulses = self.connection.execute(sql.PULSES, self._study()).all()
        if not pulses:
            raise self._missing()
        return [number for number, at in pulses if life_of_a_trial.is_stale(at, now, grace)]

    def written(self, token: str) -> list[Mapping[str, object]]:
        """The trials that an earlier attempt with this token did write after all."""
        found = self.connection.execute(sql.WRITTEN, self._study(token=token))
        return [dict(row) for row in found.mappings()]

    def _study(self, **others: object) -> dict[str, Any]:
        return sql.of_study(self.which, **others)

    def _missing(self) -> StudyNotFoundError:
        known = self.connection.execute(sql.NAMES).scalars().all()
        return life_of_a_trial.no_such_study(self.which, self.place, known)


def _fits(number: int) -> bool:
    """Whether a trial can have this number: a larger one is no integer to a database."""
    return 0 <= number < 2**31
