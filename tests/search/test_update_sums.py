"""Inverse Hessians as sums of updates are the matrices that they stand for."""

import numpy as np
import pytest

from pathmax.search import quasi_newton
from pathmax.search.box import GO_ON, Box
from pathmax.search.quasi_newton import ascend
from pathmax.search.update_sums import FIRST_ROOM, UpdateSum


def matrices(diagonals):
    return np.stack([np.diag(one) for one in diagonals])


def test_it_is_the_matrix_through_updates_factors_restarts_and_cuts(rng):
    S, d = 5, 7
    start = rng.random((S, d))
    listed, dense = UpdateSum(S, d), matrices(start)
    listed.restart(np.ones(S, dtype=bool), start)
    for i in range(2 * FIRST_ROOM + 3):  # its room is grown twice
        a, b = rng.normal(size=(2, len(dense), d))
        factors = rng.random((len(dense), 1, 1)) + 0.5
        listed *= factors
        dense *= factors
        listed.add_outer_products(a, b)
        outer = a[:, :, None] * b[:, None, :]
        dense += outer + outer.transpose(0, 2, 1)
        if i == 4:
            which, again = np.arange(S) % 2 == 0, rng.random((S, d))
            listed.restart(which, again)
            dense[which] = matrices(again)[which]
        if i == 9:
            going = np.array([True, False, True, True, False])
            listed, dense = listed[going], dense[going]
        X = rng.normal(size=(len(dense), d, 1))
        np.testing.assert_allclose(listed @ X, dense @ X, rtol=1e-9, atol=1e-9)


def test_what_was_no_number_is_gone_after_a_restart(rng):
    listed = UpdateSum(2, 3)
    listed.restart(np.array([True, True]), np.ones((2, 3)))
    listed.add_outer_products(np.array([[np.nan] * 3, [1.0] * 3]), np.ones((2, 3)))
    listed.restart(np.array([True, False]), np.full((2, 3), 2.0))
    np.testing.assert_array_equal((listed @ np.ones((2, 3, 1)))[:, :, 0], [[2.0] * 3, [7.0] * 3])


class Hills:
    """Two hills of different widths along each coordinate."""

    def value_and_gradient(self, U):
        near, far = U - 0.3, U - 0.8
        rate = np.linspace(5.0, 20.0, U.shape[1])
        first = np.exp(-(near**2 @ rate) / U.shape[1])
        second = 0.5 * np.exp(-(far**2 @ rate[::-1]) / U.shape[1])
        slope = first[:, None] * near * rate + second[:, None] * far * rate[::-1]
        return first + second, -2.0 * slope / U.shape[1]


@pytest.mark.parametrize("cuts", [{}, GO_ON], ids=["all", "the best"])
def test_an_ascent_goes_the_same_way(cuts, rng, monkeypatch):
    starts, d = rng.random((12, 30)), 30
    ways = []
    for many in (d, d + 1):
        monkeypatch.setattr(quasi_newton, "MANY_DIMENSIONS", many)
        ways.append(ascend(Hills(), starts, Box(d), scales=np.full(d, 0.4), unit=1.0, cuts=cuts))
    assert ways[0].rounds == ways[1].rounds > 5
    np.testing.assert_allclose(ways[0].U, ways[1].U, atol=1e-6)
    np.testing.assert_allclose(ways[0].values, ways[1].values, rtol=1e-9)
