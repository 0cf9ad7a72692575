"""Paths that are searched at once have the values, slopes and tops that they have one by one."""

import numpy as np
import pytest

from pathmax import gp
from pathmax.acquisition.surfaces.path_rows import PathRows, climb_paths, searchable
from pathmax.acquisition.surfaces.path_score import PathScore
from pathmax.acquisition.surfaces.searched_surface import Searched
from pathmax.gp.paths import draw_paths
from pathmax.search.box import Box

KERNELS = {
    "matern": gp.Matern52(np.array([0.3, 0.5])),
    "rbf": gp.RBF(0.3),
    "sum": gp.RBF(0.3) + gp.Matern32(0.6),
}


def model(kernel: gp.Kernel, n: int, rng: np.random.Generator) -> gp.GaussianProcess:
    X = rng.random((n, 2))
    process = gp.GaussianProcess(kernel, 1e-4, 0.3, bowl=gp.Bowl(1.0, (0, 1)))
    return process.condition(X, np.sin(6 * X).sum(axis=1)) if n else process


@pytest.mark.parametrize("n", [0, 12])
@pytest.mark.parametrize("name", ["matern", "rbf"])
def test_rows_have_the_values_and_slopes_of_their_paths(
    name: str, n: int, rng: np.random.Generator
):
    paths = draw_paths(model(KERNELS[name], n, rng), rng, 4)
    U, number = rng.random((30, 2)), rng.integers(0, 4, 30)
    value, gradient = PathRows(paths, 2).value_and_gradient(np.column_stack([U, number]))
    for i in range(4):
        one, slope = PathScore(paths[i], 2).value_and_gradient(U[number == i])
        np.testing.assert_allclose(value[number == i], one, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(gradient[number == i, :2], slope, rtol=1e-7, atol=1e-7)
    assert (gradient[:, 2] == 0.0).all()


def test_tops_are_those_of_a_search_of_each(rng: np.random.Generator):
    surface = Searched(model(KERNELS["matern"], 12, rng), Box(2), rng)
    paths = surface.draw(20)
    points, values = climb_paths(paths, Box(2), surface.hints, surface.scales, rng)
    alone = np.array([surface._sample(paths, i).peak().value for i in range(20)])
    np.testing.assert_allclose(values, [paths[i](u[None])[0] for i, u in enumerate(points)])
    assert ((points >= 0.0) & (points <= 1.0)).all()
    assert np.mean(values >= alone - 1e-4) >= 0.9 and np.mean(alone - values) < 0.01


def test_what_is_not_made_of_plain_waves_is_searched_one_by_one(rng: np.random.Generator):
    plain, several = model(KERNELS["matern"], 6, rng), model(KERNELS["sum"], 6, rng)
    assert searchable(draw_paths(plain, rng, 4), Box(2), 2)
    assert not searchable(draw_paths(plain, rng, 2), Box(2), 2)
    assert not searchable(draw_paths(several, rng, 4), Box(2), 2)
    slice = Box(2, np.array([0.0, 0.4]), np.array([1.0, 0.4]))
    assert not searchable(draw_paths(plain, rng, 4), slice, 2)
    found = Searched(several, Box(2), rng).peaks(4)
    assert [top.value for _, top in found] == pytest.approx([s.value(t) for s, t in found])
