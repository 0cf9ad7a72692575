"""Bounds that models are held to: as stated, but where all that keeps one is exactly at it."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from pathmax import Float, Study
from pathmax.analysis.joint_predictions import feasibility
from pathmax.suggestion.beliefs import Belief
from pathmax.suggestion.model_bounds import WAY_BEYOND, model_bounds
from pathmax.trials.goals import Goal

SQUARE = {"x": Float(0, 1), "y": Float(0, 1)}


def test_a_bound_that_is_told_as_passed_or_failed_moves_a_share_of_the_way():
    told = np.array([0.0, 1.0, 0.0, 1.0])
    assert model_bounds(Goal("failed", high=0.0), told) == (-math.inf, WAY_BEYOND)
    assert model_bounds(Goal("passed", low=1.0), told) == (1.0 - WAY_BEYOND, math.inf)


def test_it_moves_towards_the_nearest_result_that_breaks_it():
    """As where only the excess over a limit is told."""
    excess = np.array([0.0, 3.0, 0.5, 0.0])
    assert model_bounds(Goal("excess", high=0.0), excess) == (-math.inf, 0.5 * WAY_BEYOND)


@pytest.mark.parametrize(
    "told",
    [
        [0.0, 1.0, -0.2],  # a result inside: values are measured
        [0.3, 1.0],  # nothing at the bound
        [0.0, 0.0],  # nothing beyond it
        [],
    ],
)
def test_it_stays_where_values_are_measured_or_nothing_is_known_of_one_side(told):
    assert model_bounds(Goal("failed", high=0.0), np.array(told)) == (-math.inf, 0.0)


def test_each_of_two_bounds_moves_by_what_breaks_it():
    wanted = Goal("fit", low=0.0, high=0.0)  # -1 is too tight, 2 is too loose
    assert model_bounds(wanted, np.array([0.0, -1.0, 2.0])) == (-WAY_BEYOND, 2.0 * WAY_BEYOND)
    assert model_bounds(wanted, np.array([0.0, 2.0])) == (0.0, 2.0 * WAY_BEYOND)
    wide = Goal("fit", low=0.0, high=4.0)
    assert model_bounds(wide, np.array([0.0, 4.0, 1.0, 9.0])) == (0.0, 4.0)


def test_an_objective_without_bounds_has_none():
    assert model_bounds(Goal("value", "maximize"), np.array([0.0])) == (-math.inf, math.inf)


def test_the_largest_numbers_do_not_overflow():
    low, _ = model_bounds(Goal("f", low=1e308), np.array([1e308, -1e308]))
    assert low == pytest.approx((1.0 - 2.0 * WAY_BEYOND) * 1e308)


def told_by_class(fail: float = 1.0, limit: str = "<= 0") -> Study:
    """Passed where x + y is at most 1, which is what is to be maximised."""
    study = Study(SQUARE, constraints={"test": limit}, seed=0)
    for x, y in np.random.default_rng(1).random((25, 2)):
        told = fail if x + y > 1.0 else 0.0
        study.add({"x": x, "y": y}, {"value": x + y, "test": told})
    return study


@pytest.mark.parametrize(("fail", "limit"), [(1.0, "<= 0"), (-1.0, ">= 0"), (250.0, "<= 0")])
def test_what_passed_is_expected_to_pass_and_what_failed_to_fail(fail, limit):
    study = told_by_class(fail, limit)
    passed = [trial.params for trial in study.trials if trial.outcomes["test"] == 0.0]
    failed = [trial.params for trial in study.trials if trial.outcomes["test"] != 0.0]
    assert study.feasibility(passed).min() > 0.8
    assert study.feasibility(failed).max() < 0.1


def test_results_are_judged_by_the_bound_as_it_is_stated():
    study = told_by_class()
    best = max(t.outcomes["value"] for t in study.trials if t.outcomes["test"] == 0.0)
    assert study.best_trial.value == best
    study.add({"x": 0.6, "y": 0.6}, {"value": 1.2, "test": 0.5 * WAY_BEYOND})  # within the model's
    assert study.best_trial.value == best
    assert study.goals.named("test").words == "test <= 0"


def test_suggestions_are_derived_again_and_their_cards_have_no_other_bound():
    study = told_by_class()
    for _ in range(4):
        trial = study.ask()
        told = float(trial.params["x"] + trial.params["y"] > 1.0)
        study.tell(trial, {"value": trial.params["x"] + trial.params["y"], "test": told})
        assert study.replay(trial) == trial.params
        assert "target" not in trial.info["outcomes"]["test"]
    assert study.best_trial.value > 0.97


def test_predictions_and_suggestions_are_held_to_the_same_bound():
    study = told_by_class()
    landscape = study._session.landscape()
    seen = landscape.settled("test")
    moved = landscape.surrogates["test"].transform.inward([WAY_BEYOND])[0]
    assert seen.low == moved and seen.high == math.inf
    mean, std = seen.model.predict(np.array([[0.3, 0.6]]))
    (probability,) = feasibility((Belief(1.0, landscape),), np.array([[0.3, 0.6]]))
    assert probability == pytest.approx(norm.cdf((mean[0] - moved) / std[0]))
