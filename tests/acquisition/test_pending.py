"""Running trials: the posterior believes in a draw there, whatever the method."""

import math

import numpy as np
import pytest

from pathmax import gp
from pathmax.acquisition import METHODS, Box, GridDomain, Mixed, Pool, believe, choose
from pathmax.gp import GridPosterior
from pathmax.search.lattice import ListedAxis

AXES = [np.linspace(0, 1, 9)] * 2
POINTS = GridDomain(AXES).points(np.arange(81))


@pytest.fixture(name="model")
def _model(rng):
    seen = rng.choice(81, 12, replace=False)
    return gp.GaussianProcess(gp.RBF(0.3), 0.01).condition(POINTS[seen], rng.standard_normal(12))


def test_the_variance_is_the_one_after_the_trials(model, rng):
    running = POINTS[[5, 40, 41]]
    believed = believe(model, running, rng)
    after = model.condition(running, np.zeros(3))
    np.testing.assert_allclose(believed.predict(POINTS).std, after.predict(POINTS).std, atol=1e-9)
    assert believed.n == model.n + 3 and model.n == 12


def test_nothing_running_changes_nothing(model, rng):
    assert believe(model, np.empty((0, 2)), rng) is model


def test_on_average_the_draw_says_nothing_new(model, rng):
    """The mean of the believed means is the mean, their spread the variance that is explained."""
    running, x = POINTS[[5, 40, 41]], POINTS[[30, 50]]
    means = np.array([believe(model, running, rng).predict(x).mean for _ in range(1500)])
    before, after = model.predict(x), model.condition(running, np.zeros(3)).predict(x)
    explained = before.std**2 - after.std**2
    error = np.sqrt(explained / len(means))
    assert (np.abs(means.mean(axis=0) - before.mean) < 4.5 * error).all()
    wobble = 4.5 * explained * math.sqrt(2 / len(means))
    assert (np.abs(means.var(axis=0) - explained) < wobble).all()


DOMAINS = {
    "box": Box(2),
    "mixed": Mixed([ListedAxis(None, "float"), ListedAxis(np.linspace(0, 1, 9))]),
    "lattice": Mixed([ListedAxis(np.linspace(0, 1, 9))] * 2),
    "pool": Pool(POINTS),
    "grid": GridDomain(AXES),
}


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("method", METHODS)
def test_every_method_takes_running_points(method, domain, model, rng):
    running = POINTS[[5, 40, 41]]
    choice = choose(method, model, DOMAINS[domain], rng, t=13, pending=running, n_samples=3)
    assert ((choice.u >= 0) & (choice.u <= 1)).all()
    if method != "random":
        believed = model.condition(running, np.zeros(3))
        std = believed.predict(choice.u[None]).std[0]
        assert choice.info["std"] == pytest.approx(std, rel=1e-6)


def test_a_posterior_on_the_grid_takes_running_points(model, rng):
    posterior = GridPosterior.of(model, AXES)
    choice = choose("pims", posterior, GridDomain(AXES), rng, pending=POINTS[[5, 40]])
    std = model.condition(POINTS[[5, 40]], np.zeros(2)).predict(choice.u[None]).std[0]
    assert choice.info["std"] == pytest.approx(std, rel=1e-6)


def test_a_batch_spreads_out(rng):
    """Eight points asked for at once: none of them close to another, unlike without belief."""
    model = gp.GaussianProcess(gp.Matern52(0.3), 1e-6)
    X = rng.random((8, 2))
    model = model.condition(X, -((X - 0.5) ** 2).sum(axis=1))
    batch = np.empty((0, 2))
    for _ in range(8):
        batch = np.vstack([batch, choose("ei", model, Box(2), rng, pending=batch).u])
    gaps = np.linalg.norm(batch[:, None] - batch, axis=2)[~np.eye(8, dtype=bool)]
    assert gaps.min() > 1e-3
