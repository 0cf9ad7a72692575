"""How far trials have come, at one glance in a notebook: counts, the best, and the newest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pathmax.errors import TrialError
from pathmax.trials import html
from pathmax.trials.best_trials import best_of, front_of
from pathmax.trials.goals import Goals
from pathmax.trials.trial import Trial, TrialState
from pathmax.trials.wording import plural

MOST_SHOWN = 10  # trials in a table


def of_trials(
    trials: Sequence[Trial], counted: Sequence[Trial], goals: Goals, target: str
) -> list[str]:
    """The parts of what a notebook shows of a study; the best is one of those that are counted."""
    states = Counter(trial.state for trial in trials)
    counts = [plural(sum(goals.are_told_by(trial.outcomes) for trial in trials), "result")]
    others = (TrialState.RUNNING, TrialState.STOPPED, TrialState.FAILED)
    counts += [f"{states[s]} {s}" for s in others if states[s]]
    parts: list[str] = [", ".join(counts)]
    if len(goals.objectives) > 1:
        front = front_of(counted, goals)
        if front:
            parts += ["On the front:", table_of_trials(front[-MOST_SHOWN:], goals)]
    elif states[TrialState.COMPLETE]:
        try:
            best = best_of(counted, goals, target, states[TrialState.COMPLETE])
            parts += ["The best:", table_of_trials([best], goals)]
        except TrialError as nothing:
            parts.append(str(nothing))
    if trials:
        parts += ["The newest:", table_of_trials(trials[: -MOST_SHOWN - 1 : -1], goals)]
    return parts


def table_of_trials(trials: Sequence[Trial], goals: Goals) -> html.Markup:
    """A row for each trial."""
    names = list(dict.fromkeys(name for trial in trials for name in trial.params))
    header = ["trial", *names, *goals.names, "state"]
    rows = [
        [
            trial.number,
            *(trial.params.get(name, "") for name in names),
            *(trial.outcomes.get(name, "") for name in goals.names),
            trial.state,
        ]
        for trial in trials
    ]
    return html.table(header, rows)
