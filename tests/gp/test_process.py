"""The posterior: against the textbook formulas, by blocks as at once, and never a NaN."""

import os
import pickle
import threading

import numpy as np
import pytest
import threadpoolctl

from pathmax import gp
from pathmax.errors import ModelError
from pathmax.gp import blas_threads, linalg


def textbook(kernel, noise, mean, X, y, points):
    K = kernel(X) + noise * np.eye(len(X))
    cross = kernel(points, X)
    inverse = np.linalg.inv(K)
    posterior = kernel(points) - cross @ inverse @ cross.T
    return mean + cross @ inverse @ (y - mean), posterior


@pytest.fixture(name="data")
def _data(rng):
    X = rng.random((12, 3))
    return X, np.sin(5 * X[:, 0]) + X[:, 1] ** 2, rng.random((7, 3))


KERNELS = [gp.RBF(0.5), gp.Matern52([0.4, 0.8, 1.0], outputscale=2.0), gp.Linear(0.7)]


@pytest.mark.parametrize("kernel", KERNELS)
def test_moments_are_the_textbook_ones(kernel, data):
    X, y, points = data
    model = gp.GaussianProcess(kernel, 1e-2, mean=0.3).condition(X, y)
    mean, covariance = textbook(kernel, 1e-2, 0.3, X, y, points)
    np.testing.assert_allclose(model.predict(points).mean, mean, atol=1e-9)
    np.testing.assert_allclose(model.predict(points).std, np.sqrt(np.diag(covariance)), atol=1e-9)
    np.testing.assert_allclose(model.joint(points).mean, mean, atol=1e-9)
    np.testing.assert_allclose(model.joint(points).covariance, covariance, atol=1e-9)


@pytest.mark.parametrize("kernel", KERNELS)
def test_gradients_are_finite_differences(kernel, data):
    X, y, points = data
    for model in (
        gp.GaussianProcess(kernel, 1e-3),
        gp.GaussianProcess(kernel, 1e-3).condition(X, y),
    ):
        mean, std, dmean, dstd = model.predict_gradient(points)
        np.testing.assert_allclose(mean, model.predict(points).mean, atol=1e-12)
        np.testing.assert_allclose(std, model.predict(points).std, atol=1e-12)
        for k in range(3):
            step = np.zeros(3)
            step[k] = 1e-5
            up, down = model.predict(points + step), model.predict(points - step)
            np.testing.assert_allclose(dmean[:, k], (up.mean - down.mean) / 2e-5, atol=1e-6)
            np.testing.assert_allclose(dstd[:, k], (up.std - down.std) / 2e-5, atol=1e-6)


def test_conditioning_by_blocks_is_conditioning_at_once(data):
    X, y, points = data
    noises = np.linspace(1e-3, 1e-1, 12)
    prior = gp.GaussianProcess(gp.Matern52(0.5), 1e-3)
    at_once = prior.condition(X, y, noises)
    piece = prior
    for start, stop in ((0, 1), (1, 5), (5, 12)):
        before = piece.cholesky.copy()
        extended = piece.condition(X[start:stop], y[start:stop], noises[start:stop])
        np.testing.assert_array_equal(piece.cholesky, before)  # the old one is untouched
        piece = extended
    np.testing.assert_allclose(piece.cholesky, at_once.cholesky, atol=1e-10)
    for one, other in zip(piece.predict(points), at_once.predict(points), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-9)
    assert piece.log_marginal_likelihood() == pytest.approx(at_once.log_marginal_likelihood())


def test_the_marginal_likelihood_is_the_density_of_the_data(data):
    X, y, _ = data
    kernel = gp.RBF(0.5, outputscale=1.3)
    model = gp.GaussianProcess(kernel, 0.1, mean=0.2).condition(X, y)
    K = kernel(X) + 0.1 * np.eye(12)
    residual = y - 0.2
    expected = -0.5 * (
        residual @ np.linalg.solve(K, residual) + np.linalg.slogdet(2 * np.pi * K)[1]
    )
    assert model.log_marginal_likelihood() == pytest.approx(expected, rel=1e-10)


def test_samples_have_the_posterior_moments(data, rng):
    X, y, points = data
    model = gp.GaussianProcess(gp.RBF(0.5), 1e-2).condition(X, y)
    draws = model.sample(points, rng, 40_000)
    mean, covariance = model.joint(points)
    spread = np.sqrt(np.diag(covariance))
    assert (np.abs(draws.mean(axis=0) - mean) < 4.5 * spread / 200).all()
    error = np.outer(spread, spread) * np.sqrt(2 / 40_000)
    assert (np.abs(np.cov(draws.T) - covariance) < 4.5 * error).all()


def test_without_data_it_is_the_prior(rng):
    model = gp.GaussianProcess(gp.RBF(0.5, outputscale=4.0), 1e-6, mean=1.5)
    mean, std = model.predict(rng.random((3, 2)))
    assert mean == pytest.approx([1.5] * 3)
    assert std == pytest.approx([2.0] * 3)
    assert model.log_marginal_likelihood() == 0.0
    assert model.condition(np.empty((0, 2)), []) is model


def hard_cases(rng):
    X = rng.random((40, 2))
    yield "duplicated rows, no noise", np.repeat(X, 3, axis=0), np.repeat(X[:, 0], 3), 0.0, 0.5
    yield "conflicting duplicates", np.repeat(X, 2, axis=0), np.tile([0.0, 1.0], 40), 0.0, 0.5
    yield "constant", X, np.ones(40), 1e-6, 0.5
    yield "one row", X[:1], np.ones(1), 1e-6, 0.5
    yield "huge", X, 1e300 * X[:, 0], 1e-6, 0.5
    yield "tiny", X, 1e-300 * X[:, 0], 1e-6, 0.5
    yield "mixed scales", X, 10.0 ** rng.integers(-300, 300, 40), 1e-6, 0.5
    long = rng.random((500, 3))
    yield "long length scale at n = 500", long, long.sum(axis=1), 1e-6, 30.0
    many = rng.random((2000, 2))
    yield "2,000 rows", many, many[:, 0], 1e-6, 0.3


def test_hard_data_give_finite_answers_above_the_floor(rng):
    for name, X, y, noise, lengthscale in hard_cases(rng):
        model = gp.GaussianProcess(gp.RBF(lengthscale), noise).condition(X, y)
        at = np.concatenate([X[:20], rng.random((20, X.shape[1]))])
        mean, std, dmean, dstd = model.predict_gradient(at)
        for values in (mean, std, dmean, dstd):
            assert np.isfinite(values).all(), name
        assert (std**2 >= model.variance_floor * (1 - 1e-12)).all(), name
        assert (std > 0).all(), name
        assert not np.isnan(model.log_marginal_likelihood()), name
        again = model.condition(at[:1], y[:1])  # and it still grows
        assert np.isfinite(again.predict(at).mean).all(), name


def test_jitter_is_reported_when_it_was_needed(rng):
    X = np.repeat(rng.random((5, 2)), 4, axis=0)
    model = gp.GaussianProcess(gp.RBF(0.5), 0.0).condition(X, X[:, 0])
    assert 0.0 < model.jitter < 1e-6
    assert gp.GaussianProcess(gp.RBF(0.5), 1e-6).condition(X, X[:, 0]).jitter == 0.0


def test_the_floor_is_the_lemma_and_is_reached_by_repetition():
    x = np.zeros((50, 1))
    model = gp.GaussianProcess(gp.RBF(0.2), 1e-6).condition(x, np.ones(50))
    assert model.variance_floor == pytest.approx(1e-6 / (1e-6 + 50), rel=1e-9)
    assert model.predict(x[:1]).std[0] ** 2 == pytest.approx(model.variance_floor, rel=1e-3)


def test_mistakes_say_what_was_expected(data):
    X, y, _ = data
    model = gp.GaussianProcess(gp.RBF(0.5), 1e-6)
    with pytest.raises(ModelError, match="same length, got 12 rows and 11"):
        model.condition(X, y[:-1])
    with pytest.raises(ModelError, match="must be finite"):
        model.condition(X, np.where(y > 0.5, np.nan, y))
    with pytest.raises(ModelError, match="3 columns like the data, got 2"):
        model.condition(X, y).predict(X[:, :2])
    with pytest.raises(ModelError, match=r"shape \(m, d\), got shape \(3,\)"):
        model.predict(X[0])
    with pytest.raises(ModelError, match="it is a variance"):
        model.condition(X, y, -1.0)
    with pytest.raises(ModelError, match="noise must be a variance"):
        gp.GaussianProcess(gp.RBF(0.5), -1e-6)
    with pytest.raises(ModelError, match=r"given to condition\(X, y, noise\)"):
        gp.GaussianProcess(gp.RBF(0.5), np.full(12, 1e-6))
    with pytest.raises(ModelError, match="one for each of 12 observations"):
        model.condition(X, y, [1e-6, 1e-6])
    with pytest.raises(ModelError, match="points must be finite"):
        model.predict([[np.nan, 0.0]])
    for nonsense in ([["a", "b"]], [[0.1, 0.2], [0.3]]):
        with pytest.raises(ModelError, match="points must be numbers"):
            model.predict(nonsense)


def test_lists_integers_and_views_are_as_good_as_arrays(data):
    X, y, points = data
    model = gp.GaussianProcess(gp.RBF(0.5), 1e-6).condition(X, y)
    other = gp.GaussianProcess(gp.RBF(0.5), 1e-6)
    other = other.condition(np.asfortranarray(X)[::-1], y.tolist()[::-1])
    np.testing.assert_allclose(other.predict(points).mean, model.predict(points).mean, atol=1e-8)
    assert model.predict([[0, 1, 0]]).std.shape == (1,)
    for part in (*model.predict(np.empty((0, 3))), *model.joint(np.empty((0, 3)))):
        assert part.size == 0


def test_a_linear_kernel_at_the_origin_has_no_nan(rng):
    at = np.concatenate([np.zeros((2, 3)), rng.random((2, 3))])
    for noise in (1e-6, 0.0):
        prior = gp.GaussianProcess(gp.Linear(0.5), noise)
        for model in (prior, prior.condition(np.zeros((3, 3)), [1.0, 2.0, 3.0])):
            for values in model.predict_gradient(at):
                assert np.isfinite(values).all()
            assert model.predict(at).std[:2] == pytest.approx(0.0, abs=1e-12)
            assert np.isfinite(model.sample(at, rng, 5)).all()


@pytest.mark.parametrize("lengthscale", [0.3, 3.0])
def test_samples_at_noiseless_data_are_the_data(lengthscale, rng):
    """The posterior covariance there is nothing but rounding, which is not positive definite."""
    X = rng.random((60, 2))
    model = gp.GaussianProcess(gp.RBF(lengthscale), 0.0).condition(X, X[:, 0])
    np.testing.assert_allclose(model.sample(X, rng)[0], X[:, 0], atol=1e-3)


def test_one_blas_thread_while_small_and_all_of_them_for_a_large_factor(rng, monkeypatch):
    inside = []
    plain = linalg.factorize

    def watched(*args):
        inside.append(blas_threads._inside)
        return plain(*args)

    monkeypatch.setattr(linalg, "factorize", watched)
    monkeypatch.setattr(blas_threads, "SMALL", 50)
    prior = gp.GaussianProcess(gp.RBF(0.5), 1e-6)
    for n in (50, 51):
        prior.condition(rng.random((n, 2)), np.zeros(n))
        prior.sample(rng.random((n, 2)), rng)
    assert inside == [1, 1, 0, 0]
    assert blas_threads._inside == 0


def test_the_limit_holds_in_every_thread_and_the_last_one_out_lifts_it():
    def count():
        libraries = threadpoolctl.threadpool_info()
        return {one["num_threads"] for one in libraries if one["user_api"] == "blas"}

    def work(entered, leave):
        with blas_threads.small_blas(1):
            seen.append(count())
            entered.set()
            assert leave.wait(60)

    seen = []
    with threadpoolctl.threadpool_limits(2, user_api="blas"):  # this thread is in control, then
        assert count() == {2}, "this BLAS cannot be told how many threads to use"
        for order in ((0, 1), (1, 0)):
            events = [(threading.Event(), threading.Event()) for _ in order]
            others = [threading.Thread(target=work, args=pair) for pair in events]
            for other, (entered, _) in zip(others, events, strict=True):
                other.start()
                assert entered.wait(60)
            for i in order:
                assert count() == {1}
                events[i][1].set()
                others[i].join()
            assert count() == {2}
    assert seen == [{1}] * 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_child_forked_from_within_the_limit_goes_on():
    with blas_threads.small_blas(1):
        child = os.fork()
        if child == 0:
            with blas_threads.small_blas(1):
                os._exit(10 + blas_threads._inside)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 11


@pytest.mark.parametrize("kernel", [gp.Matern52([0.3, 0.6], 2.0), gp.Linear([0.5, 2.0])])
@pytest.mark.parametrize("n", [0, 12])
def test_a_chain_is_the_prediction_put_together(kernel, n, rng):
    def partials(mean, std):  # of mean^2 std
        return mean**2 * std, 2.0 * mean * std, mean**2

    X = rng.random((n, 2))
    model = gp.GaussianProcess(kernel, 1e-3, 0.7).condition(X, 1e3 * np.sin(5 * X.sum(axis=1)))
    at = rng.random((6, 2))
    mean, std, mean_gradient, std_gradient = model.predict_gradient(at)
    value, gradient = model.chain(at, partials)
    np.testing.assert_allclose(value, mean**2 * std)
    expected = (2.0 * mean * std)[:, None] * mean_gradient + (mean**2)[:, None] * std_gradient
    np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())


@pytest.mark.parametrize("n", [3, 150, linalg.MOST_INVERTED + 1])
def test_a_search_looks_at_what_predict_predicts(n, rng):
    X, few, many = rng.random((n, 2)), rng.random((2, 2)), rng.random((700, 2))
    model = gp.GaussianProcess(gp.Matern52(0.4), 1e-4, mean=1.0).condition(X, np.sin(5 * X[:, 0]))
    cross = model.kernel(many, X)
    weights = np.linalg.solve(model.kernel(X) + 1e-4 * np.eye(n), cross.T)
    variance = model.kernel.outputscale - np.einsum("nm,mn->m", weights, cross)
    for some, slice_ in ((few, slice(0)), (many, slice(None))):
        predicted, looked = model.predict(some), model.look(some)
        np.testing.assert_allclose(looked.mean, predicted.mean, atol=1e-8)
        np.testing.assert_allclose(looked.std, predicted.std, rtol=1e-4)
        np.testing.assert_allclose(predicted.std[slice_] ** 2, variance[slice_], atol=1e-8)


def test_a_pickled_process_leaves_behind_what_it_can_compute_again(rng):
    X = rng.random((60, 2))
    model = gp.GaussianProcess(gp.Linear() * gp.RBF(0.3), 1e-4).condition(X, np.sin(5 * X[:, 0]))
    fresh = len(pickle.dumps(model))
    predicted = model.predict(X)
    stored = pickle.dumps(model)
    assert len(stored) == fresh
    np.testing.assert_array_equal(pickle.loads(stored).predict(X).std, predicted.std)
