"""A kernel matrix in single precision is that of the kernel, to its digits."""

import numpy as np
import pytest

from pathmax.gp import RBF, Matern12, Matern32, Matern52
from pathmax.gp.single_precision import single_cross


@pytest.mark.parametrize("kind", [RBF, Matern12, Matern32, Matern52])
@pytest.mark.parametrize("lengthscale", [1.0, 0.05, 1e-4])  # the shorter ones in double precision
def test_it_is_right_to_single_precision(kind, lengthscale, rng):
    kernel = kind(lengthscale, outputscale=2.5)
    X = rng.random((40, 5))
    U = np.vstack([X[:10], X[:10] + 1e-4 * lengthscale, rng.random((300, 5))])
    cross = single_cross(kernel, X)(U)
    assert cross.dtype == np.float32 and cross.shape == (320, 40)
    np.testing.assert_allclose(cross, kernel(U, X), rtol=0, atol=5e-5)


def test_products_are_products(rng):
    X, U = rng.random((30, 3)), rng.random((50, 3))
    kernel = RBF(0.7, on=(0, 2)) * Matern52(0.4, on=(1,))
    np.testing.assert_allclose(single_cross(kernel, X)(U), kernel(U, X), rtol=0, atol=1e-5)
