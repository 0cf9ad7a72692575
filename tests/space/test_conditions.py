"""Conditions: which parameters are active, in params, at points, in JSON, and what is refused."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathmax import Categorical, Float, Int, Space
from pathmax.errors import ParamsError, SpaceError
from pathmax.space.axes import ABSENT

# random spaces may have conditions that never hold: what is said of them is in test_dead_conditions
pytestmark = pytest.mark.filterwarnings("ignore::pathmax.errors.NeverActiveWarning")

TREE = {
    "optimizer": Categorical(["adam", "sgd", "lbfgs"]),
    "rate": Float(1e-4, 1, log=True, when="optimizer != 'lbfgs'"),
    "momentum": Float(0, 0.99, when="optimizer == 'sgd'"),
    "nesterov": Categorical([True, False], when="momentum > 0.5"),
    "layers": Int(1, 4),
    "seed": 7,
}


@st.composite
def conditional_spaces(draw: st.DrawFn) -> Space:
    """Parameters of which each may depend on those before it, in ways that nest."""
    names = [f"p{i}" for i in range(draw(st.integers(2, 6)))]
    kinds = {}
    for i, name in enumerate(names):
        when = None
        if i and draw(st.booleans()):
            other = names[draw(st.integers(0, i - 1))]
            p = kinds[other]
            about = f"{other} {draw(st.sampled_from(['==', '!=']))} 'b'"
            if not isinstance(p, Categorical):
                about = f"{other} {draw(st.sampled_from(['>', '<=']))} {draw(st.integers(0, 4))}"
            when = draw(st.sampled_from([about, f"not ({about})"]))
        kinds[name] = draw(
            st.sampled_from(
                [
                    Float(0, 4, when=when),
                    Int(0, 4, when=when),
                    Float(values=[0, 1, 4], when=when),
                    Categorical(["a", "b", "c"], when=when),
                ]
            )
        )
    return Space(kinds)


@given(conditional_spaces(), st.integers(0, 2**32 - 1))
def test_points_and_params_agree_on_what_is_active(space, seed):
    rng = np.random.default_rng(seed)
    spans = [2 if axis.kind == "categorical" else 1 for axis in space.axes]
    raw = rng.random((20, space.dimension)) * spans
    settled = space.settle(raw)
    for u, expected in zip(raw, settled, strict=True):
        params = space.decode(u)
        point = space.encode(params)
        assert space.decode(point) == params == space.validate(params)
        np.testing.assert_array_equal(point == ABSENT, expected == ABSENT)
        assert [name in params for name in space.names] == (point != ABSENT).tolist()
    np.testing.assert_array_equal(space.settle(settled), settled)


@given(conditional_spaces())
def test_a_space_survives_json(space):
    again = Space.from_json(json.loads(json.dumps(space.to_json())))
    assert again == space and repr(again) == repr(space)
    assert [axis.conditional for axis in again.axes] == [axis.conditional for axis in space.axes]


@given(conditional_spaces())
def test_points_are_counted(space):
    if any(axis.values is None for axis in space.axes):
        assert space.cardinality is None
        return
    places = np.indices([len(axis.values) for axis in space.axes]).reshape(space.dimension, -1)
    columns = zip(space.axes, places, strict=True)
    U = np.column_stack([axis.values[place] for axis, place in columns])
    assert space.cardinality == len(np.unique(space.settle(U), axis=0))


def test_inactive_parameters_are_absent_and_nest():
    space = Space(TREE)
    middle = np.array([0.0, 1.0, 0.9, 0.0, 0.0])
    assert space.decode(middle) == {"optimizer": "adam", "rate": 1.0, "layers": 1, "seed": 7}
    assert space.decode(middle + np.eye(5)[0])["nesterov"] is True
    assert space.decode(middle + 2 * np.eye(5)[0]) == {"optimizer": "lbfgs", "layers": 1, "seed": 7}
    assert space.encode({"optimizer": "lbfgs", "layers": 1}).tolist() == [2, -1, -1, -1, 0]
    assert space.cardinality is None


def test_what_a_sentence_says_of_an_absent_parameter_is_neither_true_nor_false():
    space = Space(
        {
            "a": Categorical(["x", "y"]),
            "b": Categorical(["x", "y"], when="a == 'x'"),
            "c": Int(0, 1, when="b != 'x'"),
            "d": Int(0, 1, when="not (b == 'x')"),
            "e": Int(0, 1, when="b == 'x' or a == 'y'"),
            "f": Int(0, 1, when="a == b"),
        }
    )
    assert set(space.decode(np.array([1.0, 1, 0, 0, 0, 0]))) == {"a", "e"}
    assert set(space.decode(np.array([0.0, 1, 0, 0, 0, 0]))) == {"a", "b", "c", "d"}
    assert set(space.decode(np.array([0.0, 0, 0, 0, 0, 0]))) == {"a", "b", "e", "f"}


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"optimizer": "adam", "layers": 1}, "rate: no value given, and it is active here, since"),
        (
            {"optimizer": "adam", "rate": 0.1, "momentum": 0.5, "layers": 1},
            "momentum: is not active here, since optimizer == 'sgd' does not hold, got the value",
        ),
        ({"optimizer": "lbfgs", "layers": 1, "x": 2}, "x: no such parameter"),
        ({"layers": 1}, "optimizer: no value given"),
        ({"optimizer": "adam", "rate": None, "layers": 1}, "rate: expected a number"),
    ],
)
def test_params_must_have_what_is_active_and_nothing_else(params, message):
    with pytest.raises(ParamsError, match=message):
        Space(TREE).validate(params)


def test_none_and_nan_stand_for_an_absent_parameter_as_in_tables():
    given = {"optimizer": "lbfgs", "rate": float("nan"), "momentum": None, "layers": 2}
    clean = {"optimizer": "lbfgs", "layers": 2, "seed": 7}
    assert Space(TREE).validate(given) == clean


@pytest.mark.parametrize(
    ("space", "message"),
    [
        (
            {"a": Float(0, 1, when="b > 0.5"), "b": Float(0, 1, when="a > 0.5")},
            "a: conditions go round in a circle, a on b on a",
        ),
        ({"a": Float(0, 1, when="a > 0.5"), "b": Int(0, 1)}, "a: its condition is about itself"),
        ({"a": Float(0, 1, when="c > 1"), "b": Int(0, 1)}, "a: in its condition, .* parameter 'c'"),
        ({"a": Float(0, 1, when=3), "b": Int(0, 1)}, "a: when is a sentence such as .* got 3"),
        ({"a": Float(0, 1, when=" "), "b": Int(0, 1)}, "a: when is a sentence"),
        ({"a": Categorical(["x"], when="b = 1"), "b": Int(0, 1)}, "a: in its condition"),
    ],
)
def test_conditions_that_cannot_work_are_refused(space, message):
    with pytest.raises(SpaceError, match=message):
        Space(space)


def test_a_change_of_one_value_takes_what_it_decides_along():
    space = Space(TREE)
    params = {"optimizer": "adam", "rate": 0.1, "layers": 2, "seed": 7}
    changed = space.changed(params, "optimizer", "sgd")
    assert changed == {**params, "optimizer": "sgd", "momentum": 0.495}
    assert space.changed(changed, "momentum", 0.9)["nesterov"] is True
    assert space.changed(changed, "optimizer", "lbfgs") == {
        "optimizer": "lbfgs",
        "layers": 2,
        "seed": 7,
    }
    plain = Space({"a": Int(0, 1), "b": Int(0, 1)})
    assert plain.changed({"a": 0, "b": 0}, "b", 1) == {"a": 0, "b": 1}


def test_a_condition_is_a_difference_and_stored_only_where_there_is_one():
    with_it, without = Space(TREE), Space({**TREE, "nesterov": Categorical([True, False])})
    assert without.difference(with_it) == [
        "nesterov was Categorical([True, False]) and is now "
        "Categorical([True, False], when='momentum > 0.5')"
    ]
    assert "when" not in with_it.to_json()["parameters"][0]
    assert Space(with_it) == with_it
