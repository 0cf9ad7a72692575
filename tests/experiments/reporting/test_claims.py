"""The paper's claims, held against traces made by hand."""

import math

import numpy as np
import pytest

from pathmax.experiments import paper
from pathmax.experiments.reporting import claims, further_sections, paired_trials, two_models
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
    gap = paired_trials.difference(one, other)
    assert gap.mean == pytest.approx(0.5)
    assert gap.error == pytest.approx(np.std([0.5, 0.6, 0.4], ddof=1) / math.sqrt(3))
    assert gap.worse and not gap.better
    over = paired_trials.difference(one, other, over="run")
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
    assert paired_trials.errors(1) == math.inf
    assert paired_trials.errors(3) == pytest.approx(4.303, abs=1e-3)
    assert paired_trials.errors(20) == pytest.approx(2.093, abs=1e-3)
    assert paired_trials.errors(1000) == 2.0
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


def test_comparable_means_with_every_baseline():
    """MES has the best mean by chance; IRGP-UCB is a little better than PIMS in every trial."""
    pims = [1.0, 1.1, 0.9, 1.0, 1.1, 0.9]
    methods = {
        "pims": summary_of("pims", pims),
        "irgp-ucb": summary_of("irgp-ucb", [end - 0.2 for end in pims]),
        "mes": summary_of("mes", [0.0, 0.0, 2.2, 0.0, 0.0, 1.7]),
    }
    claim = claims.never_worse("pims", "here", methods)
    assert claim.verdict == "does not come out"
    assert "1 ± 0.037 (median 1), clearly worse: +0.2" in claim.found
    assert "(median +0.2, p 0.031) against IRGP-UCB" in claim.found and "MES" not in claim.found


def test_ts_is_inferior_to_all_others_or_the_claim_does_not_come_out():
    ends = {
        "pims": 0.1,
        "gp-ucb": 0.1,
        "irgp-ucb": 0.1,
        "ei": 0.1,
        "mes": 0.9,
        "jes": 0.1,
        "ts": 0.5,
    }
    methods = {m: summary_of(m, [end, end + 0.01, end - 0.01]) for m, end in ends.items()}
    for found in (claims.benchmarks({"ackley-paper": methods}),
                  claims.emulators({"alkox-paper": methods})):  # fmt: skip
        (claim,) = [c for c in found if c.statement.startswith("TS is inferior")]
        assert claim.verdict == "does not come out" and "MES" in claim.statement
    del methods["mes"]
    (claim,) = [c for c in claims.benchmarks({"ackley-paper": methods}) if "TS is" in c.statement]
    assert claim.verdict == "comes out"


def test_pi_is_held_against_pims_in_every_setting():
    methods = {"pims": summary_of("pims", [0.1] * 3), "pi": summary_of("pi", [1.0, 1.1, 0.9])}
    found = claims.synthetic({name: methods for name in claims.TITLES})
    assert sum(c.statement.startswith("PI is inferior to PIMS") for c in found) == 3


def test_both_models_are_shown_side_by_side():
    plain = {"pims": summary_of("pims", [0.5] * 3), "ei": summary_of("ei", [1.5, 1.6, 1.5])}
    ours = {"pims": summary_of("pims", [0.9, 1.0, 1.1]), "ei": summary_of("ei", [0.1] * 3)}
    settings = {SETTING["alkox-paper"]: plain, SETTING["alkox"]: ours}
    text = "\n".join(two_models.side_by_side(settings))
    assert "| alkox | the paper's model | 0.5 ± 0 (median 0.5) | EI | none |" in text
    assert "| alkox | pathmax's priors | 1 ± 0.058 (median 1) | none | EI |" in text
    assert not list(two_models.side_by_side({SETTING["alkox"]: ours}))


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
