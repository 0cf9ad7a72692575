"""Spaces: encode and decode are exact inverses, and every wrong definition is named."""

import enum
import json
import math
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathmax.errors import ParamsError, SpaceError
from pathmax.space.axes import Axis
from pathmax.space.parameters import Categorical, Fixed, Float, Int
from pathmax.space.space import Space
from tests.spaces import ODD_NAMES, floats, ints, spaces, spaces_with_points, stepped_floats


def inside(space: Space, params: dict) -> bool:
    """Whether the parameters lie in the space, said without its own code."""
    assert tuple(params) == space.names
    for name, parameter in space.parameters.items():
        value = params[name]
        match parameter:
            case Float():
                good = type(value) is float and parameter.low <= value <= parameter.high
            case Int():
                good = type(value) is int and parameter.low <= value <= parameter.high
            case Categorical():
                good = any(value is choice or value == choice for choice in parameter.choices)
            case Fixed():
                good = value == parameter.value
        if not good:
            return False
    return True


class TestCoordinates:
    @given(spaces_with_points())
    def test_what_is_decoded_is_inside_and_comes_back_to_the_last_bit(self, case):
        space, u = case
        params = space.decode(u)
        assert inside(space, params)
        encoded = space.encode(params)
        assert encoded.shape == (space.dimension,)
        assert space.decode(encoded) == params
        np.testing.assert_array_equal(space.project(encoded[None])[0], encoded)

    @given(spaces_with_points())
    def test_json_keeps_params_and_space_exactly(self, case):
        space, u = case
        params = space.decode(u)
        assert json.loads(json.dumps(params)) == params
        again = Space.from_json(json.loads(json.dumps(space.to_json())))
        assert again == space
        assert again.names == space.names
        assert again.decode(u) == params
        np.testing.assert_array_equal(again.encode(params), space.encode(params))

    @given(floats(), st.floats(0, 1))
    def test_floats_stay_within_bounds_and_increase(self, parameter, u):
        low = parameter.decode(0.5 * u)
        assert parameter.low <= low <= parameter.decode(u) <= parameter.high
        assert parameter.decode(0.0) == parameter.low
        assert parameter.decode(1.0) == parameter.high

    @given(stepped_floats(), st.data())
    def test_every_step_can_be_suggested(self, parameter, data):
        value = parameter.decode(data.draw(st.floats(0, 1)))
        assert parameter.clean("x", value) == value
        assert parameter.decode(parameter.encode(value)) == value

    @given(ints(), st.data())
    def test_every_integer_can_be_suggested(self, parameter, data):
        steps = data.draw(st.integers(0, parameter.cardinality - 1))
        value = parameter.low + steps * parameter.step
        u = parameter.encode(value)
        assert 0.0 <= u <= 1.0
        assert parameter.decode(u) == value

    @pytest.mark.parametrize("log", [False, True])
    def test_decode_takes_the_nearest_integer_of_the_lattice(self, log):
        space = Space({"n": Int(1, 12, log=log)})
        lattice = space.axes[0].values
        for u in np.linspace(0, 1, 333):
            nearest = 1 + int(np.argmin(np.abs(lattice - u)))
            assert space.decode(np.array([u]))["n"] == nearest

    def test_coordinates_are_those_of_the_documentation(self):
        space = Space(
            {
                "rate": Float(1e-4, 1e-1, log=True),
                "layers": Int(1, 3),
                "fixed": 7,
                "base": Categorical(["KOH", "Et3N"]),
            }
        )
        assert space.dimension == 3
        params = {"rate": 1e-1, "layers": 2, "fixed": 7, "base": "Et3N"}
        np.testing.assert_array_equal(space.encode(params), [1.0, 0.5, 1.0])
        assert space.searched_names == ("rate", "layers", "base")

    def test_many_rows_are_encoded_at_once_and_none_gives_an_empty_array(self):
        space = Space({"x": Float(0, 2), "c": Categorical("ab".split("b"))})
        assert space.encode_many([]).shape == (0, 2)
        np.testing.assert_array_equal(
            space.encode_many([{"x": 0, "c": "a"}, {"x": 1, "c": ""}]), [[0, 0], [0.5, 1]]
        )

    @given(spaces(), st.integers(0, 2**32 - 1))
    @settings(max_examples=50)
    def test_uniform_numbers_become_points_that_can_be_suggested(self, space, seed):
        rng = np.random.default_rng(seed)
        points = space.from_uniform(rng.random((4, space.dimension)))
        np.testing.assert_array_equal(space.project(points), points)

    def test_uniform_numbers_give_every_value_its_share(self):
        space = Space({"n": Int(3, 6), "c": Categorical(["a", "b", "c"])})
        v = (np.arange(1200) + 0.5) / 1200
        points = space.from_uniform(np.column_stack([v, v]))
        assert np.unique(points[:, 0], return_counts=True)[1].tolist() == [300] * 4
        assert np.unique(points[:, 1], return_counts=True)[1].tolist() == [400] * 3

    def test_axes_say_what_a_coordinate_may_be(self):
        space = Space(
            {"x": Float(0, 1), "n": Int(0, 4), "c": Categorical([1, 2]), "m": Int(0, 10**6)}
        )
        x, n, c, m = space.axes
        assert (x.kind, x.values) == ("float", None)
        assert n.kind == "int"
        np.testing.assert_array_equal(n.values, [0, 0.25, 0.5, 0.75, 1])
        assert c.kind == "categorical"
        np.testing.assert_array_equal(c.values, [0, 1])
        assert (m.kind, m.values) == ("int", None)  # too many to list
        assert space.decode(np.array([0, 0, 0, 0.123456]))["m"] == 123456

    def test_an_axis_projects_to_the_nearest_value(self):
        axis = Axis("int", np.array([0.0, 0.2, 1.0]))
        np.testing.assert_array_equal(
            axis.project(np.array([-5.0, 0.09, 0.11, 0.59, 0.61, 9.0])), [0, 0, 0.2, 0.2, 1, 1]
        )

    @pytest.mark.parametrize("u", [[0.5], [0.5, 0.5, 0.5], [[0.5, 0.5]], [math.nan, 0.5]])
    def test_a_point_of_the_wrong_shape_is_refused(self, u):
        space = Space({"x": Float(0, 1), "y": Float(0, 1)})
        with pytest.raises(ParamsError, match="a point of 2 numbers"):
            space.decode(np.array(u))

    def test_cardinality(self):
        assert Space({"x": Float(0, 1), "n": Int(0, 4)}).cardinality is None
        assert Space({"n": Int(0, 4), "c": Categorical(["a", "b"]), "f": 3}).cardinality == 10
        assert Space({f"n{i}": Int(0, 2**50 - 1) for i in range(9)}).cardinality == 2**450


WRONG = [
    ({"temperature": Float(120, 20)}, "temperature: low must be below high.*low=120.*swap them"),
    ({"t": Float(20, 20)}, "t: low must be below high.*give the value 20.0 itself"),
    ({"t": Int(8, 1)}, "t: low must be below high, got low=8, high=1; swap them"),
    ({"t": Int(3, 3)}, "t: low must be below high.*value 3 itself"),
    ({"t": Float("20", 120)}, "t: low must be a number, got the text '20'.*without quotes"),
    ({"t": Float(True, 120)}, r"t: low must be a number, got True"),
    ({"t": Float(None, 120)}, "t: low must be a number, got None"),
    ({"t": Float(0, math.inf)}, "t: high must be finite, got inf"),
    ({"t": Float(math.nan, 1)}, "t: low must be finite, got nan"),
    ({"t": Float(0, 10**400)}, "t: high must be finite"),
    ({"t": Float(-1.5e308, 1.5e308)}, "t: .*too far apart"),
    ({"t": Float(1e-300, 1e300, log=True)}, "t: .*too far in a ratio"),
    ({"t": Float(0, 1, log=True)}, "t: log=True needs low above 0, got low=0.0; raise low"),
    ({"t": Float(0, 1, log="yes")}, "t: log must be True or False, got the text 'yes'"),
    ({"t": Int(0, 8, log=True)}, "t: log=True needs low of at least 1, got low=0"),
    ({"t": Int(0.5, 8)}, "t: low of an Int must be a whole number, got 0.5; .*use Float"),
    ({"t": Int(0, 2**60)}, "t: Int takes at most"),
    ({"t": Int(1, 2**41, log=True)}, "t: Int takes at most"),
    ({"s": Categorical([])}, "s: no choices given"),
    ({"s": Categorical("DMF")}, "s: choices must be a list.*got the text 'DMF'"),
    ({"s": Categorical({"a", "b"})}, "s: choices must be a list"),
    ({"s": Categorical(3)}, "s: choices must be a list"),
    ({"s": Categorical(["a", "b", "a"])}, "s: the choices 'a' and 'a' are equal; remove one"),
    ({"s": Categorical([1, 1.0])}, "s: the choices 1 and 1.0 are equal"),
    ({"s": Categorical([True, 1])}, "s: the choices True and 1 are equal"),
    ({"s": Categorical([np.int64(2), Decimal(2)])}, "s: the choices 2 and 2 are equal"),
    ({"s": Categorical([math.nan])}, "s: nan cannot be a choice"),
    ({"s": Categorical([(1, 2)])}, "s: a choice must be text, a number.*a tuple.*name it by text"),
    ({"s": Categorical(["a\0b"])}, "s: the text .* no database stores"),
    ({"s": math.inf}, "s: inf cannot be a choice"),
    ({"t": (20, 120)}, r"t: expected Float, Int.*got \(20, 120\).*Float\(low, high\)"),
    ({"t": ["a", "b"]}, r"t: expected .*Categorical\(\[...\]\)"),
    ({"t": range(1, 9)}, r"t: .*write Int\(1, 8\)"),
    ({"t": {"inner": Float(0, 1)}}, "t: .*spaces do not nest"),
    ({"t": Float}, r"t: .*give its bounds or choices in brackets"),
    ({"t": Float | Int}, "t: .*one parameter has one type"),
    ({"t": [Float(0, 1), Int(0, 1)]}, "t: expected Float, Int, Categorical or a fixed value"),
    ({3: Float(0, 1)}, "name must be text, got 3; put it in quotes"),
    ({"": Float(0, 1)}, "'' cannot be a parameter's name"),
    ({"  ": Float(0, 1)}, "'  ' cannot be a parameter's name"),
    ({"x": Float(0, 1), "x ": Float(0, 1)}, "called alike, 'x' and 'x '; rename one"),
    ({"é": Float(0, 1), "e\u0301": Float(0, 1)}, "called alike"),
    ({"a\ud800": Float(0, 1)}, "cannot be a parameter's name"),
    ({}, "nothing to search"),
    ({"solvent": "DMF"}, "nothing to search.*add a Float"),
    ([("x", Float(0, 1))], "a space is a dict"),
]


class TestDefinitions:
    @pytest.mark.parametrize(("definition", "message"), WRONG)
    def test_a_wrong_definition_is_named_with_its_value_and_remedy(self, definition, message):
        with pytest.raises(SpaceError, match=message):
            Space(definition)

    def test_numbers_of_other_libraries_are_taken(self):
        space = Space(
            {
                "a": Float(np.float32(0.5), Decimal("2.5")),
                "b": Int(np.int8(1), 8.0),
                "c": Categorical(np.array(["x", "y"])),
                "d": Categorical([np.bool_(True), np.int64(0), np.str_("z")]),
                "e": Float(Fraction(1, 4), 1),
                "f": np.float64(3.0),
            }
        )
        assert space.parameters == {
            "a": Float(0.5, 2.5),
            "b": Int(1, 8),
            "c": Categorical(["x", "y"]),
            "d": Categorical([True, 0, "z"]),
            "e": Float(0.25, 1.0),
            "f": Fixed(3.0),
        }
        json.dumps(space.to_json())

    def test_any_iterable_in_order_makes_choices(self):
        assert Categorical(c for c in "ab") == Categorical(["a", "b"])

    @pytest.mark.parametrize("name", ODD_NAMES)
    def test_any_visible_name_will_do(self, name):
        space = Space({name: Float(0, 1), "other": 1})
        assert space.decode(space.encode({name: 0.25})) == {name: 0.25, "other": 1}
        with pytest.raises(ParamsError) as caught:
            space.encode({name: 7})
        assert str(caught.value).startswith(f"{name}: expected a number from 0.0 to 1.0, got 7")

    def test_a_space_can_be_made_from_a_space_and_pickled(self):
        space = Space({"x": Float(0, 1), "c": Categorical(["a"])})
        assert Space(space) == space
        assert pickle.loads(pickle.dumps(space)) == space
        assert hash(Space(space)) == hash(space)
        assert eval(repr(space)) == space

    def test_an_unknown_type_in_json_is_refused(self):
        data = {"kind": "space", "parameters": [{"name": "x", "type": "simplex"}]}
        with pytest.raises(SpaceError, match=r"unknown type .simplex.*newer version"):
            Space.from_json(data)


class Solvent(enum.StrEnum):
    DMF = "DMF"


class OldSolvent(str, enum.Enum):  # noqa: UP042
    DMF = "DMF"


SPACE = Space(
    {
        "t": Float(20, 120),
        "n": Int(1, 8),
        "s": Categorical(["DMF", "THF", None]),
        "k": Categorical([1, 2.5, "1"]),
        "b": Categorical([True, False]),
        "f": 7,
    }
)
GOOD = {"t": 70.0, "n": 2, "s": "DMF", "k": 1, "b": True, "f": 7}


class TestParams:
    @pytest.mark.parametrize(
        "given",
        [
            {"t": 70},
            {"t": np.float32(70)},
            {"t": np.float64(70)},
            {"t": np.longdouble(70)},
            {"t": np.array(70.0)},
            {"t": Decimal("70.0")},
            {"t": Fraction(140, 2)},
            {"n": np.int16(2)},
            {"n": 2.0},
            {"n": Decimal(2)},
            {"s": np.str_("DMF")},
            {"s": Solvent.DMF},
            {"s": OldSolvent.DMF},
            {"k": 1.0},
            {"k": np.uint8(1)},
            {"b": np.bool_(True)},
            {"f": np.float64(7)},
        ],
    )
    def test_scalars_of_every_sort_become_plain_ones(self, given):
        clean = SPACE.validate(GOOD | given)
        assert clean == GOOD
        assert [type(value) for value in clean.values()] == [type(v) for v in GOOD.values()]

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ({"t": 121}, "t: expected a number from 20.0 to 120.0, got 121; .*wider bounds"),
            ({"t": math.nan}, "t: expected a number from 20 to 120, got nan"),
            ({"t": -math.inf}, "t: expected a number .* got -inf"),
            ({"t": 10**400}, "t: expected a number"),
            ({"t": "71.3"}, "t: expected a number .* got the text '71.3'; write 71.3 without"),
            ({"t": "hot"}, "t: expected a number .* got the text 'hot'; give a number"),
            ({"t": True}, r"t: expected a number from 20 to 120, got True \(yes/no\)"),
            ({"t": None}, "t: expected a number .* got None"),
            ({"t": [70]}, r"t: expected a number .* got \[70\] \(a list\)"),
            ({"n": 2.5}, "n: expected a whole number from 1 to 8, got 2.5; round it"),
            ({"n": 9}, "n: expected a number from 1 to 8, got 9"),
            ({"n": "2"}, "n: expected a whole number .* got the text '2'; write 2 without quotes"),
            ({"n": True}, "n: expected a whole number .* got True"),
            ({"s": "dmf"}, "s: expected one of 'DMF', 'THF', None, got the text 'dmf'"),
            ({"s": ["DMF"]}, "s: expected one of"),
            ({"k": True}, r"k: expected one of 1, 2.5, '1', got True"),
            ({"k": "2.5"}, "k: expected one of .*did you mean 2.5?"),
            ({"b": 1}, "b: expected one of True, False, got 1"),
            ({"b": "True"}, "b: .*did you mean True?"),
            ({"f": 8}, "f: is fixed at 7 in this space, got 8; leave f out"),
            ({"f": True}, "f: is fixed at 7 in this space, got True"),
            ({"z": 1}, "z: no such parameter, got the value 1; the space has t, n, s"),
        ],
    )
    def test_a_value_that_does_not_fit_is_named_with_the_remedy(self, given, message):
        with pytest.raises(ParamsError, match=message):
            SPACE.encode(GOOD | given)

    def test_a_missing_parameter_is_named_and_a_fixed_one_may_be_missing(self):
        with pytest.raises(ParamsError, match="t: no value given"):
            SPACE.validate({"n": 2, "s": None, "k": 1, "b": True})
        assert SPACE.validate({name: GOOD[name] for name in "tnskb"}) == GOOD

    def test_params_must_be_a_dict(self):
        with pytest.raises(ParamsError, match="params must be a dict of t, n"):
            SPACE.validate([70, 2])

    def test_a_rounding_error_beyond_a_bound_is_the_bound(self):
        space = Space({"x": Float(0.1, 0.3)})
        assert 0.1 * 3 > 0.3
        assert space.validate({"x": 0.1 * 3}) == {"x": 0.3}


class TestDifference:
    @pytest.mark.parametrize(
        ("other", "sentences"),
        [
            ({"x": Float(0, 1), "c": Categorical(["a", "b"])}, []),
            ({"x": Float(0, 2), "c": Categorical(["a", "b"])},
             ["x was Float(0.0, 1.0) and is now Float(0.0, 2.0)"]),
            ({"x": Float(0, 1)}, ["c was removed"]),
            ({"x": Float(0, 1), "c": "a", "n": Int(1, 3, log=True)},
             ["n was added", "c was Categorical(['a', 'b']) and is now 'a'"]),
            ({"x": Float(0, 1), "c": Categorical(["b", "a"])},
             ["c was Categorical(['a', 'b']) and is now Categorical(['b', 'a'])"]),
            ({"c": Categorical(["a", "b"]), "x": Float(0, 1)},
             ["the order was ('x', 'c') and is now ('c', 'x')"]),
        ],
    )  # fmt: skip
    def test_changes_are_told_in_sentences(self, other, sentences):
        space = Space({"x": Float(0, 1), "c": Categorical(["a", "b"])})
        assert space.difference(Space(other)) == sentences
        assert (space == Space(other)) == (not sentences)

    def test_equal_numbers_of_another_type_are_a_change(self):
        one = Space({"c": Categorical([1, 2])})
        other = Space({"c": Categorical([1.0, 2])})
        assert one.difference(other)

    def test_another_kind_of_domain(self):
        assert Space({"x": Float(0, 1)}).difference(3) == ["a space of 1 parameters became a int"]


def test_steps_are_the_only_values_and_are_written_as_people_do() -> None:
    space = Space({"t": Float(20, 120, step=2.5), "x": Float(0, 0.7, step=0.1)})
    assert [space.decode(np.array([0.0, k / 7]))["x"] for k in range(8)] == [
        0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7,
    ]  # fmt: skip
    assert space.cardinality == 41 * 8
    assert [axis.kind for axis in space.axes] == ["int", "int"]
    assert space.validate({"t": 22.5, "x": 0.1 + 0.2}) == {"t": 22.5, "x": 0.3}
    counts = Space({"n": Int(8, 512, step=8)})
    assert counts.cardinality == 64
    assert counts.decode(np.array([0.01])) == {"n": 16}


@pytest.mark.parametrize(
    ("parameter", "message"),
    [
        (Float(0, 1, step=0.3), r"steps of 0.3 from low=0.0 do not end at high=1.0; use high=0.9"),
        (Float(0, 1, step=2), r"steps of 2.0 from low=0.0 do not end at high=1.0; use high=2"),
        (Float(0, 1, step=0), "step must be above 0, got step=0.0"),
        (Float(0, 1, step="a"), "step must be a number, got the text 'a'"),
        (Float(1, 1e6, log=True, step=1), "step=1.0 makes more than 65536 values on a log"),
        (Float(0, 1, step=1e-300), "step=1e-300 is too small"),
        (Int(1, 10, step=2), r"steps of 2 from low=1 do not end at high=10; use high=9"),
        (Int(1, 10, step=1.5), "step of an Int must be a whole number"),
        (Int(1, 10, step=-3), "step must be above 0"),
    ],
    ids=repr,
)
def test_steps_that_lead_nowhere_are_refused(parameter: Float | Int, message: str) -> None:
    with pytest.raises(SpaceError, match=f"a: {message}"):
        Space({"a": parameter})


def test_values_between_steps_are_refused_with_the_nearest() -> None:
    space = Space({"x": Float(0, 1, step=0.25), "n": Int(0, 10, step=5)})
    with pytest.raises(ParamsError, match=r"x: expected 0.0 .* steps of 0.25, got 0.3; .* 0.25;"):
        space.validate({"x": 0.3, "n": 0})
    with pytest.raises(ParamsError, match="n: expected 0 and a whole number of steps of 5, got 3"):
        space.validate({"x": 0.25, "n": 3})


def test_a_step_is_stored_shown_and_a_difference() -> None:
    plain, stepped = Space({"x": Float(0, 1)}), Space({"x": Float(0, 1, step=0.5)})
    assert "step" not in plain.to_json()["parameters"][0]
    assert Space.from_json(json.loads(json.dumps(stepped.to_json()))) == stepped
    assert plain.difference(stepped) == [
        "x was Float(0.0, 1.0) and is now Float(0.0, 1.0, step=0.5)"
    ]
