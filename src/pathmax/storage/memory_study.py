"""One study in the memory of this process."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from pathmax.storage import trial_rows
from pathmax.storage.many_rows import row_of, trials_of
from pathmax.storage.trial_lifecycle import renewed_study
from pathmax.storage.trial_rows import Row
from pathmax.trials.trial import Trial

PLACE = "memory"


@dataclass(slots=True)
class MemoryStudy:
    """Its rows, and what a database has in tables of its own: counters, receipts, curves."""

    row: Row
    revision: int = 0
    edition: int = 0
    trials: list[Row] = field(default_factory=list)
    turn: threading.Lock = field(default_factory=threading.Lock)
    receipts: dict[str, range] = field(default_factory=dict)
    reports: dict[tuple[int, int], Row] = field(default_factory=dict)

    def receipt(self, token: str | None) -> list[Trial] | None:
        """The trials that a write with this token stored."""
        numbers = None if token is None else self.receipts.get(token)
        return None if numbers is None else [self.trial(self.trials[i]) for i in numbers]

    def sign(self, token: str | None, first: int, count: int = 1) -> None:
        """Keep a receipt of a write."""
        if token is not None and count:
            self.receipts[token] = range(first, first + count)

    def write(self, number: int, values: Row, token: str | None = None) -> Trial:
        """Put values into a trial's row under a new revision."""
        self.sign(token, number)
        self.revision += 1
        changed = {**values, "revision": self.revision}
        if number == len(self.trials):
            self.trials.append(changed)
        else:
            self.trials[number] = self.trials[number] | changed
        return self.trial(self.trials[number])

    def add_reports(self, new: Sequence[Row]) -> None:
        """Store points of curves, with the revision of the trials they came with."""
        for row in new:
            self.reports[row["number"], row["step"]] = row | {"revision": self.revision}

    @property
    def name(self) -> str:
        name: str = self.row["name"]
        return name

    def changes(self, since: int, *, brief: bool = False) -> list[Trial]:
        """The trials written after a revision."""
        if since > self.revision:
            raise renewed_study(self.name, PLACE)
        changed = [] if since == self.revision else self.trials
        left = {"info": None} if brief else {}
        found = (row_of(row | left) for row in changed if row["revision"] > since)
        return trials_of(found, PLACE, self.name)

    def trial(self, row: Row) -> Trial:
        return trial_rows.trial_of(row, PLACE, self.name)
