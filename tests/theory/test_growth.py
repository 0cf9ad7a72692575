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
