"""A guess as weights on the maximisers of paths: its law, its bounds, and that data overrule it."""

import numpy as np
import pytest

from pathmax import Float, Study, gp
from pathmax.acquisition import Box, GridDomain, Pims, choose
from pathmax.acquisition.step import Step
from pathmax.acquisition.weighted_path import PATHS, choose_path, pick
from pathmax.errors import SettingsError

LINE = np.linspace(0.0, 1.0, 21)


def prior(noise: float = 1e-4) -> gp.GaussianProcess:
    return gp.GaussianProcess(gp.Matern52(lengthscale=0.2, on=(0,)), noise=noise)


def likely(U):
    return 0.1 + 0.9 * np.exp(-0.5 * ((U[:, 0] - 0.8) / 0.1) ** 2)


def tops_of(model, n: int, weight, seed: int = 0) -> np.ndarray:
    """Where the chosen paths have their maximum, as counts on the line."""
    rng = np.random.default_rng(seed)
    step = Step(model, GridDomain([LINE]), rng, likely=weight)
    surface = step.surface()
    found = [choose_path(step, surface).peak().index for _ in range(n)]
    return np.bincount(found, minlength=len(LINE)) / n


def test_the_law_of_the_maximiser_is_tilted_by_the_weights():
    """As many paths compete, P(x* = x) becomes proportional to p(x* = x) w(x)."""
    model = prior().condition(np.array([[0.4]]), np.array([0.5]))
    plain, tilted = tops_of(model, 4000, None), tops_of(model, 1500, likely)
    weights = likely(LINE[:, None])
    wanted = plain * weights / (plain * weights).sum()
    assert np.abs(tilted - wanted).sum() < 0.2  # of 16 paths, and the noise of the counts
    assert np.abs(tilted - plain).sum() > 0.4


def test_with_any_number_of_paths_the_density_ratio_is_bounded():
    """P(path k is picked) K lies within [1/B, B], whatever the other paths are."""
    for seed in range(50):
        rng = np.random.default_rng(seed)
        tops = rng.random((PATHS, 1))
        weights = likely(tops)
        ratio = PATHS * weights / weights.sum()
        assert 0.1 <= ratio.min() and ratio.max() <= 10.0
    counts = np.bincount([pick(likely, tops, rng) for _ in range(4000)], minlength=PATHS)
    np.testing.assert_allclose(counts / 4000, weights / weights.sum(), atol=0.03)


def test_where_data_have_settled_the_maximum_the_weights_say_nothing():
    X = LINE[:, None]
    model = prior(1e-8).condition(X, -((X[:, 0] - 0.2) ** 2))
    np.testing.assert_array_equal(tops_of(model, 50, None), tops_of(model, 50, likely))
    assert tops_of(model, 50, likely)[4] == 1.0


def test_in_a_box_a_look_finds_where_paths_are_high():
    model = prior().condition(np.array([[0.4]]), np.array([0.5]))
    rng = np.random.default_rng(3)
    surface = Step(model, Box(1), rng).surface()
    for path, top in surface.glances(8):
        peak = path.peak()
        assert peak.value >= path.value(top) - 1e-9
        assert peak.value - path.value(top) < 0.05


def test_without_a_guess_nothing_changes():
    model = prior().condition(np.array([[0.4]]), np.array([0.5]))
    one = choose(Pims(), model, Box(1), np.random.default_rng(5))
    other = choose(Pims(), model, Box(1), np.random.default_rng(5), likely=None)
    np.testing.assert_array_equal(one.u, other.u)


def test_the_first_design_tries_the_guess_first_and_looks_elsewhere_too():
    study = Study({"x": Float(0, 100, likely=(80, 5)), "y": Float(0, 1)}, seed=0)
    xs = [trial.params["x"] for trial in study.ask(5)]
    plain = [t.params for t in Study({"x": Float(0, 100), "y": Float(0, 1)}, seed=0).ask(5)]
    assert xs[0] == 80.0
    assert all(abs(x - 80) < 25 for x in xs[2::2])
    assert xs[1::2] == [params["x"] for params in plain[1::2]]


def test_known_constraints_hold_of_guesses():
    space = {"x": Float(0, 1, likely=0.9), "y": Float(0, 1, likely=0.9)}
    study = Study(space, where=["x + y <= 1"], seed=0)
    for trial in study.ask(5):
        assert trial.params["x"] + trial.params["y"] <= 1.0 + 1e-9


def test_suggestions_with_a_guess_replay_and_resume(tmp_path):
    where = f"sqlite:///{tmp_path / 'lab.db'}"
    study = Study({"x": Float(0, 1, likely=0.8)}, seed=0, name="s", storage=where, initial=2)
    for _ in range(6):
        trial = study.ask()
        study.tell(trial, -((trial.params["x"] - 0.3) ** 2))
    again = Study.load("s", storage=where)
    assert again.space.likely is not None
    assert [again.replay(t) for t in again.trials] == [t.params for t in again.trials]
    assert abs(again.best_params["x"] - 0.3) < 0.1  # the guess was wrong, and did not matter


def test_several_outcomes_take_a_guess():
    goals = {"a": "maximize", "b": "minimize"}
    study = Study({"x": Float(0, 1, likely=0.8)}, objectives=goals, seed=0, initial=2)
    for _ in range(4):
        trial = study.ask()
        study.tell(trial, {"a": trial.params["x"], "b": trial.params["x"] ** 2})
    assert [study.replay(t) for t in study.trials] == [t.params for t in study.trials]


@pytest.mark.parametrize("method", ["ei", "gp-ucb", "random"])
def test_a_method_without_a_path_refuses_a_guess(method):
    with pytest.raises(SettingsError, match="with likely= use pims or ts"):
        Study({"x": Float(0, 1, likely=0.8)}, method=method)
