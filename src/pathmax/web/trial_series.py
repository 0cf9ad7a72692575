"""Columns of trials for charts of other programs, thinned to their outline, and model slices."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from pathmax.errors import TrialError
from pathmax.plots.slices import BAND, allowed
from pathmax.plots.style import MOST_DOTS, scales
from pathmax.trials.best_trials import is_feasible, is_told
from pathmax.trials.goals import Goal, Goals
from pathmax.trials.trial import Trial, TrialState
from pathmax.web.study_cache import StudyCache
from pathmax.workspace.opened_study import Opened
from pathmax.workspace.views.snapshot import Snapshot

LATEST = 100  # trials that are always shown


def series(cache: StudyCache, most: int, present: int | None = None) -> dict[str, Any]:
    """What `GET /api/studies/{name}/series` answers."""
    return cache.made(("series", most), lambda seen: _series(seen, most), present)


def _series(seen: Snapshot, most: int) -> dict[str, Any]:
    ended = [trial for trial in seen.trials if trial.state is not TrialState.RUNNING]
    inside = [trial.number in seen.allowed for trial in ended]
    best = None if seen.several else _best_so_far(seen.goals.first, ended, inside)
    front = [trial.number for trial in seen.front]
    keep = _kept(seen.goals, ended, best, set(front), most)
    shown = [ended[i] for i in keep]
    names, goals = seen.layout.domain.names, seen.goals
    return {
        "total": len(ended),
        "shown": len(shown),
        "revision": seen.revision,
        "number": [trial.number for trial in shown],
        "state": [str(trial.state) for trial in shown],
        "told_at": [trial.told_at for trial in shown],
        "params": {name: [trial.params.get(name) for trial in shown] for name in names},
        "outcomes": {g.name: [t.outcomes.get(g.name) for t in shown] for g in goals},
        "best": None if best is None else [best[i] for i in keep],
        "feasible": [inside[i] for i in keep],
        "fits": [trial.number not in seen.outside for trial in shown],
        "front": front,
    }


def _best_so_far(goal: Goal, ended: Sequence[Trial], inside: Sequence[bool]) -> list[float | None]:
    best, found = None, []
    for trial, counts in zip(ended, inside, strict=True):
        value = trial.outcomes[goal.name] if counts else None
        if value is not None and (best is None or goal.better(value, best)):
            best = value
        found.append(best)
    return found


def _kept(
    goals: Goals,
    ended: Sequence[Trial],
    best: Sequence[float | None] | None,
    front: set[int],
    most: int,
) -> list[int]:
    """Which trials to show: improvements, the front, the latest, and the extremes of stretches."""
    n = len(ended)
    if n <= most:
        return list(range(n))
    keep = {0, *range(max(0, n - min(LATEST, most // 4)), n)}
    if best is not None:
        keep |= {i for i in range(1, n) if best[i] != best[i - 1]}
    keep |= {i for i, trial in enumerate(ended) if trial.number in front}
    stretches = max(1, (most - len(keep)) // (2 * len(goals)))
    edges = np.linspace(0, n, stretches + 1).astype(int)
    for name in goals.names:
        values = np.array([trial.outcomes.get(name, np.nan) for trial in ended])
        for low, high in pairwise(edges.tolist()):
            part = values[low:high]
            if part.size and not np.isnan(part).all():
                keep |= {low + int(np.nanargmin(part)), low + int(np.nanargmax(part))}
    return sorted(keep)


def slices(opened: Opened, outcome: str | None, trial: int | None, steps: int) -> dict[str, Any]:
    """What `GET /api/studies/{name}/slices` answers: lines through one trial, or a pool's rows."""
    study, domain = opened.study, opened.study.space
    goal = study.goals.first if outcome is None else study.goals.named(outcome)
    through = _through(opened, trial)
    listed = []
    pool = domain.sampled(MOST_DOTS)
    for scale in scales(domain, opened.fitting):
        name = scale.name
        if pool is None and name not in through.params:
            continue
        rows = pool or [domain.changed(through.params, name, x) for x in scale.steps(steps)]
        rows = rows if pool else allowed(domain, rows)
        if not rows:
            continue  # no other value is allowed with the settings of this trial
        mean, std = study.predict(rows, goal.name)
        with np.errstate(over="ignore"):  # of huge results: what has no end is null in JSON
            low, high = mean - BAND * std, mean + BAND * std
        listed.append(
            {
                "parameter": name,
                "x": [row[name] for row in rows],
                "mean": mean.tolist(),
                "std": std.tolist(),
                "low": low.tolist(),
                "high": high.tolist(),
            }
        )
    return {
        "outcome": goal.name,
        "through": {"trial": through.number, "params": through.params},
        "rows": bool(pool),
        "slices": listed,
    }


def _through(opened: Opened, number: int | None) -> Trial:
    fitting, goals = opened.fitting, opened.study.goals
    if number is not None:
        found = [trial for trial in fitting if trial.number == number]
        if not found:
            raise TrialError(f"there is no trial {number} in the present space to cut through")
        return found[0]
    usable = [trial for trial in fitting if is_feasible(trial, goals)]
    if not usable:
        usable = [trial for trial in fitting if is_told(trial, goals)]
    if not usable:
        raise TrialError("no trial has a value yet, so there is no model; tell one first")
    goal = goals.first
    return max(usable, key=lambda trial: goal.sign * trial.outcomes[goal.name])
