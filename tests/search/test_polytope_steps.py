import numpy as np
import pytest

from pathmax import Categorical, Float, Int, Mixture, Space
from pathmax.search.clauses import Polytopes
from pathmax.search.constrained_domain import Constrained
from pathmax.search.polytope_steps import approach, chord, draw_in, tangent
from pathmax.search.row_projection import miss, project_on_rows


@pytest.fixture
def cut(rng):
    """A cube of ten dimensions that ten half-spaces cut, points about it, its middle inside."""
    A = rng.standard_normal((10, 10))
    A /= np.linalg.norm(A, axis=1, keepdims=True)
    high = np.broadcast_to(A @ np.full(10, 0.5) + 0.1, (200, 10))
    rows = (A, np.full((200, 10), -np.inf), high)
    U = 0.5 + 0.5 * rng.standard_normal((200, 10))
    return U, rows, np.zeros((200, 10)), np.ones((200, 10))


def test_what_is_drawn_in_keeps_every_row_and_is_nearly_as_close_as_the_nearest_point(cut):
    U, rows, floor, ceiling = cut
    near = draw_in(approach(U, *rows, floor, ceiling), np.full(10, 0.5), *rows)
    assert miss(near, *rows).max() <= 1e-12
    assert near.min() >= 0.0 and near.max() <= 1.0
    nearest, _ = project_on_rows(U, *rows, floor, ceiling)
    away, least = np.linalg.norm(near - U, axis=1), np.linalg.norm(nearest - U, axis=1)
    assert least.mean() > 0.5 and away.mean() < 1.15 * least.mean()


def test_points_that_keep_the_rows_stay_and_held_coordinates_do_not_move(cut, rng):
    U, rows, floor, ceiling = cut
    inside = 0.5 + 0.02 * rng.standard_normal(U.shape)
    assert np.array_equal(approach(inside, *rows, floor, ceiling), inside)
    assert np.array_equal(draw_in(inside, np.full(10, 0.5), *rows), inside)
    floor[:, 3] = ceiling[:, 3] = 0.4
    assert (approach(U, *rows, floor, ceiling)[:, 3] == 0.4).all()


def test_a_point_that_misses_an_equation_goes_to_the_one_that_keeps_it():
    A, at = np.array([[0.6, 0.8]]), np.full((2, 1), 0.7)
    inside = np.array([[0.5, 0.5], [0.1, 0.8]])
    V = np.array([[0.9, 0.9], [0.3, 0.65]])  # the second keeps it
    drawn = draw_in(V, inside, A, at, at)
    assert np.array_equal(drawn[0], inside[0]) and np.array_equal(drawn[1], V[1])


def test_a_tangent_step_stays_on_the_rows_that_hold_a_point(rng):
    A = rng.standard_normal((1, 2, 5))
    G, H, free = rng.standard_normal((1, 5)), np.eye(5)[None], np.ones((1, 5), dtype=bool)
    free[0, 2] = False
    P, push = tangent(G, H, A, np.ones((1, 2), dtype=bool), free)
    assert P[0, 2] == 0.0 and np.abs(A[0] @ P[0]).max() < 1e-9
    assert np.allclose((G - np.einsum("mrd,mr->md", A, push))[free], P[free])


@pytest.mark.parametrize(
    "space",
    [
        Space({f"x{i}": Float(0, 1) for i in range(4)}, ["x0 + x1 <= 1", "x2 >= 2 * x3 - 0.5"]),
        Space({"x": Float(0, 1), "n": Int(0, 9)}, ["x + n / 9 <= 1.2", "n >= 5 * x"]),
        Space({"x": Float(0, 1), "y": Float(0, 1)}, ["x ** 2 + y ** 2 <= 0.7"]),
        Space(
            {"x": Float(0, 1), "y": Float(0, 1), "kind": Categorical(["a", "b"])},
            ["kind == 'a' or x + y <= 0.8"],
        ),
        Space({"m": Mixture({"A": (0, 60), "B": (0, 60), "C": (5, 60)}, total=100)}),
        Space({"m": Mixture({c: (0, 100) for c in "ABCDE"}, total=100, at_most=2)}),
    ],
    ids=["linear", "integers", "curve", "clauses", "mixture", "sparse"],
)
def test_points_beside_others_obey(space, rng):
    domain = Constrained(space.axes, space.limits)
    U = domain.spread(200, rng)
    V = U + 0.4 * rng.standard_normal(U.shape)
    if len(domain.lattice.columns):
        V[:, domain.lattice.columns] = domain.spread(200, rng)[:, domain.lattice.columns]
    near = domain.beside(U, V)
    assert domain.limits.holds(near).all()
    assert np.linalg.norm(near - V, axis=1).mean() < np.linalg.norm(U - V, axis=1).mean()


def test_a_line_stays_inside_just_as_far_as_its_chord_says(cut, rng):
    U, (A, low, high), floor, ceiling = cut
    U = 0.5 + 0.02 * rng.standard_normal(U.shape)
    P = rng.standard_normal(U.shape)
    first, last = chord(U, P, Polytopes(A, low, high), floor, ceiling)
    assert (first < 0.0).all() and (last > 0.0).all()

    def outside(t):
        V = U + t[:, None] * P
        return np.maximum(miss(V, A, low, high), np.maximum(-V, V - 1.0).max(axis=1))

    for end in (first, last):
        assert outside(end).max() <= 1e-12
        assert (outside(1.001 * end) > 0.0).all()


def test_a_step_along_its_way_ends_inside(rng):
    space = Space({f"x{i}": Float(0, 1) for i in range(5)}, ["x0 + 3 * x1 - 2 * x2 <= 1"])
    region = Constrained(space.axes, space.limits).region
    U = region.spread(100, rng)
    V = region.about(U).along(rng.standard_normal(U.shape), np.arange(len(U)))
    assert region.limits.holds(V).all() and (np.abs(V - U).max(axis=1) > 0.0).mean() > 0.9
