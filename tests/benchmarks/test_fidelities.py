"""The functions with a fidelity, and how the cost to the same regret is counted."""

import numpy as np
import pytest

from benchmarks.fidelities import reached
from benchmarks.fidelity_functions import functions

MAXIMA = {"forrester": 6.02074, "currin": 13.79872, "augmented branin": -0.39789, "park b": 5.92604}


@pytest.mark.parametrize("which", ["development", "reported"])
def test_the_cheap_end_costs_a_tenth_and_says_something_else(which):
    for problem in functions(which):
        cheap, exact = problem.space["fidelity"].low, 1.0
        low, high = ("low", "high") if problem.levels else (cheap, exact)
        x = {name: 0.7 * p.low + 0.3 * p.high for name, p in problem.searched.items()}
        assert problem.cost(x | {"fidelity": low}) == pytest.approx(0.1)
        assert problem.cost(x | {"fidelity": high}) == problem.cost(x) == 1.0
        assert problem(x | {"fidelity": high}) == problem(x)
        assert problem(x | {"fidelity": low}) != problem(x)


def test_maxima_are_those_of_the_literature():
    found = {p.name: p.best for p in functions("reported") if p.name in MAXIMA}
    assert found == pytest.approx(MAXIMA, abs=1e-4)


def test_the_cost_to_a_regret_is_from_when_it_stays_reached():
    traces = np.array([[np.nan, 3.0, 0.5, 2.0, 0.5, 0.4]])
    assert reached(traces, 0.6) == 5.0
    assert reached(traces, 3.0) == 2.0
    assert reached(traces, 0.1) == float("inf")
