"""A mistyped value is corrected in place, and nothing is lost or pretended."""

import math

import numpy as np
import pytest

from pathmax import Float, Grid, Study, Trial, TrialState, gp
from pathmax.errors import OutcomeError, SettingsError, TrialError
from pathmax.trials.trial import EARLIER

SPACE = {"x": Float(0, 1), "y": Float(0, 1)}


def value_of(params: dict) -> float:
    return 60.0 + 10.0 * np.sin(5 * params["x"]) - (params["y"] - 0.4) ** 2


def told(study: Study, n: int) -> Study:
    for _ in range(n):
        trial = study.ask()
        study.tell(trial, value_of(trial.params))
    return study


def test_the_new_value_counts_and_the_old_one_is_kept():
    study = told(Study(SPACE, seed=0), 2)
    trial = study.tell(study.ask(), 713.0, noise=0.25, note="yellow", attributes={"batch": 7})
    assert study.best_trial.number == 2
    corrected = study.correct(trial, "71.3")
    assert corrected == study.trials[2]
    assert (corrected.value, corrected.noise, corrected.note) == (71.3, 0.25, "yellow")
    assert (corrected.told_at, corrected.attributes["batch"]) == (trial.told_at, 7)
    assert corrected.earlier == (trial,)
    assert trial.earlier == ()
    again = study.correct(2, 3.17, noise=4.0, note="green")
    assert (again.value, again.noise, again.note) == (3.17, 4.0, "green")
    assert again.earlier == (trial, corrected)
    assert Trial.from_json(again.to_json()) == again


def test_a_failure_that_was_none_and_a_value_that_was_none():
    study = told(Study(SPACE, seed=0), 2)
    study.fail(trial := study.ask(), "the flask broke")
    told_after_all = study.correct(trial, 50.0)
    assert (told_after_all.state, told_after_all.error) == (TrialState.COMPLETE, None)
    assert told_after_all.earlier[0].error == "the flask broke"
    taken_back = study.correct(trial, math.nan)
    assert (taken_back.state, taken_back.value) == (TrialState.FAILED, None)
    assert [t.value for t in taken_back.earlier] == [None, 50.0]
    assert study.ask().number == 3


def test_a_value_of_an_experiment_that_failed():
    study = told(Study(SPACE, seed=0), 2)
    trial = study.tell(study.ask(), 71.3, noise=0.25, note="yellow")
    with pytest.raises(TrialError, match=r"pathmax fail 2 --correct.*fail\(2, correct=True\)"):
        study.fail(trial, "the flask was swapped")
    with pytest.raises(SettingsError, match="correct must be True or False, got the text 'yes'"):
        study.fail(trial, "the flask was swapped", correct="yes")  # type: ignore[arg-type]
    assert study.trials[2] == trial
    failed = study.fail(trial, "the flask was swapped", correct=True)
    assert (failed.state, failed.value, failed.noise) == (TrialState.FAILED, None, None)
    assert (failed.error, failed.note) == ("the flask was swapped", "yellow")
    assert failed.earlier == (trial,)
    assert study.best_trial.number < 2
    assert study.correct(2, 70.0).earlier == (trial, failed)


def test_what_cannot_be_corrected():
    study = told(Study(SPACE, seed=0, name="suzuki"), 1)
    running = study.ask()
    with pytest.raises(TrialError, match=r"trial 1 of study 'suzuki' is still running.*tell"):
        study.correct(running, 1.0)
    with pytest.raises(TrialError, match=r"still running.*study.fail\(1\)"):
        study.fail(running, correct=True)
    with pytest.raises(TrialError, match="no trial 9"):
        study.correct(9, 1.0)
    with pytest.raises(OutcomeError, match="got the text 'high'"):
        study.correct(0, "high")
    with pytest.raises(TrialError, match="a note is text"):
        study.correct(0, 1.0, note=5)  # type: ignore[arg-type]
    with pytest.raises(TrialError, match=f"{EARLIER}.*choose another name"):
        study.annotate(0, attributes={EARLIER: []})
    assert study.trials[0].earlier == ()


@pytest.mark.parametrize("foreign", [3, [1], [{"state": "complete"}], {"a": 1}], ids=repr)
def test_an_attribute_of_another_making_is_no_correction(foreign: object):
    trial = Trial(number=0, params={}, attributes={EARLIER: foreign})
    assert trial.earlier == ()


def test_telling_twice_names_the_way_to_correct():
    study = told(Study(SPACE, seed=0), 1)
    with pytest.raises(TrialError, match=r"already told.*pathmax tell 0 VALUE --correct.*correct"):
        study.tell(0, 2.0)


@pytest.mark.parametrize("refit_every", ["auto", 50])
@pytest.mark.parametrize("method", ["pims", "ei"])
def test_the_model_that_is_kept_notices(refit_every, method: str):
    """The study that was corrected believes what one that never erred believes, to the last bit."""

    def asked(first: float, *corrections: float) -> Study:
        study = Study(SPACE, seed=0, initial=4, refit_every=refit_every, method=method)
        for i, trial in enumerate(study.ask(6)):
            study.tell(trial, first if i == 2 else value_of(trial.params))
        study.ask()  # its fit is stored with it, and kept in memory
        study.predict([{"x": 0.5, "y": 0.5}])
        for value in corrections:
            study.correct(2, value)
        return study

    wrong, corrected = asked(7130.0), asked(7130.0, 71.3)
    model, outcomes = corrected.posterior()
    fresh = Study(SPACE, seed=0, initial=4, refit_every=refit_every, method=method)
    for trial in corrected.trials[:6]:
        fresh.add(trial.params, trial.value)
    wanted = fresh.posterior()
    assert outcomes == wanted.outcomes != wrong.posterior().outcomes
    assert model.kernel == wanted.model.kernel
    assert np.array_equal(model.y, wanted.model.y)
    twice = asked(7130.0, 1.0, 71.3)
    assert twice.posterior().outcomes == outcomes
    assert corrected.ask().params == twice.ask().params


def test_every_process_asks_the_same_after_a_correction(tmp_path):
    url = f"sqlite:///{tmp_path / 'lab.db'}"
    here = told(Study(SPACE, name="s", storage=url, seed=0, refit_every=20), 9)
    there = Study.load("s", storage=url)
    there.predict([{"x": 0.5, "y": 0.5}])
    there.correct(3, 42.0)
    there.correct(3, value_of(there.trials[3].params))  # as before, but that is a history too
    trial = here.ask()
    assert trial.info["corrected"] == [3, 3]
    assert Study.load("s", storage=url).replay(trial) == trial.params == there.replay(trial)


@pytest.mark.parametrize("space", [SPACE, Grid({"x": np.linspace(0, 1, 9), "y": [0.1, 0.4, 0.9]})])
def test_trials_from_before_a_correction_are_derived_from_what_they_knew(space: object):
    study = Study(space, seed=0, initial=3)
    told(study, 5)
    study.fail(study.ask())
    study.tell(study.ask(), 713.0)
    running = study.ask()
    told(study, 2)
    card = study.explain(9)
    study.correct(6, 71.3)
    study.correct(5, 55.5)
    study.tell(running, 50.0)
    study.correct(running, 51.0)
    told(study, 3)
    study.correct(0, 40.0)
    for trial in study.trials:
        assert study.replay(trial) == trial.params, trial.number
    later, first = study.explain(9), study.trials[0].earlier[0]
    assert later.startswith(card)  # it says what it said, and then what has changed
    assert [line.strip() for line in later.splitlines()[-3:]] == [
        f"corrected since              trial 0, then {first.value:.6g}, now 40",
        "corrected since              trial 5, then failed: the experiment failed, now 55.5",
        "corrected since              trial 6, then 713, now 71.3",
    ]
    assert "  corrected                    was 713\n" in study.explain(6)


def test_a_fixed_model_notices_too():
    study = Study(SPACE, seed=0, kernel=gp.RBF(0.3), noise=1e-4, refit_every=None, initial=3)
    told(study, 5)
    before = study.predict([study.trials[1].params]).mean[0]
    study.correct(1, before + 5.0)
    after = study.predict([study.trials[1].params]).mean[0]
    assert after == pytest.approx(before + 5.0, abs=0.1)
    assert study.replay(4) == study.trials[4].params


def test_corrections_go_along_to_another_space():
    study = told(Study(SPACE, seed=0, initial=2), 3)
    study.correct(0, 40.0)
    wider = study.with_space({"x": Float(0, 2), "y": Float(0, 1)})
    assert wider.trials[0].earlier[0].value == study.trials[0].earlier[0].value
    trial = wider.ask()
    assert wider.replay(trial) == trial.params
