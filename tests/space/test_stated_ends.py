"""What a sentence about one parameter bounds is handed out within it, to the last digit."""

import numpy as np
import pytest

from pathmax import Categorical, Float, Int, Space
from pathmax.space.stated_ends import StatedEnd

BEYOND = 5e-14  # of the cube


@pytest.mark.parametrize(
    ("sentence", "end", "side"),
    [
        ("t <= 100", 100.0, 1),
        ("100 >= t", 100.0, 1),
        ("t >= 40", 40.0, -1),
        ("-2 * t <= -80", 40.0, -1),
        ("t == 70", 70.0, 1),
        ("t == 70", 70.0, -1),
        ("abs(t) <= 100", 100.0, 1),
        ("t <= 100 or t + s <= 60", 100.0, 1),
        ("not (base == 'KOH' and t > 100)", 100.0, 1),
    ],
)
def test_what_is_beyond_an_end_by_rounding_is_at_the_end(sentence, end, side):
    parameters = {"t": Float(20, 120), "s": Float(0, 1), "base": Categorical(["KOH", "Et3N"])}
    u = np.array([(end - 20) / 100 + side * BEYOND, 0.5, 0.0])
    free = Space(parameters).decode(u)
    assert (free["t"] - end) * side > 0.0
    assert Space(parameters, [sentence]).decode(u) == free | {"t": end}


@pytest.mark.parametrize("sentence", ["t < 100", "t != 100", "t + s <= 100", "t >= 100", "t <= 99"])
def test_other_numbers_stay_as_they_are(sentence):
    parameters = {"t": Float(20, 120), "s": Float(0, 1)}
    u = np.array([0.8 + BEYOND, 0.5])
    assert Space(parameters, [sentence]).decode(u) == Space(parameters).decode(u)


def test_an_end_inverts_exactly():
    space = Space({"rate": Float(1e-4, 1e-1, log=True)}, ["rate <= 0.003"])
    assert space.decode(space.encode({"rate": 0.003})) == {"rate": 0.003}


def test_no_number_leaves_its_range_for_an_end_beside_it():
    space = Space({"t": Float(0, 100), "n": Int(1, 5)}, ["t >= 100.00000000001 or n <= 3"])
    assert space.decode(np.array([1.0, 0.0])) == {"t": 100.0, "n": 1}


def test_what_is_beyond_by_more_than_rounding_is_not_hidden():
    end = StatedEnd(100.0, above=True, below=False)
    assert end.kept(100.0 + 1e-6) == 100.0 + 1e-6
    assert end.kept(99.0) == 99.0
