"""The search of conditional spaces, against going through all points and many random ones."""

from dataclasses import replace

import numpy as np
import pytest

from pathmax import Categorical, Float, Int, Space, gp
from pathmax.acquisition.improvement_rules import ProbabilityOfImprovement
from pathmax.acquisition.scores import PosteriorScore
from pathmax.acquisition.surfaces.path_score import PathScore
from pathmax.errors import ExhaustedError
from pathmax.search.conditional_domain import Conditional, Settled
from pathmax.search.maximization import maximize
from pathmax.search.mixed_domain import Mixed
from pathmax.search.scores import Score
from pathmax.suggestion.default_kernel import default_kernel

MIXED = Space(
    {
        "a": Categorical(["x", "y", "z"]),
        "b": Float(0, 1, when="a == 'x'"),
        "c": Float(0, 1, when="a != 'z'"),
        "d": Int(0, 3, when="c > 0.5"),
        "e": Float(0, 1),
    }
)
FINITE = Space(
    {
        "a": Categorical(["x", "y", "z"]),
        "b": Int(0, 6, when="a == 'x'"),
        "c": Float(values=[0, 1, 5, 7], when="b > 2"),
        "d": Int(0, 3),
    }
)


def domain(space, excluded=None):
    return Conditional(Mixed(space.axes), space.settle, excluded)


def random_path(space, rng, n=12):
    kernel = default_kernel(space.axes, separable=False).with_theta(
        default_kernel(space.axes, separable=False).theta - 0.9
    )
    X = domain(space).spread(n, rng)
    model = gp.GaussianProcess(kernel, 1e-4).condition(X, rng.standard_normal(n))
    return model, PathScore(gp.draw_path(model, rng), space.dimension)


def test_points_are_settled_and_inside(rng):
    here = domain(MIXED)
    for U in (here.spread(200, rng), here.project(rng.uniform(-1, 3, (200, 5)))):
        np.testing.assert_array_equal(MIXED.settle(U), U)
        np.testing.assert_allclose(MIXED.project(U), U, atol=1e-12)
    assert here.cardinality is None and here.rows() is None
    assert MIXED.encode(MIXED.decode(here.random(rng)[0])).shape == (5,)


def test_the_score_does_not_depend_on_absent_coordinates_and_has_its_gradient(rng):
    _, path = random_path(MIXED, rng)
    score = Settled(path, MIXED.settle)
    U = Mixed(MIXED.axes).spread(40, rng)
    other = np.where(MIXED.settle(U) < 0, Mixed(MIXED.axes).spread(40, rng), U)
    np.testing.assert_array_equal(score(U), score(other))
    values, gradients = score.value_and_gradient(U)
    np.testing.assert_allclose(values, score(U))
    for k in (1, 4):  # c decides about d, so that its difference may jump
        step = 1e-6 * np.eye(5)[k]
        difference = (score(U + step) - score(U - step)) / 2e-6
        np.testing.assert_allclose(gradients[:, k], difference, atol=1e-4)


@pytest.mark.parametrize("seed", range(12))
def test_paths_are_maximised_over_all_branches(seed):
    rng = np.random.default_rng(seed)
    _, path = random_path(MIXED, rng)
    found = maximize(path, domain(MIXED), rng, hints=np.empty((0, 5)), scales=np.full(5, 0.5))
    best = path(domain(MIXED).spread(2**15, rng)).max()
    assert found.value >= best - 1e-3 * abs(best)
    np.testing.assert_allclose(path(found.u[None])[0], found.value)
    np.testing.assert_array_equal(MIXED.settle(found.u[None])[0], found.u)


def test_a_finite_space_is_gone_through_and_what_is_taken_left_out(rng):
    model, _ = random_path(FINITE, rng)
    score = PosteriorScore(model, ProbabilityOfImprovement(0.5))
    whole = domain(FINITE)
    assert whole.cardinality == FINITE.cardinality == len(whole.rows().U)
    values = score(whole.rows().U)
    order = np.argsort(-values)
    taken = whole.rows().U[order[:5]]
    options = {"hints": np.empty((0, 4)), "scales": np.ones(4)}
    assert maximize(score, whole, rng, **options).value == pytest.approx(values.max())
    found = maximize(score, domain(FINITE, taken), rng, **options)
    assert found.value == pytest.approx(values[order[5]]) and found.index is None
    everything = domain(FINITE, whole.rows().U)
    with pytest.raises(ExhaustedError):
        everything.random(rng)


def test_a_search_that_ends_at_a_tried_point_of_a_finite_branch_goes_elsewhere(rng):
    space = Space({"s": Categorical(["x", "y"]), "a": Float(0, 1, when="s == 'y'")})
    settle = space.activity.settle
    tried = space.encode_many([{"s": "x"}])

    class Heights(Score):
        """Highest in the branch of one point, then where a is 0.7."""

        def __call__(self, U):
            return np.where(U[:, 0] == tried[0, 0], 5.0, -((U[:, 1] - 0.7) ** 2))

        def value_and_gradient(self, U):
            slope = np.zeros_like(U)
            slope[:, 1] = np.where(U[:, 0] == tried[0, 0], 0.0, -2 * (U[:, 1] - 0.7))
            return self(U), slope

    whole = Conditional(Mixed(space.axes), settle)
    how = {"hints": tried, "scales": np.ones(2)}
    assert maximize(Heights(), whole, rng, **how).value == 5.0
    found = maximize(Heights(), replace(whole, excluded=tried), rng, **how)
    assert space.decode(found.u) == {"s": "y", "a": pytest.approx(0.7, abs=1e-4)}
    assert found.value == pytest.approx(0.0, abs=1e-6)
