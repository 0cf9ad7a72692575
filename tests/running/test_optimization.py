"""`optimize` without workers: errors, NaN, Ctrl-C and ends."""

import math
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext

import pytest

import pathmax
from pathmax import Float, Grid, Study, TrialState
from pathmax.errors import ObjectiveError, OutcomeError, SettingsError, TrialError
from pathmax.trials.trial import INTERRUPTED
from tests.objectives import parabola

LINE = {"x": Float(0, 1)}


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
    by_name = isinstance(nothing, tuple | list)
    assert all(("returned by name" in str(t.error)) == by_name for t in result.trials)
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
    with pytest.raises(SettingsError, match=r"timeout must be a number of seconds.*got -1"):
        Study(LINE).optimize(parabola, timeout=-1)


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


@pytest.mark.parametrize("threads", [0, 3])
def test_an_objective_that_returns_other_outcomes_leaves_no_trial_running(threads: int):
    """The run ended with an error, and its trial counted as running from then on."""
    study = Study(LINE, objectives={"a": "maximize", "b": "minimize"}, seed=0)
    with ThreadPoolExecutor(threads) if threads else nullcontext() as pool:
        with pytest.raises(OutcomeError, match="there is no outcome 'aa'"):
            study.optimize(lambda p: {"aa": 0.0, "b": 1.0}, 5, executor=pool, progress=False)
        assert {trial.error for trial in study.trials} == {INTERRUPTED}
        with pytest.raises(OutcomeError, match="this study has the outcomes a, b, got"):
            study.optimize(lambda p: p["x"], 5, executor=pool, progress=False)
    assert not any(trial.state is TrialState.RUNNING for trial in study.trials)
