"""Lipschitz constants of the posterior std, and the tail of the derivatives."""

import math

import numpy as np
import pytest

from pathmax import gp, theory
from pathmax.errors import ModelError

SMOOTH = [gp.RBF, gp.Matern32, gp.Matern52]


def test_l_sigma_by_hand():
    assert theory.lipschitz_std(gp.RBF(0.2)) == pytest.approx(math.sqrt(2) / 0.2)
    assert theory.lipschitz_std(gp.RBF(0.2, outputscale=9.0)) == pytest.approx(3 * 7.0710678)
    assert theory.lipschitz_std(gp.RBF([0.5, 0.2])) == pytest.approx(math.sqrt(2) / 0.2)
    assert theory.lipschitz_std(gp.Matern52(0.5)) == pytest.approx(math.sqrt(2 * 5 / 3) / 0.5)
    assert theory.lipschitz_std(gp.Matern32(0.5)) == pytest.approx(math.sqrt(2 * 3) / 0.5)
    assert theory.lipschitz_std(gp.Linear(1.0, outputscale=4.0)) == pytest.approx(2.0)


@pytest.mark.parametrize("kernel", [*SMOOTH, gp.Linear], ids=lambda k: k.__name__)
def test_the_posterior_std_keeps_to_l_sigma(rng, kernel):
    k = kernel(0.3, outputscale=2.0)
    X = rng.random((1 if kernel is gp.Linear else 12, 2))  # two points settle a linear function
    model = gp.GaussianProcess(k, noise=1e-4).condition(X, np.zeros(len(X)))
    a = rng.random((4000, 2))
    b = np.clip(a + 0.02 * rng.standard_normal(a.shape), 0, 1)
    steps = np.abs(model.predict(a).std - model.predict(b).std)
    steepest = np.max(steps / np.abs(a - b).sum(axis=1))
    bound = theory.lipschitz_std(k)
    assert steepest <= bound
    assert steepest >= 0.1 * bound  # the constant is about something: it is not absurdly large


def test_kernels_without_a_constant_say_so():
    with pytest.raises(ModelError, match="nu > 1"):
        theory.lipschitz_std(gp.Matern12(0.2))
    with pytest.raises(ModelError, match="Categorical"):
        theory.lipschitz_std(gp.Categorical(0.5))


@pytest.mark.parametrize("kernel", SMOOTH, ids=lambda k: k.__name__)
def test_the_estimated_tail_holds_for_fresh_paths(rng, kernel):
    """Assumption 2.1 with the estimated a and b, on paths that were not used to estimate them."""
    k = kernel([0.3, 0.5], outputscale=4.0)
    tail = theory.derivative_tail(k, 2, rng, n_paths=48, n_points=256)
    fresh = theory.derivative_tail(k, 2, rng, n_paths=48, n_points=256)
    assert tail.a >= 1
    assert abs(tail.expected_supremum - fresh.expected_supremum) < 4 * math.hypot(
        tail.standard_error, fresh.standard_error
    )
    prior = gp.GaussianProcess(k, noise=1e-6)
    X = rng.random((400, 2))
    suprema = np.array(
        [np.abs(gp.draw_path(prior, rng).gradient(X)).max(axis=0) for _ in range(99)]
    )
    for level in np.linspace(0.5, 2.0, 7) * tail.expected_supremum:
        allowed = min(1.0, tail.a * math.exp(-((level / tail.b) ** 2)))
        assert np.all(np.mean(suprema > level, axis=0) <= allowed)
    # Lemma H.1: the expected steepest slope of all
    assert suprema.max(axis=1).mean() <= theory.expected_slope(tail.a, tail.b, 2)


def test_the_derivative_std_is_that_of_the_kernel(rng):
    """The closed form of the derivative's variance against finite differences of the kernel."""
    for kernel in SMOOTH:
        k = kernel(0.7, outputscale=2.0)
        h = 1e-4
        x = np.array([[0.0], [h]])
        slope = np.diff(np.diff(k(x), axis=0), axis=1)[0, 0] / h**2  # var((f(h) - f(0)) / h)
        tail = theory.derivative_tail(k, 1, rng, n_paths=2, n_points=2)
        assert tail.derivative_std**2 == pytest.approx(slope, rel=1e-3)


def test_expected_slope_by_hand():
    assert theory.expected_slope(math.e, 2.0, 1) == pytest.approx(2 * (1 + math.sqrt(math.pi) / 2))


def test_wrong_inputs_are_named(rng):
    with pytest.raises(ModelError, match="2 length scales, got dimension=3"):
        theory.derivative_tail(gp.RBF([0.1, 0.2]), 3, rng)
    with pytest.raises(ModelError, match="Matern12 paths have no derivative"):
        theory.derivative_tail(gp.Matern12(0.2), 1, rng)
    with pytest.raises(ModelError, match="n_paths must be at least 2"):
        theory.derivative_tail(gp.RBF(0.2), 1, rng, n_paths=1)
