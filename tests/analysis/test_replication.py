"""Replicate or explore: the worth of a measurement, and which kind is worth more."""

import numpy as np
import pytest

import pathmax
from pathmax import gp
from pathmax.analysis.replication import expected_rise, knowledge_gradient
from pathmax.errors import TrialError


def test_the_expected_rise_of_a_maximum_of_lines(rng):
    for size in (1, 2, 5, 40):
        for _ in range(5):
            a, b = rng.standard_normal(size), 0.7 * rng.standard_normal(size)
            z = rng.standard_normal(50_000)
            rise = np.max(a[:, None] + np.outer(b, z), axis=0) - a.max() - b[a.argmax()] * z
            error = rise.std() / np.sqrt(len(z))
            assert abs(expected_rise(a, b) - rise.mean()) <= 4.5 * error + 1e-12


def test_lines_by_hand():
    assert expected_rise(np.zeros(2), np.array([0.0, 1.0])) == pytest.approx(0.3989422804)
    assert expected_rise(np.array([1.0, 2.0]), np.zeros(2)) == 0.0
    assert expected_rise(np.array([0.0, 5.0, 0.0]), np.array([1.0, 1.0, 1.0])) == 0.0
    assert expected_rise(np.array([0.0, 50.0]), np.array([1.0, 0.0])) == pytest.approx(0.0)


def test_the_gain_of_a_measurement_by_simulation(rng):
    """The knowledge gradient against actually measuring, many times."""
    X = rng.random((8, 1))
    model = gp.GaussianProcess(gp.RBF(0.3), 0.3).condition(X[:5], rng.standard_normal(5))
    mean, covariance = model.joint(X)
    gains = knowledge_gradient(mean, covariance, 0.3)
    for i in (0, 6):
        draws = model.sample(X[i : i + 1], rng, 1000)[:, 0]
        y = draws + np.sqrt(0.3) * rng.standard_normal(1000)
        best = [model.condition(X[i : i + 1], [v]).predict(X).mean.max() for v in y]
        error = np.std(best) / np.sqrt(len(best))
        assert abs(np.mean(best) - mean.max() - gains[i]) < 4 * error


def study_of(noise, values, space=None):
    study = pathmax.Study(
        space or pathmax.Grid({"x": [0.0, 0.5, 1.0]}),
        kernel=gp.RBF(0.2),
        noise=noise,
        refit_every=None,
        replicates=True,
        seed=0,
    )
    for x, value in values:
        study.add({"x": x}, value)
    return study


def test_without_noise_nothing_is_gained_by_repeating():
    advice = study_of(1e-6, [(0.0, 1.0), (0.5, 0.9)]).replicate_or_explore()
    assert not advice.replicate and advice.params == {"x": 1.0} and advice.trials == ()
    assert advice.gain > 0.01 and advice.other_gain < 1e-3
    assert str(advice).startswith("measure a new point: x=1.0; expected gain")


def test_a_lucky_value_is_worth_a_second_look():
    """Two good noisy values, and a third point that four looks have shown to be poor."""
    seen = [(0.0, 2.0), (0.5, 2.1), *[(1.0, -3.0)] * 4]
    advice = study_of(1.0, seen).replicate_or_explore()
    assert advice.replicate and advice.params["x"] in (0.0, 0.5)
    assert advice.trials in ((0,), (1,)) and advice.gain > 0.05
    assert str(advice).startswith("measure again: x=") and "(trial" in str(advice)


def test_more_noise_turns_exploring_into_repeating():
    """A new point far below what the best two promise: explore when sure of them, repeat if not."""
    values = [(0.0, 2.5), (0.45, 2.4)]
    space = pathmax.Grid({"x": [0.0, 0.45, 1.0]})
    sure = study_of(1e-4, values, space).replicate_or_explore()
    unsure = study_of(2.0, values, space).replicate_or_explore()
    assert not sure.replicate
    assert unsure.gain > 0 and sure.gain >= 0
    assert unsure.other_gain < unsure.gain


def test_in_a_continuous_space_and_in_the_users_units(rng):
    study = pathmax.Study({"x": pathmax.Float(0, 1)}, direction="minimize", seed=0)
    for x in rng.random(12):
        study.add({"x": float(x)}, 1000 * (x - 0.3) ** 2 + 50 * rng.standard_normal())
    advice = study.replicate_or_explore(n_paths=40)
    assert 0 <= advice.other_gain <= advice.gain < 1000
    assert 0 <= advice.params["x"] <= 1
    assert bool(advice.trials) == advice.replicate


def test_before_any_result_there_is_nothing_to_repeat():
    with pytest.raises(TrialError):
        pathmax.Study({"x": pathmax.Float(0, 1)}).replicate_or_explore()
    fixed = study_of(0.1, [])
    with pytest.raises(TrialError, match="nothing to repeat"):
        fixed.replicate_or_explore()
