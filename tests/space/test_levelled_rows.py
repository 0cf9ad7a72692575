"""Rows that may be tried at several fidelities: which is which, and where they lie."""

import pickle

import numpy as np
import pytest

from pathmax import Candidates, Fidelity, Grid
from pathmax.errors import ParamsError, SpaceError
from pathmax.space import any_space

ASSAY = Fidelity(["quick", "full"], cost=[1, 20])
ROWS = [
    {"name": "A", "load": 1.0, "ligand": "XPhos"},
    {"name": "B", "load": 2.0, "ligand": "SPhos"},
    {"name": "C", "load": 2.0, "ligand": "SPhos"},
]


def pool(fidelity=ASSAY, **more):
    return Candidates(ROWS, id="name", **more).with_fidelity("assay", fidelity)


def test_every_row_is_there_at_every_level():
    rows = pool()
    assert rows.names == ("name", "load", "ligand", "assay")
    assert [rows.index(rows.params(i)) for i in range(len(rows))] == list(range(6))
    assert rows.params(3) == {"name": "B", "load": 2.0, "ligand": "SPhos", "assay": "full"}
    assert rows.encode({"name": "B", "assay": "quick"}).tolist() == [1.0, 1.0, 0.0]
    assert rows.size_words == "a pool of 3 candidates"


def test_twins_are_twins_at_each_level():
    rows = pool()
    assert rows.free().tolist() == [True, True, True, True, False, False]
    assert rows.free([rows.index({"name": "C", "assay": "quick"})]).tolist() == [
        *(True, True, False, True, False, False)
    ]
    assert rows.at_target.free().tolist() == [False, True, False, True, False, False]
    assert rows.rows_at_target([0, 1, 4]) == [1, 1, 5]


@pytest.mark.parametrize(
    "fidelity",
    [ASSAY, Fidelity([1, 3, 9, 27], log=True), Fidelity([0.1, 1.0], target=0.1, cost=[9, 1])],
)
def test_stored_pickled_and_found_again(fidelity):
    rows = pool(fidelity, where=["load <= 1.5"], context=["ligand"])
    for again in (any_space.from_json(rows.to_json()), pickle.loads(pickle.dumps(rows))):
        assert again == rows and again.fidelity == rows.fidelity
        assert np.array_equal(again.encode_all(), rows.encode_all())
        assert again.where and again.context_names == ("ligand",)
    assert rows.to_json()["rows"] == [[*row.values()] for row in ROWS]


def test_coordinates_of_numbers_are_those_of_the_fidelity():
    rows = pool(Fidelity([1, 3, 9, 27], log=True))
    places = rows.encode_all()[:4, -1]
    assert places == pytest.approx([0, 1 / 3, 2 / 3, 1], abs=1e-7)
    assert np.array_equal(places, places.astype(np.float32))  # large pools are in single precision
    assert rows.axes[-1].values.tolist() == places.tolist() and rows.axes[-1].target == 1.0


def test_what_changed_is_said():
    plain = Candidates(ROWS, id="name")
    assay = "assay = Fidelity(['quick', 'full'], cost=[1.0, 20.0])"
    assert plain.difference(pool()) == [f"the fidelity {assay} was added"]
    assert pool().difference(plain) == [f"the fidelity {assay} was removed"]
    other = pool(Fidelity(["quick", "full"], cost=[1, 9]))
    cheaper = "assay = Fidelity(['quick', 'full'], cost=[1.0, 9.0])"
    assert pool().difference(other) == [f"the fidelity was {assay} and is {cheaper} now"]


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"name": "A"}, "assay: no value given; say how it was tried"),
        ({"name": "A", "assay": "slow"}, "assay: expected one of quick, full, got the text 'slow'"),
        ({"name": "D", "assay": "full"}, "no candidate has the id the text 'D'"),
    ],
)
def test_params_that_are_no_row(params, said):
    with pytest.raises(ParamsError, match=said):
        pool().index(params)


def test_a_number_that_is_no_level():
    with pytest.raises(ParamsError, match="assay: expected one of 1, 3, got 2"):
        pool(Fidelity([1, 3])).index({"name": "A", "assay": 2})


@pytest.mark.parametrize(
    ("name", "fidelity", "said"),
    [
        ("load", ASSAY, "load: the pool or grid has this already"),
        ("", ASSAY, "'' cannot be a parameter's name"),
        (3, ASSAY, "a parameter's name must be text, got 3"),
        ("assay", ["quick", "full"], "assay: expected a Fidelity such as"),
        ("assay", Fidelity(1, 9), "assay: rows and points of a grid are tried at listed values"),
    ],
)
def test_fidelities_that_no_pool_can_have(name, fidelity, said):
    with pytest.raises(SpaceError, match=said):
        Candidates(ROWS, id="name").with_fidelity(name, fidelity)


def test_one_fidelity_only():
    with pytest.raises(SpaceError, match="other: the pool has a fidelity already"):
        pool().with_fidelity("other", ASSAY)


def test_sentences_do_not_know_it():
    with pytest.raises(SpaceError, match="assay: is a fidelity, and what to try does not depend"):
        pool().knowing(["assay == 'full'"])


def test_a_grid_with_a_fidelity():
    axes = {"pH": [6, 6.5, 7], "assay": Fidelity([1, 3, 9], log=True)}
    grid = Grid(axes, where=["pH <= 6.5"])
    assert any_space.from_json(grid.to_json()) == grid
    assert pickle.loads(pickle.dumps(grid)).fidelity == ("assay", axes["assay"].checked("assay"))
    assert grid.axes[1].target == 1.0 and grid.axes[1].values[1] == pytest.approx(0.5, abs=1e-7)
    assert grid.at_target.cardinality == 3 and grid.params(1) == {"pH": 6, "assay": 3}
    assert "Fidelity([1, 3, 9], log=True)" in repr(grid)
    other = Grid({"pH": [6, 6.5, 7], "assay": [1, 3, 9]}, where=["pH <= 6.5"])
    said = "the fidelity assay = Fidelity([1, 3, 9], log=True) was removed"
    assert grid.difference(other) == [said]
    with pytest.raises(SpaceError, match="assay: is a fidelity, and what to try does not depend"):
        grid.knowing(["assay <= 3"])
    with pytest.raises(SpaceError, match="one fidelity"):
        Grid({"x": [1, 2], "a": ASSAY, "b": ASSAY})
