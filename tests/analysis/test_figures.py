"""`Study.plot` draws every kind, and says which there are."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from pathmax import Float, Study
from pathmax.analysis.figures import FIGURE_KINDS
from pathmax.errors import SettingsError


@pytest.mark.parametrize("objectives", [None, {"yield": "minimize"}])
@pytest.mark.parametrize("kind", [kind for kind in FIGURE_KINDS if kind != "front"])
def test_every_kind_of_one_outcome_whatever_it_is_called(kind, objectives, tmp_path: Path):
    study = Study({"x": Float(0, 1), "y": Float(0, 1)}, objectives=objectives, seed=0)
    for x, y in np.random.default_rng(0).random((6, 2)).tolist():
        study.add({"x": x, "y": y}, x + y)
    figure = study.plot(kind, tmp_path / "figure.png")
    assert isinstance(figure, Figure) and (tmp_path / "figure.png").stat().st_size > 5000
    if kind == "progress":
        (line,) = (ln for ln in figure.axes[0].lines if ln.get_label() == "result")
        assert len(line.get_ydata()) == 6
        assert figure.axes[0].get_ylabel() == ("yield" if objectives else "value")


def test_several_outcomes_have_a_front_and_each_its_importances():
    study = Study({"x": Float(0, 1)}, objectives={"a": "maximize", "b": "minimize"}, seed=0)
    for x in (0.1, 0.5, 0.9):
        study.add({"x": x}, {"a": x, "b": x * x})
    assert study.plot().axes[0].get_xlabel() == study.plot("front").axes[0].get_xlabel()
    assert "for b" in study.plot("importances", outcome="b").axes[0].get_title()
    assert "for a" in study.plot("importances").axes[0].get_title()
    assert len(study.plot("slices").axes) == 2
    with pytest.raises(SettingsError, match="not of one outcome"):
        study.plot("front", outcome="a")
    with pytest.raises(SettingsError, match="there is no figure 'pie'; choose one of overview"):
        study.plot("pie")
