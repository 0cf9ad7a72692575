"""Interactive figures of several outcomes: plotly's side of `outcome_figures` and `front`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pathmax.plots.backend import GREY, dots, dress, line, panels, plain_text, plotly
from pathmax.plots.interactive import words
from pathmax.plots.interactive_model import dimension, dress_slice, slice_traces
from pathmax.plots.slices import Predict
from pathmax.plots.style import BLUE, RED, Label, ParameterScale
from pathmax.space.any_space import AnySpace
from pathmax.trials.best_trials import front_of, is_feasible, is_told
from pathmax.trials.goals import Goal, Goals
from pathmax.trials.trial import Trial, TrialState

BOUND = {"color": RED, "width": 1}
ROWS_APART = 0.15  # of the height, between rows
ACROSS = 3  # panels of a front beside each other


def front(
    trials: Sequence[Trial],
    goals: Goals,
    pairs: Sequence[tuple[Goal, Goal]],
    label: Label,
    title: str,
) -> Any:
    """A panel for each pair of objectives; with two objectives a line joins the front."""
    told = [trial for trial in trials if is_told(trial, goals)]
    best = front_of(told, goals)
    numbers = {trial.number for trial in best}
    inside = [t for t in told if is_feasible(t, goals) and t.number not in numbers]
    outside = [t for t in told if not is_feasible(t, goals)]
    columns = min(len(pairs), ACROSS)
    rows = math.ceil(len(pairs) / columns)
    figure = panels(rows, columns)
    for place, (across, up) in enumerate(pairs):
        at = {"row": place // columns + 1, "col": place % columns + 1}
        joined = sorted(best, key=lambda trial: trial.outcomes[across.name])
        for chosen, name, colour, symbol in (
            (inside, "result", GREY, "circle"),
            (outside, "outside the bounds", RED, "x"),
            (joined, "front", BLUE, "circle"),
        ):
            if not chosen:
                continue
            x, y = ([t.outcomes[goal.name] for t in chosen] for goal in (across, up))
            trace = dots(x, y, name, colour, marker={"symbol": symbol}, text=words(chosen))
            if name == "front" and len(pairs) == 1:
                trace.mode = "lines+markers"
            trace.showlegend = place == 0
            figure.add_trace(trace, **at)
        for goal, update in ((across, figure.update_xaxes), (up, figure.update_yaxes)):
            update(title=plain_text(f"{label(goal.name)}, {goal.direction}"), **at)
    return dress(figure, title, height=120 + 300 * rows)


def outcome_progress(trials: Sequence[Trial], goals: Goals, label: Label, title: str) -> Any:
    """Every result of each objective in order; with one objective the best within the bounds."""
    figure = panels(
        len(goals.objectives),
        1,
        shared_xaxes=True,
        vertical_spacing=ROWS_APART / len(goals.objectives),
    )
    for row, goal in enumerate(goals.objectives, start=1):
        for trace in _results(trials, goals, goal):
            trace.showlegend = row == 1
            figure.add_trace(trace, row=row, col=1)
        _add_bounds(figure, goal, row, 1)
        figure.update_yaxes(title=plain_text(label(goal.name)), row=row, col=1)
    figure.update_xaxes(title="trial", row=len(goals.objectives), col=1)
    return dress(figure, title, height=140 + 260 * len(goals.objectives))


def _results(trials: Sequence[Trial], goals: Goals, goal: Goal) -> list[Any]:
    told = [trial for trial in trials if goal.name in trial.outcomes]
    inside = [trial for trial in told if is_feasible(trial, goals)]
    outside = [trial for trial in told if not is_feasible(trial, goals)]
    values = np.array([trial.outcomes[goal.name] for trial in inside])
    found = []
    if inside:
        at = [trial.number for trial in inside]
        found.append(dots(at, values, "result", GREY, text=words(inside)))
    if outside:
        across, up = [t.number for t in outside], [t.outcomes[goal.name] for t in outside]
        name = "outside the bounds, or not complete"
        found.append(dots(across, up, name, RED, marker={"symbol": "x"}, text=words(outside)))
    if inside and len(goals.objectives) == 1:
        best = goal.sign * np.maximum.accumulate(goal.sign * values)
        found.append(line(at, best, "best within bounds", BLUE, line={"shape": "hv"}))
    elif inside:
        top = front_of(inside, goals)
        across, up = [t.number for t in top], [t.outcomes[goal.name] for t in top]
        found.append(dots(across, up, "front", BLUE, marker={"size": 9}, text=words(top)))
    failed = [trial for trial in trials if trial.state is TrialState.FAILED]
    if failed:
        level = min((trial.outcomes[goal.name] for trial in told), default=0.0)
        at, marker = [trial.number for trial in failed], {"symbol": "x-thin-open"}
        found.append(dots(at, [level] * len(at), "failed", RED, marker=marker, text=words(failed)))
    return found


def outcome_slices(
    domain: AnySpace,
    found: Sequence[ParameterScale],
    told: Sequence[Trial],
    shown: Sequence[Goal],
    through: tuple[Trial, str],
    predict: Callable[[str], Predict],
    label: Label,
) -> Any:
    """What is expected of each outcome along each parameter: a row for each, with its bounds."""
    figure = panels(
        len(shown), len(found), shared_xaxes="columns", shared_yaxes="rows",
        vertical_spacing=ROWS_APART / len(shown),
    )  # fmt: skip
    centre, name = through
    for row, goal in enumerate(shown, start=1):
        have = [trial for trial in told if goal.name in trial.outcomes]
        for column, scale in enumerate(found, start=1):
            at = {"row": row, "col": column}
            traces = slice_traces(
                domain, scale, have, centre, predict(goal.name), _value_of(goal), name
            )
            for trace in traces:
                trace.showlegend = row == column == 1 and trace.name is not None
                figure.add_trace(trace, **at)
            dress_slice(figure, scale, label(scale.name) if row == len(shown) else "", **at)
            _add_bounds(figure, goal, row, column)
        figure.update_yaxes(title=plain_text(label(goal.name)), row=row, col=1)
    title = "What the models expect along each parameter"
    return dress(figure, title, height=140 + 240 * len(shown))


def _value_of(goal: Goal) -> Callable[[Trial], float]:
    return lambda trial: trial.outcomes.get(goal.name, math.nan)


def _add_bounds(figure: Any, goal: Goal, row: int, column: int) -> None:
    for bound in (goal.low, goal.high):
        if math.isfinite(bound):
            figure.add_hline(bound, line=BOUND, row=row, col=column)


def outcome_parallel(
    found: Sequence[ParameterScale],
    told: Sequence[Trial],
    shown: Sequence[Goal],
    goals: Goals,
    best: set[int],
    label: Label,
) -> Any:
    """Each trial as a line through its settings to its results; ranges can be chosen by mouse."""
    whole = [t for t in told if all(goal.name in t.outcomes for goal in shown)]
    columns = [dimension(scale, whole, label) for scale in found]
    columns += [
        {"label": plain_text(label(g.name)), "values": [t.outcomes[g.name] for t in whole]}
        for g in shown
    ]
    rank = [2 if t.number in best else int(is_feasible(t, goals)) for t in whole]
    words_of = {0: "outside the bounds", 1: "within", 2: "front or best"}
    steps = [[0, RED], [1 / 3, RED], [1 / 3, GREY], [2 / 3, GREY], [2 / 3, BLUE], [1, BLUE]]
    lines = {
        "color": rank, "cmin": -0.5, "cmax": 2.5, "colorscale": steps, "showscale": True,
        "colorbar": {"tickvals": list(words_of), "ticktext": list(words_of.values())},
    }  # fmt: skip
    figure = plotly().Figure(plotly().Parcoords(line=lines, dimensions=columns))
    return dress(figure, "Settings and results", top=110)
