"""`failed` is said of a whole trial, and never throws away what stands beside it."""

import pytest

from pathmax.workspace.failed_cells import beside_results, failed_cell, remedy


@pytest.mark.parametrize(
    ("texts", "column", "kept"),
    [
        ({"yield": "Failed", "cost": ""}, "yield", None),
        ({"yield": "failed", "cost": "FAIL"}, "yield", None),
        ({"yield": "71", "cost": "failed", "purity": "0"}, "cost", "yield 71, purity 0"),
        ({"yield": "71", "cost": ""}, None, None),
    ],
)
def test_results_beside_the_word_are_named(texts, column, kept):
    assert failed_cell(texts) == column
    if column is not None:
        said = beside_results(column, texts)
        assert (kept in said and "leave this cell empty" in said) if kept else said == ""


def test_of_several_outcomes_a_cell_may_stay_empty_for_good():
    assert "failed" not in remedy(several=True) and "write failed" in remedy(several=False)
