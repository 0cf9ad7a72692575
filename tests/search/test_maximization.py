"""Searching a box: the maximum is found, and never less than what the data show."""

import numpy as np
import pytest

from pathmax import gp
from pathmax.acquisition import Box, Mixed
from pathmax.acquisition.surfaces.path_score import PathScore, glance
from pathmax.acquisition.surfaces.searched_surface import Searched, length_scales
from pathmax.gp import linalg
from pathmax.search import screening
from pathmax.search.lattice import ListedAxis
from pathmax.search.maximization import maximize
from pathmax.search.scores import Score

KERNELS = [
    gp.RBF(0.25),
    gp.Matern52([0.3, 0.5]),
    gp.Matern12(0.8),
    gp.Matern32(0.5, on=(0,)) * gp.Categorical(0.5, on=(1,)),
    gp.Linear() * gp.RBF(0.5),
]


def model_on(kernel, rng, n=12, noise=1e-6):
    X = rng.random((n, 2))
    X[:, 1] = X[:, 1] if "Categorical" not in str(kernel) else rng.integers(0, 3, n)
    return gp.GaussianProcess(kernel, noise).condition(X, rng.standard_normal(n))


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: type(k).__name__)
@pytest.mark.parametrize("n", [0, 12], ids=["prior", "posterior"])
def test_a_path_in_the_form_for_searching_is_the_path(kernel, n, rng):
    model = model_on(kernel, rng) if n else gp.GaussianProcess(kernel, 1e-6)
    paths = gp.draw_paths(model, rng, 3)
    U = rng.random((200, 2))
    U[:, 1] = np.floor(3 * U[:, 1])
    prior = paths.prior(2)(U)
    scale = np.abs(paths(U)).max()
    for i in range(3):
        score = PathScore(paths[i], 2)
        values, gradients = paths[i].value_and_gradient(U)
        np.testing.assert_allclose(score(U), values, atol=1e-9 * scale)
        np.testing.assert_allclose(score.approximate(U), values, atol=1e-3 * scale)
        found, slopes = score.value_and_gradient(U)
        np.testing.assert_allclose(found, values, atol=1e-9 * scale)
        np.testing.assert_allclose(slopes, gradients, atol=1e-8 * np.abs(gradients).max())
        update = model.kernel(U, model.X) @ paths.shift.update.v[:, i] if n else 0.0
        np.testing.assert_allclose(prior[:, i] + model.mean + update, values, atol=1e-3 * scale)
    np.testing.assert_allclose(glance(paths, U).T, paths(U), atol=1e-3 * scale)


def test_a_glance_sees_the_bowl_too(rng):
    X = rng.random((9, 2))
    model = gp.GaussianProcess(gp.Matern52(0.4), 1e-6, bowl=gp.Bowl(3.0, (0, 1)))
    for some in (model, model.condition(X, rng.standard_normal(9))):
        paths = gp.draw_paths(some, rng, 4)
        np.testing.assert_allclose(glance(paths, X).T, paths(X), atol=1e-3)


def test_many_data_are_gone_through_in_blocks_of_rows(rng):
    X, U = rng.random((600, 2)), rng.random((400, 2))
    assert len(list(linalg.blocks(len(U), len(X)))) > 2
    model = gp.GaussianProcess(gp.Matern52(0.4), 1e-2).condition(X, np.sin(5 * X[:, 0]))
    paths = gp.draw_paths(model, rng, 4)
    exact = model.kernel(U, model.X) @ paths.shift.update.v + model.mean
    exact += paths.features(U) @ paths.weights
    np.testing.assert_allclose(paths(U), exact.T, atol=1e-8)
    np.testing.assert_allclose(glance(paths, U), exact, atol=1e-3)
    np.testing.assert_allclose(PathScore(paths[1], 2)(U), exact[:, 1], atol=1e-8)
    np.testing.assert_allclose(PathScore(paths[1], 2).approximate(U), exact[:, 1], atol=1e-3)
    np.testing.assert_allclose(paths[1](U), exact[:, 1], atol=1e-8)


@pytest.mark.parametrize("seed", range(10))
def test_the_maximum_of_a_path_is_that_of_a_fine_grid(seed):
    rng = np.random.default_rng(seed)
    score = PathScore(gp.draw_path(model_on(gp.RBF(0.2), rng), rng), 2)
    fine = np.stack(np.meshgrid(*[np.linspace(0, 1, 161)] * 2), axis=-1).reshape(-1, 2)
    found = maximize(score, Box(2), rng, scales=np.full(2, 0.2))
    assert found.value >= score(fine).max() - 1e-6
    assert found.value == pytest.approx(score(found.u[None])[0])


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("domain", [Box(2), Mixed([ListedAxis(None, "float")] * 2)])
def test_g_star_is_never_below_the_path_at_the_data(seed, domain):
    """Even after a search that looks at next to nothing."""
    rng = np.random.default_rng(seed)
    model = model_on(gp.Matern32(0.05), rng, n=60)
    surface = Searched(model, domain, rng, effort=1e-9)
    (sample,) = surface.samples(1)
    assert sample.peak().value >= sample.path(model.X).max() - 1e-8


def test_a_hint_is_not_lost(rng):
    class Needle(Score):
        def __call__(self, U):
            return np.exp(-1e4 * ((U - 0.123) ** 2).sum(axis=1))

        def value_and_gradient(self, U):
            value = self(U)
            return value, -2e4 * (U - 0.123) * value[:, None]

    hint = np.full((1, 6), 0.125)
    found = maximize(Needle(), Box(6), rng, hints=hint)
    assert found.value == pytest.approx(1.0, abs=1e-6)


def test_looks_fill_the_cube_and_starts_lie_apart(rng):
    points = screening.cube_points(256, 3, rng)
    assert ((points >= 0) & (points < 1)).all()
    counts = np.histogramdd(points, bins=[(0, 0.5, 1)] * 3)[0]
    assert counts.min() >= 28 and counts.max() <= 36  # 32 each if they were perfect
    values = -((points - 0.5) ** 2).sum(axis=1)
    chosen = screening.pick_apart(points, values, 5, np.full(3, 0.3))
    gaps = np.linalg.norm(points[chosen][:, None] - points[chosen], axis=2)[~np.eye(5, dtype=bool)]
    assert chosen[0] == np.argmax(values) and gaps.min() > 0.25 * 0.3
    assert len(screening.pick_apart(np.zeros((7, 2)), np.arange(7.0), 5, np.ones(2))) == 5
    near = Box(3).neighbours(points[:2], 50, np.full(3, 0.3), rng)
    assert near.shape == (50, 3) and ((near >= 0) & (near <= 1)).all()


def test_length_scales_of_products(rng):
    kernel = (
        gp.Matern52([0.2, 5.0], on=(0, 2)) * gp.Categorical(0.5, on=(1,)) * gp.RBF(0.1, on=(2,))
    )
    np.testing.assert_allclose(length_scales(kernel, 3), [0.2, 1.0, 0.1])


def test_a_search_ends_where_it_is_when_that_is_enough(rng):
    asked = []

    class Bowl(Score):
        def __call__(self, U):
            return -np.square(U - 0.3).sum(axis=1)

        def value_and_gradient(self, U):
            asked.append(len(U))
            return self(U), -2.0 * (U - 0.3)

    boxes = [
        Box(4),
        Mixed([*[ListedAxis(None, "float")] * 3, ListedAxis(np.linspace(0.0, 1.0, 5))]),
    ]
    for domain in boxes:
        asked.clear()
        best = maximize(Bowl(), domain, rng)
        whole = len(asked)
        asked.clear()
        found = maximize(Bowl(), domain, rng, enough=-0.5)
        assert found.value > -0.5
        assert found.value == Bowl()(found.u[None])[0]
        assert found.value < best.value
        assert len(asked) < whole
        never = maximize(Bowl(), domain, rng, enough=1.0)  # more than there is
        assert never.value == pytest.approx(best.value, abs=1e-6)
