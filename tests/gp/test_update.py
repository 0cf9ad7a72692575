"""Prior mean and update, composed once: the posterior mean and every path are made of them."""

import pickle

import numpy as np
import pytest

from pathmax import gp
from pathmax.gp.embedding import Embedding
from pathmax.gp.kernels.embedded import Embedded
from pathmax.gp.prior_mean import PriorMean
from pathmax.gp.update import Reach, Shift, Update

KERNEL = gp.Matern52([0.3, 0.7]) * gp.RBF(0.9)


@pytest.fixture(params=[None, gp.Bowl(2.0, (0, 1))], ids=["constant", "bowl"], name="mean")
def _mean(request):
    return PriorMean(0.5, request.param)


def test_a_shift_is_the_prior_mean_plus_the_update(mean, rng):
    X, at = rng.random((9, 2)), rng.random((5, 2))
    v, prior = rng.standard_normal((9, 3)), rng.standard_normal((5, 3))
    shift = Shift(mean, Update(Reach(KERNEL, X), v, unit=2.0))
    expected = prior + np.reshape(mean(at), (-1, 1)) + 2.0 * KERNEL(at, X) @ v
    np.testing.assert_allclose(shift.add_to(prior.copy(), at), expected)
    np.testing.assert_allclose(shift.add_to(prior.copy(), at, KERNEL(at, X)), expected)
    np.testing.assert_allclose(shift[1].add_to(prior[:, 1].copy(), at), expected[:, 1])


def test_the_gradient_of_a_shift_is_the_finite_difference(mean, rng):
    X, at = rng.random((9, 2)), rng.random((5, 2))
    several = Shift(mean, Update(Reach(KERNEL, X), rng.standard_normal((9, 3)), unit=2.0))
    whole = several.add_gradient_to(np.zeros((3, 5, 2)), at)
    for i in range(3):
        value, gradient = several[i].add_both_to(np.zeros(5), np.zeros((5, 2)), at)
        np.testing.assert_allclose(value, several[i].add_to(np.zeros(5), at))
        np.testing.assert_allclose(gradient, whole[i])
        for k, step in enumerate(1e-6 * np.eye(2)):
            up, down = (several[i].add_to(np.zeros(5), at + s) for s in (step, -step))
            np.testing.assert_allclose(gradient[:, k], (up - down) / 2e-6, atol=1e-7)


def test_the_posterior_mean_is_a_shift(rng):
    X, at = rng.random((9, 2)), rng.random((5, 2))
    model = gp.GaussianProcess(KERNEL, 1e-3, mean=0.5, bowl=gp.Bowl(1.0, (0,)))
    for some in (model, model.condition(X, X[:, 0])):
        mean = some.shift.add_to(np.zeros(5), at)
        np.testing.assert_allclose(mean, some.predict(at).mean)
        np.testing.assert_allclose(mean, some.joint(at).mean)
        np.testing.assert_allclose(mean, some.predict_gradient(at).mean)


def test_a_unit_that_would_overflow_is_kept_apart():
    v = np.array([1e10, -1e10])
    assert Update.of(Reach(KERNEL, np.zeros((2, 2))), v, 1e10).unit == 1.0
    apart = Update.of(Reach(KERNEL, np.zeros((2, 2))), v, 1e300)
    assert apart.unit == 1e300 and np.isfinite(apart.of_matrix(np.array([[1.0, 1.0]]))).all()


@pytest.mark.parametrize(
    "kernel", [KERNEL, Embedded(gp.Matern52(0.4, on=(0, 1)), Embedding(middles=(0,)))]
)
def test_paths_can_be_sent_to_another_process(kernel, rng):
    X, at = rng.random((9, 2)), rng.random((5, 2))
    path = gp.draw_path(gp.GaussianProcess(kernel, 1e-3).condition(X, X[:, 0]), rng)
    values = path(at)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(path))(at), values)


def test_the_mean_and_the_paths_of_a_process_share_what_the_data_are_to_the_kernel(rng):
    X = rng.random((9, 2))
    model = gp.GaussianProcess(gp.Matern52([0.3, 0.7]), 1e-4, bowl=gp.Bowl(1.0, (0, 1)))
    model = model.condition(X, rng.standard_normal(9))
    model.look(X)
    paths = gp.draw_paths(model, rng, 2)
    assert paths[1].shift.update.reach is model.shift.update.reach
    level = model.levelled()
    assert level.reach is model.reach
    assert level._root is model._root
    fresh = pickle.loads(pickle.dumps(level))
    assert "reach" not in vars(fresh)
    np.testing.assert_array_equal(fresh.look(X), level.look(X))


def test_values_without_and_with_slopes_come_from_one_anchor(rng):
    X, at = rng.random((9, 2)), rng.random((5, 2))
    reach = Reach(gp.Matern52([0.3, 0.7]), X)
    np.testing.assert_allclose(reach.cross(at), reach.link(at).value, rtol=1e-12)
    assert reach.cross.__self__ is reach.link
