"""A draw in single precision is the draw, to its digits."""

import numpy as np
import pytest

from pathmax import gp

KERNELS = {
    "one": gp.Matern52(0.3, outputscale=2.0),
    "sum": gp.Matern52(0.3) + gp.Linear(0.7),
    "factors": gp.Matern52(0.5, on=(0, 1)) * gp.Categorical(0.4, on=(2,)),
}


@pytest.mark.parametrize("m", [1, 256, 700])
@pytest.mark.parametrize("name", KERNELS)
def test_single_precision(m, name, rng):
    U = rng.random((m, 3))
    U[:, 2] = rng.integers(3, size=m)
    data = U[:1], np.zeros(1)
    path = gp.draw_path(gp.GaussianProcess(KERNELS[name], noise=1e-3).condition(*data), rng)
    draw = path.prior(3)
    np.testing.assert_allclose(draw.single(U), draw(U), rtol=0, atol=3e-4)
