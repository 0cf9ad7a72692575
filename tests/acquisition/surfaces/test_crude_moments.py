"""Bounds in single precision: never below, and nothing is ruled out by what is no number."""

import numpy as np

from pathmax import gp
from pathmax.acquisition.surfaces.crude_moments import CrudeMoments


def crude(rng: np.random.Generator) -> CrudeMoments:
    X = rng.random((40, 3))
    kernel = gp.Matern52(lengthscale=[0.4, 0.5, 0.6])
    process = gp.GaussianProcess(kernel, 1e-2, 0.0)
    return CrudeMoments(process.condition(X, np.sin(5.0 * X[:, 0]) + X[:, 1]))


def test_they_are_at_least_the_moments(rng: np.random.Generator):
    moments, U = crude(rng), rng.random((500, 3))
    assert moments.usable
    mean, std = moments(U)
    exact = moments.model.predict(U)
    assert (mean >= exact[0]).all() and (std >= exact[1]).all()
    assert np.abs(mean - exact[0]).max() < 1e-3


def test_a_row_of_what_is_no_number_is_not_ruled_out(rng: np.random.Generator):
    moments, U = crude(rng), rng.random((5, 3))
    cross = moments.cross(U)
    cross[2] = np.nan
    mean, _ = moments.of_matrix(U, cross)
    assert mean[2] == np.inf and np.isfinite(np.delete(mean, 2)).all()
