"""The search for what joint paths promise: gradients, feasibility, fine grids, faces."""

import numpy as np
import pytest

from pathmax import Categorical, Float, Int, Space, gp
from pathmax.acquisition.aims import AddVolume, FillGap, Surpass, smooth_minimum
from pathmax.acquisition.hypervolume import hypervolume, undominated_boxes
from pathmax.acquisition.joint_optima import promise
from pathmax.acquisition.joint_paths import JointPaths, Lagrangian, OutcomeScale, Record
from pathmax.acquisition.surfaces.path_score import PathScore
from pathmax.acquisition.targets import gaps_of, targets_among
from pathmax.search.box import Box
from pathmax.search.conditional_domain import Conditional
from pathmax.search.constrained_domain import Constrained
from pathmax.search.lattice import ListedAxis
from pathmax.search.mixed_domain import Mixed
from pathmax.search.scores import Score


def draw(rng, d, outcomes, scale=0.4):
    X = rng.random((5 * d, d))
    models = []
    for _ in range(outcomes):
        prior = gp.GaussianProcess(gp.Matern52(scale), 1e-4)
        models.append(prior.condition(X, prior.sample(X, rng)[0]))
    return X, [PathScore(gp.draw_path(model, rng), d) for model in models]


class Formula(Score):
    """A known function of points as a path; gradients by central differences."""

    def __init__(self, function):
        self.function = function

    def __call__(self, U):
        return self.function(U)

    def value_and_gradient(self, U):
        gradient = np.empty_like(U)
        for i in range(U.shape[1]):
            step = 1e-6 * (np.arange(U.shape[1]) == i)
            gradient[:, i] = (self(U + step) - self(U - step)) / 2e-6
        return self(U), gradient


def zdt3():
    """ZDT3 to be maximised: its front is the edge of the cube with all but x1 at 0."""

    def second(U):
        x, g = np.maximum(U[:, 0], 0.0), 1.0 + 9.0 * U[:, 1:].mean(axis=1)
        ratio = x / g
        return -g * (1.0 - np.sqrt(ratio) - ratio * np.sin(10.0 * np.pi * x))

    return [Formula(lambda U: -U[:, 0]), Formula(second)]


def test_smooth_minimum_is_a_minimum_in_the_limit(rng):
    values = rng.random((7, 4))
    value, slope = smooth_minimum(values, 1e-6)
    np.testing.assert_allclose(value, values.min(axis=1), atol=1e-5)
    np.testing.assert_allclose(slope.sum(axis=1), 1.0)
    assert (smooth_minimum(values, 0.1)[0] <= values.min(axis=1)).all()


AIMS = {
    "surpass": Surpass(np.full((3, 2), 0.1), np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])),
    "gap": FillGap(np.array([[0.2, -0.4], [-0.5, 0.3]])),
    "volume": AddVolume(undominated_boxes([[0.1, -0.5], [-0.5, 0.2]], [-2.0, -2.0]), 0.7),
}


@pytest.mark.parametrize("name", AIMS)
def test_the_gradient_of_what_is_climbed(rng, name):
    _, paths = draw(rng, 2, 3)
    scale = OutcomeScale(np.array([0.7, 1.3]), np.array([0.1]), np.array([0.5]))
    record = Record(2, 3)
    score = Lagrangian(
        JointPaths(paths), AIMS[name], scale, np.array([[0.0], [2.0], [0.5]]), record, Box(2)
    )
    score.weight, score.blur = np.array([3.0, 1.0, 5.0]), 0.1
    V = np.column_stack([rng.random((3, 2)), np.arange(3)])
    value, gradient = score.value_and_gradient(V)
    np.testing.assert_array_equal(gradient[:, -1], 0.0)
    for i in range(2):
        step = 1e-6 * (np.arange(3) == i)
        slope = (score(V + step) - score(V - step)) / 2e-6
        np.testing.assert_allclose(gradient[:, i], slope, rtol=1e-4, atol=1e-5)
    assert record.values.shape == (15, 3) and len(value) == 3


@pytest.mark.parametrize("K,J", [(1, 1), (1, 2), (2, 0), (2, 1), (3, 0)])
def test_no_fine_grid_is_better(K, J):
    """81 x 81 points against the search, in the grid's own gap."""
    axis = np.linspace(0, 1, 81)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    for seed in range(3):
        rng = np.random.default_rng([seed, K, J])
        X, paths = draw(rng, 2, K + J)
        bounds = np.full(J, 0.2)
        found = promise(paths[:K], paths[K:], Box(2), X, rng, bounds=bounds)
        values = np.stack([path(grid) for path in paths], axis=1)
        data = np.stack([path(X) for path in paths], axis=1)
        best = targets_among(values, grid.__getitem__, data, bounds, rng)
        assert found.feasible == best.feasible
        if not best.feasible:
            assert (found.values[K:] >= best.values[K:] - 0.01).all()
        elif K == 1:
            assert found.values[0] > best.values[0] - 1e-3
        elif np.isfinite(best.gap):
            known = data[(data[:, K:] >= bounds).all(axis=1), :K]
            gaps = gaps_of(np.concatenate([best.front, found.values[None, :K]]), known)
            assert gaps[-1] > 0.99 * best.gap - 0.01
        at = np.array([path(found.u[None])[0] for path in paths])
        np.testing.assert_allclose(
            at[:K][np.isfinite(found.values[:K])],
            found.values[:K][np.isfinite(found.values[:K])],
            rtol=1e-9,
        )
        if found.feasible:
            assert (at[K:] >= bounds).all()


def test_every_promised_point_is_feasible_and_on_the_front(rng):
    X, paths = draw(rng, 5, 4, scale=0.6)
    found = promise(paths[:2], paths[2:], Box(5), X, rng)
    values = np.stack([path(found.points) for path in paths], axis=1)
    assert found.feasible and (values[:, 2:] >= 0.0).all()
    np.testing.assert_allclose(values[:, :2], found.front, rtol=1e-9)
    assert ((found.points >= 0.0) & (found.points <= 1.0)).all()
    data = np.stack([path(X) for path in paths], axis=1)
    inside = data[(data[:, 2:] >= 0.0).all(axis=1), :2]
    better = (inside[:, None] >= found.front).all(axis=2) & (inside[:, None] > found.front).any(
        axis=2
    )
    assert not better.any()


def test_the_promise_is_never_below_the_data(rng):
    """A narrow peak of the path at an observed point, which no screen would hit."""
    peak = np.array([[0.123, 0.456, 0.789]])
    narrow = Formula(lambda U: np.exp(-np.square((U - peak) / 1e-3).sum(axis=1)))
    wide = Formula(lambda U: U[:, 0])
    found = promise([narrow], [wide], Box(3), peak, rng)
    assert found.values[0] == 1.0


@pytest.mark.parametrize("d", [2, 6])
def test_a_front_on_an_edge_of_the_cube(d):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        found = promise(zdt3(), [], Box(d), rng.random((10, d)), rng)
        missing = 128.77811613069076 - hypervolume(found.front, [-11.0, -11.0])
        assert missing < 0.6  # half a percent
        assert found.u[1:].max() < 1e-3


def test_a_thin_feasible_region_is_found(rng):
    """A tube of 0.1 % of the cube; the maximum within it is where it leaves the cube."""
    tube = Formula(lambda U: 4e-4 - np.square(U[:, 1:] - 0.3).sum(axis=1))
    found = promise([Formula(lambda U: U[:, 0])], [tube], Box(3), np.empty((0, 3)), rng)
    assert found.feasible and found.values[0] > 0.999


def test_an_empty_feasible_set_is_recognised(rng):
    never = Formula(lambda U: -0.5 - np.square(U - 0.7).sum(axis=1))
    found = promise([Formula(lambda U: U[:, 0])], [never], Box(3), rng.random((4, 3)), rng)
    assert not found.feasible
    np.testing.assert_allclose(found.values, [-np.inf, -0.5], atol=1e-4)
    np.testing.assert_allclose(found.u, 0.7, atol=0.01)


@pytest.mark.parametrize("K", [1, 2])
def test_a_mixed_space(K):
    """Lists and a real number: against all lists times a fine grid of the number."""
    lists = [np.linspace(0, 1, 6), np.array([0.0, 0.5, 1.0])]
    axes = [ListedAxis(lists[0]), ListedAxis(None, "float"), ListedAxis(lists[1], "categorical")]
    mesh = np.meshgrid(lists[0], np.linspace(0, 1, 101), lists[1], indexing="ij")
    everything = np.stack(mesh, axis=-1).reshape(-1, 3)
    for seed in range(2):
        rng = np.random.default_rng([seed, K])
        X, paths = draw(rng, 3, K + 1)
        X = everything[rng.integers(0, len(everything), 6)]
        found = promise(paths[:K], paths[K:], Mixed(axes), X, rng)
        values = np.stack([path(everything) for path in paths], axis=1)
        data = np.stack([path(X) for path in paths], axis=1)
        best = targets_among(values, everything.__getitem__, data, np.zeros(1), rng)
        assert np.isin(found.points[:, 0], lists[0]).all()
        assert np.isin(found.points[:, 2], lists[1]).all()
        if K == 1:
            assert found.values[0] > best.values[0] - 2e-3
        else:
            known = data[data[:, K] >= 0.0, :K]
            if len(known):
                gaps = gaps_of(np.concatenate([best.front, found.values[None, :K]]), known)
                assert gaps[-1] > best.gap - 0.02


KNOWN = {
    "polytope": ["x0 + x1 <= 0.8", "x2 >= x3"],
    "simplex": ["x0 + x1 + x2 + x3 == 1"],
    "curve": ["x0 * x1 <= 0.2"],
    "lists": ["x0 + 0.1 * n <= 1", "c == 'a' or x1 <= 0.5"],
}


@pytest.mark.parametrize("name", KNOWN)
def test_a_front_within_known_constraints(name):
    """Climbs go along the constraints: no random point that obeys is better by much."""
    listed = {"n": Int(1, 9), "c": Categorical(["a", "b", "c"])} if name == "lists" else {}
    space = Space({f"x{i}": Float(0, 1) for i in range(4)} | listed, where=KNOWN[name])
    domain, rng = Constrained(space.axes, space.limits), np.random.default_rng(7)
    d = domain.dimension
    X = domain.spread(8, rng)
    prior = gp.GaussianProcess(gp.Matern52(np.full(d, 0.5)), 1e-4)
    models = [prior.condition(X, prior.sample(X, rng)[0]) for _ in range(2)]
    paths = [PathScore(gp.draw_path(model, rng), d) for model in models]
    found = promise(paths, [], domain, X, rng)
    assert space.limits.holds(found.points).all()
    values = np.stack([path(found.points) for path in paths], axis=1)
    np.testing.assert_allclose(values, found.front, rtol=1e-9)
    U = domain.spread(5000, rng)
    others = np.stack([path(U[space.limits.holds(U)]) for path in paths], axis=1)
    span = np.ptp(found.front, axis=0)
    beyond = ((others[:, None] - found.front) / span).max(axis=2).min(axis=1)
    assert beyond.max() < 0.05


def test_a_front_of_a_conditional_space_is_of_settled_points(rng):
    space = Space(
        {
            "x": Float(0, 1),
            "kind": Categorical(["plain", "rich"]),
            "y": Float(0, 1, when="kind == 'rich'"),
            "z": Float(0, 1, when="y > 0.3"),
        }
    )
    domain = Conditional(Mixed(space.axes), space.settle)
    X = domain.spread(8, rng)
    kernel = gp.Matern52(np.full(4, 0.5))
    prior = gp.GaussianProcess(kernel, 1e-4)
    models = [prior.condition(X, prior.sample(X, rng)[0]) for _ in range(2)]
    paths = [PathScore(gp.draw_path(model, rng), 4) for model in models]
    found = promise(paths, [], domain, X, rng)
    np.testing.assert_array_equal(space.settle(found.points), found.points)
    assert np.isin(found.points[:, 1], [0.0, 1.0]).all()
    U = domain.spread(5000, rng)
    others = np.stack([path(U) for path in paths], axis=1)
    beyond = ((others[:, None] - found.front) / np.ptp(found.front, axis=0)).max(axis=2).min(axis=1)
    assert beyond.max() < 0.05


def test_the_same_seed_gives_the_same_targets():
    X, paths = draw(np.random.default_rng(5), 3, 3)
    found = [promise(paths[:2], paths[2:], Box(3), X, np.random.default_rng(1)) for _ in range(2)]
    np.testing.assert_array_equal(found[0].values, found[1].values)
    np.testing.assert_array_equal(found[0].points, found[1].points)


def test_a_reference_sends_the_target_where_it_adds_most(rng):
    X, paths = draw(rng, 2, 2)
    axis = np.linspace(0, 1, 81)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    values = np.stack([path(grid) for path in paths], axis=1)
    data = np.stack([path(X) for path in paths], axis=1)
    reference = np.quantile(values, 0.5, axis=0)
    found = promise(paths, [], Box(2), X, rng, reference=reference)
    best = targets_among(values, grid.__getitem__, data, np.empty(0), rng, reference=reference)
    assert found.gap > 0.99 * best.gap


@pytest.mark.parametrize(("K", "J"), [(1, 1), (2, 0), (2, 1)])
def test_twenty_times_the_effort_promises_little_more(K, J):
    """Shortfalls in units of the objective (one) or of the front's spans (several)."""
    short = []
    for seed in range(3):
        X, paths = draw(np.random.default_rng([seed, K, J]), 3, K + J)
        known = {"bounds": np.zeros(J), "scales": np.full(3, 0.4)}
        found, best = (
            promise(paths[:K], paths[K:], Box(3), X, np.random.default_rng(seed), **known, effort=e)
            for e in (1.0, 20.0)
        )
        assert found.feasible == best.feasible
        if K == 1:
            short.append(best.values[0] - found.values[0])
            continue
        at_data = np.stack([path(X) for path in paths], axis=1)
        data = at_data[(at_data[:, K:] >= 0.0).all(axis=1), :K]
        gaps = gaps_of(np.concatenate([best.front, found.values[None, :K]]), data)
        short.append(gaps[:-1].max() - gaps[-1])
    assert np.mean(short) < 0.02 and max(short) < 0.05
