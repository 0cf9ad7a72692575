"""Posteriors of several outcomes in one evaluation: the same as one by one."""

import numpy as np

from pathmax.gp.stacked_processes import StackedProcesses
from tests.gp.test_stacked import SIGNS, processes


def test_moments_are_those_of_each(rng):
    models = processes(rng.random((9, 3)), rng)
    U = rng.random((40, 3))
    mean, std = StackedProcesses(models, SIGNS).look(U)
    for i, (model, sign) in enumerate(zip(models, SIGNS, strict=True)):
        own = model.look(U)
        np.testing.assert_allclose(mean[:, i], sign * own.mean, rtol=1e-9, atol=1e-11)
        np.testing.assert_allclose(std[:, i], own.std, rtol=1e-9)


def test_at_the_data_no_deviation_is_below_what_the_noise_allows(rng):
    X = rng.random((6, 2))
    models = processes(X, rng)
    _, std = StackedProcesses(models, SIGNS).look(X)
    for i, model in enumerate(models):
        np.testing.assert_allclose(std[:, i], model.look(X).std, rtol=1e-6)


def test_the_gradient_of_a_function_of_all_of_them_by_finite_differences(rng):
    stacked = StackedProcesses(processes(rng.random((9, 2)), rng), SIGNS)

    def partials(mean, std):
        value = (np.sin(mean) * std[:, ::-1]).sum(axis=1)
        return value, np.cos(mean) * std[:, ::-1], np.sin(mean)[:, ::-1]

    U = rng.random((5, 2))
    value, gradient = stacked.chain(U, partials)
    np.testing.assert_allclose(value, partials(*stacked.look(U))[0], rtol=1e-10)
    for i in range(2):
        step = 1e-6 * (np.arange(2) == i)
        up, down = (partials(*stacked.look(U + s))[0] for s in (step, -step))
        np.testing.assert_allclose(gradient[:, i], (up - down) / 2e-6, rtol=1e-5, atol=1e-6)
