"""What every test may ask for."""

import os
import signal
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


@pytest.fixture
def python_handles_ctrl_c() -> Iterator[None]:
    """As in a shell, also when whoever started the tests ignores it (nohup, a background job).

    Programs that a test starts inherit it: a signal that is handled is not ignored by them.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


# What Windows does not have: fork, SIGKILL and limits of a process. The other tests run there.
if os.name == "nt":
    collect_ignore = [
        "cli/test_faults.py",
        "experiments/test_command.py",
        "gp/test_freed_memory.py",
        "gp/test_process.py",
        "running/test_interrupts.py",
        "running/test_workers.py",
        "soak/test_soak.py",
        "storage/test_full.py",
        "storage/test_processes.py",
    ]
