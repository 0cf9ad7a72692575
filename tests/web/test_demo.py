"""The demonstration lives: experiments are asked for, take a while, and are told."""

import threading
from random import Random

import pytest

from pathmax import Categorical, Float, Study
from pathmax.trials.trial import TrialState
from pathmax.web import demo
from tests.web.conftest import client


def test_there_is_something_to_see_from_the_start(serve):
    with client(serve(storage=demo.demo_storage())) as api:
        (line,) = api.get("/api/studies").json()["studies"]
        assert line["words"] == "maximize yield (%)"
        assert line["counts"]["complete"] + line["counts"]["failed"] == demo.BEFORE
        assert line["best"]["outcomes"]["value"] > 20


def test_the_laboratory_goes_on_all_day_and_does_not_grow(monkeypatch):
    monkeypatch.setattr(demo, "EXPERIMENT_SECONDS", (0.0, 0.0))
    monkeypatch.setattr(demo, "MOST_TRIALS", 5)
    monkeypatch.setattr(demo, "BEFORE", 3)
    storage = demo.demo_storage()
    early = {demo.name_of(which) for which in (1, 2, 3)}
    now = storage.revisions()
    with demo.laboratory(storage):
        while early & now.keys():
            now = storage.revisions()
            assert len(now) <= demo.MOST_STUDIES
            assert all(each.trials <= 5 + len(demo.BENCHES) for each in now.values())
    assert len(now) >= demo.MOST_STUDIES - 1  # the next one is about to begin


def test_a_demonstration_that_is_deleted_ends(monkeypatch):
    monkeypatch.setattr(demo, "BEFORE", 1)
    storage = demo.demo_storage()
    storage.delete(demo.NAME)
    assert demo.Laboratory(storage, 0).study() is None


def test_an_experiment_that_is_interrupted_stays_running():
    storage, stop = demo.demo_storage(), threading.Event()
    stop.set()
    study = Study.load(demo.NAME, storage=storage)
    demo.experiment(study, Random(0), stop)
    assert study.trials[-1].state is TrialState.RUNNING


@pytest.mark.parametrize(
    "changed", [{"solvent": Categorical(["ether"])}, {"pressure": Float(1, 5)}], ids=str
)
def test_what_cannot_be_simulated_fails_in_words_and_the_bench_goes_on(monkeypatch, changed):
    monkeypatch.setattr(demo, "BEFORE", 1)
    study = Study.load(demo.NAME, storage=demo.demo_storage())
    known = {"temperature": Float(20, 120), "minutes": Float(5, 240, log=True)}
    study.change_space({**known, "solvent": Categorical(["THF", "DMF"]), **changed})
    demo.experiment(study, Random(0))
    assert study.trials[-1].error == demo.NOT_SIMULATED
