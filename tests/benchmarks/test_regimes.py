"""Regimes beside peers: who is ahead is said where the interval that is shown does not hold 1."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import paired_runs, regimes
from benchmarks.discrete_spaces import PEERS


def comparison(low: float, high: float) -> paired_runs.Comparison:
    ends = [np.array([0.5, value]) for value in ((low * high) ** 0.5, low, high)]
    return paired_runs.Comparison(9, *ends, np.array([0.0, 50.0]), np.array([0.0, 10.0]), 0.1)


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.2, 0.9, "**ahead**"),
        (0.49, 0.998, "level"),  # 1.00 is what is shown
        (0.9, 1.2, "level"),
        (1.002, 1.5, "level"),
        (1.01, 1.5, "**behind**"),
    ],
)
def test_ahead_and_behind_are_outside_of_the_interval(low: float, high: float, said: str) -> None:
    assert regimes.verdict(comparison(low, high)) == said


def test_every_regime_and_peer_has_its_words() -> None:
    assert set(regimes.WORDS) <= set(paired_runs.REGIMES)
    assert set(PEERS) == set(regimes.SHOWN)


def test_only_runs_that_both_have_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paired_runs, "HERE", tmp_path)
    for name, loss, seeds in ((paired_runs.NOW, 1.0, 4), ("optuna gp", 4.0, 3)):
        file = paired_runs.trace_file("noisy", name)
        file.parent.mkdir(exist_ok=True)
        rows = [
            {"problem": f"p{s}", "seed": s, "optimum": 0.0, "losses": [loss] * 4, "seconds": loss}
            for s in range(seeds)
        ]
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (line,) = [one for one in regimes.report().splitlines() if one.startswith("| noise")]
    assert "3 runs | GPSampler | 0.25 / 0.25 / 0.25 / 0.25 (0.25 to 0.25)" in line
    assert line.endswith("| +100 +- 0 % | 0.25 | **ahead** |")
