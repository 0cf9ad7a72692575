"""Mixed spaces: the best is found on the lattice itself, and what is taken is not suggested."""

import itertools

import numpy as np
import pytest

from pathmax import gp
from pathmax.acquisition import Mixed, choose
from pathmax.acquisition.improvement_rules import ProbabilityOfImprovement
from pathmax.acquisition.scores import PosteriorScore
from pathmax.acquisition.surfaces.path_score import PathScore
from pathmax.errors import ExhaustedError
from pathmax.search.domains import Task
from pathmax.search.lattice import Lattice, ListedAxis, steps
from pathmax.search.lattice_search import MixedSearch, paired, together
from pathmax.search.maximization import maximize
from pathmax.search.mixed_domain import ENUMERATED

REAL = ListedAxis(None, "float")


def whole(k):
    return ListedAxis(np.linspace(0.0, 1.0, k))


def category(k):
    return ListedAxis(np.arange(float(k)), "categorical")


def kernel_for(axes, scale=0.4, rho=0.5):
    numbers = tuple(i for i, axis in enumerate(axes) if axis.kind != "categorical")
    categories = tuple(i for i, axis in enumerate(axes) if axis.kind == "categorical")
    if not categories:
        return gp.Matern52(scale)
    if not numbers:
        return gp.Categorical(rho)
    return gp.Matern52(scale, on=numbers) * gp.Categorical(rho, on=categories)


def model_on(axes, rng, n=20, **kernel):
    X = Lattice(axes).place(rng.random((n, len(axes))))
    model = gp.GaussianProcess(kernel_for(axes, **kernel), 1e-6)
    return model.condition(X, gp.draw_path(model, rng)(X))


SPACES = {
    "integers": [whole(10)] * 5,  # 100,000 points
    "both": [whole(30), whole(30), whole(10), category(4), category(2)],  # 72,000
    "categories": [category(5)] * 7,  # 78,125
    "long": [whole(1000), whole(100)],
}


@pytest.mark.parametrize("name", SPACES)
def test_up_to_100000_points_the_best_is_always_found(name):
    axes = SPACES[name]
    lattice = Lattice(axes)
    everything = lattice.enumerate()
    assert len(everything) <= ENUMERATED
    for seed in range(2):
        rng = np.random.default_rng(seed)
        path = PathScore(gp.draw_path(model_on(axes, rng, n=8), rng, n_features=32), len(axes))
        values = path.approximate(everything)
        close = np.argsort(-values)[:50]
        best = path(everything[close]).max()
        found = maximize(path, Mixed(axes), rng)
        assert found.value == pytest.approx(best, abs=1e-9) and found.index is None
        np.testing.assert_array_equal(lattice.snap(found.u[None])[0], found.u)


@pytest.mark.parametrize("name", ["integers", "both", "long"])
def test_the_search_beyond_that_finds_it_too(name):
    """PIMS at three levels, the search against every point of the space: 99 % and more."""
    axes, misses, searches = SPACES[name], 0, 0
    everything = Lattice(axes).enumerate()
    for seed in range(10):
        rng = np.random.default_rng(seed)
        model = model_on(axes, rng, n=10, scale=0.7, rho=0.8)
        for level in (2.0, 3.0, 4.0):
            score = PosteriorScore(model, ProbabilityOfImprovement(level))
            task = Task(score, rng, model.X, np.full(len(axes), 0.7))
            found = MixedSearch(task, Mixed(axes)).run()
            best = max(score(part).max() for part in np.array_split(everything, 50))
            misses += found.value < best - 1e-9
            searches += 1
    assert misses <= 0.01 * searches


def test_the_search_on_paths(rng):
    """A path of moderate scale on 4096 points: the search, not the enumeration."""
    axes = [whole(8), whole(8), whole(8), category(4), category(2)]
    everything = Lattice(axes).enumerate()
    misses = 0
    for _ in range(10):
        path = PathScore(gp.draw_path(model_on(axes, rng, scale=0.8), rng), 5)
        task = Task(path, rng, np.empty((0, 5)), np.full(5, 0.8), effort=2.0)
        found = MixedSearch(task, Mixed(axes)).run()
        misses += found.value < path(everything).max() - 1e-9
    assert misses == 0


def test_reals_are_climbed_for_every_combination(rng):
    """Two reals and 24 combinations, against an ascent of the reals in each combination."""
    axes = [REAL, whole(4), REAL, category(3), whole(2)]
    combinations = np.array(list(itertools.product(whole(4).values, range(3), (0.0, 1.0))))
    missed = 0
    for _ in range(8):
        model = model_on(axes, rng, scale=0.6)
        path = PathScore(gp.draw_path(model, rng), 5)
        best = -np.inf
        grid = np.stack(np.meshgrid(*[np.linspace(0, 1, 21)] * 2), axis=-1).reshape(-1, 2)
        for combination in combinations:
            U = np.empty((len(grid), 5))
            U[:, [0, 2]], U[:, [1, 3, 4]] = grid, combination
            best = max(best, path(U).max())
        found = maximize(path, Mixed(axes), rng, hints=model.X, scales=np.full(5, 0.6))
        missed += found.value < best - 1e-9
        assert found.u[1] in whole(4).values and found.u[3] in (0, 1, 2) and found.u[4] in (0, 1)
    assert missed == 0


def test_lattice_points_positions_and_numbers(rng):
    lattice = Lattice([whole(3), REAL, category(4)])
    U = lattice.place(rng.random((50, 3)))
    np.testing.assert_array_equal(lattice.snap(U), U)
    assert set(U[:, 2]) == {0.0, 1.0, 2.0, 3.0} and set(U[:, 0]) == {0.0, 0.5, 1.0}
    places = lattice.positions(U)
    np.testing.assert_array_equal(places[:, 0], 2 * U[:, 0])
    np.testing.assert_array_equal(lattice.numbers(U), 4 * places[:, 0] + places[:, 1])
    assert len(np.unique(lattice.keys(lattice.enumerate()))) == 12


def test_moves_change_one_or_two_coordinates(rng):
    lattice = Lattice([whole(5), category(3), whole(100), REAL])
    u = lattice.place(rng.random((2, 4)))
    moves = lattice.moves(u)
    points, owners = moves.of(u), moves.owners
    changed = (points != u[owners]).sum(axis=1)
    assert (changed == 1).all() and (np.diff(owners) >= 0).all()
    alone = points[owners == 0]
    assert len(np.unique(alone, axis=0)) == len(alone)
    assert set(alone[alone[:, 0] != u[0, 0], 0]) == set(whole(5).values) - {u[0, 0]}
    assert set(alone[alone[:, 1] != u[0, 1], 1]) == {0.0, 1.0, 2.0} - {u[0, 1]}
    found = rng.random(len(points))
    pairs, owners = paired(u, moves, found, 10_000)
    assert ((pairs != u[owners]).sum(axis=1) == 2).all()
    assert len(np.unique(pairs, axis=0)) == len(pairs)
    np.testing.assert_array_equal(lattice.snap(pairs), pairs)
    _, owners = paired(u, moves, found, 10)
    assert 0 < np.bincount(owners).max() <= 10
    lonely = Lattice([whole(5), REAL])
    assert not len(paired(np.zeros((1, 2)), lonely.moves(np.zeros((1, 2))), np.zeros(4), 10)[0])


def test_the_best_moves_are_made_together():
    """Of an additive score every move that helps is made in one turn, and none that does not."""
    lattice = Lattice([whole(3)] * 6)
    worth = np.array([1.0, -1.0, 2.0, 0.5, -3.0, 4.0])
    U = np.vstack([np.full(6, 0.5), np.where(worth > 0, 1.0, 0.0)])  # the second is the best point
    moves = lattice.moves(U)
    points, owners = together(U, moves, moves.of(U) @ worth, U @ worth)
    assert (owners == 0).all()
    best = points[np.argmax(points @ worth)]
    np.testing.assert_array_equal(best, U[1])
    assert sorted((points != 0.5).sum(axis=1)) == [2, 4, 6]


def test_many_binaries_are_searched_to_the_end(rng):
    """64 of them: no change of one or of two coordinates improves what is found."""
    axes = [category(2)] * 64
    model = model_on(axes, rng, n=50, rho=0.95)
    for score in (
        PathScore(gp.draw_path(model, rng), 64),
        PosteriorScore(model, ProbabilityOfImprovement(3.0)),
    ):
        found = maximize(score, Mixed(axes), rng, hints=model.X, scales=np.ones(64))
        first, second = np.triu_indices(64)  # a coordinate with itself: a single change
        U = np.repeat(found.u[None], len(first), axis=0)
        rows = np.arange(len(U))
        U[rows, first] = 1.0 - found.u[first]
        U[rows, second] = 1.0 - found.u[second]
        assert score(U).max() <= found.value + 1e-4


@pytest.mark.parametrize("method", ["pims", "ts", "ei", "random"])
def test_points_that_are_taken_do_not_come_back(method, rng):
    axes = [whole(4), category(3)]
    model = model_on(axes, rng, n=3)
    everything = Lattice(axes).enumerate()
    taken = model.X
    while len(np.unique(taken, axis=0)) < 12:
        choice = choose(method, model, Mixed(axes, taken), rng, t=1)
        assert not (taken == choice.u).all(axis=1).any()
        taken = np.vstack([taken, choice.u])
    assert len(np.unique(np.vstack([taken, everything]), axis=0)) == 12
    with pytest.raises(ExhaustedError, match="all 12 points"):
        choose(method, model, Mixed(axes, taken), rng, t=1)


def test_large_lattices_leave_out_what_is_taken(rng):
    axes = [category(2)] * 20
    domain = Mixed(axes)
    assert domain.rows() is None
    model = model_on(axes, rng)
    best = choose("gp-ucb", model, domain, rng)
    again = choose("gp-ucb", model, Mixed(axes, best.u[None]), rng)
    assert not np.array_equal(best.u, again.u)


def test_a_few_free_points_among_many_are_found(rng):
    axes = [whole(100)] * 2
    lattice = Lattice(axes)
    everything = lattice.enumerate()
    domain = Mixed(axes, everything[:-2])
    for _ in range(20):
        free = domain.free_points(rng)
        assert len(free) and np.isin(lattice.keys(free), lattice.keys(everything[-2:])).all()


def test_a_long_list_of_choices_fits_in_memory() -> None:
    targets, exists = steps(100_000, ordered=False)
    assert targets.nbytes < 30e6 and exists.all() and targets.shape[1] < 40
    assert (targets != np.arange(100_000)[:, None]).all() and targets.max() < 100_000
    every, _ = steps(50, ordered=False)
    assert every.shape == (50, 49)
