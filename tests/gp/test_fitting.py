"""fit: gradients by finite differences, recovery of the truth, and data that hurt others."""

from __future__ import annotations

import numpy as np
import pytest

from pathmax.errors import ModelError
from pathmax.gp import RBF, Categorical, GaussianProcess, Kernel, Linear, Matern32, Matern52
from pathmax.gp.descent import descend
from pathmax.gp.fitting import fit, mean_and_scale
from pathmax.gp.parameter_density import spread_rows
from pathmax.gp.parameter_posterior import ParameterPosterior
from pathmax.gp.priors import default_priors

ARD = Matern52(lengthscale=np.ones(3))
MIXED = Matern52(lengthscale=np.ones(2), on=(0, 1)) * Categorical(rho=np.array([0.5]), on=(2,))


def wavy(X: np.ndarray) -> np.ndarray:
    return np.sin(5.0 * X[:, 0]) + X[:, 1] ** 2


@pytest.mark.parametrize(
    "kernel", [ARD, RBF(0.5), Matern32(np.ones(3)), MIXED], ids=["ard", "rbf", "matern32", "mixed"]
)
@pytest.mark.parametrize("with_priors", [True, False])
def test_gradient_matches_finite_differences(
    kernel: Kernel, with_priors: bool, rng: np.random.Generator
) -> None:
    X = rng.random((12, 3))
    X[:, 2] = rng.integers(0, 3, 12)
    noises = np.where(np.arange(12) % 3 == 0, 0.01, np.nan)  # some known, some learnt
    priors = default_priors(3) if with_priors else None
    posterior = ParameterPosterior(kernel, X, rng.standard_normal(12), noises, priors)
    theta = posterior.start + 0.3 * rng.standard_normal(len(posterior.start))
    _, gradient = posterior(theta)
    step = 1e-6
    for i in range(len(theta)):
        e = step * np.eye(len(theta))[i]
        numeric = (posterior(theta + e)[0] - posterior(theta - e)[0]) / (2 * step)
        assert gradient[i] == pytest.approx(numeric, rel=1e-4, abs=1e-5)


def test_likelihood_is_that_of_the_process(rng: np.random.Generator) -> None:
    X, y = rng.random((15, 2)), rng.standard_normal(15)
    posterior = ParameterPosterior(Matern52(np.ones(2)), X, y, np.full(15, 0.1), None)
    (mean,) = posterior.mean(posterior.start).tolist()
    model = GaussianProcess(Matern52(np.ones(2)), 0.1, mean).condition(X, y)
    expected = -model.log_marginal_likelihood() - 7.5 * np.log(2 * np.pi)
    assert posterior(posterior.start)[0] == pytest.approx(expected, rel=1e-10)


def test_recovers_the_length_scales_and_noise_of_a_draw(rng: np.random.Generator) -> None:
    X = rng.random((250, 2))
    truth = GaussianProcess(Matern52(np.array([0.15, 0.6])), 0.0)
    y = truth.sample(X, rng)[0] + 0.1 * rng.standard_normal(250)
    model = fit(Matern52(np.ones(2)), X, y, priors=None)
    found = np.exp(model.kernel.theta)
    # a factor of 1.6 is about three standard errors of log l at n = 250
    assert np.abs(np.log(found[:2] / [0.15, 0.6])).max() < np.log(1.6)
    assert 0.005 < model.noise < 0.02


def test_mode_is_stationary_and_better_than_its_neighbours(rng: np.random.Generator) -> None:
    X = rng.random((40, 3))
    y = wavy(X)
    posterior = ParameterPosterior(
        ARD, X, (y - y.mean()) / y.std(), np.full(40, np.nan), default_priors(3)
    )
    theta = posterior.mode(posterior.start)
    value, gradient = posterior(theta)
    inside = (theta > posterior.low) & (theta < posterior.high)
    assert np.abs(gradient[inside]).max() < 0.5
    for _ in range(20):
        nearby = np.clip(theta + 0.1 * rng.standard_normal(5), posterior.low, posterior.high)
        assert posterior(nearby)[0] > value - 1e-2


def test_unit_of_y_does_not_matter(rng: np.random.Generator) -> None:
    X = rng.random((30, 3))
    y, at = wavy(X), rng.random((5, 3))
    mean, std = fit(ARD, X, y).predict(at)
    other_mean, other_std = fit(ARD, X, 1e6 * y + 3e7).predict(at)
    np.testing.assert_allclose((other_mean - 3e7) / 1e6, mean, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(other_std / 1e6, std, rtol=1e-2)


def test_given_noise_is_kept(rng: np.random.Generator) -> None:
    X = rng.random((20, 3))
    y = 100.0 * wavy(X)
    assert fit(ARD, X, y, noise=4.0).noise == 4.0
    each = rng.uniform(0.1, 5.0, 20)
    np.testing.assert_allclose(fit(ARD, X, y, noise=each).noises, each)
    each[3:] = np.nan
    partly = fit(ARD, X, y, noise=each)
    np.testing.assert_allclose(partly.noises[:3], each[:3])
    assert (partly.noises[3:] == partly.noise).all()
    assert fit(ARD, np.empty((0, 3)), [], noise=4.0).noise == 4.0  # before any data, too


@pytest.mark.parametrize("scale", [1.0, 1e6])
@pytest.mark.parametrize("with_priors", [True, False])
def test_no_noise_is_no_obstacle_to_learning(
    scale: float, with_priors: bool, rng: np.random.Generator
) -> None:
    """Noise 0, or 1e-6 where y is a million: K is singular at the start and at the mode."""
    X, at = rng.random((60, 2)), rng.random((50, 2))
    priors = default_priors(2) if with_priors else None
    for noise in (0.0, 1e-6 if scale > 1.0 else 1e-14):
        model = fit(RBF(np.ones(2)), X, scale * wavy(X), noise=noise, priors=priors)
        assert model.noise == noise
        found = np.asarray(model.kernel.to_json()["lengthscale"])
        assert 0.2 < found[0] < 1.2 and found[1] > found[0]  # sin(5 x0) + x1^2
        np.testing.assert_allclose(model.predict(at).mean, scale * wavy(at), atol=2e-3 * scale)


@pytest.mark.parametrize("kernel", [ARD, Linear(1.0), RBF(1.0) * Linear(1.0)])
@pytest.mark.parametrize("noise", [None, 1e-6, 0.0])
def test_warm_start_without_priors_survives_parameters_that_do_nothing(
    kernel: Kernel, noise: float | None, rng: np.random.Generator
) -> None:
    for X in (rng.random((40, 3)), np.zeros((40, 3)), rng.random((40, 3)) * [1, 1, 0]):
        y = wavy(X) + rng.standard_normal(40)
        first = fit(kernel, X, y, noise=noise, priors=None)
        again = fit(kernel, X, y, noise=noise, priors=None, warm=first)
        assert np.isfinite(again.predict(X)).all()


def test_warm_start_finds_the_same_model(rng: np.random.Generator) -> None:
    X = rng.random((40, 3))
    y = wavy(X)
    cold = fit(ARD, X, y)
    warm = fit(ARD, X, y, warm=fit(ARD, X[:35], y[:35]))
    at = rng.random((6, 3))
    np.testing.assert_allclose(warm.predict(at).mean, cold.predict(at).mean, atol=0.02)
    with pytest.raises(ModelError, match="same kind of kernel"):
        fit(ARD, X, y, warm=fit(RBF(1.0), X, y))


def test_the_ways_to_the_mode_end_in_one_place(rng: np.random.Generator) -> None:
    X = rng.random((160, 3))  # enough rows for a coarse fit to come first
    y = wavy(X)
    y = (y - y.mean()) / y.std()
    posterior = ParameterPosterior(ARD, X, y, np.full(160, np.nan), default_priors(3))
    coarse_to_fine = posterior.mode(posterior.start)
    direct = posterior._descend(posterior.start)
    warm = posterior.mode(direct.x + 0.2, warm=True)
    for theta in (coarse_to_fine, warm):
        assert posterior(theta)[0] == pytest.approx(direct.value, abs=0.02)


@pytest.mark.parametrize("seed", [1, 2])
def test_noise_once_taken_for_wiggles_is_found_later(seed: int) -> None:
    """Few rows cannot tell noise from wiggles; a fit that begins where theirs ended can."""
    rng = np.random.default_rng(seed)
    X = rng.random((150, 4))
    y = np.cos(4.0 * (X - 0.5)).sum(axis=1) + 0.3 * rng.standard_normal(150)
    kernel, warm = Matern52(np.ones(4)), fit(Matern52(np.ones(4)), X[:40], y[:40])
    assert warm.noise < 1e-3
    for n in range(50, 151, 10):
        warm = fit(kernel, X[:n], y[:n], warm=warm)
    for model in (warm, fit(kernel, X, y)):  # the latter by way of a third of the rows
        assert 0.05 < model.noise < 0.12  # the truth is 0.09


def test_wiggles_once_taken_for_noise_are_found_too(rng: np.random.Generator) -> None:
    """On rough data without noise the noisy mode is 5 to 90 nats less probable."""
    for n, d in ((20, 2), (20, 5), (100, 2), (100, 10)):
        X = rng.random((n, d))
        y = np.abs(np.sin(7.0 * X)).sum(axis=1)
        assert fit(Matern52(np.ones(d)), X, y).noise < 0.01 * y.var()


def test_expected_hessian_is_the_mean_of_the_second_derivative(rng: np.random.Generator) -> None:
    X = rng.random((15, 2))
    kernel = Matern52(np.array([0.3, 0.6]))
    truth = GaussianProcess(kernel, 0.01).condition(X, np.zeros(15)).cholesky
    theta, step, found = np.append(kernel.theta, np.log(0.01)), 1e-4, []
    for _ in range(200):
        y = truth @ rng.standard_normal(15)
        posterior = ParameterPosterior(kernel, X, y, np.full(15, np.nan), None)
        posterior.mean_precision = np.array([1e12])  # the mean is known to be 0
        rows = [
            (posterior(theta + e)[1] - posterior(theta - e)[1]) / (2 * step)
            for e in step * np.eye(4)
        ]
        found.append(rows)
    error = np.std(found, axis=0) / np.sqrt(200)
    assert (np.abs(np.mean(found, axis=0) - posterior.expected_hessian(theta)) < 5 * error).all()


def test_restarts_never_make_it_less_probable(rng: np.random.Generator) -> None:
    X = rng.random((30, 2))
    y = wavy(X) + 0.3 * rng.standard_normal(30)
    standardised = (y - y.mean()) / y.std()
    kernel = Matern52(np.ones(2))
    posterior = ParameterPosterior(kernel, X, standardised, np.full(30, np.nan), default_priors(2))
    one = posterior(posterior.mode(posterior.start))[0]
    drawn = [posterior.draw_start(rng) for _ in range(4)]
    assert posterior(posterior.mode(posterior.start, drawn))[0] <= one
    with pytest.raises(ModelError, match="pass rng"):
        fit(kernel, X, y, restarts=2)


def test_large_data_is_fitted_on_evenly_spread_rows() -> None:
    assert spread_rows(10, 300) == slice(None)
    rows = np.arange(1000)[spread_rows(1000, 300)]
    assert len(rows) == 300 and rows[0] == 0 and rows[-1] == 999
    assert np.diff(rows).max() <= 4


@pytest.mark.parametrize(
    "y",
    [
        np.zeros(8),
        np.full(8, 1e300),
        np.full(8, 5e-324),
        np.arange(8) * 1e300 / 8,
        np.arange(8) * 1e-300,
        np.array([0, 0, 0, 0, 0, 0, 0, 1e300]),
        np.array([1.0, 1, 1, 1, 1, 1, 1, 1 + 1e-15]),
        np.array([-1e300, 1e-300, 0, 1, -1, 1e10, 3, 1e300]),
        np.array([1e16, 1e16 + 2, 1e16 + 4, 1e16, 1e16, 1e16, 1e16, 1e16]),
    ],
    ids=["zero", "huge", "denormal", "1e300", "1e-300", "spike", "rounding", "mixed", "offset"],
)
@pytest.mark.parametrize("duplicated", [False, True])
@pytest.mark.parametrize("noise", [None, 1e-6])
def test_any_finite_y_gives_finite_predictions(
    y: np.ndarray, duplicated: bool, noise: float | None, rng: np.random.Generator
) -> None:
    X = rng.random((8, 3))
    if duplicated:
        X[1::2] = X[::2]
    model = fit(ARD, X, y, noise=noise)
    mean, std = model.predict(np.concatenate([X, rng.random((4, 3))]))
    assert np.isfinite(mean).all() and np.isfinite(std).all() and (std > 0).all()


@pytest.mark.parametrize("n", [0, 1, 2])
def test_almost_no_data(n: int, rng: np.random.Generator) -> None:
    model = fit(ARD, rng.random((n, 3)), np.arange(n, dtype=float))
    assert model.n == n
    assert np.isfinite(model.predict(rng.random((3, 3)))).all()


@pytest.mark.parametrize("kernel", [RBF(3.0), RBF(np.full(3, 3.0)), Matern52(np.full(3, 30.0))])
def test_tiny_noise_and_long_length_scales(kernel: Kernel, rng: np.random.Generator) -> None:
    X = rng.random((500, 3))
    plane = X @ np.array([1.0, 2.0, 0.1])
    mean, std = fit(kernel, X, plane, noise=1e-6, priors=None).predict(X[:50])
    assert np.isfinite(std).all()
    np.testing.assert_allclose(mean, plane[:50], atol=0.05)


def test_two_thousand_rows(rng: np.random.Generator) -> None:
    X = rng.random((2000, 3))
    model = fit(ARD, X, wavy(X))
    assert model.n == 2000
    at = rng.random((50, 3))
    np.testing.assert_allclose(model.predict(at).mean, wavy(at), atol=0.05)


def test_wrong_arguments_say_what_to_do() -> None:
    with pytest.raises(ModelError, match="same length, got 2 rows and 3 values"):
        fit(ARD, np.zeros((2, 3)), np.zeros(3))
    with pytest.raises(ModelError, match="leave out rows"):
        fit(ARD, np.zeros((2, 3)), np.array([0.0, np.nan]))
    for impossible in (-1.0, np.inf, [1.0, -1.0]):
        with pytest.raises(ModelError, match="it is a variance"):
            fit(ARD, np.zeros((2, 3)), np.zeros(2), noise=impossible)
    with pytest.raises(ModelError, match="one for each of 2 observations"):
        fit(ARD, np.zeros((2, 3)), np.zeros(2), noise=[1.0, 1.0, 1.0])


def test_standard_of_extremes() -> None:
    assert mean_and_scale(np.zeros(3)) == (0.0, 1.0)
    assert mean_and_scale(np.full(3, 1e300)) == (1e300, 1.0)
    assert mean_and_scale(np.array([1.0, 3.0])) == (2.0, 1.0)
    assert mean_and_scale(np.array([-1e300, 1e300]))[1] == 1e300


def test_descent_solves_a_bounded_quadratic(rng: np.random.Generator) -> None:
    R = rng.standard_normal((4, 4))
    H, target = R @ R.T + np.eye(4), np.array([0.5, -3.0, 0.2, 0.1])

    def f(x: np.ndarray) -> tuple[float, np.ndarray]:
        r = x - target
        return 0.5 * float(r @ H @ r), H @ r

    low, high = np.full(4, -1.0), np.full(4, 1.0)
    found = descend(
        f,
        np.zeros(4),
        low,
        high,
        np.eye(4),
        tolerance=1e-12,
        max_evaluations=200,
        longest_step=1.0,
    )
    gradient = f(found.x)[1]
    inside = (found.x > low) & (found.x < high)
    assert np.abs(gradient[inside]).max() < 1e-4
    assert (gradient[found.x == low] >= 0).all() and (gradient[found.x == high] <= 0).all()
    assert found.evaluations < 60


def test_the_mean_of_parameters_seen_before_is_the_mean_of_those_parameters(rng):
    X = rng.random((30, 2))
    y = np.sin(5.0 * X[:, 0])
    unknown, priors = np.full(30, np.nan), default_priors(2)

    def posterior() -> ParameterPosterior:
        return ParameterPosterior(Matern52(np.ones(2)), X, y, unknown, priors, (0, 1))

    searched = posterior()
    theta = searched.mode(searched.start)
    for seen in (searched.start, theta):
        np.testing.assert_allclose(searched.mean(seen), posterior().mean(seen), rtol=1e-10)
    assert np.abs(searched.mean(theta) - searched.mean(searched.start)).max() > 1e-3
