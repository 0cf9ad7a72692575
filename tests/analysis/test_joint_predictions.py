"""What a study with several outcomes knows beyond the next trial."""

import numpy as np
import pytest
from scipy.stats import norm

from pathmax import Float, Study
from pathmax.analysis.joint_predictions import spread_out, within
from pathmax.errors import ParamsError, SettingsError, TrialError

SQUARE = {"x": Float(0, 1), "y": Float(0, 1)}


def constrained() -> Study:
    study = Study(SQUARE, constraints={"ball": "<= 1"}, seed=0)
    rng = np.random.default_rng(1)
    for x, y in rng.random((40, 2)):
        study.add({"x": x, "y": y}, {"value": x + y, "ball": x**2 + y**2})
    return study


def test_the_recommendation_keeps_the_bound_and_is_the_best_that_does():
    study = constrained()
    params = study.recommend()
    assert params["x"] ** 2 + params["y"] ** 2 <= 1.0
    assert params["x"] + params["y"] == pytest.approx(2**0.5, abs=0.03)
    assert study.feasibility([params])[0] >= 0.94


def test_predictions_are_asked_for_by_outcome():
    study = constrained()
    mean, std = study.predict([{"x": 0.5, "y": 0.5}], "ball")
    assert mean[0] == pytest.approx(0.5, abs=0.05) and std[0] < 0.1
    with pytest.raises(SettingsError, match="which outcome"):
        study.predict([{"x": 0.5, "y": 0.5}])
    with pytest.raises(SettingsError, match="this study has value, ball"):
        study.predict([{"x": 0.5, "y": 0.5}], "colour")
    inside, outside = study.feasibility([{"x": 0.2, "y": 0.2}, {"x": 0.9, "y": 0.9}])
    assert inside > 0.99 and outside < 0.01


def test_the_probability_of_the_bounds_takes_a_list_as_predictions_do():
    study = constrained()
    for one in ({"x": 0.2, "y": 0.2}, "x=0.2", 3):
        with pytest.raises(ParamsError, match=r"for one point write \[params\]"):
            study.feasibility(one)


def test_the_probability_of_the_bounds_takes_a_context_as_predictions_do():
    study = Study({"x": Float(0, 1), "h": Float(0, 1, context=True)}, constraints={"c": "<= 1"})
    for x in (0.1, 0.4, 0.9):
        study.add({"x": x, "h": x}, {"value": x, "c": 2 * x})
    point = {"x": 0.2, "h": 0.3}
    assert study.feasibility([{"x": 0.2}], context={"h": 0.3}) == study.feasibility([point])


def test_the_recommended_front_trades_one_objective_for_the_other():
    study = Study(SQUARE, objectives={"a": "maximize", "b": "maximize"}, seed=0)
    rng = np.random.default_rng(1)
    for x, y in rng.random((30, 2)):
        study.add({"x": x, "y": y}, {"a": x - (y - 0.5) ** 2, "b": 1 - x**2 - (y - 0.5) ** 2})
    front = study.recommend_front()
    assert 5 <= len(front) <= 20
    assert np.mean([abs(params["y"] - 0.5) for params in front]) < 0.05
    xs = [params["x"] for params in front]
    assert xs == sorted(xs, reverse=True) and xs[0] > 0.9 and xs[-1] < 0.15
    with pytest.raises(SettingsError, match="recommend_front"):
        study.recommend()


def test_nothing_is_predicted_of_an_outcome_without_values():
    study = Study(SQUARE, constraints={"ball": "<= 1"}, seed=0)
    study.add({"x": 0.1, "y": 0.2}, {"value": 1.0})
    with pytest.raises(TrialError, match="no trial has a value of ball"):
        study.predict([{"x": 0.5, "y": 0.5}], "ball")
    with pytest.raises(TrialError, match="nothing is known of ball"):
        study.feasibility([{"x": 0.5, "y": 0.5}])
    with pytest.raises(TrialError, match="nothing is known of ball"):
        study.recommend()  # which of them would keep the bound?
    with pytest.raises(TrialError, match="nothing is known of ball"):
        study.recommend_front()


def test_the_probability_within_bounds(rng):
    mean, std = rng.normal(size=9), rng.uniform(0.2, 2.0, 9)
    for low, high in [(-0.5, 0.7), (-np.inf, 0.7), (-0.5, np.inf)]:
        exact = norm.cdf(high, mean, std) - norm.cdf(low, mean, std)
        np.testing.assert_allclose(np.exp(within(mean, std, low, high)), exact, rtol=1e-9)
    far = within(np.array([0.0, 0.0, 9.0]), np.ones(3), 9.0, 9.5)
    np.testing.assert_allclose(np.exp(far[:2]), norm.sf(9.0) - norm.sf(9.5), rtol=1e-9)
    np.testing.assert_allclose(np.exp(far[2]), norm.cdf(0.5) - 0.5, rtol=1e-9)
    assert np.exp(within(np.zeros(1), np.full(1, 1e-9), 1.0, 2.0)) == 0.0


def test_few_points_stand_for_a_front(rng):
    t = np.sort(rng.random(300))
    front = np.stack([t, 1 - t], axis=1)
    rows = np.asarray(spread_out(front, 10))
    assert len(rows) == 10 and (np.diff(front[rows, 0]) < 0).all()
    assert front[rows, 0].max() == t.max() and np.abs(np.diff(front[rows, 0])).max() < 0.3


def test_the_card_speaks_of_every_outcome():
    study = constrained()
    card = study.explain(study.ask())
    assert "expected value" in card and "expected ball" in card and "should reach" in card


def test_points_that_stand_for_a_front_differ():
    """With an objective that never varies the same point stood there twenty times."""
    study = Study(SQUARE, objectives={"a": "maximize", "b": "minimize"}, seed=0)
    for x, y in np.random.default_rng(1).random((12, 2)):
        study.add({"x": x, "y": y}, {"a": 3.0, "b": (x - 0.5) ** 2 + y})
    some = study.recommend_front()
    assert len(some) == len({tuple(params.items()) for params in some})
