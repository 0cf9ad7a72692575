"""The benchmark of several outcomes: losses, what counts as reached, and its tables."""

import json
import math

import pytest

from benchmarks import outcomes, peer_runs, peers
from pathmax.experiments import outcome_problems


def test_a_loss_is_feasible_or_nothing():
    problem = outcome_problems.gramacy()
    good, bad = {"cost": 0.7, "c1": -1.0, "c2": 0.0}, {"cost": 0.1, "c1": 0.5, "c2": 0.0}
    assert outcomes.loss_of(problem, [good]) == 0.7
    assert outcomes.loss_of(problem, [good, bad]) is None
    assert peer_runs.best([None, 0.7, None, 0.9]) == 0.7 and peer_runs.best([None]) == math.inf
    front = outcome_problems.branin_currin()
    assert outcomes.loss_of(front, [{"f1": 500.0, "f2": 500.0}]) == 1.0
    assert outcomes.loss_of(front, [{"f1": 1.0, "f2": 2.0}]) < 0.1 + 1.0


def test_broken_bounds_are_counted_until_the_goal():
    losses, inside = [None, 3.0, None, 2.0, 1.0], "01011"
    assert outcomes.broken_until(losses, inside, 2.0) == 2
    assert outcomes.broken_until(losses, inside, 0.5) == 2
    assert outcomes.broken_until(losses, inside, 3.0) == 1


def test_a_report_of_runs_that_all_have(tmp_path, monkeypatch):
    monkeypatch.setattr(outcomes, "TRACES", tmp_path)
    assert outcomes.report(["pathmax"]) == "No run has been made yet."
    for method, value in (("pathmax", 0.6), ("optuna tpe", 0.7)):
        rows = [
            {"problem": name, "seed": 0, "feasible": "01" * 30, "losses": [None, value] * 30}
            for name in ("gramacy", "zdt1-6")
        ]
        text = "".join(json.dumps(row) + "\n" for row in rows)
        peer_runs.trace_file(outcomes.TRACES, method).write_text(text)
    said = outcomes.report(["pathmax", "optuna tpe"])
    assert "on the runs that the two share" in said
    assert "| pathmax | 1.00 (1.00 to 1.00) |" in said
    assert "| gramacy | 0.59979 | 0.6, 0.6 (1) | 0.7, 0.7 (1) |" in said
    assert "| zdt1-6 | 120.67 | 40.0 %, 40.0 % (1) | 30.0 %, 30.0 % (1) |" in said


def test_every_problem_has_a_name_of_its_own_and_a_space_for_peers():
    problems = [make() for make in outcomes.PROBLEMS]
    assert len({problem.name for problem in problems}) == len(problems) == 20
    for problem in problems:
        told = outcomes.parameters(problem)
        assert [one["name"] for one in told] == list(problem.space.names)
        assert all(one["low"] < one["high"] for one in told)


@pytest.mark.parametrize("method", outcomes.METHODS)
def test_every_method_has_a_peer(method):
    assert outcomes.METHODS[method][0] in peers.ALL
