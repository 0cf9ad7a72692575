"""What a run gives back can be plotted, saved and printed."""

import pytest

import pathmax
from pathmax import Float, Study
from tests.objectives import parabola

LINE = {"x": Float(0, 1)}


def test_the_result_is_plotted_and_saved(tmp_path):
    result = Study(LINE, seed=0, name="reaction").optimize(parabola, 6, progress=False)
    figure = result.plot(tmp_path / "progress.png")
    axes = figure.axes[0]
    assert axes.get_xlabel() == "trial"
    assert axes.get_title() == "reaction"
    best = axes.lines[1].get_ydata()
    assert list(best) == sorted(best)
    assert (tmp_path / "progress.png").stat().st_size > 1000
    assert "best -" in repr(result)


def test_a_result_without_a_value_can_still_be_shown(tmp_path):
    study = Study(LINE, seed=0)
    study.fail(study.ask())
    result = study.optimize(parabola, 0, progress=False)
    assert repr(result) == "<Result of study: 0 results, 1 failed>"
    result.plot(tmp_path / "nothing.png")


def test_plot_without_matplotlib_names_the_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    result = Study(LINE, seed=0).optimize(parabola, 1, progress=False)
    with pytest.raises(pathmax.errors.MissingExtraError, match=r"pathmax\[plot\]"):
        result.plot()


def test_several_outcomes_are_plotted_each_and_the_summary_says_why_there_is_no_front(tmp_path):
    """The figure was empty: it looked for the value of a study of one outcome."""
    wanted = {"objectives": {"a": "maximize", "b": "minimize"}, "constraints": {"b": ">= 9"}}
    study = Study(LINE, seed=0, **wanted)
    result = study.optimize(lambda p: {"a": p["x"], "b": p["x"]}, 4, progress=False)
    figure = result.plot(tmp_path / "progress.png")
    assert [axes.get_ylabel() for axes in figure.axes] == ["a", "b"]
    (outside, *_) = figure.axes[0].get_lines()
    assert list(outside.get_ydata()) == [trial.outcomes["a"] for trial in result.trials]
    assert result.summary == "0 trials on the front, 4 results, none within all bounds"
