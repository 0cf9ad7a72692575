"""A server that is killed, a disk that is full, a database that is away."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading

import pytest

from pathmax import Float, Study
from pathmax.errors import StorageFullError
from pathmax.storage import MemoryStorage, storage_url
from pathmax.storage.sql import SqlStorage
from tests.web.conftest import SPACE, TOKEN, client


@contextlib.contextmanager
def process(storage: str, port: int):
    """`pathmax serve` as a process of its own; it is killed without warning."""
    command = [sys.executable, "-m", "pathmax", "serve", "--storage", storage, "--json"]
    made = subprocess.Popen(
        [*command, "--port", str(port)],
        env={**os.environ, "PATHMAX_TOKEN": TOKEN},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield json.loads(made.stdout.readline())
    finally:
        made.kill()
        made.wait()
        made.stdout.close()


def free_port() -> int:
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        return tried.getsockname()[1]


def test_a_server_that_is_killed_loses_and_doubles_nothing(tmp_path):
    url, port = f"sqlite:///{tmp_path / 'lab.db'}", free_port()
    address = f"http://{TOKEN}@127.0.0.1:{port}"
    told: list[tuple[int, float]] = []
    reached = [threading.Event() for _ in range(2)]

    def work(name: int) -> None:
        study = Study.load("s", storage=address)
        for _ in range(12):
            trial = study.ask()
            value = trial.params["x"] + name
            study.tell(trial, value)
            told.append((trial.number, value))
            if len(told) >= 8:
                reached[0].set()
            if len(told) >= 16:
                reached[1].set()

    with process(url, port) as said:
        assert said["work"].startswith(f"http://127.0.0.1:{port}/?token=")
        Study(
            {"x": Float(0, 1)}, name="s", storage=address, seed=0, method="random"
        ).storage.close()
        threads = [threading.Thread(target=work, args=(name,)) for name in range(2)]
        for thread in threads:
            thread.start()
        assert reached[0].wait(300)
    with process(url, port):
        assert reached[1].wait(300)
    with process(url, port):
        for thread in threads:
            thread.join(300)
            assert not thread.is_alive()
    stored = Study.load("s", storage=url).trials
    assert sorted(told) == [(trial.number, trial.value) for trial in stored]
    assert len(stored) == 24 and all(not trial.earlier for trial in stored)


class Full(MemoryStorage):
    """Reads, and has no room to write."""

    def finish(self, *_: object, **__: object):
        raise StorageFullError("lab.db: no room to write: the disk is full; make room")


def test_a_full_disk_is_said(serve):
    with client(serve(storage=Full())) as api:
        api.post("/api/studies", json={"space": SPACE})
        api.post("/api/studies/suzuki/ask", json={})
        refused = api.post("/api/studies/suzuki/trials/0/tell", json={"value": 1})
        assert refused.status_code == 503 and refused.headers["retry-after"]
        assert refused.json()["error"] == "StorageFullError" and "make room" in refused.text
        assert api.get("/api/studies/suzuki").json()["counts"]["running"] == 1


def test_a_lost_postgresql_is_said_and_comes_back(serve, postgres):
    storage = SqlStorage(storage_url(postgres.url()), patience=0.2)
    with storage, client(serve(storage=storage)) as api:
        api.post("/api/studies", json={"space": SPACE})
        postgres.stop()
        try:
            for answer in (
                api.get("/api/studies"),
                api.get("/api/studies/suzuki"),
                api.post("/api/studies/suzuki/ask", json={}),
            ):
                assert answer.status_code == 503
                assert answer.json()["error"] == "StorageUnavailableError"
                assert "cannot be reached" in answer.json()["message"]
        finally:
            postgres.start()
        assert api.post("/api/studies/suzuki/ask", json={}).status_code == 200
        for name in ("%00", "a%00b", "%ED%A0%80", "%0A"):  # PostgreSQL takes no NUL in a text
            assert api.get(f"/api/studies/{name}").status_code == 404, name
            assert api.get(f"/studies/{name}").status_code == 404, name
            assert api.delete(f"/api/studies/{name}").status_code == 404, name


def test_one_damaged_study_does_not_hide_the_others(api, study, settings):
    with SqlStorage(settings.storage) as storage:
        storage.update("suzuki", attributes={"sheet": 5})
    Study({"x": Float(0, 1)}, name="well", storage=settings.storage)
    lines = {each["name"]: each for each in api.get("/api/studies").json()["studies"]}
    assert "not what pathmax writes" in lines["suzuki"]["damage"]
    assert lines["well"]["counts"]["total"] == 0
    assert api.get(study).status_code == 500


def test_a_study_changed_by_another_process_is_opened_anew(api, study, settings):
    api.post(f"{study}/ask", json={})
    other = Study.load("suzuki", storage=settings.storage)
    other.change_space({**other.space.parameters, "temperature": Float(20, 200)})
    shown = api.get(study).json()
    assert shown["edition"] == 1 and shown["space"]["parameters"][0]["high"] == 200
    assert api.post(f"{study}/ask", json={}).status_code == 200
    other.storage.delete("suzuki")
    Study({"x": Float(0, 1)}, name="suzuki", storage=settings.storage)
    assert api.get(study).json()["space"]["parameters"][0]["name"] == "x"
    assert api.post(f"{study}/ask", json={}).json()["trials"][0]["number"] == 0


@pytest.mark.parametrize("body", ["{", "[]", "null", '{"n": 1e999}', '{"n": true}', "\ud800"])
def test_bad_json_is_refused_in_words(api, study, body):
    content = body.encode("utf-8", "surrogatepass")
    answer = api.post(f"{study}/ask", content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422) and answer.json()["message"]
