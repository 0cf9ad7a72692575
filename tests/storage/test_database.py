"""A server that goes away and comes back, and other ways in which a connection can fail."""

import dataclasses
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import event

from pathmax.errors import (
    MissingExtraError,
    StorageError,
    StorageUnavailableError,
    TrialError,
)
from pathmax.storage import Ending, Entry, open_storage, storage_url
from pathmax.storage.retries import Fault, Retries
from pathmax.storage.sql import SqlStorage
from tests.storage.test_processes import check, finished, start


def test_workers_wait_for_a_server_that_restarts_and_go_on(postgres, tmp_path: Path):
    workers = start(
        do="all_at_once",
        url=postgres.url(),
        folder=str(tmp_path),
        workers=4,
        limit=90,
        pause=0.02,
    )

    def told() -> int:
        return sum(log.read_bytes().count(b"told") for log in tmp_path.glob("*.log"))

    for mode, after in (("fast", 15), ("immediate", 40)):
        while told() < after:
            assert workers.poll() is None, workers.communicate()
            time.sleep(0.005)
        postgres.stop(mode)
        assert workers.poll() is None
        postgres.start()
    report = finished(workers)
    check(report)
    assert len(report["trials"]) >= 90
    assert {trial["state"] for trial in report["trials"]} == {"complete"}


def test_waiting_has_an_end_and_the_storage_works_afterwards(postgres, record):
    with SqlStorage(storage_url(postgres.url()), patience=0.2) as storage:
        name = storage.create(record).name
        storage.start(name, 0, {"x": 1})
        postgres.stop()
        try:
            for call in (
                lambda: storage.finish(name, 0, Ending(outcomes={"value": 1.0})),
                lambda: storage.changes(name),
            ):
                with pytest.raises(StorageUnavailableError, match=r"postgresql://.*cannot be"):
                    call()
        finally:
            postgres.start()
        assert storage.finish(name, 0, Ending(outcomes={"value": 1.0})).value == 1.0


class TestLostCommits:
    """The connection breaks after the server has committed, before the client knows."""

    @pytest.fixture
    def storage(self, postgres, record, monkeypatch):
        with SqlStorage(storage_url(postgres.url())) as opened:
            opened.create(record)
            opened.start(record.name, 0, {"x": 0})
            writer, _ = opened._database._open()
            commit, losses = writer.dialect.do_commit, [True]

            def commit_and_lose_the_line(connection):
                commit(connection)
                if losses:
                    losses.pop()
                    connection.dbapi_connection.close()
                    raise psycopg.OperationalError("server closed the connection unexpectedly")

            execute = writer.dialect.do_execute

            def commit_by_itself_and_lose_the_line(cursor, statement, *others):
                execute(cursor, statement, *others)
                if losses and cursor.connection.autocommit and "UPDATE" in statement:
                    losses.pop()
                    cursor.connection.close()
                    raise psycopg.OperationalError("server closed the connection unexpectedly")

            monkeypatch.setattr(writer.dialect, "do_commit", commit_and_lose_the_line)
            monkeypatch.setattr(writer.dialect, "do_execute", commit_by_itself_and_lose_the_line)
            yield opened
            assert not losses, "the line was not lost"

    def test_a_start_is_not_taken_for_somebody_elses(self, storage, record):
        trial = storage.start(record.name, 1, {"x": 1})
        assert trial.number == 1 and [trial] == storage.changes(record.name)[1][1:]

    def test_a_start_next_is_not_done_twice(self, storage, record):
        trial = storage.start_next(record.name, 0, lambda *_: ({"x": 1}, {}))
        assert [trial] == storage.changes(record.name)[1][1:]

    def test_an_insert_is_not_done_twice(self, storage, record):
        entries = [Entry(params={"x": i}, outcomes={"value": 1.0}) for i in (1, 2)]
        assert storage.insert_many(record.name, entries) == storage.changes(record.name)[1][1:]

    def test_a_finish_is_not_taken_for_a_second_one(self, storage, record):
        assert storage.finish(record.name, 0, Ending(outcomes={"value": 1.0})).value == 1.0
        with pytest.raises(TrialError, match="already told"):
            storage.finish(record.name, 0, Ending(outcomes={"value": 1.0}))

    def test_deleting_and_creating_may_happen_twice(self, storage, record):
        storage.delete(record.name)
        assert storage.studies() == []

    def test_a_study_is_created_once(self, storage, record):
        other = dataclasses.replace(record, name="other")
        assert storage.create(other).name == "other"
        assert len(storage.studies()) == 2


class TestOneStatement:
    """PostgreSQL ends a trial by one statement, which begins and commits by itself."""

    @pytest.fixture
    def storage(self, postgres, record):
        with SqlStorage(storage_url(postgres.url())) as opened:
            opened.create(record)
            for number in range(3):
                opened.start(record.name, number, {"x": number})
            yield opened

    @pytest.fixture
    def sent(self, storage, monkeypatch):
        writer, _ = storage._database._open()
        statements: list[str] = []
        execute = writer.dialect.do_execute  # SQLAlchemy's statements and ours end here

        def note(cursor, statement, *others):
            statements.append(statement)
            execute(cursor, statement, *others)

        monkeypatch.setattr(writer.dialect, "do_execute", note)
        for what in ("begin", "commit"):
            event.listen(writer, what, lambda _c, what=what: statements.append(what))
        return statements

    def test_a_tell_is_one_round_trip(self, storage, sent, record):
        ended = storage.finish(record.name, 1, Ending(outcomes={"value": 1.0}))
        assert sum("UPDATE" in said for said in sent) == 1 and "commit" not in sent
        assert storage.changes(record.name, 3) == (4, [ended])

    def test_what_is_refused_raises_no_revision(self, storage, record):
        storage.finish(record.name, 0, Ending(outcomes={"value": 1.0}))
        for number in (0, 7, 2**40):
            with pytest.raises(TrialError, match=r"already told|has no trial"):
                storage.finish(record.name, number, Ending(outcomes={"value": 2.0}))
        assert storage.changes(record.name)[0] == 4

    @pytest.mark.parametrize("told_first", [False, True])
    def test_a_tell_that_waits_sees_what_was_written_meanwhile(
        self, storage, postgres, record, told_first
    ):
        # Somebody else holds the counters when the statement begins, so that its snapshot is old.
        told = "UPDATE pathmax_trials SET state = 'failed', revision = 4 WHERE number = 1"
        beat = "UPDATE pathmax_trials SET heartbeat_at = asked_at, revision = 4 WHERE number = 1"
        other, _ = storage._database._open()
        with ThreadPoolExecutor() as pool:
            with other.begin() as connection:
                connection.exec_driver_sql("UPDATE pathmax_counters SET revision = revision + 1")
                late = pool.submit(storage.finish, record.name, 1, Ending(outcomes={"value": 1.0}))
                wait_for_a_lock(other)
                connection.exec_driver_sql(told if told_first else beat)
            if told_first:
                with pytest.raises(TrialError, match="already told"):
                    late.result(60)
            else:
                assert late.result(60).heartbeat_at is not None
        revision, changed = storage.changes(record.name, 4)
        assert [trial.number for trial in changed] == ([] if told_first else [1])
        assert revision == 5


def wait_for_a_lock(engine) -> None:
    """Until somebody waits for a lock of the server."""
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    with engine.connect() as connection:
        for _ in range(6000):
            if connection.exec_driver_sql(waiting).scalar_one():
                return
            connection.rollback()
            time.sleep(0.01)
    raise AssertionError("nobody waits")


class TestUnreachable:
    def test_a_lock_that_is_never_released(self, url: str, record):
        with SqlStorage(url, patience=0.1) as storage, SqlStorage(url) as other:
            name = storage.create(record).name
            writer, _ = other._database._open()
            with writer.begin() as connection:
                connection.exec_driver_sql("UPDATE pathmax_counters SET revision = revision")
                if url.startswith("postgresql"):
                    mine, _ = storage._database._open()
                    with mine.connect() as session:
                        session.exec_driver_sql("SET lock_timeout = '50ms'")
                        session.commit()
                with pytest.raises(StorageUnavailableError, match="locked for too long"):
                    storage.start(name, 0, {"x": 1})
                assert storage.changes(name) == (0, [])  # readers are never kept waiting
            assert storage.start(name, 0, {"x": 1}).number == 0

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (("/postgres?", "/nowhere?"), 'database "nowhere" does not exist'),
            (("//postgres:", "//nobody:"), 'role "nobody" does not exist'),
        ],
    )
    def test_what_waiting_cannot_mend_is_not_waited_for(
        self, postgres, change, message, monkeypatch
    ):
        def wait(patience, fault):
            assert fault is Fault.UNREACHABLE
            return False

        monkeypatch.setattr(Retries, "wait", wait)
        with pytest.raises(StorageUnavailableError, match=message) as caught:
            open_storage(postgres.url().replace(*change))
        assert "postgresql://" in str(caught.value)

    def test_a_server_that_is_not_there(self, tmp_path):
        with pytest.raises(StorageUnavailableError, match="cannot be reached") as caught:
            SqlStorage(f"postgresql+psycopg://me:secret@/lab?host={tmp_path}", patience=0.1)
        assert "secret" not in str(caught.value)

    def test_psycopg_is_not_installed(self):
        script = """
import sys
sys.modules["psycopg"] = None
from pathmax.storage import open_storage
open_storage("postgresql://host/lab")
"""
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        assert MissingExtraError.__name__ in done.stderr
        assert 'pip install "pathmax[postgres]"' in done.stderr

    def test_no_right_to_create_tables(self, postgres):
        url = postgres.url()
        postgres.execute("CREATE ROLE guest LOGIN; GRANT USAGE ON SCHEMA public TO guest")
        with pytest.raises(StorageError, match=r"permission denied|no schema has been selected"):
            open_storage(url.replace("//postgres:", "//guest:"))


def test_fault_37_workers_whose_clocks_disagree(postgres, record):
    url = postgres.url()
    with open_storage(url) as storage:
        name = storage.create(record).name
        for number, wrong in enumerate([-7200, 7200]):
            script = f"""
import time
right = time.time
time.time = lambda: right() + {wrong}
from pathmax.storage import Ending, open_storage
with open_storage({url!r}) as storage:
    storage.start({name!r}, {2 * number}, {{"x": 1}}, heartbeat=True)
    storage.start({name!r}, {2 * number + 1}, {{"x": 2}}, heartbeat=True)
    storage.finish({name!r}, {2 * number}, Ending(outcomes={{"value": 1.0}}))
    assert storage.reclaim({name!r}, 90.0) == []
    storage.beat({name!r}, [{2 * number + 1}])
"""
            subprocess.run([sys.executable, "-c", script], check=True, timeout=600)
        assert storage.reclaim(name, 90.0) == []
        trials = storage.changes(name)[1]
        now = time.time()  # of this machine, which is the server's
        for trial in trials:
            assert abs(trial.asked_at - now) < 600
            assert abs((trial.told_at or trial.heartbeat_at) - now) < 600
        # Results stand in the order in which they came, whoever told them.
        assert trials[0].told_at < trials[2].told_at
