"""Frequencies have the spectral density, one by one, and cover it evenly together."""

import numpy as np
import pytest
from scipy.stats import chi, t

from pathmax import gp
from pathmax.gp.kernels.frequencies import MOST_TURNED, radii, student_frequencies, unit_vectors


def independent(rng, n, k, degrees):
    normal = rng.standard_normal((n, k))
    if np.isfinite(degrees):
        normal *= np.sqrt(degrees / rng.chisquare(degrees, (n, 1)))
    return normal


def covariance(W, X):
    waves = X @ W.T
    return (np.cos(waves) @ np.cos(waves).T + np.sin(waves) @ np.sin(waves).T) / len(W)


@pytest.mark.parametrize("k", [1, 2, 5, 30])
@pytest.mark.parametrize("degrees", [1.0, 3.0, 5.0, np.inf])
def test_lengths_have_the_quantiles_of_the_distribution(rng, k, degrees):
    if np.isfinite(degrees):
        normal = np.random.default_rng(1).standard_normal((400_000, k))
        divisor = np.random.default_rng(2).chisquare(degrees, 400_000) / degrees
        expected = np.sqrt((normal**2).sum(axis=1) / divisor)
        at = np.quantile(expected, [0.05, 0.25, 0.5, 0.75, 0.95])
        assert np.quantile(radii(rng, 4096, k, degrees), [0.05, 0.25, 0.5, 0.75, 0.95]) == (
            pytest.approx(at, rel=0.015)
        )
    else:
        shares = (np.arange(512) + 0.5) / 512
        drawn = np.sort(radii(rng, 512, k, degrees))
        assert np.abs(chi(k).cdf(drawn) - shares).max() < 1.1 / 512


@pytest.mark.parametrize("degrees", [3.0, 5.0])
def test_one_coordinate_is_students_t(rng, degrees):
    drawn = np.sort(np.concatenate([student_frequencies(rng, 64, 1, degrees) for _ in range(200)]))
    quantiles = t(degrees).cdf(np.sort(drawn[:, 0]))
    assert np.abs(quantiles - (np.arange(len(drawn)) + 0.5) / len(drawn)).max() < 0.02


@pytest.mark.parametrize("n", [1, 40])
@pytest.mark.parametrize("k", [2, 3, 10])
def test_directions_are_uniform_on_the_sphere(rng, n, k):
    drawn = np.concatenate([unit_vectors(rng, n, k) for _ in range(20_000 // n)])
    assert (drawn**2).sum(axis=1) == pytest.approx(1.0)
    # the fourth moments of a uniform direction: E a_i^2 = 1 / k, E a_i^4 = 3 / k (k + 2)
    assert (drawn**2).mean(axis=0) == pytest.approx(1.0 / k, rel=0.05)
    assert (drawn**4).mean(axis=0) == pytest.approx(3.0 / (k * (k + 2)), rel=0.15)
    assert (drawn[:, :1] ** 2 * drawn[:, 1:] ** 2).mean(axis=0) == pytest.approx(
        1.0 / (k * (k + 2)), rel=0.15
    )


@pytest.mark.parametrize("k", [3, 5])
def test_no_direction_prefers_signs_that_are_alike(rng, k):
    """E a_i a_j = 0 also of a single direction: Q of a QR factorization alone is no such draw."""
    drawn = np.concatenate([unit_vectors(rng, 1, k) for _ in range(20_000)])
    products = drawn[:, :, None] * drawn[:, None, :]
    error = products.std(axis=0) / np.sqrt(len(drawn))
    off = np.abs(products.mean(axis=0) / error)[np.triu_indices(k, 1)]
    assert off.max() < 4.5


def test_beyond_many_dimensions_they_are_independent(rng):
    drawn = unit_vectors(rng, 30, MOST_TURNED + 1)
    assert (drawn**2).sum(axis=1) == pytest.approx(1.0)
    assert 0.0 < np.abs((drawn @ drawn.T)[np.triu_indices(30, 1)]).max() < 0.5


def test_as_many_directions_as_dimensions_are_orthogonal(rng):
    drawn = unit_vectors(rng, 6, 6)
    assert drawn @ drawn.T == pytest.approx(np.eye(6), abs=1e-12)


@pytest.mark.parametrize(
    "kernel", [gp.Matern52(0.4), gp.Matern32(0.4), gp.RBF(0.4), gp.Matern12(0.4)]
)
@pytest.mark.parametrize(("n", "k"), [(32, 1), (32, 3), (32, 8), (1, 3), (5, 10)])
def test_the_mean_over_draws_is_the_kernel(rng, kernel, n, k):
    X = rng.random((8, k))
    drawn = [
        covariance(student_frequencies(rng, n, k, kernel.degrees) / 0.4, X)
        for _ in range(1500 if n == 32 else 5000)
    ]
    error = np.std(drawn, axis=0).max() / np.sqrt(len(drawn))
    assert np.abs(np.mean(drawn, axis=0) - kernel(X)).max() < 5 * error


@pytest.mark.parametrize("on", [(0, 1), (0, 0)])
def test_the_factors_of_a_product_are_drawn_independently(rng, on):
    kernel = gp.Matern52(0.4, on=(on[0],)) * gp.RBF(0.5, on=(on[1],))
    X = rng.random((8, 2))
    drawn = []
    for _ in range(1500):
        phi = kernel.draw_features(rng, 32, 2)(X)
        drawn.append(phi @ phi.T)
    error = np.std(drawn, axis=0).max() / np.sqrt(len(drawn))
    assert np.abs(np.mean(drawn, axis=0) - kernel(X)).max() < 5 * error


def test_many_degrees_of_freedom_are_the_normal(rng):
    drawn, normal = radii(rng, 512, 3, 1e4), radii(rng, 512, 3, np.inf)
    assert np.sort(drawn)[8:-8] == pytest.approx(np.sort(normal)[8:-8], abs=0.1)
    assert np.isfinite(student_frequencies(rng, 64, 3, 1e9)).all()


@pytest.mark.parametrize("k", [1, 2, 4, 10, 30, 60])
@pytest.mark.parametrize("scale", [0.3, 1.0])
def test_half_as_many_are_closer_to_the_kernel_than_independent_ones(rng, k, scale):
    kernel = gp.Matern52(scale * np.sqrt(k))
    errors = {"spread": [], "independent": []}
    for _ in range(30):
        X = rng.random((40, k))
        expected = kernel(X)
        for name, draw, n in (
            ("spread", student_frequencies, 256),
            ("independent", independent, 512),
        ):
            found = covariance(draw(rng, n, k, 5.0) / (scale * np.sqrt(k)), X)
            errors[name].append(((found - expected) ** 2).mean())
    assert np.mean(errors["spread"]) < np.mean(errors["independent"])
