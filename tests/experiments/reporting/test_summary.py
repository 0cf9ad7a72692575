"""Curves and bounds over the trials of one method."""

import numpy as np

from pathmax.experiments.reporting import summary
from tests.experiments.small_runs import RIDGE, SMALL, trace_of


def test_curves_by_hand():
    first = trace_of([5, 4, 6, 4, 5, 3, 9, 1])
    second = trace_of([5, 4, 2, 4, 5, 3, 1, 3])
    found = summary.Summary("pims", [first, second])
    np.testing.assert_array_equal(found.simple_regret.mean, [3, 2.5, 2, 1])
    np.testing.assert_array_equal(found.simple_regret.error, [1, 0.5, 1, 0])
    np.testing.assert_array_equal(found.best_value.mean, [-2, -1.5, -1, 0])
    np.testing.assert_array_equal(found.cumulative_regret.mean, [3, 8, 10])
    assert found.trials == 2 and found.seconds == 2.0
    np.testing.assert_array_equal(found.final_regret, [1, 1])
    alone = summary.Summary("pims", [first])
    assert np.all(np.isnan(alone.simple_regret.error))


def test_the_bound_of_a_drawn_function_and_of_no_other():
    bound = summary.regret_bound(SMALL, 6)
    assert bound.shape == (6,) and np.all(np.diff(bound) > 0)
    assert summary.regret_bound(RIDGE, 6) is None
