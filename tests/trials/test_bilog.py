"""The symmetric logarithm about a bound."""

import numpy as np
import pytest

from pathmax.trials import bilog


def test_it_is_odd_and_its_inverse_and_slope_are_right():
    z = np.array([-1e6, -3.0, -0.5, 0.0, 0.5, 3.0, 1e6])
    t = bilog.squash(z)
    np.testing.assert_allclose(t, -bilog.squash(-z))
    np.testing.assert_allclose(bilog.unsquash(t), z, rtol=1e-12)
    step = 1e-6
    slope = (bilog.squash(z[1:-1] + step) - bilog.squash(z[1:-1] - step)) / (2.0 * step)
    np.testing.assert_allclose(bilog.squash_slope(z[1:-1]), slope, rtol=1e-5)


def test_the_unit_is_the_reach_of_the_side_that_reaches_less_far():
    values = np.array([3.0, 1003.0, 2003.0, 1.0, 0.0, -1.0])  # a bound of 2: 1, 1001, 2001; 1, 2, 3
    assert bilog.unit_about(values, 2.0) == 2.0
    assert bilog.unit_about(values[:3], 2.0) == 1001.0  # one side alone


def test_results_that_gather_at_the_bound_do_not_change_the_unit():
    far = np.array([-9.0, -8.0, -7.0, -6.0, -5.0, 9.0, 8.0, 7.0, 6.0, 5.0])
    many = np.concatenate([far, np.linspace(-1e-3, 1e-3, 100)])
    assert bilog.unit_about(many, 0.0) == 5.0


@pytest.mark.parametrize("values", [[], [2.0, 2.0]])
def test_without_a_value_off_the_bound_there_is_no_unit(values):
    assert bilog.unit_about(np.array(values), 2.0) is None
