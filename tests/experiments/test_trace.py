"""One run: what it gives, and that nothing but the run decides the numbers."""

import dataclasses
import math

import numpy as np
import pytest

from pathmax.experiments import paper
from pathmax.experiments.plan import ComparedMethod, PlannedRun
from pathmax.experiments.trace import execute
from tests.experiments.small_runs import RIDGE, SMALL, run_of, small


@pytest.mark.parametrize(
    "method", ["pims", "ts", "gp-ucb", "irgp-ucb", "ei", "pi", "mes", "jes", "random"]
)
def test_a_run_keeps_what_the_figures_need(method):
    trace = execute(run_of(method))
    assert trace.initial == 5 and len(trace.value) == len(trace.regret) == 11
    assert len(trace.std) == len(trace.width) == 6
    assert np.all(trace.regret >= 0) and trace.seconds > 0
    optimum = small(run_of().problem_rng).optimum
    np.testing.assert_allclose(trace.value + trace.regret, optimum)
    if method != "random":
        assert np.all((trace.std > 0) & (trace.std <= 1 + 1e-9))
    has_width = method in ("pims", "ts", "gp-ucb", "irgp-ucb")
    assert np.all(np.isfinite(trace.width)) == has_width
    if method == "gp-ucb":  # theoretical, t counts the design: 2 log(16 * 36 / sqrt(2 pi)) at first
        assert trace.width[0] == pytest.approx(math.sqrt(2 * math.log(16 * 36 / 2.5066283)))


def test_in_the_papers_settings_t_counts_from_1_after_the_design():
    counted = dataclasses.replace(SMALL, options=paper.THEORETICAL)
    first, second = execute(dataclasses.replace(run_of("gp-ucb"), setting=counted)).width[:2]
    assert first == pytest.approx(math.sqrt(2 * math.log(16 * 1**2 / math.sqrt(2 * math.pi))))
    assert second == pytest.approx(math.sqrt(2 * math.log(16 * 2**2 / math.sqrt(2 * math.pi))))
    for setting in (*paper.SETTINGS["synthetic"], *map(plain, ("ackley", "shekel", "alkox"))):
        assert setting.options["design"] == setting.initial == 5


def plain(problem):
    """The setting of a problem with the paper's model."""
    every = (*paper.SETTINGS["benchmarks"], *paper.SETTINGS["emulators"])
    return next(setting for setting in every if setting.name == f"{problem}-paper")


def test_methods_of_a_trial_share_objective_and_design():
    traces = [execute(run_of(method, trial=3)) for method in ("pims", "ts", "ei")]
    for trace in traces[1:]:
        np.testing.assert_array_equal(trace.value[:5], traces[0].value[:5])
    other = execute(run_of("pims", trial=4))
    assert not np.array_equal(other.value[:5], traces[0].value[:5])


def test_the_same_run_gives_the_same_numbers_and_a_longer_one_begins_with_them():
    first, again = execute(run_of()), execute(run_of())
    np.testing.assert_array_equal(first.value, again.value)
    longer = execute(run_of(iterations=9))
    np.testing.assert_array_equal(longer.first(6).value, first.value)
    np.testing.assert_array_equal(longer.first(6).width, first.width)
    assert not np.array_equal(execute(run_of(seed=1)).value, first.value)


@pytest.mark.parametrize("sampler", ["pathwise", "rff"])
def test_samplers_differ_only_in_methods_that_draw_paths(sampler):
    assert not np.array_equal(execute(run_of(sampler=sampler)).width, execute(run_of()).width)
    by_features, exact = execute(run_of("ei", sampler=sampler)), execute(run_of("ei"))
    np.testing.assert_array_equal(by_features.value, exact.value)


def greedy(study, rng):
    return study.recommend()


def test_a_method_and_a_problem_of_ones_own():
    trace = execute(PlannedRun(RIDGE, ComparedMethod("greedy", ask=greedy), 0, 0, 4))
    assert len(trace.value) == 9 and np.all(np.isnan(trace.width))
    wide = execute(
        PlannedRun(SMALL, ComparedMethod("wide", "gp-ucb", {"confidence": 9.0}), 0, 0, 3)
    )
    np.testing.assert_allclose(wide.width, 3.0)
