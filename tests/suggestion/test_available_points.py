"""What may be suggested: never what is taken, and the nearest free point in its place."""

import numpy as np
import pytest

from pathmax import Candidates, Categorical, Float, Grid, Int, Space
from pathmax.acquisition import Box, GridDomain, Mixed, Pool
from pathmax.errors import ExhaustedError
from pathmax.suggestion.available_points import MAX_GRID, RESOLUTION, available, params_at

FLOATS = Space({"x": Float(0, 1), "y": Float(0, 1)})
LATTICE = Space({"k": Int(0, 4), "c": Categorical(["a", "b"])})
NOTHING = np.empty((0, 2))


def test_each_kind_of_space_has_its_domain():
    assert isinstance(available(FLOATS, NOTHING).domain, Box)
    assert isinstance(available(LATTICE, NOTHING).domain, Mixed)
    assert isinstance(available(Grid({"a": [1, 2]}), NOTHING).domain, GridDomain)
    assert isinstance(available(Candidates([{"x": 1}, {"x": 2}]), NOTHING).domain, Pool)
    huge = Grid({name: range(100) for name in "abcd"})
    assert huge.cardinality > MAX_GRID
    assert isinstance(available(huge, np.empty((0, 4))).domain, Mixed)


def test_a_huge_grid_gives_its_nearest_free_point():
    huge = Grid({name: range(100) for name in "abcd"})
    u = np.array([0.5, 0.1, 0.9, 0.33])
    row = huge.index(params_at(huge, u, None))
    other = available(huge, huge.encode_rows([row]), (row,)).settle(
        u, None, np.random.default_rng(0)
    )
    assert other != huge.params(row)
    gap = huge.encode(other) - huge.encode_rows([row])[0]
    assert np.count_nonzero(gap) == 1
    assert np.abs(gap).max() == pytest.approx(1 / 99)


def test_a_taken_float_is_left_by_as_little_as_the_kernel_can_see(rng: np.random.Generator):
    taken = np.array([[0.5, 0.5], [1.0, 0.0]])
    for u in taken:
        moved = FLOATS.encode(available(FLOATS, taken).settle(u, None, rng))
        gaps = np.abs(taken - moved).max(axis=1)
        assert RESOLUTION <= gaps.min() < 100 * RESOLUTION
    assert available(FLOATS, taken, replicates=True).settle(taken[0], None, rng) == {
        "x": 0.5,
        "y": 0.5,
    }


def test_a_taken_lattice_point_gives_way_to_the_nearest_free_one(rng: np.random.Generator):
    taken = LATTICE.encode_many([{"k": k, "c": "a"} for k in (1, 2, 3)])
    chosen = available(LATTICE, taken).settle(taken[1], None, rng)
    assert chosen in ({"k": 0, "c": "a"}, {"k": 4, "c": "a"})


def test_floats_beside_a_lattice_are_what_moves(rng: np.random.Generator):
    space = Space({"x": Float(0, 1), "c": Categorical(["a", "b"])})
    taken = space.encode_many([{"x": 0.5, "c": "b"}])
    chosen = available(space, taken).settle(taken[0], None, rng)
    assert chosen["c"] == "b"
    assert 0 < abs(float(chosen["x"]) - 0.5) < 1e-5


def test_whole_numbers_beyond_counting_step_aside_too(rng: np.random.Generator):
    space = Space({"n": Int(0, 10**9)})
    taken = space.encode_many([{"n": 500_000_000}])
    chosen = available(space, taken).settle(taken[0], None, rng)
    assert 0 < abs(int(chosen["n"]) - 500_000_000) < 10_000


def test_bounds_that_hold_few_floats_run_out_with_a_word(rng: np.random.Generator):
    space = Space({"x": Float(1.0, float(np.nextafter(1.0, 2.0)))})
    taken = np.array([[0.0], [1.0]])
    with pytest.raises(ExhaustedError, match="room for a few floats only"):
        available(space, taken).settle(taken[0], None, rng)


def test_what_is_left_is_counted():
    pool = Candidates([{"x": 1}, {"x": 2}, {"x": 1}])
    assert available(pool, NOTHING).left == 2
    assert available(pool, np.zeros((1, 1)), (2,)).left == 1  # a result for a twin counts for both
    assert available(LATTICE, LATTICE.encode_many([{"k": 1, "c": "a"}] * 2)).left == 9
    assert available(FLOATS, NOTHING).left is None
    available(pool, np.zeros((2, 1)), (0, 1), replicates=True).check()
    with pytest.raises(ExhaustedError, match="all 2 points"):
        available(pool, np.zeros((2, 1)), (0, 1)).check()


def test_the_first_design_of_a_pool_is_the_rows_nearest_to_a_latin_hypercube():
    values = np.random.default_rng(0).random((400, 2))
    pool = Candidates(values)
    rows: list[int] = []
    for number in range(8):
        params = available(pool, pool.encode_rows(rows), tuple(rows)).start(number, 8, 3)
        rows.append(pool.index(params))
    assert len(set(rows)) == 8
    U = pool.encode_rows(rows)
    for column in U.T:  # one in each slice, or just over its border
        assert np.abs(np.sort(column) - (np.arange(8) + 0.5) / 8).max() < 0.12


def test_replicates_may_start_where_others_are():
    grid = Grid({"a": [1, 2]})
    everything = available(grid, grid.encode_rows([0, 1]), (0, 1), replicates=True)
    assert everything.start(0, 2, 0)["a"] in (1, 2)
    assert everything.domain.excluded is None


def test_params_at_a_bound_are_those_of_their_own_place(rng):
    """10 / 7 of a range up to 10 is placed a last digit lower: suggested is what stays."""
    space = Space({"a": Float(0, 10), "n": Int(1, 10)}, ["a * n <= 10"])
    seven = space.encode({"a": 1.0, "n": 7})[1]
    for beyond in range(40):
        u = np.array([(10 / 7 + beyond * 2.2e-16) / 10, seven])
        params = available(space, np.empty((0, 2))).settle(u, None, rng)
        assert space.decode(space.encode(params)) == params
        assert params["n"] == 7 and 1.4285714285714 < params["a"] and params["a"] * 7 <= 10
