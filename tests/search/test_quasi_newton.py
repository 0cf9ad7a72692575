"""Many ascents at once: each ends where it would end alone, at a maximum over the box."""

import numpy as np
import pytest
from scipy.optimize import minimize

from pathmax.search import quasi_newton
from pathmax.search.box import Box
from pathmax.search.quasi_newton import CLOSE, IN_CACHE, Ascent, Climb, add_outer_products

SCALES = np.full(5, 0.3)


def ascend(score, starts, **how) -> Ascent:
    return quasi_newton.ascend(score, starts, Box(starts.shape[1]), **how)


class Quadratic:
    """-(u - centre)' A (u - centre) / 2, with condition number 1000."""

    def __init__(self, d, rng, *, inside):
        basis = np.linalg.qr(rng.standard_normal((d, d)))[0]
        self.A = basis @ np.diag(np.logspace(0, 3, d)) @ basis.T
        self.centre = rng.uniform(0.2, 0.8, d) if inside else rng.uniform(-0.5, 1.5, d)

    def __call__(self, U):
        return self.value_and_gradient(U)[0]

    def value_and_gradient(self, U):
        gradient = -(U - self.centre) @ self.A
        return 0.5 * ((U - self.centre) * gradient).sum(axis=1), gradient


class Waves:
    """A sum of a few waves: many local maxima of different height."""

    def __init__(self, d, rng):
        self.W, self.phase = 6.0 * rng.standard_normal((d, 20)), rng.uniform(0, 6.3, 20)

    def __call__(self, U):
        return np.sin(U @ self.W + self.phase).sum(axis=1)

    def value_and_gradient(self, U):
        return self(U), np.cos(U @ self.W + self.phase) @ self.W.T


def by_scipy(score, start):
    def loss(u):
        value, gradient = score.value_and_gradient(u[None])
        return -value[0], -gradient[0]

    bounds = [(0.0, 1.0)] * len(start)
    options = {"ftol": 1e-15, "gtol": 1e-9, "maxiter": 500}
    return minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B", options=options)


@pytest.mark.parametrize("inside", [True, False])
def test_the_maximum_of_a_quadratic(rng, inside):
    for _ in range(5):
        score = Quadratic(5, rng, inside=inside)
        ascent = ascend(
            score, rng.random((8, 5)), scales=SCALES, unit=1.0, tolerance=1e-12, rounds=200
        )
        best = -by_scipy(score, np.full(5, 0.5)).fun
        np.testing.assert_allclose(ascent.values, best, rtol=1e-6, atol=1e-6)
        assert ((ascent.U >= 0.0) & (ascent.U <= 1.0)).all()
        np.testing.assert_allclose(ascent.values, score(ascent.U))


def test_no_more_rounds_than_scipy_needs_on_rugged_functions(rng):
    rounds, calls = [], []
    for _ in range(10):
        score, starts = Waves(5, rng), rng.random((10, 5))
        ascent = ascend(score, starts, scales=SCALES, unit=1.0, tolerance=1e-9, rounds=200)
        rounds.append(ascent.rounds)
        calls.append(max(by_scipy(score, start).nfev for start in starts))
        _, slopes = score.value_and_gradient(ascent.U)
        held = ((ascent.U <= 0.0) & (slopes < 0.0)) | ((ascent.U >= 1.0) & (slopes > 0.0))
        assert np.abs(np.where(held, 0.0, slopes)).max() < 1e-2  # they were about 60
    assert np.mean(rounds) < 1.5 * np.mean(calls)


def test_a_start_is_not_disturbed_by_the_others(rng):
    score, starts = Waves(4, rng), rng.random((12, 4))
    together = ascend(score, starts, scales=SCALES[:4], unit=1.0, tolerance=1e-9)
    for i in (0, 5, 11):
        alone = ascend(score, starts[i, None], scales=SCALES[:4], unit=1.0, tolerance=1e-9)
        np.testing.assert_allclose(together.U[i], alone.U[0], atol=1e-5)


def test_nothing_gets_worse_and_cuts_keep_the_best(rng):
    score, starts = Waves(4, rng), rng.random((40, 4))
    free = ascend(score, starts, scales=SCALES[:4], unit=1.0, tolerance=1e-9)
    cut = ascend(score, starts, scales=SCALES[:4], unit=1.0, tolerance=1e-9, cuts={4: 10, 10: 3})
    assert (free.values >= score(starts)).all() and (cut.values >= score(starts)).all()
    assert cut.values.max() == pytest.approx(free.values.max(), abs=1e-6)


def test_a_scale_of_zero_holds_a_coordinate(rng):
    score, starts = Waves(3, rng), rng.random((6, 3))
    starts[:, 1] = rng.integers(0, 4, 6)  # the codes of a category
    ascent = ascend(score, starts, scales=np.array([0.3, 0.0, 0.3]), unit=1.0, tolerance=1e-9)
    np.testing.assert_array_equal(ascent.U[:, 1], starts[:, 1])
    assert (ascent.values > score(starts)).all()


class Cliff:
    """Finite on one side only."""

    def value_and_gradient(self, U):
        with np.errstate(invalid="ignore", divide="ignore"):
            value = np.where(U[:, 0] < 0.5, U[:, 0], np.nan)
        return value, np.ones_like(U)


def test_a_value_that_is_not_a_number_is_refused(rng):
    ascent = ascend(Cliff(), np.full((3, 1), 0.1), scales=np.ones(1), unit=1.0, tolerance=1e-12)
    assert (ascent.U[:, 0] < 0.5).all() and (ascent.values > 0.4).all()


def test_a_flat_score_ends_at_once():
    class Flat:
        def value_and_gradient(self, U):
            return np.zeros(len(U)), np.zeros_like(U)

    starts = np.array([[0.2, 0.7], [0.0, 1.0]])
    ascent = ascend(Flat(), starts, scales=np.ones(2), unit=1.0, tolerance=1e-300)
    np.testing.assert_array_equal(ascent.U, starts)
    assert ascent.rounds <= 3


@pytest.mark.parametrize("size", [1e-290, 1e-6, 1e6, 1e290])
def test_the_size_of_the_values_does_not_matter(size, rng):
    class Sized:
        def value_and_gradient(self, U):
            value, gradient = score.value_and_gradient(U)
            return size * value, size * gradient

    score, starts = Waves(3, rng), rng.random((8, 3))
    usual = ascend(score, starts, scales=SCALES[:3], unit=10.0)
    other = ascend(Sized(), starts, scales=SCALES[:3], unit=10.0 * size)
    np.testing.assert_allclose(other.U, usual.U, atol=1e-9)
    np.testing.assert_allclose(other.values, size * usual.values, rtol=1e-9)


def test_a_race_finds_the_best_of_the_maxima_sooner(rng):
    fewer = 0
    for _ in range(10):
        score, starts = Waves(3, rng), rng.random((30, 3))
        every = ascend(score, starts, scales=SCALES[:3], unit=10.0)
        race = ascend(score, starts, scales=SCALES[:3], unit=10.0, cuts={3: 24, 6: 12, 12: 6})
        assert race.values.max() > every.values.max() - 1e-3
        fewer += race.rounds < every.rounds
    assert fewer >= 7


def climbing(U: list[float], f: list[float], G: list[float]) -> Climb:
    """Starts on a line of length scale 1."""
    column = (np.array(one)[:, None] for one in (U, G))
    where, slope = column
    return Climb(where, np.array(f), slope, np.ones(1), Box(1))


def test_a_start_that_comes_to_the_summit_is_given_up_though_the_best_has_ended():
    away = climbing([0.05, 0.5], [0.0, 0.0], [0.0, 0.0])
    close, far = 0.05 + 0.9 * CLOSE, 0.05 + 1.1 * CLOSE
    assert away.alone(1.0, np.array([0.9])).tolist() == [True, True]
    assert away.alone(1.0, np.array([close])).tolist() == [False, True]
    assert away.alone(1.0, np.array([far])).tolist() == [True, True]
    # the summit is nobody's neighbour when nobody is below it
    assert away.alone(0.0, np.array([close])).tolist() == [True, True]


def test_a_start_whose_next_step_ends_at_the_summit_is_given_up():
    climb = climbing([0.1], [0.0], [1.0])  # its first step is FIRST_STEP long
    step = float(climb.trial()[0, 0]) - 0.1
    assert step > 0.1
    assert climb.alone(1.0, np.array([0.1 + step + 0.9 * CLOSE])).tolist() == [False]
    assert climb.alone(1.0, np.array([0.1 + step + 1.1 * CLOSE])).tolist() == [True]


def test_a_refused_step_halves_what_a_start_is_thought_to_gain():
    climb = climbing([0.1, 0.5], [0.0, 0.0], [1.0, 1.0])
    climb.judge(climb.trial(), np.array([0.1, 0.1]), np.ones((2, 1)))
    first = climb.gain.copy()
    climb.judge(climb.trial(), np.array([-1.0, 0.3]), np.ones((2, 1)))
    np.testing.assert_allclose(climb.gain, [0.5 * first[0], 0.2])


def test_a_start_without_a_gradient_does_not_lengthen_the_steps_of_others():
    climb = climbing([0.1, 0.5], [0.0, 0.0], [1.0, 1.0])
    climb.H *= 1e3
    climb.G[1] = np.nan
    climb.aim()
    assert np.abs(climb.P[0]) <= 1.0


def test_large_matrices_learn_the_same_as_small_ones_to_the_last_bit(rng):
    S, d = 3, 300  # more numbers than are gone through at once
    assert S * d * d > IN_CACHE
    H, a, b = rng.normal(size=(S, d, d)), rng.normal(size=(S, d)), rng.normal(size=(S, d))
    outer = a[:, :, None] * b[:, None, :]
    expected = (H + outer) + outer.transpose(0, 2, 1)
    add_outer_products(H, a, b)
    np.testing.assert_array_equal(H, expected)
