"""The promises under real processes: workers side by side, workers killed, workers forked."""

import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine, event

from pathmax.errors import StudyNotFoundError
from pathmax.storage import StudyRecord, open_storage, storage_url
from tests.storage import crowd


def start(**job) -> subprocess.Popen[str]:
    """Start a crowd; `finished` waits for its report."""
    return subprocess.Popen(
        [sys.executable, crowd.__file__, json.dumps(job)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )


def finished(process: subprocess.Popen[str]) -> dict:
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    return json.loads(out)


def check(report: dict) -> None:
    """Nothing acknowledged is missing, nothing is doubled, nothing is half-written."""
    assert report["errors"] == []
    trials = report["trials"]
    assert [trial["number"] for trial in trials] == list(range(len(trials)))
    for trial in trials:
        told = {"value": crowd.value(trial["params"])} if trial["state"] == "complete" else {}
        assert trial["state"] in ("running", "complete") and trial["outcomes"] == told
    asked = [line["asked"] for line in report["acknowledged"] if "asked" in line]
    assert len(asked) == len(set(asked)), "a trial number was given to two workers"
    for line in report["acknowledged"]:
        trial = trials[line.get("asked", line.get("told"))]
        if "asked" in line:
            assert trial["params"] == line["params"]
        else:
            assert trial["state"] == "complete" and trial["outcomes"]["value"] == line["value"]


@pytest.mark.parametrize(
    ("method", "workers", "limit"), [("random", 16, 300), ("pims", 4, 24)], ids=["random", "pims"]
)
def test_fault_20_processes_ask_and_tell_on_one_study(
    url: str, tmp_path: Path, method: str, workers: int, limit: int
):
    report = finished(
        start(
            do="one_study",
            url=url,
            folder=str(tmp_path),
            workers=workers,
            limit=limit,
            method=method,
        )
    )
    check(report)
    trials = report["trials"]
    assert limit <= len(trials) < limit + workers
    assert {trial["state"] for trial in trials} == {"complete"}
    assert len({trial["worker"] for trial in trials}) > 1
    points = [(trial["params"]["i"], trial["params"]["j"]) for trial in trials]
    assert len(points) == len(set(points)), "a point was suggested twice"


def test_fault_23_processes_killed_at_random_moments(url: str, tmp_path: Path):
    # On a server less is at stake: it is not the server that is killed.
    workers = 120 if url.startswith("sqlite") else 60
    report = finished(
        start(do="kill_many", url=url, folder=str(tmp_path), workers=workers, at_once=4)
    )
    check(report)
    assert sum("told" in line for line in report["acknowledged"]) > workers / 2
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(tmp_path / "lab.db")) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_reader_in_the_middle_neither_blocks_nor_stops_the_writers(tmp_path: Path):
    file = tmp_path / "lab.db"
    writers = start(
        do="all_at_once",
        url=f"sqlite:///{file}",
        folder=str(tmp_path),
        workers=2,
        limit=60,
    )
    while not file.exists():
        assert writers.poll() in (None, 0)
        time.sleep(0.002)
    uri = f"file:{file}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as reader:
        reader.execute("BEGIN")  # and stay inside, as a dashboard may
        seen = reader.execute("SELECT count(*) FROM pathmax_trials").fetchone()
        check(finished(writers))
        assert reader.execute("SELECT count(*) FROM pathmax_trials").fetchone() == seen
        reader.execute("COMMIT")
        assert reader.execute("SELECT count(*) FROM pathmax_trials").fetchone() >= (60,)


def test_a_forked_child_uses_connections_of_its_own(url: str):
    script = f"""
import os
from pathmax.storage import Ending, StudyRecord, open_storage
storage = open_storage({url!r})
storage.create(StudyRecord(name="s", space={{}}, direction="maximize"))
storage.start("s", 0, {{"x": 0}})
children = []
for child in range(3):
    pid = os.fork()
    if not pid:
        number = None
        while number is None:
            trial = storage.start("s", len(storage.changes("s")[1]), {{"child": child}})
            number = trial and trial.number
        storage.finish("s", number, Ending(outcomes={{"value": child}}))
        raise SystemExit
    children.append(pid)
storage.finish("s", 0, Ending(outcomes={{"value": 7.0}}))
assert all(os.waitpid(pid, 0)[1] == 0 for pid in children)
storage.annotate("s", 0, note="the parent's connections still work")
print(sorted(trial.value for trial in storage.changes("s")[1]))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=600
    )
    assert done.stderr == ""
    assert done.stdout.strip() == "[0.0, 1.0, 2.0, 7.0]"


def test_processes_that_correct_one_trial_lose_no_value(url: str):
    script = f"""
import os
from pathmax.storage import Ending, Entry, StudyRecord, open_storage
storage = open_storage({url!r})
storage.create(StudyRecord(name="s", space={{}}, direction="maximize"))
storage.insert("s", Entry(params={{}}, outcomes={{"value": 0.0}}))
children = []
for child in range(4):
    pid = os.fork()
    if not pid:
        for i in range(1, 11):
            storage.correct("s", 0, Ending(outcomes={{"value": 10.0 * child + i}}))
        raise SystemExit
    children.append(pid)
assert all(os.waitpid(pid, 0)[1] == 0 for pid in children)
trial = storage.trial("s", 0)
print(sorted(int(t.value) for t in (*trial.earlier, trial)))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=600
    )
    assert done.stderr == ""
    assert json.loads(done.stdout) == list(range(41))


def test_fault_38_the_turn_of_a_killed_worker_is_taken_over_at_once(url: str):
    script = f"""
from pathmax.storage import open_storage
storage = open_storage({url!r})
with storage.turn("s"):
    print("mine", flush=True)
    input()
"""
    with open_storage(url) as storage:
        storage.create(StudyRecord(name="s", space={}, direction="maximize"))
        for reaped in (False, True):
            with subprocess.Popen(
                [sys.executable, "-c", script],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            ) as holder:
                assert holder.stdout is not None
                assert holder.stdout.readline() == "mine\n"
                holder.kill()
                if reaped:
                    holder.wait()
                started = time.monotonic()
                with storage.turn("s", patience=600) as free:  # a zombie is as dead
                    assert not free
                assert time.monotonic() - started < 300


def test_fault_38_a_mark_ages_while_nobody_lives_to_watch_it(url: str):
    with open_storage(url) as storage:
        storage.create(StudyRecord(name="s", space={}, direction="maximize"))
        elsewhere = storage.turn("s")
        elsewhere.__enter__()
        engine = create_engine(url)
        with engine.begin() as connection:  # as a worker of another machine left it
            connection.exec_driver_sql(
                "UPDATE pathmax_counters SET turn = 'x 1 2 another', turn_at = turn_at - 20"
            )
        engine.dispose()
        started = time.monotonic()
        with storage.turn("s", patience=19.0) as free:
            assert not free
        assert time.monotonic() - started < 15
        elsewhere.__exit__(None, None, None)


class TestLine:
    """On PostgreSQL turns are first come, first served."""

    @pytest.fixture
    def url(self, postgres) -> str:
        url = storage_url(postgres.url())
        with open_storage(url) as storage:
            storage.create(StudyRecord(name="s", space={}, direction="maximize"))
        return url

    def test_whoever_came_first_is_served_first(self, url: str):
        served: list[int] = []
        with ExitStack() as stack:
            storages = [stack.enter_context(open_storage(url)) for _ in range(7)]
            pool = stack.enter_context(ThreadPoolExecutor(len(storages)))

            def serve(number: int) -> None:
                with storages[number].turn("s", patience=600):
                    served.append(number)

            with storages[0].turn("s"):
                # In this order, whichever thread is quickest; the last comes when it is free.
                waiting = []
                for number in range(1, 6):
                    waiting.append(pool.submit(serve, number))
                    wait_in_line(url, number)
            newcomer = pool.submit(serve, 6)
            for done in (*waiting, newcomer):
                done.result(60)
        assert served == [1, 2, 3, 4, 5, 6]

    def test_whoever_dies_in_the_line_keeps_nobody_waiting(self, url: str):
        script = f"""
from pathmax.storage import open_storage
with open_storage({url!r}).turn("s", patience=600):
    print("mine")
"""
        with open_storage(url) as storage, open_storage(url) as other:
            turn = storage.turn("s")
            turn.__enter__()
            with (
                ThreadPoolExecutor() as pool,
                subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as first,
                subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as second,
            ):
                wait_in_line(url, 2)
                late = pool.submit(lambda: other.turn("s", patience=600).__enter__())
                wait_in_line(url, 3)
                first.kill()
                second.kill()
                started = time.monotonic()
                turn.__exit__(None, None, None)
                late.result(300)
                assert time.monotonic() - started < 30

    def test_in_a_crowd_a_place_in_line_leaves_no_connection_open(self, url: str):
        """Sixty-four workers that each kept one more than they need waited for the server."""

        closed: list[object] = []
        with open_storage(url) as storage, open_storage(url) as other:
            event.listen(storage._database._open()[0], "close_detached", closed.append)
            with storage.turn("s"):
                pass
            assert not closed  # nobody else is there: the next turn finds it open
            with ThreadPoolExecutor(1) as pool:
                with other._database.line("s"):
                    waiting = pool.submit(storage.turn("s", patience=600).__enter__)
                    wait_in_line(url, 2)
                    time.sleep(0.1)
                assert waiting.result(60)
            assert len(closed) == 1

    def test_a_line_that_does_not_move_is_left(self, url: str, monkeypatch):
        monkeypatch.setattr("pathmax.storage.postgres.LONGEST_LINE", 0.05)
        with open_storage(url) as storage, open_storage(url) as other, other._database.line("s"):
            with storage.turn("s", patience=600) as free:
                assert free
            pool = storage._database._open()[0].pool
            assert pool.checkedout() == 0

    def test_whoever_loses_the_place_while_it_is_first_has_its_turn_all_the_same(
        self, url: str, postgres
    ):
        """A server that was restarted, or that ends transactions which are idle for a minute."""
        lose = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
        with open_storage(url) as storage, open_storage(url) as other, ThreadPoolExecutor() as pool:

            def serve() -> bool:
                with other.turn("s", patience=600) as free:
                    return free

            with storage.turn("s"):
                served = pool.submit(serve)
                wait_in_line(url, 1)
                postgres.execute(lose)
                wait([served], timeout=0.05)
            assert served.result(60)
            assert other._database._open()[0].pool.checkedout() == 0
            with storage.turn("s", patience=600) as free:  # no mark is left behind
                assert free

    def test_threads_of_one_process_take_one_connection(self, url: str):
        served: list[int] = []
        with open_storage(url) as storage, ThreadPoolExecutor(8) as pool:

            def serve(number: int) -> None:
                with storage.turn("s", patience=600):
                    served.append(number)

            with storage.turn("s"):
                waiting = [pool.submit(serve, number) for number in range(8)]
                wait_in_line(url, 1)
                wait(waiting, timeout=0.05)
                assert in_line(url) == 1
            for done in waiting:
                done.result(60)
        assert sorted(served) == list(range(8))


def in_line(url: str) -> int:
    """How many stand in line in the lines of the database, the first of each included."""
    engine = create_engine(url)
    with engine.connect() as connection:
        wanted = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
        found: int = connection.exec_driver_sql(wanted).scalar_one()
    engine.dispose()
    return found


def wait_in_line(url: str, count: int) -> None:
    for _ in range(6000):
        if in_line(url) >= count:
            return
        time.sleep(0.01)
    raise AssertionError(f"{count} do not stand in line")


def test_a_study_deleted_while_a_worker_waits_for_its_turn_is_noticed(url: str):
    with open_storage(url) as storage:
        storage.create(StudyRecord(name="s", space={}, direction="maximize"))
        errors: list[BaseException] = []
        inside = threading.Event()

        def wait() -> None:
            try:
                inside.set()
                with storage.turn("s", patience=600):
                    pass
            except StudyNotFoundError as error:
                errors.append(error)

        with storage.turn("s"):
            waiter = threading.Thread(target=wait)
            waiter.start()
            inside.wait(60)
            storage.delete("s")
            waiter.join(60)
        assert "no study 's'" in str(errors[0])


@pytest.mark.parametrize("workers", [8])
def test_many_processes_create_the_same_database_at_once(url: str, tmp_path: Path, workers: int):
    report = finished(
        start(do="all_at_once", url=url, folder=str(tmp_path), workers=workers, limit=1)
    )
    check(report)
    assert len(report["trials"]) >= 1
    left = {name for name in os.listdir(tmp_path) if not name.endswith((".log", "-wal", "-shm"))}
    assert left <= {"lab.db"}, "something was left over from creating the file"


@pytest.mark.parametrize("kind", ["memory", "sqlite", "postgresql"])
def test_fault_36_children_forked_while_a_thread_is_in_ask(kind: str, tmp_path: Path, request):
    url = {"memory": None, "sqlite": str(tmp_path / "lab.db")}.get(kind)
    if kind == "postgresql":
        url = request.getfixturevalue("postgres").url()
    script = f"""
import os, threading, time, warnings
import pathmax
warnings.simplefilter("ignore", DeprecationWarning)  # of forking with threads: that is the point
study = pathmax.Study({{"x": pathmax.Float(0, 1)}}, name="s", storage={url!r}, seed=0, initial=2)
study.tell(study.ask(), 1.0)
study.tell(study.ask(), 2.0)
over = threading.Event()
def work():
    while not over.is_set():
        study.tell(study.ask(), 1.0)
threads = [threading.Thread(target=work) for _ in range(2)]
for thread in threads:
    thread.start()
children = []
for child in range(8):
    pid = os.fork()
    if not pid:
        trial = study.ask()
        study.tell(trial, 3.0)
        assert study.trials[trial.number].value == 3.0
        os._exit(0)
    children.append(pid)
    time.sleep(0.01 * child)
over.set()
for thread in threads:
    thread.join()
codes = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children]
print(codes, sum(trial.value == 3.0 for trial in study.trials))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120
    )
    assert done.stderr == ""
    expected = 0 if kind == "memory" else 8  # what a child keeps in its memory is its own
    assert done.stdout.strip() == f"{[0] * 8} {expected}"


def test_fault_36_a_child_reads_what_another_thread_was_computing():
    """Up to Python 3.11 a cached property has a lock of its own."""
    program = """
import os, threading, time, warnings
from functools import cached_property
import pathmax.storage.forks
warnings.simplefilter("ignore", DeprecationWarning)
class Slow:
    @cached_property
    def value(self):
        begun.set()
        time.sleep(1.0 if os.getpid() == parent else 0.0)
        return 3
parent, begun, one = os.getpid(), threading.Event(), Slow()
thread = threading.Thread(target=lambda: one.value)
thread.start()
begun.wait()
pid = os.fork()
if not pid:
    os._exit(one.value)
deadline = time.monotonic() + 20.0
while not (found := os.waitpid(pid, os.WNOHANG))[0] and time.monotonic() < deadline:
    time.sleep(0.01)
if not found[0]:
    os.kill(pid, 9)
thread.join()
print(os.waitstatus_to_exitcode(found[1]) if found[0] else "stuck")
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60
    )
    assert done.stdout.strip() == "3", done.stderr
