"""How curves go on: the message against the exact posterior, the likelihood against scipy's."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from pathmax import gp
from pathmax.gp.decay import OPEN_END, Decay, learn_decay

DECAY = Decay(gain=-1.5, spread=0.7, alpha=1.3, beta=0.2, drift=0.4, noise=0.15)


def draw(decay, t, rng):
    """The gaps of a run, from their definition: random weights on many exponential decays."""
    rates = rng.gamma(decay.alpha, 1.0 / decay.beta, 4000)
    weights = decay.gain + decay.spread * np.sqrt(len(rates)) * rng.standard_normal(len(rates))
    decays = np.exp(-np.outer(np.append(t, 1.0), rates)) @ weights / len(rates)
    back = np.append(t, 1.0)[::-1]
    steps = rng.standard_normal(len(t)) * np.sqrt(-np.diff(back))
    drift = decay.drift * np.cumsum(steps)[::-1]
    return decays[:-1] - decays[-1] + drift


def test_moments_are_those_of_random_decays_and_a_motion_that_ends_at_zero(rng):
    t = np.array([0.05, 0.3, 0.9])
    drawn = np.array([draw(DECAY, t, rng) for _ in range(4000)])
    error = 4.0 / np.sqrt(len(drawn))
    std = np.sqrt(np.diag(DECAY.covariance(t, t)))
    np.testing.assert_allclose(drawn.mean(axis=0), DECAY.mean(t), atol=error * std.max() + 0.03)
    np.testing.assert_allclose(np.cov(drawn.T), DECAY.covariance(t, t), atol=0.06)


def test_nothing_is_left_of_a_gap_at_the_last_step():
    t = np.array([0.1, 1.0])
    assert DECAY.mean(t)[1] == pytest.approx(0.0, abs=1e-15)
    np.testing.assert_allclose(DECAY.covariance(t, t)[1], 0.0, atol=1e-15)


def test_a_message_and_a_model_of_the_ends_make_the_exact_posterior_of_both(rng):
    # k((x, t), (x', t')) = k_ends(x, x') + [same run] k_gap(t, t'), all of it at once
    X = np.array([[0.1], [0.35], [0.8]])
    kernel, noise = gp.Matern52(lengthscale=0.3), 1e-2
    runs = [np.array([0.1, 0.2, 0.4]), np.array([0.1, 0.3]), np.array([0.05, 0.5, 0.6, 0.9])]
    told = np.array([0.2, -0.4])  # results of two further trials
    X_told = np.array([[0.2], [0.6]])
    where = np.concatenate(
        [X_told, *(np.repeat(X[i : i + 1], len(t), 0) for i, t in enumerate(runs))]
    )
    K = kernel(where, where)
    K[:2, :2] += noise * np.eye(2)
    mean, start = np.zeros(len(where)), 2
    for t in runs:
        own = slice(start, start + len(t))
        K[own, own] += DECAY.covariance(t, t) + DECAY.noise**2 * np.eye(len(t))
        mean[own] = DECAY.mean(t)
        start += len(t)
    y = rng.multivariate_normal(mean, K)
    y[:2] = told
    k = kernel(X, where)
    exact_mean = k @ np.linalg.solve(K, y - mean)
    exact = kernel(X, X) - k @ np.linalg.solve(K, k.T)

    parts = np.split(y[2:], np.cumsum([len(t) for t in runs])[:-1])
    messages = [DECAY.message(t, part) for t, part in zip(runs, parts, strict=True)]
    model = gp.GaussianProcess(kernel, noise).condition(X_told, told)
    model = model.condition(
        X, np.array([m.mean for m in messages]), np.array([m.variance for m in messages])
    )
    found_mean, found_std = model.predict(X)
    np.testing.assert_allclose(found_mean, exact_mean, atol=1e-6)
    np.testing.assert_allclose(found_std, np.sqrt(np.diag(exact)), atol=1e-6)

    # and one curve after the other is the same as the product of message and model
    others = gp.GaussianProcess(kernel, noise).condition(X_told, told)
    alone = others.condition(X[1:], *map(np.array, zip(*messages[1:], strict=True)))
    before_mean, before_std = alone.predict(X[:1])
    together = messages[0].times(float(before_mean[0]), float(before_std[0]) ** 2)
    assert together.mean == pytest.approx(exact_mean[0], abs=1e-6)
    assert together.variance == pytest.approx(exact[0, 0], abs=1e-6)


def test_the_likelihood_is_that_of_each_run_by_itself(rng):
    t = np.array([0.05, 0.1, 0.3, 0.7, 1.0])
    Y, ends = rng.standard_normal((4, 5)), np.array([0.3, np.nan, -1.0, np.nan])
    Y[1, 3:], Y[2, 1:], Y[3, 1:] = np.nan, np.nan, np.nan
    total = 0.0
    for y, end in zip(Y, ends, strict=True):
        k = int((~np.isnan(y)).sum())
        C = DECAY.covariance(t[:k], t[:k]) + (DECAY.noise**2 + 1e-10) * np.eye(k)
        mean = DECAY.mean(t[:k])
        mean, C = (mean, C + OPEN_END) if np.isnan(end) else (mean + end, C)
        total += multivariate_normal(mean, C).logpdf(y[:k])
    assert DECAY.log_likelihood(t, Y, ends) == pytest.approx(total, abs=1e-8)


def test_what_is_learnt_predicts_curves_it_has_not_seen(rng):
    t = np.geomspace(1 / 80, 1.0, 12)
    covariance = DECAY.covariance(t, t) + DECAY.noise**2 * np.eye(12)
    ends = rng.standard_normal(240)
    Y = ends[:, None] + rng.multivariate_normal(DECAY.mean(t), covariance, 240)
    Y[20:40, 6:] = np.nan
    seen = np.where(np.arange(40) < 20, ends[:40], np.nan)
    learnt = learn_decay(t, Y[:40], seen)
    z = []
    for y, end in zip(Y[40:], ends[40:], strict=True):
        message = learnt.message(t[:6], y[:6])
        z.append((message.mean - end) / np.sqrt(message.variance))
    # 95 % intervals of 200 ends: between 88 and 99 % hold unless chance is against it (p < 1e-4)
    assert 0.88 <= np.mean(np.abs(z) < 1.96) <= 0.995
    assert np.abs(np.mean(z)) < 0.4


def test_theta_is_there_and_back():
    again = Decay.from_theta(DECAY.theta)
    np.testing.assert_allclose(again.theta, DECAY.theta)
