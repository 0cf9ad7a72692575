"""The data of the chart of curves: what trials reported on their way to a result."""

from __future__ import annotations

import math

import numpy as np

from pathmax.arrays import Array
from pathmax.trials.curves import Steps
from pathmax.trials.goals import Goal
from pathmax.trials.trial import Trial, TrialState
from pathmax.trials.wording import first_line, plural
from pathmax.workspace.views.charts import JsonObject, column_of, described_outcome
from pathmax.workspace.views.snapshot import Snapshot
from pathmax.workspace.views.thinning import extremes

MOST_CURVES = 60  # in one picture: more could not be told apart
STEPS_DRAWN = 200  # of one curve

Points = tuple[Steps, Array]


def curves(snapshot: Snapshot, column: str | None = None, number: int | None = None) -> JsonObject:
    """What trials reported of an outcome, step by step; those of one trial among the others."""
    column = column_of(snapshot, column)
    goal = snapshot.goal(column)
    found: dict[int, Points] = {}
    for each, curve in snapshot.curves.items():
        steps, values = curve.of(goal.name)
        if len(steps):
            found[each] = steps, values
    reporting = [trial for trial in snapshot.trials if trial.number in found]
    shown = _shown(snapshot, reporting, goal, number)
    return {
        **described_outcome(snapshot, column),
        "lines": [_line(trial, goal.name, *found[trial.number]) for trial in shown],
        "chosen": sorted(_best(snapshot)) if number is None else [number],
        "one": number,
        "remark": _remark(len(shown), len(reporting)),
    }


def _line(trial: Trial, outcome: str, steps: Steps, values: Array) -> JsonObject:
    kept = np.union1d(extremes(values, STEPS_DRAWN), [0, len(values) - 1])
    end = trial.expected_end.get(outcome)
    return {
        "trial": trial.number,
        "state": str(trial.state),
        "steps": steps[kept].tolist(),
        "values": values[kept].tolist(),
        "expected": None if end is None else [end[0], math.sqrt(end[1])],
        "why": first_line(trial.error) if trial.error else "",
    }


def _best(snapshot: Snapshot) -> set[int]:
    best = snapshot.best
    return {t.number for t in snapshot.front} if best is None else {best.number}


def _shown(
    snapshot: Snapshot, reporting: list[Trial], goal: Goal, number: int | None
) -> list[Trial]:
    """The one that is asked about, those that run, the best, and the latest of the others."""
    if len(reporting) <= MOST_CURVES:
        return reporting
    running = [trial.number for trial in reporting if trial.state is TrialState.RUNNING]
    told = [trial for trial in reporting if goal.name in trial.outcomes]
    told.sort(key=lambda trial: -goal.sign * trial.outcomes[goal.name])
    wanted = dict.fromkeys([] if number is None else [number])
    wanted |= dict.fromkeys(running[-MOST_CURVES // 3 :])
    wanted |= dict.fromkeys(trial.number for trial in told[: MOST_CURVES // 3])
    for trial in reversed(reporting):
        if len(wanted) >= MOST_CURVES:
            break
        wanted[trial.number] = None
    return [trial for trial in reporting if trial.number in wanted]


def _remark(shown: int, of: int) -> str:
    if shown >= of:
        return ""
    return f"{shown} of {plural(of, 'curve')} drawn: those that run, the best and the latest"
