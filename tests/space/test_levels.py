"""Numbers of a list: as given, by digits, by steps on a logarithmic scale."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathmax.errors import ParamsError, SpaceError
from pathmax.space.levels import by_digits, by_steps
from pathmax.space.parameters import Float, Int
from pathmax.space.space import Space
from tests.spaces import listed_numbers


@given(listed_numbers(), st.data())
def test_every_level_can_be_suggested_and_nothing_else(parameter, data):
    space = Space({"x": parameter})
    checked = space.parameters["x"]
    levels = checked.levels if checked.levels is not None else None
    if levels is None:  # an Int in steps of 1 is listed by nobody
        return
    value = data.draw(st.sampled_from(levels.values))
    assert space.decode(space.encode({"x": value})) == {"x": value}
    assert type(value) is (int if isinstance(parameter, Int) else float)
    assert checked.decode(data.draw(st.floats(-0.1, 1.1))) in levels.values
    axis = space.axes[0]
    assert axis.kind == "int" and len(axis.values) == checked.cardinality == space.cardinality
    assert np.all(np.diff(axis.values) > 0)
    again = Space.from_json(json.loads(json.dumps(space.to_json())))
    assert again == space and again.parameters["x"] == checked


def test_levels_keep_their_distances():
    linear = Space({"x": Float(values=[1, 0, 0.25])})
    np.testing.assert_allclose(linear.axes[0].values, [0, 0.25, 1])
    log = Space({"x": Float(values=[1, 10, 1000], log=True)})
    np.testing.assert_allclose(log.axes[0].values, [0, 1 / 3, 1])


def test_digits_are_those_that_a_laboratory_sets():
    assert by_digits("t", 5.0, 60.0, 1) == (5, 6, 7, 8, 9, 10, 20, 30, 40, 50, 60)
    assert by_digits("t", 0.0095, 0.0123, 2) == (
        0.0095, 0.0096, 0.0097, 0.0098, 0.0099, 0.01, 0.011, 0.012, 0.0123,
    )  # fmt: skip
    assert by_digits("n", 7, 25, 1) == (7, 8, 9, 10, 20, 25)
    assert by_digits("n", 1, 12, 2) == tuple(range(1, 13))


def test_steps_on_a_logarithmic_scale_are_written_as_people_do():
    assert by_steps("x", 0.1, 0.7, 0.1) == (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
    assert by_steps("n", 5, 20, 5) == (5, 10, 15, 20)
    space = Space({"n": Int(5, 480, log=True, step=5)})
    assert space.decode(np.array([0.5])) == {"n": 50}


def test_rounding_of_a_told_value_is_forgiven_and_other_values_are_not():
    space = Space({"x": Float(values=[0.1, 0.3, 1]), "n": Int(values=[1, 2, 4])})
    assert space.validate({"x": 3 * 0.1, "n": 2.0}) == {"x": 0.3, "n": 2}
    assert space.validate({"x": np.float32(0.3), "n": 2}) == {"x": 0.3, "n": 2}
    with pytest.raises(ParamsError, match=r"x: expected one of 0.1, 0.3, 1.0, got 0.2; the near"):
        space.validate({"x": 0.2, "n": 2})
    with pytest.raises(ParamsError, match="n: expected one of 1, 2, 4, got 3"):
        space.validate({"x": 0.1, "n": 3})


@pytest.mark.parametrize(
    ("parameter", "message"),
    [
        (Float(values=[1]), r"list at least two values, got \[1.0\]"),
        (Float(values=[]), "list at least two values"),
        (Float(values=3), r"values must be a list of numbers such as \[0.1, 0.2, 0.5\], got 3"),
        (Float(values="12"), "values must be a list of numbers"),
        (Float(values=[1, 1.0]), "the value 1.0 is listed twice"),
        (Float(values=[1, "2"]), "each of the values must be a number, got the text '2'"),
        (Float(values=[0, 1], log=True), "log=True needs values above 0, got 0.0"),
        (Float(0, 3, values=[1, 2]), "expected low and high or a list of values, got both"),
        (Float(values=[1, 2], step=1), "needs neither step nor digits"),
        (Float(values=[1, 1e9, math.nextafter(1e9, 2e9)], log=True), "too near to tell apart"),
        (Float(1, 10, digits=1), "digits are for log=True"),
        (Float(1, 10, log=True, digits=0), "digits must be at least 1"),
        (Float(1, 10, log=True, digits=1, step=1), "expected a step or digits, got both"),
        (Float(1, 10, log=True, digits=9), "digits=9 makes more than 65536 values"),
        (Float(1), "high must be a number, got None"),
        (Int(values=[1, 2.5]), "must be a whole number, got 2.5"),
        (Int(values=[1, 2**60]), "Int takes at most"),
    ],
    ids=repr,
)
def test_lists_that_cannot_work_are_refused(parameter, message):
    with pytest.raises(SpaceError, match=f"x: .*{message}"):
        Space({"x": parameter})


def test_a_list_is_shown_as_it_is_written():
    space = Space({"x": Float(values=[2, 1], log=True), "t": Float(1, 9, log=True, digits=1)})
    assert repr(space) == (
        "Space({'x': Float(values=[1.0, 2.0], log=True), 't': Float(1.0, 9.0, log=True, digits=1)})"
    )
    other = Space({"x": Float(values=[1, 3], log=True), "t": Float(1, 9, log=True)})
    assert space.difference(other) == [
        "x was Float(values=[1.0, 2.0], log=True) and is now Float(values=[1.0, 3.0], log=True)",
        "t was Float(1.0, 9.0, log=True, digits=1) and is now Float(1.0, 9.0, log=True)",
    ]
