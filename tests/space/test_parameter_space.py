"""What every kind of space answers: the same questions to a space, a pool and a grid."""

import numpy as np
import pytest

from pathmax import Candidates, Categorical, Float, Grid, Int, Mixture, Space

ROWS = [{"id": f"r{i}", "x": float(i), "kind": "ab"[i % 2]} for i in range(6)]
SPACES = {
    "space": Space(
        {
            "t": Float(20, 120, step=0.5),
            "rate": Float(1e-4, 1e-1, log=True),
            "n": Int(1, 8),
            "kind": Categorical(["a", "b"]),
            "depth": Int(1, 3, when="kind == 'a'"),
            "base": "KOH",
        }
    ),
    "pool": Candidates(ROWS, id="id"),
    "grid": Grid({"pH": [6, 7, 8], "salt": ["NaCl", "KCl"]}),
}
PARAMS = {
    "space": {"t": 50.0, "rate": 1e-2, "n": 3, "kind": "a", "depth": 2, "base": "KOH"},
    "pool": ROWS[4],
    "grid": {"pH": 7, "salt": "KCl"},
}


@pytest.mark.parametrize("kind", SPACES)
def test_a_point_is_located_where_it_is_encoded(kind):
    space, params = SPACES[kind], PARAMS[kind]
    u, row = space.locate(params)
    np.testing.assert_array_equal(u, space.encode(params))
    assert (row is not None) == space.is_numbered
    if row is not None:
        assert space.params(row) == params


def test_choices_are_what_a_text_may_stand_for():
    space = SPACES["space"]
    assert space.choices("kind") == ("a", "b") and space.choices("base") == ("KOH",)
    assert space.choices("t") is None and SPACES["pool"].choices("kind") is None
    assert SPACES["grid"].choices("pH") == (6, 7, 8)


def test_ranges_are_those_of_numbers():
    space = SPACES["space"]
    assert space.range_of("t") == Float(20, 120, step=0.5)
    assert space.range_of("n").whole and not space.range_of("rate").whole
    for other, name in ((space, "kind"), (space, "base"), (SPACES["pool"], "x")):
        assert other.range_of(name) is None


@pytest.mark.parametrize(
    "name,words",
    [
        ("t", "20 to 120, in steps of 0.5"),
        ("rate", "0.0001 to 0.1, by orders of magnitude"),
        ("n", "1 to 8, whole numbers"),
        ("kind", "a, b"),
        ("depth", "1 to 3, whole numbers, only when kind == 'a'"),
        ("base", "always KOH"),
    ],
)
def test_parameters_in_words(name, words):
    assert SPACES["space"].describe(name) == words


def test_how_finely_a_number_is_set_stands_in_its_words():
    assert Float(5, 480, log=True, digits=1).describe(str) == (
        "5 to 480, by orders of magnitude, to 1 digit"
    )


def test_axes_and_columns_in_words():
    assert SPACES["grid"].describe("salt", repr) == "'NaCl', 'KCl'"
    many = Grid({"x": list(range(30)), "day": [1, 2]}, context=["day"])
    assert many.describe("x").endswith("19, … (30 in all)")
    assert many.describe("day") == "1, 2, given and not chosen"
    assert SPACES["pool"].describe("x") == "as in the list of candidates"


def test_entries_of_a_file_say_what_was_given():
    entries = SPACES["space"].entries()
    assert entries["t"] == {"low": 20.0, "high": 120.0, "step": 0.5}
    assert entries["depth"] == {"low": 1, "high": 3, "type": "int", "when": "kind == 'a'"}
    assert entries["base"] == {"value": "KOH"} and entries["kind"] == {"choices": ["a", "b"]}
    assert SPACES["grid"].entries()["pH"] == {"values": [6, 7, 8]}
    assert SPACES["pool"].entries() is None
    blend = Space({"blend": Mixture({"A": (0, 60), "B": (0, 100)}, total=100)})
    assert blend.entries()["blend"]["components"] == {"A": [0.0, 60.0], "B": [0.0, 100.0]}
    assert blend.blended_names == ("A", "B")


@pytest.mark.parametrize("kind", SPACES)
def test_an_outline_names_every_parameter(kind):
    space = SPACES[kind]
    outline = space.outline()
    assert outline["kind"] == {"pool": "candidates"}.get(kind, kind)
    assert [each["name"] for each in outline["parameters"]] == list(space.names)


def test_only_a_pool_has_rows_that_stand_for_it():
    pool = SPACES["pool"]
    assert [row["id"] for row in pool.sampled(3)] == ["r0", "r2", "r5"]
    assert pool.sampled(100) == ROWS and pool.is_pool
    assert SPACES["space"].sampled(3) is None and SPACES["grid"].sampled(3) is None


def test_changing_a_choice_takes_what_depends_on_it_along():
    space, params = SPACES["space"], PARAMS["space"]
    assert "depth" not in space.changed(params, "kind", "b")
    assert space.changed(space.changed(params, "kind", "b"), "kind", "a")["depth"] == 2
    assert SPACES["grid"].changed(PARAMS["grid"], "pH", 8) == {"pH": 8, "salt": "KCl"}
