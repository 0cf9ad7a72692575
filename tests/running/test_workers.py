"""Workers: threads, processes and a Dask cluster, and what happens when one of them dies."""

import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest

from pathmax import Float, Grid, Study, TrialState
from pathmax.errors import ObjectiveError, SettingsError
from pathmax.running.workers import count_workers
from pathmax.trials.trial import INTERRUPTED
from tests import objectives

LINE = {"x": Float(0, 1)}


def processes(n: int) -> ProcessPoolExecutor:
    # forkserver: fork would copy the threads of the test run, spawn is slow
    return ProcessPoolExecutor(n, mp_context=get_context("forkserver"))


class Manual(Executor):
    """An executor whose calls end when and as the test says."""

    def __init__(self, workers: int) -> None:
        self._max_workers = workers
        self.calls: list[tuple[Future, tuple]] = []
        self.most = 0

    def submit(self, fn, /, *args, **kwargs) -> Future:
        future: Future = Future()
        self.calls.append((future, args))
        running = [f for f, _ in self.calls if not f.done()]
        self.most = max(self.most, len(running))
        if len(running) == self._max_workers:  # the newest ends first: out of order
            fn_args = self.calls[-1][1]
            future.set_result(fn(*fn_args))
        return future

    def end_all(self, fn) -> None:
        for future, args in self.calls:
            if not future.done():
                future.set_result(fn(*args))


def test_results_in_any_order_and_never_more_running_than_workers():
    from pathmax.running.evaluation import evaluate

    executor = Manual(3)
    study = Study(LINE, seed=0)
    done = threading.Event()

    def stop(study: Study) -> bool:
        if len(study.trials) == 9:
            executor.end_all(evaluate)
            done.set()
        return done.is_set()

    study.optimize(objectives.parabola, 9, executor=executor, stop=stop, progress=False)
    assert executor.most == 3
    assert len(study.trials) == 9
    for trial in study.trials:
        assert trial.value == objectives.parabola(trial.params)
    told = sorted(study.trials, key=lambda trial: trial.told_at)
    assert [trial.number for trial in told] != list(range(9))
    assert all(len(trial.info["pending"]) <= 2 for trial in study.trials)


@pytest.mark.parametrize(("workers", "count"), [(None, 4), (2, 2)])
def test_threads_are_all_busy_and_no_more_than_asked_for(workers: int | None, count: int):
    objective = objectives.Together(count)
    with ThreadPoolExecutor(4) as pool:
        result = Study(LINE, seed=0).optimize(
            objective, 12, executor=pool, workers=workers, progress=False
        )
    assert objective.most == count
    assert [trial.state for trial in result.trials] == [TrialState.COMPLETE] * 12


def test_processes():
    study = Study(LINE, seed=0)
    with processes(2) as pool:
        result = study.optimize(objectives.fails_above_half, 10, executor=pool, progress=False)
    for trial in result.trials:
        failed = float(trial.params["x"]) > 0.5
        assert trial.state is (TrialState.FAILED if failed else TrialState.COMPLETE)
        if failed:
            assert trial.error.splitlines()[0] == "ValueError: too hot"
            assert "fails_above_half" in trial.error


def test_an_ordered_parallel_run_is_the_same_every_time():
    def run() -> list[dict[str, object]]:
        study = Study(LINE, seed=3)
        with ThreadPoolExecutor(3) as pool:
            study.optimize(objectives.parabola, 12, executor=pool, ordered=True, progress=False)
        return [trial.params for trial in study.trials]

    assert run() == run()


def test_a_worker_that_dies_fails_its_trial_and_not_the_study():
    study = Study(LINE, seed=0)
    with processes(2) as pool:
        result = study.optimize(
            objectives.kills_its_worker_above_half, 12, executor=pool, progress=False
        )
    assert len(result.trials) == 12
    for trial in result.trials:
        if float(trial.params["x"]) > 0.5:
            assert trial.state is TrialState.FAILED
            assert "its worker died" in trial.error
        else:
            assert trial.value == trial.params["x"]
    assert {trial.state for trial in result.trials} == {TrialState.FAILED, TrialState.COMPLETE}


def test_when_every_worker_dies_the_run_ends_with_advice():
    study = Study(LINE, seed=0)
    with processes(2) as pool, pytest.raises(ObjectiveError, match="5 workers died one after"):
        study.optimize(objectives.always_kills_its_worker, 50, executor=pool, progress=False)
    assert not any(trial.state is TrialState.RUNNING for trial in study.trials)


def test_what_cannot_be_pickled_is_refused_before_any_trial():
    study = Study(LINE, seed=0)
    offset = 1.0
    with processes(1) as pool:
        with pytest.raises(ObjectiveError, match=r"<lambda> cannot be pickled.*top level"):
            study.optimize(lambda params: params["x"] + offset, 3, executor=pool)
        assert study.trials == []


def test_an_exception_that_cannot_be_pickled_is_still_told():
    study = Study(LINE, seed=0)
    with processes(1) as pool:
        study.optimize(
            objectives.raises_the_unpicklable, 2, executor=pool, progress=False, on_error="fail"
        )
        with pytest.raises(ObjectiveError, match="strange"):
            study.optimize(
                objectives.raises_the_unpicklable, 2, executor=pool, progress=False,
                on_error="raise",
            )  # fmt: skip
    assert study.trials[0].error.splitlines()[0].endswith("UnpicklableError: strange")


class Refusing(Executor):
    """An executor that fails in its own way."""

    _max_workers = 2

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def submit(self, fn, /, *args, **kwargs) -> Future:
        raise self.error


def test_an_executor_that_cannot_send_the_objective_says_so():
    study = Study(LINE, seed=0)
    refusing = Refusing(TypeError("Could not serialize object of type function"))
    with pytest.raises(ObjectiveError, match="cannot be pickled"):
        study.optimize(objectives.parabola, 3, executor=refusing, progress=False)
    assert {trial.error for trial in study.trials} == {INTERRUPTED}


def test_ctrl_c_while_workers_run_keeps_what_has_come_in():
    class Interrupted(Executor):
        _max_workers = 3

        def __init__(self) -> None:
            self.futures: list[Future] = []

        def submit(self, fn, /, *args, **kwargs) -> Future:
            self.futures.append(Future())
            if len(self.futures) == 3:
                self.futures[1].set_result(fn(*args))
                raise KeyboardInterrupt
            return self.futures[-1]

    study = Study(LINE, seed=0)
    result = study.optimize(objectives.parabola, 9, executor=Interrupted(), progress=False)
    assert result.ending == "stopped by Ctrl-C"
    assert [trial.state for trial in result.trials] == ["failed", "complete", "failed"]
    assert result.trials[0].error == result.trials[2].error == INTERRUPTED


def test_how_many_workers_there_are():
    assert count_workers(None) == 1
    with ThreadPoolExecutor(5) as pool:
        assert count_workers(pool) == 5
        assert count_workers(pool, 2) == 2

    class Unknown(Executor):
        pass

    with pytest.raises(SettingsError, match="pass workers=N"):
        count_workers(Unknown())
    assert count_workers(Unknown(), 7) == 7
    with pytest.raises(SettingsError, match=r"concurrent\.futures\.Executor"):
        count_workers("threads")  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="workers must be a whole number"):
        count_workers(None, 0)


def test_a_finite_space_is_shared_among_workers_without_repeats():
    study = Study(Grid({"a": [1, 2, 3], "b": [1, 2, 3]}), seed=0)
    with ThreadPoolExecutor(4) as pool:
        result = study.optimize(lambda p: p["a"] * p["b"], executor=pool, progress=False)
    assert len({tuple(trial.params.values()) for trial in result.trials}) == 9
    assert result.best_value == 9


def test_loky_the_workers_of_joblib():
    from joblib.externals.loky import ProcessPoolExecutor as Loky

    offset = 2.0  # loky can send what pickle cannot
    study = Study(LINE, seed=0)
    with Loky(2) as executor:
        assert count_workers(executor) == 2
        result = study.optimize(
            lambda params: params["x"] + offset, 6, executor=executor, progress=False
        )
        assert all(trial.value == trial.params["x"] + 2.0 for trial in result.trials)
        study.optimize(objectives.fails_above_half, 4, executor=executor, progress=False)
        with pytest.raises(ObjectiveError, match=r"is broken .* make a new one and call optimize"):
            study.optimize(objectives.always_kills_its_worker, 9, executor=executor, progress=False)
    lost = study.trials[10:]
    assert 1 <= len(lost) <= 4 and all(trial.state is TrialState.FAILED for trial in lost)
    assert any("its worker died (TerminatedWorkerError" in trial.error for trial in lost)
    assert lost[-1].error == INTERRUPTED  # it never ran: not a point to keep away from
    with Loky(2) as executor:
        study.optimize(objectives.parabola, 3, executor=executor, progress=False)
    assert [trial.state for trial in study.trials[-3:]] == ["complete"] * 3


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_dask_cluster(tmp_path):
    import dask
    import distributed

    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0",
            local_directory=str(tmp_path),
        ) as cluster,
        distributed.Client(cluster) as client,
    ):  # fmt: skip
        executor = client.get_executor()
        assert count_workers(executor) == 2
        study = Study(LINE, seed=0)
        offset = 2.0  # Dask can send what pickle cannot
        result = study.optimize(
            lambda params: params["x"] + offset, 8, executor=executor, progress=False
        )
        assert [trial.value for trial in result.trials] == [
            trial.params["x"] + 2.0 for trial in result.trials
        ]
        again = Study(Grid({"x": [1.0]}), replicates=True, method="random", initial=0)
        result = again.optimize(objectives.by_chance, 4, executor=executor, progress=False)
        assert len({trial.value for trial in result.trials}) == 4
        result = study.optimize(objectives.fails_above_half, 6, executor=executor, progress=False)
        assert len(result.trials) == 14
        assert any(trial.state is TrialState.FAILED for trial in result.trials[8:])
        study.optimize(objectives.always_kills_its_worker, 1, executor=executor, progress=False)
        assert study.trials[14].state is TrialState.FAILED
        assert "its worker died (KilledWorker" in study.trials[14].error
        result = study.optimize(objectives.parabola, 2, executor=executor, progress=False)
        assert [trial.state for trial in result.trials[15:]] == [TrialState.COMPLETE] * 2
