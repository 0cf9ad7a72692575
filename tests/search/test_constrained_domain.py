"""Domains within known constraints: what is drawn obeys, and maxima are found."""

import numpy as np
import pytest

from pathmax.errors import SpaceError
from pathmax.search import random_walks
from pathmax.search.constrained_domain import Constrained
from pathmax.search.maximization import maximize
from pathmax.search.polytope import Polytope
from pathmax.search.random_walks import known_points, walk
from pathmax.search.scores import Score
from pathmax.space import Categorical, Float, Int, Space

UNIT = Float(0, 1)
SPACES = {
    "half": Space({"a": UNIT, "b": UNIT}, ["a + b <= 1"]),
    "line": Space({"a": UNIT, "b": UNIT, "c": UNIT}, ["a + b + c == 1"]),
    "tiny": Space({k: UNIT for k in "abcd"}, ["a + b + c + d <= 0.03"]),
    "thin": Space({k: UNIT for k in "abc"}, ["1 <= a + b <= 1.0001", "b - c == 0.25"]),
    "disc": Space({"a": UNIT, "b": UNIT}, ["(a - 0.3)**2 + (b - 0.7)**2 <= 1e-4"]),
    "curve": Space({"a": Float(1, 10), "b": Float(1, 10)}, ["a * b == 10"]),
    "log": Space({"a": Float(1e-3, 10, log=True), "b": Float(0, 10)}, ["a + b <= 3", "a > b / 9"]),
    "whole": Space({k: Int(0, 90) for k in "abcd"}, ["a + b + c + d == 100", "a >= 2 * b"]),
    "mixed": Space(
        {
            "s": Categorical(["DMF", "water", "THF"]),
            "t": Float(20, 120),
            "n": Int(1, 90),
            "x": UNIT,
        },
        ["not (s == 'water' and t > 90)", "t + n <= 150", "s != 'THF' or x <= 0.2"],
    ),
    "islands": Space(
        {"a": UNIT, "b": UNIT, "n": Int(0, 1000)}, ["a == 0 or a >= 0.9", "a + b < 1.5"]
    ),
    "function": Space({"a": UNIT, "b": UNIT}, [lambda p: p["a"] ** 2 <= p["b"], "a + b >= 1"]),
}


def domain_of(name: str) -> Constrained:
    return Constrained(SPACES[name].axes, SPACES[name].limits)


def check_obeys(space: Space, U: np.ndarray) -> None:
    for u in U:
        params = space.decode(u)
        assert not space.where.broken(params), params


class Hill(Score):
    """A concave score with its top at a point, different along each coordinate."""

    def __init__(self, top: np.ndarray) -> None:
        self.top, self.weight = top, 1.0 + np.arange(len(top))

    def __call__(self, U):
        return -((U - self.top) ** 2 * self.weight).sum(axis=1)

    def value_and_gradient(self, U):
        return self(U), -2.0 * (U - self.top) * self.weight


@pytest.mark.parametrize("name", SPACES)
def test_everything_that_is_drawn_obeys(name: str):
    space, domain, rng = SPACES[name], domain_of(name), np.random.default_rng(0)
    check_obeys(space, domain.spread(50, rng))
    check_obeys(space, domain.project(rng.random((20, space.dimension)) * domain.region.top))
    centres = domain.spread(3, rng)
    check_obeys(space, domain.region.neighbours(centres, 20, np.full(space.dimension, 0.3), rng))
    check_obeys(space, [domain.random(rng)[0] for _ in range(3)])


@pytest.mark.parametrize("name", SPACES)
def test_the_best_point_is_not_behind_random_ones(name: str):
    space, domain, rng = SPACES[name], domain_of(name), np.random.default_rng(1)
    points = domain.spread(2000, rng)
    span = np.ptp(points, axis=0)
    for _ in range(4):
        score = Hill(
            points[int(rng.integers(len(points)))] + rng.normal(size=space.dimension) * span
        )
        found = maximize(score, domain, rng)
        check_obeys(space, [found.u])
        values = score(points)
        assert found.value >= values.max() - 1e-3 * (values.max() - np.median(values))


@pytest.mark.parametrize("name", ["half", "line", "thin", "mixed"])
def test_points_of_the_domain_are_left_where_they_are(name: str):
    domain = domain_of(name)
    U = domain.spread(30, np.random.default_rng(2))
    np.testing.assert_array_equal(domain.project(U), domain.lattice.snap(U))


def test_hit_and_run_is_uniform_on_a_triangle():
    domain, rng = domain_of("half"), np.random.default_rng(3)
    start = np.tile([[0.1, 0.1]], (4000, 1))
    U = walk(domain.region, start, 30, rng, known_points(domain.region).points)
    np.testing.assert_allclose(U.mean(axis=0), 1 / 3, atol=0.02)
    np.testing.assert_allclose(np.cov(U.T), [[1 / 18, -1 / 36], [-1 / 36, 1 / 18]], atol=0.005)


def test_the_largest_ball_of_a_triangle_and_of_a_flat_one():
    A = np.array([[1.0, 1.0]]) / np.sqrt(2)
    centre, radius = Polytope(A, np.array([-np.inf]), np.array([1 / np.sqrt(2)])).centre()
    np.testing.assert_allclose(centre, 1 - 1 / np.sqrt(2), atol=1e-7)
    assert radius == pytest.approx(1 - 1 / np.sqrt(2), abs=1e-7)
    flat, radius = Polytope(A, np.array([1 / np.sqrt(2)]), np.array([1 / np.sqrt(2)])).centre()
    np.testing.assert_allclose(flat, 0.5, atol=1e-7)
    assert radius == pytest.approx(1 / np.sqrt(2), abs=1e-7)
    assert Polytope(A, np.array([-np.inf]), np.array([-0.1])).centre() is None


@pytest.mark.parametrize(
    "sentences, named",
    [
        (["a + b <= 3", "a >= 2", "b >= 2", "s == 'x'"], ["a + b <= 3", "a >= 2", "b >= 2"]),
        (["a == 11", "b > 1"], ["a == 11"]),
        (["s == 'x'", "a < 9", "s != 'x'"], ["s == 'x'", "s != 'x'"]),
        (["2 * n == 3", "a < 1"], ["2 * n == 3"]),
        (
            ["s == 'x' or n >= 5", "s == 'y'", "n <= 4"],
            ["s == 'x' or n >= 5", "s == 'y'", "n <= 4"],
        ),
    ],
)
def test_sentences_that_conflict_are_named_and_no_others(sentences, named):
    parameters = {
        "a": Float(0, 10),
        "b": Float(0, 10),
        "s": Categorical(["x", "y"]),
        "n": Int(0, 1000),
    }
    space = Space(parameters, sentences)
    with pytest.raises(SpaceError) as error:
        Constrained(space.axes, space.limits).spread(1, np.random.default_rng(0))
    for sentence in sentences:
        assert (repr(sentence) in str(error.value)) == (sentence in named)


def test_what_cannot_be_found_is_said_with_the_sentences(monkeypatch):
    monkeypatch.setattr(random_walks, "KEPT_POINTS", 64)  # looked at in vain, several times
    space = Space({"a": Float(0, 10), "b": Float(0, 10)}, ["a + b <= 3", "a * b >= 50"])
    with pytest.raises(SpaceError, match="no params were found that obey"):
        Constrained(space.axes, space.limits).spread(1, np.random.default_rng(0))


def test_a_single_point_is_a_domain():
    space = Space({"a": Float(0, 10), "b": Float(0, 10)}, ["a + b <= 3", "a >= 1", "b >= 2"])
    domain = Constrained(space.axes, space.limits)
    np.testing.assert_allclose(domain.spread(5, np.random.default_rng(0)), [[0.1, 0.2]] * 5)
    found = maximize(Hill(np.ones(2)), domain, np.random.default_rng(0))
    np.testing.assert_allclose(found.u, [0.1, 0.2], atol=1e-9)


@pytest.mark.parametrize("other, always", [(4, True), (3, False)])
def test_two_fixed_numbers_that_must_differ(other, always):
    space = Space({"x": Float(0, 1), "n": 3, "m": other}, ["n != m"])
    if always:
        assert Constrained(space.axes, space.limits).spread(2, np.random.default_rng(0)).shape == (
            2,
            1,
        )
    else:
        with pytest.raises(SpaceError, match="obey 'n != m'"):
            Constrained(space.axes, space.limits).spread(2, np.random.default_rng(0))


@pytest.mark.parametrize(
    "sentences", [["s == 'd' or T > 95", "T < 90"], ["not (s == 'w' and T > 90)", "T > 95"]]
)
def test_sentences_that_conflict_where_a_choice_is_given(sentences):
    space = Space({"T": Float(0, 100), "s": Categorical(["w", "d"], context=True)}, sentences)
    with pytest.raises(SpaceError, match="conflict") as error:
        held = space.given({"s": "w"})
        Constrained(held.axes, held.limits).spread(1, np.random.default_rng(0))
    assert all(repr(sentence) in str(error.value) for sentence in sentences)
    other = space.given({"s": "d"})
    assert len(Constrained(other.axes, other.limits).spread(1, np.random.default_rng(0))) == 1
