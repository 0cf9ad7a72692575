"""What every test may ask for."""

import os
from collections.abc import Iterator

import hypothesis
import numpy as np
import pytest

from tests.postgres import Server, running_server

os.environ.setdefault("MPLBACKEND", "Agg")  # figures are drawn without a screen

# The same examples in every run, and no clock: a test that fails once fails always.
hypothesis.settings.register_profile("repeatable", derandomize=True, deadline=None)
hypothesis.settings.load_profile("repeatable")


@pytest.fixture
def rng() -> np.random.Generator:
    """A fresh generator from one seed: no test depends on another's draws."""
    return np.random.default_rng(0)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A real PostgreSQL server; with several workers each has its own."""
    with running_server() as server:
        yield server
