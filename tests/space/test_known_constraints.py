"""Known constraints of spaces, pools and grids: stated, stored, compared, and said when broken."""

import json
import pickle

import numpy as np
import pytest

from pathmax.errors import SpaceError
from pathmax.space import Candidates, Categorical, Float, Grid, Int, Space
from pathmax.space.any_space import difference, from_json

PARAMETERS = {
    "a": Float(0, 10),
    "flow rate": Float(1e-3, 1, log=True),
    "n": Int(1, 9),
    "s": Categorical(["water", "DMF", "THF"]),
    "fixed": 3.0,
}
WHERE = ["a + n <= 12", "not (s == 'water' and a > 9)", '"flow rate" * a <= 5', "a > fixed - 3"]


def below(params):
    return params["a"] < 5


@pytest.fixture(params=["space", "grid", "pool"])
def make(request):
    values = {"a": [0, 1, 2, 3], "b": [0, 1, 2, 3]}
    rows = [{"a": a, "b": b} for a in range(4) for b in range(4)]
    kinds = {
        "space": lambda where: Space({"a": Int(0, 3), "b": Int(0, 3)}, where),
        "grid": lambda where: Grid(values, where),
        "pool": lambda where: Candidates(rows, where=where),
    }
    return kinds[request.param]


def test_what_is_known_travels_through_json(make):
    space = make(["a + b <= 3", "a != 2"])
    again = from_json(json.loads(json.dumps(space.to_json())))
    assert again == space and again.where.to_json() == ["a + b <= 3", "a != 2"]
    assert "where" not in make([]).to_json()


def test_a_changed_sentence_is_named(make):
    before, after = make(["a + b <= 3"]), make(["a + b <= 4"])
    said = difference(before.to_json(), after)
    assert said == [
        'the known constraint "a + b <= 3" was removed',
        'the known constraint "a + b <= 4" was added',
    ]
    assert difference(before.to_json(), make(["a+b   <= 3.0"])) == []
    assert before != after and before.knowing(["a + b <= 4"]) == after


def test_a_function_is_known_by_its_name_only(make):
    space = make([below])
    assert space.where.hold({"a": 1, "b": 1}) and not space.where.hold({"a": 7, "b": 1})
    stored = from_json(json.loads(json.dumps(space.to_json())))
    assert stored == space
    with pytest.raises(
        SpaceError, match=r"below is a function, which is not stored; give it again"
    ):
        stored.where.hold({"a": 1, "b": 1})
    assert stored.where.are_obeyed({"a": 7, "b": 1})  # nobody can tell


def test_a_function_that_raises_is_named():
    space = Space({"a": Float(0, 1)}, [lambda params: params["b"] > 1])
    with pytest.raises(SpaceError, match="raised KeyError"):
        space.where.hold({"a": 0.5})


def test_pools_and_grids_number_the_rows_that_obey():
    grid = Grid({"a": range(4), "b": range(5), "c": ["x", "y"]}, ["a + b == 3", "c == 'x'"])
    brute = [i for i in range(len(grid)) if grid.where.hold(grid.params(i))]
    assert grid.allowed_rows.tolist() == brute and len(brute) == 4
    pool = Candidates([grid.params(i) for i in range(len(grid))], where=grid.where.rules)
    assert pool.allowed_rows.tolist() == brute and pool.cardinality == 4
    for empty in (grid.knowing(["a > 8"]), pool.knowing(["a > 8"])):
        with pytest.raises(SpaceError, match="obeys the known constraints"):
            _ = empty.allowed_rows


@pytest.mark.parametrize(
    "where, message",
    [
        ("a <= 3", "where is a list of known constraints"),
        ([3], "a known constraint is a sentence"),
        (["a <= "], "expected"),
        (["aa <= 3"], "did you mean a"),
        (["s <= 3"], "has no order"),
    ],
)
def test_what_cannot_be_read_is_said(where, message):
    with pytest.raises(SpaceError, match=message):
        Space(PARAMETERS, where)


def test_points_obey_as_params_do(rng):
    space = Space(PARAMETERS, WHERE)
    U = space.from_uniform(rng.random((300, space.dimension)))
    brute = [space.where.hold(space.decode(u)) for u in U]
    np.testing.assert_array_equal(space.limits.holds(U), brute)
    assert 30 < sum(brute) < 270


def test_rows_say_what_linear_sentences_say(rng):
    parameters = {"a": Float(-2, 10), "n": Int(1, 9), "b": Float(0, 1)}
    for text in (
        "2 * a - n / 4 + 3 <= 12 - b",
        "abs(a - n) <= 3",
        "max(a, n) > 5",
        "1 <= a + b < 4",
        "a == 2 * b",
        "min(a, n, 3 * b) <= 0.5",
        "n != 4",
    ):
        space = Space(parameters, [text])
        limits = space.limits
        assert limits.rows and not limits.curves and not limits.opaque
        U = space.from_uniform(rng.random((400, 3)))
        inside = np.array([(r.low <= U @ r.a) & (r.high >= U @ r.a) for r in limits.rows])
        found = np.ones(len(U), dtype=bool)
        for clause in limits.clauses:
            found &= inside[list(clause)].any(axis=0)
        np.testing.assert_array_equal(found, limits.holds(U))


def test_logarithms_and_products_are_curves():
    for text in ("`flow rate` + a <= 3", "a * n <= 3", "a / n <= 3", "exp(a) <= 3"):
        limits = Space(PARAMETERS, [text]).limits
        assert limits.curves and not limits.rows


def test_a_space_can_be_sent_to_another_process(make):
    space = make(["a + b <= 3"])
    _ = getattr(space, "limits", None)
    assert pickle.loads(pickle.dumps(space)) == space
