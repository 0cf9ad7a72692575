"""What a lower fidelity tells about reaching g*: against Monte Carlo, and at both ends."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import log_ndtr

from pathmax import gp
from pathmax.acquisition.entropy import log_entropy_gain
from pathmax.acquisition.fidelity_gain import Wanted, gain, gains
from pathmax.gp.kernels.nearness import Nearness


def by_quadrature(gamma: float, rho: float) -> float:
    """H(z) - H(z | f <= g*), the second from its density."""
    r = np.sqrt(1.0 - rho**2)

    def log_density(z: float) -> float:
        tail = log_ndtr((gamma - rho * z) / r) - log_ndtr(gamma)
        return float(-0.5 * z * z - 0.5 * np.log(2.0 * np.pi) + tail)

    step = gamma / rho  # where it falls off
    ends = sorted([-12.0, *(e for e in (step - 3 * r, step + 3 * r) if -12 < e < 12), 12.0])
    entropy = 0.0
    for low, high in pairwise(ends):
        entropy -= quad(lambda z: np.exp(log_density(z)) * log_density(z), low, high, limit=200)[0]
    return 0.5 * np.log(2.0 * np.pi * np.e) - entropy


@pytest.mark.parametrize("rho", [0.05, 0.4, 0.7, 0.72, 0.9, 0.99, 0.9999])
@pytest.mark.parametrize("gamma", [-3.0, -1.0, 0.0, 0.5, 2.0, 4.0])
def test_the_gain_is_the_entropy_that_y_loses(gamma: float, rho: float):
    exact = by_quadrature(gamma, rho)
    found = gain(np.array([gamma]), np.array([rho]))[0]
    assert found == pytest.approx(exact, rel=1e-6, abs=1e-8)


def test_the_gain_is_that_of_draws(rng: np.random.Generator):
    gamma, rho = 0.4, 0.8
    f, e = rng.standard_normal((2, 2_000_000))
    y = (rho * f + np.sqrt(1 - rho**2) * e)[f <= gamma]
    share, edges = np.histogram(y, bins=400, range=(-6, 6))
    p = share[share > 0] / share.sum()
    entropy = -(p @ np.log(p)) + np.log(edges[1] - edges[0])
    drawn = 0.5 * np.log(2 * np.pi * np.e) - entropy
    assert gain(np.array([gamma]), np.array([rho]))[0] == pytest.approx(drawn, abs=2e-3)


def test_with_full_correlation_it_is_that_of_mes():
    gamma = np.linspace(-6.0, 6.0, 25)
    mes = np.exp(log_entropy_gain(gamma)[0])
    np.testing.assert_allclose(gain(gamma, np.ones(25)), mes, rtol=1e-8)
    np.testing.assert_allclose(gain(gamma, np.full(25, 1 - 1e-14)), mes, rtol=1e-5)


def test_it_grows_with_the_correlation_and_is_never_negative():
    rho = np.linspace(0.0, 1.0, 400)
    for gamma in (-30.0, -5.0, 0.0, 1.0, 8.0, 37.0, 1e5):
        found = gain(np.full(400, gamma), rho)
        assert found[0] == pytest.approx(0.0, abs=1e-9)
        assert (np.diff(found) >= -1e-9 * max(1.0, abs(gamma))).all()
        assert np.isfinite(found).all()


@pytest.mark.parametrize("noise", [1e-2, 1e-6, 1e-10])
def test_gains_settle_as_the_noise_goes_to_zero(noise: float, rng: np.random.Generator):
    kernel = gp.Matern52(0.3, on=(0,)) * Nearness(2.0, on=(1,))
    X = np.column_stack([rng.random(8), rng.integers(0, 2, 8)])
    model = gp.GaussianProcess(kernel, noise).condition(X, np.sin(5 * X[:, 0]) + 0.1 * X[:, 1])
    s = np.linspace(0.0, 1.0, 9)
    U = np.column_stack([np.full(9, 0.55), s])
    mean, std = model.predict(U[-1:])
    level = float(mean[0] + std[0])
    found = gains([Wanted(model, [level])], U, U[-1])
    assert np.argmax(found) == 8
    reference = gp.GaussianProcess(kernel, 1e-8).condition(X, model.y)
    close = gains([Wanted(reference, [level])], U, U[-1])
    assert np.isfinite(found).all()
    if noise < 1e-4:
        np.testing.assert_allclose(found, close, rtol=0.02)


def test_outcomes_and_samples_add_up(rng: np.random.Generator):
    kernel = gp.Matern52(0.3, on=(0,)) * Nearness(2.0, on=(1,))
    X = rng.random((6, 2))
    one = gp.GaussianProcess(kernel, 1e-4).condition(X, X[:, 0])
    two = gp.GaussianProcess(kernel, 1e-4).condition(X, -X[:, 0])
    U = np.column_stack([np.full(5, 0.3), np.linspace(0, 1, 5)])
    alone = [gains([w], U, U[-1]) for w in (Wanted(one, [1.0]), Wanted(one, [2.0]))]
    both = gains([Wanted(one, [1.0, 2.0]), Wanted(two, [0.5])], U, U[-1])
    other = gains([Wanted(two, [0.5])], U, U[-1])
    np.testing.assert_allclose(both, 0.5 * (alone[0] + alone[1]) + other)


def test_a_floor_tells_what_the_same_ceiling_tells_upside_down(rng):
    X = rng.random((8, 2))
    up = gp.GaussianProcess(gp.Matern52(0.5), 1e-2).condition(X, X[:, 0])
    down = gp.GaussianProcess(gp.Matern52(0.5), 1e-2).condition(X, -X[:, 0])
    U, target = rng.random((5, 2)), np.array([0.4, 1.0])
    for bound in (-1.0, 0.3, 2.0):
        floor = gains([Wanted(up, [], [bound])], U, target)
        np.testing.assert_allclose(floor, gains([Wanted(down, [-bound])], U, target), rtol=1e-9)
    far_inside = gains([Wanted(up, [], [-5.0])], U, target)
    assert far_inside.max() < 1e-3  # a bound that is kept anyway is nothing to learn about
