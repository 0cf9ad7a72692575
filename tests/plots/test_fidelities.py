"""Figures of a study with a fidelity: results of lower fidelity stand apart."""

import pytest

from pathmax import Fidelity, Float, Study
from pathmax.errors import TrialError


@pytest.fixture(scope="module")
def study():
    study = Study({"x": Float(0, 1), "epochs": Fidelity(1, 9)}, seed=0)
    for x, epochs in ((0.1, 1), (0.5, 3), (0.9, 1), (0.4, 9), (0.6, 9)):
        study.add({"x": x, "epochs": epochs}, x * epochs)
    return study


@pytest.mark.parametrize("kind", ["progress", "overview"])
def test_lower_fidelities_are_drawn_apart(study, kind):
    axes = study.plot(kind).get_axes()[0] if kind == "progress" else None
    if axes is None:
        figure = study.plot(kind)
        axes = next(a for a in figure.findobj(lambda o: hasattr(o, "get_legend_handles_labels")))
    drawn = {line.get_label(): len(line.get_xdata()) for line in axes.get_lines()}
    assert drawn["result of lower fidelity"] == 3
    assert drawn["result"] == 2


@pytest.mark.parametrize("kind", ["slices", "parallel"])
def test_other_figures_are_of_the_target(study, kind):
    assert study.plot(kind) is not None


def test_plotly_draws_them_too(study):
    names = [trace.name for trace in study.plot("progress", backend="plotly").data]
    assert "result of lower fidelity" in names


def test_without_a_result_at_the_target_progress_is_drawn_and_slices_are_not():
    study = Study({"x": Float(0, 1), "epochs": Fidelity(1, 9)}, seed=0)
    study.add({"x": 0.5, "epochs": 3}, 1.0)
    assert study.plot("progress") is not None
    with pytest.raises(TrialError, match="nothing to draw"):
        study.plot("slices")


def test_figures_and_advice_say_that_the_target_is_missing():
    study = Study({"x": Float(0, 1), "n": Fidelity(1, 9)}, direction="maximize", seed=0)
    for x in (0.2, 0.5, 0.9):
        study.add({"x": x, "n": 3}, x)
    with pytest.raises(TrialError, match="none at its target"):
        study.plot("slices")
    with pytest.raises(TrialError, match="at the target of the fidelity"):
        study.replicate_or_explore()
