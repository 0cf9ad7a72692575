"""What the paper proves about PIMS and TS, held by tests: Lemmas 3.2, 4.1 and A.1."""

import math
from functools import partial

import numpy as np
import pytest

from pathmax import gp
from pathmax.acquisition import METHODS, Box, GridDomain, Pool, choose, improvement
from pathmax.acquisition.entropy import MaxValueEntropy
from pathmax.acquisition.improvement_rules import ExpectedImprovement, ProbabilityOfImprovement
from pathmax.acquisition.normal import truncated_variance
from pathmax.acquisition.scores import PosteriorScore
from pathmax.acquisition.surfaces import pool_surface
from pathmax.acquisition.ucb import UpperConfidence
from pathmax.gp.grid_posterior import GridPosterior
from pathmax.search.maximization import maximize
from pathmax.search.rows import maximize_rows

AXES = [np.linspace(0.0, 1.0, 6)] * 3


def on_grid(rng, n=10, noise=1e-6):
    grid = GridPosterior.of(gp.GaussianProcess(gp.RBF(0.25), noise), AXES)
    f = grid.draw(rng)
    for index in rng.choice(len(f), n, replace=False):
        grid = grid.condition(int(index), float(f[index]))
    return grid, f


@pytest.mark.parametrize("seed", range(40))
def test_lemma_a1_on_a_grid(seed):
    """PIMS, MES with one sample, GP-UCB with xi, and PI from g* choose one point; g* is touched."""
    rng = np.random.default_rng(seed)
    grid, _ = on_grid(rng)
    choice = choose("pims", grid, GridDomain(AXES), rng)
    g_star, xi = choice.info["g_star"], choice.info["xi"]
    mean, std = grid.mean, grid.std
    assert choice.index == np.argmin((g_star - mean) / std)
    assert xi == pytest.approx(np.min((g_star - mean) / std))
    for rule in (
        MaxValueEntropy(np.array([g_star])),
        UpperConfidence(xi),
        ProbabilityOfImprovement(g_star),
    ):
        values = rule(mean, std)
        assert values[choice.index] == pytest.approx(values.max(), rel=1e-9, abs=1e-12)
    assert choice.info["mean"] + xi * choice.info["std"] == pytest.approx(g_star)


@pytest.mark.parametrize("seed", range(40))
def test_lemma_a1_in_a_box(seed, monkeypatch):
    """PIMS, MES with the sample g*, GP-UCB with xi and GP-EST with g* choose one point.

    Each is searched for by itself, without a hint from another. A random score has no two maxima
    of equal height, so the points agree, not their values alone.
    """
    rng = np.random.default_rng(seed)
    X = rng.random((15, 2))
    y = np.sin(9 * X[:, 0]) + np.cos(7 * X[:, 1])
    model = gp.GaussianProcess(gp.Matern52(0.3), 1e-6).condition(X, y)
    choice = choose("pims", model, Box(2), rng, effort=4.0)
    g_star, xi = choice.info["g_star"], choice.info["xi"]
    assert choice.info["mean"] + xi * choice.info["std"] == pytest.approx(g_star)
    search = partial(maximize, domain=Box(2), rng=rng, scales=np.full(2, 0.3), effort=4.0)
    mes = search(PosteriorScore(model, MaxValueEntropy(np.array([g_star]))))
    ucb = search(PosteriorScore(model, UpperConfidence(xi)))  # xi may be negative
    monkeypatch.setattr(improvement, "estimated_maximum", lambda *_, **__: g_star)
    est = choose("gp-est", model, Box(2), rng, effort=4.0)
    assert est.info["m_hat"] == g_star
    for u in (mes.u, ucb.u, est.u):
        np.testing.assert_allclose(u, choice.u, atol=1e-4)


@pytest.mark.parametrize("n", [0, 20], ids=["prior", "posterior"])
@pytest.mark.parametrize("method, name", [("ts", "eta"), ("pims", "xi")])
def test_lemmas_3_2_and_4_1(method, name, n, rng):
    """E[eta^2 1{eta >= 0}] and E[xi^2 1{xi >= 0}] are at most 2 + 2 log(|X| / 2)."""
    grid, _ = on_grid(rng, n)
    bound = 2.0 + 2.0 * math.log(len(grid.mean) / 2.0)
    found = np.array([choose(method, grid, GridDomain(AXES), rng).info[name] for _ in range(2000)])
    squares = np.where(found >= 0.0, found, 0.0) ** 2
    assert squares.mean() + 4.5 * squares.std() / math.sqrt(len(squares)) <= bound
    assert squares.mean() > 0.5  # the bound is not met by doing nothing


def brute_force(method, info, model, U):
    """The score of a method at every row, from the definition and what the choice reports."""
    mean, std = model.predict(U)
    if method in ("pims", "gp-est"):
        level = info["g_star"] if method == "pims" else info["m_hat"]
        return (mean - level) / std
    if method == "pi":
        return (mean - info["reference"]) / std
    if method == "ei":
        return ExpectedImprovement(info["reference"])(mean, std)
    if method == "eims":
        return ExpectedImprovement(info["g_star"])(mean, std)
    if method == "gp-ucb":
        return mean + math.sqrt(info["beta"]) * std
    if method == "irgp-ucb":
        return mean + math.sqrt(info["zeta"]) * std
    assert method == "mes"
    return MaxValueEntropy(np.asarray(info["g_stars"]))(mean, std)


APART = ("ts", "jes", "random", "es", "pes", "kg")  # compared in tests of their own


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("method", [m for m in METHODS if m not in APART])
def test_on_a_pool_the_choice_is_that_of_brute_force(method, dtype, rng):
    U = rng.random((3000, 4)).astype(dtype)
    seen = rng.choice(3000, 30, replace=False)
    exact = U.astype(float)
    model = gp.GaussianProcess(gp.Matern52(0.5), 1e-6)
    model = model.condition(exact[seen], np.sin(5 * exact[seen]).sum(axis=1))
    choice = choose(method, model, Pool(U, excluded=seen), rng, t=30)
    values = brute_force(method, choice.info, model, exact)
    values[seen] = -np.inf
    assert choice.index == int(np.argmax(values))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_on_a_pool_jes_chooses_as_brute_force_does(dtype):
    """The same sample paths, each maximised over all rows, and the definition at every row."""
    rng = np.random.default_rng(0)
    U = rng.random((1500, 3)).astype(dtype)
    exact = U.astype(float)
    model = gp.GaussianProcess(gp.Matern52(0.5), 1e-4)
    model = model.condition(exact[:25], np.sin(5 * exact[:25]).sum(axis=1))
    choice = choose("jes", model, Pool(U, excluded=range(25)), np.random.default_rng(7))
    values = gp.draw_paths(model, np.random.default_rng(7), 10)(exact)  # (10, N)
    stars, g_stars = values.argmax(axis=1), values.max(axis=1)
    np.testing.assert_allclose(choice.info["g_stars"], g_stars, rtol=1e-6)
    _, std = model.predict(exact)
    left = np.zeros(len(U))
    for star, g_star in zip(stars, g_stars, strict=True):
        mean, s = model.condition(exact[[star]], [g_star], 1e-12).predict(exact)
        variance = s**2 * truncated_variance((g_star - mean) / s)
        left += 0.5 * np.log(variance + model.noise) / len(stars)
    gain = 0.5 * np.log(std**2 + model.noise) - left
    assert choice.info["gain"] == pytest.approx(gain[choice.index], abs=1e-4)
    gain[:25] = -np.inf
    assert choice.index == int(np.argmax(gain))


@pytest.mark.parametrize("kind", ["pathwise", "exact"])
def test_thompson_takes_the_top_of_its_path_on_a_pool(kind, rng):
    U = rng.random((800, 3))
    model = gp.GaussianProcess(gp.RBF(0.4), 1e-4).condition(U[:20], U[:20, 0])
    choice = choose("ts", model, Pool(U), np.random.default_rng(5), kind=kind)
    path = gp.draw_path(model, np.random.default_rng(5), kind=kind, points=U)
    values = path(U)
    assert choice.index == int(np.argmax(values))
    mean, std = model.predict(U[[choice.index]])
    assert choice.info["eta"] == pytest.approx((values.max() - mean[0]) / std[0], rel=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_the_choice_does_not_depend_on_the_chunk(method, monkeypatch, rng):
    U = rng.random((2000, 3)).astype(np.float32)
    model = gp.GaussianProcess(gp.Matern52(0.4), 1e-6)
    model = model.condition(U[:40].astype(float), U[:40, 0].astype(float))
    chosen = set()
    for chunk in (64, 1000, 1 << 16):
        monkeypatch.setattr(pool_surface, "ROWS_AT_ONCE", chunk)
        monkeypatch.setattr(pool_surface, "maximize_rows", partial(maximize_rows, chunk=chunk))
        choice = choose(method, model, Pool(U, excluded=range(40)), np.random.default_rng(3), t=41)
        chosen.add(choice.index)
    assert len(chosen) == 1
