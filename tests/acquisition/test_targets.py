"""Targets on finite sets, against brute force written down as the definition says."""

import math

import numpy as np
import pytest

from pathmax import gp
from pathmax.acquisition.hypervolume import hypervolume
from pathmax.acquisition.joint_optima import promise
from pathmax.acquisition.surfaces.path_score import PathScore
from pathmax.acquisition.targets import SMALL_GAP, gaps_of, pick_target, targets_among
from pathmax.errors import ModelError
from pathmax.search.box import Box
from pathmax.search.lattice import ListedAxis
from pathmax.search.mixed_domain import Mixed
from pathmax.search.rows import GridDomain, Pool


def dominates(one, other):
    return all(a >= b for a, b in zip(one, other, strict=True)) and tuple(one) != tuple(other)


def by_definition(values, data, bounds, K, reference=None):
    """The row of the target, straight from the definition; None when no row is feasible."""
    inside = [i for i, row in enumerate(values) if all(row[K:] >= bounds)]
    if not inside:
        return None
    front = [i for i in inside if not any(dominates(values[j, :K], values[i, :K]) for j in inside)]
    known = [row[:K] for row in data if all(row[K:] >= bounds)]
    worth = front  # without points that gain a hundredth of what another is better by
    for _ in range(4 * (K > 1)):
        spans = [max(values[worth, k]) - min(values[worth, k]) or 1.0 for k in range(K)]
        by = {(i, j): max((values[i, :K] - values[j, :K]) / spans) for i in front for j in front}
        worth = [i for i in front if all(by[i, j] >= 0.01 * by[j, i] for j in front)]
    spans = [max(values[worth, k]) - min(values[worth, k]) or 1.0 for k in range(K)]

    def gap(i):
        if reference is not None:
            more = hypervolume([*known, values[i, :K]], reference)
            return more - hypervolume(known, reference)
        return min(max((values[i, k] - e[k]) / spans[k] for k in range(K)) for e in known)

    return max(front, key=gap), gap(max(front, key=gap)), front


@pytest.mark.parametrize("K", [1, 2, 3, 4])
@pytest.mark.parametrize("J", [0, 1, 3])
def test_brute_force(rng, K, J):
    for _ in range(8):
        values = rng.standard_normal((150, K + J))
        data = np.concatenate([values[rng.integers(0, 150, 6)], np.full((1, K + J), 0.5)])
        bounds = np.full(J, -0.3)
        row, gap, front = by_definition(values, data, bounds, K)
        points = rng.random((150, 2))
        found = targets_among(values, points.__getitem__, data, bounds, rng)
        assert found.feasible and found.index == row
        np.testing.assert_array_equal(found.values, [*values[row, :K], *bounds])
        np.testing.assert_array_equal(found.u, points[row])
        if K > 1:
            assert found.gap == pytest.approx(gap)
            np.testing.assert_array_equal(np.sort(found.front, 0), np.sort(values[front, :K], 0))
        else:
            best = max(e[0] for e in data if all(e[K:] >= bounds))
            assert found.gap == pytest.approx(values[row, 0] - best)


@pytest.mark.parametrize("K", [2, 3])
def test_with_a_reference_the_gap_is_a_hypervolume(rng, K):
    for _ in range(5):
        values, data = rng.random((80, K)), 0.8 * rng.random((5, K))
        row, gap, _ = by_definition(values, data, np.empty(0), K, reference=np.zeros(K))
        found = targets_among(
            values, values.__getitem__, data, np.empty(0), rng, reference=np.zeros(K)
        )
        assert found.index == row and found.gap == pytest.approx(gap)


def test_a_reference_that_nothing_reaches_is_left_out(rng):
    values, data = rng.random((80, 2)), 0.8 * rng.random((5, 2))
    plain = targets_among(values, values.__getitem__, data, np.empty(0), rng)
    beyond = targets_among(
        values, values.__getitem__, data, np.empty(0), rng, reference=np.array([9.0, 9.0])
    )
    assert plain.index == beyond.index and plain.gap == beyond.gap


def test_no_data_in_the_feasible_set_gives_a_random_point_of_the_front(rng):
    values = rng.standard_normal((200, 3))
    bounds = np.array([0.0])
    outside = np.array([[5.0, 5.0, -1.0]])
    seen = set()
    for seed in range(40):
        generator = np.random.default_rng(seed)
        found = targets_among(values, values.__getitem__, outside, bounds, generator)
        assert found.gap == math.inf
        seen.add(found.index)
    front = by_definition(values, np.ones((1, 3)), bounds, 2)[2]
    assert len(seen) > 2 and seen <= set(front)


def test_an_empty_feasible_set_asks_for_the_least_violation(rng):
    values = np.array([[9.0, -1.0, -4.0], [0.0, -2.0, -1.0], [1.0, 3.0, -3.0]])
    bounds = np.zeros(2)
    spreads = np.array([1.0, 1.0])
    found = targets_among(values, values.__getitem__, values[:1], bounds, rng, spreads=spreads)
    assert not found.feasible and math.isnan(found.gap)
    assert found.index == 1  # worst constraints: -4, -2, -3
    np.testing.assert_array_equal(found.values, [-np.inf, -2.0, -1.0])
    assert len(found.front) == 0


def test_a_target_of_least_violation_asks_no_more_than_the_bound(rng):
    values = np.array([[0.0, 5.0, -1.0], [0.0, 0.5, -2.0]])
    found = targets_among(values, values.__getitem__, values[:0], np.zeros(2), rng)
    np.testing.assert_array_equal(found.values, [-np.inf, 0.0, -1.0])


def test_scaling_an_objective_changes_nothing(rng):
    values, data = rng.random((100, 2)), rng.random((4, 2))
    factor = np.array([1e3, 1e-4])
    one = targets_among(values, values.__getitem__, data, np.empty(0), rng)
    other = targets_among(values * factor, values.__getitem__, data * factor, np.empty(0), rng)
    assert one.index == other.index and one.gap == pytest.approx(other.gap)


def test_a_front_that_is_known_has_no_gap(rng):
    values = rng.random((60, 2))
    assert gaps_of(values[:1], values[:1])[0] == 0.0
    found = targets_among(values, values.__getitem__, values, np.empty(0), rng)
    assert found.gap == 0.0


@pytest.fixture(name="paths")
def _paths(rng):
    models = []
    X = rng.random((5, 2))
    for scale in (0.3, 0.4, 0.5):
        prior = gp.GaussianProcess(gp.Matern52(scale), 1e-4)
        models.append(prior.condition(X, prior.sample(X, rng)[0]))
    return X, [PathScore(gp.draw_path(model, rng), 2) for model in models]


@pytest.mark.parametrize("K", [1, 2, 3])
@pytest.mark.parametrize("kind", ["pool", "grid", "lists"])
def test_every_row_of_a_finite_domain(paths, rng, K, kind):
    X, scores = paths
    axes = [np.linspace(0, 1, 23), np.linspace(0, 1, 31)]
    grid = GridDomain(axes, excluded=list(range(300)))  # what is excluded takes part
    U = grid.points(np.arange(23 * 31))
    domain = {
        "pool": Pool(U, excluded=[0, 5]),
        "grid": grid,
        "lists": Mixed([*map(ListedAxis, axes)]),
    }
    values = np.stack([path(U) for path in scores], axis=1)
    data = np.stack([path(X) for path in scores], axis=1)
    bounds = np.full(3 - K, float(np.quantile(values[:, K:], 0.3)) if K < 3 else 0.0)
    found = promise(scores[:K], scores[K:], domain[kind], X, rng, bounds=bounds)
    expected = targets_among(values, U.__getitem__, data, bounds, rng)
    np.testing.assert_allclose(found.values, expected.values, rtol=1e-9)
    np.testing.assert_array_equal(found.u, expected.u)
    assert found.index == (None if kind == "lists" else expected.index)


def test_refusals(paths, rng):
    X, scores = paths
    with pytest.raises(ModelError, match="an objective and a bound"):
        promise([], scores, Box(2), X, rng)
    with pytest.raises(ModelError, match="an objective and a bound"):
        promise(scores[:1], scores[1:], Box(2), X, rng, bounds=np.zeros(1))
    with pytest.raises(ModelError, match="objective"):
        targets_among(
            np.ones((2, 1)), np.ones((2, 2)).__getitem__, np.ones((0, 1)), np.ones(1), rng
        )


@pytest.mark.parametrize("K", [2, 3])
def test_a_small_gap_is_measured_as_volume(K, rng):
    """Below a tenth of the front: what adds most to the volume above its nadir less a tenth."""
    directions = np.abs(rng.standard_normal((400, K)))
    sphere = directions / np.linalg.norm(directions, axis=1, keepdims=True)
    data = sphere[rng.choice(400, 300, replace=False)] - 0.01
    pick = pick_target(sphere, data, np.empty(0), rng)
    assert pick is not None and pick.gap == gaps_of(sphere, data).max() < SMALL_GAP
    nadir = sphere.min(axis=0) - SMALL_GAP * np.ptp(sphere, axis=0)
    volumes = [hypervolume(np.vstack([data, y]), nadir) for y in sphere]
    assert volumes[pick.row] == pytest.approx(max(volumes), rel=1e-12)
    few = pick_target(sphere, data[:2], np.empty(0), rng)
    assert (
        few is not None and few.row == np.argmax(gaps_of(sphere, data[:2])) and few.gap > SMALL_GAP
    )
