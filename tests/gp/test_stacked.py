"""Functions of several outcomes in one evaluation: the same as one by one."""

import numpy as np
import pytest

from pathmax import gp
from pathmax.gp.stacked import MOST_STACKED, StackedShift, alike

SIGNS = [1.0, -1.0, 1.0]


def processes(X, rng, kind=gp.Matern52, on=None):
    """Three outcomes at the same points, with other parameters each."""
    k = X.shape[1] if on is None else len(on)
    made = []
    for i in range(3):
        kernel = kind(0.2 + rng.random(k), outputscale=0.5 + i, on=on)
        bowl = gp.Bowl(0.3 * i, tuple(range(X.shape[1])))
        prior = gp.GaussianProcess(kernel, 1e-3, mean=0.2 * i, bowl=bowl)
        made.append(prior.condition(X, rng.standard_normal(len(X))))
    return made


@pytest.mark.parametrize("kind", [gp.Matern52, gp.Matern32, gp.RBF])
@pytest.mark.parametrize("on", [None, (0, 2)])
def test_values_and_gradients_are_those_of_each(rng, kind, on):
    models = processes(rng.random((9, 3)), rng, kind, on)
    shifts = [model.shift for model in models]
    assert alike(shifts) == [[0, 1, 2]]
    stacked = StackedShift(shifts, SIGNS)
    U = rng.random((5, 3))
    link = stacked.link(U)
    values, gradients = stacked.values(link), stacked.gradients(link)
    for i, (shift, sign) in enumerate(zip(shifts, SIGNS, strict=True)):
        value, gradient = shift.add_both_to(np.zeros(5), np.zeros((5, 3)), U)
        np.testing.assert_allclose(values[:, i], sign * value, rtol=1e-9, atol=1e-11)
        np.testing.assert_allclose(gradients[i], sign * gradient, rtol=1e-9, atol=1e-9)


def test_length_scales_that_are_very_short_lose_nothing_to_rounding(rng):
    X = rng.random((6, 2))
    models = [
        gp.GaussianProcess(gp.Matern52(1e-5 * (1 + i)), 1e-6).condition(X, rng.random(6))
        for i in range(2)
    ]
    stacked = StackedShift([model.shift for model in models], [1.0, 1.0])
    values = stacked.values(stacked.link(X + 1e-6))
    np.testing.assert_allclose(
        values, np.stack([m.look(X + 1e-6).mean for m in models], axis=1), rtol=1e-6
    )


def test_what_differs_is_left_alone(rng):
    X, Z = rng.random((4, 2)), rng.random((4, 2))
    y = rng.random(4)
    prior = gp.GaussianProcess(gp.Matern52(0.3), 1e-3)
    kinked = gp.GaussianProcess(gp.Matern12(0.3), 1e-3)
    product = gp.GaussianProcess(gp.Matern52(0.3, on=(0,)) * gp.Matern52(0.3, on=(1,)), 1e-3)
    same = [prior.condition(X, y), prior.condition(X.copy(), -y)]
    others = [prior.condition(Z, y), prior, kinked.condition(X, y), product.condition(X, y)]
    other_kind = gp.GaussianProcess(gp.RBF(0.3), 1e-3).condition(X, y)
    shifts = [model.shift for model in (same[0], *others, same[1], other_kind)]
    assert alike(shifts) == [[0, 5], [1], [2], [3], [4], [6]]


def test_many_results_are_evaluated_one_outcome_at_a_time(rng):
    X = rng.random((MOST_STACKED + 1, 1))
    models = [
        gp.GaussianProcess(gp.RBF(0.3), 1e-2).condition(X, rng.random(len(X))) for _ in range(2)
    ]
    assert alike([model.shift for model in models]) == [[0], [1]]
