"""Runs are kept in files: given back as they were, and done again where a file is damaged."""

import dataclasses
import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from pathmax.errors import DataFileError
from pathmax.experiments import runner
from pathmax.experiments import store as store_module
from pathmax.experiments.store import Store
from pathmax.experiments.trace import execute
from tests.experiments.small_runs import SMALL, Silent, run_of


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


def test_what_is_kept_says_what_it_is(tmp_path):
    Store(tmp_path).save(run_of(iterations=1), execute(run_of(iterations=1)))
    with np.load(tmp_path / "small" / "pims-exact-000.npz", allow_pickle=False) as data:
        kept = json.loads(str(data["run"]))
    assert kept["seed"] == 0 and kept["iterations"] == 1 and kept["format"] == 1


def test_another_option_is_another_run(tmp_path):
    store, run = Store(tmp_path), run_of("gp-ucb", iterations=1)
    store.save(run, execute(run))
    counted = dataclasses.replace(SMALL, options={"confidence": "theoretical", "design": 5})
    assert store.load(run) is not None
    assert store.load(dataclasses.replace(run, setting=counted)) is None


@pytest.mark.parametrize("engine", [store_module.ENGINE - 1, None], ids=["another", "unknown"])
def test_what_another_engine_gave_is_run_again(tmp_path, monkeypatch, engine):
    """A report of one engine had the finished runs of any other in it."""
    run = run_of(iterations=1)
    described = store_module._description(run) | {"engine": engine}
    if engine is None:  # as files were before
        del described["engine"]
    with monkeypatch.context() as before:
        before.setattr(store_module, "_description", lambda run: described)
        Store(tmp_path).save(run, execute(run))
    assert Store(tmp_path).load(run) is None
