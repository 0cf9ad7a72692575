"""Solving with a Cholesky factor by its inverse, where that is faster, is solving with it."""

import numpy as np
import pytest

from pathmax.gp import RBF, linalg


@pytest.mark.parametrize("n", [0, 1, 40, 200, linalg.MOST_INVERTED + 1])
def test_a_root_solves_as_its_factor_does(n):
    rng = np.random.default_rng(n)
    points = np.concatenate([rng.random((n - n // 2, 2)), 0.5 + 1e-3 * rng.random((n // 2, 2))])
    K = RBF(0.3)(points) + 1e-6 * np.eye(n)
    L, _ = linalg.factorize(K)
    B = np.asfortranarray(rng.standard_normal((n, 5)))
    root = linalg.Root(L)
    assert root.inverted is (n <= linalg.MOST_INVERTED)
    lower, upper = linalg.solve_lower(L, B), linalg.solve_upper(L, B)
    np.testing.assert_allclose(root.lower(B), lower, atol=1e-9 * np.abs(lower).max(initial=1.0))
    np.testing.assert_allclose(root.upper(B), upper, atol=1e-9 * np.abs(upper).max(initial=1.0))


@pytest.mark.parametrize("n", [1, 64, 65, 130, 301])
def test_a_factor_is_inverted_by_halves(n):
    rng = np.random.default_rng(n)
    A = rng.standard_normal((n, 2 * n))
    K = A @ A.T / n
    L, _ = linalg.factorize(K)
    inverted = linalg.inverse_lower(L)
    np.testing.assert_allclose(inverted @ L, np.eye(n), atol=1e-10)
    assert not np.triu(inverted, 1).any()
    upper = linalg.half_inverse(L)
    np.testing.assert_allclose(upper, np.triu(np.linalg.inv(K)), atol=1e-8)


def test_an_outer_product_is_added_above_the_diagonal(rng):
    A, v = rng.standard_normal((7, 7)), rng.standard_normal(7)
    whole = A - 2.0 * np.outer(v, v)
    changed = A.copy()
    linalg.add_outer_above(changed, -2.0, v)
    assert np.triu(changed) == pytest.approx(np.triu(whole))
    assert np.array_equal(np.tril(changed, -1), np.tril(A, -1))
