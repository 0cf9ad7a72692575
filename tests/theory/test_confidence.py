"""The constants and the confidence parameters, against numbers worked out by hand."""

import math

import numpy as np
import pytest

from pathmax import gp, theory
from pathmax.errors import ModelError


def test_c1_by_hand():
    assert theory.c1(1.0) == pytest.approx(2 / math.log(2))
    assert theory.c1(1e-6) == pytest.approx(0.14476482, rel=1e-6)  # 2 / log(1000001)


def test_c2_by_hand():
    assert theory.c2(10_000) == pytest.approx(19.03438638, rel=1e-8)  # 2 + 2 log 5000
    assert theory.c2(2) == pytest.approx(2.0)


def test_gp_ucb_beta_by_hand():
    theoretical = theory.gp_ucb_beta([1, 200], cardinality=10_000)
    # 2 log(10^4 / 2.5066283), and 4 log 200 more
    np.testing.assert_allclose(theoretical, [16.5828037, 16.5828037 + 21.1932695], rtol=1e-7)
    assert theory.gp_ucb_beta(10, dimension=4) == pytest.approx(0.8 * math.log(20))


def test_zeta_has_the_law_that_the_paper_names(rng):
    theoretical = theory.irgp_ucb_zeta(cardinality=10_000)
    assert theoretical.shift == pytest.approx(2 * math.log(5000))
    assert theoretical.mean == pytest.approx(theory.c2(10_000))
    heuristic = theory.irgp_ucb_zeta(dimension=4)
    assert (heuristic.shift, heuristic.rate, heuristic.mean) == (0.5, 0.5, 2.5)
    draws = heuristic.sample(rng, 40_000)
    assert abs(draws.mean() - heuristic.mean) < 4 * heuristic.std / math.sqrt(len(draws))
    assert draws.min() >= 0.5
    for p in (0.1, 0.5, 0.95):
        share = np.mean(draws <= heuristic.quantile(p))
        assert abs(share - p) < 4 * math.sqrt(p * (1 - p) / len(draws))


def test_the_confidence_band_covers_all_points_at_once(rng):
    """Lemma 3.1 over draws of the posterior on a domain of 40 points."""
    X = np.linspace(0, 1, 40)[:, None]
    model = gp.GaussianProcess(gp.RBF(0.1), noise=0.01).condition(X[::9], rng.standard_normal(5))
    mean, std = model.predict(X)
    draws = model.sample(X, rng, 4000)
    for delta in (0.05, 0.3):
        width = math.sqrt(theory.confidence_beta(delta, 40))
        covered = np.mean(np.all(draws <= mean + width * std, axis=1))
        assert covered >= 1 - delta  # the union bound leaves room: 0.98 and 0.85 here


def test_the_variance_floor_is_reached_by_repeating_one_point():
    for scale, n in [(1.0, 1), (1.0, 5), (3.0, 5)]:
        model = gp.GaussianProcess(gp.RBF(0.2, outputscale=scale), noise=0.1)
        model = model.condition([[0.4]] * n, np.zeros(n))
        floor = theory.variance_floor(0.1, n, outputscale=scale)
        assert model.predict([[0.4]]).std[0] ** 2 == pytest.approx(float(floor))
    assert theory.variance_floor(0.1, 0, outputscale=3.0) == pytest.approx(3.0)


def test_s_t_by_hand():
    # d r L = 2 * 1 * 3 = 6, t = 10: a lattice of 600 points an axis
    assert theory.s_t(10, dimension=2, r=1, a=1, b=1, lipschitz=3.0) == pytest.approx(
        2 - 2 * math.log(2) + 4 * math.log(600)
    )
    # without L_sigma: b (sqrt(log 2) + sqrt(pi)/2) = 1.71878..., times d r t^2 = 200 -> 344
    assert theory.s_t(10, dimension=2, r=1, a=1, b=1) == pytest.approx(
        2 - 2 * math.log(2) + 4 * math.log(344)
    )


def test_m_t_takes_the_square_root_of_the_logarithm():
    # b d r t^2 (sqrt(log(ad)) + sqrt(pi)/2) with a = e^4, d = 1: (2 + 0.886227) * 9 = 25.976
    assert theory.m_t(3, dimension=1, r=1, a=math.exp(4), b=1) == pytest.approx(
        2 - 2 * math.log(2) + 2 * math.log(26)
    )
    # as printed it would have been (4 + 0.886227) * 9 = 43.98
    with_noise = theory.m_t(3, dimension=1, r=1, a=math.exp(4), b=1, noise=1.0, initial=5)
    assert with_noise == pytest.approx(2 - 2 * math.log(2) + 2 * math.log(78))  # x sqrt(9)


def test_the_lattice_of_m_t_and_s_t_is_that_of_lemma_3_2():
    d, points = 3, 17
    b = (points - 0.5) / d / (math.sqrt(math.log(2 * d)) + math.sqrt(math.pi) / 2)
    for value in (
        theory.s_t(1, dimension=d, r=1, a=2, b=b),
        theory.m_t(1, dimension=d, r=1, a=2, b=b),
    ):
        assert value == pytest.approx(theory.c2(points**d))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: theory.c2(1), "cardinality must be at least 2"),
        (lambda: theory.c2(10.5), "cardinality must be a whole number"),
        (lambda: theory.gp_ucb_beta(0, cardinality=10), "t must be at least 1"),
        (lambda: theory.gp_ucb_beta(1), "cardinality= .theory. or dimension="),
        (lambda: theory.gp_ucb_beta(1, cardinality=10, dimension=2), "not both"),
        (lambda: theory.irgp_ucb_zeta(), "cardinality= .theory. or dimension="),
        (lambda: theory.irgp_ucb_zeta(dimension=2).quantile(1.0), "probability"),
        (lambda: theory.confidence_beta(1.5, 10), "delta"),
        (lambda: theory.s_t(1, dimension=2, r=1, a=0.5, b=1), "a must be at least 1"),
        (lambda: theory.m_t(1, dimension=2, r=-1, a=1, b=1), "r must be"),
        (lambda: theory.m_t(1, dimension=2, r=1, a=1, b=math.inf), "b must be"),
        (lambda: theory.variance_floor(0.1, -1), "n must be at least 0"),
        (lambda: theory.c1(None), "noise must be a number"),
        (lambda: theory.variance_floor(0.1, "many"), "n must be a whole number"),
        (lambda: theory.m_t(1, dimension=[1, 2], r=1, a=1, b=1), "one whole number"),
    ],
)
def test_wrong_inputs_are_named(call, message):
    with pytest.raises(ModelError, match=message):
        call()
