"""Indices within known constraints: closed forms on a triangle, tied parameters, what is said."""

import numpy as np
import pytest

from pathmax import Candidates, Categorical, Float, Grid, Int, Mixture, Space, Study
from pathmax.analysis.constrained_indices import (
    constrained_design,
    constrained_indices,
    neighbours,
)
from pathmax.trials.value_transform import ValueTransform
from tests.analysis.test_importances import Functions

UNIT = Float(0, 1)


def indices(space, *functions):
    design = constrained_design(space, np.random.default_rng(0))
    return (*constrained_indices(Functions(*functions), design, ValueTransform(1.0)), design)


@pytest.mark.parametrize("total", [1.0, 0.01], ids=["half of the cube", "thin"])
def test_closed_forms_on_a_triangle(total):
    """On a + b <= t: Var E[a | b] = Var a / 4 and E Var[a | b] = 3/4 Var a; a + b alike."""
    space = Space({"a": UNIT, "b": UNIT, "c": UNIT}, [f"a + b <= {total}"])
    first, over, design = indices(space, lambda U: U[:, 0], lambda U: U[:, 0] + U[:, 1])
    assert first == pytest.approx(np.array([[1, 0.25, 0], [0.25, 0.25, 0]]), abs=0.12)
    assert over == pytest.approx(np.array([[0.75, 0, 0], [0.75, 0.75, 0]]), abs=0.06)
    assert np.all(over[0, 1:] == 0)  # what the function does not depend on, exactly
    assert design.tied == () and "known constraints" in design.remark
    for points in (design.points, *design.moved):
        assert space.limits.holds(points).all()


def test_constraints_that_forbid_next_to_nothing_change_nothing():
    space = Space({"a": UNIT, "b": UNIT}, ["a + b <= 1.999"])
    first, over, _ = indices(space, lambda U: U[:, 0] + 2 * U[:, 1])
    assert first[0] == pytest.approx([0.2, 0.8], abs=0.08)
    assert over[0] == pytest.approx([0.2, 0.8], abs=0.06)


def test_what_cannot_change_alone_is_named():
    blend = Mixture({"A": (0, 100), "B": (0, 100), "C": (0, 100)}, total=100)
    space = Space({"blend": blend, "t": UNIT})
    first, over, design = indices(space, lambda U: U[:, 0], lambda U: U[:, 3])
    assert design.tied == ("A", "B", "C")
    assert "A, B, C cannot change alone: others move along" in design.remark
    assert first[0, 0] > 0.95 and over[0, 0] > 0.8
    assert over[1] == pytest.approx([0, 0, 0, 1], abs=0.06)
    for points in (design.points, *design.moved):
        assert space.limits.holds(points).all()


@pytest.mark.parametrize(
    "space",
    [
        Space({"i": Int(0, 9), "j": Int(0, 9), "k": Categorical(["x", "y", "z"])}, ["i + j <= 3"]),
        Grid({"i": range(10), "j": range(10), "k": ["x", "y", "z"]}, ["i + j <= 3"]),
    ],
    ids=["space", "grid"],
)
def test_whole_numbers_and_choices(space):
    """Ten points (i, j), each three times: exact shares by counting."""
    pairs = np.array([(i, j) for i in range(10) for j in range(10) if i + j <= 3])
    within = [np.var(pairs[pairs[:, 1] == j, 0]) for j in pairs[:, 1]]
    between = [np.mean(pairs[pairs[:, 1] == j, 0]) for j in pairs[:, 1]]
    whole = np.var(pairs[:, 0])
    first, over, _ = indices(space, lambda U: U[:, 0], lambda U: U[:, 2])
    assert first[0] == pytest.approx([1, np.var(between) / whole, 0], abs=0.08)
    assert over[0] == pytest.approx([np.mean(within) / whole, 0, 0], abs=0.08)
    assert first[1, 2] == pytest.approx(1) and over[1, :2] == pytest.approx([0, 0])


def test_absent_parameters_change_nothing():
    parameters = {"o": Categorical(["x", "y"]), "a": UNIT, "b": Float(0, 1, when="o == 'x'")}
    space = Space(parameters, ["a + b <= 1"])
    _, over, design = indices(space, lambda U: U[:, 1], lambda U: np.maximum(U[:, 2], 0.0))
    assert np.all(over[0, [0, 2]] == 0) and over[1, 0] > 0.3 and over[1, 2] > 0.01
    absent = design.points[:, 2] < 0
    assert 0.3 < absent.mean() < 0.9
    assert np.array_equal(absent, design.points[:, 0] == 1)


def test_neighbours_have_nearly_the_same_value(rng):
    number, choice = Space({"a": UNIT, "c": Categorical(["x", "y", "z"])}).axes
    x = rng.random(200)
    beside = neighbours(x, number, rng)
    assert np.all(beside != np.arange(200)) and np.abs(x - x[beside]).max() < 0.05
    codes = rng.integers(3, size=200).astype(float)
    beside = neighbours(codes, choice, rng)
    assert np.array_equal(codes, codes[beside]) and np.all(beside != np.arange(200))


def test_a_study_says_so(rng):
    space = Space({"a": UNIT, "b": UNIT}, ["a + b <= 1"])
    study = Study(space, seed=0)
    for a, b in (0.5 * rng.random((15, 2))).tolist():
        study.add({"a": a, "b": b}, np.sin(5 * a))
    found = study.importances(n_paths=16)
    assert found["b"].total.high < 0.3 < found["a"].total.mean
    for said in (found.sentence, str(found), found._repr_html_(), found.to_json()["sentence"]):
        assert "Within the known constraints" in said


def test_rows_of_a_pool_that_may_not_be_tried_do_not_count():
    rows = [{"a": float(i), "b": float(i >= 10)} for i in range(20)]
    study = Study(Candidates(rows, where=["b == 0"]), seed=0)
    for i in range(0, 10, 2):
        study.add({"a": float(i), "b": 0.0}, float(i))
    assert study.importances(n_paths=8)["b"].total.mean == 0  # of rows with b = 0 alone
