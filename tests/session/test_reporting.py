"""What running trials report: checked, kept, and the first report of a step stands."""

import math

import numpy as np
import pytest

from pathmax import Float, Study
from pathmax.errors import OutcomeError, RepeatedReportWarning, TrialError

SPACE = {"x": Float(0, 1)}


def test_a_curve_is_what_was_reported():
    study = Study(SPACE, direction="minimize", seed=0)
    trial = study.ask()
    for step, value in [(2, np.float32(0.5)), (1, "0.75"), (3, 0.25)]:
        study.report(trial, step, value)
    assert study.curve(trial) == {1: 0.75, 2: 0.5, 3: 0.25}
    assert study.curve(study.ask()) == {}


def test_with_several_outcomes_a_report_may_have_some_of_them():
    study = Study(SPACE, objectives={"loss": "minimize", "size": "minimize"}, seed=0)
    trial = study.ask()
    study.report(trial, 1, {"loss": 0.5, "size": 3})
    study.report(trial, 2, {"loss": 0.25})
    assert study.curve(trial) == {1: {"loss": 0.5, "size": 3.0}, 2: {"loss": 0.25}}
    with pytest.raises(OutcomeError, match="there is no outcome 'accuracy'"):
        study.report(trial, 3, {"accuracy": 1.0})


def test_the_first_report_of_a_step_stands():
    study = Study(SPACE, seed=0)
    trial = study.ask()
    study.report(trial, 1, 0.5)
    study.report(trial, 1, 0.5)  # a retry changes nothing and says nothing
    with pytest.warns(RepeatedReportWarning, match="trial 0 reported step 1 before, as value 0.5"):
        study.report(trial, 1, 0.75)
    assert study.curve(trial) == {1: 0.5}
    study.report(trial, 2, math.nan)
    study.report(trial, 2, math.nan)


@pytest.mark.parametrize("step", [-1, 1.5, "first", None, math.inf])
def test_a_step_is_a_whole_number(step):
    study = Study(SPACE, seed=0)
    with pytest.raises(OutcomeError, match="a step is a whole number, 0 or more"):
        study.report(study.ask(), step, 0.5)


def test_a_value_is_a_number_and_a_trial_runs():
    study = Study(SPACE, seed=0)
    trial = study.ask()
    with pytest.raises(OutcomeError, match="a value must be one number"):
        study.report(trial, 1, [0.5, 0.25])
    study.tell(trial, 1.0)
    with pytest.raises(TrialError, match="has ended \\(complete\\)"):
        study.report(trial, 1, 0.5)
    with pytest.raises(TrialError, match="has no trial 7"):
        study.report(7, 1, 0.5)


def test_another_process_sees_the_curve(tmp_path):
    place = f"sqlite:///{tmp_path / 'lab.db'}"
    study = Study(SPACE, name="curves", storage=place, seed=0, stopping="asha")
    trial = study.ask()
    study.report(trial, 1, 0.5)
    other = Study.load("curves", storage=place)
    assert other.curve(0) == {1: 0.5}
    study.report(trial, 2, 0.25)
    assert other.curve(0) == {1: 0.5, 2: 0.25}
    assert other.settings.stopping.name == "asha"
