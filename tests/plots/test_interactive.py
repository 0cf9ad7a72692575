"""Plotly's side of the figures shows the numbers that matplotlib's does."""

import sys
from pathlib import Path

import numpy as np
import pytest
from plotly.graph_objects import Figure

from pathmax import Candidates, Categorical, Float, Grid, Int, Space, Study, plots
from pathmax.analysis import figures
from pathmax.errors import DataFileError, MissingExtraError, SettingsError
from pathmax.plots.outcome_trials import standing_for

SPACES = {
    "mixed": {"x": Float(0, 1), "rate": Float(1e-4, 1e-1, log=True), "n": Int(1, 5),
              "kind": Categorical(["<b>a", True])},
    "grid": Grid({"x": [1, 2, 5], "kind": ["a", "b"]}),
    "pool": Candidates([{"id": f"m{i}", "x": i / 7, "kind": "ab"[i % 2]} for i in range(9)],
                       id="id"),
    "conditional": {"x": Float(0, 1), "kind": Categorical(["a", "b"]),
                    "rate": Float(1e-4, 1e-1, log=True, when="kind == 'a'"),
                    "n": Int(1, 5, when="kind == 'b'")},
    "known": Space({"x": Float(0, 1), "y": Float(0, 1)}, ["x <= 0.2 or x >= 0.4", "x + y <= 1"]),
}  # fmt: skip
SEVERAL = {"objectives": {"a": "maximize", "b": "minimize"}, "constraints": {"c": "<= 20"}}


def filled(space: object, n: int = 6, **goals: object) -> Study:
    study = Study(space, seed=0, initial=n, **goals)
    for i, trial in enumerate(study.ask(n)):
        study.tell(trial, {"a": i, "b": i % 4, "c": i * i} if goals else float(i * i))
    return study


def by_name(figure: Figure) -> dict:
    return {trace.name: trace for trace in figure.data if trace.name}


@pytest.mark.parametrize("space", SPACES)
def test_every_kind_in_every_space(
    space: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "FIGURE_PATHS", 20)
    study = filled(SPACES[space])
    for kind in figures.FIGURE_KINDS:
        if kind == "front":
            continue
        figure = study.plot(kind, backend="plotly")
        assert isinstance(figure, Figure) and figure.data
        assert "<b>a" not in figure.layout.title.text
    page = tmp_path / "figure.html"
    study.plot("progress", page)
    text = page.read_text(encoding="utf-8")
    assert "cdn" not in text[: text.index("<body>")]


def test_progress_has_the_numbers_of_the_other() -> None:
    study = filled(SPACES["mixed"])
    study.fail(study.ask(), "broke")
    traces = by_name(study.plot("progress", backend="plotly"))
    axes = study.plot("progress").axes[0]
    lines = {line.get_label(): line for line in axes.lines}
    for name in ("result", "best so far"):
        assert list(traces[name].y) == list(lines[name].get_ydata())
    assert list(traces["failed"].x) == [6] and "trial 6: x = " in traces["failed"].text[0]
    assert "&lt;b&gt;a" in "".join(traces["result"].text)


def test_importances_slices_and_calibration_have_them_too() -> None:
    study = filled(SPACES["mixed"])
    shares = list(study.importances(n_paths=20))
    bars = by_name(plots.importances(shares, backend="plotly"))["alone"]
    assert list(bars.x) == pytest.approx(np.clip([one.first.mean for one in shares], 0, 1))
    drawn = study.plot("slices", backend="plotly").data
    expected = next(trace for trace in drawn if trace.name == "expected, with 95 % band")
    mean, std = study.predict([{**study.best_params, "x": x} for x in expected.x])
    assert list(expected.y) == pytest.approx(mean)
    assert list(drawn[1].y) == pytest.approx(mean + 1.96 * std)
    check = study.cross_validate()
    found = by_name(plots.calibration(check, backend="plotly"))["found"]
    assert dict(zip(np.round(found.x, 2), found.y, strict=True))[0.5] == check.inside(0.5)


def test_parallel_coordinates_know_choices_and_logarithms() -> None:
    study = filled(SPACES["mixed"])
    columns = {d.label: d for d in study.plot("parallel", backend="plotly").data[0].dimensions}
    assert list(columns["kind"].ticktext) == ["<b>a", "True"]
    rates = [trial.params["rate"] for trial in study.trials]
    assert list(columns["rate"].values) == pytest.approx(np.log10(rates))
    assert list(columns["value"].values) == [0, 1, 4, 9, 16, 25]


def test_the_front_is_joined_and_what_is_outside_crossed() -> None:
    study = Study({"x": Float(0, 1)}, objectives={"a": "maximize", "b": "minimize"},
                  constraints={"c": "<= 1"}, seed=0)  # fmt: skip
    for x, c in ((0.1, 0), (0.5, 0), (0.9, 5)):
        study.add({"x": x}, {"a": x, "b": x * x, "c": c})
    study.add({"x": 0.4}, {"a": 0.05, "b": 1.0, "c": 0})
    traces = by_name(study.plot("front", backend="plotly"))
    assert list(traces["front"].x) == [0.1, 0.5] and traces["front"].mode == "lines+markers"
    assert traces["front"].line.shape == "vh"  # down to what the next reaches, then across to it
    assert list(traces["outside the bounds"].x) == [0.9] and list(traces["result"].x) == [0.05]


@pytest.mark.parametrize("space", SPACES)
def test_several_outcomes_in_every_space(space: str) -> None:
    study = filled(SPACES[space], **SEVERAL)
    for kind in ("progress", "slices", "parallel", "front"):
        assert study.plot(kind, backend="plotly").data
    assert study.plot("overview").axes  # matplotlib's has all of them


def test_several_outcomes_have_the_numbers_of_the_other() -> None:
    study = filled(SPACES["mixed"], **SEVERAL)
    traces = study.plot("progress", backend="plotly").data
    lines = study.plot("progress").axes[0].lines
    for name in ("result", "outside the bounds", "front"):
        ours = next(trace for trace in traces if trace.name == name)
        assert list(ours.y) == list(next(x for x in lines if x.get_label() == name).get_ydata())
    middle, _ = standing_for(study.trials, study.goals)
    drawn = study.plot("slices", backend="plotly")
    expected = next(trace for trace in drawn.data if trace.name == "expected, with 95 % band")
    mean, _ = study.predict([{**middle.params, "x": x} for x in expected.x], "a")
    assert list(expected.y) == pytest.approx(mean)
    bounds = [shape for shape in drawn.layout.shapes if shape.y0 == shape.y1 == 20]
    assert len(bounds) == 4  # of the third outcome, along each parameter
    columns = {d.label: d for d in study.plot("parallel", backend="plotly").data[0].dimensions}
    assert list(columns["b"].values) == [0, 1, 2, 3, 0, 1]
    assert len(study.plot("front", backend="plotly").data) == 3


def test_three_objectives_have_a_panel_for_each_pair() -> None:
    study = Study({"x": Float(0, 1)}, objectives=dict.fromkeys("abc", "maximize"), seed=0)
    for x in (0.1, 0.5):
        study.add({"x": x}, {"a": x, "b": -x, "c": 1.0})
    figure = study.plot("front", backend="plotly")
    assert len(figure.data) == 3 and figure.layout.xaxis3.title.text == "b, maximize"


def test_what_known_constraints_forbid_is_left_out() -> None:
    study = filled(SPACES["known"])
    for backend in ("matplotlib", "plotly"):
        figure = study.plot("slices", backend=backend)
        if backend == "plotly":
            drawn = next(trace for trace in figure.data if trace.name)
            x, y = np.array(drawn.x), np.array(drawn.y, dtype=float)
        else:
            drawn = figure.axes[0].lines[0]
            x, y = drawn.get_xdata(), drawn.get_ydata()
        seen = x[~np.isnan(y)]
        assert np.all((seen < 0.2 + 1e-9) | (seen > 0.4 - 1e-9)) and seen.min() == 0
        assert np.isnan(y).sum() <= 1
        assert seen.max() <= 1 - study.best_params["y"] + 1e-9


def test_trials_without_a_parameter_pass_below_it() -> None:
    study = filled(SPACES["conditional"])
    columns = {d.label: d for d in study.plot("parallel", backend="plotly").data[0].dimensions}
    without = [trial.params.get("rate") is None for trial in study.trials]
    assert columns["rate"].ticktext[0] == "absent" and any(without) and not all(without)
    low = columns["rate"].tickvals[0]
    assert [value == low for value in columns["rate"].values] == without


def test_what_cannot_be_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = filled(SPACES["mixed"])
    with pytest.raises(SettingsError, match='"matplotlib" or "plotly", got \'bokeh\''):
        study.plot("progress", backend="bokeh")
    with pytest.raises(DataFileError, match=r"name it something\.html"):
        study.plot("progress", tmp_path / "figure.png", backend="plotly")
    monkeypatch.setitem(sys.modules, "plotly.graph_objects", None)
    with pytest.raises(MissingExtraError, match=r'pip install "pathmax\[notebook\]"'):
        study.plot("progress", backend="plotly")
