"""Going through all rows: ties, exclusions, exhaustion, and rows in any number of chunks."""

import numpy as np
import pytest

from pathmax import gp
from pathmax.acquisition import METHODS, GridDomain, Pool, choose
from pathmax.errors import ExhaustedError, ModelError
from pathmax.search.rows import each_chunk, maximize_rows, refine
from pathmax.search.scores import Score


class Exact(Score):
    """A score read off a column."""

    def __call__(self, U):
        return U[:, 0].astype(float)

    def value_and_gradient(self, U):
        return self(U), np.eye(U.shape[1])[[0]].repeat(len(U), axis=0)


class Rough(Exact):
    """Its first look is wrong by as much as 1e-3."""

    def approximate(self, U):
        return self(U) + 1e-3 * np.sin(1e6 * U[:, 0])


@pytest.mark.parametrize("score", [Exact(), Rough()], ids=["exact", "rough"])
@pytest.mark.parametrize("chunk", [1, 7, 64, 5000])
def test_the_best_row_is_found(score, chunk, rng):
    U = rng.random((3000, 2))
    best = maximize_rows(score, Pool(U), chunk=chunk)
    assert best.index == np.argmax(U[:, 0])
    assert best.value == U[best.index, 0] and np.array_equal(best.u, U[best.index])


def test_of_equal_rows_the_first_wins(rng):
    U = rng.random((500, 3))
    U[[400, 77, 300]] = 2.0
    model = gp.GaussianProcess(gp.RBF(0.5), 1e-4).condition(U[:10], U[:10, 0])
    assert maximize_rows(Exact(), Pool(U)).index == 77
    assert maximize_rows(Exact(), Pool(U, excluded=[77])).index == 300
    everywhere_equal = np.ones((5000, 3))
    for method in (each for each in METHODS if each not in ("random", "es")):
        assert choose(method, model, Pool(everywhere_equal), rng).index == 0


def test_values_that_are_wrong_by_a_little_are_computed_again(rng):
    U = rng.random((2000, 1))
    rough = U[:, 0] + rng.uniform(-1e-4, 1e-4, 2000)
    assert refine(Exact(), Pool(U), np.arange(2000), rough).index == np.argmax(U[:, 0])


def test_every_row_is_in_one_chunk():
    for size, chunk in ((1, 10), (10, 10), (11, 10), (1000, 7)):
        seen = np.zeros(size, dtype=int)

        def count(rows, seen=seen):
            seen[rows] += 1

        each_chunk(count, size, chunk)
        assert (seen == 1).all()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("domain", [Pool, GridDomain])
def test_excluded_rows_are_never_chosen(method, domain, rng):
    axes = [np.linspace(0, 1, 5), np.linspace(0, 1, 4)]
    points = GridDomain(axes).points(np.arange(20))
    model = gp.GaussianProcess(gp.RBF(0.4), 1e-6).condition(points[:3], [0.0, 1.0, 0.5])
    of = points if domain is Pool else axes
    taken = [0, 1, 2]
    while len(taken) < 20:
        choice = choose(method, model, domain(of, taken), rng, t=3)
        assert choice.index not in taken
        np.testing.assert_array_equal(choice.u, points[choice.index])
        taken.append(choice.index)
    with pytest.raises(ExhaustedError, match="all 20"):
        choose(method, model, domain(of, taken), rng, t=3)


def test_masks_and_numbers_exclude_alike(rng):
    U = rng.random((9, 2))
    mask = np.zeros(9, dtype=bool)
    mask[[2, 5]] = True
    np.testing.assert_array_equal(Pool(U, mask).free, Pool(U, [2, 5]).free)
    np.testing.assert_array_equal(Pool(U, []).free, np.arange(9))
    np.testing.assert_array_equal(Pool(U, [2]).whole().free, np.arange(9))
    with pytest.raises(ModelError, match="mask"):
        Pool(U, np.zeros(8, dtype=bool))
    with pytest.raises(ModelError, match="rows"):
        Pool(np.empty((0, 2)))
    with pytest.raises(ModelError, match="axis"):
        GridDomain([np.array([])])


def test_one_candidate(rng):
    model = gp.GaussianProcess(gp.RBF(0.4), 1e-6).condition([[0.1]], [1.0])
    for method in METHODS:
        for domain in (Pool(np.array([[0.5]])), GridDomain([np.array([0.1])])):
            assert choose(method, model, domain, rng, confidence="theoretical").index == 0


def test_a_grid_whose_kernel_does_not_separate_is_gone_through(rng):
    axes = [np.linspace(0, 1, 6)] * 2
    points = GridDomain(axes).points(np.arange(36))
    model = gp.GaussianProcess(gp.Matern52(0.4), 1e-6).condition(points[:4], [0.0, 1.0, 0.5, 0.2])
    choice = choose("pims", model, GridDomain(axes, range(4)), rng)
    mean, std = model.predict(points[4:])
    assert choice.index == 4 + np.argmin((choice.info["g_star"] - mean) / std)


def test_data_off_the_grid(rng):
    axes = [np.linspace(0, 1, 6)] * 2
    model = gp.GaussianProcess(gp.RBF(0.4), 1e-6).condition([[0.123, 0.456]], [1.0])
    assert choose("pims", model, GridDomain(axes), rng).index is not None
