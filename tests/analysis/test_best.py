"""The probability of being best: against brute force, in every kind of space."""

import itertools
import math

import numpy as np
import pytest

import pathmax
from pathmax import gp
from pathmax.analysis.best import REGION_REACH, near, regions
from pathmax.errors import SettingsError, TrialError
from pathmax.space.axes import Axis

KERNEL = gp.RBF(0.3, outputscale=1.5)
FIXED = {"kernel": KERNEL, "noise": 0.01, "refit_every": None, "seed": 1}


def told(study, rows):
    for params, value in rows:
        study.add(params, value)
    return study


def share_of_best(X, data, n=40_000):
    """Straight from the definition: exact joint draws of the posterior on all points."""
    seen, y = data
    model = gp.GaussianProcess(KERNEL, 0.01).condition(X[seen], y)
    draws = model.sample(X, np.random.default_rng(7), n)
    return np.bincount(draws.argmax(axis=1), minlength=len(X)) / n


def check_shares(found, true, n):
    error = np.sqrt(np.maximum(true * (1 - true), 1e-3) * (1 / n + 1 / 40_000))
    assert np.all(np.abs(found - true) < 4.5 * error)  # over some forty rows at once


def test_a_pool_has_the_shares_of_exact_draws(rng):
    X = rng.random((40, 2))
    rows = [{"name": f"m{i}", "a": float(a), "b": float(b)} for i, (a, b) in enumerate(X)]
    study = pathmax.Study(pathmax.Candidates(rows, id="name"), **FIXED)
    U = study.space.encode_all()
    seen, y = np.array([3, 11, 25]), np.array([0.4, -0.3, 0.9])
    told(study, [(rows[i], v) for i, v in zip(seen, y, strict=True)])
    ranking = study.best_probabilities(n_paths=4000)
    assert ranking.exact and len(ranking) == 40 and ranking.n_paths == 4000
    assert ranking.probability.sum() == pytest.approx(1.0)
    check_shares(ranking.probability, share_of_best(U, (seen, y)), 4000)
    mean, std = study.predict(rows)
    np.testing.assert_allclose(ranking.mean, mean)
    np.testing.assert_allclose(ranking.std, std, rtol=1e-6)
    np.testing.assert_array_equal(np.flatnonzero(ranking.tried), seen)
    top = ranking.top(5)
    assert [c.probability for c in top] == sorted((c.probability for c in ranking), reverse=True)[
        :5
    ]
    assert top[0].params == rows[int(np.argmax(ranking.probability))]
    assert ranking.error(0.25) == pytest.approx(math.sqrt(0.25 * 0.75 / 4000))


def test_a_grid_has_the_shares_of_exact_draws():
    axis = [0.0, 0.25, 0.5, 0.75, 1.0]
    grid = pathmax.Grid({"a": axis, "b": axis})
    X = np.array(list(itertools.product(axis, axis)))
    seen, y = np.array([0, 12, 20]), np.array([0.4, -0.3, 0.9])
    rows = [(grid.params(int(i)), v) for i, v in zip(seen, y, strict=True)]
    study = told(pathmax.Study(grid, **FIXED), rows)
    ranking = study.best_probabilities(n_paths=4000)
    assert ranking.exact
    check_shares(ranking.probability, share_of_best(X, (seen, y)), 4000)
    np.testing.assert_array_equal(np.flatnonzero(ranking.tried), seen)


def test_a_space_of_whole_numbers_is_gone_through():
    space = {"n": pathmax.Int(0, 4), "m": pathmax.Int(0, 4)}
    axis = np.linspace(0, 1, 5)
    X = np.array(list(itertools.product(axis, axis)))
    seen, y = np.array([0, 12, 20]), np.array([0.4, -0.3, 0.9])
    rows = [({"n": int(i) // 5, "m": int(i) % 5}, v) for i, v in zip(seen, y, strict=True)]
    ranking = told(pathmax.Study(space, **FIXED), rows).best_probabilities(n_paths=4000)
    assert ranking.exact and len(ranking) == 25
    check_shares(ranking.probability, share_of_best(X, (seen, y)), 4000)
    assert ranking[7].params == {"n": 1, "m": 2}
    np.testing.assert_array_equal(np.flatnonzero(ranking.tried), seen)


def test_a_large_pool_is_nearly_exact(rng, monkeypatch):
    """Above MOST_JOINT rows paths are random features; here all the same against exact draws."""
    monkeypatch.setattr("pathmax.analysis.path_maxima.MOST_JOINT", 10)
    X = rng.random((40, 2))
    study = pathmax.Study(pathmax.Candidates(X), **FIXED)
    U = study.space.encode_all()
    seen, y = np.array([3, 11, 25]), np.array([0.4, -0.3, 0.9])
    told(study, [(study.space.params(int(i)), v) for i, v in zip(seen, y, strict=True)])
    ranking = study.best_probabilities(n_paths=2000)
    assert not ranking.exact
    true = share_of_best(U, (seen, y))
    assert np.abs(ranking.probability - true).sum() / 2 < 0.08  # total variation


def test_minimising_ranks_small_values_first():
    study = pathmax.Study(pathmax.Candidates([[0.0], [0.5], [1.0]]), direction="minimize", **FIXED)
    rows = [study.space.params(i) for i in range(3)]
    told(study, zip(rows, [5.0, -5.0, 5.0], strict=True))
    ranking = study.best_probabilities(n_paths=200)
    best = ranking.top(1)[0]
    assert best.params == rows[1] and best.probability == 1.0 and best.tried
    assert best.mean == pytest.approx(-5.0, abs=0.2)


def test_a_continuous_space_has_regions_around_its_maxima():
    """Two equal peaks, one seen well and one seen well too: two regions of about one half each."""
    study = pathmax.Study(
        {"x": pathmax.Float(-10, 10), "kind": pathmax.Categorical(["a", "b"])},
        kernel=gp.RBF(0.1, on=(0,)) * gp.Categorical(0.01, on=(1,)),
        noise=1e-4,
        refit_every=None,
        seed=0,
    )
    for kind, scale in (("a", 1.0), ("b", 0.2)):
        for x in np.linspace(-10, 10, 15):
            peaks = math.exp(-((x + 5) ** 2)) + math.exp(-((x - 5) ** 2))
            study.add({"x": float(x), "kind": kind}, 10 * scale * peaks)
    ranking = study.best_probabilities(n_paths=120)
    first, second = ranking.top(2)
    assert {round(first.params["x"]), round(second.params["x"])} <= {-6, -5, -4, 4, 5, 6}
    assert first.params["x"] * second.params["x"] < 0
    assert first.probability + second.probability > 0.9
    assert first.params["kind"] == second.params["kind"] == "a"
    for contender in (first, second):
        low, high = contender.extent["x"]
        assert low <= contender.params["x"] <= high and high - low < 4
        assert "kind" not in contender.extent
        forecast = study.predict([contender.params])
        assert (contender.mean, contender.std) == pytest.approx((forecast.mean[0], forecast.std[0]))


def test_regions_by_hand():
    points = np.array([[0.0], [0.1], [0.9], [0.2], [2.0]])
    axes = [Axis("float")]
    neighbours = near(points, points, np.array([1.0]), axes)
    assert REGION_REACH == 0.5
    np.testing.assert_array_equal(regions(neighbours), [0, 0, 1, 0, 2])
    coded = np.array([[0.0], [1.0], [0.0]])
    apart = near(coded, coded, np.array([1.0]), [Axis("categorical", np.arange(2.0))])
    np.testing.assert_array_equal(regions(apart), [0, 1, 0])


def test_the_same_study_gives_the_same_ranking():
    def ranked():
        study = pathmax.Study({"x": pathmax.Float(0, 1)}, **FIXED)
        return told(study, [({"x": 0.2}, 1.0), ({"x": 0.9}, 0.0)]).best_probabilities(50)

    np.testing.assert_array_equal(ranked().probability, ranked().probability)


def test_what_cannot_be_ranked_says_why():
    study = pathmax.Study({"x": pathmax.Float(0, 1)})
    with pytest.raises(TrialError, match="no trial has a value yet"):
        study.best_probabilities()
    study.add({"x": 0.5}, 1.0)
    with pytest.raises(SettingsError, match="n_paths must be a whole number, 1 or more"):
        study.best_probabilities(n_paths=0)


@pytest.mark.parametrize("where", [(), ("a + b <= 30",)], ids=["all", "constrained"])
def test_a_grid_without_end_has_regions(where):
    """Too many points to be numbered: the tops of paths are gathered as in a space."""
    axis = [float(value) for value in range(40)]
    grid = pathmax.Grid(dict.fromkeys("abcde", axis), where=where)
    rows = [(dict.fromkeys("abcde", value), -value) for value in (3.0, 8.0, 12.0)]
    ranking = told(pathmax.Study(grid, **FIXED), rows).best_probabilities(5)
    assert ranking.probability.sum() == pytest.approx(1.0)
    for contender in ranking:
        assert grid.where.are_obeyed(grid.validate(contender.params))
        for name, (low, high) in contender.extent.items():
            assert low <= contender.params[name] <= high


def test_rows_with_the_same_features_are_ranked_once():
    rows = [{"id": f"r{i}", "x": x} for i, x in enumerate([0.0, 0.2, 0.2, 0.2, 0.5, 0.5, 0.7, 0.9])]
    study = pathmax.Study(pathmax.Candidates(rows, id="id"), direction="maximize", seed=0)
    for number in (2, 6, 7):
        study.add(rows[number], -((rows[number]["x"] - 0.3) ** 2))
    ranking = study.best_probabilities(n_paths=400)
    assert ranking.probability.sum() == pytest.approx(1.0)
    assert (ranking.probability[[1, 3]] == 0.0).all()  # the one that was measured stands for them
    assert np.count_nonzero(ranking.probability[[4, 5]]) <= 1
    assert [ranking.top(1)[0].params["id"], ranking.top(1)[0].tried] == ["r2", True]


def test_a_ranking_is_printed_without_its_numbers():
    pool = pathmax.Candidates([{"x": i / 40} for i in range(40)])
    study = pathmax.Study(pool, direction="maximize", seed=0)
    for trial in study.ask(5):
        study.tell(trial, trial.params["x"])
    ranking = study.best_probabilities(n_paths=20)
    assert repr(ranking) == "Ranking(n_paths=20, exact=True, front=False, total=None)"
