"""A model of too many results is the exact one of some of them, and says so."""

import numpy as np
import pytest

import pathmax
from pathmax import gp
from pathmax.space.grid import Grid
from pathmax.storage.records import Entry
from pathmax.suggestion import surrogate
from pathmax.suggestion.failed_points import avoid
from pathmax.suggestion.kept_rows import (
    EXTENSION_BLOCK,
    FAILURES,
    MOST_FAILED,
    NEAR,
    RESULTS,
    cuts,
    kept_rows,
)
from pathmax.suggestion.settings import Settings
from pathmax.suggestion.surrogate import Modeller
from pathmax.trials.history import Observations
from pathmax.trials.info import Info
from pathmax.trials.trial import TrialState

KERNEL = gp.Matern52(lengthscale=np.array([0.2, 0.4]))
LIMIT = 400  # in place of 2000: the same steps, sooner
MANY = LIMIT + 2 * EXTENSION_BLOCK
FIXED = {"kernel": KERNEL, "noise": 1e-4, "refit_every": None}


@pytest.fixture(autouse=True)
def lower_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(surrogate, "MOST", LIMIT)
    monkeypatch.setattr("pathmax.suggestion.kept_rows.MOST", LIMIT)


def observations(n: int, rng: np.random.Generator) -> Observations:
    X = rng.random((n, 2))
    values = np.sin(5.0 * X[:, 0]) - (X[:, 1] - 0.4) ** 2
    return Observations(X, values, np.full(n, np.nan))


def modeller(grid: tuple[np.ndarray, ...] | None = None) -> Modeller:
    return Modeller(Settings(**FIXED), 1.0, KERNEL, grid)


def study_of(n: int, rng: np.random.Generator, **settings: object) -> pathmax.Study:
    study = pathmax.Study(
        {"a": pathmax.Float(0, 1), "b": pathmax.Float(0, 1)}, **{**FIXED, **settings}
    )
    rows = rng.random((n, 2))
    study.add([{"a": a, "b": b, "value": -((a - 0.3) ** 2) - b} for a, b in rows.tolist()])
    return study


def test_few_rows_are_all_kept(rng: np.random.Generator):
    X = rng.random((50, 2))
    np.testing.assert_array_equal(kept_rows(KERNEL, X, X[7], 50), np.arange(50))


def test_of_many_rows_the_nearest_to_the_best_and_others_evenly_are_kept(rng: np.random.Generator):
    X = rng.random((1000, 2))
    best = X[123]
    kept = kept_rows(KERNEL, X, best, 200)
    assert len(kept) == 200
    assert (np.diff(kept) > 0).all()
    distances = (((X - best) / KERNEL.lengthscale) ** 2).sum(axis=1)
    nearest = np.argsort(distances)[: int(NEAR * 200)]
    assert set(nearest) <= set(kept.tolist())
    others = np.setdiff1d(kept, nearest)
    assert np.diff(others).max() <= 2 * 1000 / len(others)  # no time is left out
    assert others[-1] >= 990


def test_one_row_too_many_leaves_one_out(rng: np.random.Generator):
    X = rng.random((201, 2))
    assert len(kept_rows(KERNEL, X, X[0], 200)) == 200


def test_until_the_first_block_beyond_the_limit_a_model_has_everything():
    for one_by_one in (True, False):
        steps = cuts(LIMIT, LIMIT + EXTENSION_BLOCK - 1, one_by_one=one_by_one)
        assert steps == list(range(LIMIT, LIMIT + EXTENSION_BLOCK))
    assert cuts(LIMIT, LIMIT + EXTENSION_BLOCK, one_by_one=False) == [LIMIT + EXTENSION_BLOCK]


def test_the_model_of_many_is_the_exact_one_of_those_kept_and_the_newest(
    rng: np.random.Generator,
):
    observed = observations(MANY, rng)
    found = modeller().surrogate(observed)
    base = MANY // EXTENSION_BLOCK * EXTENSION_BLOCK
    best = observed.X[int(np.argmax(observed.values[:base]))]
    rows = np.append(kept_rows(KERNEL, observed.X[:base], best, LIMIT), np.arange(base, MANY))
    exact = gp.GaussianProcess(KERNEL, 1e-4).condition(observed.X[rows], observed.values[rows])
    points = rng.random((200, 2))
    np.testing.assert_allclose(found.model.predict(points), exact.predict(points), atol=1e-6)
    assert found.left_out == MANY - len(rows)
    assert found.rows.tolist() == rows.tolist()


def test_it_is_never_surer_than_all_results_would_make_it(rng: np.random.Generator):
    observed = observations(MANY, rng)
    found = modeller().surrogate(observed)
    everything = gp.GaussianProcess(KERNEL, 1e-4).condition(observed.X, observed.values)
    points = np.concatenate([rng.random((300, 2)), observed.X[:300]])
    assert (found.model.predict(points).std >= everything.predict(points).std - 1e-9).all()


@pytest.mark.parametrize("grid", [None, (np.linspace(0, 1, 50), np.linspace(0, 1, 50))])
def test_what_a_process_kept_changes_nothing_not_even_a_bit(rng: np.random.Generator, grid):
    observed = observations(MANY + 1, rng)
    rows = np.arange(MANY + 1) % 2500
    if grid is not None:
        observed = Observations(
            np.stack([axis[at] for axis, at in zip(grid, divmod(rows, 50), strict=True)], axis=1),
            observed.values,
            observed.noises,
            tuple(rows.tolist()),
        )
    kernel = gp.Matern52(0.2, on=(0,)) * gp.Matern52(0.4, on=(1,)) if grid else KERNEL
    settings = Settings(**{**FIXED, "kernel": kernel})
    make, kept = Modeller(settings, 1.0, kernel, grid), None
    for n in (MANY - 1, MANY, MANY + 1):
        part = Observations(
            observed.X[:n], observed.values[:n], observed.noises[:n], observed.rows[:n]
        )
        kept = make.surrogate(part, kept)
    fresh = make.surrogate(observed)
    np.testing.assert_array_equal(fresh.model.cholesky, kept.model.cholesky)
    np.testing.assert_array_equal(fresh.model.alpha, kept.model.alpha)
    assert isinstance(fresh.posterior, gp.GridPosterior) == (grid is not None)
    if grid is not None:
        np.testing.assert_array_equal(fresh.posterior.std, kept.posterior.std)


def test_few_steps_lead_to_a_model_of_many():
    assert cuts(0, MANY + 5, one_by_one=False) == [
        MANY // EXTENSION_BLOCK * EXTENSION_BLOCK,
        MANY + 5,
    ]
    base = MANY // EXTENSION_BLOCK * EXTENSION_BLOCK
    assert cuts(0, base, one_by_one=False) == [base]
    assert cuts(0, base + 2) == [base, base + 1, base + 2]


def test_a_suggestion_says_what_its_model_leaves_out(rng: np.random.Generator):
    study = study_of(MANY, rng)
    trial = study.ask()
    info = Info(trial.info)
    assert info.remark == RESULTS
    assert info.models["value"]["kept"] == study.posterior().model.n < MANY
    assert RESULTS in study.explain(trial)
    assert study.replay(trial) == trial.params
    assert study.predict([study.best_params]).mean[0] == pytest.approx(study.best_value, abs=0.05)


def test_no_step_of_a_first_suggestion_takes_more_results_than_a_model_keeps(
    rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
):
    sizes, condition = [], gp.GaussianProcess.condition

    def counted(self, X, y, noises=None):
        sizes.append(len(X))
        return condition(self, X, y, noises)

    monkeypatch.setattr(gp.GaussianProcess, "condition", counted)
    study = pathmax.Study({"a": pathmax.Float(0, 1), "b": pathmax.Float(0, 1)}, seed=0)
    rows = rng.random((5 * LIMIT, 2)).tolist()
    study.add([{"a": a, "b": b, "value": float(np.exp(3.0 * a - b))} for a, b in rows])
    study.ask()  # learns its parameters, with values bent or not
    assert max(sizes) == LIMIT


def test_a_suggestion_from_few_results_says_nothing(rng: np.random.Generator):
    info = Info(study_of(20, rng).ask().info)
    assert not info.remark
    assert "kept" not in info.models["value"]


def test_the_model_is_kept_away_from_some_of_too_many_failures(rng: np.random.Generator):
    model = gp.GaussianProcess(KERNEL, 1e-4).condition(rng.random((20, 2)), rng.random(20))
    failed = rng.random((MOST_FAILED + 500, 2))
    assert avoid(model, failed[:MOST_FAILED]).n == 20 + MOST_FAILED
    kept = avoid(model, failed)
    assert kept.n == 20 + MOST_FAILED
    best = model.X[int(np.argmax(model.fitted))]
    nearest = failed[np.argsort((((failed - best) / KERNEL.lengthscale) ** 2).sum(axis=1))[:100]]
    assert {row.tobytes() for row in nearest} <= {row.tobytes() for row in kept.X}


def test_a_suggestion_says_that_failures_were_left_out(rng: np.random.Generator):
    study = study_of(10, rng, initial=2)
    points = rng.random((MOST_FAILED + 1, 2)).tolist()
    failed = [
        Entry(params={"a": a, "b": b}, state=TrialState.FAILED, error="broke") for a, b in points
    ]
    study.storage.insert_many(study.name, failed)
    assert Info(study.ask().info).remark == FAILURES


def test_a_grid_with_many_results_and_one_running_is_held(rng: np.random.Generator):
    axes = {"a": np.linspace(0, 1, 50).tolist(), "b": np.linspace(0, 1, 50).tolist()}
    kernel = gp.Matern52(0.2, on=(0,)) * gp.Matern52(0.4, on=(1,))
    study = pathmax.Study(Grid(axes), **{**FIXED, "kernel": kernel}, direction="minimize")
    cells = rng.permutation(2500)[:MANY].tolist()
    study.add([study.space.params(cell) | {"value": float(cell % 50)} for cell in cells])
    first, second = study.ask(), study.ask()
    assert first.params != second.params
    assert study.space.index(second.params) not in cells
