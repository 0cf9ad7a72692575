"""What a sentence bounds is handed out within it, to the last digit."""

import numpy as np
import pytest

from pathmax import Categorical, Float, Int, Space, Study

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


@pytest.mark.parametrize(
    "sentence",
    [
        "a + b <= 1",
        "a * b >= 0.25",
        "a + b == 1",
        "3 * a - b >= 1",
        "exp(a) + b <= 2.1",
        "log(a) >= b - 2",
        "a / (b + 0.1) <= 1.3",
    ],
)
def test_a_bound_over_several_numbers_is_kept_to_the_last_digit(sentence):
    free, bound = Space({"a": Float(0, 1), "b": Float(0, 1)}), {"exp": np.exp, "log": np.log}
    space = Space(free, [sentence])
    beyond = kept = 0
    for u in ends_of(space, 200):
        beyond += not eval(sentence, bound, free.decode(u))
        params = space.decode(u)
        assert eval(sentence, bound, dict(params))
        assert space.encode(params) == pytest.approx(u, abs=1e-8)
        kept += params == free.decode(u)
    assert beyond > 20  # or nothing was to be done
    assert kept + beyond == 200  # what keeps the bound is handed out as it is


def ends_of(space: Space, count: int) -> np.ndarray:
    """Points at the bound of a sentence, on either side of it by rounding."""
    rng = np.random.default_rng(0)
    (bound,) = space._bounds
    points = []
    while len(points) < count:
        params = dict(zip("ab", rng.random(2).tolist(), strict=True))
        for _ in range(50):
            above, slopes = bound.above(params), bound.slopes(params)
            norm = sum(slope**2 for slope in slopes.values())
            for name, slope in slopes.items():
                params[name] -= above * slope / norm
        u = np.array([params["a"], params["b"]])
        if (u >= 0).all() and (u <= 1).all():
            points.append(u + 1e-11 * rng.standard_normal(2))
    return np.clip(points, 0, 1)


def test_bounds_that_cross_are_all_kept():
    where = ["max(a, b) <= 0.5", "a + b <= 1", "a + 2 * c <= 1.5", "b + c <= 1", "a == c"]
    free = Space({name: Float(0, 1) for name in "abc"})
    space = Space(free, where)
    rng, beyond = np.random.default_rng(1), 0
    for _ in range(100):
        u = 0.5 + 1e-11 * rng.standard_normal(3)
        beyond += not all(eval(one, {}, free.decode(u)) for one in where)
        params = space.decode(u)
        assert all(eval(one, {}, dict(params)) for one in where), params
    assert beyond == 100


def test_the_number_that_moves_least_moves():
    space = Space({"b": Float(0, 1), "a": Float(0, 1)}, ["1e9 * a + b <= 1e9"])
    params = space.decode(np.array([0.5, 1.0]))
    assert params["b"] == 0.5
    assert 1e9 * params["a"] + params["b"] <= 1e9


def test_what_cannot_move_is_left():
    given = {"a": Float(0, 1, step=0.1), "b": Float(0, 1, step=0.1), "c": Float(0, 1)}
    space = Space(given, ["a + b <= 0.3"])
    assert space.decode(np.array([0.1, 0.2, 0.5])) == {"a": 0.1, "b": 0.2, "c": 0.5}
    weather = Space({"h": Float(0, 1, context=True), "t": Float(0, 1)}, ["h <= 0.5"])
    beyond = np.array([0.5 + 1e-12, 0.5])
    assert weather.decode(beyond) == {"h": 0.5 + 1e-12, "t": 0.5}


def test_a_number_that_is_not_there_bounds_nothing():
    given = {
        "base": Categorical(["x", "y"]),
        "a": Float(0, 1, when="base == 'y'"),
        "b": Float(0, 1),
    }
    space = Space(given, ["a + b <= 1"])
    assert space.decode(np.array([0.0, 0.5, 0.75])) == {"base": "x", "b": 0.75}


def test_what_is_beyond_by_more_than_rounding_is_not_hidden():
    space = Space({"t": Float(0, 200)}, ["t <= 100"])
    assert space.decode(np.array([0.5 + 1e-8])) == {"t": pytest.approx(100.000002, abs=1e-9)}
    assert space.decode(np.array([0.495])) == {"t": 99.0}


def test_suggestions_keep_every_bound_when_read_as_python(rng):
    names = [f"x{i}" for i in range(5)]
    weights = rng.normal(size=(6, 5)).round(2)
    where = [
        " + ".join(f"({w}) * {name}" for w, name in zip(row, names, strict=True))
        + f" <= {row.sum() / 2 + 0.2:.3f}"
        for row in weights
    ]
    study = Study({name: Float(0, 1) for name in names}, direction="minimize", where=where, seed=0)
    for _ in range(20):
        trial = study.ask()
        assert all(eval(one, {}, dict(trial.params)) for one in where)
        study.tell(trial, sum((x - 0.9) ** 2 for x in trial.params.values()))
