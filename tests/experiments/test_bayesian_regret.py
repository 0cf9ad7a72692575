"""The theorems against pathmax's own methods, over hundreds of objectives from the prior."""

import math

import numpy as np
import pytest

from pathmax import gp, theory
from pathmax.experiments.bayesian_regret import (
    Measured,
    World,
    figure,
    lost_at_random,
    measure,
)

AXIS = tuple(np.linspace(0, 1, 5).tolist())
WORLD = World(gp.RBF(0.3), (AXIS, AXIS), noise=0.05, horizon=12)
RUNS = 200


@pytest.fixture(scope="module", params=["pims", "ts"])
def found(request) -> Measured:
    return measure(request.param, WORLD, RUNS, seed=1)


def test_regret_stays_below_the_bound(found):
    bound = WORLD.bound(found.method)
    assert np.all(found.bcr + 4 * found.bcr_error <= bound)
    assert found.bcr[-1] > 0.15 * bound[-1]  # there was regret to bound
    t = np.arange(1, WORLD.horizon + 1)
    best = np.minimum.accumulate(found.regret, axis=1)
    for simple in (best, found.recommended):  # Lemma 2.1, as differences of paired means
        gap = simple - found.cumulative / t
        assert np.all(gap.mean(axis=0) <= 4 * gap.std(axis=0, ddof=1) / math.sqrt(RUNS))


def test_optimism_stays_below_lemmas_3_2_and_4_1(found):
    squares = np.maximum(found.optimism, 0.0) ** 2
    error = squares.std(axis=0, ddof=1) / math.sqrt(RUNS)
    assert np.all(squares.mean(axis=0) + 4 * error <= theory.c2(25))


def test_uncertainty_is_used_up(found):
    gamma = theory.maximum_information_gain(WORLD.kernel, WORLD.points, WORLD.horizon, WORLD.noise)
    assert np.all(np.cumsum(found.std**2, axis=1) <= theory.c1(WORLD.noise) * gamma.upper_curve)


def test_regret_is_optimism_times_uncertainty(found):
    """Holds for exact posterior draws and for nothing less: it would catch a biased path."""
    gap = np.sum(found.regret - found.optimism * found.std, axis=1)
    assert abs(gap.mean()) < 4 * gap.std(ddof=1) / math.sqrt(RUNS)


def test_the_figure_has_both_curves_and_the_bound(found, tmp_path):
    page = figure(WORLD, [found], at_random=1.5)
    page.savefig(tmp_path / "regret.png")
    (axes,) = page.axes
    assert [line.get_label() for line in axes.lines] == [
        f"{found.method.upper()}, mean of {RUNS} objectives",
        "bound of Theorems 3.1 and 4.1",
        "points at random",
    ]
    assert axes.get_yscale() == "log"


def test_after_enough_steps_the_bound_is_below_what_random_points_lose():
    """At a noise where the theorem says something: PIMS itself loses far less than either."""
    world = World(gp.RBF(0.3), (AXIS, AXIS), noise=0.05, horizon=120)
    bound, at_random = world.bound("pims"), lost_at_random(world, 400, seed=0)
    assert bound[4] > 5 * at_random and bound[-1] < 120 * at_random
    assert measure("pims", world, 3, seed=0).bcr[-1] < 0.5 * bound[-1]
