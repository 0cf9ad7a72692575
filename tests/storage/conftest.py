"""Every storage, each time empty, with a clock that the test turns."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pathmax.storage import MemoryStorage, Storage, StudyRecord, storage_url
from pathmax.storage.http import HttpStorage
from pathmax.storage.sql import SqlStorage
from tests.web.conftest import TOKEN, running


class Clock:
    """A clock that stands still until a test moves it, also backwards."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty place in each kind of database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'lab.db'}"
    return storage_url(request.getfixturevalue("postgres").url())


@pytest.fixture(params=["memory", "sqlite", "postgresql", "http"])
def storage(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Storage]:
    """An empty storage of each kind."""
    if request.param == "memory":
        yield MemoryStorage(clock=clock)
        return
    place = f"sqlite:///{tmp_path / 'lab.db'}"
    if request.param == "http":
        with SqlStorage(place, clock=clock) as kept, running(storage=kept) as server:
            with HttpStorage(server.origin.replace("//", f"//{TOKEN}@")) as opened:
                yield opened
        return
    if request.param == "postgresql":
        place = storage_url(request.getfixturevalue("postgres").url())
    with SqlStorage(place, clock=clock) as opened:
        yield opened


@pytest.fixture
def record() -> StudyRecord:
    return StudyRecord(
        name="suzuki",
        space={"temperature": {"type": "float", "low": 20, "high": 120}},
        direction="maximize",
        settings={"method": "pims", "seed": 0},
    )


@pytest.fixture
def study(storage: Storage, record: StudyRecord) -> str:
    """The name of a study that is there and has no trials."""
    return storage.create(record).name
