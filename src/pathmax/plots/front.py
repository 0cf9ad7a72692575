"""The front: what was reached in two objectives, and what nothing else beats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pathmax.errors import SettingsError
from pathmax.plots.style import BLUE, GREY, RED, Label, legend_below, literal, new_figure, tidy
from pathmax.trials.goals import Goals
from pathmax.trials.standing import front_of, is_feasible, is_told
from pathmax.trials.trial import Trial

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def front(
    trials: Sequence[Trial], goals: Goals, *, label: Label = str, title: str = "Front"
) -> Figure:
    """Every result in the first two objectives; those on the front are joined by a line.

    Results outside the bounds are crosses. With three objectives and more the front is that of all
    of them, seen in the first two.
    """
    if len(goals.objectives) < 2:
        raise SettingsError(
            f"a front needs two objectives, and this study wants {goals.words}; draw the progress"
        )
    across, up = goals.objectives[:2]
    told = [trial for trial in trials if is_told(trial, goals)]
    best = sorted(front_of(told, goals), key=lambda trial: trial.outcomes[across.name])
    groups = [
        ([t for t in told if is_feasible(t, goals) and t not in best], "o", GREY, "result"),
        ([t for t in told if not is_feasible(t, goals)], "x", RED, "outside the bounds"),
    ]
    figure = new_figure(6.4, 4.8)
    axes = figure.subplots()
    for chosen, marker, colour, name in groups:
        if chosen:
            x, y = _points(chosen, across.name, up.name)
            axes.plot(x, y, marker, color=colour, markersize=4, label=name)
    if best:
        x, y = _points(best, across.name, up.name)
        line = "o-" if len(goals.objectives) == 2 else "o"
        axes.plot(x, y, line, color=BLUE, linewidth=1, markersize=6, label="front")
    axes.set(
        xlabel=literal(f"{label(across.name)}, {across.direction}"),
        ylabel=literal(f"{label(up.name)}, {up.direction}"),
        title=literal(title),
    )
    tidy(axes)
    if told:
        legend_below(axes)
    return figure


def _points(trials: Sequence[Trial], across: str, up: str) -> tuple[list[float], list[float]]:
    return [t.outcomes[across] for t in trials], [t.outcomes[up] for t in trials]
