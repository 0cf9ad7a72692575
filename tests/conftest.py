"""What every test may ask for."""

import os

import numpy as np
import pytest

os.environ.setdefault("MPLBACKEND", "Agg")  # figures are drawn without a screen


@pytest.fixture
def rng() -> np.random.Generator:
    """A fresh generator from one seed: no test depends on another's draws."""
    return np.random.default_rng(0)
