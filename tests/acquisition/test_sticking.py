"""PIMS goes on: it does not evaluate one observed point for ever."""

import numpy as np

from pathmax import gp
from pathmax.acquisition import Box, choose


def objective(x):
    return np.sin(3.0 * x) + 0.5 * np.sin(11.0 * x + 1.0)


def test_500_steps_on_a_line_with_noise_of_1e_minus_6(rng):
    X = rng.random((3, 1))
    model = gp.GaussianProcess(gp.RBF(0.2), 1e-6)
    model = model.condition(X, objective(X[:, 0]) + 1e-3 * rng.standard_normal(3))
    repeats = run = longest = 0
    for t in range(1, 501):
        choice = choose("pims", model, Box(1), rng, t=t, effort=0.1)
        assert choice.info["g_star"] >= choice.info["mean"] - 8 * choice.info["std"]
        same = bool((np.abs(model.X - choice.u) < 1e-12).any())
        repeats, run = repeats + same, run + 1 if same else 0
        longest = max(longest, run)
        y = objective(choice.u) + 1e-3 * rng.standard_normal(1)
        model = model.condition(choice.u[None], y)
    assert repeats <= 25 and longest <= 3  # an optimum at the edge would be met again and again
    best = objective(np.linspace(0, 1, 10_001)).max()
    assert best - objective(model.X[:, 0]).max() < 1e-5
    assert len(np.unique(np.round(model.X[:, 0], 6))) > 200
