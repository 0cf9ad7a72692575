"""Importances: the estimator on functions with known indices, intervals that hold them."""

import itertools
import json

import numpy as np
import pytest

import pathmax
from pathmax import Candidates, Categorical, Float, Grid, Int, Study, gp
from pathmax.analysis import importances as module
from pathmax.analysis.importances import sobol_indices
from pathmax.errors import SettingsError, TrialError
from pathmax.space.space import Space
from pathmax.trials.value_transform import ValueTransform
from tests.own_kernels import Periodic

PI = float(np.pi)
ISHIGAMI = {name: Float(-PI, PI) for name in "abc"}
# Var = 49/8 + 0.1 pi^4/5 + 0.01 pi^8/18 + 1/2 (Ishigami and Homma, 1990; a = 7, b = 0.1)
FIRST, TOTAL = (0.3139, 0.4424, 0.0), (0.5576, 0.4424, 0.2437)


def ishigami(x):  # (..., 3) in [-pi, pi]
    return np.sin(x[..., 0]) * (1 + 0.1 * x[..., 2] ** 4) + 7 * np.sin(x[..., 1]) ** 2


class Functions:
    """Functions of the cube in the place of sample paths."""

    def __init__(self, *functions):
        self.functions = functions

    def __len__(self):
        return len(self.functions)

    def __call__(self, U):
        return np.stack([function(U) for function in self.functions])


def test_the_estimator_on_ishigami(rng):
    paths = Functions(lambda U: ishigami(PI * (2 * U - 1)), lambda U: 1e300 * np.sin(7 * U[:, 1]))
    first, total = sobol_indices(paths, Space(ISHIGAMI), ValueTransform(1.0), rng)
    assert first[0] == pytest.approx(FIRST, abs=0.03)
    assert total[0] == pytest.approx(TOTAL, abs=0.03)
    assert first[1] == pytest.approx([0, 1, 0], abs=0.01) == total[1]
    assert np.all(first <= total + 1e-12)


def test_the_estimator_on_the_g_function(rng):
    """f = prod (|4 x - 2| + a) / (1 + a): S_i = V_i / V with V_i = 1 / (3 (1 + a)^2) (Sobol)."""
    a = np.array([0.0, 1.0, 4.5, 9.0])
    V = 1 / (3 * (1 + a) ** 2)
    whole = np.prod(1 + V) - 1
    true_first = V / whole
    true_total = V * np.prod(1 + V) / (1 + V) / whole
    paths = Functions(lambda U: np.prod((np.abs(4 * U - 2) + a) / (1 + a), axis=1))
    space = Space({f"x{i}": Float(0, 1) for i in range(4)})
    first, total = sobol_indices(paths, space, ValueTransform(1.0), rng)
    assert first[0] == pytest.approx(true_first, abs=0.03)
    assert total[0] == pytest.approx(true_total, abs=0.03)


def test_ishigami_from_200_results(rng):
    study = Study(ISHIGAMI, seed=0)
    for x in rng.uniform(-PI, PI, (200, 3)):
        study.add(dict(zip("abc", x.tolist(), strict=True)), float(ishigami(x)))
    found = study.importances(n_paths=60)
    assert found["b"].first.mean == pytest.approx(FIRST[1], abs=0.08)
    assert found["a"].total.mean == pytest.approx(TOTAL[0], abs=0.08)
    assert found["c"].first.high < 0.08 and found["c"].total.low > 0.15  # interactions alone
    for one in found:
        assert one.total.low <= one.total.mean <= one.total.high
    assert [one.name for one in found][-1] == "c"
    assert "matters most" in found.sentence and "together with others" in found.sentence


def test_intervals_hold_the_indices_of_functions_from_the_model():
    """The truth is a draw of the prior with the kernel that the study has: 95 % mean 95 %."""
    kernel, inside = gp.RBF(lengthscale=[0.3, 1.0]), []
    space = Space({"a": Float(0, 1), "b": Float(0, 1)})
    for seed in range(40):
        rng = np.random.default_rng(seed)
        truth = gp.draw_paths(gp.GaussianProcess(kernel, 1e-4), rng, 1)
        true_first, true_total = sobol_indices(truth, space, ValueTransform(1.0), rng)
        study = Study(space, kernel=kernel, noise=1e-4, refit_every=None, seed=seed)
        X = rng.random((6, 2))
        for x, value in zip(X, truth(X)[0], strict=True):
            study.add({"a": float(x[0]), "b": float(x[1])}, float(value))
        found = study.importances(n_paths=100)
        for i, name in enumerate("ab"):
            inside += [found[name].first.low <= true_first[0, i] <= found[name].first.high]
            inside += [found[name].total.low <= true_total[0, i] <= found[name].total.high]
    assert 0.85 <= np.mean(inside) <= 1.0


def test_what_is_not_known_is_not_taken_for_an_interaction(rng):
    """A sum of two waves from few results: with a product alone the totals are far too large."""
    space = {"a": Float(0, 1), "b": Float(0, 1)}
    study = Study(space, seed=0)
    for a, b in rng.random((24, 2)).tolist():
        study.add({"a": a, "b": b}, float(np.sin(9 * a) + np.sin(11 * b)))
    found = study.importances(n_paths=60)
    assert found["a"].total.mean - found["a"].first.mean < 0.15
    assert found["a"].total.low <= 0.5 <= found["a"].total.high + 0.05


def test_beliefs_speak_in_units_of_their_own(rng, monkeypatch):
    """Half of the beliefs bend values and half do not: each is turned back its own way.

    With a conditional parameter the beliefs of the study are asked.
    """
    space = {"c": Categorical(["x", "y"]), "a": Float(0, 1), "b": Float(0, 1, when="c == 'x'")}
    study = Study(space, seed=0)
    for a, b in rng.random((20, 2)).tolist():
        study.add(
            {"c": "x", "a": a, "b": b} if b < 0.5 else {"c": "y", "a": a}, float(np.exp(6 * a))
        )
    used, estimate = [], sobol_indices

    def watched(paths, space, transform, rng):
        used.append((transform.power, len(paths)))
        return estimate(paths, space, transform, rng)

    monkeypatch.setattr(module, "sobol_indices", watched)
    study.importances(n_paths=32)
    beliefs = [seen.surrogates["value"].transform.power for _, seen in study._session.beliefs()]
    assert sorted(power for power, n in used for _ in range(n)) == sorted(2 * beliefs)
    assert len(set(beliefs)) == 2


def test_choices_and_whole_numbers_count_each_alike():
    """Additive and known exactly: the shares are the variances of three and of five values."""
    space = {"kind": Categorical(["x", "y", "z"]), "n": Int(1, 5), "fixed": 3}
    study = Study(space, direction="minimize", seed=0)
    for kind, n in itertools.product("xyz", range(1, 6)):
        study.add({"kind": kind, "n": n}, {"x": 0.0, "y": 0.0, "z": 3.0}[kind] + n)
    found = study.importances(n_paths=40)
    assert found.names == ("kind", "n")
    share = 2.0 / (2.0 + 2.0)  # Var of (0, 0, 3) and of 1..5
    assert found["kind"].total.mean == pytest.approx(share, abs=0.06)
    assert found["n"].first.mean == pytest.approx(1 - share, abs=0.06)


def test_a_grid_is_weighed_by_its_axes_and_a_pool_by_its_rows():
    values = [0.0, 0.9, 1.0]  # not equally spaced
    grid = Grid({"a": values, "b": [1, 2]})
    study = Study(grid, seed=0)
    for a, b in itertools.product(values, [1, 2]):
        study.add({"a": a, "b": b}, a + b / 2)
    found = study.importances(n_paths=20)
    share = np.var(values) / (np.var(values) + np.var([0.5, 1.0]))
    assert found["a"].total.mean == pytest.approx(share, abs=0.05)
    assert found["b"].first.mean == pytest.approx(1 - share, abs=0.05)
    rows = [{"id": f"m{i}", "a": i / 30, "b": (7 * i) % 30 / 30} for i in range(30)]
    pool = Study(Candidates(rows, id="id"), seed=0)
    for row in rows[::2]:
        pool.add(row, row["b"] ** 2)
    found = pool.importances(n_paths=20)
    assert found.names == ("a", "b")
    assert found["b"].first.mean > 0.9 and found["a"].total.mean < 0.1


def test_values_along_a_grid_are_drawn_equally_often(rng):
    grid = Grid({"a": [0.0, 0.9, 1.0], "b": [1, 2]})
    A, B = module.draw_pairs(grid, 300, rng)
    for U in (A, B):
        counts = np.unique(U[:, 0], return_counts=True)[1]
        assert counts == pytest.approx([100, 100, 100], abs=8)


def test_each_outcome_has_its_own(rng):
    study = Study({"x": Float(0, 1), "y": Float(0, 1)}, objectives={"top": "maximize"},
                  constraints={"bottom": "<= 1"}, seed=0)  # fmt: skip
    for x, y in rng.random((12, 2)).tolist():
        study.add({"x": x, "y": y}, {"top": x, "bottom": y})
    assert study.importances("top", n_paths=20)["x"].total.mean > 0.9
    assert study.importances("bottom", n_paths=20)["y"].total.mean > 0.9
    with pytest.raises(SettingsError, match="which outcome"):
        study.importances()
    with pytest.raises(KeyError, match="there are x, y"):
        study.importances("top", n_paths=2)["z"]


def test_a_kernel_without_random_features(rng):
    study = Study({"x": Float(0, 1), "y": Float(0, 1)}, kernel=Periodic(), seed=0)
    for x, y in rng.random((12, 2)).tolist():
        study.add({"x": x, "y": y}, np.sin(6.28 * x))
    assert study.importances(n_paths=20)["x"].total.mean > 0.8


def test_a_parameter_that_is_absent_changes_nothing_there():
    """f = a where k is x and 1/2 else: alone a explains Var(a / 2) of Var(a) / 2, with k all."""
    space = {"k": Categorical(["x", "y"]), "a": Float(0, 1, when="k == 'x'")}
    study = Study(space, seed=0)
    for i in range(12):
        study.add({"k": "x", "a": i / 11}, i / 11)
    study.add({"k": "y"}, 0.5)
    found = study.importances(n_paths=40)
    assert found["a"].first.mean == pytest.approx(0.5, abs=0.1)
    assert found["a"].total.mean == pytest.approx(1.0, abs=0.1)
    assert found["k"].first.mean == pytest.approx(0.0, abs=0.1)


def test_plain_values_and_refusals():
    study = Study({"x": Float(0, 1)}, seed=0)
    with pytest.raises(TrialError, match="tell one first"):
        study.importances()
    for i in range(3):
        study.add({"x": i / 3}, 5.0)
    found = study.importances(n_paths=10)
    told = json.loads(json.dumps(found.to_json()))
    assert told["parameters"][0]["name"] == "x" and told["outcome"] == "value"
    assert str(found).splitlines()[0].split() == ["parameter", "alone", "with", "others"]
    with pytest.raises(pathmax.errors.PathmaxError, match="n_paths"):
        study.importances(n_paths=1)
    again = study.importances(n_paths=10)
    np.testing.assert_array_equal(found.total, again.total)


def test_a_share_in_words_stays_between_nothing_and_all():
    assert module.percent(module.Interval(-0.03, -0.05, -0.02)) == "0% (0 to 0)"
    assert module.percent(module.Interval(0.9, 0.62, 1.04)) == "90% (62 to 100)"
