"""What was read of trials that this process has started, so that their ends need not read it again.

A trial comes back as a whole when it is told. Its params and what explains it are as they were when
it was started: reading that JSON took a quarter of a tell. What is stored is compared, not trusted:
by the database itself, where it ends the trial only if it is stored so, or here.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Any, NamedTuple

from pathmax.storage.records import Name, Told, name_of
from pathmax.storage.trial_rows import READERS, Row, Stored, told_values
from pathmax.trials.trial import Trial

MOST_BEGUN = 512  # trials: few processes have more under way, and reading one is no loss

WRITTEN_ONCE = ("params", "info", "worker")  # columns that no write changes
UNCHANGED = (*WRITTEN_ONCE, "asked_at", "heartbeat_at", "note", "attributes")
"""Those that a trial still has as it was started with if nobody wrote to it since."""
_texts = itemgetter(*WRITTEN_ONCE)


class BegunTrial(NamedTuple):
    """A trial that this process has started."""

    study: str
    row: Stored
    read: dict[str, Any]
    """What is unchanged of it, as values; they are shared with nobody."""
    stored: Row
    """Which trial it is and how it is stored, as `END_AS_BEGUN` is given it."""

    def ended(self, told: Told, told_at: float) -> Trial:
        """The trial with its result, if it was unchanged until then."""
        values = told_values(told)
        number = self.row["number"]
        return Trial(number=number, study=self.study, told_at=told_at, **values, **self.read)

    def read_of(self, row: Stored) -> dict[str, Any]:
        """What need not be read of the row of the trial that has ended, by column."""
        if _texts(row) != _texts(self.row):
            return {}
        return {name: self.read[name] for name in WRITTEN_ONCE}


class BegunTrials:
    """Remembers the latest trials that a storage started."""

    def __init__(self) -> None:
        # No lock, which a fork could find shut: each step is one operation on a dict.
        self._begun: dict[tuple[Name, int], BegunTrial] = {}

    def keep(self, study: Name, row: Stored, trial: Trial) -> None:
        """Remember a trial that was started, with its row."""
        if trial.damage is not None:
            return
        read = {name: READERS[name](row[name]) for name in UNCHANGED}
        stored = {f"begun_{name}": row[name] for name in (*UNCHANGED, "token")}
        stored |= {"id": row["study_id"], "which": row["number"]}
        self._begun[study, trial.number] = BegunTrial(name_of(study), row, read, stored)
        if len(self._begun) > MOST_BEGUN:
            for oldest in list(self._begun)[: MOST_BEGUN // 4]:
                self._begun.pop(oldest, None)

    def take(self, study: Name, number: int) -> BegunTrial | None:
        """A trial that is about to end, if it is one of them: a trial is told once."""
        return self._begun.pop((study, number), None)
