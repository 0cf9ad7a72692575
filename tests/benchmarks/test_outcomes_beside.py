"""Outcomes beside BoTorch: counted and compared on the runs that both have."""

from __future__ import annotations

import pytest

from benchmarks import outcomes, outcomes_beside


def run(last: float | None) -> dict[str, list[float | None]]:
    return {"losses": [0.8] * 30 + [last] * 30}


def test_runs_are_paired_by_problem_and_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = {
        "botorch": {("gramacy", 0): run(0.7), ("branin-currin", 0): run(0.4)},
        "pathmax": {("gramacy", 0): run(0.6), ("branin-currin", 0): run(0.8)},
        "pathmax told": {("branin-currin", 0): run(0.1), ("branin-currin", 1): run(0.1)},
    }
    monkeypatch.setattr(outcomes, "load", runs.__getitem__)
    lines = outcomes_beside.report().splitlines()
    assert "| gramacy | 1 | 0.8, 0.7 |  | 0.8, 0.6 |" in lines
    assert "| branin-currin | 1 | 80%, 40% | 80%, 10% | 80%, 80% |" in lines
    assert "| one objective | 1 | 0, 0 | 1, 0 |  |  |" in lines
    told, alone = lines[-2:]
    assert told.startswith("| fronts, both told | 1 | 0, 0 | 1, 0 | 1.00 (1.00 to 1.00) | 0.25 (")
    assert alone.startswith("| fronts, BoTorch alone is told | 1 | 0, 0 | 0, 1 |")


def test_nothing_feasible_is_said() -> None:
    assert outcomes_beside.cell([{"losses": [None] * 30 + [1.5] * 30}], False) == "none, 1.5"
    assert outcomes_beside.cell([], True) == ""


def test_cells_are_medians_over_runs() -> None:
    assert outcomes_beside.cell([run(0.3), run(0.1), run(0.2)], True) == "80%, 20%"
    assert outcomes_beside.cell([run(0.3), run(0.1)], False) == "0.8, 0.1"
