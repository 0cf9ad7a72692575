"""Figures of one outcome or of several: slices, progress, settings and results, all on a page."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pathmax.plots import interactive_outcomes
from pathmax.plots.backend import is_interactive
from pathmax.plots.best_so_far import draw_bounds, draw_progress
from pathmax.plots.front import draw_front
from pathmax.plots.outcome_trials import (
    OutcomeView,
    best_numbers,
    result_of,
)
from pathmax.plots.parallel_coordinates import draw_parallel, draw_stations, positions_of
from pathmax.plots.slices import Predict, draw_slice
from pathmax.plots.style import (
    BLUE,
    GREY,
    ORANGE,
    RED,
    Label,
    ParameterScale,
    legend_below,
    legend_outside,
    literal,
    new_figure,
)
from pathmax.space.any_space import AnySpace
from pathmax.trials.best_trials import is_feasible
from pathmax.trials.goals import Goal, Goals
from pathmax.trials.trial import Trial

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

PredictOutcome = Callable[[str], Predict]


def outcome_slices(
    domain: AnySpace,
    trials: Sequence[Trial],
    goals: Goals,
    predict: PredictOutcome,
    *,
    label: Label = str,
    objective: str = "",
    backend: str = "matplotlib",
) -> Any:
    """What is expected of each outcome along each parameter: a row for each, with its bounds."""
    view = OutcomeView(domain, trials, goals, label, objective)
    if is_interactive(backend):
        return interactive_outcomes.outcome_slices(view, predict)
    (rows, columns), (width, height) = view.grid, _panel(goals)
    figure = new_figure(width * columns + 0.7, height * rows + 0.7)
    draw_outcome_slices(figure, view, predict)
    return figure


def _panel(goals: Goals) -> tuple[float, float]:
    """Width and height of a slice, in inches."""
    return (3.2, 3.0) if goals.is_single else (2.9, 2.4)


def outcome_overview(
    domain: AnySpace,
    trials: Sequence[Trial],
    goals: Goals,
    predict: PredictOutcome,
    *,
    name: str,
    label: Label = str,
    objective: str = "",
    lower: Sequence[Trial] = (),
) -> Figure:
    """The front (or the progress), settings and results, and slices of each outcome on a page."""
    view = OutcomeView(domain, trials, goals, label, objective)
    height, first = _panel(goals)[1] * view.grid[0], goals.first
    figure = new_figure(13.0, 4.6 + height)
    words = f"{first.direction} {view.name(first)}" if goals.is_single else goals.words
    figure.suptitle(literal(f"{name}: {words}"), fontsize="x-large")
    top, bottom = figure.subfigures(2, 1, squeeze=False, height_ratios=[4.3, height])[:, 0]
    left, right = top.subplots(1, 2)
    if len(goals.objectives) > 1:
        draw_front(left, trials, goals, goals.objectives[0], goals.objectives[1], label)
        left.set_title("Front")
        legend_below(left)
    else:
        draw_progress(left, trials, goals, first, view.name(first), lower=lower)
        left.set_title("Progress")
    (draw_parallel if goals.is_single else draw_outcomes_parallel)(right, view)
    draw_outcome_slices(bottom, view, predict)
    return figure


def outcome_progress(
    trials: Sequence[Trial],
    goals: Goals,
    *,
    label: Label = str,
    objective: str = "",
    title: str = "Progress",
    backend: str = "matplotlib",
    lower: Sequence[Trial] = (),
) -> Any:
    """Every result of each objective in order; with one objective the best so far.

    Those of `lower` fidelity are shown beside them.
    """
    names = {goal: objective or label(goal.name) for goal in goals.objectives}
    if is_interactive(backend):
        return interactive_outcomes.outcome_progress(trials, goals, names, title, lower)
    figure = new_figure(6.4, 1.4 + 2.6 * len(names))
    grid = figure.subplots(len(names), 1, squeeze=False, sharex=True)[:, 0]
    for axes, (goal, name) in zip(grid, names.items(), strict=True):
        draw_progress(axes, trials, goals, goal, name, lower=lower, last=axes is grid[-1])
    grid[0].set_title(literal(title))
    return figure


def outcome_parallel(
    domain: AnySpace,
    trials: Sequence[Trial],
    goals: Goals,
    *,
    label: Label = str,
    objective: str = "",
    backend: str = "matplotlib",
) -> Any:
    """Each trial as a line through its settings to its results."""
    view = OutcomeView(domain, trials, goals, label, objective)
    if is_interactive(backend):
        return interactive_outcomes.outcome_parallel(view)
    figure = new_figure(1.5 * (domain.dimension + len(goals)) + 1.5, 4.2)
    draw = draw_parallel if goals.is_single else draw_outcomes_parallel
    draw(figure.subplots(), view)
    return figure


def draw_outcome_slices(
    figure: Figure | SubFigure, view: OutcomeView, predict: PredictOutcome
) -> None:
    """A panel for each parameter: of one outcome in rows of four, of several a row for each."""
    single, (centre, words) = view.goals.is_single, view.through
    sharing: Any = {"sharey": True} if single else {"sharey": "row", "sharex": "col"}
    grid = figure.subplots(*view.grid, squeeze=False, **sharing)
    cells = [(goal, scale) for goal in view.shown for scale in view.cut]
    for axes, (goal, scale) in zip(grid.flat, cells, strict=False):
        have = view.measured(goal)
        name = view.label(scale.name) if single or goal is view.shown[-1] else ""
        model, of = predict(goal.name), result_of(goal)
        draw_slice(axes, scale, view.domain, have, centre, model, name, of=of, through=words)
        if scale is view.cut[-1] and not single:
            axes.set_ylim(*view_of(have, goal, axes.get_ylim()))
    for axes in grid.flat[len(cells) :]:
        axes.remove()
    for row, goal in zip(grid, view.shown * len(grid), strict=False):
        for axes in row if goal.is_constraint else ():
            draw_bounds(axes, goal)
        row[0].set_ylabel(literal(view.name(goal)))
    figure.suptitle(view.heading, fontsize="large")
    legend_outside(figure, grid.flat[0], 3 if single else 4)


def view_of(told: Sequence[Trial], goal: Goal, drawn: tuple[float, float]) -> tuple[float, float]:
    """What of an outcome is shown: results and bounds, and of a wide band not much more."""
    values = [trial.outcomes[goal.name] for trial in told]
    shown = [*values, *(bound for bound in (goal.low, goal.high) if math.isfinite(bound))]
    margin = 0.5 * (max(shown) - min(shown)) or 1.0
    return max(drawn[0], min(shown) - margin), min(drawn[1], max(shown) + margin)


def draw_outcomes_parallel(axes: Axes, view: OutcomeView) -> None:
    """Trials of the front, or the best one, over the others and over those out of bounds."""
    found, shown, goals = view.scales, view.shown, view.goals
    whole = [t for t in view.told if all(goal.name in t.outcomes for goal in shown)]
    columns = [positions_of(scale, whole) for scale in found]
    results = []
    for goal in shown:
        values = [t.outcomes[goal.name] for t in whole]
        results.append(
            ParameterScale(goal.name, min(values, default=0.0), max(values, default=1.0))
        )
        columns.append(results[-1].fractions(values))
    lines = np.column_stack(columns)  # (n, d + outcomes)
    front = best_numbers(whole, goals)
    words = "front" if len(goals.objectives) > 1 else "best within bounds"
    inside = np.array([is_feasible(t, goals) for t in whole], dtype=bool)
    best = np.array([t.number in front for t in whole], dtype=bool)
    stations = np.arange(lines.shape[1])
    for mask, colour, width, name in (
        (~inside, RED, 0.7, "outside the bounds"),
        (inside & ~best, GREY, 0.8, "within the bounds" if goals.constraints else "result"),
        (best, BLUE if len(goals.objectives) > 1 else ORANGE, 1.6, words),
    ):
        for i, row in enumerate(lines[mask]):
            axes.plot(
                stations, row, color=colour, linewidth=width, alpha=0.8, label="" if i else name
            )
    names = [*(view.label(scale.name) for scale in found), *map(view.name, shown)]
    draw_stations(axes, [*found, *results], names)
