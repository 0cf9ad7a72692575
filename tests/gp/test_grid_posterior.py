"""Exact grids: the same numbers as the plain posterior, and draws with its moments."""

import numpy as np
import pytest

from pathmax import gp
from pathmax.errors import ModelError
from pathmax.gp import grid_posterior

AXES = [np.linspace(0, 1, 4), np.array([0.1, 0.5, 0.9]), np.arange(3.0)]
KERNELS = {
    "rbf": gp.RBF([0.3, 0.5, 2.0], outputscale=1.5),
    "matern product": gp.Matern52(0.4, on=(0,)) * gp.Matern32(0.6, on=(1,)) * gp.RBF(2.0, on=(2,)),
    "mixed": gp.Matern52(0.4, on=(0,)) * gp.RBF(0.6, on=(1,)) * gp.Categorical(0.3, on=(2,)),
}


def whole(axes):
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(axes))


@pytest.fixture(params=KERNELS, name="kernel")
def _kernel(request):
    return KERNELS[request.param]


def test_moments_are_those_of_the_model_however_the_data_came(kernel, rng):
    points = whole(AXES)
    model = gp.GaussianProcess(kernel, 1e-4, mean=0.2)
    grid = gp.GridPosterior.of(model, AXES)
    for index in (3, 17, 17, 35, 0, 20):
        y = float(rng.standard_normal())
        model = model.condition(points[[index]], [y])
        grid = grid.condition(index, y)
        at_once = gp.GridPosterior.of(model, AXES)
        for posterior in (grid, at_once):
            np.testing.assert_allclose(posterior.mean, model.predict(points).mean, atol=1e-9)
            np.testing.assert_allclose(posterior.std, model.predict(points).std, atol=1e-9)


@pytest.mark.parametrize("seen", [0, 5], ids=["prior", "posterior"])
def test_draws_have_the_joint_moments(kernel, seen, rng):
    points, n = whole(AXES), 20_000
    index = rng.choice(36, seen, replace=False)
    model = gp.GaussianProcess(kernel, 1e-3, mean=0.2)
    model = model.condition(points[index], rng.standard_normal(seen))
    grid = gp.GridPosterior.of(model, AXES)
    draws = np.array([grid.draw(rng) for _ in range(n)])
    mean, covariance = model.joint(points)
    spread = np.sqrt(np.diag(covariance))
    assert (np.abs(draws.mean(axis=0) - mean) < 5 * spread / np.sqrt(n)).all()
    error = np.sqrt((np.outer(spread, spread) ** 2 + covariance**2) / n)
    assert (np.abs(np.cov(draws.T) - covariance) < 5 * error + 1e-9).all()


class OneNormal:
    """Stands in for a generator: its normal numbers are all 0 but one, which is 1."""

    def __init__(self, which):
        self.which, self.drawn = which, 0

    def standard_normal(self, shape):
        numbers = np.zeros(int(np.prod(shape)))
        if 0 <= self.which - self.drawn < len(numbers):
            numbers[self.which - self.drawn] = 1.0
        self.drawn += len(numbers)
        return numbers.reshape(shape)


@pytest.mark.parametrize("seen", [0, 5], ids=["prior", "posterior"])
def test_a_draw_is_a_root_of_the_joint_covariance(kernel, seen, rng):
    """No tolerance from a number of draws: a draw is mean + J z, and J J' is the covariance."""
    points = whole(AXES)
    index = rng.choice(36, seen, replace=False)
    model = gp.GaussianProcess(kernel, 1e-3, mean=0.2)
    model = model.condition(points[index], rng.standard_normal(seen), np.linspace(1e-3, 0.1, seen))
    grid = gp.GridPosterior.of(model, AXES)
    mean, covariance = model.joint(points)
    centre = grid.draw(OneNormal(-1))
    J = np.stack([grid.draw(OneNormal(i)) for i in range(36 + seen)], axis=1) - centre[:, None]
    np.testing.assert_allclose(centre, mean, atol=1e-9)
    np.testing.assert_allclose(J @ J.T, covariance, atol=1e-9)


def test_two_hundred_steps_on_the_papers_grid_stay_true(rng):
    """Incremental mean and std against a fresh factorisation, 200 observations at noise 1e-6."""
    axes = [np.linspace(0.1, 1.0, 10)] * 4
    grid = gp.GridPosterior.of(gp.GaussianProcess(gp.RBF(0.2), 1e-6), axes)
    f = grid.draw(rng)
    for _ in range(200):
        path = grid.draw(rng)
        assert np.abs(path[grid.places] - f[grid.places]).max(initial=0.0) < 0.01
        index = int(path.argmax())
        grid = grid.condition(index, f[index])
    fresh = gp.GridPosterior.of(grid.model, axes)
    np.testing.assert_allclose(grid.mean, fresh.mean, atol=1e-6)
    np.testing.assert_allclose(grid.std, fresh.std, atol=1e-6)


def test_a_kernel_that_does_not_separate_is_refused_with_the_remedy():
    with pytest.raises(ModelError, match="product over the axes; Matern52 is not"):
        gp.GridPosterior.of(gp.GaussianProcess(gp.Matern52(0.3), 1e-6), AXES)


def test_data_off_the_grid_have_moments_but_no_exact_path(rng):
    model = gp.GaussianProcess(gp.RBF(0.3), 1e-6).condition([[0.05, 0.2, 1.0]], [1.0])
    grid = gp.GridPosterior.of(model, AXES)
    np.testing.assert_allclose(grid.mean, model.predict(whole(AXES)).mean, atol=1e-10)
    with pytest.raises(ModelError, match="lie on the grid"):
        grid.draw(rng)


def test_a_number_beyond_the_grid_is_refused():
    grid = gp.GridPosterior.of(gp.GaussianProcess(gp.RBF(0.3), 1e-6), AXES)
    for index in (36, -1):
        with pytest.raises(ModelError, match="numbered from 0 to 35"):
            grid.condition(index, 1.0)


def test_one_axis_and_one_point():
    for axes in ([np.linspace(0, 1, 7)], [np.array([0.5])], [np.array([0.5]), np.array([0.1])]):
        model = gp.GaussianProcess(gp.RBF(0.3), 1e-6).condition(whole(axes)[:1], [1.0])
        grid = gp.GridPosterior.of(model, axes)
        np.testing.assert_allclose(grid.mean, model.predict(whole(axes)).mean, atol=1e-10)


@pytest.mark.parametrize("seen", [0, 5], ids=["prior", "posterior"])
def test_observations_added_at_once_are_those_added_one_by_one(kernel, seen, rng, monkeypatch):
    points, index = whole(AXES), rng.choice(36, seen + 4, replace=False)
    y, noises = rng.standard_normal(seen + 4), np.linspace(1e-3, 0.1, seen + 4)
    first = gp.GaussianProcess(kernel, 1e-3, mean=0.2)
    first = first.condition(points[index[:seen]], y[:seen], noises[:seen])
    whole_model = first.condition(points[index[seen:]], y[seen:], noises[seen:])
    before = one_by_one = gp.GridPosterior.of(first, AXES)
    for i in range(seen, seen + 4):
        one_by_one = one_by_one.condition(int(index[i]), float(y[i]), float(noises[i]))
    for together in (1 << 18, 1):  # all in one product, and one after the other
        monkeypatch.setattr(grid_posterior, "TOGETHER", together)
        at_once = before.extended(whole_model)
        np.testing.assert_allclose(at_once.mean, one_by_one.mean, atol=1e-9)
        np.testing.assert_allclose(at_once.std, one_by_one.std, atol=1e-9)
        np.testing.assert_array_equal(at_once.places, index)
        few = np.array([index[-1], (index[-1] + 5) % 36])  # more are read off the whole
        anew = before.extended(whole_model)
        np.testing.assert_allclose(anew.std_at(few), one_by_one.std[few], atol=1e-9)
        assert "variance" not in vars(anew)
        assert (anew.most_std >= anew.std).all()
    assert before.extended(first) is before
