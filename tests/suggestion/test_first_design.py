"""First designs: stratified, uniform, seeded; on finite domains the nearest free rows."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathmax.search.sobol import MAX_DIMENSION, directions, latin_hypercube, sobol
from pathmax.space.axes import Axis
from pathmax.suggestion.first_design import nearest_free_cells, nearest_free_rows, place

DESIGNS = [latin_hypercube, sobol]


@pytest.mark.parametrize("design", DESIGNS)
class TestBoth:
    @pytest.mark.parametrize(("n", "d"), [(0, 3), (1, 1), (5, 3), (64, 7), (16, 101), (16, 150)])
    def test_shape_and_range(self, design, n, d, rng):
        points = design(n, d, rng)
        assert points.shape == (n, d)
        assert points.dtype == np.float64
        assert ((points >= 0) & (points < 1)).all()

    @pytest.mark.parametrize(("n", "d"), [(1, 2), (8, 3), (128, 130)])
    def test_one_point_in_every_slice_of_every_coordinate(self, design, n, d, rng):
        slices = np.sort(np.floor(design(n, d, rng) * n).astype(int), axis=0)
        np.testing.assert_array_equal(slices, np.broadcast_to(np.arange(n)[:, None], (n, d)))

    def test_the_seed_decides(self, design):
        one, same, other = (design(8, 3, np.random.default_rng(s)) for s in (1, 1, 2))
        np.testing.assert_array_equal(one, same)
        assert not np.array_equal(one, other)

    def test_each_point_is_uniform(self, design, rng):
        # The first and the last of 5 points over 4000 draws: mean 1/2 and variance 1/12, to within
        # 4.5 standard errors (std 0.2887 / sqrt 4000, and 0.0745 / sqrt 4000 for the square).
        draws = np.array([design(5, 2, rng)[[0, 4]].ravel() for _ in range(4000)])
        assert np.abs(draws.mean(axis=0) - 1 / 2).max() < 4.5 * 0.2887 / np.sqrt(4000)
        assert np.abs(((draws - 0.5) ** 2).mean(axis=0) - 1 / 12).max() < 4.5 * 0.0745 / np.sqrt(
            4000
        )


def test_sobol_points_are_those_of_the_published_directions():
    from scipy.stats import qmc

    words = np.zeros((1, MAX_DIMENSION), dtype=np.uint64)
    for b in range(8):
        words = np.concatenate([words, words ^ directions(MAX_DIMENSION)[:, b]])
    k = np.arange(256)
    gray = k ^ (k >> 1)  # SciPy runs through the same points in the order of the Gray code
    published = qmc.Sobol(MAX_DIMENSION, scramble=False, bits=32).random(256)
    np.testing.assert_array_equal(words[gray] * 2.0**-32, published)


def test_two_sobol_coordinates_fill_every_elementary_rectangle(rng):
    points = sobol(64, 2, rng)  # scrambling keeps the (0, 6, 2)-net
    for k in range(7):
        cells = np.floor(points * [2**k, 2 ** (6 - k)]).astype(int)
        assert len({tuple(cell) for cell in cells}) == 64


def test_sobol_integrates_better_than_chance(rng):
    # A smooth integrand of 6 coordinates; random points err by std / sqrt n = 0.04.
    errors = [np.prod(1 + 0.5 * (sobol(512, 6, rng) - 0.5), axis=1).mean() - 1 for _ in range(20)]
    assert np.sqrt(np.mean(np.square(errors))) < 0.002


def test_place_gives_every_category_its_share(rng):
    axes = [Axis("float"), Axis("categorical", np.arange(4.0)), Axis("int", np.linspace(0, 1, 4))]
    points = place(latin_hypercube(40, 3, rng), axes)
    assert np.unique(points[:, 1], return_counts=True)[1].tolist() == [10] * 4
    assert np.unique(points[:, 2], return_counts=True)[1].tolist() == [10] * 4


CATEGORY = Axis("categorical", np.arange(3.0))


def distance(a, b, axes):
    gaps = [
        float(x != y) if axis.kind == "categorical" else (x - y) ** 2
        for x, y, axis in zip(a, b, axes, strict=True)
    ]
    return sum(gaps)


class TestRows:
    axes = (Axis("float"), CATEGORY, Axis("float"))

    def pool(self, rng, n):
        return np.column_stack([rng.random(n), rng.integers(0, 3, n), rng.random(n)])

    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    @pytest.mark.parametrize("n", [1, 40, 20_000])
    def test_each_point_gets_the_nearest_row_left(self, n, dtype, rng):
        rows, free = self.pool(rng, n).astype(dtype), rng.random(n) < 0.7
        free[0] = True
        points = place(latin_hypercube(6, 3, rng), self.axes)
        found = nearest_free_rows(points, rows, free, self.axes)
        left = set(np.flatnonzero(free).tolist())
        for point, index in zip(points, found, strict=False):
            nearest = min(distance(point, rows[i], self.axes) for i in left)
            assert index in left
            assert distance(point, rows[index], self.axes) == pytest.approx(nearest, abs=1e-12)
            left.remove(int(index))
        assert len(found) == min(6, free.sum())

    def test_no_row_twice_even_when_all_points_are_one(self, rng):
        rows = self.pool(rng, 30)
        points = np.tile(rows[3], (30, 1))
        found = nearest_free_rows(points, rows, np.ones(30, bool), self.axes)
        assert sorted(found.tolist()) == list(range(30))
        assert found[0] == 3

    def test_nothing_free_gives_nothing(self, rng):
        rows = self.pool(rng, 5)
        assert len(nearest_free_rows(rows[:2], rows, np.zeros(5, bool), self.axes)) == 0


class TestCells:
    axes = (
        Axis("int", np.array([0.0, 0.1, 0.7, 1.0])),
        CATEGORY,
        Axis("int", np.linspace(0, 1, 5)),
    )

    @given(
        st.tuples(st.floats(0, 1), st.integers(0, 2), st.floats(0, 1)),
        st.sets(st.integers(0, 59), max_size=59),
    )
    def test_the_nearest_free_cell_is_the_one_brute_force_finds(self, point, taken):
        [found] = nearest_free_cells(np.array([point]), self.axes, taken)
        cells = list(itertools.product(*(axis.values for axis in self.axes)))
        gaps = {i: distance(point, cell, self.axes) for i, cell in enumerate(cells)}
        assert found not in taken
        nearest = min(gap for i, gap in gaps.items() if i not in taken)
        assert gaps[found] == pytest.approx(nearest, abs=1e-12)

    def test_no_cell_twice_until_none_is_left(self):
        points = np.zeros((70, 3))
        found = nearest_free_cells(points, self.axes)
        assert sorted(found) == list(range(60))
        assert found[0] == 0

    def test_a_grid_beyond_all_memory(self, rng):
        axes = [Axis("int", np.linspace(0, 1, 100))] * 20
        [corner] = nearest_free_cells(np.ones((1, 20)), axes)
        assert corner == 100**20 - 1
        [neighbour] = nearest_free_cells(np.ones((1, 20)), axes, [corner])
        assert corner - neighbour in {100**j for j in range(20)}
