"""The probability that all outcomes reach their targets: values, gradients, and PIMS within it."""

import math

import numpy as np
import pytest
from scipy.special import log_ndtr

from pathmax import gp
from pathmax.acquisition.expected_hypervolume import ExpectedHypervolume
from pathmax.acquisition.improvement_rules import ExpectedImprovement, ProbabilityOfImprovement
from pathmax.acquisition.joint import AllReach, Feasible, JointScore, One
from pathmax.acquisition.scores import PosteriorScore
from pathmax.errors import ModelError


def joint_moments(models, U):
    """Means and stds of every model: (m, d) -> (m, k), (m, k)."""
    moments = [model.look(U) for model in models]
    return np.stack([m.mean for m in moments], 1), np.stack([m.std for m in moments], 1)


@pytest.fixture(name="models")
def _models(rng):
    """Three outcomes, measured at different points, one of them with a bowl."""
    kernels = [gp.RBF(0.3), gp.Matern52([0.2, 0.5]), gp.Matern52(0.4, outputscale=2.0)]
    models = [gp.GaussianProcess(kernel, 1e-4, mean=0.1 * i) for i, kernel in enumerate(kernels)]
    rows = [9, 6, 0]
    return [
        m.condition(rng.random((n, 2)), rng.random(n)) for m, n in zip(models, rows, strict=True)
    ]


RULES = {
    "all": AllReach(np.array([0.5, 0.2, -0.3])),
    "no target": AllReach(np.array([-np.inf, 0.2, -0.3])),
    "constrained ei": Feasible(One(ExpectedImprovement(0.4)), 1, np.array([0.2, 0.0])),
    "nothing feasible": Feasible(None, 1, np.array([0.2, 0.0])),
    "constrained ehvi": Feasible(
        ExpectedHypervolume([[0.2, 0.5], [0.6, 0.1]], [0.0, 0.0]), 2, np.array([0.1])
    ),
}


@pytest.mark.parametrize("name", RULES)
def test_gradients_by_finite_differences(models, rng, name):
    score = JointScore(models, RULES[name])
    U = rng.random((5, 2))
    value, gradient = score.value_and_gradient(U)
    np.testing.assert_allclose(value, score(U), rtol=1e-10)
    for i in range(2):
        step = 1e-6 * (np.arange(2) == i)
        slope = (score(U + step) - score(U - step)) / 2e-6
        np.testing.assert_allclose(gradient[:, i], slope, rtol=1e-4, atol=1e-5)


def test_the_score_is_the_probability_that_all_reach(models, rng):
    U = rng.random((4, 2))
    targets = np.array([0.5, 0.2, -0.3])
    mean, std = joint_moments(models, U)
    draws = mean + std * rng.standard_normal((200_000, 4, 3))
    share = (draws >= targets).all(axis=2).mean(axis=0)
    found = np.exp(JointScore(models, AllReach(targets))(U))
    assert (np.abs(share - found) < 4.5 * np.sqrt(found * (1 - found) / 200_000) + 1e-9).all()


def test_constrained_improvement_against_monte_carlo(models, rng):
    U = rng.random((4, 2))
    mean, std = joint_moments(models, U)
    draws = mean + std * rng.standard_normal((200_000, 4, 3))
    gain = np.maximum(draws[..., 0] - 0.4, 0) * (draws[..., 1:] >= [0.2, 0.0]).all(axis=2)
    found = np.exp(JointScore(models, RULES["constrained ei"])(U))
    assert (np.abs(gain.mean(axis=0) - found) < 4.5 * gain.std(axis=0) / math.sqrt(200_000)).all()


def test_with_one_outcome_it_is_pims(models, rng):
    U = rng.random((50, 2))
    pims = PosteriorScore(models[0], ProbabilityOfImprovement(0.7))
    score = JointScore(models[:1], AllReach(np.array([0.7])))
    assert (np.argsort(score(U)) == np.argsort(pims(U))).all()
    np.testing.assert_allclose(score(U), log_ndtr(pims(U)), rtol=1e-9)


def test_far_from_every_target_there_is_still_a_slope(models, rng):
    score = JointScore(models, AllReach(np.array([1e3, 1e3, -1e3])))
    value, gradient = score.value_and_gradient(rng.random((6, 2)))
    assert np.isfinite(value).all() and np.isfinite(gradient).all()
    assert (np.abs(gradient[:, 0]) > 0).all()


def test_outcomes_that_are_known_do_not_break_the_rule(rng):
    rule = AllReach(np.array([0.0, 1.0]))
    value, by_mean, by_std = rule.partials(np.array([[1.0, 0.5]]), np.array([[0.0, 0.0]]))
    assert value[0] < -1e100 and np.isfinite(by_mean).all() and np.isfinite(by_std).all()


def test_refusals(models):
    with pytest.raises(ModelError, match="at least one outcome"):
        JointScore([], AllReach(np.zeros(0)))
