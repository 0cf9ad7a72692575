"""The bar of a notebook: one line, rewritten, that says what a terminal would."""

import sys
from types import SimpleNamespace

import pytest

from pathmax import Float, Study
from pathmax.running.notebook_bar import NotebookBar, in_notebook
from pathmax.running.progress import Lines, Silent, open_progress
from pathmax.trials.trial import Trial, TrialState


def trial(number: int, state: TrialState = TrialState.COMPLETE) -> Trial:
    return Trial(number=number, params={"x": 0.5}, state=state, outcomes={"value": number + 0.5})


def test_the_line_is_drawn_again_for_each_trial():
    shown: list[str] = []
    bar = NotebookBar(4, shown.append)
    bar.told(trial(0), trial(0))
    bar.told(trial(1, TrialState.FAILED), trial(0), "x < y")
    bar.close("done & dusted")
    assert ["0/4" in shown[0], "1/4" in shown[1], "2/4" in shown[2]] == [True] * 3
    assert "width:25px" in shown[1] and "best 0.5 (trial 0)" in shown[1]
    assert "1 failed" in shown[2] and "x &lt; y" in shown[2]
    assert "done &amp; dusted" in shown[3]
    endless: list[str] = []
    NotebookBar(None, endless.append).told(trial(0), None)
    assert " 1 " in endless[-1] and "width:0px" in endless[-1]


def shell(name: str) -> SimpleNamespace:
    return SimpleNamespace(get_ipython=type(name, (), {}))


def test_a_notebook_is_known_by_its_kernel(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert not in_notebook()
    monkeypatch.setitem(sys.modules, "IPython", shell("TerminalInteractiveShell"))
    assert not in_notebook()
    monkeypatch.setitem(sys.modules, "IPython", shell("ZMQInteractiveShell"))
    assert in_notebook()


def test_elsewhere_all_is_as_it_was(capsys):
    assert isinstance(open_progress(True, 3), Lines)
    assert isinstance(open_progress(False, 3), Silent)
    Study({"x": Float(0, 1)}, seed=0).optimize(lambda p: p["x"], 2)
    assert "[2/2] trial 1" in capsys.readouterr().err
