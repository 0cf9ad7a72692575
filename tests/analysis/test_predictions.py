"""What a study says of values comes from results: trials that failed steer, and no more."""

import numpy as np
import pytest

from pathmax import Candidates, Float, Grid, Study

VALUES = np.linspace(0, 1, 21).tolist()


@pytest.mark.parametrize(
    "space", [{"x": Float(0, 1)}, Candidates({"x": VALUES}), Grid({"x": VALUES})]
)
def test_a_failure_beside_the_best_changes_no_expected_value(space):
    study = Study(space, seed=0, initial=0)
    for x in (0.0, 0.25, 0.5, 0.9):
        study.add({"x": x}, -((x - 0.8) ** 2))
    points = [{"x": x} for x in (0.5, 0.9, 0.95)]
    before, ranked = study.predict(points), study.best_probabilities(n_paths=40)
    failed = study.fail(study.ask(), "broke").params["x"]
    assert 0.5 < failed <= 1.0
    after, again = study.predict(points), study.best_probabilities(n_paths=40)
    np.testing.assert_array_equal(after, before)
    assert study.posterior().model.n == 4
    if not isinstance(space, dict):  # of a space the regions are those of other paths
        row = VALUES.index(failed)
        np.testing.assert_allclose(again.mean, ranked.mean, rtol=1e-12)
        np.testing.assert_allclose(again.std, ranked.std, rtol=1e-12)
        assert again.probability[row] < ranked.probability[row]
