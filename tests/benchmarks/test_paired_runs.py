"""Two versions are compared on the runs that both have, and no run is made twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from benchmarks import paired_runs
from benchmarks.discrete_problems import Listed
from benchmarks.suite import box


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paired_runs, "HERE", tmp_path)


def one_regime(monkeypatch: pytest.MonkeyPatch, looks: tuple[int, ...], *jobs) -> None:
    monkeypatch.setattr(paired_runs, "REGIMES", {"one": (looks, lambda: iter(jobs))})


def test_ratios_are_of_the_runs_that_both_have(monkeypatch: pytest.MonkeyPatch) -> None:
    losses = {"old": (4.0, 2.0), "new": (4.0, 1.0)}
    jobs = [
        paired_runs.Job(f"p{i}", 0, lambda given: [8.0] * 5 + list(losses[given["method"]]), 0.0)
        for i in range(4)
    ]
    one_regime(monkeypatch, (6, 7), *jobs)
    paired_runs.run("one", "old", None, {"method": "old"})
    paired_runs.run("one", "new", 3, {"method": "new"})
    regime, version, runs, first, last, _ = paired_runs.compare("one", "new", "old", 0.0)
    assert (regime, version, runs) == ("one", "new", "3")
    assert first == "1.00 (1.00 to 1.00), +0 +- 0"
    assert last == "0.50 (0.50 to 0.50), +100 +- 0"
    assert "0.56" in paired_runs.compare("one", "new", "old", 1 / 32)[4]  # 8 / 32 more of each


def test_a_run_that_is_there_is_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    jobs = [
        paired_runs.Job("p", seed, lambda given: [made.append(1) or 3.0, 2.0, 5.0])
        for seed in range(3)
    ]
    one_regime(monkeypatch, (1, 3), *jobs)
    paired_runs.run("one", "new", 1, {})
    paired_runs.run("one", "new", None, {})
    assert len(made) == 3
    assert len(paired_runs.load("one", "new")) == 3
    assert all(row["losses"] == [3.0, 2.0, 2.0] for row in paired_runs.load("one", "new").values())


def test_instances_above_ten_are_kept_for_the_end() -> None:
    def instances(regime: str) -> set[int]:
        jobs = paired_runs.REGIMES[regime][1]()
        return {int(job.problem.rsplit("-i", 1)[1]) for job in jobs}

    for regime in paired_runs.REGIMES:
        if regime.startswith("boxes"):
            assert instances(regime) <= set(range(1, 11))
        if regime.startswith("confirm"):
            assert instances(regime) <= set(range(11, 21))


def test_both_versions_begin_with_the_same_design() -> None:
    problem = Listed("square", box(0, 1, 2), lambda p: (p["x0"] - 0.3) ** 2 + p["x1"] ** 2)
    job = paired_runs.searched(problem, 7, 8)
    one, other = (job.losses({"method": method}) for method in ("pims", "ei"))
    np.testing.assert_array_equal(one[:5], other[:5])
    assert one[5:] != other[5:]


def test_a_peer_is_told_what_was_measured_and_judged_by_the_truth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Asker:
        told: ClassVar[list[float]] = []

        def __init__(self, name: str) -> None:
            assert name == "optuna"

        def __enter__(self) -> Asker:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def call(self, what: str, **given: Any) -> Any:
            if what == "tell":
                self.told.append(given["value"])
            return {"x0": 0.5}

    monkeypatch.setattr(paired_runs, "Peer", Asker)
    noisy = Listed("one", box(0, 1, 1), lambda params: params["x0"], noise=0.1)
    one_regime(monkeypatch, (1, 2), paired_runs.searched(noisy, 0, 3))
    paired_runs.run("one", "optuna gp", None, {"peer": "optuna gp"})
    (row,) = paired_runs.load("one", "optuna gp").values()
    assert row["losses"] == [0.5, 0.5, 0.5]
    assert len(set(Asker.told)) == 3
    assert max(abs(value - 0.5) for value in Asker.told) < 0.5
