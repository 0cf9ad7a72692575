"""Projections onto polytopes, against a quadratic programme solved by brute force."""

import numpy as np
import pytest
from scipy.optimize import minimize

from pathmax.search.row_projection import alternate, project_on_rows

TRIALS = range(20)


def polytope(rng, rows=3, d=4):
    A = rng.standard_normal((rows, d))
    A /= np.linalg.norm(A, axis=1, keepdims=True)
    inside = rng.random(d)
    high = A @ inside + rng.choice([0.0, 0.1, 0.5], rows)
    low = np.where(rng.random(rows) < 0.5, -np.inf, A @ inside - rng.choice([0.0, 0.2], rows))
    return A, low, high


@pytest.mark.parametrize("seed", TRIALS)
@pytest.mark.parametrize("by", ["active set", "alternating"])
def test_the_nearest_point_is_found(seed: int, by: str):
    rng = np.random.default_rng(seed)
    A, low, high = polytope(rng)
    U = rng.uniform(-0.5, 1.5, (6, 4))
    arguments = (U, A, np.tile(low, (6, 1)), np.tile(high, (6, 1)), U * 0.0, U * 0.0 + 1.0)
    V, missed = project_on_rows(*arguments) if by == "active set" else alternate(*arguments)
    assert missed.max() < (1e-7 if by == "active set" else 1e-3)
    limits = [{"type": "ineq", "fun": lambda v: high - A @ v}]
    finite = np.isfinite(low)
    if finite.any():
        limits.append({"type": "ineq", "fun": lambda v: (A @ v - low)[finite]})
    for u, v in zip(U, V, strict=True):
        best = minimize(
            lambda w, u=u: ((w - u) ** 2).sum(), v, bounds=[(0, 1)] * 4, constraints=limits
        )
        assert ((v - u) ** 2).sum() <= best.fun + (1e-7 if by == "active set" else 1e-2)


def test_each_point_may_have_rows_of_its_own():
    A = np.array([[[1.0, 0.0]], [[0.0, 1.0]]])
    U = np.array([[0.9, 0.9], [0.9, 0.9]])
    low, high = np.full((2, 1), -np.inf), np.full((2, 1), 0.25)
    V, _ = project_on_rows(U, A, low, high, np.zeros((2, 2)), np.ones((2, 2)))
    np.testing.assert_allclose(V, [[0.25, 0.9], [0.9, 0.25]], atol=1e-10)


def test_an_empty_polytope_is_missed():
    A = np.array([[1.0, 0.0], [-1.0, 0.0]])
    U = np.array([[0.5, 0.5]])
    high = np.array([[0.2, -0.8]])
    floor, ceiling = np.zeros((1, 2)), np.ones((1, 2))
    assert project_on_rows(U, A, -np.inf + 0 * high, high, floor, ceiling)[1] > 0.1
    beyond = np.array([[2.0, -1.5]])
    assert project_on_rows(U, A, -np.inf + 0 * high, beyond, floor, ceiling, patient=False)[1] > 0.1
