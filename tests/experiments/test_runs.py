"""Runs: what they give, how they are kept, and that nothing but the run decides the numbers."""

import dataclasses
import io
import json
import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from pathmax.errors import DataFileError, PathmaxError, SettingsError
from pathmax.experiments import plan, runner, time_left
from pathmax.experiments.paper import SETTINGS
from pathmax.experiments.plan import ComparedMethod, PlannedRun, Setting
from pathmax.experiments.problems import Problem, gp_sample
from pathmax.experiments.reporting import summary
from pathmax.experiments.store import Store
from pathmax.experiments.trace import Trace, execute
from pathmax.space.parameters import Float
from pathmax.space.space import Space


def small(rng):
    return gp_sample(rng, levels=4, d=2, lengthscale=0.4, noise=1e-4)


def ridge(params):
    return -abs(params["x"] - 0.3)


def one_dimensional(rng):
    return Problem("ridge", Space({"x": Float(0, 1)}), ridge, optimum=0.0)


SMALL = Setting("small", "small", small, 6, 3, options={"confidence": "theoretical"})
RIDGE = Setting("ridge", "ridge", one_dimensional, 4, 2)


def run_of(method="pims", *, setting=SMALL, trial=0, seed=0, iterations=6, sampler="exact"):
    return PlannedRun(setting, ComparedMethod(method), trial, seed, iterations, sampler)


class Silent:
    def __init__(self):
        self.seen = []

    def finished(self, run, trace):
        self.seen.append(run.label)


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


def test_a_store_gives_back_what_it_was_given(tmp_path):
    store, run = Store(tmp_path), run_of()
    assert store.load(run) is None
    trace = execute(run)
    store.save(run, trace)
    for name, value in dataclasses.asdict(store.load(run)).items():
        np.testing.assert_array_equal(value, getattr(trace, name))
    shorter = store.load(dataclasses.replace(run, iterations=4))
    np.testing.assert_array_equal(shorter.value, trace.value[:9])
    assert [file.suffix for file in tmp_path.rglob("*") if file.is_file()] == [".npz"]


@pytest.mark.parametrize(
    "change", [{"seed": 1}, {"trial": 1}, {"sampler": "rff"}, {"iterations": 7}]
)
def test_a_store_does_not_take_one_run_for_another(tmp_path, change):
    store, run = Store(tmp_path), run_of()
    store.save(run, execute(run))
    assert store.load(dataclasses.replace(run, **change)) is None


@pytest.mark.parametrize("damage", [lambda b: b[:50], lambda b: b"", lambda b: b"PK" + b[9:]])
def test_a_damaged_file_is_run_again(tmp_path, damage):
    store, run = Store(tmp_path), run_of(iterations=2)
    store.save(run, execute(run))
    (file,) = tmp_path.rglob("*.npz")
    file.write_bytes(damage(file.read_bytes()))
    assert store.load(run) is None
    watcher = Silent()
    with ThreadPoolExecutor(1) as executor:
        runner.perform([run], store, executor, workers=1, watcher=watcher)
    assert watcher.seen == ["small pims trial 0"] and store.load(run) is not None


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "small").write_text("in the way")
    with pytest.raises(DataFileError, match=r"pims-exact-000\.npz: cannot be written"):
        Store(tmp_path).save(run_of(), execute(run_of(iterations=1)))


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


def test_a_plan_says_what_is_wrong_with_it():
    with pytest.raises(SettingsError, match="trials must be at least 1"):
        plan.runs([SMALL], [ComparedMethod("pims")], trials=0)
    with pytest.raises(SettingsError, match="iterations must be at least 1"):
        plan.runs([SMALL], [ComparedMethod("pims")], trials=1, iterations=0)
    with pytest.raises(SettingsError, match="same name"):
        plan.runs([SMALL, SMALL], [ComparedMethod("pims")], trials=1)


def test_names_of_settings_are_unique_and_fit_a_file():
    names = [
        setting.name
        for section, settings in SETTINGS.items()
        for setting in settings
        if section != "jes"  # another look at one of the emulators
    ]
    assert len(set(names)) == len(names) == 14
    assert all(name.replace("-", "").isalnum() for name in names)


def trace_of(regret, *, width=math.nan, optimum=1.0, seconds=2.0):
    regret = np.asarray(regret, dtype=float)
    chosen = len(regret) - 5
    return Trace(optimum - regret, regret, np.ones(chosen), np.full(chosen, width), seconds)


def test_curves_by_hand():
    first = trace_of([5, 4, 6, 4, 5, 3, 9, 1])
    second = trace_of([5, 4, 2, 4, 5, 3, 1, 3])
    found = summary.Summary("pims", [first, second])
    np.testing.assert_array_equal(found.simple_regret.mean, [3, 2.5, 2, 1])
    np.testing.assert_array_equal(found.simple_regret.error, [1, 0.5, 1, 0])
    np.testing.assert_array_equal(found.best_value.mean, [-2, -1.5, -1, 0])
    np.testing.assert_array_equal(found.cumulative_regret.mean, [3, 8, 10])
    assert found.trials == 2 and found.seconds == 2.0
    np.testing.assert_array_equal(found.final_regret, [1, 1])
    alone = summary.Summary("pims", [first])
    assert np.all(np.isnan(alone.simple_regret.error))


def test_the_bound_of_a_drawn_function_and_of_no_other():
    bound = summary.regret_bound(SMALL, "pims", 6)
    assert bound.shape == (6,) and np.all(np.diff(bound) > 0)
    assert summary.regret_bound(RIDGE, "pims", 6) is None
    assert summary.regret_bound(SMALL, "ei", 6) is None


def test_the_time_left_learns_from_what_runs_took():
    runs = [run_of(m, trial=i) for i in range(3) for m in ("pims", "mes")]
    now = [100.0]
    estimate = time_left.Estimate(runs, workers=2, clock=lambda: now[0])
    planned = sum(time_left.planned_seconds(run) for run in runs)
    assert estimate.seconds == pytest.approx(planned / 2)
    now[0] = 103.0
    estimate.finished(runs[0], 2.0)
    estimate.finished(runs[1], 4.0)  # 6 s of computing in 3 s on the wall; 12 are left
    assert estimate.seconds == pytest.approx(6.0)
    assert time_left.clock(67) == "1:07" and time_left.clock(7384.4) == "2:03:04"


def test_progress_is_lines_in_a_pipe_and_a_bar_on_a_terminal():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    runs = [run_of(trial=i) for i in range(2)]
    pipe, terminal = io.StringIO(), Terminal()
    for stream in (pipe, terminal):
        with time_left.open_progress(runs, 1, stream) as shown:
            for run in runs:
                shown.finished(run, trace_of([1] * 11))
    assert pipe.getvalue().splitlines()[-1] == "[2/2] small pims trial 1: 2.0 s, 0:00 left"
    assert "2/2" in terminal.getvalue() and "left" in terminal.getvalue()


def test_what_is_kept_says_what_it_is(tmp_path):
    Store(tmp_path).save(run_of(iterations=1), execute(run_of(iterations=1)))
    with np.load(tmp_path / "small" / "pims-exact-000.npz", allow_pickle=False) as data:
        kept = json.loads(str(data["run"]))
    assert kept["seed"] == 0 and kept["iterations"] == 1 and kept["format"] == 1
