"""Warm starts: a fit that took noise for wiggles does not keep the next ones there."""

import numpy as np
import pytest

from pathmax import gp
from pathmax.gp.parameter_posterior import ParameterPosterior
from pathmax.gp.priors import default_priors


@pytest.mark.parametrize("seed", range(1, 5))
def test_a_warm_start_leaves_the_trap_of_short_length_scales_without_noise(seed):
    """Without another look from a cold start these end 5.8 to 10 nats below it."""
    rng = np.random.default_rng([seed, 8])
    X = rng.random((40, 2))
    y = np.sin(3 * X[:, 0]) + X[:, 1] + 0.3 * rng.standard_normal(40)
    y = (y - y.mean()) / y.std()
    kernel, unknown = gp.Matern52(np.ones(2)), np.full(40, np.nan)
    posterior = ParameterPosterior(kernel, X, y, unknown, default_priors(2))
    trapped = gp.GaussianProcess(gp.Matern52(np.full(2, 0.03)), 1e-7)
    cold = posterior.mode(posterior.start)
    warm = posterior.mode(posterior.warm_start(trapped, 1.0), warm=True)
    assert posterior(warm)[0] < posterior(cold)[0] + 0.05
