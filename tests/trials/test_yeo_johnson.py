"""The power transform: its formula, its inverse, and the choice of the power."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pathmax.trials import yeo_johnson


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 1.7, 2.0, 2.5, 4.0])
def test_it_is_the_transform_of_yeo_and_johnson(power: float):
    z = np.linspace(-3.0, 3.0, 31)
    np.testing.assert_allclose(
        yeo_johnson.bend(z, power, -3.0), stats.yeojohnson(z, power), rtol=1e-12
    )


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 2.0, 2.5, 4.0])
def test_slope_by_finite_differences(power: float):
    z, step = np.array([-2.5, -1.0, -0.1, 0.1, 2.0]), 1e-6
    ahead, behind = yeo_johnson.bend(z + step, power, -3.0), yeo_johnson.bend(z - step, power, -3.0)
    np.testing.assert_allclose(
        yeo_johnson.slope(z, power, -3.0), (ahead - behind) / 2e-6, rtol=1e-6
    )


@given(st.floats(-50, 50), st.sampled_from(list(yeo_johnson.POWERS)), st.floats(-8.0, 0.0))
def test_every_number_can_be_turned_back(t: float, power: float, worst: float):
    z = yeo_johnson.unbend(np.array([t]), power, worst)
    assert np.isfinite(z).all()
    np.testing.assert_allclose(yeo_johnson.bend(z, power, worst), [t], rtol=1e-6, atol=1e-6)


@given(st.floats(-8, 8), st.floats(0.01, 1.0), st.sampled_from(list(yeo_johnson.POWERS)))
def test_it_is_increasing(z: float, more: float, power: float):
    low, high = yeo_johnson.bend(np.array([z, z + more]), power, -4.0)
    assert low < high


def test_the_chosen_power_makes_a_bent_sample_straight(rng: np.random.Generator):
    normal = rng.standard_normal(400)
    straight = (normal - normal.mean()) / normal.std()
    assert yeo_johnson.most_normal(straight) == pytest.approx(1.0, abs=0.2)
    skewed = -np.exp(normal)
    z = (skewed - skewed.mean()) / skewed.std()
    bent = yeo_johnson.bend(z, yeo_johnson.most_normal(z), float(z.min()))
    assert abs(stats.skew(bent)) < 0.25 * abs(stats.skew(z))


def test_too_few_values_have_no_shape():
    assert yeo_johnson.most_normal(np.array([-1.2, 0.0, 1.2])) == 1.0
