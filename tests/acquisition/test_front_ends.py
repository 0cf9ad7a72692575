"""A front ends where its points are no longer worth their price."""

import tracemalloc

import numpy as np
import pytest

from pathmax.acquisition.front_ends import (
    GAIN,
    MOST_COMPARED_WITH,
    reference_beyond,
    spans_of,
    worth_their_price,
)


def quarter(n: int = 60) -> np.ndarray:
    """A quarter of a circle, larger is better."""
    angle = np.linspace(0.0, np.pi / 2, n)
    return np.column_stack([np.sin(angle), np.cos(angle)])


@pytest.mark.parametrize("n", [2, 60, 3 * MOST_COMPARED_WITH])
def test_a_front_whose_ends_are_worth_their_price_is_kept(n):
    front = quarter(n)
    kept = worth_their_price(front)
    assert np.ptp(kept, axis=0) == pytest.approx(np.ptp(front, axis=0), abs=2 * GAIN)
    line = np.column_stack([np.linspace(0.0, 1.0, n), np.linspace(1.0, 0.0, n)])
    assert np.array_equal(worth_their_price(line), line)
    assert np.array_equal(worth_their_price(1e6 * line - 3.0), 1e6 * line - 3.0)  # units count not


def test_a_thousandth_for_many_spans_is_left_out():
    tail = np.array([[1.0005, -1.0], [1.001, -5.0], [1.002, -20.0]])
    front = np.concatenate([quarter(), tail])
    kept = worth_their_price(front)
    assert kept.min() >= 0.0 and len(kept) >= 55
    assert spans_of(front) == pytest.approx([1.0, 1.0], abs=0.02)
    assert reference_beyond(front, 0.1) == pytest.approx([-0.1, -0.1], abs=0.02)


def test_three_objectives_and_a_single_point():
    corners = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    front = np.concatenate([corners, [[1.001, -20.0, 0.0]]])
    assert np.array_equal(worth_their_price(front), corners)
    one = np.array([[0.3, 0.2]])
    assert np.array_equal(worth_their_price(one), one)
    assert reference_beyond(one, 0.1) == pytest.approx([0.2, 0.1])


def test_a_long_front_is_judged_in_little_memory():
    """100,000 points of four objectives; all at once they would take three times 205 MB."""
    front = np.random.default_rng(0).random((100_000, 4))
    tracemalloc.start()
    try:
        worth_their_price(front)
        assert tracemalloc.get_traced_memory()[1] < 60e6
    finally:
        tracemalloc.stop()
