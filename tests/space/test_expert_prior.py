"""Where an expert expects the best: weights of points, and what they refuse."""

import json

import numpy as np
import pytest
from scipy.stats import truncnorm

from pathmax import Candidates, Categorical, Float, Grid, Int, Space
from pathmax.errors import SpaceError
from pathmax.space.expert_prior import FLOOR, LIKELY_SPREAD, Bump, ChoiceWeights

SPACE = Space(
    {
        "t": Float(20, 120, likely=(60, 10)),
        "rate": Float(1e-4, 1.0, log=True, likely=(1e-2, 10)),
        "k": Int(0, 10, likely=4),
        "c": Categorical(["a", "b", "c"], likely={"b": 4}),
        "free": Float(0, 1),
    }
)


def test_weights_are_those_of_the_formula(rng):
    U = SPACE.from_uniform(rng.random((50, 5)))
    z = [(U[:, 0] - 0.4) / 0.1, (U[:, 1] - 0.5) / 0.25, (U[:, 2] - 0.4) / LIKELY_SPREAD]
    product = (
        np.exp(-0.5 * sum(each**2 for each in z)) * np.array([0.25, 1, 0.25])[U[:, 3].astype(int)]
    )
    np.testing.assert_allclose(SPACE.likely(U), FLOOR + (1 - FLOOR) * product**0.5)


def test_no_point_is_ruled_out_and_the_guess_weighs_most():
    best = SPACE.encode({"t": 60, "rate": 1e-2, "k": 4, "c": "b", "free": 0.3})
    worst = SPACE.encode({"t": 120, "rate": 1.0, "k": 10, "c": "a", "free": 0.3})
    high, low = SPACE.likely(np.stack([best, worst]))
    assert high == pytest.approx(1.0)
    assert FLOOR <= low < 0.11
    np.testing.assert_allclose(SPACE.likely.guessed(worst), best)


def test_a_choice_of_weight_zero_is_only_unlikely():
    space = Space({"c": Categorical(["a", "b"], likely=[0, 1]), "x": Float(0, 1)})
    np.testing.assert_allclose(space.likely(np.array([[0.0, 0.5], [1.0, 0.5]])), [FLOOR, 1.0])


def test_a_parameter_that_is_absent_says_nothing():
    space = Space({"c": Categorical(["a", "b"]), "x": Float(0, 1, when="c == 'a'", likely=0.2)})
    assert space.likely(space.encode_many([{"c": "b"}]))[0] == 1.0


def test_draws_have_the_law_of_the_weights():
    bump, v = Bump(0.2, 0.3), (np.arange(2000) + 0.5) / 2000
    drawn = np.array([bump.draw(each) for each in v])
    law = truncnorm((0 - 0.2) / 0.3, (1 - 0.2) / 0.3, 0.2, 0.3)
    np.testing.assert_allclose(drawn, law.ppf(v), atol=1e-9)
    weights = ChoiceWeights((0.5, 1.0, 0.0, 0.5))
    counts = np.bincount([int(weights.draw(each)) for each in v], minlength=4)
    np.testing.assert_array_equal(counts, [500, 1000, 0, 500])


def test_guesses_are_stored_and_compared():
    again = Space.from_json(json.loads(json.dumps(SPACE.to_json())))
    assert again == SPACE
    plain = Space({"t": Float(20, 120), "c": Categorical(["a", "b"])})
    assert plain.likely is None
    assert "likely" not in json.dumps(plain.to_json())
    assert "likely=(60.0, 10.0)" in repr(SPACE)


@pytest.mark.parametrize(
    ("parameter", "message"),
    [
        (Float(20, 120, likely=5), "from low=20.0 to high=120.0, got 5.0"),
        (Float(20, 120, likely=(60, 0)), "how far off a guess may be is above 0"),
        (Float(1, 100, log=True, likely=(10, 0.5)), "a factor above 1"),
        (Float(20, 120, likely="60"), "likely is a number"),
        (Float(20, 120, likely=(1, 2, 3)), "likely is a number"),
        (Int(1, 5, likely=float("nan")), "likely is a number"),
        (Float(20, 120, likely=60, context=True), "no best value to guess"),
        (Categorical(["a", "b"], likely="z"), "likely names the text 'z', which is no choice"),
        (
            Categorical(["a", "b"], likely={"a", "z"}),
            "likely names the text 'z', which is no choice",
        ),
        (Categorical(["a", "b"], likely=object()), "likely is a choice, some of them, or a weight"),
        (Categorical(["a", "b"], likely=[1]), "a weight for each of the 2 choices"),
        (Categorical(["a", "b"], likely=[0, 0]), "a weight for each of the 2 choices"),
        (Categorical(["a", "b"], likely="a", context=True), "no best value to guess"),
    ],
)
def test_guesses_that_make_no_sense_are_refused(parameter, message):
    with pytest.raises(SpaceError, match=message):
        Space({"p": parameter, "x": Float(0, 1)})


def test_several_choices_may_be_likely():
    space = Space({"c": Categorical(["a", "b", "c"], likely={"a", "c"}), "x": Float(0, 1)})
    assert space.parameters["c"].likely == (3.0, 1.0, 3.0)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Candidates({"a": [1.0, 2.0]}, likely={"a": 1.0}),
        lambda: Candidates.from_csv("pool.csv", likely={"a": 1.0}),
        lambda: Candidates.from_parquet("pool.parquet", likely={"a": 1.0}),
        lambda: Candidates.from_dask(None, likely={"a": 1.0}),
        lambda: Grid({"a": [1.0, 2.0]}, likely={"a": 1.0}),
    ],
)
def test_pools_and_grids_say_what_to_do_with_a_guess(make):
    with pytest.raises(SpaceError, match="look at the likely rows first"):
        make()


@pytest.mark.parametrize("likely", [0.1, 0.3, (0.7, 2), 1e-3, 10])
def test_a_guess_comes_back_as_it_was_given(likely):
    """On a logarithmic scale 0.1 came back as 0.10000000000000005."""
    space = Space({"rate": Float(1e-3, 10, log=True, likely=likely), "t": Float(20, 120)})
    point = space.project(space.likely.guessed(np.array([0.5, 0.5]))[None])[0]
    assert space.decode(point)["rate"] == (likely[0] if isinstance(likely, tuple) else likely)
    aside = 1e-9 if point[0] < 0.5 else -1e-9
    beside = space.decode(point + np.array([aside, 0.0]))
    assert beside["rate"] != space.decode(point)["rate"]
