"""How far a study is: what `pathmax show` says of a snapshot."""

from __future__ import annotations

from typing import Any

from pathmax.study import Study
from pathmax.workspace.brief_trials import explained
from pathmax.workspace.views.snapshot import Snapshot


def results_in_order(seen: Snapshot) -> list[float]:
    """The results at the target, in the order of their trials."""
    shown, name = seen.counted if seen.target else seen.complete, seen.goals.first.name
    return [trial.outcomes[name] for trial in shown if name in trial.outcomes]


def overview_json(study: Study, seen: Snapshot) -> dict[str, Any]:
    """The counts, the best trial or the front, and the numbers of all others."""
    best, states = seen.best, ("running", "complete", "failed", "stopped")
    return {
        "study": seen.name,
        "direction": study.direction,
        "objective": seen.layout.objective,
        **{state: len(getattr(seen, state)) for state in states},
        **({} if seen.spent is None else {"spent": seen.spent}),
        **({"target": seen.target, "at_target": len(seen.counted)} if seen.target else {}),
        "best_trial": None if best is None else explained(study, best).to_json(),
        **({} if seen.goals.is_single else {"goals": seen.goals.to_json()}),
        **({"front": [t.number for t in seen.front]} if seen.several else {}),
        **({"warning": seen.warning} if seen.warning else {}),
        **{
            f"{which}_trials": [trial.number for trial in getattr(seen, which)]
            for which in ("running", "failed", "stopped", "left_out")
        },
        **({"untold_trials": [t.number for t in seen.untold]} if seen.untold else {}),
    }
