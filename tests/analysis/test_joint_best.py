"""The probability of being on the front, or the best within bounds, against exact draws."""

import numpy as np
import pytest

import pathmax
from pathmax.errors import SettingsError
from pathmax.trials.pareto import pareto_mask
from tests.analysis.test_joint_regret import SEEN, SPACES, exact_draws, study_of


def check_shares(found, true, n, of):
    error = np.sqrt(np.maximum(true * (1 - true), 1e-3) * (1 / n + 1 / of))
    assert np.all(np.abs(found - true) < 4.5 * error)


@pytest.mark.parametrize("kind", SPACES)
def test_rows_are_on_the_front_as_often_as_in_exact_draws(kind):
    study = study_of(kind, objectives={"a": "maximize", "b": "minimize"})
    a, b = exact_draws("a", 4000), -exact_draws("b", 4000, -1.0)
    true = np.mean([pareto_mask(np.stack(both, axis=1)) for both in zip(a, b, strict=True)], axis=0)
    ranking = study.best_probabilities(n_paths=600)
    assert ranking.front and ranking.exact and ranking.feasibility is None
    check_shares(ranking.probability, true, 600, 4000)
    assert ranking.probability.sum() > 1.0
    np.testing.assert_array_equal(np.flatnonzero(ranking.tried), SEEN)
    best = ranking.top(1)[0]
    for name in ("a", "b"):
        forecast = study.predict([best.params], name)
        assert best.outcomes[name] == pytest.approx((forecast.mean[0], forecast.std[0]))


@pytest.mark.parametrize("kind", SPACES)
def test_rows_are_the_best_within_bounds_as_often_as_in_exact_draws(kind):
    study = study_of(kind, objectives={"a": "maximize"}, constraints={"c": "<= 0.0"})
    a, c = exact_draws("a", 6000), exact_draws("c", 6000, -1.0)
    inside = c <= 0.0
    tops = np.where(inside, a, -np.inf).argmax(axis=1)[inside.any(axis=1)]
    true = np.bincount(tops, minlength=25) / 6000
    ranking = study.best_probabilities(n_paths=1200)
    assert not ranking.front and ranking.feasibility is not None
    check_shares(ranking.probability, true, 1200, 6000)
    top = ranking.top(1)[0]
    assert top.feasibility == pytest.approx(study.feasibility([top.params])[0])


def test_regions_hold_parts_of_a_front():
    study = pathmax.Study(
        {"x": pathmax.Float(0, 1), "z": pathmax.Categorical(["p", "q"])},
        objectives={"a": "maximize", "b": "maximize"},
        seed=0,
    )
    for x in np.linspace(0, 1, 9):
        for z, worse in (("p", 0.0), ("q", 0.5)):
            a, b = x - worse, 1 - x * x - worse
            study.add({"x": float(x), "z": z}, {"a": a, "b": b})
    ranking = study.best_probabilities(n_paths=10)
    first = ranking.top(1)[0]
    assert first.params["z"] == "p" and first.probability == 1.0 and first.tried
    assert first.extent["x"][0] <= first.params["x"] <= first.extent["x"][1]
    assert set(first.outcomes) == {"a", "b"}
    with pytest.raises(SettingsError, match="n_paths must be a whole number"):
        study.best_probabilities(n_paths=0)


def test_a_grid_without_end_has_regions():
    grid = pathmax.Grid({name: [float(value) for value in range(40)] for name in "vwxyz"})
    study = pathmax.Study(grid, objectives={"a": "maximize", "b": "minimize"}, seed=0)
    for value in (3.0, 8.0, 12.0):
        study.add(dict.fromkeys("vwxyz", value), {"a": value, "b": (value - 5.0) ** 2})
    for contender in study.best_probabilities(n_paths=3):
        assert grid.validate(contender.params) == contender.params
        for name, (low, high) in contender.extent.items():
            assert low <= contender.params[name] <= high


@pytest.mark.parametrize("wanted", [{"y": "maximize"}, {"y": "maximize", "z": "minimize"}])
def test_of_rows_that_look_alike_the_one_that_was_measured_is_tried(wanted):
    rows = [{"name": name, "x": x} for name, x in zip("abcd", (1, 1, 2, 3), strict=True)]
    assay = pathmax.Fidelity(["quick", "full"], cost=[1, 20])
    for pool in (
        pathmax.Candidates(rows, id="name"),
        pathmax.Candidates(rows, id="name").with_fidelity("assay", assay),
    ):
        study = pathmax.Study(pool, objectives=wanted, seed=0)
        level = {} if pool.fidelity is None else {"assay": "full"}
        study.add({"name": "a", **level}, dict.fromkeys(wanted, 1.0))
        study.add({"name": "c", **level}, dict.fromkeys(wanted, 0.5))
        found = study.best_probabilities(n_paths=16).top(4)
        assert {one.params["name"] for one in found if one.tried} == {"a", "c"}


@pytest.mark.parametrize(
    "wanted",
    [
        {"objectives": {"y": "maximize"}, "constraints": {"z": "<= 0.6"}},
        {"objectives": {"y": "maximize", "z": "minimize"}},
    ],
)
def test_of_rows_that_look_alike_one_stands_for_all(wanted):
    """Rounding decided which copy was on the front of a draw, and they shared its probability."""
    rows = [{"name": name, "x": x} for name, x in zip("abcd", (0.1, 0.7, 0.7, 0.9), strict=True)]
    study = pathmax.Study(pathmax.Candidates(rows, id="name"), **wanted, seed=0, noise=1e-8)
    for row in (rows[0], rows[2], rows[3]):
        study.add({"name": row["name"]}, {"y": row["x"], "z": row["x"] ** 2})
    share = dict(zip("abcd", study.best_probabilities(n_paths=24).probability, strict=True))
    assert share["c"] > 0.9 and share["b"] == 0.0
