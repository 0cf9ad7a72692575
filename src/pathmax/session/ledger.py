"""The trials of a study as they were last read, and where each of them lies.

Reading is incremental: the storage is asked what changed since the last revision.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from pathmax.errors import DamageWarning, ModelError, TrialError, UnregisteredKernelError
from pathmax.garbage_collection import collector_at_rest
from pathmax.scalars import MOST_DIGITS, describe, plain, whole
from pathmax.session.editions import Edition, Editions
from pathmax.storage import Storage, StudyKey
from pathmax.storage.damage import UNREADABLE, damaged_trial
from pathmax.storage.trial_lifecycle import no_such_trial
from pathmax.suggestion.fitted_models import Fit
from pathmax.trials import history
from pathmax.trials.history import History
from pathmax.trials.info import Info
from pathmax.trials.past import before
from pathmax.trials.trial import Trial
from pathmax.trials.wording import show


class Ledger:
    """Reads the trials of one study."""

    def __init__(self, storage: Storage, key: StudyKey, editions: Editions) -> None:
        self._storage, self._key, self._name, self._editions = storage, key, key.name, editions
        self._revision = 0
        self._trials: dict[int, Trial] = {}
        self._started: dict[int, Trial] = {}  # by this process, and not read since
        self._readable: dict[str, Mapping[str, Any]] = {}  # models that were looked through
        self._present: History | None = None  # of all that was read

    @property
    def revision(self) -> int:
        """Up to where the storage was read."""
        return self._revision

    @property
    def next_number(self) -> int:
        """The number that the next trial would have, by what was read."""
        return max(self._trials, default=-1) + 1

    def read(self) -> list[Trial]:
        """All trials by number, as they are now."""
        with nullcontext() if self._revision else collector_at_rest():
            self._add(*self._storage.changes(self._key, self._revision))
        return list(self._trials.values())

    def read_anew(self) -> list[Trial]:
        """The same, without trust in what was read before."""
        self._revision = 0
        return self.read()

    def history(self) -> History:
        """What is known now."""
        self.read()
        return self._of_all()

    def history_with(self, revision: int, changed: list[Trial]) -> History:
        """What is known with these changes, without asking the storage."""
        self._add(revision, changed)
        return self._of_all()

    def _of_all(self) -> History:
        if self._present is None:
            self._present = self._as_history(self._trials.values(), self._editions.present)
        return self._present

    def history_before(self, trial: Trial) -> History:
        """What was known when a trial was suggested."""
        return self._as_history(before(self.read(), trial), self._editions.when(trial.number))

    def _as_history(self, trials: Iterable[Trial], edition: Edition) -> History:
        """What the trials that fit an edition's space say; the model of another space says nothing.

        A trial that does not fit the only space a study ever had is damaged, and left out as well.
        """
        trials = list(trials)
        edition.remember(trials)
        places = edition.places_of(trials)
        fitting = [
            trial if trial.number >= edition.first else replace(trial, info={})
            for trial in trials
            if trial.number in places
        ]
        known = history.read_history(
            fitting,
            lambda trial: places[trial.number],
            edition.domain.dimension,
            edition.goals.names,
        )
        for outcome, learnt in known.learnt.items():
            if learnt.model == self._readable.get(outcome):
                continue
            try:
                Fit.from_json(learnt.model)
            except UnregisteredKernelError:
                pass  # nothing is damaged: whoever needs the model says what to register
            except (ModelError, *UNREADABLE) as cause:
                models = ((i, Info(trial.info).models) for i, trial in enumerate(trials))
                last = max(i for i, each in models if each.get(outcome) == learnt.model)
                trials[last] = self._without_info(trials[last], cause)
                return self._as_history(trials, edition)
            self._readable[outcome] = learnt.model
        return replace(known, number=max((trial.number for trial in trials), default=-1) + 1)

    def started(self, trial: Trial) -> None:
        """Remember a trial that this process has just started."""
        self._started[trial.number] = trial

    def number_of(self, trial: Trial | int) -> int:
        """The number of a trial of this study; a `Trial` of another one is refused.

        What a process has asked for or read it knows again without a look at the storage.
        """
        number = trial_number(trial)
        if isinstance(trial, Trial):
            if trial.study not in (None, self._name):
                raise of_another_study(trial, self._name)
            known = self._started.get(number) or self._trials.get(number)
            known = self._storage.trial(self._key, number) if known is None else known
            if not same_trial(trial, known):
                raise of_a_namesake(trial, known)
        return number

    def find(self, trial: Trial | int) -> Trial:
        """A trial as it is stored now, by itself or by its number."""
        number = self.number_of(trial)
        trials = self.read()
        if not 0 <= number < len(trials):
            raise no_such_trial(self._name, number, len(trials))
        return trials[number]

    def _without_info(self, trial: Trial, cause: Exception) -> Trial:
        damage = self._warn(trial, f"info: {cause!r}")
        known = self._trials.get(trial.number, trial)
        self._trials[trial.number] = replace(known, info={}, damage=damage)
        return replace(trial, info={}, damage=damage)

    def _warn(self, trial: Trial, what: str) -> str:
        damage = damaged_trial(self._storage.place, self._name, trial.number, what)
        warnings.warn(damage, DamageWarning, stacklevel=2)
        return damage

    def _add(self, revision: int, changed: list[Trial]) -> None:
        if not changed:
            self._revision = revision
            return
        self._present = None
        if self._editions.unchanged:
            self._editions.present.remember(changed)
        self._editions.present.place_all(changed)
        for trial in changed:
            self._started.pop(trial.number, None)
            if trial.damage is not None and trial != self._trials.get(trial.number):
                warnings.warn(trial.damage, DamageWarning, stacklevel=2)
            self._trials[trial.number] = trial
            self._name_odd(trial)
            try:
                Info(trial.info).check()
            except UNREADABLE as cause:
                self._without_info(trial, cause)
        if (numbers := list(self._trials)) != sorted(numbers):  # some came late
            self._trials = dict(sorted(self._trials.items()))
        self._revision = revision

    def _name_odd(self, trial: Trial) -> None:
        editions = self._editions
        fits = not editions.unchanged or editions.present.place(trial) is not None
        if not fits and trial.damage is None:
            damage = self._warn(trial, f"its params {show(trial.params)} are not in the space")
            self._trials[trial.number] = replace(trial, damage=damage)


def trial_number(trial: object) -> int:
    """The number of a trial, given as a Trial or as its number."""
    if isinstance(trial, Trial):
        return trial.number
    number = whole(plain(trial))
    if number is None or abs(number) >= 10**MOST_DIGITS:
        raise TrialError(
            f"expected a trial or its number, got {describe(plain(trial))}; "
            "pass what study.ask() returned"
        )
    return number


def same_trial(one: Trial, other: Trial) -> bool:
    """Whether two are one trial, maybe at two moments: what is tried never changes, nor when."""
    by_hand = one.study is None or other.study is None
    return one.params == other.params and (by_hand or one.asked_at == other.asked_at)


def of_another_study(trial: Trial, name: str) -> TrialError:
    return TrialError(
        f"trial {trial.number} belongs to study {trial.study!r}, not to {name!r}; give it to the "
        f"study that it came from, or pass the number of a trial of {name!r}"
    )


def of_a_namesake(trial: Trial, known: Trial) -> TrialError:
    name, number = known.study, known.number
    if trial.params == known.params:
        difference = "it was asked for at another time"
    else:
        difference = f"it has {show(trial.params)}, and trial {number} here {show(known.params)}"
    return TrialError(
        f"trial {number} belongs to another study that is called {name!r} too, not to this "
        f"{name!r}: {difference}; give it to the study that it came from, or pass the number of "
        "the trial that you mean"
    )
