"""Figures of several outcomes show fronts, bounds and what is outside them."""

import math
from pathlib import Path

import numpy as np
import pytest

from pathmax import Categorical, Float, Study, Trial, TrialState, plots
from pathmax.errors import SettingsError, TrialError
from pathmax.plots.outcome_figures import view_of
from pathmax.plots.outcome_trials import NONE_WITHIN, standing_for
from pathmax.trials.best_trials import front_of
from pathmax.trials.stated_goals import read_goals

SPACE = {"x": Float(0, 1), "kind": Categorical(["p", "q"])}


def filled(goals: dict, n: int = 8) -> Study:
    study = Study(SPACE, **goals, seed=0, initial=n)
    for i, trial in enumerate(study.ask(n)):
        x = trial.params["x"]
        values = {"a": x, "b": x * x, "c": x - 0.6, "d": (x - 0.5) ** 2}
        if i == 3 and "c" in study.goals.names:
            values.pop("c")  # still to come
        study.tell(trial, {k: v for k, v in values.items() if k in study.goals.names})
    return study


TWO = {"objectives": {"a": "maximize", "b": "minimize"}, "constraints": {"c": "<= 0"}}
ONE = {"objectives": {"a": "maximize"}, "constraints": {"c": (-0.5, 0)}}
THREE = {"objectives": {"a": "maximize", "b": "minimize", "d": "minimize"}}


@pytest.mark.parametrize("goals", [ONE, TWO, THREE], ids=["one", "two", "three"])
@pytest.mark.parametrize("kind", ["overview", "slices", "progress", "parallel"])
def test_every_kind_is_drawn(kind: str, goals: dict, tmp_path: Path):
    study = filled(goals)
    figure = study.plot(kind, tmp_path / "figure.png")
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")
    outcomes = len(study.goals)
    panels = {"overview": 2 + 2 * outcomes, "slices": 2 * outcomes, "parallel": 1}
    assert len(figure.axes) == panels.get(kind, len(study.goals.objectives))


def test_the_front_marks_what_is_outside_and_shades_what_is_behind():
    study = filled(TWO)
    (axes,) = plots.front(study.trials, study.goals).axes
    drawn = {line.get_label(): line for line in axes.get_lines()}
    assert len(drawn["front"].get_xdata()) == len(study.front)
    outside = [t for t in study.trials if t.outcomes.get("c", 0.0) > 0.0]
    assert len(drawn["outside the bounds"].get_xdata()) == len(outside)
    late = study.trials[3].outcomes  # nothing says that it breaks the bound
    assert list(drawn["a bound still to be measured"].get_xdata()) == [late["a"]]
    shade = axes.collections[0].get_paths()[0]
    for trial in study.trials:  # whatever a feasible result beats lies in the shade
        a, b = trial.outcomes["a"], trial.outcomes["b"]
        beaten = any(t.outcomes["a"] > a and t.outcomes["b"] < b for t in study.front)
        if beaten:
            assert shade.contains_point((a, b))
    assert not shade.contains_point((1.0, 0.0))


@pytest.mark.parametrize("goals", [ONE, TWO], ids=["one", "two"])
def test_progress_marks_as_outside_only_what_breaks_a_bound(goals: dict):
    """A trial whose assay is still to come had the mark of one that broke a bound."""
    study = filled(goals)
    study.add({"x": 0.99, "kind": "p"}, {"a": 0.99})
    drawn = {line.get_label(): line for line in study.plot("progress").axes[0].get_lines()}
    assert list(drawn["other outcomes still to come"].get_xdata()) == [3, 8]
    outside = [
        t.number for t in study.trials if "c" in t.outcomes and not study.goals.are_met(t.outcomes)
    ]
    assert list(drawn["outside the bounds"].get_xdata()) == outside


def test_the_legend_of_progress_names_nothing_that_is_hidden():
    """Results were drawn beneath those of the front, and the legend named both."""
    study = Study({"x": Float(0, 1)}, objectives={"a": "maximize", "b": "maximize"}, seed=0)
    for trial in study.ask(3):
        study.tell(trial, {"a": trial.params["x"], "b": -trial.params["x"]})
    axes = study.plot("progress").axes[-1]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["front"]


@pytest.mark.parametrize("backend", ["matplotlib", "plotly"])
@pytest.mark.parametrize("known", ["a", "b"])
def test_the_legend_of_progress_names_marks_of_every_panel(known: str, backend: str):
    study = Study(SPACE, objectives=TWO["objectives"], seed=0)
    study.add({"x": 0.5, "kind": "p"}, {"a": 0.5, "b": 0.5})
    study.add({"x": 0.9, "kind": "p"}, {known: 0.9})
    figure = study.plot("progress", backend=backend)
    if backend == "plotly":
        legend = [trace.name for trace in figure.data if trace.showlegend]
    else:
        legend = [text.get_text() for text in figure.axes[-1].get_legend().get_texts()]
    assert sorted(legend) == ["front", "other outcomes still to come"]


@pytest.mark.parametrize("goals", [ONE, TWO], ids=["one", "two"])
def test_the_legend_of_slices_fits_into_the_figure(goals: dict):
    figure = filled(goals).plot("slices")
    figure.draw_without_rendering()
    legend = figure.legends[0].get_window_extent()
    assert legend.x0 >= 0 and legend.x1 <= figure.bbox.width


def test_three_objectives_have_a_panel_for_each_pair_and_one_has_none():
    study = filled(THREE)
    assert len(plots.front(study.trials, study.goals).axes) == 3
    single = filled(ONE)
    with pytest.raises(SettingsError, match="a front needs two objectives"):
        plots.front(single.trials, single.goals)


def test_slices_cut_through_what_stands_for_the_results():
    two, one = filled(TWO), filled(ONE)
    trial, words = standing_for(two.trials, two.goals)
    assert trial in two.front and words == "middle of the front"
    assert standing_for(one.trials, one.goals) == (one.best_trial, "best trial")
    never = filled({"objectives": {"a": "maximize"}, "constraints": {"c": "<= -9"}})
    assert standing_for(never.trials, never.goals)[1] == "least out of bounds"


def test_slices_show_what_was_measured_while_other_outcomes_are_still_to_come():
    study = filled(TWO)
    study.add({"x": 0.5, "kind": "p"}, {"b": 0.25})
    study.tell(study.ask(), {"c": -0.1})
    drawn = [
        len(axes.get_lines()[k].get_xdata())
        for axes in study.plot("slices").axes[::2]
        for k, line in enumerate(axes.get_lines())
        if line.get_label() == "results, at other settings too"
    ]
    assert drawn == [8, 9, 8]


def test_a_wide_band_does_not_hide_the_results():
    study = filled(ONE)
    goal = study.goals.named("a")
    low, high = view_of(study.trials, goal, (-1e6, 1e6))
    values = [trial.outcomes["a"] for trial in study.trials]
    assert low < min(values) and max(values) < high and high - low < 3 * np.ptp(values)


def test_of_three_objectives_no_point_of_the_front_is_called_behind_it():
    """In two of them a trial of the front may be beaten, and its dot stands in the shade."""
    three = read_goals(None, {"a": "maximize", "b": "maximize", "c": "minimize"})
    two = read_goals(None, {"a": "maximize", "b": "maximize"}, None, {"a": -9.0, "b": -5.0})
    told = [
        Trial(number=i, params={}, state=TrialState.COMPLETE, outcomes=dict.fromkeys("abc", i))
        for i in range(3)
    ]
    assert len(front_of(told, three)) == 3
    _, labels = plots.front(told, three).axes[0].get_legend_handles_labels()
    assert "beaten in these two objectives" in labels and "behind the front" not in labels
    (axes,) = plots.front(told, two).axes
    (shade,) = axes.collections
    corner = shade.get_paths()[0].vertices.min(axis=0)  # with a reference to the edges as well
    assert tuple(corner) == (axes.get_xlim()[0], axes.get_ylim()[0])


def test_the_best_within_bounds_never_falls():
    study = filled(ONE)
    (axes,) = study.plot("progress").axes
    (steps,) = [line for line in axes.lines if line.get_label() == "best within bounds"]
    best = steps.get_ydata()
    assert len(best) and (np.diff(best) >= 0).all() and math.isfinite(best[0])


def test_nothing_to_draw_says_so():
    with pytest.raises(TrialError, match="nothing to draw"):
        Study(SPACE, **TWO).plot("slices")


@pytest.mark.parametrize("backend", ["matplotlib", "plotly"])
def test_a_front_says_which_objectives_it_leaves_out(backend: str):
    names = [f"y{i}" for i in range(6)]
    study = Study({"x": Float(0, 1)}, objectives=names, seed=0)
    study.add({"x": 0.5}, {name: float(i) for i, name in enumerate(names)})
    figure = study.plot("front", backend=backend)
    title = figure.layout.title.text if backend == "plotly" else figure.get_suptitle()
    assert "without y4, y5: the first 4 objectives" in title


@pytest.mark.parametrize("backend", ["matplotlib", "plotly"])
def test_a_front_says_what_is_missing(backend: str):
    study = Study(SPACE, **TWO, seed=0)
    with pytest.raises(TrialError, match=r"no trial has a value of a and b yet .* nothing to draw"):
        study.plot("front", backend=backend)
    study.add({"x": 0.3, "kind": "p"}, {"a": 1.0})
    with pytest.raises(TrialError, match="nothing to draw"):
        study.plot("front", backend=backend)
    study.add({"x": 0.5, "kind": "p"}, {"a": 1.0, "b": 1.0, "c": 2.0})
    assert said(study, backend)
    study.add({"x": 0.6, "kind": "p"}, {"a": 1.0, "b": 1.0, "c": -2.0})
    assert not said(study, backend)


def said(study: Study, backend: str) -> bool:
    figure = study.plot("front", backend=backend)
    if backend == "plotly":
        return NONE_WITHIN in figure.layout.title.text.replace("<br>", " ")
    return NONE_WITHIN in [text.get_text() for text in figure.axes[0].texts]
