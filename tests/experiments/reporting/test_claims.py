"""The paper's claims, held against traces made by hand."""

import math

import numpy as np
import pytest

from pathmax.experiments import paper
from pathmax.experiments.reporting import claims, further_sections
from pathmax.experiments.reporting.summary import Summary
from pathmax.experiments.trace import Trace

SETTING = {s.name: s for settings in paper.SETTINGS.values() for s in settings}


def summary_of(method, finals, *, width=1.0, std=0.5, length=4):
    """Trials whose simple regret goes from 3 to the given ends in the last step."""
    traces = []
    for i, final in enumerate(finals):
        regret = np.full(5 + length, 3.0)
        regret[-1] = final
        wobble = std + 0.01 * (-1) ** i
        chosen = np.full(length, width), np.full(length, wobble)
        traces.append(Trace(1 - regret, regret, chosen[1], chosen[0], 1.5))
    return Summary(method, traces)


def test_a_difference_is_of_paired_trials():
    one, other = summary_of("ts", [1.0, 2.0, 3.0]), summary_of("pims", [0.5, 1.4, 2.6])
    gap = claims.difference(one, other)
    assert gap.mean == pytest.approx(0.5)
    assert gap.error == pytest.approx(np.std([0.5, 0.6, 0.4], ddof=1) / math.sqrt(3))
    assert gap.worse and not gap.better
    over = claims.difference(one, other, over="run")
    assert over.mean == pytest.approx(0.5 / 5)


@pytest.mark.parametrize(
    ("ts", "verdict"),
    [
        ([1.0, 1.1, 0.9], "comes out"),
        ([0.1, 0.5, 0.0], "cannot be told"),
        ([0.0, 0.1, 0.0], "does not come out"),
        ([0.0, 0.4, 0.0], "cannot be told"),
    ],
)
def test_the_three_verdicts(ts, verdict):
    methods = {"pims": summary_of("pims", [0.1, 0.2, 0.1]), "ts": summary_of("ts", ts)}
    (claim,) = claims.inferior("ts", ("pims",), "here", methods, because="it explores too much")
    assert claim.verdict == verdict
    assert claim.statement == "TS is inferior to PIMS (here): it explores too much"


def test_few_trials_must_differ_by_more():
    """Two standard errors of three trials are little: Student's t asks for 4.3."""
    assert claims.errors(1) == math.inf
    assert claims.errors(3) == pytest.approx(4.303, abs=1e-3)
    assert claims.errors(20) == pytest.approx(2.093, abs=1e-3)
    assert claims.errors(1000) == 2.0
    methods = {"pims": summary_of("pims", [0.0] * 3), "ts": summary_of("ts", [0.1, 0.1, 0.25])}
    (claim,) = claims.inferior("ts", ("pims",), "here", methods, because="")  # three errors
    assert claim.verdict == "cannot be told" and "over 3 trials" in claim.found


def test_drawn_parameters_stand_beside_the_most_probable():
    drawn, map_ = summary_of("pims", [0.0, 0.1, 0.0]), summary_of("pims", [1.0, 1.2, 1.1])
    settings = {
        SETTING["parameters-most-probable"]: {"pims": map_},
        SETTING["parameters-drawn"]: {"pims": drawn},
    }
    text = "\n".join(further_sections.parameters(settings))
    assert "drawing is better" in text and "2 of 3" in text


def test_best_or_comparable():
    better = {"pims": summary_of("pims", [0.1] * 3), "ei": summary_of("ei", [0.5] * 3)}
    assert claims.never_worse("pims", "here", better).verdict == "comes out"
    worse = {"pims": summary_of("pims", [0.5, 0.6, 0.5]), "ei": summary_of("ei", [0.1] * 3)}
    assert claims.never_worse("pims", "here", worse).verdict == "does not come out"
    alike = {"pims": summary_of("pims", [0.9, 0.1, 0.1]), "ei": summary_of("ei", [0.1] * 3)}
    assert claims.never_worse("pims", "here", alike).verdict == "comes out"


def test_table_2_is_held_against_two_standard_errors():
    def claimed(std, length):
        found = {"pims": summary_of("pims", [0.1] * 4, std=std, length=length)}
        return [claim.verdict for claim in claims.table_2({"synthetic-default": found})]

    assert claimed(0.33, 200) == ["comes out"]
    assert claimed(0.34, 200) == ["does not come out"]
    assert claimed(0.40, 100) == []  # the printed number is of a longer run


def test_confidence_parameters_are_compared_step_by_step():
    methods = {
        "pims": summary_of("pims", [0.1], width=2.0),
        "gp-ucb": summary_of("gp-ucb", [0.1], width=5.0),
    }
    assert claims.smaller_width("default", methods)[0].verdict == "comes out"
    methods["irgp-ucb"] = summary_of("irgp-ucb", [0.1], width=1.0)
    assert claims.smaller_width("default", methods)[0].verdict == "does not come out"
