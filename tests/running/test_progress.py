"""What a run shows while it goes on: lines, a bar, or nothing."""

import io
import math

import pathmax
from pathmax import Float, Study, TrialState
from pathmax.running.progress import Bar, Lines, open_progress
from tests.objectives import parabola

LINE = {"x": Float(0, 1)}


def test_lines_when_it_is_no_terminal_and_silence_on_demand(capsys):
    Study(LINE, seed=0).optimize(parabola, 3, progress=False)
    assert capsys.readouterr() == ("", "")

    def sometimes(params: dict[str, float]) -> float:
        return math.nan if params["x"] > 0.5 else parabola(params)

    Study(LINE, seed=0).optimize(sometimes, 5)
    out, err = capsys.readouterr()
    lines = err.splitlines()
    assert out == ""
    assert len(lines) == 6
    assert all(line.startswith(f"[{i + 1}/5] trial {i}: ") for i, line in enumerate(lines[:5]))
    assert any("failed: the value is NaN" in line for line in lines)
    assert any("  best -0." in line for line in lines)
    assert lines[-1].startswith("done: best ")
    assert "\x1b" not in err


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_on_a_terminal_with_best_value_and_speed():
    terminal = Terminal()
    bar = open_progress(True, 3, terminal)
    assert isinstance(bar, Bar)
    study = Study(LINE, seed=0)
    for value in (1.0, math.nan, 2.5):
        ended = study.tell(study.ask(), value)
        bar.told(ended, study.best_trial, "a [remark]")
    bar.close("done")
    shown = terminal.getvalue()
    for words in ("3/3", "trials/s", "best 2.5 (trial 2)", "1 failed", "a [remark]", "done"):
        assert words in shown


def test_a_long_run_is_thinned_to_a_hundred_lines_and_all_improvements():
    stream = io.StringIO()
    lines = open_progress(True, 1000, stream)
    assert isinstance(lines, Lines)
    best = None
    for i in range(1000):
        trial = pathmax.Trial(
            number=i, params={"x": 0.5}, state=TrialState.COMPLETE,
            outcomes={"value": 100.0 if i == 555 else 0.0},
        )  # fmt: skip
        best = trial if best is None or trial.value > best.value else best
        lines.told(trial, best)
    printed = stream.getvalue().splitlines()
    assert 100 <= len(printed) <= 102
    assert any("trial 555: 100" in line for line in printed)
