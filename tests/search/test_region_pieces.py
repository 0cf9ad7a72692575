"""Steps in pieces of a region end on curves, or do not go anywhere."""

from __future__ import annotations

import numpy as np
import pytest

from pathmax.search.constrained_domain import Constrained
from pathmax.search.maximization import maximize
from pathmax.search.region_pieces import onto
from pathmax.search.scores import Score
from pathmax.space.parameters import Float
from pathmax.space.space import Space


class Plane(Score):
    """A score that grows along a direction."""

    def __init__(self, slope: np.ndarray) -> None:
        self.slope = slope

    def __call__(self, U):
        return U @ self.slope

    def value_and_gradient(self, U):
        return U @ self.slope, np.broadcast_to(self.slope, U.shape)


def domain_of(*where: str) -> Constrained:
    space = Space({name: Float(0, 1) for name in "abc"}, list(where))
    return Constrained(space.axes, space.limits)


def test_a_step_beyond_a_circle_ends_on_it_at_the_nearest_point(rng):
    domain = domain_of("a ** 2 + b ** 2 <= 0.64")
    U = np.full((40, 3), 0.3)
    V = U + 0.4 * rng.random((40, 3))
    ahead = domain.region.about(U).ahead(V - U)
    length = np.hypot(V[:, 0], V[:, 1])
    nearest = V.copy()
    nearest[:, :2] *= np.minimum(0.8 / length, 1.0)[:, None]
    assert ahead == pytest.approx(nearest, abs=0.02)  # nearly: each step goes to a tangent
    on_it = np.hypot(ahead[:, 0], ahead[:, 1])[length > 0.8]
    assert len(on_it) > 5
    assert on_it == pytest.approx(0.8, abs=1e-9)
    assert domain.limits.holds(ahead).all()


def test_where_faces_hold_a_point_the_curve_is_met_along_them():
    domain = domain_of("a * b >= 0.2", "c <= a ** 2")
    U = np.array([[0.5, 1.0, 0.1], [1.0, 0.5, 0.9]])
    ahead = domain.region.about(U).ahead(np.array([[-0.4, 0.5, 0.0], [0.5, -0.4, 0.3]]))
    assert ahead[0, :2] == pytest.approx([0.2, 1.0], abs=1e-9)
    assert ahead[1, :2] == pytest.approx([1.0, 0.2], abs=1e-9)
    assert domain.limits.holds(ahead).all()


def test_where_a_curve_is_undefined_a_point_stays():
    domain = domain_of("log(a - 0.5) + b >= -3")
    U = np.array([[0.9, 0.5, 0.5]])
    step = np.array([[-0.7, 0.0, 0.2]])  # to where the logarithm is of a negative number
    _, astray = onto(
        domain.region.clauses,
        U + step,
        domain.region.clauses.demands(U),
        domain.region.walls(U),
        patient=False,
    )
    assert astray.all()
    assert (domain.region.about(U).ahead(step) == U).all()


def test_points_about_others_obey_curves(rng):
    domain = domain_of("a ** 2 + b ** 2 <= 0.64", "a * c >= 0.05", "exp(b) + c <= 2.5")
    U = domain.spread(64, rng)
    assert domain.limits.holds(domain.beside(U, U + 0.3 * rng.standard_normal(U.shape))).all()


def test_the_best_point_lies_where_two_curves_meet(rng):
    domain = domain_of("a ** 2 + b ** 2 <= 0.64", "c <= a * b")
    found = maximize(Plane(np.array([0.3, 0.3, 1.0])), domain, rng)
    side = 0.8 / np.sqrt(2.0)
    assert found.u == pytest.approx([side, side, side * side], abs=1e-4)
    assert domain.limits.holds(found.u[None]).all()
