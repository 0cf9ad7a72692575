"""`optimize` without workers: errors, NaN, Ctrl-C, ends, and what it shows."""

import io
import math
from concurrent.futures import ThreadPoolExecutor

import pytest

import pathmax
from pathmax import Float, Grid, Study, TrialState
from pathmax.errors import ObjectiveError, SettingsError, TrialError
from pathmax.running.progress import Bar, Lines, open_progress
from pathmax.trials.trial import INTERRUPTED

LINE = {"x": Float(0, 1)}


def parabola(params: dict[str, float]) -> float:
    return -((params["x"] - 0.3) ** 2)


def test_one_line_each_way():
    best = pathmax.maximize(parabola, LINE, n_trials=12, seed=0, progress=False)
    assert best.best_params["x"] == pytest.approx(0.3, abs=0.02)
    assert len(best.trials) == 12
    worst = pathmax.minimize(parabola, LINE, 12, seed=0, progress=False)
    assert worst.best_value == pytest.approx(-0.49, abs=0.01)
    assert worst.best_trial.params == worst.best_params


def test_the_keywords_of_both_are_taken():
    result = pathmax.minimize(parabola, LINE, 3, progress=False, method="random", name="r", seed=1)
    assert result.name == "r"
    assert {trial.info["method"] for trial in result.trials} == {"design"}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"n_trails": 3}, "maximize has no keyword 'n_trails'; did you mean 'n_trials'"),
        ({"replicate": True}, "no keyword 'replicate'; did you mean 'replicates'"),
        ({"colour": "blue"}, "no keyword 'colour'; it takes n_trials, budget, timeout"),
        ({"direction": "minimize"}, "call pathmax.maximize or pathmax.minimize"),
        ({"n_trials": "10"}, "n_trials must be a whole number.*; write 10 without quotes"),
        ({"timeout": "5"}, "timeout must be a number of seconds.*; write 5 without quotes"),
        (
            {"timeout": math.nan},
            "timeout must be a number of seconds.*got nan.*; leave timeout out",
        ),
        ({"timeout": True}, "timeout must be a number of seconds"),
        ({"ordered": "no"}, "ordered must be True or False, got the text 'no'"),
        ({"progress": 0}, "progress must be True or False, got 0"),
        ({"replicates": "no"}, "replicates must be True or False, got the text 'no'"),
        ({"stop": 3}, "stop must be a function of the study.*got 3"),
    ],
    ids=str,
)
def test_what_is_mistyped_is_named_with_a_remedy(given: dict[str, object], words: str):
    with pytest.raises(SettingsError, match=words):
        pathmax.maximize(parabola, LINE, **({"progress": False} | given))


def test_an_objective_that_raises_fails_its_trial_and_the_study_goes_on():
    def objective(params: dict[str, float]) -> float:
        if params["x"] > 0.5:
            raise ValueError("too hot")
        return params["x"]

    result = Study(LINE, seed=0).optimize(objective, 12, progress=False)
    failed = [trial for trial in result.trials if trial.state is TrialState.FAILED]
    assert failed
    assert len(result.trials) == 12
    first_line, *trace = str(failed[0].error).splitlines()
    assert first_line == "ValueError: too hot"
    assert any("in objective" in line for line in trace)


@pytest.mark.parametrize(("n_trials", "tried"), [(1, 1), (3, 3), (5, 5), (40, 5)])
def test_an_objective_that_always_raises_is_not_passed_over(n_trials: int, tried: int):
    def objective(params: dict) -> float:
        raise KeyError("tempreature", params["x"])

    study = Study(LINE, seed=0)
    with pytest.raises(ObjectiveError, match=r"same error: KeyError.*tempreature.*on_error=") as e:
        study.optimize(objective, n_trials, progress=False)
    assert isinstance(e.value.__cause__, KeyError)
    assert [trial.state for trial in study.trials] == ["failed"] * tried
    with pytest.raises(ObjectiveError, match="first 5 trials failed"):
        pathmax.minimize(objective, LINE, progress=False)
    assert len(pathmax.minimize(objective, LINE, 7, on_error="fail", progress=False).trials) == 7


def test_errors_that_differ_or_come_later_are_passed_over():
    def some(params: dict) -> float:
        if params["x"] > 0.5:
            raise ValueError("too hot")
        raise KeyError("x")

    def later(params: dict) -> float:
        if len(study.trials) > 1:
            raise ValueError("too hot")
        return 0.0

    assert len(pathmax.minimize(some, LINE, 12, seed=0, progress=False).trials) == 12
    study = Study(LINE, seed=0)
    assert len(study.optimize(later, 12, progress=False).trials) == 12
    assert len(study.optimize(later, 1, progress=False).trials) == 13  # others have succeeded


def test_on_error_raise_stops_with_the_cause_and_keeps_what_was_told():
    def objective(params: dict[str, float]) -> float:
        if len(told) == 3:
            raise ValueError("too hot")
        told.append(params)
        return 1.0

    told: list[dict[str, float]] = []
    study = Study(LINE, seed=0)
    with pytest.raises(ObjectiveError, match=r"trial 3 with .*: ValueError: too hot") as info:
        study.optimize(objective, 12, progress=False, on_error="raise")
    assert isinstance(info.value.__cause__, ValueError)
    assert [trial.state for trial in study.trials] == ["complete"] * 3 + ["failed"]


@pytest.mark.parametrize("nothing", [None, "high", [1.0, 2.0], 1j], ids=repr)
def test_an_objective_that_returns_no_number_fails_its_trial(nothing: object):
    result = Study(LINE, seed=0).optimize(
        lambda params: nothing, 2, on_error="fail", progress=False
    )
    assert all("returned no number" in str(trial.error) for trial in result.trials)
    with pytest.raises(TrialError, match="no trial has succeeded"):
        _ = result.best_trial


def test_an_objective_that_exits_is_a_failure_too():
    def objective(params: dict[str, float]) -> float:
        raise SystemExit(3)

    result = Study(LINE, seed=0).optimize(objective, 2, on_error="fail", progress=False)
    assert [trial.error.splitlines()[0] for trial in result.trials] == ["SystemExit: 3"] * 2


def test_ctrl_c_stops_cleanly_and_keeps_what_was_told(capsys):
    def objective(params: dict[str, float]) -> float:
        calls.append(params)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return params["x"]

    calls: list[dict[str, float]] = []
    study = Study(LINE, seed=0)
    result = study.optimize(objective, 12)
    assert result.ending == "stopped by Ctrl-C"
    assert [trial.state for trial in result.trials] == ["complete"] * 3 + ["failed"]
    assert result.trials[3].error == INTERRUPTED
    assert "stopped by Ctrl-C: best " in capsys.readouterr().err
    again = study.optimize(parabola, 2, progress=False)
    assert len(again.trials) == 6


def test_a_finite_space_needs_no_number_of_trials_and_ends_by_itself():
    result = Study(Grid({"a": [1, 2, 3], "b": ["u", "v"]}), seed=0).optimize(
        lambda params: params["a"], progress=False
    )
    assert len(result.trials) == 6
    assert result.ending.startswith("nothing left to try: all 6 points")


def test_an_endless_run_is_refused():
    with pytest.raises(SettingsError, match="optimize needs an end"):
        Study(LINE).optimize(parabola)
    with pytest.raises(SettingsError, match="on_error must be"):
        Study(LINE).optimize(parabola, 1, on_error="ignore")  # type: ignore[arg-type]
    with pytest.raises(ObjectiveError, match="must be a function of params"):
        Study(LINE).optimize(3.0, 1)  # type: ignore[arg-type]


def test_a_timeout_of_nothing_starts_nothing():
    result = Study(LINE).optimize(parabola, timeout=0.0, progress=False)
    assert result.trials == ()
    assert result.ending == "stopped after 0 seconds"


def test_a_stopping_rule_ends_the_run_with_its_reason():
    study = Study(LINE, seed=0)
    result = study.optimize(parabola, 30, stop=lambda s: len(s.trials) >= 7, progress=False)
    assert len(result.trials) == 7
    assert result.ending == "stopped by the rule given"
    result = study.optimize(parabola, 30, stop=lambda s: "good enough", progress=False)
    assert len(result.trials) == 8
    assert result.ending == "good enough"


@pytest.mark.parametrize("workers", [1, 2])
def test_a_trial_that_was_told_elsewhere_is_noted_and_the_run_goes_on(tmp_path, capsys, workers):
    url = f"sqlite:///{tmp_path / 'lab.db'}"
    study = Study(LINE, name="s", storage=url, seed=0)

    def objective(params: dict[str, float]) -> float:
        elsewhere = Study.load("s", storage=url)
        [number] = [t.number for t in elsewhere.trials if t.params == params]
        if number in (1, 3, 5):
            elsewhere.tell(number, 10.0 + number)
        if number == 4:
            elsewhere.fail(number, "the flask broke")
        if number == 3:
            raise ValueError("too hot")
        return math.nan if number == 5 else float(number)

    with ThreadPoolExecutor(workers) as executor:
        result = study.optimize(objective, 7, executor=executor)
    assert result.ending == "done"
    assert [trial.value for trial in result.trials] == [0.0, 11.0, 2.0, 13.0, None, 15.0, 6.0]
    unused = {trial.number: trial.attributes for trial in result.trials if trial.attributes}
    assert unused.keys() == {1, 3, 4, 5}
    assert (unused[1], unused[4]) == ({"unused_value": 1.0}, {"unused_value": 4.0})
    assert unused[3]["unused_error"].startswith("ValueError: too hot")
    assert unused[5] == {"unused_value": "nan"}
    assert "trial 1 was told elsewhere first" in capsys.readouterr().err


def test_ctrl_c_leaves_alone_what_was_told_elsewhere():
    study = Study(LINE, seed=0)

    def objective(params: dict[str, float]) -> float:
        study.tell(0, 5.0)
        raise KeyboardInterrupt

    result = study.optimize(objective, 3, progress=False)
    assert result.ending == "stopped by Ctrl-C"
    assert [(t.value, t.attributes) for t in result.trials] == [(5.0, {})]


def test_the_objective_cannot_spoil_the_trial():
    def objective(params: dict[str, float]) -> float:
        return params.pop("x")

    result = Study(LINE, seed=0).optimize(objective, 2, progress=False)
    assert all(trial.params["x"] == trial.value for trial in result.trials)


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
