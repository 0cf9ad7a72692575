"""What is believed of parameters before any data."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pathmax.gp import Categorical, Matern52, default_priors
from pathmax.gp.fitting import fit


@pytest.mark.parametrize("n", [1, 4, 25])
def test_categories_have_a_size_in_common_that_grows_with_their_number(n: int) -> None:
    priors = default_priors(n)
    location, covariance = priors.of(Categorical(rho=np.full(n, 0.3)))
    expected = math.log(1.0 / math.log(2.0)) + 0.5 * math.log(n)
    np.testing.assert_allclose(location[:-1], expected)
    np.testing.assert_allclose(covariance[:n, :n], 0.5 * priors.rho.spread**2 * (1.0 + np.eye(n)))


def test_the_average_of_many_categories_is_as_open_as_their_size() -> None:
    # independent ones would leave the average of 100 known to a tenth of what one is known to
    _, covariance = default_priors(100).of(Categorical(rho=np.full(100, 0.5)))
    assert math.sqrt(covariance[:-1, :-1].mean()) > 0.7 * default_priors(100).rho.spread


def test_numbers_and_categories_have_sizes_of_their_own() -> None:
    kernel = Matern52(np.ones(2), on=(0, 1)) * Categorical(rho=np.full(3, 0.5), on=(2, 3, 4))
    _, covariance = default_priors(5).of(kernel)
    numbers, categories = np.arange(2), 2 + np.arange(3)  # and one output scale of all
    assert not covariance[np.ix_(numbers, categories)].any()
    assert not covariance[:-1, -1].any()


def test_terms_of_a_sum_have_sizes_of_their_own() -> None:
    term = Categorical(rho=np.full(4, 0.5))
    kernel = term + term
    _, covariance = default_priors(4).of(kernel)
    names = np.array(kernel.parameter_names)
    first, second = (np.char.startswith(names, f"term{i}") for i in (0, 1))
    assert first.sum() >= 4 and second.sum() >= 4
    assert not covariance[np.ix_(first, second)].any()


def test_many_binaries_are_learnt_from_few_results(rng: np.random.Generator) -> None:
    X = rng.integers(0, 2, (60, 40)).astype(float)
    y = X @ rng.standard_normal(40)
    model = fit(Categorical(rho=np.full(40, 0.5)), X[:30], y[:30])
    error = np.sqrt(np.mean((model.predict(X[30:]).mean - y[30:]) ** 2))
    assert error < 0.8 * y[30:].std()  # 1.00 with a prior of its own for each
