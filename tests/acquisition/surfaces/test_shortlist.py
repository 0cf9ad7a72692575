"""The rows that PIMS chooses among hold its choice, whatever the maximum of its path."""

from dataclasses import dataclass

import numpy as np
import pytest

from pathmax import gp
from pathmax.acquisition.improvement_rules import ProbabilityOfImprovement
from pathmax.acquisition.surfaces.shortlist import Shortlist, ShortlistWork
from pathmax.arrays import Array, Index, Mask


@dataclass
class Rows:
    numbers: Index
    U: Array
    free: Mask | None


def blocks_of(U, size, free=None):
    for start in range(0, len(U), size):
        part = slice(start, start + size)
        numbers = np.arange(len(U))[part]
        yield Rows(numbers, U[part], None if free is None else free[part])


@pytest.mark.parametrize("seed", range(5))
def test_no_row_that_is_left_out_is_the_best_for_any_maximum(seed):
    rng = np.random.default_rng(seed)
    mean, std = rng.standard_normal(500), rng.uniform(0.01, 1.0, 500)
    found = Shortlist(1.0, 4.0, *(one[:0] for one in (np.arange(500), mean, std, mean[:, None])))
    for part in np.split(np.arange(500), 10):
        left = part[found.may_win(mean[part], std[part])]
        found = found.add(left, mean[left], std[left], mean[left, None])
    assert 0 < len(found.rows) < 100
    for g in np.linspace(1.0, 4.0, 50):
        rule = ProbabilityOfImprovement(g)
        assert found.best(rule).index == int(np.argmax(rule(mean, std)))
    assert found.best(ProbabilityOfImprovement(0.9)) is None
    assert found.best(ProbabilityOfImprovement(4.1)) is None


@pytest.fixture
def work(rng):
    X = rng.random((30, 3))
    model = gp.GaussianProcess(gp.Matern52(0.5), noise=1e-3).condition(X, np.sin(5 * X).sum(axis=1))
    return ShortlistWork(model, gp.draw_paths(model, rng, 1), 3, 6000)


@pytest.mark.parametrize("workers", [1, 3])
def test_one_pass_finds_the_maximum_of_the_path_and_the_choice(work, workers, rng):
    U, free = rng.random((6000, 3)), rng.random(6000) < 0.5
    states = [work.start() for _ in range(workers)]
    for i, block in enumerate(blocks_of(U, 500, free)):
        states[i % workers] = work.take(block, states[i % workers])
    winners, shortlist = work.merge(states)
    peak = winners[0][0].maximum()
    values = work.path.scores[0](U)
    assert work.usable and peak.index == int(np.argmax(values))
    rule = ProbabilityOfImprovement(peak.value)
    scores = np.where(free, rule(*work.model.look(U)), -np.inf)
    assert shortlist.best(rule).index == int(np.argmax(scores))
    assert len(shortlist.rows) < 100


def test_a_maximum_that_was_not_reckoned_with_is_not_answered(work, rng):
    """All rows of the first block are alike, so nothing tells that the path varies."""
    U = np.vstack([np.full((500, 3), 0.5), rng.random((5500, 3))])
    state = work.start()
    for block in blocks_of(U, 500):
        state = work.take(block, state)
    winners, shortlist = state
    peak = winners[0][0].maximum().value
    assert peak > shortlist.high
    assert shortlist.best(ProbabilityOfImprovement(peak)) is None
