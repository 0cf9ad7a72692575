"""The front: what was reached in each pair of objectives, and what nothing else beats.

What lies behind the front, worse than a result in both objectives, is shaded. Results outside the
bounds are crosses, and where an objective itself has a bound, what is beyond it is hatched.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pathmax.errors import SettingsError
from pathmax.plots import interactive_outcomes
from pathmax.plots.backend import is_interactive
from pathmax.plots.outcome_trials import NONE_WITHIN, told_of
from pathmax.plots.style import (
    BLUE,
    GREY,
    ORANGE,
    RED,
    Label,
    legend_below,
    legend_outside,
    literal,
    new_figure,
    tidy,
)
from pathmax.trials.best_trials import front_of, is_feasible, is_told, is_undecided
from pathmax.trials.goals import Goal, Goals
from pathmax.trials.trial import Trial

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FRONTS_PER_ROW = 3
MOST_CROSSED = 4  # objectives, in six pairs: of five and more the first four are drawn


def front(
    trials: Sequence[Trial],
    goals: Goals,
    *,
    label: Label = str,
    title: str = "Front",
    backend: str = "matplotlib",
) -> Any:
    """Every result in every pair of objectives, with the front and what it leaves behind.

    With three objectives and more the front is that of all of them, seen in two at a time, so that
    a point of it may look beaten.
    """
    pairs = list(itertools.combinations(goals.objectives[:MOST_CROSSED], 2))
    if not pairs:
        raise SettingsError(
            f"a front needs two objectives, and this study wants {goals.words}; draw the progress"
        )
    told_of(trials, goals)  # else there is nothing to draw
    if left := [label(goal.name) for goal in goals.objectives[MOST_CROSSED:]]:
        title = f"{title} (without {', '.join(left)}: the first {MOST_CROSSED} objectives)"
    if is_interactive(backend):
        return interactive_outcomes.front(trials, goals, pairs, label, title)
    columns = min(len(pairs), FRONTS_PER_ROW)
    rows = math.ceil(len(pairs) / columns)
    size = (6.4, 4.8) if len(pairs) == 1 else (4.2 * columns, 3.8 * rows + 0.5)
    figure = new_figure(*size)
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes, (across, up) in zip(grid.flat, pairs, strict=True):
        draw_front(axes, trials, goals, across, up, label)
    if len(pairs) == 1:
        grid.flat[0].set_title(literal(title))
        if grid.flat[0].get_legend_handles_labels()[1]:
            legend_below(grid.flat[0])
        return figure
    figure.suptitle(literal(title), fontsize="large")
    legend_outside(figure, grid.flat[0])
    return figure


def draw_front(
    axes: Axes, trials: Sequence[Trial], goals: Goals, across: Goal, up: Goal, label: Label = str
) -> None:
    """One pair of objectives."""
    told = [trial for trial in trials if is_told(trial, goals)]
    best = sorted(front_of(told, goals), key=lambda trial: trial.outcomes[across.name])
    numbers = {trial.number for trial in best}
    inside = [t for t in told if is_feasible(t, goals)]
    undecided = [t for t in told if is_undecided(t, goals)]
    outside = [t for t in told if not is_feasible(t, goals) and t not in undecided]
    groups = [
        ([t for t in inside if t.number not in numbers], "o", GREY, "result"),
        (undecided, "1", GREY, "a bound still to be measured"),
        (outside, "x", RED, "outside the bounds"),
        (best, "o", BLUE, "front"),
    ]
    for chosen, marker, colour, name in groups:
        if chosen:
            x, y = _points(chosen, across.name, up.name)
            size = 6 if chosen is best else 8 if chosen is undecided else 4
            axes.plot(x, y, marker, color=colour, markersize=size, label=name, zorder=3)
    if across.reference is not None and up.reference is not None:
        axes.plot(across.reference, up.reference, "P", color=ORANGE, label="reference", zorder=3)
    low, high = axes.get_xlim(), axes.get_ylim()
    if inside:
        only = len(goals.objectives) == 2
        name = "behind the front" if only else "beaten in these two objectives"
        _shade(axes, inside, across, up, low, high, name)
    else:
        note = axes.text(0.5, 0.97, NONE_WITHIN, transform=axes.transAxes, ha="center", va="top")
        note.set(color=RED, zorder=4)
    _hatch_bounds(axes, across, up)
    axes.set(
        xlim=low,
        ylim=high,
        xlabel=literal(f"{label(across.name)}, {across.direction}"),
        ylabel=literal(f"{label(up.name)}, {up.direction}"),
    )
    tidy(axes)


def _shade(
    axes: Axes,
    trials: Sequence[Trial],
    across: Goal,
    up: Goal,
    xlim: tuple[float, float],
    ylim: tuple[float, float],
    name: str,
) -> None:
    """What a result is better than in both objectives, up to the edges of the picture."""
    x, y = (across.sign * np.array([t.outcomes[across.name] for t in trials]),
            up.sign * np.array([t.outcomes[up.name] for t in trials]))  # fmt: skip
    order = np.argsort(x)
    x, y = x[order], np.maximum.accumulate(y[order][::-1])[::-1]  # the best at least as far across
    worst_x = min(across.sign * end for end in xlim)
    worst_y = min(up.sign * end for end in ylim)
    corners = np.repeat(np.append(worst_x, x), 2)[1:-1]  # a staircase down to the right
    heights = np.repeat(y, 2)
    axes.fill_between(
        across.sign * corners, up.sign * worst_y, up.sign * heights,
        color=BLUE, alpha=0.10, linewidth=0, label=name, zorder=1,
    )  # fmt: skip


def _hatch_bounds(axes: Axes, across: Goal, up: Goal) -> None:
    """What is beyond a bound of an objective itself."""
    for goal, span, ends in (
        (across, axes.axvspan, axes.get_xlim()),
        (up, axes.axhspan, axes.get_ylim()),
    ):
        low, high = ends
        for start, end in ((low, goal.low), (goal.high, high)):
            if math.isfinite(start) and math.isfinite(end) and start < end:
                span(start, end, facecolor="none", edgecolor=RED, alpha=0.3, hatch="//", lw=0)


def _points(trials: Sequence[Trial], across: str, up: str) -> tuple[list[float], list[float]]:
    return [t.outcomes[across] for t in trials], [t.outcomes[up] for t in trials]
