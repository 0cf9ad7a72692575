"""How far a study is, as one plain value: what `pathmax show` prints and a page shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pathmax.errors import TrialError
from pathmax.study import Study
from pathmax.suggestion.costs import has_costs, spent_or_none
from pathmax.trials.best_trials import best_of, front_of
from pathmax.trials.goals import Goals, sign_of
from pathmax.trials.trial import Trial, TrialState
from pathmax.trials.wording import caution
from pathmax.workspace.brief_trials import BriefTrials, explained
from pathmax.workspace.opened_study import Opened


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The best trial, the results in order, and the trials that run, were stopped or failed.

    `left_out` are the results that do not fit the space any more, after it was changed: they are
    not among `complete`, and the model does not use them.
    """

    study: str
    direction: str
    objective: str
    goals: Goals
    best: Trial | None
    front: tuple[Trial, ...]
    complete: tuple[Trial, ...]
    running: tuple[Trial, ...]
    failed: tuple[Trial, ...]
    stopped: tuple[Trial, ...] = ()
    left_out: tuple[Trial, ...] = ()
    counted: tuple[Trial, ...] = ()  # those of `complete` that may be the best
    spent: float | None = None  # where there is a fidelity or costs were told
    target: str = ""  # the fidelity that is wanted

    @property
    def several(self) -> bool:
        """Whether there are several objectives, and so a front instead of a best trial."""
        return len(self.goals.objectives) > 1

    @property
    def values(self) -> list[float]:
        """The results at the target, in the order of their trials."""
        shown, name = self.counted if self.target else self.complete, self.goals.first.name
        return [trial.outcomes[name] for trial in shown if name in trial.outcomes]

    @property
    def progress(self) -> list[float]:
        """The best result up to and including each one."""
        sign = sign_of(self.direction)
        best: list[float] = (sign * np.maximum.accumulate(sign * np.array(self.values))).tolist()
        return best

    @property
    def caution(self) -> str:
        """How far to trust what the model says, when there are few results."""
        return caution(len(self.complete))

    def to_json(self) -> dict[str, Any]:
        return {
            "study": self.study,
            "direction": self.direction,
            "objective": self.objective,
            "running": len(self.running),
            "complete": len(self.complete),
            "failed": len(self.failed),
            "stopped": len(self.stopped),
            **({} if self.spent is None else {"spent": self.spent}),
            **({"target": self.target, "at_target": len(self.counted)} if self.target else {}),
            "best_trial": None if self.best is None else self.best.to_json(),
            **({} if self.goals.is_single else {"goals": self.goals.to_json()}),
            **({"front": [t.number for t in self.front]} if self.several else {}),
            "running_trials": [trial.number for trial in self.running],
            "failed_trials": [trial.number for trial in self.failed],
            "stopped_trials": [trial.number for trial in self.stopped],
            "left_out_trials": [trial.number for trial in self.left_out],
        }


def overview_of(opened: Opened) -> Overview:
    """How far a study is now."""
    study, seen = opened.study, BriefTrials.at(opened.study)
    trials, outside = seen.trials, seen.outside

    def in_state(state: TrialState) -> tuple[Trial, ...]:
        return tuple(trial for trial in trials if trial.state is state)

    told = in_state(TrialState.COMPLETE)
    complete = tuple(trial for trial in told if trial.number not in outside)
    counted = tuple(trial for trial in complete if study.space.counts(trial.params))
    best = best_or_none(study, counted)
    return Overview(
        study=study.name,
        direction=study.direction,
        objective=opened.objective,
        goals=study.goals,
        best=None if best is None else explained(study, best),
        front=tuple(front_of(counted, study.goals)) if len(study.goals.objectives) > 1 else (),
        complete=complete,
        running=in_state(TrialState.RUNNING),
        failed=in_state(TrialState.FAILED),
        stopped=in_state(TrialState.STOPPED),
        left_out=tuple(trial for trial in told if trial.number in outside),
        counted=counted,
        spent=spent_or_none(study.space, trials) if has_costs(study.space, trials) else None,
        target=study.space.target_words,
    )


def best_or_none(study: Study, trials: Sequence[Trial] | None = None) -> Trial | None:
    """The best trial within all bounds, if there is one and one objective to tell it by."""
    if len(study.goals.objectives) > 1:
        return None
    if trials is None:
        trials = BriefTrials.at(study).fitting
        trials = [trial for trial in trials if study.space.counts(trial.params)]
    try:
        return best_of(trials, study.goals)
    except TrialError:
        return None
