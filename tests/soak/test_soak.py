"""A short piece of `make soak`, the same in every run."""

from collections import Counter

import pytest

from tests.soak import extreme_numbers
from tests.soak.__main__ import Soak


@pytest.fixture
def soak(postgres) -> Soak:
    return Soak(seed=0, server=postgres)


SHORT = ((0, 1, 2, 6), (5, 7, 8, 10))  # studies of a few seconds; `make soak` has the others


@pytest.mark.parametrize("numbers", SHORT, ids=str)
def test_studies_by_chance(soak: Soak, numbers: tuple[int, ...]) -> None:
    for number in numbers:
        soak.study(number)
    assert soak.counts["studies"]["studies"] == 4 and soak.counts["studies"]["replays"] > 4


def test_extreme_numbers() -> None:
    done = sum((extreme_numbers.run(2, number) for number in (0, 347)), Counter())
    assert done["studies"] == 2 and done["replays"] > 2


def test_damaged_files(soak: Soak) -> None:
    for number in range(60):
        soak.file(number)
    endings = {name.partition(": ")[2] for name in soak.counts["files"]}
    assert endings >= {"read", "refused", "named", "in part"}


@pytest.mark.parametrize("number", [0, 1], ids=["sqlite", "postgresql"])
def test_a_kill_storm(soak: Soak, number: int) -> None:
    soak.storm(number, kills=10)
    assert soak.counts["kills"]["acknowledged"] > 10
