"""The symmetric logarithm about a bound."""

import numpy as np
import pytest

from pathmax.trials import bilog
from pathmax.trials.value_transform import standardise_about


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


@pytest.mark.parametrize("bound", [0.0, 5e-324, -1e-308, 1.0, 1e300, -1.7e308])
@pytest.mark.parametrize(
    "values", [[1.7e308, -1.7e308, 1.0], [5e-324, 1e-323, 0.0], [1.7e308, 1.6e308], [1e-160, 1e300]]
)
def test_values_and_bounds_at_the_ends_of_the_range_are_standardised(values, bound):
    transform = standardise_about(1.0, values, bound)
    y = transform.inward(values)
    assert np.isfinite(y).all() and transform.unit > 0.0
    assert np.isfinite(transform.outward(y)).all()
    for noise in (0.0, 5e-324, 1e-300, 1e300, 1.7e308):
        assert np.isfinite(transform.variance_inward(noise, values)).all()
