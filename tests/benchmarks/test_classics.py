"""The textbook functions have their minima where the literature says."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks import classics
from benchmarks.suite import textbook

MINIMA = {
    "rosenbrock-3": ([1.0] * 3, 0.0),
    "rosenbrock-6": ([1.0] * 6, 0.0),
    "rastrigin-3": ([0.0] * 3, 0.0),
    "levy-4": ([1.0] * 4, 0.0),
    "levy-8": ([1.0] * 8, 0.0),
    "michalewicz-5": ([2.202906, 1.570796, 1.284992, 1.923058, 1.720470], -4.687658),
    "griewank-4": ([0.0] * 4, 0.0),
    "styblinski-5": ([-2.903534] * 5, -39.16599 * 5),
    "schwefel-3": ([420.9687] * 3, 0.0),
    "zakharov-4": ([0.0] * 4, 0.0),
    "powell-4": ([0.0] * 4, 0.0),
    "camel-2": ([0.0898, -0.7126 * 1.5], -1.0316),
    "drop-wave-2": ([0.0] * 2, -1.0),
    "holder-2": ([8.05502, 9.66459], -19.2085),
    "hartmann-3": ([0.114614, 0.555649, 0.852547], -3.86278),
    "cosines-8": ([0.0] * 8, -0.8),
}
NAMED = {one.name: one for one in classics.classics()}


@pytest.mark.parametrize("name", MINIMA)
def test_minimum_is_where_the_literature_says(name: str) -> None:
    where, value = MINIMA[name]
    one, x = NAMED[name], np.array(where)
    assert one.loss(x) == pytest.approx(value, rel=1e-4, abs=1e-3)
    rng = np.random.default_rng(0)
    others = rng.uniform(one.low, one.high, (2000, one.dimension))
    near = np.clip(x + 0.01 * rng.standard_normal((200, one.dimension)), one.low, one.high)
    assert min(one.loss(u) for u in np.vstack([others, near])) >= value - 1e-3


def test_peak_has_two_tops_of_different_height() -> None:
    assert classics.peak(np.full(3, 0.25)) < classics.peak(np.full(3, 0.7)) < -1.0
    assert classics.peak(np.full(3, 0.5)) > classics.peak(np.full(3, 0.7))


def test_corner_is_best_where_everything_is_at_its_limit() -> None:
    draws = np.random.default_rng(0).uniform(size=(5000, 4))
    assert min(classics.corner(x) for x in draws) > classics.corner(np.ones(4))


def test_reaction_is_a_yield() -> None:
    yields = [-classics.reaction(x) for x in np.random.default_rng(0).uniform(size=(5000, 5))]
    assert min(yields) >= 0.0
    assert 60.0 < max(yields) <= 100.0
    assert float(np.median(yields)) < 10.0


@pytest.mark.parametrize("smooth", [True, False])
def test_drawn_functions_have_the_variance_and_length_scale_of_their_kernel(smooth: bool) -> None:
    """Over many draws: variance 1, and the covariance at the distance of a length scale."""
    a, b = np.zeros(2), np.array([0.3, 0.0])
    draws = [classics.drawn(seed, 0.3, smooth, 2) for seed in range(1500)]
    values = np.array([[f(a), f(b)] for f in draws])
    expected = math.exp(-0.5) if smooth else (1 + math.sqrt(3)) * math.exp(-math.sqrt(3))
    assert values.var(axis=0) == pytest.approx([1.0, 1.0], abs=0.15)
    assert float(np.mean(values[:, 0] * values[:, 1])) == pytest.approx(expected, abs=0.12)


def test_every_textbook_problem_can_be_evaluated_in_its_box() -> None:
    for problem in textbook():
        middle = {p["name"]: 0.5 * (p["low"] + p["high"]) for p in problem.space}
        assert math.isfinite(problem.loss(middle))
        assert problem.noise >= 0.0
