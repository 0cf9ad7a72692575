"""The arithmetic behind the tables of benchmarks/: ranks, intervals, profiles."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import ranks

TRACES = {
    "good": {(f"f{i}-2d-i1", 0): [3.0, 1.0, 0.5] for i in range(6)},
    "same": {(f"f{i}-2d-i1", 0): [3.0, 1.0, 1.0] for i in range(6)},
    "bad": {(f"f{i}-2d-i1", 0): [3.0, 4.0, 2.0] for i in range(7)},  # one run the others lack
}


def test_equal_losses_share_a_rank() -> None:
    values = np.array([[1.0, 2.0], [1.0, 3.0], [0.0, 1.0]])
    np.testing.assert_array_equal(ranks.rank(values), [[2.5, 2.0], [2.5, 3.0], [1.0, 1.0]])


def test_mean_ranks_count_the_best_so_far_of_shared_runs() -> None:
    found = ranks.mean_ranks(TRACES, at=(1, 2, 3), draws=50)
    assert [round(mean, 6) for mean, _, _ in found["good"]] == [2.0, 1.5, 1.0]
    assert [round(mean, 6) for mean, _, _ in found["bad"]] == [2.0, 3.0, 3.0]
    assert all(low <= mean <= high for rows in found.values() for mean, low, high in rows)


def test_lead_is_wins_minus_losses() -> None:
    lead = ranks.differences(TRACES, "good", at=(1, 3), draws=50)
    assert [mean for mean, _, _ in lead["bad"]] == [0.0, 1.0]


def test_profile_reaches_one_only_when_every_target_is_met() -> None:
    found = ranks.profile(TRACES)
    assert found["good"][-1] == 1.0
    assert found["bad"][-1] == 0.0
    assert (np.diff(found["same"]) >= 0).all()


def test_instances_of_one_function_are_one_problem() -> None:
    assert ranks.problem_family("f8-5d-i3") == "f8-5d"
    assert ranks.problem_family("hartmann-6") == "hartmann-6"


@pytest.mark.parametrize("against", ["good", "absent"])
def test_table_is_markdown_with_a_row_for_each_method(against: str) -> None:
    lines = ranks.table(TRACES, at=(1, 3), against=against).splitlines()
    assert len([line for line in lines if line.startswith("|")]) == 2 + len(TRACES)
    assert len({line.count("|") for line in lines if line.startswith("|")}) == 1


def test_two_runs_without_anything_feasible_are_level() -> None:
    none = {("f1-2d-i1", 0): [float("inf")]}
    found = ranks.differences({"mine": none, "other": none}, "mine", at=(1,), draws=5)
    assert found == {"other": [(0.0, 0.0, 0.0)]}
