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


def well_known(rng: np.random.Generator) -> gp.GaussianProcess:
    """A hill in the middle that is known well, with nothing that could be as high anywhere."""
    X = rng.random((60, 2))
    values = -20.0 * ((X - 0.5) ** 2).sum(axis=1)
    return gp.GaussianProcess(gp.Matern52(0.8), 1e-6).condition(X, values)


def little_known(rng: np.random.Generator) -> gp.GaussianProcess:
    X = rng.random((6, 2))
    return gp.GaussianProcess(gp.Matern52(0.2), 1e-6).condition(X, np.sin(5 * X[:, 0]))


@pytest.mark.parametrize("above", [0.0, 1.0, 2.0, 3.0])
@pytest.mark.parametrize("known", [well_known, little_known])
def test_paths_promise_no_more_often_than_the_chance_says(known, above: float, rng):
    model = known(rng)
    surface = Searched(model, Box(2), rng)
    looks = rng.random((50, 2))
    beyond = surface.incumbent + above * float(model.predict(looks).std.max())
    chance = surface._chance(looks, beyond)
    seen = np.mean(gp.draw_paths(model, rng, 4000)(looks).max(axis=1) > beyond)
    assert seen <= chance + 3.0 * np.sqrt(max(seen, 1e-3) / 4000)


def test_no_path_is_drawn_where_none_can_be_expected_to_promise_more(rng, monkeypatch):
    surface = Searched(well_known(rng), Box(2), rng)
    monkeypatch.setattr(Searched, "draw", lambda self, n: pytest.fail("a path was drawn"))
    assert surface.promising(8, surface.incumbent + 2.0) is None


def test_paths_are_drawn_where_some_may_promise_more(rng):
    surface = Searched(little_known(rng), Box(2), rng)
    path = surface.promising(8, surface.incumbent + 0.1)
    assert path is not None
    assert path.peak().value > surface.incumbent + 0.1
