"""Signs of life, and trials that are taken back without them."""

import threading

import pytest

from pathmax import Float, Study, TrialState
from pathmax.errors import StorageUnavailableError
from pathmax.running.heartbeat import Heartbeat
from pathmax.session.session import GRACE
from pathmax.storage.memory import MemoryStorage

LINE = {"x": Float(0, 1)}


def test_it_beats_for_those_who_run_and_for_nobody_after():
    beats: list[list[int]] = []
    enough = threading.Event()

    def beat(numbers: list[int]) -> None:
        beats.append(numbers)
        if len(beats) == 3:
            enough.set()

    with Heartbeat(beat, interval=0.001) as heart:
        heart.watch([4, 2])
        assert enough.wait(30)
    assert beats[:3] == [[2, 4]] * 3
    assert "pathmax-heartbeat" not in {thread.name for thread in threading.enumerate()}


def test_a_storage_that_is_away_does_not_stop_the_heart():
    beats = []
    enough = threading.Event()

    def beat(numbers: list[int]) -> None:
        beats.append(numbers)
        if len(beats) == 2:
            enough.set()
        raise StorageUnavailableError("the server is away")

    with Heartbeat(beat, interval=0.001) as heart:
        heart.watch([1])
        assert enough.wait(30)


class Shared(MemoryStorage):
    """A storage in memory that counts as one which other processes use."""


@pytest.fixture
def clock(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr("pathmax.session.session.MemoryStorage", type("Other", (), {}))
    monkeypatch.setattr("pathmax.session.session.time.monotonic", lambda: now[0])
    return now


def test_a_trial_without_a_heartbeat_for_long_is_taken_back_by_the_next_ask(clock):
    storage = Shared(clock=lambda: clock[0])
    study = Study(LINE, name="s", storage=storage, seed=0)
    by_hand = study.ask()
    watched = storage.start("s", 1, by_hand.params, heartbeat=True)
    clock[0] += GRACE / 2
    study.ask()
    assert study.trials[watched.number].state is TrialState.RUNNING
    clock[0] += GRACE
    study.ask()
    vanished = study.trials[watched.number]
    assert vanished.state is TrialState.FAILED
    assert "its worker vanished" in str(vanished.error)
    assert study.trials[by_hand.number].state is TrialState.RUNNING
    assert study.tell(watched, 3.0).value == 3.0  # late, but welcome


def test_optimize_keeps_its_trials_alive(monkeypatch, tmp_path):
    monkeypatch.setattr("pathmax.running.heartbeat.INTERVAL", 0.001)
    beaten = threading.Event()
    study = Study(LINE, seed=0, storage=f"sqlite:///{tmp_path / 'lab.db'}")
    beat = study.storage.beat

    def noted(name: str, numbers: list[int]) -> list[int]:
        beaten.set()
        return beat(name, numbers)

    monkeypatch.setattr(study.storage, "beat", noted)

    def objective(params: dict[str, float]) -> float:
        assert beaten.wait(30)
        return params["x"]

    result = study.optimize(objective, 1, progress=False)
    assert result.trials[0].state is TrialState.COMPLETE
    assert result.trials[0].heartbeat_at is not None


def test_in_the_memory_of_one_process_nobody_needs_a_heartbeat():
    names: set[str] = set()

    def objective(params: dict[str, float]) -> float:
        names.update(thread.name for thread in threading.enumerate())
        return params["x"]

    Study(LINE, seed=0).optimize(objective, 1, progress=False)
    assert "pathmax-heartbeat" not in names
