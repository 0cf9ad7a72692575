"""`optimize(prefetch=True)`: the next trial is there before a worker is free."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from pathmax import Candidates, Float, Study
from pathmax.errors import SettingsError
from pathmax.trials.trial import INTERRUPTED, TrialState

SPACE = {"x": Float(0, 1)}


def watched(study):
    """An objective that ends only once the trial after it has been asked for."""
    asked = threading.Condition()
    start = study._session.start

    def announced(**given):
        trial = start(**given)
        with asked:
            asked.notify_all()
        return trial

    study._session.start = announced

    def objective(params):
        with asked:
            mine = next(t.number for t in study.trials if t.params == params)
            last = mine == 5
            assert last or asked.wait_for(lambda: len(study.trials) > mine + 1, timeout=60)
        return params["x"]

    return objective


def test_the_next_trial_is_asked_for_while_the_worker_is_busy():
    study = Study(SPACE, seed=0)
    with ThreadPoolExecutor(1) as executor:
        result = study.optimize(watched(study), 6, executor=executor, prefetch=True, progress=False)
    assert [t.state for t in result.trials] == [TrialState.COMPLETE] * 6
    assert result.ending == "done"


def test_every_trial_is_run_once_with_several_workers():
    study, seen = Study(SPACE, seed=1), []
    with ThreadPoolExecutor(3) as executor:
        study.optimize(
            lambda p: seen.append(p["x"]) or p["x"], 12, executor=executor, prefetch=True,
            progress=False,
        )  # fmt: skip
    assert len(seen) == len(set(seen)) == len(study.trials) == 12


def test_a_trial_that_will_not_run_is_freed():
    study = Study(SPACE, seed=0)
    with ThreadPoolExecutor(2) as executor:
        study.optimize(
            lambda p: p["x"], executor=executor, prefetch=True, progress=False,
            stop=lambda s: sum(t.state is TrialState.COMPLETE for t in s.trials) >= 4,
        )  # fmt: skip
    assert TrialState.RUNNING not in [trial.state for trial in study.trials]
    assert {t.error for t in study.trials if t.state is TrialState.FAILED} <= {INTERRUPTED}


def test_a_pool_is_gone_through_to_its_end():
    study = Study(Candidates([{"x": i / 7} for i in range(8)]), seed=0)
    with ThreadPoolExecutor(2) as executor:
        result = study.optimize(lambda p: p["x"], executor=executor, prefetch=True, progress=False)
    assert len(result.trials) == 8 and result.ending.startswith("nothing left to try")
    assert {trial.state for trial in result.trials} == {TrialState.COMPLETE}


def test_in_order_it_comes_out_the_same_every_time():
    def run():
        study = Study(SPACE, seed=5)
        with ThreadPoolExecutor(2) as executor:
            study.optimize(
                lambda p: p["x"], 8, executor=executor, prefetch=True, ordered=True, progress=False
            )
        return [trial.params["x"] for trial in study.trials]

    assert run() == run()


def test_without_workers_there_is_nothing_to_fetch_ahead_of():
    with pytest.raises(SettingsError, match="give executor=, or leave prefetch out"):
        Study(SPACE).optimize(lambda p: 0.0, 3, prefetch=True)
