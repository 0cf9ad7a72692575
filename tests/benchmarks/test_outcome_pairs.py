"""Tables of two methods at a time."""

from benchmarks.outcome_pairs import feasible_counts, pairs


def test_two_methods_are_compared_on_what_they_share():
    ours = {("a", 0): [3.0, 1.0], ("a", 1): [3.0, 1.0], ("b", 0): [2.0, 2.0]}
    theirs = {("a", 0): [2.0, 2.0], ("b", 0): [2.0, 2.0], ("c", 0): [0.0, 0.0]}
    said = pairs({"fronts": {"pathmax": ours, "peer": theirs, "none": {}}}, (1, 2))
    row = said.splitlines()[-1]
    assert row.startswith("| peer | fronts | 2 of 2 | -50%") and "| +50%" in row
    assert "| none |" not in said


def test_without_a_shared_run_there_is_nothing_to_compare():
    assert pairs({"fronts": {"peer": {("a", 0): [1.0]}}}, (1,)).startswith("No run is shared")


def test_feasible_runs_are_counted_where_bounds_bind():
    runs = {
        "pathmax": {("a", 0): {"feasible": "01"}, ("b", 0): {"feasible": "11"}},
        "peer": {("a", 0): {"feasible": "00"}, ("a", 1): {"feasible": "10"}},
    }
    said = feasible_counts(runs)
    assert "| a | 1 of 1 | 1 of 2 |" in said and "| b |" not in said
