"""Mixtures: amounts that add up, few of them present, at a precision that can be weighed."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathmax.errors import SpaceError
from pathmax.space import Float, Mixture, Space

THREE = Mixture({"A": (0, 60), "B": (0, 60), "C": (5, 60)}, total=100)


@st.composite
def mixtures(draw: st.DrawFn) -> Mixture:
    """Any mixture that a space accepts."""
    n, unit = draw(st.integers(2, 8)), draw(st.sampled_from([0.01, 0.1, 1.0, 5.0]))
    lows = draw(st.lists(st.sampled_from([0, 0, 0, 2]), min_size=n, max_size=n))
    spans = draw(st.lists(st.integers(1, 60), min_size=n, max_size=n))
    highs = [low + span for low, span in zip(lows, spans, strict=True)]
    always = sum(low > 0 for low in lows)
    at_most = draw(st.integers(max(always, 1), n))
    ranked = sorted((h for low, h in zip(lows, highs, strict=True) if low == 0), reverse=True)
    reach = sum(h for low, h in zip(lows, highs, strict=True) if low > 0)
    reach += sum(ranked[: at_most - always])
    least = max(sum(lows), 1)
    total = draw(st.integers(least, max(reach, least)))
    bounds = {
        f"c{i}": (round(low * unit, 6), round(high * unit, 6))
        for i, (low, high) in enumerate(zip(lows, highs, strict=True))
    }
    return Mixture(bounds, total=round(total * unit, 6), at_most=at_most, step=unit)


@given(mixtures(), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_any_point_decodes_to_a_blend_that_can_be_weighed(mixture: Mixture, seed: int):
    try:
        space = Space({"blend": mixture, "T": Float(0, 1)})
    except SpaceError as error:
        assert "never to the total" in str(error)  # at_most and bounds together
        return
    rng = np.random.default_rng(seed)
    for u in rng.random((5, space.dimension)) * (rng.random((5, space.dimension)) < 0.7):
        params = space.decode(u)
        assert not space.where.broken(params)
        for name, (low, high) in mixture.components.items():
            amount = float(params[name])
            assert low <= amount <= high
            assert abs(amount / mixture.step - round(amount / mixture.step)) < 1e-6
        assert space.decode(space.encode(params)) == params
    assert Space.from_json(json.loads(json.dumps(space.to_json()))) == space


def test_components_are_parameters_in_the_place_of_the_mixture():
    space = Space({"x": Float(0, 1), "blend": THREE, "T": Float(0, 1)})
    assert space.names == ("x", "A", "B", "C", "T")
    assert space.where.broken({"x": 0, "A": 40.0, "B": 40.0, "C": 10.0, "T": 0}) == [
        "A + B + C == 100.0"
    ]
    assert "Mixture({'A': (0.0, 60.0)" in repr(space)


def test_a_blend_is_moved_as_little_as_possible():
    space = Space({"blend": Mixture({"A": (0, 60), "B": (0, 60), "C": (5, 60)}, 100, step=1)})
    params = space.decode(space.encode({"A": 33.3, "B": 33.3, "C": 33.4}))
    assert params == {"A": 33.0, "B": 33.0, "C": 34.0}


def test_the_largest_components_stay():
    parts = {name: (0, 10) for name in "ABCD"}
    space = Space({"blend": Mixture(parts, 10, at_most=2, step=1)})
    assert space.decode(np.array([0.1, 0.5, 0.1, 0.3])) == {"A": 0, "B": 6, "C": 0, "D": 4}


def test_another_mixture_is_another_space():
    space = Space({"blend": THREE})
    other = Space({"blend": Mixture(dict(THREE.components), total=100, at_most=2)})
    assert "blend was Mixture" in space.difference(other)[0]


@pytest.mark.parametrize(
    "mixture, message",
    [
        (Mixture(["A", "B"]), "at least two components"),  # type: ignore[arg-type]
        (Mixture({"A": (0, 1)}), "at least two components"),
        (Mixture({"A": (0, 0.4), "B": (0, 0.4)}), "never to the total 1"),
        (Mixture({"A": (0.2, 0.4), "B": (0.9, 1)}), "between 1.1 and 1.4, never"),
        (Mixture({"A": (0, 0.6), "B": (0, 0.6)}, at_most=1), "raise at_most or the bounds"),
        (Mixture({"A": (0.1, 1), "B": (0.1, 1)}, at_most=1), "at least 2, since 2 components"),
        (Mixture({"A": (0, 0.6), "B": (0, 0.65)}, step=0.1), "whole multiples of the step"),
        (Mixture({"A": (-1, 0.6), "B": (0, 0.6)}), "amounts are 0 or more"),
        (Mixture({"A": 3, "B": (0, 0.6)}), "a least and a greatest amount"),
        (Mixture({"A": (0, 1), "B": (0, 1)}, total=0), "total must be above 0"),
    ],
)
def test_a_mixture_that_cannot_be_is_refused(mixture: Mixture, message: str):
    with pytest.raises(SpaceError, match=message):
        Space({"blend": mixture})
    assert repr(mixture).startswith("Mixture(")  # what is wrong can still be looked at


def test_names_of_components_are_not_taken():
    with pytest.raises(SpaceError, match="is a component of blend and another parameter"):
        Space({"blend": THREE, "A": Float(0, 1)})


@pytest.mark.parametrize("name", ["A", "B", "C"])
def test_along_a_component_the_others_keep_their_ratios_where_bounds_allow(name):
    space = Space({"blend": Mixture({"A": (0, 60), "B": (0, 60), "C": (5, 60)}, total=100)})
    params = {"A": 60.0, "B": 35.0, "C": 5.0}
    low, high = space.mixtures[0].components[name]
    for value in np.linspace(low, high, 9).tolist():
        moved = space.changed(params, name, value)
        assert moved[name] == value and space.where.hold(moved), moved
        assert space.validate(moved) == moved
    moved = space.changed({"A": 20.0, "B": 40.0, "C": 40.0}, "A", 40.0)
    assert moved == pytest.approx({"A": 40.0, "B": 30.0, "C": 30.0})
