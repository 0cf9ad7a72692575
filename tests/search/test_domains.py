"""One contract for every domain; and a box with bounds, such as a trust region, is one of them."""

import numpy as np
import pytest

from pathmax import gp
from pathmax.acquisition import METHODS, Box, GridDomain, Mixed, Pool, choose
from pathmax.acquisition.surfaces.path_score import PathScore
from pathmax.errors import ModelError, SettingsError
from pathmax.search.discretisation import discretised
from pathmax.search.lattice import ListedAxis
from pathmax.search.maximization import maximize
from pathmax.search.quasi_newton import ascend
from pathmax.search.scores import Score

LOW, HIGH = np.array([0.2, 0.55]), np.array([0.35, 0.9])
REAL, FEW = ListedAxis(None, "float"), ListedAxis(np.linspace(0, 1, 5))
MANY = ListedAxis(np.linspace(0, 1, 400))
DOMAINS = {
    "box": Box(2),
    "bounded": Box(2, LOW, HIGH),
    "reals": Mixed([REAL, REAL]),
    "mixed": Mixed([REAL, FEW]),
    "bounded mixed": Mixed([REAL, FEW], box=Box(2, [0.2, 0.0], [0.35, 1.0])),
    "small lattice": Mixed([FEW, FEW], np.array([[0.5, 0.5]])),
    "large lattice": Mixed([MANY, MANY], np.array([[0.0, 0.0]])),
    "pool": Pool(np.random.default_rng(0).random((50, 2)), [3]),
    "grid": GridDomain([np.linspace(0, 1, 4), np.linspace(0, 1, 6)], [3]),
}
every_domain = pytest.mark.parametrize("domain", DOMAINS.values(), ids=DOMAINS)


class Slope(Score):
    """Highest at the far corner."""

    def __call__(self, U):
        return U.sum(axis=1)

    def value_and_gradient(self, U):
        return self(U), np.ones_like(U)


def contains(domain, U):
    return np.array_equal(domain.project(U), U)


@every_domain
def test_what_a_domain_gives_lies_in_it(domain, rng):
    u, index = domain.random(rng)
    assert u.shape == (domain.dimension,) and contains(domain, u[None])
    assert (index is not None) == (domain.rows() is domain)
    spread = domain.spread(64, rng)
    assert spread.shape == (64, 2) and contains(domain, spread)
    assert contains(domain, domain.project(3.0 * rng.standard_normal((20, 2))))
    assert domain.whole().dimension == 2 and domain.whole().cardinality == domain.cardinality


@every_domain
def test_the_highest_point_is_one_of_the_domain(domain, rng):
    found = maximize(Slope(), domain, rng, hints=np.array([[1.0, 1.0], [0.0, 0.0]]))
    assert contains(domain, found.u[None])
    assert found.value == pytest.approx(domain.project(np.ones((1, 2))).sum(), abs=0.25)
    assert found.value >= Slope()(domain.spread(200, rng)).max()


@every_domain
def test_rows_are_the_points_in_the_order_of_their_numbers(domain):
    rows = domain.rows()
    if rows is None:
        return
    points = rows.points(np.arange(rows.cardinality))
    assert rows.cardinality == domain.cardinality and contains(domain, points)
    assert len(rows.free) == rows.cardinality - 1
    assert len(rows.whole().free) == rows.cardinality
    assert (rows.axis_values is None) == (domain is DOMAINS["pool"])


@every_domain
def test_a_finite_domain_can_be_listed(domain):
    for most in (20, 200_000):
        listed = domain.listed(most)
        small = (domain.cardinality or most + 1) <= most
        assert listed is domain or (small and listed.cardinality == domain.cardinality)
        assert (listed.rows() is listed) == (small or domain.rows() is domain)


@every_domain
def test_only_a_box_is_discretised(domain):
    if not isinstance(domain, Box):
        with pytest.raises(SettingsError, match="discretization is for a box"):
            discretised(domain, 5)
        return
    divided = discretised(domain, 5)
    assert divided.cardinality == 25 and contains(domain, divided.rows().points(np.arange(25)))
    assert discretised(domain, LOW[None]).cardinality == 1


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["bounded", "bounded mixed"])
def test_every_method_stays_within_the_bounds(method, name, rng):
    domain = DOMAINS[name]
    X = rng.random((15, 2))
    X[:, 1] = np.round(4 * X[:, 1]) / 4
    model = gp.GaussianProcess(gp.Matern52(0.3), 1e-4).condition(X, np.sin(6 * X).sum(axis=1))
    choice = choose(method, model, domain, rng, t=16)
    assert contains(domain, choice.u[None])
    if "x_star" in choice.info:
        assert contains(domain, np.asarray(choice.info["x_star"])[None])


def test_the_best_within_the_bounds_is_found(rng):
    """Of a path that is higher outside, against a fine grid inside."""
    domain = Box(2, LOW, HIGH)
    sides = [np.linspace(low, high, 101) for low, high in zip(LOW, HIGH, strict=True)]
    fine = np.stack(np.meshgrid(*sides), axis=-1).reshape(-1, 2)
    for _ in range(10):
        path = PathScore(gp.draw_path(gp.GaussianProcess(gp.RBF(0.1), 1e-6), rng), 2)
        found = maximize(path, domain, rng, scales=np.full(2, 0.1))
        assert contains(domain, found.u[None])
        assert found.value >= path(fine).max() - 1e-6


def test_points_are_reflected_at_the_faces_and_ascents_end_there(rng):
    domain = Box(2, LOW, HIGH)
    centres = domain.spread(4, rng)
    near = domain.neighbours(centres, 4000, np.full(2, 0.3), rng)
    assert contains(domain, near)
    on_a_face = (near == LOW) | (near == HIGH)
    assert on_a_face.mean() < 0.01  # cut off at the faces a tenth of them would lie there
    ascent = ascend(Slope(), centres, domain, scales=np.full(2, 0.3), unit=1.0)
    np.testing.assert_array_equal(ascent.U, np.tile(HIGH, (4, 1)))


def test_corners_that_are_not_are_refused():
    with pytest.raises(ModelError, match="low <= high"):
        Box(2, low=[0.0, 0.6], high=0.5)
    assert repr(Box(1, high=0.5)) == "Box(1, low=[0.0], high=[0.5])"
