"""Fronts of our own are what they are said to be, and two versions are compared on their runs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import paired_fronts
from benchmarks.own_fronts import own_fronts
from pathmax.trials.pareto import pareto_mask

FRONTS = {front.name: front for front in own_fronts()}


def test_every_front_has_numbers_and_feasible_points(rng: np.random.Generator) -> None:
    assert len(FRONTS) == len(list(own_fronts())) == 25
    for front in FRONTS.values():
        F, C = front(rng.random((4000, len(front.low))))
        assert np.isfinite(F).all() and np.isfinite(C).all() and 2 <= F.shape[1] <= 4
        assert (C <= 0.0).all(axis=1).any(), front.name
        assert pareto_mask(-F).sum() > 2, front.name  # objectives are at odds


def test_what_is_known_of_the_fronts_is_kept(rng: np.random.Generator) -> None:
    known = json.loads(paired_fronts.KNOWN.read_text())
    assert set(known) == set(FRONTS)
    for name, front in FRONTS.items():
        F, C = front(rng.random((2000, len(front.low))))
        results = [[f, c] for f, c in zip(F.tolist(), C.tolist(), strict=True)]
        for margin in paired_fronts.MARGINS:
            shares = paired_fronts.missing({"results": results}, known[name], margin)
            assert (shares >= 0.0).all() and (np.diff(shares) <= 1e-12).all()


def test_a_long_search_finds_the_ends_of_a_quarter_circle(rng: np.random.Generator) -> None:
    F = paired_fronts.evolve(FRONTS["noisy-sphere-2-4"], rng, rounds=60, keep=60)
    assert np.linalg.norm(F, axis=1) == pytest.approx(np.ones(len(F)), abs=0.02)
    assert F.max(axis=0) == pytest.approx([1.0, 1.0], abs=0.03)


def test_versions_are_compared_on_the_runs_that_both_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of what is missing is a ratio of 0.5, to the floor."""
    monkeypatch.setattr(paired_fronts, "HERE", tmp_path)
    reference, best = [1.0, 1.0], 1.0
    known = {"p": {"near": [reference, best], "far": [[1.0, 0.15], 0.15]}}
    monkeypatch.setattr(paired_fronts, "known_fronts", lambda: known)
    for version, seeds, side in (("old", 3, 0.2), ("new", 2, 0.1)):
        # a point at (0, side) of the unit square misses a share of `side`
        rows = [[[0.0, side], []]] * paired_fronts.TRIALS
        row = {"problem": "p", "seconds": 2.0 if version == "new" else 1.0, "results": rows}
        lines = [json.dumps(row | {"seed": seed}) for seed in range(seeds)]
        paired_fronts.file_of(version).write_text("\n".join(lines) + "\n")
    version, margin, runs, *cells, time = paired_fronts.compare("new", "old", ["near"])
    assert (version, margin, runs, time) == ("new", "near", "2", "2.00")
    assert cells == ["0.50 +- 0.00, +100"] * len(paired_fronts.LOOKS)
    # seen from (1, 0.15) all is missing and two thirds are: the root of 0.502 times 0.667
    _, margin, _, *cells, _ = paired_fronts.compare("new", "old", ["near", "far"])
    assert (margin, set(cells)) == ("near and far", {"0.58 +- 0.00, +100"})


def test_a_study_is_told_what_is_noisy_and_kept_is_what_is_true(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(paired_fronts, "TRIALS", 3)
    front = FRONTS["noisy-truss-4"]
    known = json.loads(paired_fronts.KNOWN.read_text())[front.name]
    rows = paired_fronts.run_one(front, 0, known, {"method": "random", "told": "near"})
    for objectives, constraints in rows:
        assert not constraints and 1000.0 < objectives[0] < 4000.0 and len(objectives) == 2
