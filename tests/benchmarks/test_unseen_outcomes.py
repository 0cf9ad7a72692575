"""Problems that were not looked at before: their formulas at known points, and what is told."""

import json

import numpy as np
import pytest

from benchmarks import outcomes, peer_runs, unseen_outcomes
from benchmarks.unseen_outcomes import Experimenter, problems, spread_over

PROBLEMS = {one.name: one for one in problems()}

# Liang et al. (2006) for g04 to g24; the sources of the other formulas; the two last equalities at
# points where they are met to 1e-4
BEST = {
    "g04": [78, 33, 29.9952560256815985, 45, 36.7758129057882073],
    "g07": [2.17199634142692, 2.3636830416034, 8.77392573913157, 5.09598443745173,
            0.990654756560493, 1.43057392853463, 1.32164415364306, 9.82872576524495,
            8.2800915887356, 8.3759266477347],
    "g09": [2.33049935147405174, 1.95137236847114592, -0.477541399510615805, 4.36572624923625874,
            -0.624486959100388983, 1.03813099410962173, 1.5942266780671519],
    "g10": [579.306685017979589, 1359.97067807935605, 5109.97065743133317, 182.01769963061534,
            295.601173702746792, 217.982300369384632, 286.41652592786852, 395.601173702746735],
    "g24-crashes": [2.32952019747762, 3.17849307411774],
    "bird": [-3.1302468, -1.5821422],
    "townsend-steps": [2.0052938, 1.1944509],
    "rosenbrock": [1.0, 1.0],
    "mystery-noisy": [2.74494597, 2.352246],
    "gas": [50.0, 1.178283949974269, 24.592589925270623, 0.3883530667669658],
    "concrete": [2, 34, 8.5],
    "clutch": [70, 90, 2, 91, 3],
}  # fmt: skip
NEARLY = {
    "g11-equality": ([-0.707036070037170616, 0.500000004333606807], 0.7499),
    "g13-equality": ([-1.71714224003, 1.59572124049468, 1.8272502406271, -0.763659881912867,
                      -0.76365986736498], 0.053941514),
}  # fmt: skip


@pytest.mark.parametrize("name", BEST)
def test_the_best_known_point_has_the_best_known_value(name: str):
    problem = PROBLEMS[name]
    F, C = problem.formula(np.array([BEST[name]], dtype=float))
    assert F[0, 0] == pytest.approx(problem.optimum, rel=1e-6, abs=1e-9)
    assert C.max() < 1e-6


@pytest.mark.parametrize("name", NEARLY)
def test_equalities_at_a_known_point(name: str):
    x, value = NEARLY[name]
    F, C = PROBLEMS[name].formula(np.array([x]))
    assert F[0, 0] == pytest.approx(value, rel=1e-5)
    assert np.abs(C).max() < 1.001e-4
    assert PROBLEMS[name].optimum < value  # a tolerance allows a little more


def test_fronts_at_points_that_were_reckoned_by_hand():
    def at(name, *x):
        return [part[0].tolist() for part in PROBLEMS[name].formula(np.array([x], dtype=float))]

    assert at("constr", 0.5, 2.0) == [[0.5, 6.0], [-0.5, -1.5]]
    assert at("kita-noisy", 1.0, 2.0) == [
        [-1.0, -3.5], pytest.approx([1 / 6 - 4.5, -5.0, -23.0])
    ]  # fmt: skip
    assert at("viennet4", 2.0, -1.0)[0] == pytest.approx(
        [3.0, 4 / 175 + 16 / 17 - 13, 33 + 16 / 27]
    )
    assert at("gears", 12, 12, 24, 60) == [
        [pytest.approx(3.069), 60.0],
        [pytest.approx(-0.0572067)],
    ]
    assert at("cantilever", 20.0, 200.0)[0][0] == pytest.approx(7800 * np.pi * 0.0001 * 0.2)
    assert at("comet", 1.0, 1.0, 0.0)[0] == [-13.0, -5.0, 3.0]
    wave = np.sin(6 * np.pi * 0.25 + np.arange(2, 6) * np.pi / 5)
    assert at("curved", 0.25, *wave)[0] == pytest.approx([0.25, 0.5])
    # so hot and so dilute that all is product, or all is left
    assert at("snar-noisy", 0.5, 1.0, 0.1, 30.0)[0][0] > -6e4 * 0.21021 * 0.1 / 0.5


def test_whole_numbers_and_choices_have_equal_parts():
    u = np.linspace(0.0, 1.0, 5001)
    teeth = spread_over({"kind": "int", "low": 2, "high": 6}, u)
    assert set(teeth) == {2, 3, 4, 5, 6} and np.ptp(np.bincount(teeth.astype(int))[2:]) <= 1
    assert set(spread_over({"kind": "categorical", "choices": ["a", "b"]}, u)) == {0, 1}


def test_what_is_told_and_what_counts():
    crashes = Experimenter(PROBLEMS["g24-crashes"], 0)
    assert crashes.measure({"x1": 0.1, "x2": 0.1}) is None
    assert crashes.loss() is None
    several = [crashes.measure({"x1": 2.3, "x2": 2.5}) for _ in range(100)]
    whole = sum(one is not None and "c2" in one for one in several)
    assert 75 < whole < 95 and sum(kept for _, kept in crashes.true) == whole
    steps = Experimenter(PROBLEMS["townsend-steps"], 0)
    assert [steps.measure({"x1": x, "x2": -0.5})["c1"] for x in (0.0, 2.2)] == [0.0, 1.0]
    noisy = Experimenter(PROBLEMS["mystery-noisy"], 0)
    told = [noisy.measure({"x1": 2.7, "x2": 2.3})["f1"] for _ in range(200)]
    assert np.std(told) == pytest.approx(0.05 * noisy.spreads[0][0], rel=0.15)
    assert noisy.loss() == pytest.approx(np.mean(told), abs=0.5 * np.std(told))


def test_a_report_of_both_kinds(tmp_path, monkeypatch):
    monkeypatch.setattr(unseen_outcomes, "TRACES", tmp_path)
    for method, value in (("pathmax", 0.75), ("optuna tpe", 0.8)):
        rows = [
            {"problem": name, "seed": 0, "feasible": "01" * 30, "losses": [None, value] * 30,
             "seconds": [0.1, 0.2]}
            for name in ("g11-equality", "constr")
        ]  # fmt: skip
        text = "".join(json.dumps(row) + "\n" for row in rows)
        peer_runs.trace_file(tmp_path, method).write_text(text)
    said = outcomes.report(["pathmax", "optuna tpe"], problems(), tmp_path)
    assert "| g11-equality | 0.749 | 0.75, 0.75 (1) | 0.8, 0.8 (1) |" in said
    assert "| 25.0 %, 25.0 % (1) | 20.0 %, 20.0 % (1) |" in said
    assert "| pathmax | 0.10 s | 0.2 s, g11-equality |" in unseen_outcomes.slowest(["pathmax"])
