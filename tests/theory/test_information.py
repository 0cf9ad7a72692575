"""Information gain and its maximum over a finite domain."""

import itertools
import math

import numpy as np
import pytest

from pathmax import gp, theory
from pathmax.errors import ModelError
from pathmax.theory.information_bounds import by_designs, by_spectrum, gain_and_slopes


def test_one_point_gains_what_its_variance_says():
    gain = theory.information_gain(gp.RBF(0.2), [[0.3]], noise=0.25)
    assert gain == pytest.approx(0.5 * math.log(1 + 1 / 0.25))


def test_two_points_by_hand():
    k = math.exp(-0.5)  # one length scale apart
    by_hand = 0.5 * math.log((1 + 1 / 0.1) ** 2 - (k / 0.1) ** 2)
    assert theory.information_gain(gp.RBF(0.2), [[0.0], [0.2]], noise=0.1) == pytest.approx(by_hand)


def test_repeats_count_as_repeated_measurements():
    thrice = theory.information_gain(gp.RBF(0.2, outputscale=2.0), [[0.5]] * 3, noise=0.1)
    assert thrice == pytest.approx(0.5 * math.log(1 + 3 * 2.0 / 0.1))


def test_nothing_is_learnt_from_no_points():
    assert theory.information_gain(gp.RBF(0.2), np.empty((0, 2))) == 0.0


def test_a_singular_matrix_gives_a_finite_gain():
    X = np.linspace(0, 1, 300)[:, None]
    gain = theory.information_gain(gp.RBF(2.0), X, noise=1e-14)
    assert math.isfinite(gain) and gain > 0


@pytest.mark.parametrize("repeats", [True, False])
def test_the_bracket_holds_the_true_maximum(rng, repeats):
    X = rng.random((7, 2))
    kernel, noise = gp.RBF(0.5), 0.05
    sets = itertools.combinations_with_replacement if repeats else itertools.combinations
    found = theory.maximum_information_gain(kernel, X, 4, noise, repeats=repeats)
    for t in range(1, 5):
        best = max(theory.information_gain(kernel, X[list(s)], noise) for s in sets(range(7), t))
        assert found.lower_curve[t - 1] <= best + 1e-12
        assert best <= found.upper_curve[t - 1] + 1e-12
        assert found.lower_curve[t - 1] >= (1 - 1 / math.e) * best


def test_the_lower_curve_is_the_gain_of_the_greedy_points(rng):
    X = rng.random((60, 3))
    kernel = gp.Matern52(0.4, outputscale=2.5)
    found = theory.maximum_information_gain(kernel, X, 12, 0.01)
    for t in (1, 5, 12):
        gain = theory.information_gain(kernel, X[found.indices[:t]], 0.01)
        assert found.lower_curve[t - 1] == pytest.approx(gain)
    assert found.lower == found.lower_curve[-1] <= found.upper == found.upper_curve[-1]


def test_more_steps_than_points_need_repeats(rng):
    X = rng.random((3, 1))
    found = theory.maximum_information_gain(gp.RBF(0.2), X, 10, 0.1)
    assert len(found.indices) == 10
    with pytest.raises(ModelError, match="at most the number of points"):
        theory.maximum_information_gain(gp.RBF(0.2), X, 10, 0.1, repeats=False)


def test_the_grid_of_the_paper_is_bracketed_within_three_percent():
    axis = np.arange(1, 11) / 10
    X = np.stack(np.meshgrid(*[axis] * 4, indexing="ij"), axis=-1).reshape(-1, 4)
    found = theory.maximum_information_gain(gp.RBF(0.2), X, 200, 1e-6)
    assert found.upper <= 1.03 * found.lower
    assert found.upper <= 200 * 0.5 * math.log1p(1e6)


@pytest.mark.parametrize(
    ("X", "noise", "message"),
    [
        ([0.1, 0.2], 0.1, "shape"),
        ([[math.nan]], 0.1, "finite"),
        ([[0.1]], 0.0, "noise must be"),
        ([[0.1]], -1.0, "noise must be"),
        ([[0.1]], "much", "noise must be"),
    ],
)
def test_wrong_inputs_are_named(X, noise, message):
    with pytest.raises(ModelError, match=message):
        theory.information_gain(gp.RBF(0.2), X, noise)


def test_the_tangent_is_tight_after_many_measurements():
    X, kernel = np.linspace(0, 1, 50)[:, None], gp.RBF(0.5)
    found = theory.maximum_information_gain(kernel, X, 300, 0.01)
    assert found.lower <= found.upper < 1.02 * found.lower
    assert not found.trivial


def test_where_nothing_is_known_the_gain_says_so():
    axis = np.arange(1, 7) / 6
    X = np.stack(np.meshgrid(*[axis] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    found = theory.maximum_information_gain(gp.RBF(0.1), X, 20, 1e-6)
    assert found.trivial
    bound = theory.bcr_bound(horizon=20, noise=1e-6, gamma=found.upper, cardinality=len(X))
    assert bound == pytest.approx(20 * np.sqrt(theory.c2(len(X))), rel=1e-2)  # linear in T


def test_without_repeats_no_point_is_taken_twice_even_when_nothing_is_left_to_learn():
    X = np.array([[0.1], [0.1], [0.5], [0.5], [0.5]])
    found = theory.maximum_information_gain(gp.RBF(0.2), X, 5, 1e-300, repeats=False)
    assert sorted(found.indices.tolist()) == [0, 1, 2, 3, 4]


def dense_information(K, weights, noise):
    root = np.sqrt(weights)
    inner = np.eye(len(K)) + root[:, None] * K * root / noise
    return 0.5 * np.linalg.slogdet(inner)[1]


@pytest.mark.parametrize("noise", [1e-6, 0.05, 0.5])
def test_bounds_by_the_whole_matrix_hold_for_every_set(rng, noise):
    X = rng.random((6, 2))
    for kernel in (gp.RBF(0.4), gp.Matern52(0.8, outputscale=2.0)):
        K = kernel(X)
        spectrum, designs = by_spectrum(K, noise, 4), by_designs(K, noise, 4)
        for t in range(1, 5):
            every = itertools.combinations_with_replacement(range(6), t)
            best = max(theory.information_gain(kernel, X[list(s)], noise) for s in every)
            assert best <= spectrum[t - 1] + 1e-9 and best <= designs[t - 1] + 1e-9


def test_slopes_of_the_information_of_a_design(rng):
    K, weights = gp.RBF(0.4)(rng.random((5, 2))), 3 * rng.random(5) + 0.1
    found, slopes = gain_and_slopes(K, weights, 0.05)
    assert found == pytest.approx(dense_information(K, weights, 0.05))
    for i in range(5):
        more = weights + 1e-5 * np.eye(5)[i]
        rise = dense_information(K, more, 0.05) - found
        assert slopes[i] == pytest.approx(rise / 1e-5, rel=1e-3)


def test_the_whole_matrix_tightens_the_bracket():
    """By greedy alone this domain's gain of 132 nats was known to be at most 190."""
    axis = np.linspace(0, 1, 7)
    X = np.stack(np.meshgrid(*[axis] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    found = theory.maximum_information_gain(gp.Matern52(0.3), X, 200, 0.1)
    assert (round(found.lower), round(found.upper)) == (132, 139)


def test_points_that_tell_nothing_gain_nothing():
    nothing = np.zeros((3, 1))
    found = theory.maximum_information_gain(gp.Linear(), nothing, 5, noise=0.01, repeats=True)
    assert found.lower == 0.0 <= found.upper < 1e-8
