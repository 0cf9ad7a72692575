"""A mixture of processes: its moments against draws, its gradients against differences."""

import numpy as np
import pytest

from pathmax import gp
from pathmax.gp.mixture import ProcessMixture, mix


@pytest.fixture
def mixture(rng):
    X, y = rng.random((6, 2)), rng.standard_normal(6)
    parts = [(0.2, 0.3, 0.0), (0.5, 1.0, 1.0), (0.3, 0.1, -0.5)]
    return ProcessMixture(
        [
            (weight, gp.GaussianProcess(gp.Matern52(scale), 1e-3, mean).condition(X, y))
            for weight, scale, mean in parts
        ]
    )


def test_moments_are_those_of_draws(mixture, rng):
    U = rng.random((4, 2))
    mean, std = mixture.predict(U)
    which = rng.choice(3, 200_000, p=[weight for weight, _ in mixture.parts])
    seen = [model.predict(U) for _, model in mixture.parts]
    means, stds = np.array([s.mean for s in seen])[which], np.array([s.std for s in seen])[which]
    draws = means + stds * rng.standard_normal(means.shape)
    np.testing.assert_allclose(mean, draws.mean(axis=0), atol=0.02)
    np.testing.assert_allclose(std, draws.std(axis=0), rtol=0.02)


def test_gradients_are_those_of_differences(mixture, rng):
    U, h = rng.random((5, 2)), 1e-6
    mean, std, mean_gradient, std_gradient = mixture.predict_gradient(U)
    np.testing.assert_allclose((mean, std), mixture.look(U), rtol=1e-9)
    value, gradient = mixture.chain(U, lambda m, s: (m * s, s, m))
    np.testing.assert_allclose(value, mean * std)
    for j in range(2):
        step = h * np.eye(2)[j]
        up, down = mixture.predict(U + step), mixture.predict(U - step)
        by_mean, by_std = (up.mean - down.mean) / (2 * h), (up.std - down.std) / (2 * h)
        np.testing.assert_allclose(mean_gradient[:, j], by_mean, atol=1e-6)
        np.testing.assert_allclose(std_gradient[:, j], by_std, atol=1e-6)
        slope = (up.mean * up.std - down.mean * down.std) / (2 * h)
        np.testing.assert_allclose(gradient[:, j], slope, atol=1e-6)


def test_large_means_do_not_cancel():
    mean, std = mix([(0.5, (np.array([1e12]), np.array([0.5])))] * 2)
    assert mean[0] == 1e12 and std[0] == 0.5
