"""An objective with a second argument: inline, on threads, in processes, over every storage."""

import functools
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

import pathmax
from pathmax import Float, Study, TrialState
from pathmax.errors import ObjectiveError, PathmaxError
from pathmax.running.local_server import LocalClient, LocalServer
from pathmax.running.run_handle import Direct, RunHandle, takes_handle

SPACE = {"x": Float(0, 1)}


def train(params, run):
    """Losses that fall to (x - 0.3)^2."""
    x = params["x"]
    for step in range(1, 16):
        loss = (x - 0.3) ** 2 + (0.2 + 0.3 * x) * np.exp(-step / 3)
        run.report(step, loss)
        if run.should_stop():
            return None
    return loss


def ignore(params, run):
    """Asks, and goes on regardless."""
    for step in range(1, 16):
        run.report(step, 9.0 if run.number > 4 else 1.0 / step + params["x"])
        run.should_stop()
    run.report(16, params["x"])
    return params["x"]


def diverge(params, run):
    run.report(1, float("nan"))
    return None if run.should_stop() else 1.0


def misreport(params, run):
    run.report(1, "much")


def one(params):
    return params["x"]


@pytest.mark.parametrize("storage", ["memory", "sqlite"])
@pytest.mark.parametrize("workers", [None, ThreadPoolExecutor, ProcessPoolExecutor])
def test_trials_report_and_are_stopped(workers, storage, tmp_path):
    place = None if storage == "memory" else f"sqlite:///{tmp_path / 'lab.db'}"
    study = Study(SPACE, direction="minimize", seed=0, storage=place, stopping="asha")
    if workers is None:
        result = study.optimize(train, 12, progress=False)
    else:
        with workers(2) as executor:
            result = study.optimize(train, 12, executor=executor, progress=False)
    states = [trial.state for trial in result.trials]
    assert set(states) == {TrialState.COMPLETE, TrialState.STOPPED}
    assert len(states) == 12
    for trial in result.trials:
        curve = study.curve(trial)
        assert list(curve) == list(range(1, len(curve) + 1))
        assert (len(curve) == 15) is (trial.state is TrialState.COMPLETE)
    assert f"{states.count(TrialState.STOPPED)} stopped" in result.summary


def test_minimize_takes_such_an_objective_and_the_rule():
    result = pathmax.minimize(train, SPACE, 8, seed=0, progress=False, stopping="never")
    assert {trial.state for trial in result.trials} == {TrialState.COMPLETE}
    result = pathmax.minimize(train, SPACE, 14, seed=0, progress=False)
    assert any(trial.state is TrialState.STOPPED for trial in result.trials)


def test_whoever_goes_on_after_a_yes_has_a_result():
    study = Study(SPACE, direction="minimize", seed=0, stopping="asha")
    result = study.optimize(ignore, 8, progress=False)
    assert {trial.state for trial in result.trials} == {TrialState.COMPLETE}


def test_a_loss_that_is_no_number_fails_the_trial():
    study = Study(SPACE, direction="minimize", seed=0)
    result = study.optimize(diverge, 3, progress=False)
    assert [trial.error for trial in result.trials] == ["value was nan at step 1"] * 3


def test_a_wrong_report_is_the_fault_of_the_objective():
    study = Study(SPACE, direction="minimize", seed=0)
    with pytest.raises(ObjectiveError, match="a value must be one number, got the text 'much'"):
        study.optimize(misreport, 5, progress=False)
    with ProcessPoolExecutor(1) as executor, pytest.raises(ObjectiveError, match="one number"):
        study.optimize(misreport, 5, executor=executor, progress=False, on_error="raise")


def test_who_is_given_a_handle():
    class Callable:
        def __call__(self, params, run):
            return 1.0

    assert takes_handle(train) and takes_handle(Callable()) and takes_handle(lambda p, r: 1.0)
    assert takes_handle(lambda params, run=None: 1.0)
    assert takes_handle(functools.partial(lambda data, params, run: 1.0, 5))
    assert not takes_handle(one) and not takes_handle(lambda params, verbose=True: 1.0)
    assert not takes_handle(functools.partial(train, run=None))
    assert not takes_handle(lambda params, **others: 1.0)
    assert not takes_handle(dict.get) or True  # whatever it says, it does not raise


def test_a_handle_that_was_sent_cannot_reach_a_run_that_is_over():
    sent = []

    def keep(params, run):
        sent.append(pickle.dumps(run))
        return 1.0

    Study(SPACE, seed=0).optimize(keep, 1, progress=False)
    handle = pickle.loads(sent[0])
    with pytest.raises(pathmax.errors.StorageUnavailableError, match="cannot be reached"):
        handle.report(1, 0.5)


@pytest.mark.parametrize("how", ["memory", "sqlite"])
def test_a_run_that_somebody_stops_hears_of_it(how, tmp_path):
    storage = None if how == "memory" else f"sqlite:///{tmp_path}/s.db"
    study = Study({"x": Float(0, 1)}, name="s", storage=storage, direction="maximize", seed=0)
    other = study
    if storage is not None:
        other = Study.load("s", storage=storage)
    steps = []

    def objective(params, run):
        for step in range(1, 6):
            if run.number == 1 and step == 3:
                other.stop(1, "the stirrer came loose")
            run.report(step, params["x"] * step)
            steps.append((run.number, step))
            if run.should_stop():
                return None
        return 5.0 * params["x"]

    study.optimize(objective, n_trials=3, progress=False)
    states = [str(trial.state) for trial in study.trials]
    assert states == ["complete", "stopped", "complete"]
    assert study.trials[1].error == "the stirrer came loose" and (1, 4) not in steps
    assert study.trials[1].attributes.keys().isdisjoint({"unused_error", "unused_value"})


def test_a_handle_that_was_sent_knows_earlier_spaces(tmp_path):
    storage = f"sqlite:///{tmp_path}/s.db"
    study = Study({"x": Float(0, 1)}, name="s", storage=storage, seed=0)
    study.add({"x": 0.9}, 1.0)
    study.change_space({"x": Float(0, 0.5)})
    session = study._session
    sent = pickle.loads(pickle.dumps(RunHandle(study.ask().number, Direct(session))))
    again = sent._line.session
    assert [trial.params for trial in again.trials()] == [
        trial.params for trial in session.trials()
    ]
    assert again.history().n == session.history().n == 0  # the old result is kept and left out


def test_an_error_that_is_not_ours_reaches_the_worker_that_asked():
    def fails(*asked):
        raise ZeroDivisionError("by chance")

    server = LocalServer(fails)
    try:
        with pytest.raises(PathmaxError, match="ZeroDivisionError: by chance"):
            LocalClient(*server.open()).should_stop(0)
    finally:
        server.close()
