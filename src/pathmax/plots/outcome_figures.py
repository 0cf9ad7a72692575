"""Figures of several outcomes: slices of each, progress within the bounds, settings and results."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pathmax.plots import interactive_outcomes
from pathmax.plots.backend import is_interactive
from pathmax.plots.front import draw_front
from pathmax.plots.outcome_trials import (
    best_numbers,
    measured_goals,
    running_best,
    standing_for,
    told_of,
)
from pathmax.plots.parallel_coordinates import draw_stations, positions_of
from pathmax.plots.slices import Predict, draw_slice, has
from pathmax.plots.style import (
    BLUE,
    GREY,
    ORANGE,
    RED,
    Label,
    ParameterScale,
    legend_below,
    literal,
    new_figure,
    scales,
    tidy,
)
from pathmax.space.any_space import AnySpace
from pathmax.trials.best_trials import front_of, is_feasible
from pathmax.trials.goals import Goal, Goals
from pathmax.trials.trial import Trial, TrialState

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
    backend: str = "matplotlib",
) -> Any:
    """What is expected of each outcome along each parameter: a row for each, with its bounds."""
    told = told_of(trials, goals)
    through, shown = standing_for(told, goals), measured_goals(told, goals)
    found = [scale for scale in scales(domain, told) if has(domain, through[0], scale)]
    if is_interactive(backend):
        return interactive_outcomes.outcome_slices(
            domain, found, told, shown, through, predict, label
        )
    figure = new_figure(2.9 * len(found) + 0.8, 2.4 * len(shown) + 0.8)
    draw_outcome_slices(figure, domain, told, goals, predict, label)
    return figure


def outcome_overview(
    domain: AnySpace,
    trials: Sequence[Trial],
    goals: Goals,
    predict: PredictOutcome,
    *,
    name: str,
    label: Label = str,
) -> Figure:
    """The front (or the progress), settings and results, and slices of each outcome on a page."""
    told = told_of(trials, goals)
    rows = len(measured_goals(told, goals))
    figure = new_figure(13.0, 4.8 + 2.4 * rows)
    figure.suptitle(literal(f"{name}: {goals.words}"), fontsize="x-large")
    top, bottom = figure.subfigures(2, 1, squeeze=False, height_ratios=[4.4, 2.4 * rows])[:, 0]
    left, right = top.subplots(1, 2)
    if len(goals.objectives) > 1:
        draw_front(left, trials, goals, goals.objectives[0], goals.objectives[1], label)
        left.set_title("Front")
        legend_below(left)
    else:
        draw_outcome_progress(left, trials, goals, label, "Progress")
    draw_outcomes_parallel(right, scales(domain, told), told, goals, label)
    draw_outcome_slices(bottom, domain, told, goals, predict, label)
    return figure


def outcome_progress(
    trials: Sequence[Trial],
    goals: Goals,
    *,
    label: Label = str,
    title: str = "Progress",
    backend: str = "matplotlib",
) -> Any:
    """Every result of each objective in order; with one objective the best within the bounds."""
    if is_interactive(backend):
        return interactive_outcomes.outcome_progress(trials, goals, label, title)
    figure = new_figure(6.4, 1.4 + 2.6 * len(goals.objectives))
    grid = figure.subplots(len(goals.objectives), 1, squeeze=False, sharex=True)[:, 0]
    for axes, goal in zip(grid, goals.objectives, strict=True):
        last = axes is grid[-1]
        draw_outcome_progress(axes, trials, goals, label, title, goal, legend=last)
        title = ""
    return figure


def outcome_parallel(
    domain: AnySpace,
    trials: Sequence[Trial],
    goals: Goals,
    *,
    label: Label = str,
    backend: str = "matplotlib",
) -> Any:
    """Each trial as a line through its settings to its results."""
    told = told_of(trials, goals)
    if is_interactive(backend):
        found, shown = scales(domain, told), measured_goals(told, goals)
        best = best_numbers(told, goals)
        return interactive_outcomes.outcome_parallel(found, told, shown, goals, best, label)
    figure = new_figure(1.5 * (domain.dimension + len(goals)) + 1.5, 4.2)
    draw_outcomes_parallel(figure.subplots(), scales(domain, told), told, goals, label)
    return figure


def draw_outcome_slices(
    figure: Figure | SubFigure,
    domain: AnySpace,
    told: Sequence[Trial],
    goals: Goals,
    predict: PredictOutcome,
    label: Label,
) -> None:
    shown = measured_goals(told, goals)
    through, words = standing_for(told, goals)
    found = [scale for scale in scales(domain, told) if has(domain, through, scale)]
    grid = figure.subplots(len(shown), len(found), sharey="row", sharex="col", squeeze=False)
    for place, (goal, row) in enumerate(zip(shown, grid, strict=True)):
        have = [trial for trial in told if goal.name in trial.outcomes]
        for axes, scale in zip(row, found, strict=True):
            name = label(scale.name) if place == len(shown) - 1 else ""
            of = _value_of(goal)
            draw_slice(
                axes, scale, domain, have, through, predict(goal.name), name, of=of, through=words
            )
        row[0].set_ylim(*view_of(have, goal, row[0].get_ylim()))
        for axes in row:
            draw_bounds(axes, goal)
        row[0].set_ylabel(literal(label(goal.name)))
    figure.suptitle("What the models expect along each parameter", fontsize="large")
    handles, names = grid[0][0].get_legend_handles_labels()
    figure.legend(
        handles, names, loc="outside lower center", ncols=4, frameon=False, fontsize="small"
    )


def view_of(told: Sequence[Trial], goal: Goal, drawn: tuple[float, float]) -> tuple[float, float]:
    """What of an outcome is shown: results and bounds, and of a wide band not much more."""
    values = [trial.outcomes[goal.name] for trial in told]
    shown = [*values, *(bound for bound in (goal.low, goal.high) if math.isfinite(bound))]
    margin = 0.5 * (max(shown) - min(shown)) or 1.0
    return max(drawn[0], min(shown) - margin), min(drawn[1], max(shown) + margin)


def _value_of(goal: Goal) -> Callable[[Trial], float]:
    return lambda trial: trial.outcomes.get(goal.name, math.nan)


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


def draw_outcome_progress(
    axes: Axes,
    trials: Sequence[Trial],
    goals: Goals,
    label: Label,
    title: str,
    goal: Goal | None = None,
    *,
    legend: bool = True,
) -> None:
    goal = goals.first if goal is None else goal
    told = [trial for trial in trials if goal.name in trial.outcomes]
    inside = [trial for trial in told if is_feasible(trial, goals)]
    outside = [trial for trial in told if not is_feasible(trial, goals)]
    for chosen, marker, colour, name in (
        (inside, "o", GREY, "result"),
        (outside, "x", RED, "outside the bounds, or not complete"),
    ):
        if chosen:
            values = [trial.outcomes[goal.name] for trial in chosen]
            at = [trial.number for trial in chosen]
            axes.plot(at, values, marker, color=colour, markersize=4, label=name)
    if inside and len(goals.objectives) == 1:
        numbers, best = running_best(inside, goal)
        axes.step(numbers, best, where="post", color=BLUE, linewidth=2, label="best within bounds")
    if len(goals.objectives) > 1:
        front = front_of(inside, goals)
        at, values = [t.number for t in front], [t.outcomes[goal.name] for t in front]
        axes.plot(at, values, "o", color=BLUE, markersize=6, label="front")
    failed = [trial.number for trial in trials if trial.state is TrialState.FAILED]
    if failed:
        bottom = axes.get_xaxis_transform()
        axes.plot(failed, [0.02] * len(failed), "|", color=RED, transform=bottom, label="failed")
    draw_bounds(axes, goal)
    axes.set_ylabel(literal(label(goal.name)))
    axes.set_title(literal(title))
    axes.locator_params(axis="x", integer=True)
    tidy(axes)
    if legend:
        axes.set_xlabel("trial")
        if told or failed:
            legend_below(axes)


def draw_outcomes_parallel(
    axes: Axes, found: Sequence[ParameterScale], told: Sequence[Trial], goals: Goals, label: Label
) -> None:
    """Trials of the front, or the best one, over the others and over those out of bounds."""
    shown = measured_goals(told, goals)
    whole = [t for t in told if all(goal.name in t.outcomes for goal in shown)]
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
        (inside & ~best, GREY, 0.8, "within"),
        (best, BLUE if len(goals.objectives) > 1 else ORANGE, 1.6, words),
    ):
        for i, row in enumerate(lines[mask]):
            axes.plot(
                stations, row, color=colour, linewidth=width, alpha=0.8, label="" if i else name
            )
    names = [*(label(scale.name) for scale in found), *(label(goal.name) for goal in shown)]
    draw_stations(axes, [*found, *results], names)
