"""The problems with lists are what they say, and a comparison counts what it should."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import discrete_problems as problems
from benchmarks import discrete_spaces

BARKER_13 = "1111100110101"  # off-peak autocorrelations of 0 and 1 only: energy 6


def params_of(codes) -> dict[str, str]:
    return {f"x{j}": f"c{code}" for j, code in enumerate(codes)}


def test_a_barker_sequence_has_the_lowest_autocorrelation() -> None:
    problem = problems.low_autocorrelation(13)
    assert problem.loss(params_of(BARKER_13)) == pytest.approx(6 / 13)
    others = np.random.default_rng(0).integers(0, 2, (200, 13))
    assert min(problem.loss(params_of(row)) for row in others) >= 6 / 13


def test_clauses_are_counted_with_their_weight() -> None:
    problem = problems.max_sat(0, n=6, clauses=400)
    losses = [problem.loss(params_of(f"{i:06b}")) for i in range(64)]
    weights = np.random.default_rng([0, 1])
    for _ in range(400):
        weights.choice(6, 3, replace=False)
    weights.integers(0, 2, (400, 3))
    # each clause is broken by one assignment of its three literals in eight
    assert np.mean(losses) == pytest.approx(weights.exponential(size=400).sum() / 8)


@pytest.mark.parametrize(
    "problem",
    [problems.contamination(0), problems.pest_control(0), problems.effects(0, 3, 4)],
    ids=lambda one: one.name,
)
def test_a_loss_is_the_same_whenever_it_is_asked_for(problem: problems.Listed) -> None:
    rng = np.random.default_rng(0)
    k = len(problem.space[0]["choices"])
    rows = [params_of(rng.integers(0, k, len(problem.space))) for _ in range(20)]
    losses = [problem.loss(row) for row in rows]
    assert losses == [problem.loss(row) for row in rows]
    assert len(set(losses)) > 10


def test_rows_that_come_twice_are_one_with_their_average() -> None:
    rows, losses = problems.distinct(np.array([[1.0], [0.0], [1.0]]), np.array([2.0, 5.0, 4.0]))
    assert rows.tolist() == [[0.0], [1.0]]
    assert losses.tolist() == [5.0, 3.0]


def test_regrets_are_counted_from_the_best_that_anybody_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discrete_spaces, "HERE", tmp_path)
    for name, last in (("one", 1.0), ("other", 0.0)):
        file = discrete_spaces.trace_file("lists", name)
        file.parent.mkdir(exist_ok=True)
        losses = [10.0] * 5 + [last] * 55
        file.write_text(json.dumps({"problem": "p", "seed": 0, "losses": losses}) + "\n")
    found = discrete_spaces.regrets("lists", ["one", "other"], "one")
    np.testing.assert_allclose(found["one"]["p", 0], 0.101)
    np.testing.assert_allclose(found["other"]["p", 0], 0.001)
    table = discrete_spaces.compare("lists", ["other"], "one")
    assert "0.10 (0.10 to 0.10), +100 +- 0" in table  # a ratio is cut at ten


def test_ours_and_a_table_end_with_the_best_row() -> None:
    rows = np.linspace(0.0, 1.0, 12)[:, None]
    table = problems.Table("line", rows, np.square(rows[:, 0] - 0.6))
    assert min(discrete_spaces.ours("pims")(table, 0, 12)) == table.losses.min()
