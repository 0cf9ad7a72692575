"""The theorems on continuous domains, by simulated regret."""

import numpy as np
import pytest

from pathmax import gp, theory
from tests.experiments.simulated_boxes import BoxWorld, measure_in_box

RUNS = 40


@pytest.fixture(scope="module")
def world() -> BoxWorld:
    kernel = gp.RBF(0.3)
    tail = theory.derivative_tail(kernel, 1, np.random.default_rng(0), n_paths=64, n_points=256)
    return BoxWorld(kernel, noise=0.1, horizon=6, a=tail.a, b=tail.b)


@pytest.mark.parametrize("theorem", ["3.2", "4.2", "B.1", "C.1"])
def test_the_cumulative_regret_stays_below_the_bound(world, theorem):
    found = measure_in_box(theorem, world, runs=RUNS, seed=0)
    total = np.cumsum(found.regret, axis=1)
    error = total.std(axis=0, ddof=1) / np.sqrt(RUNS)
    assert np.all(total.mean(axis=0) + 4 * error < world.bound(theorem))
    # what every proof turns on: given the data, the truth and the path promise the same on average
    gap = np.sum(found.regret - found.promised, axis=1)
    lost = 2 * np.pi**2 / 6 if theorem in ("B.1", "C.1") else 0.0  # between the lattice's points
    assert abs(gap.mean()) < 4 * gap.std() / np.sqrt(RUNS) + lost


def test_the_simple_regret_of_what_is_recommended_stays_below_theorem_4_3(world):
    found = measure_in_box("4.3", world, runs=RUNS, seed=1).recommended
    error = found.std(axis=0, ddof=1) / np.sqrt(RUNS)
    assert np.all(found.mean(axis=0) + 4 * error < world.bound("4.3"))
    assert found[:, -1].mean() < found[:, 0].mean()


def test_a_choice_of_the_appendix_lies_on_the_theorems_lattice(world):
    tau = world.lattice("C.1", 1)
    assert tau == theory.lattice_points("C.1", 1, dimension=1, a=world.a, b=world.b)
