"""The descent to the mode of a kernel's parameters."""

import numpy as np

from pathmax.gp.descent import descend

BOX = {"low": np.full(2, -5.0), "high": np.full(2, 5.0)}
TERMS = {"tolerance": 1e-12, "max_evaluations": 60, "longest_step": 2.0}


def bowl(x: np.ndarray) -> tuple[float, np.ndarray]:
    return float((x - 1.0) @ (x - 1.0)), 2.0 * (x - 1.0)


def test_it_finds_the_bottom():
    found = descend(bowl, np.array([3.0, -4.0]), hessian=np.eye(2), **BOX, **TERMS)
    np.testing.assert_allclose(found.x, 1.0, atol=1e-5)


def test_a_guess_that_cannot_be_solved_with_ends_where_it_began():
    found = descend(bowl, np.array([3.0, -4.0]), hessian=np.zeros((2, 2)), **BOX, **TERMS)
    assert found.x.tolist() == [3.0, -4.0] and found.evaluations == 1
