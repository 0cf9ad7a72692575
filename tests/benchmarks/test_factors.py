"""Fifteen choices are measured by the same runs: every one evenly beside all the others."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import factors, peer_runs
from benchmarks.paired_runs import Job
from pathmax import gp
from pathmax.acquisition.surfaces import searched_surface
from pathmax.suggestion import algorithm, settings, surrogate
from pathmax.trials import yeo_johnson

SIGNS = np.where(factors.design(), 1.0, -1.0)
failing = Job("p", 7, lambda given: 1 / 0, 0.0)  # type: ignore[arg-type, return-value]


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


WANTED = {  # what it is called in the state below, and what it becomes
    "length scales shorter by a quarter": ("lengthscale", (np.log(4) / 2 - 0.3, 1.0)),
    "their common size LogN(., 0.6)": ("lengthscale", (np.log(4) / 2, 0.6)),
    "anisotropy 0.8": ("anisotropy", 0.8),
    "noise LogN(-11, 3)": ("noise", (-11.0, 3.0)),
    "output scale LogN(0, 1)": ("outputscale", (0.0, 1.0)),
    "a bowl of depth N(1.2, .)": ("depth", 1.2),
    "its depth N(., 2)": ("depth_spread", 2.0),
    "mean within 0.4": ("mean_spread", 0.4),
    "20 points for each result": ("LOOKS_PER_RESULT", 20),
    "three first points": ("INITIAL", 3),
    "bent or not by even odds": ("STRAIGHT_ODDS", 0.0),
    "powers N(1, 0.5)": ("POWER_SPREAD", 0.5),
    "known to 1e-2": ("KNOWN_STD", 1e-2),
    "about the best two": ("CENTRES", 2),
    "three quarters about the best": ("ABOUT_BEST", 0.75),
}
CONSTANTS = [
    (searched_surface, "LOOKS_PER_RESULT"),
    (searched_surface, "CENTRES"),
    (searched_surface, "ABOUT_BEST"),
    (settings, "INITIAL"),
    (surrogate, "STRAIGHT_ODDS"),
    (yeo_johnson, "POWER_SPREAD"),
    (algorithm, "KNOWN_STD"),
]


def state() -> dict[str, object]:
    priors = dataclasses.asdict(gp.default_priors(4))
    found = {
        name: tuple(value.values()) if isinstance(value, dict) else value
        for name, value in priors.items()
    }
    return found | {name: getattr(module, name) for module, name in CONSTANTS}


def test_there_is_a_value_for_every_change() -> None:
    assert list(WANTED) == list(factors.FACTORS)


@pytest.mark.parametrize("name", factors.FACTORS)
def test_a_change_changes_what_it_names_and_nothing_else(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, constant in CONSTANTS:  # back to what they are at the end of the test
        monkeypatch.setattr(module, constant, getattr(module, constant))
    monkeypatch.setattr(gp, "default_priors", gp.default_priors)
    before = state()
    factors.FACTORS[name]()
    after, (what, value) = state(), WANTED[name]
    assert {one for one in before if before[one] != after[one]} == {what}
    assert after[what] == pytest.approx(value)


def test_changes_of_one_prior_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gp, "default_priors", gp.default_priors)
    for name in list(WANTED)[:3]:
        factors.FACTORS[name]()
    priors = gp.default_priors(4)
    assert priors.lengthscale == gp.LogNormal(np.log(4) / 2 - 0.3, 0.6)
    assert priors.anisotropy == 0.8


def test_runs_of_an_earlier_engine_are_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(factors, "HERE", tmp_path)
    job = Job("p", 7, lambda given: [float(60 - i) for i in range(60)], 0.0)
    monkeypatch.setattr(factors, "problems", lambda: iter([("BBOB d = 2", job)]))
    old = {"problem": "p", "seed": 7, "kind": "BBOB d = 2", "optimum": 0.0, "losses": [1.0] * 5}
    factors.trace_file(0).write_text(json.dumps(old | {"engine": 2}) + "\n")
    factors.run(0)
    ((key, row),) = peer_runs.load(factors.trace_file(0)).items()
    assert key == ("p", 7)
    assert row["losses"] == [56.0, 46.0, 31.0, 16.0, 1.0]  # after 5, 15, 30, 45 and 60
    monkeypatch.setattr(factors, "problems", lambda: iter([("BBOB d = 2", failing)]))
    factors.run(0)  # what is there stays


def test_every_kind_of_problem_has_a_column() -> None:
    found = {row["kind"] for row in peer_runs.rows(factors.trace_file(0))}
    assert all(any(kind.startswith(one) for one in factors.KINDS) for kind in found)
    assert {one.split()[0] for one in found} == set(factors.KINDS)


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


def test_where_the_optimum_is_not_known_the_best_of_all_settings_stands_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(factors, "HERE", tmp_path)
    for number in range(factors.SETTINGS):
        best = 5.0 if number == 9 else 7.0
        textbook = {"problem": "t", "seed": 0, "kind": "textbook", "optimum": None}
        noisy = {"problem": "n", "seed": 0, "kind": "noise", "optimum": 0.0}
        rows = [
            textbook | {"losses": [105.0, 8.0, 8.0, 8.0, best]},
            noisy | {"losses": [0.5, 0.5, 0.5, 0.0 if number == 9 else 0.5]},
        ]
        text = "\n".join(json.dumps(row) for row in rows)
        factors.trace_file(number).write_text(text + "\n")
    for kind, ratio in (("textbook", 0.1 / 2.1), ("noise", 0.001 / 0.501)):
        logs = factors.logs_of(kind)
        assert np.exp(logs[9, 0, -1] - logs[0, 0, -1]) == pytest.approx(ratio)
        np.testing.assert_allclose(logs[:, 0, :3], 0.0, atol=1e-12)
