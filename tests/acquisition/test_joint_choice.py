"""With several outcomes the choice is where all of them most probably reach what paths promise."""

import dataclasses
import math

import numpy as np
import pytest

from pathmax import gp
from pathmax.acquisition import GridDomain, Pool
from pathmax.acquisition.joint_choice import Outcome, choose_jointly
from pathmax.acquisition.joint_improvement import KNOWN_GAP
from pathmax.acquisition.normal import log_cdf
from pathmax.errors import SettingsError

AXES = [np.linspace(0, 1, 9), np.linspace(0, 1, 7)]


def models(rng, n: int = 12, k: int = 3) -> tuple[np.ndarray, list[gp.GaussianProcess]]:
    grid = GridDomain(AXES)
    X = grid.points(rng.choice(grid.cardinality, n, replace=False))
    kernel = gp.RBF(lengthscale=0.4)
    made = [
        gp.GaussianProcess(kernel, 1e-4).condition(X, np.sin(5 * X @ rng.normal(size=2)) + i)
        for i in range(k)
    ]
    return X, made


def brute_force(outcomes, choice, points) -> np.ndarray:
    """The sum of log probabilities at every point, from the targets that the choice reports."""
    total = np.zeros(len(points))
    for name, outcome in outcomes.items():
        mean, std = outcome.model.predict(points)
        section = choice.info["outcomes"][name]
        if "target" in section:
            total += log_cdf((mean - section["target"]) / std)
        if math.isfinite(outcome.low):
            total += log_cdf((mean - outcome.low) / std)
        if math.isfinite(outcome.high):
            total += log_cdf((outcome.high - mean) / std)
    return total


@pytest.mark.parametrize("held", [True, False], ids=["grid posterior", "pool"])
def test_the_choice_on_listed_points_is_that_of_brute_force(held, rng):
    X, (first, second, third) = models(rng, n=7)
    points = GridDomain(AXES).points(np.arange(63))

    def on(model: gp.GaussianProcess) -> gp.GaussianProcess | gp.GridPosterior:
        return gp.GridPosterior.of(model, AXES) if held else model

    outcomes = {
        "a": Outcome(on(first), True),
        "b": Outcome(on(second), True),
        "c": Outcome(on(third), False, low=1.6, high=2.7),
    }
    by_targets = 0
    for _ in range(10):
        domain = GridDomain(AXES) if held else Pool(points)
        choice = choose_jointly("pims", outcomes, domain, rng, data=X)
        assert choice.info["feasible"]
        if choice.info["gap"] >= KNOWN_GAP:  # smaller ones: test_joint_improvement
            by_targets += 1
            total = brute_force(outcomes, choice, points)
            assert total[choice.index] == pytest.approx(total.max(), abs=1e-6)
    assert by_targets >= 5


def test_thompson_goes_where_the_paths_keep_their_promise(rng):
    X, (first, second, _) = models(rng)
    outcomes = {"a": Outcome(first, True), "b": Outcome(second, True)}
    choice = choose_jointly(
        "ts", outcomes, Pool(GridDomain(AXES).points(np.arange(63))), rng, data=X
    )
    np.testing.assert_array_equal(choice.u, choice.info["x_star"])


def test_bounds_that_nothing_meets_are_approached(rng):
    X, (first, _, third) = models(rng)
    outcomes = {"a": Outcome(first, True), "c": Outcome(third, False, low=9.0)}
    points = GridDomain(AXES).points(np.arange(63))
    choice = choose_jointly("pims", outcomes, Pool(points), rng, data=X)
    assert not choice.info["feasible"] and "target" not in choice.info["outcomes"]["a"]
    mean, std = third.predict(choice.u[None])
    assert mean[0] + 4 * std[0] > third.y.max() - 0.2  # near the most that is thought possible


@pytest.mark.parametrize("method", ["pims", "ts", "ei"])
def test_in_a_box_every_choice_is_inside(method, rng):
    from pathmax.acquisition import Box

    X, (first, second, third) = models(rng)
    outcomes = {
        "a": Outcome(first, True),
        "b": Outcome(second, True),
        "c": Outcome(third, False, high=2.5),
    }
    choice = choose_jointly(method, outcomes, Box(2), rng, data=X)
    assert ((choice.u >= 0) & (choice.u <= 1)).all()
    assert {"mean", "std"} <= choice.info["outcomes"]["c"].keys()


def known_everywhere(rng):
    """An objective and a bound that are known in all of a square."""
    X = GridDomain([np.linspace(0, 1, 12)] * 2).points(np.arange(144))
    prior = gp.GaussianProcess(gp.RBF(lengthscale=0.6), 1e-8)
    first = prior.condition(X, -((X - 0.4) ** 2).sum(axis=1))
    second = prior.condition(X, X[:, 0] - 0.2)
    return X, {"a": Outcome(first, True), "c": Outcome(second, False, low=0.0)}


def test_further_paths_are_followed_only_to_something_better(rng, monkeypatch):
    """What is known everywhere is scored once, whatever paths are drawn."""
    from pathmax.acquisition import Box, outcome_posteriors

    scored = []
    maximize = outcome_posteriors.maximize
    monkeypatch.setattr(
        outcome_posteriors, "maximize", lambda *a, **k: scored.append(1) or maximize(*a, **k)
    )
    X, outcomes = known_everywhere(rng)
    choice = choose_jointly("pims", outcomes, Box(2), rng, data=X, resolution=1e-2)
    assert len(scored) == 1 and "looked_elsewhere" not in choice.info
    np.testing.assert_allclose(choice.u, [0.4, 0.4], atol=0.05)
    near = X[(X < 0.6).all(axis=1)]  # nothing is known of the rest, which is as likely allowed
    short = gp.GaussianProcess(gp.RBF(lengthscale=0.25), 1e-8)
    outcomes = {
        "a": Outcome(short.condition(near, 2.0 - ((near - 0.4) ** 2).sum(axis=1)), True),
        "c": Outcome(short.condition(near, near[:, 0]), False, low=0.0),
    }
    elsewhere = 0
    for seed in range(6):
        own = np.random.default_rng(seed)
        choice = choose_jointly("pims", outcomes, Box(2), own, data=near, resolution=1e-2)
        if "looked_elsewhere" in choice.info:
            elsewhere += 1
            assert (choice.u > 0.6).any()
    assert elsewhere >= 2


def test_a_bound_that_no_path_meets_is_not_tried_again_by_every_further_path(rng, monkeypatch):
    from pathmax.acquisition import Box, joint_choice, outcome_posteriors

    drawn = []
    draw_once = outcome_posteriors.OutcomePosteriors.draw_once
    monkeypatch.setattr(
        outcome_posteriors.OutcomePosteriors,
        "draw_once",
        lambda self: drawn.append(1) or draw_once(self),
    )
    X, outcomes = known_everywhere(rng)
    outcomes["c"] = dataclasses.replace(outcomes["c"], low=9.0)
    choice = choose_jointly("pims", outcomes, Box(2), rng, data=X, resolution=1e-2)
    assert not choice.info["feasible"]
    assert choice.u[0] == pytest.approx(1.0)  # where the least is missing
    assert len(drawn) == outcome_posteriors.EMPTY_TRIES + joint_choice.MORE_DRAWS


def test_methods_for_one_objective_refuse(rng):
    X, (first, second, _) = models(rng)
    outcomes = {"a": Outcome(first, True), "b": Outcome(second, True)}
    with pytest.raises(SettingsError, match="mes is for one objective"):
        choose_jointly("mes", outcomes, Pool(X), rng, data=X)
