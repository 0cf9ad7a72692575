"""A server as storage: answers that are lost, tokens, and studies that work through it."""

import pickle
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from pathmax import Float, Study
from pathmax.errors import SettingsError, StorageError, StorageUnavailableError
from pathmax.storage import Ending, Entry, MemoryStorage, open_storage
from pathmax.storage.http import HttpStorage
from tests.web.conftest import TOKEN, running


@pytest.fixture
def kept():
    return MemoryStorage()


@pytest.fixture
def server(kept):
    with running(storage=kept) as settings:
        yield settings


class LossyWire:
    """Forwards requests to a server; drops the answer to every other one."""

    def __init__(self, port: int) -> None:
        self._port, self._listening = port, socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.lost = 0
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        drop = True
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:  # closed
                return
            with near, socket.create_connection(("127.0.0.1", self._port)) as far:
                request = self._whole(near)
                far.sendall(request.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
                answer = b"".join(iter(lambda: far.recv(65536), b""))
                if drop:
                    self.lost += 1
                else:
                    near.sendall(answer)
            drop = not drop

    def _whole(self, near: socket.socket) -> bytes:
        found = b""
        while b"\r\n\r\n" not in found:
            found += near.recv(65536)
        head, _, body = found.partition(b"\r\n\r\n")
        lines = [line.split(b":") for line in head.lower().splitlines()]
        length = next((int(line[1]) for line in lines if line[0] == b"content-length"), 0)
        while len(body) < length:
            body += near.recv(65536)
        return head + b"\r\n\r\n" + body

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join()


@pytest.fixture
def wire(server):
    made = LossyWire(server.port)
    yield made
    made.close()


def test_a_lost_answer_does_nothing_twice(wire, kept, record):
    with HttpStorage(f"http://{TOKEN}@127.0.0.1:{wire.port}") as storage:
        begun = storage.begin(record, [Entry(params={"x": 0}, outcomes={"value": 1.0})])
        assert begun == kept.load("suzuki")
        assert storage.start("suzuki", 1, {"x": 1}).number == 1
        assert storage.start_next("suzuki", 0, lambda *_: ({"x": 2}, {})).number == 2
        storage.finish("suzuki", 1, Ending(outcomes={"value": 2.0}))
        storage.correct("suzuki", 1, Ending(outcomes={"value": 3.0}))
        storage.annotate("suzuki", 1, note="clear")
        storage.insert_many("suzuki", [Entry(params={}, outcomes={"value": 4.0})] * 2)
        _, trials = kept.changes("suzuki")
        assert [trial.value for trial in trials] == [1.0, 3.0, None, 4.0, 4.0]
        assert len(trials[1].earlier) == 1
        assert storage.begin(record, []) is None  # there is one already, with other trials
        storage.delete("suzuki")
        assert kept.studies() == []
    assert wire.lost > 8


def test_a_study_works_through_a_server(server, kept):
    url = f"http://{TOKEN}@127.0.0.1:{server.port}"
    there = Study({"x": Float(0, 1)}, name="s", storage=url, seed=3, initial=3)
    here = Study({"x": Float(0, 1)}, name="s", seed=3, initial=3)
    for _ in range(6):  # the same suggestions as without a server
        trial, same = there.ask(), here.ask()
        assert trial.params == same.params
        there.tell(trial, -((trial.params["x"] - 0.3) ** 2))
        here.tell(same, -((same.params["x"] - 0.3) ** 2))
    assert there.best_trial.params == here.best_trial.params
    with ThreadPoolExecutor(3) as pool:
        there.optimize(lambda p: p["x"], n_trials=6, executor=pool, progress=False)
    assert [trial.number for trial in Study.load("s", storage=kept).trials] == list(range(12))
    there.storage.close()


def test_the_token_comes_from_the_environment_or_the_address(server, kept, record, monkeypatch):
    bare = f"http://127.0.0.1:{server.port}"
    monkeypatch.delenv("PATHMAX_TOKEN", raising=False)
    with HttpStorage(bare) as stranger, pytest.raises(StorageError, match="give the token in"):
        stranger.studies()
    monkeypatch.setenv("PATHMAX_TOKEN", TOKEN)
    with HttpStorage(bare) as known:
        assert known.create(record) == kept.load("suzuki")
    monkeypatch.setenv("PATHMAX_TOKEN", "x" * 30)
    with HttpStorage(bare.replace("//", f"//:{TOKEN}@")) as known:
        assert TOKEN not in repr(known) + known.place and known.place == bare
        with pickle.loads(pickle.dumps(known)) as again:
            assert [each.name for each in again.studies()] == ["suzuki"]


def test_errors_arrive_as_they_were_raised(server, record):
    with HttpStorage(f"http://{TOKEN}@127.0.0.1:{server.port}") as storage:
        storage.create(record)
        assert storage.create(replace(record, direction="minimize")).direction == "maximize"
        with pytest.raises(StorageError, match="the body may have"):
            storage.annotate("suzuki", 0, note="x" * 40_000_000)


@pytest.mark.parametrize(
    "url", ["http://", "http://host:port", "http://host?x=1", "http://host:8080#x"]
)
def test_an_address_that_is_none_is_refused(url):
    with pytest.raises(SettingsError, match="http://host:8080"):
        open_storage(url)


def test_a_server_that_is_not_there_is_said(monkeypatch):
    monkeypatch.setattr("pathmax.storage.connection.OPENING_PATIENCE", 0.0)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(StorageUnavailableError, match=r"cannot be reached.*nothing .* is lost"):
        HttpStorage(f"http://127.0.0.1:{port}").studies()
