"""Goals say which way is better and what is allowed; everything else asks them."""

import json
import math

import pytest

from pathmax.errors import SettingsError
from pathmax.trials.goals import DIRECTIONS, Goal, Goals, opposite
from pathmax.trials.stated_goals import read_goals

YIELD = Goal("yield", "maximize")
COST = Goal("cost", "minimize")
IMPURITY = Goal("impurity", high=0.5)
VISCOSITY = Goal("viscosity", low=10.0, high=50.0)


def test_larger_is_better_for_the_model_whatever_is_wanted():
    assert [goal.sign for goal in (YIELD, COST, IMPURITY, VISCOSITY)] == [1.0, -1.0, -1.0, 1.0]
    assert YIELD.better(2.0, 1.0) and COST.better(1.0, 2.0)


def test_bounds():
    assert IMPURITY.met(0.5) and not IMPURITY.met(0.51)
    assert VISCOSITY.violation(8.0) == 2.0 and VISCOSITY.violation(60.0) == 10.0
    assert VISCOSITY.violation(30.0) == 0.0
    goals = Goals([YIELD, IMPURITY])
    assert goals.are_met({"yield": 1.0, "impurity": 0.2})
    assert not goals.are_met({"yield": 1.0})  # not measured


def test_the_only_bound_of_what_has_no_direction():
    both = Goal("purity", "maximize", low=90.0)
    goals = (IMPURITY, Goal("purity", low=90.0), VISCOSITY, YIELD, both)
    assert [goal.only_bound for goal in goals] == [0.5, 90.0, None, None, None]


def test_words():
    goals = Goals([YIELD, COST, IMPURITY, VISCOSITY])
    assert goals.words == ("maximize yield, minimize cost, impurity <= 0.5, 10 <= viscosity <= 50")
    assert Goal("purity", "maximize", low=90).words == "maximize purity with purity >= 90"


def test_goals_survive_json():
    goals = Goals([YIELD, COST, IMPURITY, VISCOSITY])
    stored = json.loads(json.dumps(goals.to_json()))
    assert Goals.from_json(stored, "maximize") == goals
    assert Goals.single("minimize").to_json() is None
    assert Goals.from_json(None, "minimize") == Goals.single("minimize")
    assert Goals.from_json(stored, "maximize")[2].low == -math.inf


def test_what_cannot_be_meant_is_refused():
    with pytest.raises(SettingsError, match="'yield' has two goals"):
        Goals([YIELD, Goal("yield", high=3.0)])
    with pytest.raises(SettingsError, match="needs an objective"):
        Goals([IMPURITY])
    with pytest.raises(SettingsError, match="this study has yield, cost"):
        Goals([YIELD, COST]).named("colour")


def test_the_best_so_far_follows_the_direction():
    values = [3.0, 1.0, 4.0, 1.0]
    assert Goal("yield", "maximize").best_so_far(values) == [3.0, 3.0, 4.0, 4.0]
    assert Goal("cost", "minimize").best_so_far(values) == [3.0, 1.0, 1.0, 1.0]
    assert Goal("cost", "minimize").best(values) == 1.0
    assert [Goal("y", word).extreme for word in DIRECTIONS] == ["maximum", "minimum"]
    assert [opposite(word) for word in DIRECTIONS] == ["minimize", "maximize"]


def test_an_objective_without_a_name_has_one_beside_other_outcomes():
    """ "maximize, c <= 1" left open what is maximized."""
    assert read_goals("minimize", None, {"c": "<= 1"}).words == "minimize value, c <= 1"
    assert read_goals("minimize").words == "minimize"
