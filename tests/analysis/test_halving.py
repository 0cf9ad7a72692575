"""ASHA and Hyperband: the same decisions as Optuna's pruners, curve after curve."""

import numpy as np
import optuna
import pytest

from pathmax.analysis.halving import bracket_of, brackets, falls_behind, rank
from pathmax.suggestion.stopping_rule import StoppingRule, read_rule
from pathmax.trials.curves import TrialCurve
from pathmax.trials.goals import Goal, Goals

MIN = Goals([Goal("value", "minimize")])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("reduction", [2, 3, 4])
@pytest.mark.parametrize("min_steps", [1, 3])
def test_asha_decides_as_optunas_successive_halving(seed, reduction, min_steps):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((25, 1)) + rng.standard_normal((25, 30)).cumsum(axis=1) / 3
    pruner = optuna.pruners.SuccessiveHalvingPruner(
        min_resource=min_steps, reduction_factor=reduction
    )
    study = optuna.create_study(pruner=pruner)
    rule = StoppingRule("asha", min_steps, reduction)
    curves, decided, expected = {}, [], []
    for number, curve in enumerate(values):
        trial = study.ask()
        points = {}
        for step, value in enumerate(curve, start=1):
            points[step] = {"value": float(value)}
            curves[number] = TrialCurve(dict(points))
            trial.report(float(value), step)
            expected.append(trial.should_prune())
            decided.append(falls_behind(rule, curves, number, MIN) is not None)
            if expected[-1]:
                break
        state = optuna.trial.TrialState.PRUNED if expected[-1] else None
        study.tell(trial, None if expected[-1] else float(curve[-1]), state=state)
    assert decided == expected
    assert any(expected) and not all(expected)


@pytest.mark.parametrize(
    ("steps", "reduction"), [(1, 3), (2, 3), (9, 3), (80, 3), (81, 3), (64, 4)]
)
def test_brackets_are_those_of_hyperband(steps, reduction):
    rule = StoppingRule("hyperband", 1, reduction)
    pruner = optuna.pruners.HyperbandPruner(1, steps, reduction)
    study = optuna.create_study(study_name="7", pruner=pruner)
    pruner._try_initialization(study)
    assert brackets(rule, steps) == pruner._n_brackets
    for number in range(40):
        trial = study.ask()
        frozen = study._storage.get_trial(trial._trial_id)
        assert bracket_of(rule, steps, f"7_{number}") == pruner._get_bracket_id(study, frozen)


def test_a_bracket_leaves_out_the_lowest_rungs_and_competes_within_itself():
    rule = StoppingRule("hyperband", 1, 3)
    curves = {n: TrialCurve({1: {"value": float(n)}}) for n in range(6)}
    assert falls_behind(rule, curves, 5, MIN) == 1
    assert falls_behind(rule, curves, 5, MIN, first=1) is None


def test_several_outcomes_rank_by_layers_and_bounds_come_first():
    goals = Goals([Goal("a", "maximize"), Goal("b", "minimize"), Goal("c", high=1.0)])
    seen = [
        {"a": 1.0, "b": 0.0, "c": 0.5},  # on the front
        {"a": 2.0, "b": 1.0, "c": 0.5},  # on the front
        {"a": 0.5, "b": 0.5, "c": 0.5},  # behind the first
        {"a": 9.0, "b": -9.0, "c": 1.5},  # outside, a little
        {"a": 9.0, "b": -9.0, "c": 5.0},  # outside, by far
        {"a": np.nan, "b": 0.0, "c": 0.0},
    ]
    ranks = rank(seen, goals)
    assert ranks[0] == ranks[1] > ranks[2] > ranks[3] > ranks[4] > ranks[5]


def test_what_is_not_a_number_is_behind_everything():
    rule = StoppingRule("asha", 1, 2)
    curves = {0: TrialCurve({1: {"value": 1e9}}), 1: TrialCurve({1: {"value": float("nan")}})}
    assert falls_behind(rule, curves, 1, MIN) == 1


def test_a_rule_is_read_and_written():
    assert read_rule("asha") == StoppingRule("asha", 1, 4)
    assert read_rule("hyperband") == StoppingRule("hyperband", 1, 3)
    given = {"rule": "hyperband", "min_steps": 3, "reduction": 2, "steps": 81}
    assert read_rule(given).to_json() == given
    assert read_rule("posterior").to_json() == {"rule": "posterior"}
