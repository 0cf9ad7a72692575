"""The regret bounds, against numbers worked out by hand."""

import math

import numpy as np
import pytest

from pathmax import gp, theory
from pathmax.errors import ModelError

BASEL = math.pi**2 / 6
CONTINUOUS = {"horizon": 100, "noise": 0.01, "gamma": 30.0, "dimension": 2, "a": 2.0, "b": 5.0}


def test_the_finite_bounds_by_hand():
    at = {"horizon": 200, "noise": 1e-6, "gamma": 1381.55, "cardinality": 10_000}
    by_hand = math.sqrt(0.14476482 * 19.03438638 * 200 * 1381.55)  # C_1 C_2 T gamma_T
    for method in ("pims", "ts", "irgp-ucb"):  # Theorems 4.1, 3.1, and 4.2 of the earlier paper
        assert theory.bcr_bound(method, **at) == pytest.approx(by_hand, rel=1e-7)
        assert theory.bsr_bound(method, **at) == pytest.approx(by_hand / 200, rel=1e-7)
    beta = 2 * math.log(10_000 * 200**2 / math.sqrt(2 * math.pi))
    by_hand = BASEL + math.sqrt(0.14476482 * beta * 200 * 1381.55)
    assert theory.bcr_bound("gp-ucb", **at) == pytest.approx(by_hand, rel=1e-7)


def test_the_continuous_bounds_by_hand():
    slope = 5.0 * (math.sqrt(math.log(4)) + math.sqrt(math.pi) / 2)
    learnt = 2 / math.log(101) * 100 * 30.0

    m = 2 - 2 * math.log(2) + 4 * math.log(math.ceil(100**2 * 2 * slope * math.sqrt(100.01 / 0.01)))
    assert theory.bcr_bound("pims", **CONTINUOUS) == pytest.approx(BASEL + math.sqrt(learnt * m))
    m = 2 - 2 * math.log(2) + 4 * math.log(math.ceil(100**2 * 2 * slope))
    theorem_4_3 = BASEL / 100 + math.sqrt(learnt * m) / 100
    assert theory.bsr_bound("pims", **CONTINUOUS) == pytest.approx(theorem_4_3)
    discretised = theory.bcr_bound("pims", **CONTINUOUS, discretised=True)
    assert discretised == pytest.approx(BASEL + math.sqrt(learnt * m))

    s = m  # the same lattice, while L_sigma = sqrt(2) / 0.5 is below the slope
    by_hand = 2 * BASEL + BASEL * math.sqrt(s) + math.sqrt(learnt * s)
    assert theory.bcr_bound("ts", **CONTINUOUS, lengthscale=0.5) == pytest.approx(by_hand)
    assert theory.bcr_bound("ts", **CONTINUOUS, kernel=gp.RBF(0.5)) == pytest.approx(by_hand)
    discretised = theory.bcr_bound("ts", **CONTINUOUS, discretised=True)
    assert discretised == pytest.approx(BASEL + math.sqrt(learnt * s))

    steep = math.sqrt(2) / 0.01  # now L_sigma decides
    s = 2 - 2 * math.log(2) + 4 * math.log(math.ceil(2 * steep * 100**2))
    by_hand = 2 * BASEL + BASEL * math.sqrt(s) + math.sqrt(learnt * s)
    assert theory.bcr_bound("ts", **CONTINUOUS, lengthscale=0.01) == pytest.approx(by_hand)


def test_the_simple_regret_of_the_best_evaluated_point_is_the_cumulative_one_over_t():
    evaluated = theory.bsr_bound("pims", **CONTINUOUS, recommended=False)
    assert evaluated == pytest.approx(theory.bcr_bound("pims", **CONTINUOUS) / 100)
    assert theory.bsr_bound("pims", **CONTINUOUS) < evaluated  # Theorem 4.3 is the tighter one


def test_a_curve_is_its_points():
    horizon = np.arange(1, 21)
    gamma = np.log1p(horizon)
    for extra in ({"cardinality": 50}, {"dimension": 2, "a": 2.0, "b": 3.0, "initial": 5}):
        curve = theory.bcr_bound("pims", horizon=horizon, noise=0.1, gamma=gamma, **extra)
        assert curve.shape == (20,)
        one = theory.bcr_bound("pims", horizon=7, noise=0.1, gamma=float(gamma[6]), **extra)
        assert isinstance(one, float) and one == curve[6]


@pytest.mark.parametrize("method", ["pims", "ts"])
def test_bounds_scale_with_the_function(method):
    """f and 3 f are the same problem: noise, b and the kernel scale, the regret triples."""
    small = {"horizon": 50, "noise": 0.1, "gamma": 12.0, "dimension": 2, "a": 2.0, "b": 4.0}
    large = {**small, "noise": 0.9, "b": 12.0}
    one = theory.bcr_bound(method, **small, kernel=gp.RBF(0.2))
    three = theory.bcr_bound(method, **large, kernel=gp.RBF(0.2, outputscale=9.0))
    assert three == pytest.approx(3 * one)
    finite = {"horizon": 50, "gamma": 12.0, "cardinality": 100}
    one = theory.bcr_bound(method, **finite, noise=0.1)
    assert theory.bcr_bound(method, **finite, noise=0.9, outputscale=9.0) == pytest.approx(3 * one)


@pytest.mark.parametrize(
    ("method", "changes", "message"),
    [
        ("pimms", {"cardinality": 10}, "method must be one of pims"),
        ("pims", {}, "give cardinality= for a finite domain or dimension="),
        ("pims", {"cardinality": 10, "dimension": 2}, "give cardinality="),
        ("pims", {"dimension": 2}, "needs a= and b= of Assumption 2.1"),
        ("ts", {"dimension": 2, "a": 1.0, "b": 1.0}, "needs L_sigma"),
        ("pims", {"cardinality": 10, "horizon": 0}, "horizon must be at least 1"),
        ("pims", {"cardinality": 10, "gamma": -1.0}, "gamma must be"),
        ("pims", {"cardinality": 10, "gamma": [1.0, 2.0]}, "must go together"),
        ("pims", {"cardinality": 10, "noise": 0.0}, "noise must be"),
        ("pims", {"cardinality": 10, "outputscale": 0.0}, "outputscale must be"),
        ("pims", {"cardinality": 10, "lenghtscale": 0.2}, "unknown argument 'lenghtscale'"),
    ],
)
def test_wrong_inputs_are_named(method, changes, message):
    arguments = {"horizon": 10, "noise": 0.1, "gamma": 3.0, **changes}
    with pytest.raises(ModelError, match=message):
        theory.bcr_bound(method, **arguments)


def test_the_upper_confidence_methods_on_continuous_domains_by_hand():
    """The second row of Table 1: Theorems 4.3 and B.1 of Takeno et al. (2023)."""
    slope = 5.0 * (math.sqrt(math.log(4)) + math.sqrt(math.pi) / 2)
    learnt = 2 / math.log(101) * 100 * 30.0
    log_size = 2 * math.log(math.ceil(100**2 * 2 * slope))
    by_hand = BASEL + math.sqrt(learnt * (2 + 2 * log_size - 2 * math.log(2)))
    assert theory.bcr_bound("irgp-ucb", **CONTINUOUS) == pytest.approx(by_hand)
    beta = 2 * (log_size + math.log(100**2 / math.sqrt(2 * math.pi)))
    by_hand = 2 * BASEL + math.sqrt(learnt * beta)
    assert theory.bcr_bound("gp-ucb", **CONTINUOUS) == pytest.approx(by_hand)
