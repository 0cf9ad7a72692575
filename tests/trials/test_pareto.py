"""What nothing dominates, against the definition."""

import numpy as np
import pytest

from pathmax.errors import ModelError
from pathmax.trials.pareto import pareto_mask


def by_definition(Y):
    better = (Y[:, None] >= Y).all(axis=2) & (Y[:, None] > Y).any(axis=2)  # row i dominates j
    return ~better.any(axis=0)


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("kind", ["cube", "sphere", "ties", "line"])
@pytest.mark.parametrize("n", [0, 1, 2, 17, 200])
def test_against_the_definition(rng, k, kind, n):
    Y = rng.random((n, k))
    if kind == "sphere":
        Y = np.abs(rng.standard_normal((n, k)))
        Y /= np.linalg.norm(Y, axis=1, keepdims=True)
    elif kind == "ties":
        Y = rng.integers(0, 4, (n, k)).astype(float)
    elif kind == "line":
        Y = np.repeat(rng.random((n, 1)), k, axis=1)
    np.testing.assert_array_equal(pareto_mask(Y), by_definition(Y))


def test_copies_stay_together():
    Y = np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 2.0], [1.0, 1.0]])
    assert pareto_mask(Y).tolist() == [True, True, True, False]


def test_infinite_values_are_compared():
    Y = np.array([[np.inf, 0.0, 0.0], [0.0, -np.inf, 1.0], [0.0, -np.inf, 0.5]])
    assert pareto_mask(Y).tolist() == [True, True, False]


def test_refusals():
    with pytest.raises(ModelError, match=r"shape \(n, k\)"):
        pareto_mask([1.0, 2.0])
    with pytest.raises(ModelError, match="NaN"):
        pareto_mask([[1.0, np.nan]])


@pytest.mark.parametrize("k", [2, 3])
def test_a_hundred_thousand_points(rng, k):
    """Of the many only their own front dominates: the definition on a small set."""
    Y = rng.random((100_000, k))
    front = Y[pareto_mask(Y)]
    assert by_definition(front).all()
    assert (front[:, None] >= Y[:1000]).all(axis=2).any(axis=0).all()
