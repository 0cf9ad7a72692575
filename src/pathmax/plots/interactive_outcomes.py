"""Interactive figures of outcomes: plotly's side of `outcome_figures` and `front`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pathmax.plots.backend import dots, dress, line, panels, plain_text, plotly
from pathmax.plots.best_so_far import progress_marks
from pathmax.plots.interactive import words
from pathmax.plots.interactive_model import dimension, dress_slice, slice_traces
from pathmax.plots.outcome_trials import NONE_WITHIN, OutcomeView, best_numbers, result_of
from pathmax.plots.slices import Predict
from pathmax.plots.style import BLUE, GREY, ORANGE, RED, Label
from pathmax.trials.best_trials import front_of, is_feasible, is_told, is_undecided
from pathmax.trials.goals import Goal, Goals
from pathmax.trials.trial import Trial, TrialState

BOUND = {"color": RED, "width": 1}
MARKERS: dict[str, tuple[str, dict[str, Any]]] = {
    "lower": (GREY, {"symbol": "circle-open", "size": 6}),
    "result": (GREY, {}),
    "waiting": (GREY, {"symbol": "y-down-open"}),
    "outside": (RED, {"symbol": "x"}),
    "front": (BLUE, {"size": 9}),
    "star": (ORANGE, {"symbol": "star", "size": 14}),
}
ROWS_APART = 0.15  # of the height, between rows
ACROSS = 3  # panels of a front beside each other


def front(
    trials: Sequence[Trial],
    goals: Goals,
    pairs: Sequence[tuple[Goal, Goal]],
    label: Label,
    title: str,
) -> Any:
    """A panel for each pair of objectives; with two objectives steps join the front."""
    told = [trial for trial in trials if is_told(trial, goals)]
    best = front_of(told, goals)
    numbers = {trial.number for trial in best}
    inside = [t for t in told if is_feasible(t, goals) and t.number not in numbers]
    undecided = [t for t in told if is_undecided(t, goals)]
    outside = [t for t in told if not is_feasible(t, goals) and t not in undecided]
    columns = min(len(pairs), ACROSS)
    rows = math.ceil(len(pairs) / columns)
    figure = panels(rows, columns)
    for place, (across, up) in enumerate(pairs):
        at = {"row": place // columns + 1, "col": place % columns + 1}
        joined = sorted(best, key=lambda trial: trial.outcomes[across.name])
        for chosen, name, colour, symbol in (
            (inside, "result", GREY, "circle"),
            (undecided, "a bound still to be measured", GREY, "y-down-open"),
            (outside, "outside the bounds", RED, "x"),
            (joined, "front", BLUE, "circle"),
        ):
            if not chosen:
                continue
            x, y = ([t.outcomes[goal.name] for t in chosen] for goal in (across, up))
            trace = dots(x, y, name, colour, marker={"symbol": symbol}, text=words(chosen))
            if name == "front" and len(pairs) == 1:
                trace.mode = "lines+markers"  # in steps: what a result beats in both
                trace.line = {"shape": "vh" if across.sign > 0 else "hv"}
            trace.showlegend = place == 0
            figure.add_trace(trace, **at)
        for goal, update in ((across, figure.update_xaxes), (up, figure.update_yaxes)):
            update(title=plain_text(f"{label(goal.name)}, {goal.direction}"), **at)
    if not best:
        title = f"{title}: {NONE_WITHIN}"
    return dress(figure, title, height=120 + 300 * rows)


def outcome_progress(
    trials: Sequence[Trial],
    goals: Goals,
    names: Mapping[Goal, str],
    title: str,
    lower: Sequence[Trial],
) -> Any:
    """Every result of each objective in order; with one objective the best so far."""
    spacing = ROWS_APART / len(names)
    figure = panels(len(names), 1, shared_xaxes=True, vertical_spacing=spacing)
    named = set()
    for row, (goal, name) in enumerate(names.items(), start=1):
        for trace in _results(trials, goals, goal, lower):
            trace.showlegend = trace.name not in named
            named.add(trace.name)
            figure.add_trace(trace, row=row, col=1)
        _add_bounds(figure, goal, row, 1)
        figure.update_yaxes(title=plain_text(name), row=row, col=1)
    figure.update_xaxes(title="trial", row=len(names), col=1)
    return dress(figure, title, height=140 + 260 * len(names))


def _results(
    trials: Sequence[Trial], goals: Goals, goal: Goal, lower: Sequence[Trial]
) -> list[Any]:
    found = []
    for each in progress_marks(trials, goals, goal, lower):
        if each.kind == "best":
            steps = {"shape": "hv"}
            found.append(line(each.numbers, each.values, each.name, BLUE, line=steps))
        else:
            colour, marker = MARKERS[each.kind]
            text = words(each.trials)
            found.append(
                dots(each.numbers, each.values, each.name, colour, marker=marker, text=text)
            )
    failed = [trial for trial in trials if trial.state is TrialState.FAILED]
    if failed:
        told = (trial.outcomes[goal.name] for trial in trials if goal.name in trial.outcomes)
        at, level = [trial.number for trial in failed], min(told, default=0.0)
        marker = {"symbol": "x" if goals.is_single else "x-thin-open"}
        found.append(dots(at, [level] * len(at), "failed", RED, marker=marker, text=words(failed)))
    return found


def outcome_slices(view: OutcomeView, predict: Callable[[str], Predict]) -> Any:
    """What is expected of each outcome along each parameter: a row for each, with its bounds."""
    single, (centre, through), (rows, columns) = view.goals.is_single, view.through, view.grid
    spacing = {} if single else {"vertical_spacing": ROWS_APART / rows}
    shared: Any = {"shared_yaxes": True if single else "rows", "shared_xaxes": not single}
    figure = panels(rows, columns, **shared, **spacing)
    cells = [(goal, scale) for goal in view.shown for scale in view.cut]
    for i, (goal, scale) in enumerate(cells):
        at = {"row": i // columns + 1, "col": i % columns + 1}
        have = view.measured(goal)
        for trace in slice_traces(
            view.domain, scale, have, centre, predict(goal.name), result_of(goal), through
        ):
            trace.showlegend = i == 0 and trace.name is not None
            figure.add_trace(trace, **at)
        named = single or goal is view.shown[-1]
        dress_slice(figure, scale, view.label(scale.name) if named else "", **at)
        _add_bounds(figure, goal, at["row"], at["col"])
        if at["col"] == 1:
            figure.update_yaxes(title=plain_text(view.name(goal)), **at)
    return dress(figure, view.heading, height=130 + 260 * rows)


def _add_bounds(figure: Any, goal: Goal, row: int, column: int) -> None:
    for bound in (goal.low, goal.high):
        if math.isfinite(bound):
            figure.add_hline(bound, line=BOUND, row=row, col=column)


def outcome_parallel(view: OutcomeView) -> Any:
    """Each trial as a line through its settings to its results; ranges can be chosen by mouse."""
    goals, best = view.goals, best_numbers(view.told, view.goals)
    whole = [t for t in view.told if all(goal.name in t.outcomes for goal in view.shown)]
    columns = [dimension(scale, whole, view.label) for scale in view.scales]
    columns += [
        {"label": plain_text(view.name(goal)), "values": [t.outcomes[goal.name] for t in whole]}
        for goal in view.shown
    ]
    lines: dict[str, Any] = {"showscale": True}
    if goals.is_single:
        lines |= {"color": columns[-1]["values"], "colorscale": "Cividis"}
    else:
        rank = [2 if t.number in best else int(is_feasible(t, goals)) for t in whole]
        words_of = {0: "outside the bounds", 1: "within", 2: "front or best"}
        steps = [[0, RED], [1 / 3, RED], [1 / 3, GREY], [2 / 3, GREY], [2 / 3, BLUE], [1, BLUE]]
        lines |= {
            "color": rank, "cmin": -0.5, "cmax": 2.5, "colorscale": steps,
            "colorbar": {"tickvals": list(words_of), "ticktext": list(words_of.values())},
        }  # fmt: skip
    figure = plotly().Figure(plotly().Parcoords(line=lines, dimensions=columns))
    return dress(figure, "Settings and results", top=110)
