"""Grids: every combination has a number, and none is ever written out."""

import itertools
import json
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathmax.errors import ParamsError, SpaceError
from pathmax.space.grid import Grid
from pathmax.space.parameters import Float
from tests.spaces import finite, names, scalars

numbers = st.lists(finite | st.integers(-(10**9), 10**9), min_size=1, max_size=5, unique=True)
mixed = st.lists(scalars, min_size=1, max_size=4, unique=True)


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    axes = draw(st.dictionaries(names, numbers | mixed, min_size=1, max_size=4))
    alike = {name.strip() for name in axes}
    return Grid(axes if len(alike) == len(axes) else {"x": [1, 2]})


@given(grids(), st.data())
def test_index_and_params_are_inverses(grid, data):
    index = data.draw(st.integers(0, grid.cardinality - 1))
    params = grid.params(index)
    assert grid.index(params) == index
    assert grid.validate(params) == params
    np.testing.assert_array_equal(grid.encode(params), grid.encode_rows([index])[0])
    assert grid.index(json.loads(json.dumps(params))) == index


@given(grids())
def test_json_and_pickle_round_trip(grid):
    again = Grid.from_json(json.loads(json.dumps(grid.to_json())))
    assert again == grid
    assert hash(again) == hash(grid)
    assert pickle.loads(pickle.dumps(grid)) == grid


@given(grids())
def test_coordinates_are_sorted_within_the_unit_interval_or_codes(grid):
    for axis, values, length in zip(grid.axes, grid.axis_values, grid.shape, strict=True):
        assert len(values) == length
        assert (np.diff(values) >= 0).all()
        if axis.kind == "categorical":
            np.testing.assert_array_equal(values, np.arange(length))
        else:
            assert values[0] == 0.0
            assert values[-1] == (1.0 if length > 1 else 0.0)


def test_the_last_axis_runs_fastest():
    grid = Grid({"pH": [6, 6.5, 7], "buffer": ["Tris", "HEPES"]})
    assert (grid.shape, len(grid), grid.dimension) == ((3, 2), 6, 2)
    product = itertools.product([6, 6.5, 7], ["Tris", "HEPES"])
    assert [grid.params(i) for i in range(6)] == [{"pH": p, "buffer": b} for p, b in product]
    np.testing.assert_array_equal(
        grid.encode_rows(np.arange(6)), [[0, 0], [0, 1], [0.5, 0], [0.5, 1], [1, 0], [1, 1]]
    )
    assert grid.encode_many([grid.params(3), grid.params(0)]).tolist() == [[0.5, 1], [0, 0]]
    assert grid.encode_rows([]).shape == (0, 2)
    assert grid.encode_many([]).shape == (0, 2)


def test_numbers_are_sorted_and_text_is_not():
    grid = Grid({"x": [3, 1, 2], "s": ["b", "a"], "one": 5, "yes": [True, False]})
    assert grid.values == {"x": (1, 2, 3), "s": ("b", "a"), "one": (5,), "yes": (True, False)}
    kinds = [axis.kind for axis in grid.axes]
    assert kinds == ["int", "categorical", "int", "categorical"]
    assert grid.index({"x": 1, "s": "b", "yes": True}) == 0  # an axis of one value may be left out


def test_arrays_ranges_and_generators_are_axes():
    grid = Grid({"a": np.linspace(0, 1, 5), "b": range(3), "c": (c for c in "xy")})
    assert grid.shape == (5, 3, 2)
    assert all(type(value) is float for value in grid.values["a"])


def test_a_product_beyond_all_memory_costs_nothing():
    grid = Grid({f"x{j}": np.arange(100) for j in range(20)})
    assert grid.cardinality == 10**40
    last = grid.params(10**40 - 1)
    assert last == {f"x{j}": 99 for j in range(20)}
    assert grid.index(last) == 10**40 - 1


def test_a_number_off_by_rounding_is_the_one_of_the_axis():
    grid = Grid({"x": [0.1, 0.2, 0.3], "s": ["a"]})
    assert grid.validate({"x": 0.1 * 3}) == {"x": 0.3, "s": "a"}
    assert grid.validate({"x": np.float32(0.2)}) == {"x": 0.2, "s": "a"}


@pytest.mark.parametrize(
    ("axes", "message"),
    [
        ({}, "the grid has no axes"),
        ([1, 2], "a grid is a dict"),
        ({"a": []}, "a: the axis has no values"),
        ({"a": [1, 2, 1.0]}, r"a: the values 1(\.0)? and 1(\.0)? are equal; remove one"),
        ({"a": ["x", "x"]}, "a: the values 'x' and 'x' are equal"),
        ({"a": [True, 1]}, "a: the values True and 1 are equal"),
        ({"a": {1, 2}}, "a: the values must be a list, got {1, 2}"),
        ({"a": None}, "a: the values must be a list"),
        ({"a": Float(0, 1)}, r"a: .*list the values, with np.linspace"),
        ({"a": [1, math.nan]}, "a: nan cannot be a choice"),
        ({"a": [[1, 2]]}, "a: a choice must be text, a number"),
        ({"": [1]}, "'' cannot be a parameter's name"),
        ({1: [1]}, "name must be text"),
    ],
)
def test_a_wrong_definition_is_named(axes, message):
    with pytest.raises(SpaceError, match=message):
        Grid(axes)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"x": 4, "s": "a"}, "x: expected one of 1, 2, 3, got 4"),
        ({"x": True, "s": "a"}, "x: expected one of 1, 2, 3, got True"),
        ({"x": "1", "s": "a"}, "x: .*got the text '1'; did you mean 1?"),
        ({"x": [1], "s": "a"}, "x: expected one of"),
        ({"x": 1, "s": "c"}, "s: expected one of 'a', 'b', got the text 'c'"),
        ({"x": 1}, "s: no value given"),
        ({"x": 1, "s": "a", "z": 0}, "z: no such parameter"),
    ],
)
def test_a_value_off_the_grid_is_named(params, message):
    with pytest.raises(ParamsError, match=message):
        Grid({"x": [1, 2, 3], "s": ["a", "b"]}).index(params)


@pytest.mark.parametrize("index", [-1, 6])
def test_an_index_outside_is_refused(index):
    with pytest.raises(ParamsError, match="the grid has rows 0 to 5"):
        Grid({"x": [1, 2, 3], "s": ["a", "b"]}).params(index)


def test_differences_are_told_in_sentences():
    grid = Grid({"x": [1, 2, 3], "s": ["a", "b"]})
    assert grid.difference(Grid({"x": [3, 2, 1], "s": ["a", "b"]})) == []
    assert grid.difference(Grid({"x": range(9), "t": ["a", "b"]})) == [
        "s was removed",
        "t was added",
        "the values of x were [1, 2, 3] and are now [0, 1, ..., 8] (9 values)",
    ]
    assert grid.difference(Grid({"s": ["a", "b"], "x": [1, 2, 3]})) == [
        "the order was ('x', 's') and is now ('s', 'x')"
    ]
    assert grid.difference(None) == ["a grid of 6 points became a NoneType"]
    assert eval(repr(grid)) == grid


@pytest.mark.parametrize("index", ["a", 0.5, True, -1, 3])
def test_a_row_has_a_number(index):
    with pytest.raises(ParamsError, match=f"row {index!r}: the grid has rows 0 to 2"):
        Grid({"a": [1, 2, 3]}).params(index)
