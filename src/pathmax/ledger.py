"""The trials of a study as they were last read, and where each of them lies.

Reading is incremental: the storage is asked what changed since the last revision. A trial's params
never change, so its point is computed once.
"""

from __future__ import annotations

from pathmax import history
from pathmax.errors import TrialError
from pathmax.history import History, Place
from pathmax.pool import Domain
from pathmax.scalars import describe, plain, whole
from pathmax.space import Space
from pathmax.storage import Storage
from pathmax.trial import Trial


class Ledger:
    """Reads the trials of one study."""

    def __init__(self, storage: Storage, name: str, domain: Domain) -> None:
        self._storage, self._name, self._domain = storage, name, domain
        self._revision = 0
        self._trials: dict[int, Trial] = {}
        self._places: dict[int, Place] = {}

    @property
    def revision(self) -> int:
        """Up to where the storage was read."""
        return self._revision

    def read(self) -> list[Trial]:
        """All trials by number, as they are now."""
        self._add(*self._storage.changes(self._name, self._revision))
        return list(self._trials.values())

    def history(self) -> History:
        """What is known now."""
        return history.read(self.read(), self._locate, self._domain.dimension)

    def history_with(self, revision: int, changed: list[Trial]) -> History:
        """What is known with these changes, without asking the storage."""
        self._add(revision, changed)
        trials = list(self._trials.values())
        return history.read(trials, self._locate, self._domain.dimension)

    def history_before(self, trial: Trial) -> History:
        """What was known when a trial was suggested."""
        past = history.before(self.read(), trial)
        return history.read(past, self._locate, self._domain.dimension)

    def find(self, trial: Trial | int) -> Trial:
        """A trial as it is stored now, by itself or by its number."""
        number = trial_number(trial)
        trials = self.read()
        if not 0 <= number < len(trials):
            known = f"its trials are 0 to {len(trials) - 1}" if trials else "it has no trials yet"
            raise TrialError(f"study {self._name!r} has no trial {number}; {known}")
        return trials[number]

    def _add(self, revision: int, changed: list[Trial]) -> None:
        self._trials.update({trial.number: trial for trial in changed})
        if len(self._trials) > 1 and changed:
            self._trials = dict(sorted(self._trials.items()))
        self._revision = revision

    def _locate(self, trial: Trial) -> Place:
        place = self._places.get(trial.number)
        if place is None:
            if isinstance(self._domain, Space):
                place = Place(self._domain.encode(trial.params))
            else:
                row = self._domain.index(trial.params)
                place = Place(self._domain.encode_rows([row])[0], row)
            self._places[trial.number] = place
        return place


def trial_number(trial: object) -> int:
    """The number of a trial, given as a Trial or as its number."""
    if isinstance(trial, Trial):
        return trial.number
    number = whole(plain(trial))
    if number is None:
        raise TrialError(
            f"expected a trial or its number, got {describe(plain(trial))}; "
            "pass what study.ask() returned"
        )
    return number
