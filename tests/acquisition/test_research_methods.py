"""Knowledge gradient, predictive entropy, entropy search: Monte Carlo, gradients, brute force."""

import numpy as np
import pytest

from pathmax import gp
from pathmax.acquisition import Box, GridDomain, Pool, choose
from pathmax.acquisition.entropy_search import EntropySearch, entropy
from pathmax.acquisition.knowledge_gradient import KnowledgeGradient, normal_parts
from pathmax.acquisition.predictive_entropy import PredictiveEntropy

NEW = ["es", "pes", "kg"]


@pytest.fixture
def model(rng):
    X = rng.random((7, 2))
    y = np.sin(5 * X[:, 0]) + X[:, 1]
    return gp.GaussianProcess(gp.Matern52(0.5), noise=0.01).condition(X, y)


def joint(model, A, u):
    """Mean and covariance of f at the points A and u, the latter last."""
    points = np.concatenate([A, u[None]])
    prior = model.kernel(points) - model.kernel(points, model.X) @ np.linalg.solve(
        model.kernel(model.X) + model.noise * np.eye(model.n), model.kernel(model.X, points)
    )
    return model.predict(points)[0], prior


def test_parts_of_a_normal_distribution_have_its_mean_and_nearly_its_variance():
    nodes = normal_parts(64)
    assert nodes.mean() == pytest.approx(0.0, abs=1e-12)
    assert np.mean(nodes**2) == pytest.approx(1.0, abs=0.02)


def test_the_knowledge_gradient_by_monte_carlo(model, rng):
    A, u = rng.random((12, 2)), rng.random(2)
    mean, covariance = joint(model, A, u)
    spread = np.sqrt(covariance[-1, -1] + model.noise)
    z = rng.standard_normal(200_000)
    after = mean + np.outer(z, covariance[:, -1] / spread)
    rise = after.max(axis=1) - mean.max()
    found = KnowledgeGradient(model, A)(u[None])[0]
    assert found == pytest.approx(rise.mean(), abs=4 * rise.std() / np.sqrt(len(z)) + 2e-3)
    assert found >= 0.0


def test_predictive_entropy_by_monte_carlo(model, rng):
    """The variance of f(x) given f(x*) above the best and above f(x), moment by moment."""
    star, u = rng.random((1, 2)), rng.random(2)
    mean, covariance = joint(model, star, u)
    m_star, v_star, c, v = mean[0], covariance[0, 0], covariance[0, 1], covariance[1, 1]
    best = float(m_star + 0.5 * np.sqrt(v_star))
    f_star = m_star + np.sqrt(v_star) * rng.standard_normal(2_000_000)
    f_star = f_star[f_star >= best]
    top, left = f_star.mean(), f_star.var()  # first condition, matched by a normal
    centre = mean[1] + c / v_star * (top - m_star)
    now = v - c**2 / v_star * (1 - left / v_star)
    cross = c * left / v_star
    pair = rng.multivariate_normal([centre, top], [[now, cross], [cross, left]], 1_000_000)
    kept = pair[pair[:, 1] >= pair[:, 0], 0].var()
    by_hand = 0.5 * np.log(v + model.noise) - 0.5 * np.log(kept + model.noise)
    assert PredictiveEntropy(model, star, best)(u[None])[0] == pytest.approx(by_hand, abs=0.01)


@pytest.mark.parametrize("kind", ["kg", "pes"])
def test_gradients_are_those_of_finite_differences(model, rng, kind):
    A, U = rng.random((6, 2)), rng.random((5, 2))
    score = KnowledgeGradient(model, A) if kind == "kg" else PredictiveEntropy(model, A, 0.8)
    value, gradient = score.value_and_gradient(U)
    assert value == pytest.approx(score(U))
    for j in range(2):
        step = np.zeros(2)
        step[j] = 1e-6
        slope = (score(U + step) - score(U - step)) / 2e-6
        assert gradient[:, j] == pytest.approx(slope, rel=1e-3, abs=1e-6)


def test_entropy_search_by_drawing_the_posterior_anew(model, rng):
    A, u = rng.random((5, 2)), rng.random(2)
    mean, covariance = joint(model, A, u)
    inner, c = covariance[:5, :5], covariance[:5, 5]
    spread = covariance[5, 5] + model.noise
    root = np.linalg.cholesky(inner - np.outer(c, c) / spread + 1e-12 * np.eye(5))
    before = rng.multivariate_normal(mean[:5], inner, 20_000)
    by_hand = entropy(before[None])[0]
    for z in normal_parts(8):
        after = mean[:5] + c * z / np.sqrt(spread) + rng.standard_normal((20_000, 5)) @ root.T
        by_hand -= entropy(after[None])[0] / 8
    found = EntropySearch(model, A, rng, draws=20_000).gain(u)
    assert found == pytest.approx(by_hand, abs=0.03)


def test_entropy_of_shares():
    assert entropy(np.eye(4)[None])[0] == pytest.approx(np.log(4))
    assert entropy(np.tile([1.0, 0.0], (1, 9, 1)))[0] == 0.0


@pytest.mark.parametrize("method", NEW)
def test_each_chooses_everywhere_and_again_the_same(model, method):
    pool = np.random.default_rng(1).random((40, 2))
    grid = GridDomain([np.linspace(0, 1, 6), np.linspace(0, 1, 5)])
    for domain in (Box(2), Pool(pool, excluded=[0, 1]), grid):
        first, second = (
            choose(method, model, domain, np.random.default_rng(3), t=2) for _ in range(2)
        )
        assert np.array_equal(first.u, second.u)
        assert first.info["gain"] == second.info["gain"] > -1e-9
        assert np.all((first.u >= 0) & (first.u <= 1))
    assert (
        choose(method, model, Pool(pool, excluded=range(1, 40)), np.random.default_rng(0)).index
        == 0
    )


@pytest.mark.parametrize("method", ["pes", "kg"])
def test_on_a_pool_the_choice_is_the_best_row(model, method, monkeypatch):
    from pathmax.acquisition import knowledge_gradient, predictive_entropy

    seen = []
    place = knowledge_gradient if method == "kg" else predictive_entropy
    name = "KnowledgeGradient" if method == "kg" else "PredictiveEntropy"
    real = getattr(place, name)
    monkeypatch.setattr(place, name, lambda *given: seen.append(real(*given)) or seen[-1])
    pool = np.random.default_rng(5).random((60, 2))
    choice = choose(method, model, Pool(pool), np.random.default_rng(2))
    assert choice.index == int(np.argmax(seen[0](pool)))
