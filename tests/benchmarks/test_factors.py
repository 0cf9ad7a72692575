"""Fifteen choices are measured by the same runs: every one evenly beside all the others."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import factors
from pathmax import gp
from pathmax.acquisition.surfaces import searched_surface
from pathmax.suggestion import algorithm, settings, surrogate
from pathmax.trials import yeo_johnson

SIGNS = np.where(factors.design(), 1.0, -1.0)


def test_each_change_stands_evenly_beside_every_other() -> None:
    assert SIGNS.shape == (factors.SETTINGS, len(factors.FACTORS))
    assert not factors.design()[0].any()  # the code as it is
    np.testing.assert_array_equal(SIGNS.sum(axis=0), 0.0)
    np.testing.assert_array_equal(SIGNS.T @ SIGNS, factors.SETTINGS * np.eye(len(factors.FACTORS)))


def test_effects_that_add_up_are_found(rng: np.random.Generator) -> None:
    true = rng.normal(size=len(factors.FACTORS))
    runs = rng.normal(size=(1, 400, 1))  # some problems are harder than others
    logs = 0.5 * (SIGNS @ true)[:, None, None] + runs + 0.3 * rng.normal(size=(16, 400, 2))
    found, error = factors.effects(logs, SIGNS)
    assert np.abs(found - true[:, None]).max() < 4.0 * error.max()
    np.testing.assert_allclose(error, 0.3 / np.sqrt(1600), rtol=0.2)


def test_every_change_changes_what_it_names(monkeypatch: pytest.MonkeyPatch) -> None:
    constants = [
        (searched_surface, "LOOKS_PER_RESULT"),
        (searched_surface, "CENTRES"),
        (searched_surface, "NEAR"),
        (settings, "INITIAL"),
        (surrogate, "STRAIGHT_ODDS"),
        (yeo_johnson, "POWER_SPREAD"),
        (algorithm, "KNOWN_STD"),
    ]
    for module, name in constants:  # back to what they are at the end of the test
        monkeypatch.setattr(module, name, getattr(module, name))
    monkeypatch.setattr(gp, "default_priors", gp.default_priors)

    def state() -> list[object]:
        return [gp.default_priors(4), *(getattr(module, name) for module, name in constants)]

    for name, change in factors.FACTORS.items():
        before = state()
        change()
        assert sum(a != b for a, b in zip(before, state(), strict=True)) == 1, name
    priors = gp.default_priors(4)
    assert (priors.lengthscale.spread, priors.anisotropy, priors.depth) == (0.6, 0.8, 1.2)
    assert priors.lengthscale.location == pytest.approx(np.log(4) / 2 - 0.3)


def test_a_run_is_compared_with_itself_under_the_other_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(factors, "HERE", tmp_path)
    for number in range(factors.SETTINGS):
        better = 0.5 if factors.design()[number, 2] else 1.0  # the third change halves regrets
        rows = [
            {"problem": f"p{i}", "seed": 0, "kind": "BBOB d = 2", "optimum": 3.0}
            | {"losses": [3.0 + size, *(3.0 + better * size / 4**k for k in range(4))]}
            for i, size in enumerate((1.0, 1000.0))
        ]
        if number == 3:
            rows.append(rows[0] | {"problem": "of one setting alone"})
        text = "\n".join(json.dumps(row) for row in rows)
        factors.trace_file(number).write_text(text + "\n")
    logs = factors.logs_of("BBOB")
    assert logs.shape == (factors.SETTINGS, 2, 4)
    found, _ = factors.effects(logs, SIGNS)
    np.testing.assert_allclose(np.exp(found[2, 0]), 0.5, rtol=2e-3)
    np.testing.assert_allclose(found[[0, 1, 3, 14], 0], 0.0, atol=1e-9)
    assert factors.logs_of("noise").shape[1] == 0
