"""Tails: against the normal distribution, and against simulated optimism."""

import math

import numpy as np
import pytest
from scipy.special import ndtr

from pathmax import gp, theory
from pathmax.errors import ModelError
from pathmax.experiments.bayesian_regret import World, measure


def test_the_tail_of_a_normal_variable():
    c = np.linspace(0, 8, 200)
    assert np.all(ndtr(-c) <= theory.normal_tail(c))  # Lemma D.1
    assert theory.normal_tail(0.0) == 0.5 == ndtr(0.0)
    with pytest.raises(ModelError, match="c >= 0"):
        theory.normal_tail(-0.1)


def test_optimism_stays_below_its_tail_and_the_tail_adds_up_to_c2():
    c = np.sqrt(np.linspace(0, 80, 400_001))
    integral = np.trapezoid(theory.optimism_tail(c, 36), c**2)
    assert integral == pytest.approx(theory.c2(36), rel=1e-5)
    axis = tuple(np.linspace(0, 1, 6).tolist())
    world = World(gp.RBF(lengthscale=0.3), (axis, axis), noise=0.05, horizon=10)
    for method in ("pims", "ts"):
        found = measure(method, world, runs=60, seed=1).optimism
        for level in (0.5, 1.5, 2.5, 3.0):
            share = np.mean(found > level)
            error = math.sqrt(share * (1 - share) / found.size) if share else 0.0
            assert share - 4 * error <= theory.optimism_tail(level, 36)


def test_optimism_exceeds_a_level_when_the_maximum_exceeds_every_upper_bound(rng):
    """Lemma D.5, path by path."""
    mean, std = rng.standard_normal(30), rng.random(30) + 0.1
    g_star = np.max(mean + std * rng.standard_normal((200, 30)), axis=1)
    xi = np.min((g_star[:, None] - mean) / std, axis=1)
    for level in (0.0, 0.7, 1.3):
        assert np.array_equal(xi > level, g_star > np.max(mean + level * std))


def test_markov_turns_expectations_into_high_probability():
    assert theory.high_probability_bound(12.0, 0.05) == pytest.approx(240.0)
    assert theory.high_probability_bound(np.array([1.0, 2.0]), 0.5).tolist() == [2.0, 4.0]
    axis = tuple(np.linspace(0, 1, 6).tolist())
    world = World(gp.RBF(lengthscale=0.3), (axis,), noise=0.1, horizon=8)
    found = measure("pims", world, runs=80, seed=0).cumulative[:, -1]
    limit = theory.high_probability_bound(float(found.mean()), 0.2)
    assert np.mean(found > limit) <= 0.2
    for delta, expected in ((0.0, 1.0), (1.0, 1.0), (0.5, -1.0)):
        with pytest.raises(ModelError):
            theory.high_probability_bound(expected, delta)
