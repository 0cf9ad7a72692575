"""Axes of a grid: the numbers of its points, and roots of the kernel along each."""

import numpy as np

from pathmax import gp
from pathmax.gp.kronecker_axes import Axes

AXES = [np.linspace(0, 1, 4), np.array([0.1, 0.5, 0.9]), np.arange(3.0)]


def test_numbers_and_points_are_inverse(rng):
    axes = Axes.of(gp.RBF(0.3), AXES)
    index = np.arange(36)
    every = np.stack(np.meshgrid(*AXES, indexing="ij"), axis=-1).reshape(-1, 3)
    np.testing.assert_array_equal(axes.points(index), every)
    np.testing.assert_array_equal(axes.index(axes.points(index)), index)
    assert axes.index(np.array([[0.05, 0.1, 0.0]])) == [-1]
    shuffled = [rng.permutation(a) for a in AXES]
    axes = Axes.of(gp.RBF(0.3), shuffled)
    np.testing.assert_array_equal(axes.index(axes.points(index)), index)


def test_the_root_of_an_axis_does_not_depend_on_the_choice_of_eigenvectors(rng):
    """Categories have one eigenvalue several times; another order of theirs rotates the vectors."""
    kernel = gp.Categorical(0.3, on=(0,)) * gp.Matern52(0.4, on=(1,))
    values = [np.arange(6.0), np.linspace(0, 1, 7)]
    order = rng.permutation(6)
    roots, again = (Axes.of(kernel, [v, values[1]]).roots for v in (values[0], values[0][order]))
    np.testing.assert_allclose(roots[0] @ roots[0].T, gp.Categorical(0.3)(values[0][:, None]))
    np.testing.assert_allclose(again[0], roots[0][np.ix_(order, order)], atol=1e-12)
    np.testing.assert_allclose(again[1], roots[1], atol=1e-12)
