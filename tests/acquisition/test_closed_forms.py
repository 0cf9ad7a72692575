"""Closed forms against Monte Carlo with common samples, and their tails against high precision."""

import math

import numpy as np
import pytest

from pathmax import gp
from pathmax.acquisition import normal
from pathmax.acquisition.entropy import MaxValueEntropy, log_entropy_gain
from pathmax.acquisition.improvement import estimated_maximum
from pathmax.acquisition.improvement_rules import ExpectedImprovement, ProbabilityOfImprovement
from pathmax.acquisition.joint_entropy import ExactJointEntropy, JointEntropy
from pathmax.acquisition.scores import PosteriorScore
from pathmax.acquisition.ucb import UpperConfidence

MEAN = np.array([-1.0, 0.0, 0.4, 1.5, 0.9])
STD = np.array([0.5, 1.0, 0.1, 2.0, 0.7])
N = 400_000


@pytest.fixture(name="draws")
def _draws(rng):
    return MEAN + STD * rng.standard_normal((N, 1))  # common samples, (N, 5)


@pytest.mark.parametrize("reference", [-0.5, 0.8], ids=["incumbent", "g*"])
def test_expected_improvement(draws, reference):
    """EI from the incumbent, EIMS from g*: the same closed form."""
    gain = np.maximum(draws - reference, 0.0)
    error = gain.std(axis=0) / math.sqrt(N) + 1e-12
    ei = np.exp(ExpectedImprovement(reference)(MEAN, STD))
    assert (np.abs(gain.mean(axis=0) - ei) < 4.5 * error).all()


def test_probability_of_improvement(draws):
    better = draws > 0.8
    p = np.exp(ProbabilityOfImprovement(0.8).log_probability(MEAN, STD))
    error = np.sqrt(p * (1 - p) / N) + 1e-9
    assert (np.abs(better.mean(axis=0) - p) < 4.5 * error).all()


def test_max_value_entropy_is_the_entropy_that_truncation_takes(draws):
    """H[f] - H[f | f < g*], the second from the density of the samples that stay below g*."""
    g_stars = np.array([1.2, 2.0])
    gain = np.zeros(5)
    for g_star in g_stars:
        for i in range(5):
            kept = draws[draws[:, i] < g_star, i]
            z = (kept - MEAN[i]) / STD[i]
            share = len(kept) / N
            # -log density of the truncated normal, averaged over its samples
            after = np.mean(0.5 * z**2) + math.log(share * STD[i] * math.sqrt(2 * math.pi))
            before = 0.5 + math.log(STD[i] * math.sqrt(2 * math.pi))
            gain[i] += (before - after) / 2
    found = np.exp(MaxValueEntropy(g_stars)(MEAN, STD))
    np.testing.assert_allclose(found, gain, atol=0.01)


def test_joint_entropy_is_the_variance_that_knowing_the_maximum_takes(rng):
    """Draw f(x) given f(x*) = g* and keep what is below g*: its variance is in the closed form."""
    model = gp.GaussianProcess(gp.RBF(0.3), 1e-3).condition([[0.1], [0.5]], [0.2, -0.3])
    x_star, g_star = np.array([[0.8]]), np.array([1.1])
    score = JointEntropy(model, x_star, g_star)
    for x in (0.3, 0.65, 0.9):
        mean, cov = model.joint(np.array([[x], [0.8]]))
        slope = cov[0, 1] / cov[1, 1]
        m = mean[0] + slope * (g_star[0] - mean[1])
        s = math.sqrt(cov[0, 0] - slope * cov[0, 1])
        draws = m + s * rng.standard_normal(N)
        kept = draws[draws < g_star[0]]
        expected = 0.5 * math.log((cov[0, 0] + 1e-3) / (kept.var() + 1e-3))
        assert score(np.array([[x]]))[0] == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("noise", [1e-6, 1e-2, 0.5])
def test_exact_joint_entropy_is_the_information_about_the_maximum(rng, noise):
    """The entropy of the measured value from draws: -log of its density, which is a mean too.

    p(y) = E phi((y - f) / e) / e over the law of f(x) given f(x*) = g* and f(x) < g*.
    """
    model = gp.GaussianProcess(gp.RBF(0.3), noise).condition([[0.1], [0.5]], [0.2, -0.3])
    x_star, g_star = np.array([[0.8]]), np.array([1.1])
    exact, bound = (s(model, x_star, g_star) for s in (ExactJointEntropy, JointEntropy))
    for x in (0.3, 0.65, 0.9):
        mean, cov = model.joint(np.array([[x], [0.8]]))
        slope = cov[0, 1] / cov[1, 1]
        m = mean[0] + slope * (g_star[0] - mean[1])
        s = math.sqrt(cov[0, 0] - slope * cov[0, 1])
        draws = m + s * rng.standard_normal(N)
        kept = draws[draws < g_star[0]]
        y = kept + math.sqrt(noise) * rng.standard_normal(len(kept))
        density, edges = np.histogram(y, bins=np.linspace(y.min(), y.max(), 201), density=True)
        after = -np.sum(density * np.log(np.maximum(density, 1e-300)) * np.diff(edges))
        expected = 0.5 * math.log(2 * math.pi * math.e * (cov[0, 0] + noise)) - after
        found = exact(np.array([[x]]))[0]
        assert found == pytest.approx(expected, abs=0.02)
        assert bound(np.array([[x]]))[0] <= found + 1e-9  # a bound from below


def test_the_estimated_maximum_is_that_of_independent_normals(rng):
    mean, std = rng.standard_normal(50), rng.uniform(0.1, 1.5, 50)
    maxima = (mean + std * rng.standard_normal((100_000, 50))).max(axis=1)
    for floor in (-5.0, 3.0):
        expected = np.maximum(maxima, floor)
        error = 4.5 * expected.std() / math.sqrt(len(expected))
        assert abs(estimated_maximum(mean, std, floor) - expected.mean()) < error


def test_tails_are_exact_at_minus_forty():
    """Against the asymptotic series of the tail, which at 40 has more digits than a float."""
    log_phi = -800.0 - 0.5 * math.log(2 * math.pi)
    tail = 1 / 40 - 1 / 40**3 + 3 / 40**5 - 15 / 40**7  # Phi(-40) / phi(40)
    loss = 1 / 40**2 - 3 / 40**4 + 15 / 40**6 - 105 / 40**8  # (phi - 40 Phi(-40)) / phi
    mean, std = np.zeros(1), np.ones(1)
    exact = {
        normal.log_cdf(np.array([-40.0]))[0]: tail,
        ProbabilityOfImprovement(40.0).log_probability(mean, std)[0]: tail,
        ExpectedImprovement(40.0)(mean, std)[0]: loss,
        log_entropy_gain(np.array([40.0]))[0][0]: 20 + tail,
    }
    for value, share in exact.items():
        assert value == pytest.approx(log_phi + math.log(share), abs=1e-9)


@pytest.mark.parametrize("std", [1.0, 1e-6, 1e-12, 0.0])
def test_nothing_is_ever_nan(std):
    mean = np.array([-1e8, -40.0, -1.0, 0.0, 1e-13, 1.0, 40.0, 1e8])
    stds = np.full(len(mean), std)
    for rule in (
        ExpectedImprovement(0.0),
        ProbabilityOfImprovement(0.0),
        MaxValueEntropy(np.array([0.0, 1.0])),
        UpperConfidence(2.0),
    ):
        for part in rule.partials(mean, stds):
            assert not np.isnan(part).any()
        value = rule(mean, stds)
        assert np.isfinite(value).all()
        if not isinstance(rule, MaxValueEntropy):
            assert (np.diff(value) >= 0).all()  # more is better, however far out


RULES = [
    ExpectedImprovement(0.5),
    ExpectedImprovement(9.0),
    ProbabilityOfImprovement(0.5),
    MaxValueEntropy(np.array([0.4, 1.0, 2.5])),
    UpperConfidence(1.7),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
def test_partials_are_finite_differences(rule):
    value, by_mean, by_std = rule.partials(MEAN, STD)
    np.testing.assert_allclose(value, rule(MEAN, STD))
    h = 1e-6
    np.testing.assert_allclose(
        by_mean, (rule(MEAN + h, STD) - rule(MEAN - h, STD)) / (2 * h), rtol=1e-5, atol=1e-6
    )
    np.testing.assert_allclose(
        by_std, (rule(MEAN, STD + h) - rule(MEAN, STD - h)) / (2 * h), rtol=1e-5, atol=1e-6
    )


@pytest.mark.parametrize("n", [0, 12], ids=["prior", "posterior"])
def test_input_gradients_are_finite_differences(rng, n):
    X, at = rng.random((n, 3)), rng.random((6, 3))
    model = gp.GaussianProcess(gp.Matern52([0.4, 0.6, 0.9]), 1e-3).condition(X, X.sum(axis=1))
    scores = [PosteriorScore(model, rule) for rule in RULES]
    if n:
        pairs = rng.random((4, 3)), np.array([3.1, 3.3, 3.0, 3.6])
        scores += [JointEntropy(model, *pairs), ExactJointEntropy(model, *pairs)]
    for score in scores:
        value, gradient = score.value_and_gradient(at)
        np.testing.assert_allclose(value, score(at), rtol=1e-9, atol=1e-12)
        for k in range(3):
            step = np.zeros(3)
            step[k] = 1e-6
            slope = (score(at + step) - score(at - step)) / 2e-6
            np.testing.assert_allclose(gradient[:, k], slope, rtol=1e-4, atol=1e-5)
