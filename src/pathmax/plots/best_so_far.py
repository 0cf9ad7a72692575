"""Every result in order, and the best so far: what is marked, and how matplotlib draws it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pathmax.plots.style import BLUE, GREY, ORANGE, RED, legend_below, literal, tidy
from pathmax.trials.best_trials import breaks_a_bound, front_of, is_feasible
from pathmax.trials.goals import Goal, Goals
from pathmax.trials.trial import Trial, TrialState

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Marks(NamedTuple):
    """Some trials with what each came to, and what the legend says of them."""

    kind: str
    name: str
    trials: Sequence[Trial]
    values: Sequence[float]

    @property
    def numbers(self) -> list[int]:
        return [trial.number for trial in self.trials]


MARK_STYLES: dict[str, dict[str, Any]] = {
    "lower": {"marker": "o", "color": GREY, "markersize": 3, "markerfacecolor": "none"},
    "result": {"marker": "o", "color": GREY, "markersize": 4},
    "waiting": {"marker": "1", "color": GREY, "markersize": 8},
    "outside": {"marker": "x", "color": RED, "markersize": 4},
    "front": {"marker": "o", "color": BLUE, "markersize": 6},
    "star": {"marker": "*", "color": ORANGE, "markersize": 13},
}


def progress_marks(
    trials: Sequence[Trial], goals: Goals, goal: Goal, lower: Sequence[Trial] = ()
) -> list[Marks]:
    """What came out for a goal; `lower` are trials of lower fidelity, not compared with others."""

    def marks(kind: str, name: str, chosen: Sequence[Trial]) -> Marks:
        return Marks(kind, name, chosen, [trial.outcomes[goal.name] for trial in chosen])

    told = [trial for trial in trials if goal.name in trial.outcomes]
    inside = [trial for trial in told if is_feasible(trial, goals)]
    broken = [trial for trial in told if breaks_a_bound(trial, goals)]
    waiting = [t for t in told if not (is_feasible(t, goals) or breaks_a_bound(t, goals))]
    several = len(goals.objectives) > 1
    front = front_of(inside, goals) if several else []
    numbers = {trial.number for trial in front}
    others = [trial for trial in inside if trial.number not in numbers]
    cheap = [trial for trial in lower if goal.name in trial.outcomes]
    found = [
        marks("lower", "result of lower fidelity", cheap),
        marks("result", "result", others),
        marks("waiting", "other outcomes still to come", waiting),
        marks("outside", "outside the bounds", broken),
    ]
    if several:
        found.append(marks("front", "front", front))
    elif inside:
        best = goal.best_so_far(trial.outcomes[goal.name] for trial in inside)
        name = "best so far" if goals.is_single else "best within bounds"
        found.append(Marks("best", name, inside, best))
        if goals.is_single:
            first = inside[best.index(best[-1])]
            found.append(marks("star", f"best (trial {first.number})", [first]))
    return [each for each in found if each.trials]


def draw_progress(
    axes: Axes,
    trials: Sequence[Trial],
    goals: Goals,
    goal: Goal,
    objective: str,
    *,
    lower: Sequence[Trial] = (),
    last: bool = True,
) -> None:
    """What came out for a goal; the last one of several below each other has the legend."""
    marks = progress_marks(trials, goals, goal, lower)
    for each in marks:
        if each.kind == "best":
            axes.step(
                each.numbers, each.values, where="post", color=BLUE, linewidth=2, label=each.name
            )
        else:
            style = MARK_STYLES[each.kind]
            axes.plot(each.numbers, each.values, linestyle="", label=each.name, **style)
    failed = [trial.number for trial in trials if trial.state is TrialState.FAILED]
    if failed:
        # along the lower edge: a failure has a number but no value
        bottom, mark = axes.get_xaxis_transform(), "x" if goals.is_single else "|"
        axes.plot(failed, [0.02] * len(failed), mark, color=RED, transform=bottom, label="failed")
    draw_bounds(axes, goal)
    axes.set_ylabel(literal(objective))
    axes.locator_params(axis="x", integer=True)
    tidy(axes)
    if last:
        axes.set_xlabel("trial")
        panels = [progress_marks(trials, goals, each, lower) for each in goals.objectives]
        names = {each.kind: each.name for panel in panels for each in panel}
        drawn = {each.kind for each in marks}
        for kind in (kind for kind in names if kind not in drawn):  # only in a panel above
            axes.plot([], [], linestyle="", label=names[kind], **MARK_STYLES[kind])
        if names or failed:
            legend_below(axes)


def draw_bounds(axes: Axes, goal: Goal) -> None:
    """The bounds of an outcome as lines, and what is beyond them in a light red."""
    low, high = axes.get_ylim()
    for bound, far in ((goal.low, low), (goal.high, high)):
        if math.isfinite(bound):
            axes.axhline(bound, color=RED, linewidth=1)
            beyond = sorted((bound, far)) if (far < bound) == (bound == goal.low) else None
            if beyond is not None:
                axes.axhspan(*beyond, color=RED, alpha=0.08, linewidth=0)
    bounds = [bound for bound in (goal.low, goal.high) if math.isfinite(bound)]
    axes.set_ylim(min(low, *bounds, low), max(high, *bounds, high))
