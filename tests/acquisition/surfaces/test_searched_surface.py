"""What a search knows about the data without the n^3 of asking the posterior again."""

import numpy as np
import pytest

from pathmax import gp
from pathmax.acquisition import Box
from pathmax.acquisition.surfaces.path_score import PathScore
from pathmax.acquisition.surfaces.searched_surface import HINTS, Searched, best_rows

KERNELS = [
    gp.Matern52(lengthscale=[0.3, 0.5, 1.0]),
    gp.RBF(lengthscale=0.4, outputscale=3.0),
    gp.Linear() * gp.RBF(),
]


def model_of(kernel: gp.Kernel, rng: np.random.Generator, n: int = 40) -> gp.GaussianProcess:
    X = rng.random((n, 3))
    noises = rng.uniform(1e-6, 0.1, n)
    return gp.GaussianProcess(kernel, 1e-4, mean=2.0).condition(X, np.sin(5 * X[:, 0]), noises)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: type(kernel).__name__)
def test_the_mean_at_the_data_needs_no_kernel_matrix(kernel: gp.Kernel, rng: np.random.Generator):
    model = model_of(kernel, rng)
    np.testing.assert_allclose(model.fitted, model.predict(model.X).mean, atol=1e-8)
    assert gp.GaussianProcess(kernel, 0.1).fitted.shape == (0,)


@pytest.mark.parametrize("kind", ["pathwise", "rff"])
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: type(kernel).__name__)
def test_neither_does_a_path(kernel: gp.Kernel, kind: str, rng: np.random.Generator):
    model = model_of(kernel, rng)
    path = gp.draw_path(model, rng, kind=kind)
    np.testing.assert_allclose(PathScore(path, 3).at_data(model), path(model.X), atol=1e-8)


def test_of_other_data_a_path_is_evaluated(rng: np.random.Generator):
    model, other = model_of(KERNELS[0], rng), model_of(KERNELS[0], rng)
    path = gp.draw_path(model, rng)
    np.testing.assert_allclose(PathScore(path, 3).at_data(other), path(other.X), atol=1e-8)


def test_what_a_path_is_at_the_data_cannot_be_changed(rng: np.random.Generator):
    model = model_of(KERNELS[0], rng)
    with pytest.raises(ValueError, match="read-only"):
        PathScore(gp.draw_path(model, rng), 3).at_data(model)[0] = 99.0


def test_the_best_data_are_hints(rng: np.random.Generator):
    model = model_of(KERNELS[0], rng, n=200)
    surface = Searched(model, Box(3), rng)
    assert surface.hints.shape == (HINTS, 3)
    assert model.predict(surface.hints).mean.min() >= np.sort(model.fitted)[-HINTS] - 1e-8
    (path,) = surface.samples(1)
    assert path.peak().value >= path.at_data.max()
    np.testing.assert_array_equal(best_rows(np.eye(2), np.array([1.0, 2.0])), np.eye(2)[::-1])
