"""Many params at once have the points that they have one by one, to the last bit."""

import numpy as np
import pytest

from pathmax import Candidates, Categorical, Float, Int, Space
from pathmax.errors import ParamsError
from pathmax.space.many_points import points_of

SPACES = {
    "floats": Space({"a": Float(-3, 7.1), "b": Float(1e-9, 1.0), "c": Float(-1e300, 1e3)}),
    "log": Space({"a": Float(1e-5, 0.1, log=True), "b": Float(0, 1)}),
    "steps": Space({"a": Float(0, 1, step=0.1), "b": Float(values=[0.1, 0.2, 5])}),
    "digits": Space({"a": Float(0.5, 700, digits=3, log=True), "b": Int(1, 9)}),
    "mixed": Space({"a": Float(0, 0.3), "n": Int(1, 200, log=True), "c": Categorical(list("xyz"))}),
    "flags": Space({"a": Float(0, 1), "c": Categorical([True, 1.5, "1"]), "f": 3}),
    "conditional": Space({"k": Categorical(["a", "b"]), "a": Float(0, 1, when="k == 'a'")}),
}


@pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)
def test_points_of_many_are_those_of_each(space: Space, rng: np.random.Generator):
    corners = [np.zeros(space.dimension), np.ones(space.dimension)]
    rows = [space.decode(u) for u in [*corners, *rng.random((200, space.dimension))]]
    one_by_one = np.array([space.encode(params) for params in rows])
    np.testing.assert_array_equal(space.encode_many(rows), one_by_one)


def test_values_that_are_like_numbers_are_read_as_ever(rng: np.random.Generator):
    space = SPACES["mixed"]
    rows = [
        {"a": np.float32(0.25), "n": 3.0, "c": "x"},
        {"a": 0, "n": np.int64(7), "c": np.str_("y")},
        {"a": 3 * 0.1, "n": 7, "c": "z"},  # a rounding above 0.3
        {"c": "z", "a": 0.1, "n": 1},
    ]
    one_by_one = np.array([space.encode(params) for params in rows])
    np.testing.assert_array_equal(space.encode_many(rows), one_by_one)


def test_true_is_not_one():
    space = Space({"c": Categorical([True, False]), "a": Float(0, 1)})
    with pytest.raises(ParamsError, match="c"):
        space.encode_many([{"c": True, "a": 0.5}, {"c": 1, "a": 0.5}])


def test_zero_keeps_its_sign_as_one_by_one():
    space = SPACES["floats"]
    rows = [{"a": 0.0, "b": 0.5, "c": -0.0}, {"a": -0.0, "b": 1.0, "c": 0.0}]
    one_by_one = np.array([space.encode(params) for params in rows])
    assert space.encode_many(rows).tobytes() == one_by_one.tobytes()


@pytest.mark.parametrize("bad", [{"a": 9.0}, {"a": "x"}, {"a": float("nan")}, {"a": [1]}])
def test_a_value_outside_is_refused_among_many(bad: dict[str, object]):
    rows = [{"a": 0.5}] * 10
    with pytest.raises(ParamsError, match="a: "):
        Space({"a": Float(0, 1)}).encode_many([*rows, bad])


def test_other_names_are_refused_among_many():
    with pytest.raises(ParamsError, match="no such parameter"):
        Space({"a": Float(0, 1)}).encode_many([{"a": 0.5}, {"a": 0.5, "b": 1}])


def test_a_fixed_value_may_be_left_out_or_is_checked():
    space = SPACES["flags"]
    given = [{"a": 0.5, "c": True, "f": 3}, {"a": 0.5, "c": True}]
    np.testing.assert_array_equal(*space.encode_many(given))
    with pytest.raises(ParamsError, match="f: is fixed"):
        space.encode_many([given[0], {"a": 0.5, "c": True, "f": 4}])


def test_what_has_other_names_is_left_to_the_space():
    assert points_of(SPACES["floats"].parameters, [{"a": 0.0}]) is None
    assert points_of(SPACES["floats"].parameters, []) is None
    assert SPACES["floats"].encode_many([]).shape == (0, 3)


@pytest.mark.parametrize("name", [name for name in SPACES if name != "conditional"])
def test_many_that_fit_are_known_to(name: str, rng: np.random.Generator):
    space = SPACES[name]
    rows = [space.decode(u) for u in rng.random((50, space.dimension))]
    assert space.holds_all(rows)
    assert space.holds_all([])


@pytest.mark.parametrize(
    "odd",
    [
        {"a": 9.0},
        {"a": "x"},
        {"a": float("nan")},
        {"a": [1]},
        {"a": True},
        {"b": 0.5},
        {},
        {"a": 2},
    ],
)
def test_one_that_does_not_fit_is_noticed_among_many(odd: dict[str, object]):
    assert not Space({"a": Float(0, 1, log=False)}).holds_all([{"a": 0.5}, odd])


def test_pools_and_conditions_are_left_to_one_by_one():
    assert not SPACES["conditional"].holds_all([{"k": "b"}])
    assert not Candidates([{"a": 1.0}, {"a": 2.0}]).holds_all([{"a": 1.0}])
