"""A reference that no result reaches is said; one that counts for something is not."""

import pytest

from pathmax.trials.reference_point import beyond_results, reference_words
from pathmax.trials.stated_goals import read_goals


def goals(**reference):
    return read_goals(
        objectives={"yield": "maximize", "cost": "minimize"},
        constraints={"impurity": "<= 0.5"},
        reference=reference or None,
    )


RESULTS = [
    {"yield": 40.0, "cost": 3.0, "impurity": 0.1},
    {"yield": 80.0, "cost": 6.0, "impurity": 0.4},
    {"yield": 99.0, "cost": 0.1, "impurity": 0.9},  # breaks a bound
    {"yield": 99.0, "cost": 0.1},  # undecided
]


@pytest.mark.parametrize(("point", "cost"), [(90, 9), (50, 4), (30, 3)])
def test_a_reference_beyond_all_results_that_count_is_said(point, cost):
    said = beyond_results(goals(**{"yield": point, "cost": cost}), RESULTS)
    assert f"(yield above {point}, cost below {cost})" in said
    assert "best of each so far: yield 80, cost 3" in said and "change_space(reference=" in said


@pytest.mark.parametrize("reference", [{}, {"yield": 39, "cost": 4}, {"yield": 0, "cost": 9}])
def test_nothing_is_said_where_a_result_is_better_or_none_is_given(reference):
    assert beyond_results(goals(**reference), RESULTS) == ""


def test_nothing_is_said_before_a_result_counts():
    assert beyond_results(goals(**{"yield": 90, "cost": 0}), RESULTS[2:]) == ""


def test_the_reference_in_words():
    assert reference_words(goals()) == ""
    assert reference_words(goals(**{"yield": 20, "cost": 9})) == ", counted from yield 20, cost 9"
