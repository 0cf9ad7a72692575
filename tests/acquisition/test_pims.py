"""PIMS looks elsewhere when what it chose is known, to the resolution or to the noise."""

import math

import numpy as np
import pytest

from pathmax import acquisition, gp
from pathmax.acquisition.pims import TO_NOISE, known_below
from pathmax.search.box import Box


def test_known_is_known_to_the_resolution_or_to_the_noise():
    assert known_below(1e-3, 0.0) == 1e-3
    assert known_below(1e-3, 0.04) == pytest.approx(TO_NOISE * 0.2)


def test_under_noise_it_looks_elsewhere_when_the_choice_is_known_to_the_noise():
    """The best is measured a hundred times; half of the interval was never looked at."""
    noise = 0.3**2
    X = np.concatenate([np.full(100, 0.2), np.linspace(0.0, 0.4, 9)])[:, None]
    y = 1.0 - 4.0 * (X[:, 0] - 0.2) ** 2
    model = gp.GaussianProcess(gp.RBF(0.15), noise).condition(X, y)
    looked = 0
    for seed in range(30):
        rng = np.random.default_rng([seed, 3])
        choice = acquisition.choose("pims", model, Box(1), rng, resolution=1e-3)
        if choice.info.get("looked_elsewhere"):
            looked += 1
            assert choice.info["g_star"] > 1.0
        elif choice.info["std"] < TO_NOISE * math.sqrt(noise):
            first = np.random.default_rng([seed, 3])
            same = acquisition.choose("pims", model, Box(1), first, resolution=0.0)
            assert choice.u == pytest.approx(same.u)
    assert looked > 0
