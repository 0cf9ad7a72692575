"""The Tanimoto kernel: its formula, its paths, and how it is stored."""

import json

import numpy as np
import pytest

from pathmax import gp
from pathmax.errors import ModelError
from pathmax.gp import fingerprints
from pathmax.gp.fingerprints import keep_fingerprints
from pathmax.gp.kernels.tanimoto import Tanimoto

K = 40


@pytest.fixture
def counts(rng):
    """Counts of 30 pieces in K molecules."""
    found = rng.poisson(0.5, (K, 30))
    found[:, 0] += 1
    return found


@pytest.fixture
def table(counts):
    fingerprints.TABLES.pop("ours", None)
    sets = [
        np.array([64 * piece + again for piece, n in enumerate(row) for again in range(n)])
        for row in counts
    ]
    ends = np.cumsum([0, *map(len, sets)])
    return keep_fingerprints("ours", np.concatenate(sets).astype(np.int32), ends)


@pytest.fixture
def kernel(table):
    return Tanimoto("ours", outputscale=1.7, on=(0,))


def codes(n=K):
    return np.arange(float(n))[:, None]


def test_it_is_the_min_max_similarity_of_counts(kernel, counts):
    least = np.minimum(counts[:, None], counts[None]).sum(axis=2)
    most = np.maximum(counts[:, None], counts[None]).sum(axis=2)
    np.testing.assert_allclose(kernel(codes(), codes()), 1.7 * least / most)
    np.testing.assert_allclose(kernel.diagonal(codes()), 1.7)


def test_it_is_positive_definite(kernel):
    eigenvalues = np.linalg.eigvalsh(kernel(codes(), codes()))
    assert eigenvalues.min() > -1e-12
    product = kernel * gp.Matern52(lengthscale=0.4, on=(1,))
    X = np.column_stack([codes()[:, 0], np.linspace(0, 1, K)])
    assert np.linalg.eigvalsh(product(X, X)).min() > -1e-12


def test_hashes_agree_as_often_as_sets_are_alike(table):
    agree = (table.hashes[:, None] == table.hashes[None]).mean(axis=2)
    J = table.similarity(np.arange(K), np.arange(K))
    error = np.sqrt(J * (1.0 - J) / fingerprints.HASHES)
    assert np.abs(agree - J).max() < 5.0 * error.max()


def test_signs_of_different_hashes_are_independent(table, rng):
    features = [Tanimoto("ours", on=(0,)).draw_features(rng, 512, 1) for _ in range(40)]
    K_hat = np.mean([phi(codes()) @ phi(codes()).T for phi in features], axis=0)
    agree = (table.hashes[:, None] == table.hashes[None]).mean(axis=2)
    assert np.abs(K_hat - agree).max() < 5.0 / np.sqrt(40 * 512)


@pytest.mark.parametrize("n_features", [64, 512, 700])
def test_the_variance_of_a_feature_is_exact(kernel, rng, n_features):
    phi = kernel.draw_features(rng, n_features, 1)(codes())
    np.testing.assert_allclose((phi**2).sum(axis=1), 1.7)


def test_moments_of_paths_are_those_of_the_posterior(kernel, rng):
    X, y = codes()[:12], rng.standard_normal(12)
    model = gp.GaussianProcess(kernel, noise=0.05).condition(X, y)
    draws = np.concatenate(
        [gp.draw_paths(model, rng, 100, n_features=512)(codes()) for _ in range(30)]
    )
    mean, std = model.predict(codes())
    assert np.abs(draws.mean(axis=0) - mean).max() < 5.0 * std.max() / np.sqrt(len(draws)) + 0.05
    # the hashes are the same for all draws: their error, 2 % of a covariance, does not average out
    assert np.abs(draws.std(axis=0) / std - 1.0).max() < 0.15
    exact = gp.draw_paths(model, rng, 3000, kind="exact", points=codes())
    np.testing.assert_allclose(exact(codes()).std(axis=0), std, rtol=0.08)


def test_the_gradient_in_its_parameter_is_right(kernel):
    X, W = codes(6), np.arange(36.0).reshape(6, 6)
    step = np.array([1e-6])
    up, down = (kernel.with_theta(kernel.theta + s) for s in (step, -step))
    slope = (np.vdot(W, up(X, X)) - np.vdot(W, down(X, X))) / 2e-6
    assert kernel.link(X).pull_parameters(W)[0] == pytest.approx(slope, rel=1e-6)
    assert not kernel.link(X).pull(W).any()


def test_it_is_learnt_beside_a_temperature(table, rng):
    X = np.column_stack([codes()[:, 0], rng.random(K)])
    y = table.similarity(np.arange(K), np.array([3]))[:, 0] - X[:, 1]
    kernel = gp.Product((gp.Matern52(np.ones(1), on=(1,)), Tanimoto("ours", on=(0,))))
    model = gp.fit(kernel, X, (y - y.mean()) / y.std())
    assert np.corrcoef(model.predict(X).mean, y)[0, 1] > 0.95


class TestStoring:
    def test_it_is_read_again_by_its_key(self, kernel):
        again = gp.from_json(json.loads(json.dumps(kernel.to_json())))
        assert again == kernel
        np.testing.assert_array_equal(again(codes(), codes()), kernel(codes(), codes()))

    def test_unknown_molecules_are_refused_when_they_are_needed(self):
        kernel = gp.from_json({"kernel": "Tanimoto", "molecules": "00", "outputscale": 1.0})
        with pytest.raises(ModelError, match="open the study with its pool"):
            kernel(codes(), codes())

    def test_it_needs_one_coordinate(self, table):
        with pytest.raises(ModelError, match="on="):
            Tanimoto("ours")(np.zeros((2, 3)), np.zeros((2, 3)))
