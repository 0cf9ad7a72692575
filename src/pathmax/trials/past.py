"""The past as a trial knew it: the trials before it, and their results before corrections."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from pathmax.trials.info import Info
from pathmax.trials.trial import Trial, TrialState


def before(trials: Iterable[Trial], trial: Trial) -> list[Trial]:
    """The trials as they were when `trial` was suggested.

    Later trials are left out, those that ran then are running, and results that were corrected
    since have their old values; these stay as they are now if `trial` was not suggested, since it
    came from no results.
    """
    info = Info(trial.info)
    running, past = set(info.pending), [t for t in trials if t.number < trial.number]
    if info.is_suggestion:
        corrected = info.corrected
        past = [as_corrected(t, corrected.count(t.number)) for t in past]
    return [
        dataclasses.replace(t, state=TrialState.RUNNING, outcomes={}, told_at=None, error=None)
        if t.number in running
        else t
        for t in past
    ]


def corrected_since(trials: Iterable[Trial], trial: Trial) -> list[tuple[Trial, Trial]]:
    """The results that `trial` was suggested from and that are others now: as then, and as now."""
    trials = list(trials)
    then = {t.number: t for t in before(trials, trial) if t.state is not TrialState.RUNNING}
    pairs = ((then[t.number], t) for t in trials if t.number in then)
    return [
        (was, now) for was, now in pairs if (was.state, was.outcomes) != (now.state, now.outcomes)
    ]


def as_corrected(trial: Trial, times: int) -> Trial:
    """The trial after so many of its corrections."""
    earlier = trial.earlier
    return earlier[times] if times < len(earlier) else trial
