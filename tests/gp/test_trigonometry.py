"""Cosines and sines by polynomials are those of NumPy."""

import numpy as np
import pytest

from pathmax.gp.trigonometry import SINGLE_COSINE, cosines_and_sines, falls, haversines


@pytest.mark.parametrize("scale", [1e-9, 1e-3, 1.0, 1e3])
def test_they_are_right_to_the_last_digits(scale, rng):
    turns = scale * rng.standard_normal((50, 200))
    angles = 2 * np.pi * (turns - np.rint(turns))
    cosines, sines = cosines_and_sines(turns.copy())
    np.testing.assert_allclose(cosines, np.cos(angles), rtol=0, atol=1e-14)
    np.testing.assert_allclose(sines, np.sin(angles), rtol=0, atol=1e-14)
    np.testing.assert_allclose(1 - 2 * haversines(turns.copy()), cosines, rtol=0, atol=1e-14)


def test_quarters_and_huge_angles_are_numbers():
    turns = np.array([0.0, 0.25, 0.5, 0.75, -0.5, 1.0, 1e15, -1e300])
    cosines, sines = cosines_and_sines(turns.copy())
    np.testing.assert_allclose(cosines, [1, 0, -1, 0, -1, 1, 1, 1], atol=1e-14)
    np.testing.assert_allclose(sines, [0, 1, 0, -1, 0, 0, 0, 0], atol=1e-14)


def test_no_angles_have_no_cosines():
    cosines, sines = cosines_and_sines(np.empty((0, 3)))
    assert cosines.shape == sines.shape == haversines(np.empty((0, 3))).shape == (0, 3)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 30.0])
def test_in_single_precision_they_are_right_to_its_digits(scale, rng):
    turns = (scale * rng.standard_normal((50, 200))).astype(np.float32)
    known = np.cos(2 * np.pi * turns.astype(float))
    cosines = SINGLE_COSINE[0] + falls(turns, np.empty_like(turns))
    assert cosines.dtype == np.float32
    np.testing.assert_allclose(cosines, known, rtol=0, atol=3e-6)
