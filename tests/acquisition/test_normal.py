"""The normal distribution far in its tails, against integrals that do not underflow."""

import numpy as np
import pytest

from pathmax.acquisition import normal


def laguerre(f, n=80):
    """The integral of exp(-s) f(s) over s > 0."""
    nodes, weights = np.polynomial.laguerre.laggauss(n)
    return float(np.sum(weights * f(nodes)))


def mills(a):
    """(1 - Phi(a)) / phi(a) = int exp(-t^2/2 - a t) dt, with s = a t; exact for a >= 5."""
    return laguerre(lambda s: np.exp(-0.5 * (s / a) ** 2)) / a


@pytest.mark.parametrize("a", [5.0, 12.0, 40.0, 99.0, 101.0, 1e3, 1e6])
def test_hazard_and_excess_far_to_the_left(a):
    z = np.array([-a])
    assert normal.hazard(z)[0] == pytest.approx(1.0 / mills(a), rel=1e-12)
    # excess = hazard - a = int t exp(-t^2/2 - a t) dt / mills
    numerator = laguerre(lambda s: s * np.exp(-0.5 * (s / a) ** 2)) / a**2
    assert normal.excess(z)[0] == pytest.approx(numerator / mills(a), rel=1e-10)


@pytest.mark.parametrize("a", [5.0, 12.0, 29.0, 31.0, 40.0, 1e3, 1e6])
def test_truncated_variance_far_to_the_left(a):
    first, second = (
        laguerre(lambda s, k=k: s**k * np.exp(-0.5 * (s / a) ** 2)) / a ** (k + 1) / mills(a)
        for k in (1, 2)
    )
    z = np.array([-a])
    assert normal.truncated_variance(z)[0] == pytest.approx(second - first**2, rel=1e-6)


def test_truncated_variance_matches_draws(rng):
    draws = rng.standard_normal(400_000)
    for z in (-1.5, 0.0, 1.0, 3.0):
        kept = draws[draws < z]
        spread = 4.0 * np.var((kept - kept.mean()) ** 2) ** 0.5 / np.sqrt(len(kept))
        assert abs(normal.truncated_variance(np.array([z]))[0] - kept.var()) < spread


def test_slope_of_the_truncated_variance():
    for z in (-45.0, -31.0, -20.0, -3.0, 0.0, 2.0, 7.0):
        step = 1e-4 * max(1.0, abs(z))
        at = np.array([z - step, z, z + step])
        variance, slope = normal.truncated_variance_and_slope(at)
        assert slope[1] == pytest.approx((variance[2] - variance[0]) / (2 * step), rel=1e-4)


def test_everything_is_finite_for_every_z():
    z = np.array([-1e150, -1e12, -40.0, -1.0, 0.0, 1.0, 40.0, 1e12, 1e150])
    for function in (normal.hazard, normal.excess, normal.truncated_variance, normal.log_cdf):
        assert np.isfinite(function(z)).all(), function.__name__
    assert (normal.excess(z) > 0.0).all()


def test_standardise_survives_a_std_of_zero():
    z = normal.z_score(np.array([1.0, 0.0, -1.0]), np.zeros(3))
    np.testing.assert_array_equal(z, [normal.LARGEST_DEVIATION, 0.0, -normal.LARGEST_DEVIATION])
