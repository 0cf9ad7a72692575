"""The data of the charts that need no model: progress, front and parallel coordinates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from pathmax.errors import SettingsError
from pathmax.plots.style import ParameterScale, scales
from pathmax.scalars import Scalar
from pathmax.trials.goals import Goal
from pathmax.trials.trial import Trial
from pathmax.workspace.views.snapshot import Snapshot
from pathmax.workspace.views.thinning import MOST_SCATTERED, evenly, extremes, shown_of
from pathmax.workspace.views.wording import Words

MOST_SENT = 400  # of parallel coordinates: more would only blacken the picture
MOST_STOPPED = 60  # of them, trials that were stopped early

JsonObject = dict[str, Any]


def column_of(snapshot: Snapshot, column: str | None) -> str:
    """The column of results that is meant; the first objective when none is named."""
    if not column:
        return snapshot.objectives[0]
    if column not in snapshot.columns:
        raise SettingsError(f"no outcome {column!r}; this study has {', '.join(snapshot.columns)}")
    return column


def progress(snapshot: Snapshot, column: str | None = None) -> JsonObject:
    """Every result of one outcome in order, and the best so far of those within the bounds."""
    column = column_of(snapshot, column)
    goal = snapshot.goal(column)
    told = [trial for trial in snapshot.complete if goal.name in trial.outcomes]
    values = np.array([trial.outcomes[goal.name] for trial in told], dtype=float)
    shown = extremes(values)
    points = [[told[i].number, float(values[i]), snapshot.kind(told[i])] for i in shown.tolist()]
    return {
        **described_outcome(snapshot, column),
        "points": points,
        "best": _best_so_far(snapshot, goal) if goal.is_objective else [],
        "last": max((trial.number for trial in snapshot.trials), default=0),
        "failed": _thin([trial.number for trial in snapshot.failed]),
        "running": _thin([trial.number for trial in snapshot.running]),
        "stopped": _stopped(snapshot, goal),
        "target": snapshot.target,
        "remark": shown_of(len(points), len(told), "the lowest and highest of each stretch"),
    }


def front(snapshot: Snapshot, across: str | None = None, up: str | None = None) -> JsonObject:
    """Two outcomes against each other: the front, other results, and those outside the bounds."""
    names = list(snapshot.columns)
    across = column_of(snapshot, across)
    others = [name for name in [*snapshot.objectives, *names] if name != across]
    up = column_of(snapshot, up or (others[0] if others else None))
    one, other = snapshot.columns[across], snapshot.columns[up]
    told = [t for t in snapshot.complete if one in t.outcomes and other in t.outcomes]
    best = {trial.number for trial in snapshot.front}
    keep = [i for i, trial in enumerate(told) if trial.number in best]
    shown = evenly(len(told), MOST_SCATTERED, keep).tolist()
    kinds = ["front" if t.number in best else snapshot.kind(t) for t in told]
    points = [[told[i].number, told[i].outcomes[one], told[i].outcomes[other], kinds[i]]
              for i in shown]  # fmt: skip
    return {
        "across": described_outcome(snapshot, across),
        "up": described_outcome(snapshot, up),
        "target": snapshot.target,
        "points": points,
        "line": len(snapshot.objectives) == 2 and {across, up} == set(snapshot.objectives),
        "remark": shown_of(len(points), len(told), "the whole front, and others evenly by number"),
    }


def parallel(snapshot: Snapshot, column: str | None = None) -> JsonObject:
    """Each trial a line through its settings to its result; of many trials the best.

    The latest trials that were stopped early lead to what was expected of their end, if anything.
    """
    column = column_of(snapshot, column)
    goal = snapshot.goal(column)
    told = [trial for trial in snapshot.complete if goal.name in trial.outcomes]
    order = sorted(told, key=lambda trial: -goal.sign * trial.outcomes[goal.name])[:MOST_SENT]
    stopped = [t for t in snapshot.stopped if t.number not in snapshot.outside][-MOST_STOPPED:]
    axes = scales(snapshot.layout.domain, [*order, *stopped]) if order else []
    words = Words(snapshot.layout)
    lines = [
        {
            "trial": trial.number,
            "at": [fraction(scale, trial.params.get(scale.name)) for scale in axes],
            "value": value_of(trial, goal.name),
            "settings": [words.setting(s.name, trial.params.get(s.name)) for s in axes],
            "state": str(trial.state),
        }
        for trial in ([*order, *stopped] if order else [])
    ]
    chosen = {trial.number for trial in snapshot.front}
    if snapshot.best is not None:
        chosen = {snapshot.best.number}
    return {
        **described_outcome(snapshot, column),
        "axes": [axis(scale, words) for scale in axes],
        "lines": lines,
        "chosen": sorted(chosen),
        "remark": shown_of(len(order), len(told), f"the best by {column}"),
    }


def axis(scale: ParameterScale, words: Words) -> JsonObject:
    """The range of a parameter as a chart needs it."""
    choices = scale.choices
    return {
        "name": scale.name,
        "label": words.label(scale.name),
        "low": scale.low,
        "high": scale.high,
        "log": scale.log,
        "whole": scale.whole,
        "choices": None if choices is None else [words.setting(scale.name, c) for c in choices],
    }


def fraction(scale: ParameterScale, value: Scalar) -> float | None:
    """Where a value lies between 0 (low) and 1 (high); None when the trial does not have it."""
    if value is None and (scale.choices is None or None not in scale.choices):
        return None
    if scale.choices is not None and value not in scale.choices:
        return None
    return float(scale.fractions([value])[0])


def value_of(trial: Trial, outcome: str) -> float | None:
    """What came out, or what was expected of a trial that was stopped early; None for neither."""
    if outcome in trial.outcomes:
        return trial.outcomes[outcome]
    end = trial.expected_end.get(outcome)
    return None if end is None else end[0]


def described_outcome(snapshot: Snapshot, column: str) -> JsonObject:
    """What a chart says about the outcome that it shows."""
    goal = snapshot.goal(column)
    low, high = (b if np.isfinite(b) else None for b in (goal.low, goal.high))
    return {
        "outcome": column,
        "label": snapshot.layout.labelled(column),
        "direction": goal.direction,
        "low": low,
        "high": high,
    }


def _best_so_far(snapshot: Snapshot, goal: Goal) -> list[list[float]]:
    """The trials that were better than all before them."""
    steps: list[list[float]] = []
    for trial in snapshot.feasible:
        value = trial.outcomes[goal.name]
        if not steps or goal.better(value, steps[-1][1]):
            steps.append([trial.number, value])
    return steps


def _stopped(snapshot: Snapshot, goal: Goal) -> list[list[float | None]]:
    """Trials that were stopped early: number, and mean and deviation of the end, if expected."""
    found: list[list[float | None]] = []
    for i in evenly(len(snapshot.stopped), MOST_SCATTERED).tolist():
        trial = snapshot.stopped[i]
        mean, variance = trial.expected_end.get(goal.name, (None, None))
        found.append([trial.number, mean, None if variance is None else math.sqrt(variance)])
    return found


def _thin(numbers: Sequence[int]) -> list[int]:
    return [numbers[i] for i in evenly(len(numbers), MOST_SCATTERED).tolist()]


def reasons(trials: Sequence[Trial], most: int = 50) -> list[tuple[str, list[Trial]]]:
    """Why trials failed, the commonest reason first, each with its trials."""
    found: dict[str, list[Trial]] = {}
    for trial in trials:
        text = (trial.error or "no reason given").splitlines()
        found.setdefault(text[0] if text else "no reason given", []).append(trial)
    ordered = sorted(found.items(), key=lambda item: (-len(item[1]), -item[1][-1].number))
    return ordered[:most]
