"""Budgets: a run ends when its trials have cost so much."""

import pytest

import pathmax
from pathmax import Fidelity, Float, Grid, Study
from pathmax.errors import SettingsError, TrialError

SPACE = {"x": Float(0, 1), "epochs": Fidelity(1, 10)}


def score(params):
    return -((params["x"] - 0.3) ** 2) - 0.01 * (10 - params.get("epochs", 10))


def test_a_trial_costs_one_by_default():
    result = Study({"x": Float(0, 1)}, seed=0).optimize(score, budget=4, progress=False)
    assert len(result.trials) == 4
    assert result.ending == "the budget of 4 is spent"
    assert result.spent is None


def test_a_budget_counts_what_fidelities_cost():
    study = Study(SPACE, seed=0)
    result = study.optimize(score, budget=3.0, progress=False)
    costs = [trial.params["epochs"] / 10 for trial in result.trials]
    assert sum(costs) == pytest.approx(study.spent)
    assert sum(costs[:-1]) < 3.0 <= sum(costs) + 1e-9
    assert result.spent == pytest.approx(study.spent)
    assert f"cost {result.spent:.6g}" in result.summary


def test_a_budget_is_that_of_the_run():
    study = Study(SPACE, seed=0)
    study.optimize(score, budget=1.0, progress=False)
    before = study.spent
    study.optimize(score, budget=1.0, progress=False)
    assert study.spent - before >= 1.0 - 1e-9


def test_ten_tenths_are_one():
    tenths = {"x": Float(0, 1), "level": Fidelity(["a", "b"], cost=[0.1, 0.1])}
    result = pathmax.maximize(score, tenths, budget=1.0, seed=0, progress=False)
    assert len(result.trials) == 10


def test_what_was_told_counts():
    study = Study(SPACE, seed=0)
    trial = study.ask()
    study.tell(trial, 1.0, cost=25.0)
    assert study.trials[0].cost == 25.0
    assert study.spent == 25.0
    assert study.correct(trial, 2.0).cost == 25.0
    assert study.correct(trial, 2.0, cost=5).cost == 5.0
    assert study.add({"x": 0.5, "epochs": 5}, 1.0, cost=0.25).cost == 0.25
    assert study.spent == 5.25


def test_without_a_result_at_the_target_the_result_says_so():
    low = {"x": Float(0, 1), "epochs": Fidelity(1, 1000)}
    result = Study(low, seed=3).optimize(lambda p: p["x"], 2, progress=False)
    with pytest.raises(TrialError, match="no trial at the target fidelity, epochs = 1000"):
        result.best_trial  # noqa: B018
    start = "no trial at the target fidelity, epochs = 1000, has a result yet, 2 results, cost "
    assert result.summary.startswith(start)


def test_a_failure_at_the_target_does_not_hide_that_others_succeeded():
    study = Study(Grid({"x": [0, 1], "epochs": Fidelity([5, 10])}), seed=0)
    for x in (0, 1):
        study.add({"x": x, "epochs": 5}, 1.0)
    failed = study.fail(study.ask())
    assert failed.params["epochs"] == 10
    said = "no trial at the target fidelity, epochs = 10, has succeeded; the last one to fail was 2"
    with pytest.raises(TrialError, match=said):
        study.best_trial  # noqa: B018


@pytest.mark.parametrize("budget", [-1, "much", float("nan"), True])
def test_a_budget_is_a_number(budget):
    with pytest.raises(SettingsError, match="budget must be a cost, zero or more"):
        Study(SPACE).optimize(score, budget=budget)


def test_an_end_is_needed():
    with pytest.raises(SettingsError, match="give n_trials, budget, timeout or stop"):
        Study(SPACE).optimize(score)
