"""Pruning in Optuna: it works with our sampler, and its curves can be imported."""

import optuna

from pathmax import TrialState
from pathmax.integrations.optuna import PathmaxSampler, import_study


def objective(trial):
    x = trial.suggest_float("x", 0.0, 1.0)
    for step in range(1, 10):
        trial.report((x - 0.3) ** 2 + 1.0 / step, step)
        if trial.should_prune():
            raise optuna.TrialPruned
    return (x - 0.3) ** 2


def test_pruned_trials_are_stopped_ones_with_their_curves():
    pruner = optuna.pruners.SuccessiveHalvingPruner(min_resource=1, reduction_factor=3)
    theirs = optuna.create_study(sampler=PathmaxSampler(seed=0), pruner=pruner)
    theirs.optimize(objective, n_trials=10)
    pruned = [t.number for t in theirs.trials if t.state == optuna.trial.TrialState.PRUNED]
    assert pruned and theirs.best_value < 0.5
    study, remarks = import_study(theirs)
    stopped = [t.number for t in study.trials if t.state is TrialState.STOPPED]
    assert stopped == pruned
    assert any("pruned in Optuna: kept as stopped" in remark for remark in remarks)
    for trial, own in zip(theirs.trials, study.trials, strict=True):
        assert study.curve(own) == trial.intermediate_values
    assert study.best_value == theirs.best_value
    study.ask()
