"""The input warp of the surrogate's comparison: a bijection, learnt where it explains the data."""

import numpy as np

from benchmarks import warps
from pathmax import gp


def test_outward_undoes_inward():
    rng = np.random.default_rng(0)
    warp = warps.Warp(rng.uniform(-1.5, 1.5, 6))
    X = rng.uniform(0.01, 0.99, (50, 3))
    bent = warp.inward(X)
    assert np.abs(bent - X).max() > 0.1
    assert np.all((bent >= 0.0) & (bent <= 1.0))
    np.testing.assert_allclose(warp.outward(bent), X, atol=1e-6)


def test_a_function_that_is_simple_after_a_warp_is_more_probable_with_the_warp_that_is_learnt():
    rng = np.random.default_rng(1)
    X = rng.random((30, 1))
    y = np.sin(8.0 * warps.Warp(np.array([1.0, 0.0])).inward(X)[:, 0])
    priors, warp = gp.default_priors(1), warps.straight(1)
    plain = gp.fit(gp.Matern52(np.ones(1)), X, y, priors=priors)
    for _ in range(5):
        model = gp.fit(gp.Matern52(np.ones(1)), warp.inward(X), y, priors=priors)
        warp = warps.learn(warp, model, X, y, priors)
    assert warp.logs[0] > 0.5
    model = gp.fit(gp.Matern52(np.ones(1)), warp.inward(X), y, priors=priors)
    assert model.log_marginal_likelihood() > plain.log_marginal_likelihood() + 1.0
