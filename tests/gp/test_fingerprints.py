"""Overlaps of molecules that are kept from one question to the next."""

import numpy as np
import pytest

from pathmax.gp import fingerprints
from pathmax.gp.fingerprints import Fingerprints


@pytest.fixture
def table(rng, monkeypatch) -> Fingerprints:
    monkeypatch.setattr(fingerprints, "MOST_COLUMNS", 20)
    sets = [np.sort(rng.choice(30, rng.integers(1, 12), replace=False)) for _ in range(60)]
    ends = np.cumsum([0, *map(len, sets)])
    return Fingerprints(np.concatenate(sets).astype(np.int32), ends.astype(np.int64))


def by_hand(table: Fingerprints, i: int, j: int) -> float:
    one, other = (set(table.elements[table.ends[k] : table.ends[k + 1]].tolist()) for k in (i, j))
    return len(one & other) / len(one | other)


def test_similarities_do_not_depend_on_what_is_kept(table, rng):
    for _ in range(8):
        some, others = rng.choice(60, 7), rng.choice(60, rng.integers(1, 40), replace=False)
        found = table.similarity(some, others)
        assert found.tolist() == [[by_hand(table, i, j) for j in others] for i in some]
        assert len(table._columns) <= 20


def test_a_model_of_more_molecules_than_are_kept_finds_those_again(table):
    everything, model = np.arange(60), np.arange(25)
    table.similarity(everything, model)
    kept = dict(table._columns)
    assert len(kept) == 20
    table.similarity(everything, model)
    assert all(table._columns[molecule] is column for molecule, column in kept.items())


def test_what_is_asked_about_now_takes_the_place_of_what_was(table):
    everything = np.arange(60)
    table.similarity(everything, np.arange(15))
    table.similarity(everything, np.arange(10, 30))
    assert {*table._columns} == {*range(10, 30)}
    first = table._columns[10]
    table.similarity(everything, np.arange(10, 12))  # fits: nothing is forgotten
    assert len(table._columns) == 20 and table._columns[10] is first
