"""Choices where some coordinates are held, against brute force on the slice."""

import numpy as np
import pytest
from scipy.stats import norm

from pathmax import gp
from pathmax.acquisition import Box, GridDomain, Mixed, Pool, choose
from pathmax.acquisition.surfaces.moved_data import lie_in, moved, moved_points
from pathmax.space.axes import Axis

HELD = 0.3


def model_of(rng: np.random.Generator, n: int = 12) -> gp.GaussianProcess:
    X = rng.random((n, 2))
    y = np.sin(5.0 * X[:, 0]) + np.cos(4.0 * X[:, 1])
    prior = gp.GaussianProcess(gp.Matern52(lengthscale=np.array([0.3, 0.4])), noise=1e-4)
    return prior.condition(X, y)


def domains():
    line = np.linspace(0.0, 1.0, 41)
    axes = (Axis("float").held(HELD), Axis("int", line))
    rows = np.column_stack([np.full(41, HELD), line])
    return {
        "box": Box(2, [HELD, 0.0], [HELD, 1.0]),
        "mixed": Mixed(axes),
        "grid": GridDomain([np.array([HELD]), line]),
        "pool": Pool(rows, is_part=True),
    }


@pytest.mark.parametrize("kind", ["box", "mixed", "grid", "pool"])
@pytest.mark.parametrize("method", ["pims", "ts", "gp-ucb", "ei", "mes"])
def test_choices_lie_in_the_slice(kind, method, rng):
    domain = domains()[kind]
    assert domain.is_slice
    choice = choose(method, model_of(rng), domain, rng, t=3)
    assert choice.u[0] == HELD
    if "x_star" in choice.info:
        assert choice.info["x_star"][0] == HELD


def test_the_maximum_of_a_path_is_that_of_the_slice(rng):
    """g* is the maximum over what can be chosen at this context, not over all contexts."""
    model, box = model_of(rng), Box(2, [HELD, 0.0], [HELD, 1.0])
    line = np.column_stack([np.full(2001, HELD), np.linspace(0.0, 1.0, 2001)])
    everywhere = np.stack(np.meshgrid(*[np.linspace(0.0, 1.0, 60)] * 2), axis=-1).reshape(-1, 2)
    above = 0
    for seed in range(10):
        info = choose("pims", model, box, np.random.default_rng(seed)).info
        path = gp.draw_path(model, np.random.default_rng(seed))
        top = float(path(line).max())
        assert info["g_star"] == pytest.approx(top, abs=1e-4)
        above += float(path(everywhere).max()) > top + 0.05
    assert above >= 5  # elsewhere the paths are higher, which does not matter here


def test_pims_in_a_slice_against_brute_force(rng):
    model, box = model_of(rng), Box(2, [HELD, 0.0], [HELD, 1.0])
    line = np.column_stack([np.full(4001, HELD), np.linspace(0.0, 1.0, 4001)])
    mean, std = model.predict(line)
    for seed in range(5):
        choice = choose("pims", model, box, np.random.default_rng(seed))
        score = (choice.info["g_star"] - mean) / std
        assert choice.info["xi"] <= score.min() + 1e-3


def test_what_was_tried_elsewhere_is_expected_here(rng):
    model, box = model_of(rng), Box(2, [HELD, 0.0], [HELD, 1.0])
    points, means = moved_points(model, box)
    assert (points[:, 0] == HELD).all()
    np.testing.assert_array_equal(np.sort(points[:, 1]), np.sort(model.X[:, 1]))
    np.testing.assert_allclose(means, model.predict(points).mean)
    assert not lie_in(box, model.X).any()
    assert moved_points(model, Box(2)) is None
    np.testing.assert_array_equal(moved(Box(2), model.X), model.X)


def test_an_improvement_has_to_beat_what_is_expected_here_not_what_was_measured_elsewhere(rng):
    """A context in which everything is worse must not stop EI from looking for the best in it."""
    X = rng.random((20, 2))
    y = 10.0 * (X[:, 0] > 0.5) - (X[:, 1] - 0.7) ** 2
    model = gp.GaussianProcess(gp.Matern52(lengthscale=np.array([0.1, 0.5])), noise=1e-4)
    model = model.condition(X, y)
    choice = choose("ei", model, Box(2, [0.1, 0.0], [0.1, 1.0]), rng)
    line = np.column_stack([np.full(401, 0.1), np.linspace(0.0, 1.0, 401)])
    _, means = moved_points(model, Box(2, [0.1, 0.0], [0.1, 1.0]))
    mean, std = model.predict(line)
    z = (mean - means.max()) / std
    score = std * (z * norm.cdf(z) + norm.pdf(z))
    z_here = (choice.info["mean"] - means.max()) / choice.info["std"]
    here = choice.info["std"] * (z_here * norm.cdf(z_here) + norm.pdf(z_here))
    assert here >= score.max() * (1 - 1e-3)
