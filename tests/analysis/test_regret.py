"""The regret of stopping now: its distribution, and that the rule built on it keeps its word."""

import itertools
import math

import numpy as np
import pytest

import pathmax
from pathmax import gp
from pathmax.analysis.regret import Regret
from pathmax.errors import SettingsError
from pathmax.experiments.problems import gp_sample

KERNEL = gp.RBF(0.3)
FIXED = {"kernel": KERNEL, "noise": 0.01, "refit_every": None, "seed": 1}


def test_the_regret_has_the_distribution_of_exact_draws():
    axis = [0.0, 0.25, 0.5, 0.75, 1.0]
    grid = pathmax.Grid({"a": axis, "b": axis})
    X = np.array(list(itertools.product(axis, axis)))
    study = pathmax.Study(grid, **FIXED)
    seen, y = np.array([0, 12, 20]), np.array([0.4, -0.3, 0.9])
    for i, value in zip(seen, y, strict=True):
        study.add(grid.params(int(i)), value)
    model = gp.GaussianProcess(KERNEL, 0.01).condition(X[seen], y)
    draws = model.sample(X, np.random.default_rng(5), 20_000)
    recommended = int(np.argmax(model.predict(X).mean))
    true = draws.max(axis=1) - draws[:, recommended]
    regret = study.regret(n_paths=4000)
    assert regret.exact and regret.params == study.recommend() == grid.params(recommended)
    assert np.all(regret.draws >= 0)
    assert abs(regret.mean - true.mean()) < 4 * true.std() * math.sqrt(1 / 4000 + 1 / 20_000)
    for level in np.quantile(true, [0.3, 0.6, 0.9]):
        p = np.mean(true <= level)
        error = math.sqrt(p * (1 - p) * (1 / 4000 + 1 / 20_000))
        assert abs(regret.probability(level) - p) < 4 * error
    assert regret.probability(regret.quantile(0.9)) >= 0.9
    assert "expected, at most" in repr(regret)


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_it_is_in_the_users_units_and_vanishes_when_all_is_known(direction):
    study = pathmax.Study({"x": pathmax.Float(0, 10)}, direction=direction, seed=0)
    sign = 1 if direction == "maximize" else -1
    for x in np.linspace(0, 10, 30):
        study.add({"x": float(x)}, sign * (1000 - 10 * (x - 4) ** 2))
    regret = study.regret(n_paths=100)
    assert regret.params["x"] == pytest.approx(4, abs=0.1)
    assert 0 <= regret.quantile(0.9) < 1.0  # of values that span 360


def test_a_quadratic_ends_before_the_budget_and_says_why(capsys):
    study = pathmax.Study({"x": pathmax.Float(0, 1)}, seed=0)
    result = study.optimize(
        lambda params: -((params["x"] - 0.4) ** 2),
        n_trials=40,
        stop=pathmax.StopWhen(regret=0.01, n_paths=40),
    )
    assert 10 <= len(result.trials) < 40
    assert result.ending.startswith("regret at most 0.01 with probability 0.9") or (
        result.ending == "regret at most 0.01 with probability 1"
    )
    assert 0.16 - result.best_value**2 > 0
    assert "regret at most 0.01 with probability" in capsys.readouterr().err


def test_the_rule_waits_for_enough_results():
    study = pathmax.Study({"x": pathmax.Float(0, 1)}, seed=0)
    rule = pathmax.StopWhen(regret=1e6, n_paths=20)
    for i in range(9):
        study.add({"x": i / 10}, 1.0)
        assert not rule(study)
    study.add({"x": 0.95}, 1.0)
    verdict = rule(study)
    assert verdict and str(verdict) == "regret at most 1e+06 with probability 1"


def test_it_is_calibrated_on_objectives_from_the_prior():
    """A hundred objectives with known hyper-parameters: 95 % said, at least 90 % kept."""
    tolerance, budget = 0.1, 30
    rule = pathmax.StopWhen(regret=tolerance, probability=0.95, after=0, n_paths=100)
    kept, stopped = [], 0
    for seed in range(100):
        problem = gp_sample(np.random.default_rng([3, seed]), levels=6, d=2, lengthscale=0.3)
        study = pathmax.Study(
            problem.space,
            kernel=problem.kernel,
            noise=problem.noise,
            refit_every=None,
            seed=seed,
            initial=4,
        )
        result = study.optimize(problem, budget, progress=False, stop=rule)
        if len(result.trials) < budget:
            stopped += 1
            kept.append(problem.regret(study.recommend()) <= tolerance)
    assert stopped >= 75  # most; 36 points do not need 30 looks
    assert np.mean(kept) >= 0.90


@pytest.mark.parametrize(
    "wrong",
    [
        {"regret": 0.0},
        {"regret": -1.0},
        {"regret": math.nan},
        {"regret": 1.0, "probability": 1.0},
        {"regret": 1.0, "probability": 0.2},
        {"regret": 1.0, "n_paths": 3},
        {"regret": 1.0, "after": -1},
    ],
)
def test_wrong_rules_are_refused(wrong):
    with pytest.raises(SettingsError):
        pathmax.StopWhen(**wrong)


def test_a_quantile_is_of_a_probability():
    study = pathmax.Study({"x": pathmax.Float(0, 1)}, seed=0)
    study.add({"x": 0.5}, 1.0)
    with pytest.raises(SettingsError, match="a number from 0 to 1, got 2"):
        study.regret(n_paths=5).quantile(2)


def test_few_results_are_said_to_be_few():
    study = pathmax.Study({"x": pathmax.Float(0, 1)}, seed=0)
    for i in range(9):
        study.add({"x": i / 10}, math.sin(i))
    few = study.regret(n_paths=4)
    assert few.n == 9 and "9 results only" in repr(few)
    assert few.caution.startswith("From 9 results only: how much the value varies is assumed")
    study.add({"x": 0.95}, 0.3)
    enough = study.regret(n_paths=4)
    assert enough.n == 10 and enough.caution == "" and "only" not in repr(enough)


def test_a_given_model_needs_no_caution():
    study = pathmax.Study({"x": pathmax.Float(0, 1)}, **FIXED)
    study.add({"x": 0.5}, 1.0)
    assert study.regret(n_paths=4).caution == ""


@pytest.mark.parametrize(
    "space", [{"x": pathmax.Float(0, 1)}, pathmax.Grid({"x": np.linspace(0, 1, 30).tolist()})]
)
def test_a_rough_regret_is_what_is_lost_at_least(space):
    study = pathmax.Study(space, seed=0, kernel=gp.RBF(0.2), noise=1e-4, refit_every=None)
    for x in (0, 6, 15, 24):
        study.add({"x": float(np.linspace(0, 1, 30)[x])}, math.sin(x))
    rough, whole = study.regret(rough=True, n_paths=200), study.regret(n_paths=200)
    assert rough.rough and not whole.rough and len(study.regret(rough=True).draws) == 16
    assert (rough.draws >= 0.0).all() and rough.params == whole.params
    error = (rough.draws.std() + whole.draws.std()) / math.sqrt(200)
    assert whole.mean - 4.0 * error < rough.mean < whole.mean + 3.0 * error


def test_far_from_the_goal_the_rule_asks_for_a_rough_look_only():
    asked, study = [], pathmax.Study({"x": pathmax.Float(0, 1)})
    for i in range(10):
        study.add({"x": i / 10}, 0.0)

    class Asked:
        trials = study.trials

        def regret(self, n_paths=None, *, context=None, rough=False):
            asked.append((n_paths, rough))
            share = 1.0 if rough else {16: 0.9, 64: near}.get(n_paths, 0.96)
            draws = np.where(np.arange(100) < 100 * (far if rough else share), 0.0, 9.0)
            return Regret(draws, {}, True, rough=rough)

    far, near = 0.5, 0.9
    assert not pathmax.StopWhen(regret=1.0)(Asked()) and asked == [(16, True)]
    far = 0.8
    assert pathmax.StopWhen(regret=1.0)(Asked())
    assert asked[1:] == [(16, True), (16, False), (64, False), (None, False)]
    near = 0.8
    assert not pathmax.StopWhen(regret=1.0)(Asked()) and asked[5:] == [
        (16, True),
        (16, False),
        (64, False),
    ]
    assert pathmax.StopWhen(regret=1.0, n_paths=50)(Asked()) and asked[-1] == (50, False)
