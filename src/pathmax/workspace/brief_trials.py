"""Glance: the trials of a study for whoever looks at results and not at models.

What explains a suggestion is most of what is stored of a trial: a study of 10,000 trials is read
five times as fast without it. `Study.trials` has all of it.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pathmax.errors import DamageWarning
from pathmax.garbage_collection import collector_at_rest
from pathmax.session.editions import Edition
from pathmax.storage.damage import damaged_trial
from pathmax.study import Study
from pathmax.trials.trial import Trial
from pathmax.trials.wording import show


@dataclass(frozen=True, slots=True)
class BriefTrials:
    """All trials by number as they are now, without `info`, and which left the present space."""

    trials: tuple[Trial, ...]
    outside: frozenset[int]

    @classmethod
    def at(cls, study: Study) -> BriefTrials:
        """The trials of a study; those that pathmax did not write so are named in warnings."""
        with collector_at_rest():
            _, trials = study.storage.changes(study.name, brief=True)
        outside: frozenset[int] = frozenset()
        if not study.space.holds_all([trial.params for trial in trials]):
            here = Edition(study.space, study.goals, 0)
            here.place_all(trials)
            outside = frozenset(trial.number for trial in trials if here.place(trial) is None)
        for trial in _odd(study, trials, outside):
            warnings.warn(str(trial.damage), DamageWarning, stacklevel=2)
        return cls(tuple(trials), outside)


def explained(study: Study, trial: Trial) -> Trial:
    """A trial of a glance, with what explains it."""
    found = study.storage.infos(study.name, [trial.number])
    return replace(trial, info=found.get(trial.number, {}))


def _odd(study: Study, trials: Sequence[Trial], outside: frozenset[int]) -> list[Trial]:
    """Trials that are damaged, or that do not fit the only space that the study has had."""
    if outside and study.storage.load(study.name).earlier_spaces:
        outside = frozenset()
    odd = []
    for trial in trials:
        if trial.damage is None and trial.number in outside:
            what = f"its params {show(trial.params)} are not in the space"
            said = damaged_trial(study.storage.place, study.name, trial.number, what)
            trial = replace(trial, damage=said)
        odd += [trial] if trial.damage is not None else []
    return odd
