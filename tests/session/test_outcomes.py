"""Results with several outcomes: told as dicts, in parts, corrected, stored, read again."""

import math

import pandas as pd
import pytest

from pathmax import Float, Study, TrialState, gp
from pathmax.errors import OutcomeError, SettingsError, SpaceChangedError, TrialError

SPACE = {"x": Float(0, 1), "y": Float(0, 1)}
WANTED = {
    "objectives": {"yield": "maximize", "cost": "minimize"},
    "constraints": {"impurity": "<= 0.5"},
}


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def storage(request, tmp_path):
    if request.param == "memory":
        return None
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'lab.db'}"
    return request.getfixturevalue("postgres").url()


def a_study(storage=None) -> Study:
    return Study(SPACE, **WANTED, name="s", storage=storage, seed=0)


def point(x: float, y: float = 0.5) -> dict[str, float]:
    return {"x": x, "y": y}


def test_a_result_is_a_dict_and_is_stored_by_outcome(storage):
    study = a_study(storage)
    told = study.tell(study.ask(), {"yield": 70, "cost": "3.5", "impurity": 0.2})
    assert told.outcomes == {"yield": 70.0, "cost": 3.5, "impurity": 0.2}
    assert told.value is None and told.state is TrialState.COMPLETE
    if storage is not None:
        again = Study.load("s", storage=storage)
        assert again.goals == study.goals
        assert again.trials == study.trials


def test_what_is_missing_may_be_told_later_and_what_was_told_stays(storage):
    study = a_study(storage)
    trial = study.tell(study.ask(), {"yield": 70.0, "cost": 3.5, "impurity": None})
    assert trial.outcomes.keys() == {"yield", "cost"}
    later = study.tell(trial, {"impurity": 0.3})
    assert later.outcomes == {"yield": 70.0, "cost": 3.5, "impurity": 0.3}
    assert [was.outcomes for was in later.earlier] == [{"yield": 70.0, "cost": 3.5}]
    with pytest.raises(TrialError, match="already told"):
        study.tell(trial, {"impurity": 0.4})
    half = study.tell(study.ask(), {"yield": 70.0})
    with pytest.raises(
        TrialError, match=r"tell cost and impurity alone.* tell 1 yield=VALUE --cor"
    ):
        study.tell(half, {"yield": 70.0, "cost": 3.5})
    assert study.trials[0].outcomes["impurity"] == 0.3


def test_a_correction_of_one_outcome_keeps_the_others(storage):
    study = a_study(storage)
    trial = study.tell(study.ask(), {"yield": 70.0, "cost": 3.5, "impurity": 0.2})
    corrected = study.correct(trial, {"cost": 4.5})
    assert corrected.outcomes == {"yield": 70.0, "cost": 4.5, "impurity": 0.2}
    corrected = study.correct(trial, pd.Series({"impurity": 0.3}))  # a row of a data frame
    assert corrected.outcomes == {"yield": 70.0, "cost": 4.5, "impurity": 0.3}


def test_the_noise_of_each_outcome_is_kept(storage):
    study = a_study(storage)
    told = study.add(point(0.2), {"yield": 1.0, "cost": 2.0}, noise={"yield": 0.25})
    assert told.noise_of("yield") == 0.25 and told.noise_of("cost") is None
    assert study.trials[0].noises == {"yield": 0.25}
    with pytest.raises(OutcomeError, match=r"noise=\{'yield': 0.1\}"):
        study.add(point(0.3), {"yield": 1.0}, noise=0.1)


def test_a_nan_is_an_outcome_that_did_not_come_and_only_nans_are_a_failure():
    study = a_study()
    assert study.add(point(0.1), {"yield": 1.0, "cost": math.nan}).outcomes == {"yield": 1.0}
    failed = study.add(point(0.2), {"yield": math.nan, "cost": math.inf})
    assert failed.state is TrialState.FAILED and "NaN" in str(failed.error)


def test_an_infinity_among_outcomes_is_a_failure_and_says_what_was_beside_it():
    """It had counted as still to come; with one outcome, and inside Optuna, it was a failure."""
    study = a_study()
    told = study.tell(study.ask(), {"yield": 1.0, "cost": math.inf, "impurity": 0.25})
    assert (told.state, told.outcomes) == (TrialState.FAILED, {})
    assert told.error == "cost is +infinity (beside yield 1, impurity 0.25)"
    added = study.add([point(0.3) | {"yield": -math.inf, "cost": 1.0}])[0]
    assert added.error == "yield is -infinity (beside cost 1)"
    half = study.add(point(0.4), {"yield": 1.0})
    with pytest.raises(TrialError, match=r"already told .*study\.fail"):
        study.tell(half, {"cost": math.inf})
    assert study.correct(half, {"cost": math.inf}).error == "cost is +infinity"
    study.optimize(lambda params: {"yield": math.inf, "cost": 1.0}, n_trials=1, progress=False)
    assert study.trials[-1].state is TrialState.FAILED


def test_outcomes_that_two_laboratories_tell_at_once_are_both_kept(storage, monkeypatch):
    """The second was refused: it had read the trial before the first had told."""
    study = a_study(storage)
    trial, read = study.ask(), study.storage.trial

    def told_meanwhile(*which):
        monkeypatch.setattr(study.storage, "trial", read)
        found = read(*which)
        study.tell(trial, {"yield": 70.0})
        return found

    monkeypatch.setattr(study.storage, "trial", told_meanwhile)
    assert study.tell(trial, {"cost": 3.0}).outcomes == {"yield": 70.0, "cost": 3.0}
    with pytest.raises(TrialError, match=r"cost of trial 0 .* is already told"):
        study.tell(trial, {"cost": 4.0})


@pytest.mark.parametrize("late", [math.nan, math.inf])
def test_what_comes_later_and_is_no_number_is_said_to_add_nothing(late):
    """It was told that a trial is told once, which is not so with several outcomes."""
    study = a_study()
    half = study.add(point(0.4), {"yield": 1.0})
    with pytest.raises(TrialError, match=r"\(yield 1\).* cost is .*adds nothing.* fail 0"):
        study.tell(half, {"cost": late})
    assert study.trials[0].outcomes == {"yield": 1.0}


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (70.0, "tell a dict such as"),
        ({"yeild": 70.0}, "no outcome 'yeild'; this study has yield, cost, impurity"),
        ({}, "at least one of yield, cost, impurity"),
        ({"yield": "many"}, "yield: a value must be one number"),
    ],
)
def test_what_is_no_result_is_refused(told, words):
    study = a_study()
    with pytest.raises(OutcomeError, match=words):
        study.tell(study.ask(), told)
    assert study.trials[0].state is TrialState.RUNNING


def test_one_named_objective_takes_a_number():
    study = Study(SPACE, objectives={"yield": "maximize"}, seed=0)
    assert study.tell(study.ask(), 3.0).outcomes == {"yield": 3.0}
    assert study.best_trial.outcomes == {"yield": 3.0}


def test_the_front_and_the_best():
    study = a_study()
    results = [(70, 3, 0.1), (80, 5, 0.1), (75, 6, 0.1), (99, 1, 0.9), (70, 3, 0.2), (60, 2, 0.5)]
    for y, c, i in results:
        study.add(point(y / 100, c / 10), {"yield": y, "cost": c, "impurity": i})
    study.add(point(0.9, 0.9), {"yield": 100, "cost": 0})  # its impurity is not known yet
    assert [trial.number for trial in study.front] == [0, 1, 5]
    with pytest.raises(TrialError, match=r"study\.front"):
        study.best_trial  # noqa: B018


def test_the_best_is_feasible_and_an_error_says_what_is_not():
    study = Study(SPACE, constraints={"impurity": "<= 0.5"}, seed=0)
    study.add(point(0.1), {"value": 9.0, "impurity": 0.9})
    study.add(point(0.2), {"value": 8.0, "impurity": 0.6})
    with pytest.raises(TrialError, match=r"impurity <= 0.5.*nearest is trial 1"):
        study.best_trial  # noqa: B018
    study.add(point(0.3), {"value": 1.0, "impurity": 0.4})
    assert study.best_trial.number == 2


def test_other_goals_are_another_study(tmp_path):
    storage = f"sqlite:///{tmp_path / 'lab.db'}"
    a_study(storage)
    assert a_study(storage).name == "s"
    with pytest.raises(SpaceChangedError, match="its goals were maximize yield"):
        Study(SPACE, objectives={"yield": "maximize"}, name="s", storage=storage)
    assert Study(SPACE, name="s", storage=storage).goals.names == ("yield", "cost", "impurity")


def test_a_row_of_a_data_frame_is_a_result():
    pandas = pytest.importorskip("pandas")
    study = Study({"x": Float(0, 1)}, objectives={"a": "maximize", "b": "minimize"}, seed=0)
    rows = pandas.DataFrame({"a": [1.0, 2.0], "b": [3, pandas.NA]})
    assert study.tell(study.ask(), rows.iloc[0]).outcomes == {"a": 1.0, "b": 3.0}
    assert study.tell(study.ask(), rows.iloc[1]).outcomes == {"a": 2.0}


def test_a_dict_for_a_study_of_one_number_says_how_outcomes_are_named():
    with pytest.raises(OutcomeError, match=r"tell a number, or name .*objectives=\{'yield': 'max"):
        Study(SPACE).add(point(0.5), {"yield": 3.0})


def test_a_study_of_other_names_says_how_to_go_on_with_them(storage):
    """It said direction='maximize', which is of a study without names."""
    study = a_study(storage)
    with pytest.raises(SpaceChangedError, match=r"change_space\(space, objectives=\.\.\.\)"):
        Study(SPACE, objectives={"yield": "maximize"}, name="s", storage=study.storage)


def test_a_spread_without_a_value_is_not_lost_without_a_word():
    study = a_study()
    trial = study.ask()
    with pytest.raises(OutcomeError, match="a spread of cost is given, and no value of it"):
        study.tell(trial, {"yield": 1.0}, noise={"yield": 0.1, "cost": 0.1})
    told = study.tell(trial, {"yield": 1.0, "cost": None}, noise={"yield": 0.1, "cost": 0.1})
    assert told.noises == {"yield": 0.1}
    spreads = {"noise of yield": 0.1, "noise of cost": 0.2}
    rows = [{**point(0.2), "yield": 1.0, "cost": None, **spreads}]
    assert study.add(rows)[0].noises == {"yield": 0.1}


def test_more_objectives_than_a_hypervolume_has_are_refused_at_once_by_ei():
    """They were refused in the first trial after the first design."""
    six = dict.fromkeys("abcdef", "maximize")
    with pytest.raises(SettingsError, match="ei measures hypervolumes of 2 to 5 objectives"):
        Study({"x": Float(0, 1)}, objectives=six, method="ei")
    assert Study({"x": Float(0, 1)}, objectives=six).goals.names == tuple("abcdef")


def test_a_method_that_does_not_fit_the_stored_goals_is_refused(tmp_path):
    """Where the goals are left out, since the study has them."""
    there = {"name": "two", "storage": f"sqlite:///{tmp_path / 'lab.db'}"}
    goals = {"objectives": {"a": "maximize", "b": "minimize"}}
    Study({"x": Float(0, 1)}, **goals, **there)
    with pytest.raises(SettingsError, match="mes is for one objective without constraints"):
        Study({"x": Float(0, 1)}, method="mes", **there)
    with pytest.raises(SettingsError, match="pims takes the options effort"):
        Study({"x": Float(0, 1)}, options={"kind": "rff"}, **there)


def test_the_noise_of_an_outcome_is_stated_once_for_all_its_results(storage):
    stated = Study(SPACE, **WANTED, name="n", storage=storage, seed=0, noise={"yield": 4.0})
    told = Study(SPACE, **WANTED, seed=0)
    for i in range(6):
        result = {"yield": 10.0 * i, "cost": 1.0 + i, "impurity": 0.1 * i}
        stated.add(point(i / 5), result)
        told.add(point(i / 5), result, noise={"yield": 4.0})
    stated = Study.load("n", storage=stated.storage)
    for name in ("yield", "cost"):
        one, other = (study.predict([point(0.3)], name) for study in (stated, told))
        assert (one.mean[0], one.std[0]) == (other.mean[0], other.std[0])
    assert stated.ask().params == told.ask().params


@pytest.mark.parametrize(
    ("noise", "words"),
    [
        ({"yeild": 1.0}, "there is no outcome 'yeild'.*did you mean 'yield'"),
        ({"yield": -1.0}, "noise of yield must be a variance"),
        ({"yield": 1.0}, "a variance of every outcome; cost and impurity has none"),
    ],
)
def test_noise_that_cannot_be_meant_is_refused(noise, words):
    with pytest.raises((OutcomeError, SettingsError), match=words):
        Study(SPACE, **WANTED, noise=noise, kernel=gp.RBF(0.2), refit_every=None)
