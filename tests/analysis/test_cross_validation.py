"""Leave-one-out: the closed form is what conditioning on all other rows gives."""

import json

import numpy as np
import pytest

from pathmax import Candidates, Categorical, Float, Study, gp
from pathmax.analysis.cross_validation import CrossValidation, leave_one_out
from pathmax.errors import TrialError
from pathmax.gp.mixture import mix
from pathmax.suggestion.kept_rows import EXTENSION_BLOCK, MOST

MIXED = gp.Product((gp.Matern52(lengthscale=[0.4, 0.7], on=(0, 1)), gp.Categorical(0.4, on=(2,))))


def case(rng, bowl=None):
    X = np.column_stack([rng.random((14, 2)), rng.integers(3, size=14)])
    X[5] = X[3]  # a replicate
    y = np.sin(5 * X[:, 0]) + X[:, 2] + 0.1 * rng.standard_normal(14)
    noises = rng.uniform(0.001, 0.1, 14)
    prior = gp.GaussianProcess(MIXED, 0.02, 0.3, bowl=bowl)
    return prior, X, y, noises


@pytest.mark.parametrize("bowl", [None, gp.Bowl(0.8, (0, 1))])
def test_it_is_what_a_model_without_the_row_predicts(rng, bowl):
    prior, X, y, noises = case(rng, bowl)
    mean, std = leave_one_out(prior.condition(X, y, noises))
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        model = prior.condition(X[rest], y[rest], noises[rest])
        expected, spread = model.predict(X[i : i + 1])
        assert mean[i] == pytest.approx(expected[0], abs=1e-9)
        assert std[i] ** 2 == pytest.approx(spread[0] ** 2 + noises[i], rel=1e-8)


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_a_study_answers_in_its_own_units(direction, rng):
    study = Study({"x": Float(0, 10), "c": Categorical(["a", "b"])}, direction=direction, seed=0)
    for i, x in enumerate(rng.uniform(0, 10, 20).tolist()):
        study.add({"x": x, "c": "ab"[i % 2]}, 1000 + np.exp(0.5 * x) + 3 * (i % 2))
    trial = study.ask()
    study.fail(trial, "broke")
    study.ask()  # still running
    check = study.cross_validate()
    assert check.trials == tuple(range(20)) and len(check) == 20
    assert check.measured.tolist() == [t.value for t in study.trials[:20]]
    transform = study.posterior().transform
    seen = [(w, view.surrogates["value"]) for w, view in study._session.beliefs()]
    assert len({one.transform.power for _, one in seen}) > 1  # their units differ
    mean, std = mix(
        (w, transform.convert(one.transform, *leave_one_out(one.model))) for w, one in seen
    )
    assert len(seen) > 1 and check.mean == pytest.approx(transform.outward(mean))
    assert check.std == pytest.approx(transform.spread(mean, std))
    assert np.all((check.low < check.mean) & (check.mean < check.high))
    assert check.explained > 0.8 and check.typical_error < 20  # of values from 1001 to 1150
    inside = (check.low <= check.measured) & (check.measured <= check.high)
    assert check.inside(0.95) == pytest.approx(inside.mean())


def test_an_outcome_that_is_missing_in_some_trials(rng):
    study = Study({"x": Float(0, 1)}, objectives={"a": "maximize", "b": "minimize"}, seed=0)
    for i, x in enumerate(np.linspace(0, 1, 9).tolist()):
        study.add({"x": x}, {"a": x * x, "b": -x} if i != 4 else {"a": x * x})
    check = study.cross_validate("b")
    assert check.outcome == "b" and check.trials == (0, 1, 2, 3, 5, 6, 7, 8)
    assert check.measured == pytest.approx(-np.delete(np.linspace(0, 1, 9), 4))


def made(z, spread=1.0):
    """A cross-validation with these standardised errors, of values about 0."""
    z = np.asarray(z, dtype=float)
    values = np.linspace(-3, 3, len(z)) * spread
    std = np.ones(len(z))
    return CrossValidation("value", tuple(range(len(z))), values, values - z, std,
                           values - z - 1.96, values - z + 1.96, z)  # fmt: skip


def test_the_verdict_on_intervals():
    normal = np.random.default_rng(3).standard_normal(100)
    assert made(normal).verdict == "right"
    assert made(3 * normal).verdict == "narrow"
    assert made(normal / 3).verdict == "wide"
    assert made(normal[:4]).verdict == "unknown"
    mistaken = [made(np.random.default_rng(i).standard_normal(30)).verdict for i in range(200)]
    assert mistaken.count("right") > 175


def test_the_sentence_says_what_a_colleague_would():
    normal = np.random.default_rng(3).standard_normal(50)
    assert "predicts well" in made(normal, 5.0).sentence
    assert "which can be trusted" in made(normal, 5.0).sentence
    assert "no better than their mean" in made(normal, 0.01).sentence
    assert "expect surprises" in made(4 * normal).sentence
    assert "wider than needed" in made(normal / 4).sentence
    assert "too few to say" in made(normal[:3]).sentence
    constant = Study({"x": Float(0, 1)}, seed=0)
    for i in range(6):
        constant.add({"x": i / 6}, 2.0)
    check = constant.cross_validate()
    assert "nothing to predict" in str(check)
    assert json.loads(json.dumps(check.to_json()))["explained"] is None


def test_pools_and_too_few_results():
    rows = [{"id": f"m{i}", "x": i / 9} for i in range(10)]
    study = Study(Candidates(rows, id="id"), seed=0)
    with pytest.raises(TrialError, match="tell one first"):
        study.cross_validate()
    study.add(rows[0], 1.0)
    with pytest.raises(TrialError, match="needs two results, got 1"):
        study.cross_validate()
    for row in rows[1:]:
        study.add(row, 1 + row["x"])
    check = study.cross_validate()
    assert check.explained > 0.9
    plain = json.loads(json.dumps(check.to_json()))
    assert plain["trials"] == list(range(10)) and len(plain["low"]) == 10


def test_of_many_results_those_that_the_model_holds_are_left_out_in_turn(rng):
    study = Study({"x": Float(0, 1)}, direction="maximize", seed=0)
    study.add([{"x": x, "value": np.sin(9 * x)} for x in rng.random(MOST + EXTENSION_BLOCK)])
    found = study.cross_validate()
    assert len(found) == len(found.mean) == MOST
    assert found.total == MOST + EXTENSION_BLOCK
    assert f"of the {MOST} results that the model has, of {found.total}, are within" in str(found)
    trials = study.trials
    assert found.measured.tolist() == [trials[number].value for number in found.trials]


def test_what_a_stopped_trial_was_expected_to_reach_is_no_result():
    study = Study({"x": Float(0, 1)}, direction="maximize", seed=0)
    for number in range(8):
        trial = study.ask()
        for step in range(1, 9):
            study.report(trial, step, trial.params["x"] - 0.5**step)
        if number in (5, 6):
            study.stop(trial)
        else:
            study.tell(trial, trial.params["x"])
    assert all(study.trials[number].expected_end for number in (5, 6))
    assert sorted(study.cross_validate().trials) == [0, 1, 2, 3, 4, 7]


def test_a_smooth_function_without_noise_is_predicted_well():
    study = Study({"x": Float(0, 1)}, direction="maximize", seed=0)
    study.optimize(lambda params: -((params["x"] - 0.3) ** 2), 12, progress=False)
    check = study.cross_validate()
    assert check.explained > 0.8 and np.abs(check.z).max() < 4.0


def test_the_sentence_names_the_intervals_that_told():
    scattered = np.concatenate(
        [np.full(18, 1.2), np.full(2, -1.2)]
    )  # all within 95 %, none in 50 %
    assert "0 of 20 results are within their 50 % intervals, which are too narrow" in str(
        made(scattered)
    )


def test_it_is_printed_without_the_numbers_of_all_trials():
    study = Study({"x": Float(0, 1)}, direction="maximize", seed=0)
    for trial in study.ask(6):
        study.tell(trial, trial.params["x"])
    assert repr(study.cross_validate()) == "CrossValidation(outcome='value', total=6)"
