"""Hypervolumes against other implementations, inclusion and exclusion, and Monte Carlo."""

import itertools
import math

import numpy as np
import pytest

from pathmax.acquisition.expected_hypervolume import ExpectedHypervolume
from pathmax.acquisition.hypervolume import hypervolume, undominated_boxes
from pathmax.acquisition.objective_units import ObjectiveUnits
from pathmax.errors import ModelError
from pathmax.trials.value_transform import ValueTransform

# Printed by moocore 0.3.2 and BoTorch 0.18.1 (FastNondominatedPartitioning, analytic EHVI) for the
# points, the reference and the normals below.
HYPERVOLUMES = {2: 0.884311, 3: 0.736420491, 4: 0.691456247922}
EHVI = {
    2: [1.25186244967715e-07, 0.0003271148241226006, 0.011544155114299976, 0.08909155453264296],
    3: [4.7026278223718797e-05, 0.0033006148017266767, 0.03959753107127071, 0.202116354924546],
    4: [0.00011894478688876855, 0.005618976759082655, 0.06137218007113291, 0.31059928844360335],
}


def points(k):
    i, j = np.arange(1, 9)[:, None], np.arange(1, k + 1)
    return np.round(np.abs(np.sin(1.7 * i + 2.3 * j * j)), 3)


def normals(k):
    a, b = np.arange(4)[:, None], np.arange(k)
    return 0.2 * (a + 1) + 0.1 * b, 0.1 + 0.05 * a + 0.07 * b


def by_inclusion_and_exclusion(Y, reference):
    total = 0.0
    for size in range(1, len(Y) + 1):
        for some in itertools.combinations(Y, size):
            common = np.prod(np.maximum(np.min(some, axis=0) - reference, 0.0))
            total += common if size % 2 else -common
    return total


@pytest.mark.parametrize("k", [2, 3, 4])
def test_other_implementations_agree(k):
    reference = np.full(k, 0.05)
    assert hypervolume(points(k), reference) == pytest.approx(HYPERVOLUMES[k], rel=1e-12)
    found = np.exp(ExpectedHypervolume(points(k), reference)(*normals(k)))
    np.testing.assert_allclose(found, EHVI[k], rtol=1e-8)


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("ties", [False, True], ids=["general", "ties"])
@pytest.mark.parametrize("n", [0, 1, 3, 8])
def test_inclusion_and_exclusion(rng, k, ties, n):
    for _ in range(5):
        Y = rng.integers(0, 4, (n, k)) / 3.0 if ties else rng.random((n, k))
        reference = np.full(k, 0.2)  # some rows are not above it
        expected = by_inclusion_and_exclusion(Y, reference)
        assert hypervolume(Y, reference) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("ties", [False, True], ids=["general", "ties"])
def test_boxes_are_the_region_beyond_the_front(rng, k, ties):
    """Each point above the reference lies in one box when nothing dominates it, else in none."""
    for n in (0, 1, 4, 20):
        Y = rng.integers(0, 5, (n, k)) / 4.0 if ties else rng.random((n, k))
        reference = np.full(k, 0.1)
        boxes = undominated_boxes(Y, reference)
        z = 0.1 + 1.4 * rng.random((500, k))
        inside = ((boxes.lower <= z[:, None]) & (z[:, None] < boxes.upper)).all(axis=2).sum(axis=1)
        dominated = (Y[None] > z[:, None]).all(axis=2).any(axis=1)
        np.testing.assert_array_equal(inside, ~dominated)
        before = hypervolume(Y, reference)
        added = [hypervolume(np.vstack([Y, row]), reference) - before for row in z[:20]]
        np.testing.assert_allclose(boxes.improvement(z[:20]), added, atol=1e-12)


def test_a_quarter_of_a_disc_and_an_eighth_of_a_ball(rng):
    for k, volume in ((2, math.pi / 4), (3, math.pi / 6)):
        Y = np.abs(rng.standard_normal((4000, k)))
        Y /= np.linalg.norm(Y, axis=1, keepdims=True)
        found = hypervolume(Y, np.zeros(k))
        assert 0.97 * volume < found < volume


@pytest.mark.parametrize("k", [2, 3, 4])
def test_expected_improvement_against_monte_carlo(rng, k):
    reference = np.full(k, 0.05)
    rule = ExpectedHypervolume(points(k), reference)
    mean, std = normals(k)
    N = 20_000
    for i in range(1, 4):
        draws = mean[i] + std[i] * rng.standard_normal((N, k))
        gain = rule.boxes.improvement(draws)
        error = gain.std() / math.sqrt(N)
        assert abs(gain.mean() - math.exp(rule(mean, std)[i])) < 4.5 * error


@pytest.mark.parametrize("k", [2, 3, 5])
def test_derivatives(k):
    rule = ExpectedHypervolume(points(k), np.full(k, 0.05))
    mean, std = normals(k)
    _, by_mean, by_std = rule.partials(mean, std)
    for i in range(k):
        step = 1e-6 * (np.arange(k) == i)
        slope = (rule(mean + step, std) - rule(mean - step, std)) / 2e-6
        np.testing.assert_allclose(by_mean[:, i], slope, rtol=1e-6, atol=1e-7)
        slope = (rule(mean, std + step) - rule(mean, std - step)) / 2e-6
        np.testing.assert_allclose(by_std[:, i], slope, rtol=1e-6, atol=1e-7)


def bent(*powers):
    """Units of objectives whose models saw values bent by these powers; by 1 not at all."""
    moved = {"worst": -2.0, "centre": 0.1, "unit": 0.8}
    return ObjectiveUnits(
        tuple(
            ValueTransform(-1.0, 3.0, 2.0, power=power, **(moved if power != 1.0 else {}))
            for power in powers
        )
    )


@pytest.mark.parametrize("powers", [(3.0, 1.0), (0.2, 2.5, 1.6)], ids=str)
def test_expected_improvement_in_the_users_units_against_monte_carlo(rng, powers):
    """The volume that is expected there, and not where the models bend the values."""
    k, units, N = len(powers), bent(*powers), 40_000
    reference, top = np.full(k, 0.05), np.full(k, 2.0)
    mean, std = normals(k)
    rule = ExpectedHypervolume(points(k), reference, units=units, top=top)
    straight = units.straighten(np.vstack([points(k), reference]))
    boxes = undominated_boxes(straight[:-1], straight[-1])
    plain = ExpectedHypervolume(points(k), reference)(mean, std)
    for i in range(1, 4):
        gain = boxes.improvement(units.straighten(mean[i] + std[i] * rng.standard_normal((N, k))))
        found = math.exp(rule(mean, std)[i])
        assert abs(gain.mean() - found) < 4.5 * gain.std() / math.sqrt(N) + 0.01 * found
        assert abs(math.exp(plain[i]) / gain.mean() - 1.0) > 0.1  # bent it is another volume


def test_derivatives_in_the_users_units(rng):
    rule = ExpectedHypervolume(points(3), np.full(3, 0.05), units=bent(3.0, 0.2, 1.0))
    mean, std = normals(3)
    value, by_mean, by_std = rule.partials(mean, std)
    np.testing.assert_array_equal(value, rule(mean, std))
    for i in range(3):
        step = 1e-6 * (np.arange(3) == i)
        slope = (rule(mean + step, std) - rule(mean - step, std)) / 2e-6
        np.testing.assert_allclose(by_mean[:, i], slope, rtol=1e-5, atol=1e-6)
        slope = (rule(mean, std + step) - rule(mean, std - step)) / 2e-6
        np.testing.assert_allclose(by_std[:, i], slope, rtol=1e-5, atol=1e-6)
    for shift, scale in ((-1e3, 1.0), (1e6, 1.0), (0.0, 1e-12), (0.0, 1e12)):
        found = rule.partials(mean + shift, scale * std)
        assert all(np.isfinite(one).all() for one in found) and (found[1] >= 0).all()


def test_units_that_bend_nothing_change_nothing():
    plain = ExpectedHypervolume(points(3), np.full(3, 0.05))
    units = ObjectiveUnits((ValueTransform(-1.0, 3.0, 2.0),) * 3)
    same = ExpectedHypervolume(points(3), np.full(3, 0.05), units=units)
    for one, other in zip(plain.partials(*normals(3)), same.partials(*normals(3)), strict=True):
        np.testing.assert_array_equal(one, other)


def test_hopeless_and_certain_points_have_finite_scores():
    rule = ExpectedHypervolume(points(3), np.full(3, 0.05))
    mean, std = normals(3)
    for shift, scale in ((-1e3, 1.0), (1e6, 1.0), (0.0, 1e-12), (0.0, 1e12)):
        value, by_mean, by_std = rule.partials(mean + shift, scale * std)
        assert np.isfinite(value).all() and np.isfinite(by_mean).all() and np.isfinite(by_std).all()
        assert (by_mean >= 0).all()


def test_with_one_objective_it_is_expected_improvement():
    from pathmax.acquisition.improvement_rules import ExpectedImprovement

    mean, std = normals(1)
    rule = ExpectedHypervolume([[0.3], [0.7]], [0.0])
    expected = ExpectedImprovement(0.7)(mean[:, 0], std[:, 0])
    np.testing.assert_allclose(rule(mean, std), expected, rtol=1e-12)


def test_refusals():
    with pytest.raises(ModelError, match="reference"):
        hypervolume([[1.0, 2.0]], [0.0])
    with pytest.raises(ModelError, match="reference"):
        hypervolume([[1.0, 2.0]], [0.0, np.nan])
    with pytest.raises(ModelError, match="1 to 5 objectives"):
        hypervolume(np.ones((2, 6)), np.zeros(6))
