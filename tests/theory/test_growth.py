"""The rates at which the information gain grows."""

import numpy as np
import pytest

from pathmax import gp, theory
from pathmax.errors import ModelError


def test_growth_rates():
    assert theory.information_growth(gp.RBF(0.2), 3) == theory.Growth(0.0, 4.0)
    matern = theory.information_growth(gp.Matern52(0.2), 4)
    assert (matern.power, matern.log_power) == pytest.approx((4 / 9, 5 / 9))
    assert theory.information_growth(gp.Linear(), 4)(100) == pytest.approx(np.log(100))
    with pytest.raises(ModelError, match="Matern12"):
        theory.information_growth(gp.Matern12(0.2), 2)


@pytest.mark.parametrize(
    "kernel", [gp.RBF(0.1), gp.Matern52(0.1), gp.Matern32(0.1), gp.Linear()], ids=repr
)
def test_the_computed_gain_grows_no_faster_than_the_rate(kernel):
    X = np.linspace(0, 1, 120)[:, None]
    found = theory.maximum_information_gain(kernel, X, 400, 0.1)
    assert found.upper < 1.02 * found.lower  # so that the curve is known
    T = np.array([25, 50, 100, 200, 400])
    share = found.upper_curve[T - 1] / theory.information_growth(kernel, 1)(T)
    assert np.all(np.diff(share) < 0)
