"""What people write for objectives and constraints is read as they mean it, or refused in words."""

import math

import pytest

from pathmax.errors import SettingsError
from pathmax.trials.goals import Goal
from pathmax.trials.stated_goals import read_bounds, read_goals, restated


@pytest.mark.parametrize(
    ("stated", "bounds"),
    [
        ("<= 0.5", (-math.inf, 0.5)),
        ("< .5", (-math.inf, 0.5)),
        (">=-3e2", (-300.0, math.inf)),
        ("≥ 95", (95.0, math.inf)),
        ((10, 50), (10.0, 50.0)),
        ((None, 50), (-math.inf, 50.0)),
        ([0, math.inf], (0.0, math.inf)),
        ("10 to 50", (10.0, 50.0)),
        ("10..50", (10.0, 50.0)),
        ("7 +- 0.5", (6.5, 7.5)),
        ("== 7 ± 0.5", (6.5, 7.5)),
        ("≥ \u22123", (-3.0, math.inf)),
    ],
)
def test_bounds_as_people_write_them(stated, bounds):
    assert read_bounds("pH", stated) == bounds


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ("== 7", "give a tolerance"),
        ("7", "give a tolerance"),
        (7, "expected a bound, got 7"),
        ("small", "expected a bound, got the text 'small'"),
        ((None, None), "expected a bound"),
        ((5, 1), "swap them"),
        ((5, 5), "give a tolerance"),
        ("5 +- 0", "give a tolerance"),
        ((True, 5), "expected a bound"),
        ((math.nan, 1), "expected a bound"),
        (("a", 1), "expected a bound"),
    ],
)
def test_what_is_no_bound_is_refused(stated, words):
    with pytest.raises(SettingsError, match=words):
        read_bounds("pH", stated)


def test_goals_in_order_objectives_first():
    goals = read_goals(
        objectives={"yield": "maximize", "cost": "minimize"},
        constraints={"impurity": "<= 0.5", "yield": ">= 20"},
        reference={"yield": 30, "cost": 9},
    )
    assert list(goals) == [
        Goal("yield", "maximize", low=20.0, reference=30.0),
        Goal("cost", "minimize", reference=9.0),
        Goal("impurity", None, high=0.5),
    ]
    assert read_goals("minimize").is_single
    assert read_goals(objectives=["yield"]).first == Goal("yield", "maximize")
    assert not read_goals("maximize", None, {"impurity": "<= 1"}).is_single


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"direction": "maximize", "objectives": {"a": "minimize"}}, "not both"),
        ({"objectives": {"a": "up"}}, "objectives: a: direction must be"),
        ({"objectives": {}}, "must be a dict such as"),
        ({"objectives": "yield"}, "must be a dict such as"),
        ({"objectives": {" a": "maximize"}}, "without spaces around it"),
        ({"constraints": ["<= 1"]}, "constraints must be a dict"),
        ({"objectives": {"a": "maximize"}, "reference": {"b": 1}}, "a number for each objective"),
        ({"objectives": {"a": "maximize"}, "reference": {"a": "x"}}, "expected a finite number"),
        ({"objectives": {"a": "maximize"}, "reference": {"a": float("nan")}}, "a finite number"),
        ({"objectives": {"a": "maximize"}, "reference": {"a": -float("inf")}}, "a finite number"),
    ],
)
def test_what_cannot_be_meant_is_refused(given, words):
    with pytest.raises(SettingsError, match=words):
        read_goals(**given)


def test_a_reference_is_for_several_objectives():
    """With one it was ignored, or the study refused to be opened."""
    with pytest.raises(SettingsError, match=r"for several objectives.*constraints=\{'yield': "):
        read_goals(objectives={"yield": "maximize"}, reference={"yield": 3})
    with pytest.raises(SettingsError, match="for several objectives"):
        read_goals(direction="maximize", reference={"value": 3})


def test_an_objective_that_is_listed_twice_is_refused():
    with pytest.raises(SettingsError, match="twice"):
        read_goals(objectives=["yield", "yield"])


def test_a_list_of_directions_is_told_how_to_name_them():
    with pytest.raises(SettingsError, match="objectives="):
        read_goals(direction=["maximize", "minimize"])


def test_a_tolerance_is_kept_by_what_is_written_on_its_edge():
    """In binary 0.7 + 0.1 is below 0.8."""
    low, high = read_bounds("pH", "0.7 +- 0.1")
    assert (low, high) == (0.6, 0.8)
    assert Goal("pH", None, low, high).met(0.8)


def test_a_reference_goes_along_as_far_as_it_is_for_the_new_objectives():
    three = {"a": "maximize", "b": "minimize", "c": "minimize"}
    goals = read_goals(None, three, None, {"a": 1, "b": 2, "c": 3})
    two = restated(goals, objectives={"c": "minimize", "a": "maximize"})
    assert two is not None and [goal.reference for goal in two] == [3, 1]
    one = restated(goals, objectives={"a": "maximize"})
    assert one is not None and one.first.reference is None
    with pytest.raises(SettingsError, match=r"no value of d; give reference= .* or reference=\{\}"):
        restated(goals, objectives={**three, "d": "minimize"})
    none = restated(goals, objectives={**three, "d": "minimize"}, reference={})
    assert none is not None and len(none.objectives) == 4


def test_goals_are_stated_anew_in_part():
    goals = read_goals(
        objectives={"yield": "maximize", "cost": "minimize"},
        constraints={"impurity": "<= 0.5"},
        reference={"yield": 90, "cost": 1},
    )
    other = restated(goals, constraints=None, reference={"yield": 20, "cost": 9})
    assert [goal.reference for goal in other.objectives] == [20.0, 9.0]
    assert other.named("impurity").high == 0.5
    assert restated(goals, reference={}).first.reference is None
    assert restated(goals, constraints={}, reference=None).constraints == ()
    assert restated(goals, reference=None) is None
