"""Distances along each coordinate: the same matrices and derivatives as those made anew."""

import numpy as np
import pytest

from pathmax import gp
from pathmax.gp.kernels import axis_distances
from pathmax.gp.kernels.axis_distances import (
    MOST_KEPT_AXES,
    TriangleLink,
    is_kept,
    links_at,
    value_and_slopes,
)

KERNELS = [
    gp.Matern52([0.3, 0.7, 2.0]),
    gp.RBF([0.3, 0.7], outputscale=2.5, on=(2, 0)),
    gp.Matern12([0.3, 0.7, 2.0], outputscale=0.5),
]
OTHERS = [
    gp.Matern52(0.4),
    gp.Matern52([0.3, 0.7], on=(0, 2)) * gp.Categorical([0.5], on=(1,)),
]


@pytest.mark.parametrize("kernel", KERNELS + OTHERS, ids=lambda kernel: type(kernel).__name__)
def test_a_link_has_the_matrix_and_the_slopes_of_the_kernel(kernel, rng):
    X, W = rng.random((12, 3)), np.triu(rng.standard_normal((12, 12)))
    theta = kernel.theta + 0.3 * rng.standard_normal(len(kernel.theta))
    link, plain = links_at(kernel, X)(theta), kernel.with_theta(theta).link(X)
    assert isinstance(link, TriangleLink) == (kernel in KERNELS)
    np.testing.assert_allclose(np.triu(link.above()), np.triu(plain.value), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(
        link.pull_parameters(W), plain.pull_parameters(W), rtol=1e-9, atol=1e-11
    )


@pytest.mark.parametrize("kernel", KERNELS + OTHERS, ids=lambda kernel: type(kernel).__name__)
def test_whole_slopes_are_those_of_the_kernel(kernel, rng):
    X = rng.random((12, 3))
    value, slopes = value_and_slopes(kernel, X)
    np.testing.assert_allclose(value, kernel(X), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(slopes, kernel.parameter_gradient(X), rtol=1e-9, atol=1e-11)


def test_a_matrix_is_new_each_time(rng):
    kernel, X = KERNELS[0], rng.random((5, 3))
    for link in (links_at(kernel, X)(kernel.theta), links_at(OTHERS[0], X)(OTHERS[0].theta)):
        first = link.above()
        first[:] = 0.0
        assert np.triu(link.above()).diagonal() == pytest.approx(1.0)


def test_many_rows_and_many_coordinates_are_not_kept(monkeypatch):
    assert is_kept(KERNELS[0], 12)
    monkeypatch.setattr(axis_distances, "MOST_CELLS", 3 * 78 - 1)
    assert not is_kept(KERNELS[0], 12)
    assert is_kept(KERNELS[0], 11)
    assert is_kept(gp.Matern52(np.ones(MOST_KEPT_AXES)), 2)
    assert not is_kept(gp.Matern52(np.ones(MOST_KEPT_AXES + 1)), 2)
