"""The demonstration lives: experiments are asked for, take a while, and are told."""

import threading
from random import Random

from pathmax import Study
from pathmax.trials.trial import TrialState
from pathmax.web import demo
from tests.web.conftest import client


def test_there_is_something_to_see_from_the_start(serve):
    with client(serve(storage=demo.demo_storage())) as api:
        (line,) = api.get("/api/studies").json()["studies"]
        assert line["words"] == "maximize yield (%)"
        assert line["counts"]["complete"] + line["counts"]["failed"] == demo.BEFORE
        assert line["best"]["outcomes"]["value"] > 20


def test_the_laboratory_works_until_it_is_closed(monkeypatch):
    monkeypatch.setattr(demo, "EXPERIMENT_SECONDS", (0.0, 0.0))
    monkeypatch.setattr(demo, "MOST_TRIALS", demo.BEFORE + 6)
    storage = demo.demo_storage()
    study = Study.load(demo.NAME, storage=storage)
    with demo.laboratory(storage):
        while (
            sum(trial.state is not TrialState.RUNNING for trial in study.trials) < demo.MOST_TRIALS
        ):
            pass
    assert demo.MOST_TRIALS <= len(study.trials) <= demo.MOST_TRIALS + len(demo.BENCHES) - 1


def test_an_experiment_that_is_interrupted_stays_running():
    storage, stop = demo.demo_storage(), threading.Event()
    stop.set()
    study = Study.load(demo.NAME, storage=storage)
    demo.experiment(study, Random(0), stop)
    assert study.trials[-1].state is TrialState.RUNNING
