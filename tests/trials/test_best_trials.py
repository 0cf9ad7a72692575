"""Which trials nothing else beats, against every pair compared."""

import numpy as np
import pytest

from pathmax import Trial, TrialState
from pathmax.errors import TrialError
from pathmax.trials.best_trials import best_of, feasible_of, front_of, is_feasible
from pathmax.trials.stated_goals import read_goals


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("objectives", [1, 2, 3])
def test_the_front_is_what_no_other_row_dominates(seed, objectives):
    rng = np.random.default_rng([seed, objectives])
    Y = rng.integers(0, 5, (int(rng.integers(0, 30)), objectives)).astype(float)
    compared = [not any((z >= y).all() and (z > y).any() for z in Y) for y in Y]
    goals = read_goals(None, {f"y{i}": "maximize" for i in range(objectives)}, None, None)
    trials = [
        Trial(
            number=i,
            params={},
            state=TrialState.COMPLETE,
            outcomes=dict(zip(goals.names, y, strict=True)),
        )
        for i, y in enumerate(Y.tolist())
    ]
    first = {tuple(y): i for i, y in reversed([*enumerate(Y.tolist())])}
    wanted = sorted(i for i in first.values() if compared[i])
    assert [trial.number for trial in front_of(trials[::-1], goals)] == wanted


def test_those_that_count_are_found_among_many_as_one_by_one():
    goals = read_goals(None, {"yield": "maximize"}, {"cost": "<= 2"}, None)
    results = [
        {"yield": 1.0, "cost": 1.0},
        {"yield": 1.0, "cost": 3.0},
        {"yield": 1.0},
        {"cost": 1.0},
        {},
    ]
    trials = [
        Trial(number=i, params={}, state=state, outcomes=outcomes, asked_at=0.0)
        for i, (state, outcomes) in enumerate((s, o) for s in TrialState for o in results)
    ]
    found = feasible_of(trials, goals)
    assert found == [trial for trial in trials if is_feasible(trial, goals)] and len(found) == 1


def test_where_none_counts_yet_it_is_said_how_many_may():
    goals = read_goals(None, {"yield": "maximize"}, {"cost": "<= 2", "dirt": "<= 1"}, None)
    results = [{"yield": 1.0, "cost": 1.0}, {"yield": 1.0, "cost": 3.0}, {"yield": 2.0}]
    trials = [
        Trial(number=i, params={}, state=TrialState.COMPLETE, outcomes=outcomes)
        for i, outcomes in enumerate(results)
    ]
    with pytest.raises(TrialError, match=r"2 trials may be: outcomes are still to come$"):
        best_of(trials, goals)
    with pytest.raises(TrialError, match=r"bounds yet: cost \(cost <= 2\), dirt \(dirt <= 1\)$"):
        best_of(trials[1:2], goals)


def test_while_the_objective_is_still_to_come_the_best_says_how_to_tell_it():
    """Results were said to be outside the present space, or to break its known constraints."""
    goals = read_goals(None, {"yield": "maximize"}, {"cost": "<= 2"}, None)
    half = Trial(number=4, params={}, state=TrialState.COMPLETE, outcomes={"cost": 1.0})
    words = r"no trial has a value of yield yet; 1 trial had .*study.tell\(4, \{'yield': value\}\)"
    with pytest.raises(TrialError, match=words):
        best_of([half], goals, others=1)
