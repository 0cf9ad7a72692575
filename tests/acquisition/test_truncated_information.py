"""The information in a cut, against the integral of -p log p and finite differences."""

import math

import numpy as np
import pytest

from pathmax.acquisition import normal
from pathmax.acquisition.entropy import log_entropy_gain
from pathmax.acquisition.truncated_information import truncation_gain

GAMMA = np.array([-6.0, -2.0, -0.5, 0.0, 1.0, 2.5, 5.0])[:, None]
KAPPA = np.array([0.02, 0.3, 1.0, 4.0, 30.0])


def entropy(gamma: float, kappa: float) -> float:
    """-int p log p, on a fine even grid."""
    r = math.hypot(1.0, kappa)
    w = np.linspace(-12.0, 12.0, 1_000_001)
    log_p = normal.log_density(w) + normal.log_cdf((gamma * r - w) / kappa)
    log_p -= normal.log_cdf(np.array(gamma))
    return float(-np.sum(np.exp(log_p) * log_p) * (w[1] - w[0]))


@pytest.mark.parametrize("kappa", KAPPA)
def test_it_is_the_entropy_that_the_cut_takes(kappa):
    found = truncation_gain(GAMMA, np.full_like(GAMMA, kappa))[0][:, 0]
    before = 0.5 * math.log(2.0 * math.pi * math.e)
    expected = [before - entropy(gamma, kappa) for gamma in GAMMA[:, 0]]
    np.testing.assert_allclose(found, expected, atol=1e-7)


def test_without_noise_it_is_the_gain_of_mes():
    found = truncation_gain(GAMMA, np.zeros_like(GAMMA))[0]
    np.testing.assert_allclose(found, np.exp(log_entropy_gain(GAMMA)[0]), rtol=1e-9)


def test_derivatives_are_finite_differences():
    gamma, kappa = np.broadcast_arrays(GAMMA, KAPPA)
    _, by_gamma, by_kappa = truncation_gain(gamma, kappa)
    h = 1e-5
    up, down = truncation_gain(gamma + h, kappa)[0], truncation_gain(gamma - h, kappa)[0]
    np.testing.assert_allclose(by_gamma, (up - down) / (2 * h), atol=1e-6)
    up, down = truncation_gain(gamma, kappa + h)[0], truncation_gain(gamma, kappa - h)[0]
    np.testing.assert_allclose(by_kappa, (up - down) / (2 * h), atol=1e-6)


def test_nothing_is_ever_nan():
    far = np.array([-1e150, -50.0, 0.0, 50.0, 1e150])[:, None]
    for part in truncation_gain(*np.broadcast_arrays(far, np.array([0.0, 1e-9, 1.0, 1e9]))):
        assert np.isfinite(part).all()
