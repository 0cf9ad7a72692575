"""Functions with their best point at an edge."""

from __future__ import annotations

from itertools import islice

import numpy as np

from benchmarks.edge_problems import KINDS, edge_problems, maximum, two_hills


def test_there_are_three_kinds_in_two_to_six_dimensions() -> None:
    names = [problem.name for problem in islice(edge_problems(), 15)]
    assert names == [f"{kind}-{d}d-0" for kind in KINDS for d in range(2, 7)]


def test_no_point_is_better_than_the_optimum(rng: np.random.Generator) -> None:
    for problem in islice(edge_problems(4), 0, 15, 3):
        U = rng.random((2000, problem.dimension))
        corners = np.round(U)
        assert max(problem.values(U).max(), problem.values(corners).max()) <= problem.best
        assert problem.loss(U[0]) >= 0.0


def test_the_higher_of_two_hills_is_at_an_edge(rng: np.random.Generator) -> None:
    values = two_hills(rng, 3)
    best = maximum(values, 3, rng)
    inside = 0.1 + 0.8 * rng.random((20_000, 3))
    assert values(inside).max() < best
