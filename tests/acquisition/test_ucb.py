"""The confidence parameters: the paper's formulas, and what else may be asked for."""

import math

import numpy as np
import pytest

from pathmax import gp, theory
from pathmax.acquisition import Box, Pool, choose
from pathmax.errors import SettingsError


@pytest.fixture(name="model")
def _model(rng):
    X = rng.random((5, 2))
    return gp.GaussianProcess(gp.RBF(0.3), 1e-6).condition(X, X[:, 0])


@pytest.fixture(name="pool")
def _pool(rng):
    return Pool(rng.random((300, 2)))


@pytest.mark.parametrize("t", [1, 7, 200])
def test_beta_is_that_of_the_theory(t, model, pool, rng):
    beta = choose("gp-ucb", model, pool, rng, t=t, confidence="theoretical").info["beta"]
    assert beta == pytest.approx(2 * math.log(300 * t**2 / math.sqrt(2 * math.pi)))
    assert beta == pytest.approx(float(theory.gp_ucb_beta(t, cardinality=300)))
    for domain in (pool, Box(2)):
        beta = choose("gp-ucb", model, domain, rng, t=t, confidence="heuristic").info["beta"]
        assert beta == pytest.approx(0.2 * 2 * math.log(2 * t))


@pytest.mark.parametrize(
    "confidence, shift", [("theoretical", 2 * math.log(150)), ("heuristic", 1.0)]
)
def test_zeta_is_a_shifted_exponential(confidence, shift, model, pool, rng):
    zeta = [
        choose("irgp-ucb", model, pool, rng, confidence=confidence).info["zeta"] for _ in range(500)
    ]
    assert min(zeta) >= shift
    assert np.mean(zeta) == pytest.approx(shift + 2.0, abs=4 * 2.0 / math.sqrt(500))


def test_a_number_is_taken_as_it_is(model, rng):
    choice = choose("gp-ucb", model, Box(2), rng, confidence=4.0)
    assert choice.info["beta"] == 4.0
    # width 0: the largest posterior mean
    best = choose("gp-ucb", model, Box(2), rng, confidence=0.0)
    assert best.info["mean"] >= model.predict(rng.random((2000, 2))).mean.max() - 1e-6


@pytest.mark.parametrize("confidence", ["theory", -1.0, math.nan, math.inf])
def test_a_wrong_confidence_is_refused(confidence, model, rng):
    with pytest.raises(SettingsError, match="confidence must be"):
        choose("gp-ucb", model, Box(2), rng, confidence=confidence)


def test_theory_needs_a_finite_domain(model, rng):
    for method in ("gp-ucb", "irgp-ucb"):
        with pytest.raises(SettingsError, match="finite domain"):
            choose(method, model, Box(2), rng, confidence="theoretical")
