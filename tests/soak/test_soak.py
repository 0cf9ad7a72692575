"""A short piece of `make soak`, the same in every run: the first of each kind."""

import pytest

from tests.soak.__main__ import Soak


@pytest.fixture
def soak(postgres) -> Soak:
    return Soak(seed=0, server=postgres)


@pytest.mark.parametrize("first", range(0, 8, 4))
def test_studies_by_chance(soak: Soak, first: int) -> None:
    for number in range(first, first + 4):
        soak.study(number)
    assert soak.counts["studies"]["studies"] == 4 and soak.counts["studies"]["replays"] > 4


def test_damaged_files(soak: Soak) -> None:
    for number in range(60):
        soak.file(number)
    endings = {name.partition(": ")[2] for name in soak.counts["files"]}
    assert endings >= {"read", "refused", "named", "in part"}


@pytest.mark.parametrize("number", [0, 1], ids=["sqlite", "postgresql"])
def test_a_kill_storm(soak: Soak, number: int) -> None:
    soak.storm(number, kills=10)
    assert soak.counts["kills"]["acknowledged"] > 10
