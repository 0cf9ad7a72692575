"""Which trials nothing else beats, against every pair compared."""

import numpy as np
import pytest

from pathmax.trials.best_trials import undominated


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("objectives", [1, 2, 3])
def test_the_front_is_what_no_other_row_dominates(seed, objectives):
    rng = np.random.default_rng([seed, objectives])
    Y = rng.integers(0, 5, (int(rng.integers(0, 30)), objectives)).astype(float)
    compared = [not any((z >= y).all() and (z > y).any() for z in Y) for y in Y]
    assert undominated(Y) == compared
