"""Draws of a kernel's parameters: against the posterior integrated on a grid."""

import itertools

import numpy as np
import pytest

from pathmax import gp
from pathmax.gp.fitting import ScaledPosterior
from pathmax.gp.parameter_draws import draw_parameters, evened, systematic
from pathmax.gp.parameter_posterior import ParameterPosterior
from pathmax.gp.priors import default_priors


def posterior_of(X, y, noises=None):
    noises = np.full(len(y), np.nan) if noises is None else noises
    return ParameterPosterior(gp.Matern52(1.0), X, y, noises, default_priors(X.shape[1]))


@pytest.mark.parametrize("n", [3, 12])
def test_the_draws_have_the_moments_of_the_posterior(n, rng):
    X = rng.random((n, 1))
    y = np.sin(5 * X[:, 0])
    posterior = posterior_of(X, (y - y.mean()) / y.std(), np.full(n, 1e-4))
    mode = posterior.mode(posterior.start)
    draws = np.concatenate([draw_parameters(posterior, mode, 16, rng) for _ in range(40)])
    axes = [np.linspace(-4, 4, 81) + mode[0], np.linspace(-3, 3, 61) + mode[1]]
    grid = np.array([[*pair, mode[2]] for pair in itertools.product(*axes)])
    weights = np.exp([posterior.log_probability(theta) for theta in grid])
    weights /= weights.sum()
    mean = weights @ grid
    std = np.sqrt(weights @ (grid - mean) ** 2)
    np.testing.assert_allclose(draws[:, :2].mean(axis=0), mean[:2], atol=0.15)
    np.testing.assert_allclose(draws[:, :2].std(axis=0), std[:2], rtol=0.2)
    assert np.all(draws[:, 2] == mode[2])  # a noise that is given is not drawn


def test_the_probability_is_that_of_the_marginal_likelihood(rng):
    """The prior mean integrated out is a constant kernel on top, to a constant."""
    X, y = rng.random((7, 2)), rng.standard_normal(7)
    posterior = posterior_of(X, y)
    spread = default_priors(2).mean_spread
    found, true = [], []
    for theta in rng.standard_normal((4, len(posterior.location))) * 0.3:
        kernel, noise = posterior.model(theta)
        K = kernel(X) + noise * np.eye(7) + spread**2
        off = theta - posterior.location
        likelihood = -0.5 * (y @ np.linalg.solve(K, y) + np.linalg.slogdet(K)[1])
        true.append(likelihood - 0.5 * off @ posterior.precision @ off)
        found.append(posterior.log_probability(theta))
    np.testing.assert_allclose(np.diff(found), np.diff(true), rtol=1e-8)


def test_systematic_draws_follow_the_weights(rng):
    numbers = systematic(np.array([0.5, 0.25, 0.0, 0.25]), 8, rng)
    assert np.bincount(numbers, minlength=4).tolist() == [4, 2, 0, 2]


def test_weights_of_a_bad_proposal_are_evened():
    weights = evened(np.array([0.0, -100.0, -200.0, -np.inf]), least=2)
    assert weights.sum() == pytest.approx(1.0) and weights[3] == 0.0
    assert 0.0 < weights[1] < weights[0]
    even = evened(np.zeros(5), least=3)
    np.testing.assert_allclose(even, 0.2)


def test_several_processes_are_in_the_units_of_y(rng):
    X = rng.random((10, 2))
    y = 1000.0 + 50.0 * np.sin(4 * X[:, 0])
    kernel = gp.Matern52(np.ones(2))
    learning = ScaledPosterior.of(kernel, X, y, bowl_on=(0, 1))
    several = learning.draw(learning.learn(), 16, rng)
    assert len(several) == 16 and all(one.n == 0 for one in several)
    means = [float(one.condition(X, y).predict([[0.5, 0.5]]).mean[0]) for one in several]
    assert 900 < min(means) < max(means) < 1100


def test_equal_values_leave_one_explanation(rng):
    X = rng.random((4, 1))
    learning = ScaledPosterior.of(gp.RBF(1.0), X, np.ones(4))
    best = learning.learn()
    assert learning.draw(best, 3, rng) == [best] * 3
