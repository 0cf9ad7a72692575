"""Only what is missing is run, and what fails is named."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from pathmax.errors import PathmaxError
from pathmax.experiments import plan, runner
from pathmax.experiments.plan import ComparedMethod, PlannedRun, Setting
from pathmax.experiments.store import Store
from tests.experiments.small_runs import RIDGE, SMALL, Silent, run_of


def test_only_missing_runs_are_done_and_jobs_do_not_change_the_numbers(tmp_path):
    runs = plan.runs(
        [SMALL, RIDGE], [ComparedMethod("pims"), ComparedMethod("ts")], trials=2, iterations=2
    )
    one, two, watcher = Store(tmp_path / "1"), Store(tmp_path / "2"), Silent()
    with ThreadPoolExecutor(1) as executor:
        runner.perform(runs[:3], one, executor, workers=1, watcher=watcher)
        assert len(watcher.seen) == 3
        runner.perform(runs, one, executor, workers=1, watcher=watcher)
    assert len(watcher.seen) == len(runs) == len(set(watcher.seen))
    with runner.processes(2) as (executor, workers):
        runner.perform(runs, two, executor, workers=workers, watcher=Silent())
    for run in runs:
        np.testing.assert_array_equal(one.load(run).value, two.load(run).value)
        np.testing.assert_array_equal(one.load(run).width, two.load(run).width)


def broken(rng):
    raise RuntimeError("no such reactor")


def test_a_run_that_fails_is_named_and_the_finished_ones_are_kept(tmp_path):
    bad = Setting("bad", "bad", broken, 2, 2)
    fails = [PlannedRun(bad, ComparedMethod("pims"), trial, 0, 2) for trial in (7, 8)]
    runs = [run_of(iterations=1), *fails, run_of(iterations=2)]
    store = Store(tmp_path)
    said = "bad pims trial 7 failed: RuntimeError: no such reactor; 2 of 4 runs failed"
    with ThreadPoolExecutor(1) as executor, pytest.raises(PathmaxError, match=said):
        runner.perform(runs, store, executor, workers=1, watcher=Silent())
    assert store.load(runs[0]) is not None
    assert store.load(runs[3]) is not None  # one failure among hundreds does not end a night's work
