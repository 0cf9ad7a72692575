"""Parameters that are given: the same coordinates, some of them held."""

import json
import pickle

import numpy as np
import pytest

from pathmax import Candidates, Categorical, Float, Grid, Int, Space
from pathmax.errors import ParamsError, SpaceError
from pathmax.space.any_space import from_json
from pathmax.space.context import at_context, context_of

SPACE = Space(
    {
        "humidity": Float(20, 80, context=True),
        "batch": Categorical(["a", "b", "c"], context=True),
        "runs": Int(1, 9, context=True),
        "time": Float(1, 10),
    }
)
GIVEN = {"humidity": 40, "batch": "b", "runs": 3}
ROWS = [{"h": h, "x": x} for h in (1.0, 2.5) for x in (1, 2, 3)]
POOL = Candidates(ROWS, context=["h"])
GRID = Grid({"h": [1.0, 2.5], "x": [1, 2, 3]}, context=["h"])


def test_held_coordinates_are_those_of_the_values_and_the_others_stay():
    held = at_context(SPACE, GIVEN)
    point = held.encode({**GIVEN, "time": 7.0})
    np.testing.assert_array_equal(point, SPACE.encode({**GIVEN, "time": 7.0}))
    assert [axis.kind for axis in held.axes] == [axis.kind for axis in SPACE.axes]
    for axis, u in zip(held.axes[:3], point, strict=False):
        np.testing.assert_array_equal(axis.values, [u])
    assert held.axes[3].values is None
    assert held.unheld is SPACE
    assert SPACE.held == {}


def test_a_held_space_has_as_many_points_as_are_left_to_choose():
    space = Space({"batch": Categorical(list("abc"), context=True), "n": Int(1, 5)})
    assert space.cardinality == 15
    assert at_context(space, {"batch": "a"}).cardinality == 5
    assert at_context(GRID, {"h": 2.5}).cardinality == 3
    assert at_context(POOL, {"h": 2.5}).cardinality == 3


@pytest.mark.parametrize("space", [SPACE, POOL, GRID], ids=["space", "pool", "grid"])
def test_contexts_are_stored_and_compared(space):
    again = from_json(json.loads(json.dumps(space.to_json())))
    assert again.context_names == space.context_names
    assert again == space
    assert pickle.loads(pickle.dumps(space)).context_names == space.context_names
    assert "context" in repr(space)


def test_a_parameter_that_became_a_context_is_another_space():
    before = Space({"h": Float(0, 1), "x": Float(0, 1)})
    after = Space({"h": Float(0, 1, context=True), "x": Float(0, 1)})
    assert before.difference(after) == [
        "h was Float(0.0, 1.0) and is now Float(0.0, 1.0, context=True)"
    ]
    assert POOL.difference(Candidates(ROWS)) == ["h was given and is now chosen"]
    assert Grid({"h": [1.0, 2.5], "x": [1, 2, 3]}).difference(GRID) == [
        "h was chosen and is now given, a context"
    ]


def test_spaces_without_contexts_are_stored_as_ever():
    stored = json.dumps(Space({"x": Float(0, 1), "c": Categorical(["a"])}).to_json())
    assert "context" not in stored


@pytest.mark.parametrize("space", [POOL, GRID], ids=["pool", "grid"])
def test_a_value_that_no_row_has_is_refused(space):
    with pytest.raises(ParamsError, match=r"^h: "):
        at_context(space, {"h": 2})


@pytest.mark.parametrize(
    ("context", "message"),
    [
        (None, "humidity and batch and runs: given and not chosen in this study, and missing"),
        ({"humidity": 40}, "batch and runs: given and not chosen"),
        ({**GIVEN, "time": 3}, "time: is no context of this study: its contexts are humidity"),
        ({**GIVEN, "humidity": 99}, "humidity: expected a number from 20.0 to 80.0, got 99"),
        ({**GIVEN, "batch": "z"}, "batch: expected one of 'a', 'b', 'c', got the text 'z'"),
        (40, "a context is a dict such as"),
    ],
)
def test_what_is_missing_or_outside_is_named(context, message):
    with pytest.raises(ParamsError, match=message):
        at_context(SPACE, context)


def test_a_space_without_contexts_takes_none():
    plain = Space({"x": Float(0, 1)})
    assert at_context(plain, None) is plain
    assert at_context(plain, {}) is plain
    with pytest.raises(ParamsError, match="x: is no context of this study: it has none"):
        at_context(plain, {"x": 0.5})


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Space({"h": Float(0, 1, context=True)}), "every parameter .* is a context"),
        (lambda: Space({"h": Float(0, 1, context=1), "x": Float(0, 1)}), "h: context must be True"),
        (
            lambda: Space({"h": Float(0, 1, context=True, when="x > 1"), "x": Float(0, 2)}),
            "h: a context is there whatever is chosen",
        ),
        (lambda: Grid({"h": [1]}, context=["h"]), "nothing to choose"),
        (lambda: Grid({"h": [1], "x": [2]}, context=["y"]), "'y' is not an axis of the grid"),
        (lambda: Candidates([{"x": 1, "h": 2}], context="h"), "context must be a list"),
    ],
)
def test_definitions_that_make_no_sense_are_refused(make, message):
    with pytest.raises(SpaceError, match=message):
        make()


def test_the_context_of_params():
    assert context_of(SPACE, {**GIVEN, "time": 2.0}) == GIVEN


@pytest.mark.parametrize("log", [True, False])
def test_a_context_comes_back_as_it_was_given(log, rng):
    """A dose of 0.01 came back as 0.010000000000000002."""
    space = Space({"dose": Float(1e-3, 10, log=log, context=True), "t": Float(0, 1)})
    for dose in (0.01, 0.1, 2, 3, *rng.uniform(1e-3, 10, 50).tolist()):
        held = at_context(space, {"dose": dose})
        u = np.array([held.held[0], 0.5])
        assert (
            held.decode(u)["dose"] == dose and held.decode(held.project(u[None])[0])["dose"] == dose
        )
        assert held.decode(np.array([0.9, 0.5])) == space.decode(np.array([0.9, 0.5]))
