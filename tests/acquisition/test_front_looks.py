"""With several objectives what paths promise is taken among some points."""

import numpy as np
import pytest

from pathmax import gp
from pathmax.acquisition import Box
from pathmax.acquisition.front_looks import (
    FRONT_CENTRES,
    best_results,
    front_looks,
    on_faces,
    recombined,
    targets_on_looks,
)
from pathmax.acquisition.joint_optima import promise
from pathmax.acquisition.path_columns import JointPaths
from pathmax.acquisition.surfaces.path_score import PathScore
from pathmax.acquisition.targets import feasible_rows, gaps_of
from pathmax.search.mixed_domain import Mixed
from pathmax.search.scores import Score
from pathmax.space.axes import Axis

SCALES = np.full(3, 0.4)
SIX = np.full(6, 0.3)


def drawn_paths(rng, X, k: int) -> list[PathScore]:
    prior = gp.GaussianProcess(gp.Matern52(0.4), 1e-4)
    models = [prior.condition(X, prior.sample(X, rng)[0]) for _ in range(k)]
    return [PathScore(gp.draw_path(model, rng), 3) for model in models]


def test_half_of_the_looks_are_about_the_best_results_and_some_on_faces(rng):
    best = np.array([[0.3, 0.3, 0.3]])
    looks = front_looks(Box(3), best, 400, SCALES, rng)
    assert looks.shape == (400, 3) and ((looks >= 0) & (looks <= 1)).all()
    near = np.abs(looks[200:] - best).max(axis=1)
    assert np.median(near) < 0.2 < near.max()
    faces = ((looks[100:200] == 0) | (looks[100:200] == 1)).any(axis=1)
    assert faces.mean() > 0.5 and not ((looks[:100] == 0) | (looks[:100] == 1)).any()
    assert len(front_looks(Box(3), np.empty((0, 3)), 401, SCALES, rng)) == 401


def test_values_of_a_list_are_never_moved_to_a_face(rng):
    axes = [Axis("float"), Axis("int", np.linspace(0.0, 1.0, 4))]
    domain = Mixed(axes)
    moved = on_faces(domain, domain.spread(64, rng), rng)
    assert {*moved[:, 1]} <= {*np.linspace(0.0, 1.0, 4)}
    assert ((moved[:, 0] == 0) | (moved[:, 0] == 1)).any()
    looks = front_looks(domain, moved[:2], 64, np.full(2, 0.4), rng)
    assert {*looks[:, 1]} <= {*np.linspace(0.0, 1.0, 4)}


def test_recombined_points_keep_most_coordinates_and_stay_in_the_domain(rng):
    axes = [Axis("float"), Axis("int", np.linspace(0.0, 1.0, 4)), Axis("float")]
    domain = Mixed(axes)
    parents = domain.spread(6, rng)
    children = recombined(domain, parents, 101, rng)
    assert children.shape == (101, 3) and np.array_equal(domain.project(children), children)
    theirs = np.stack([np.isin(children[:, k], parents[:, k]) for k in range(3)], axis=1)
    assert theirs[1::2].all()  # of two parents
    assert (theirs[::2].sum(axis=1) >= 2).all() and not theirs[::2].all()  # one of them anew


class Edge(Score):
    """An objective of a front in two pieces on an edge, all coordinates but the first at 0."""

    def __init__(self, objective: int) -> None:
        self.objective = objective

    def __call__(self, U):
        if not self.objective:
            return -U[:, 0]
        far = U[:, 1:].sum(axis=1)
        return np.where(np.abs(U[:, 0] - 0.8) < 0.1, 1.0, 0.0) - 10.0 * far


def test_a_piece_of_a_front_far_from_results_is_found_on_the_edge():
    """With one result on the edge at 0, the piece at 0.8 shares all coordinates but one with it."""
    data = np.zeros((1, 6))
    for seed in range(5):
        draw = np.random.default_rng(seed)
        found = promise(
            [Edge(0), Edge(1)], [], Box(6), data, draw, looks=2048, best=data, scales=SIX
        )
        assert found.front[:, 1].max() == 1.0  # without recombination it is 0, at the result


def test_the_best_results_are_the_feasible_front_or_the_least_out_of_bounds(rng):
    means = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [0.2, -0.2, 1.0], [2.0, 2.0, -1.0]])
    assert sorted(best_results(means, np.zeros(1), rng)) == [0, 1]
    assert best_results(means, np.array([2.0]), rng)[-1] == 3
    line = np.linspace(0.0, 1.0, 50)
    assert len(best_results(np.column_stack([line, -line]), np.empty(0), rng)) == FRONT_CENTRES


@pytest.mark.parametrize("K", [2, 3])
def test_the_target_is_the_largest_gap_among_the_looks(K, rng):
    X = rng.random((8, 3))
    paths = drawn_paths(rng, X, K + 1)
    bounds, looks = np.array([-0.3]), rng.random((300, 3))
    joint = JointPaths(paths)
    found = targets_on_looks(joint, looks, X, joint(X), bounds, rng, None)
    values = np.stack([path(np.concatenate([looks, X])) for path in paths], axis=1)
    inside = values[feasible_rows(values, bounds), :K]
    at_data = values[300:]
    known = at_data[feasible_rows(at_data, bounds), :K]
    undominated = [
        y for y in inside if not ((inside >= y).all(axis=1) & (inside > y).any(axis=1)).any()
    ]
    front = np.array(undominated)
    best = front[np.argmax(gaps_of(front, known))]
    assert found is not None and found.feasible
    np.testing.assert_allclose(found.values, [*best, -0.3], atol=1e-9)
    np.testing.assert_allclose([path(found.u[None])[0] for path in paths[:K]], best, atol=1e-9)


def test_where_no_look_is_feasible_the_paths_are_searched(rng):
    X = rng.random((6, 3))
    paths = drawn_paths(rng, X, 3)
    joint, never = JointPaths(paths), np.array([99.0])
    assert targets_on_looks(joint, X, X, joint(X), never, rng, None) is None
    found = promise(paths[:2], paths[2:], Box(3), X, rng, bounds=never, looks=64)
    assert not found.feasible


def test_one_objective_is_searched_whatever_the_looks(rng):
    X = rng.random((6, 3))
    paths = drawn_paths(rng, X, 2)
    one, other = (
        promise(paths[:1], paths[1:], Box(3), X, np.random.default_rng(1), looks=n) for n in (0, 64)
    )
    np.testing.assert_array_equal(one.values, other.values)
