"""The connection that a process keeps for its writes to a file."""

import gc
import os
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from pathmax.errors import ForeignStorageError, StorageUnavailableError, TrialError
from pathmax.storage.records import Ending
from pathmax.storage.sql import SqlStorage

TOLD = Ending(outcomes={"value": 1.0})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "lab.db"


@pytest.fixture
def storage(path: Path, record):
    with SqlStorage(f"sqlite:///{path}") as opened:
        opened.create(record)
        for number in range(4):
            opened.start(record.name, number, {"x": number})
        yield opened


@pytest.fixture
def sent(storage, monkeypatch) -> list[str]:
    dialect, statements = storage._database._open()[0].dialect, []
    execute = dialect.do_execute

    def note(cursor, statement, *others):
        statements.append(statement.split()[0])
        execute(cursor, statement, *others)

    monkeypatch.setattr(dialect, "do_execute", note)
    return statements


def raise_at(dialect, monkeypatch, which: str, error: type[BaseException]) -> None:
    """Have statements that begin so fail before they are run."""
    execute = dialect.do_execute

    def fail(cursor, statement, *others):
        if statement.startswith(which):
            raise error("disk I/O error")
        execute(cursor, statement, *others)

    monkeypatch.setattr(dialect, "do_execute", fail)


STEPS = ["UPDATE pathmax_trials", "UPDATE pathmax_counters", "COMMIT"]


def rows(path: Path, query: str) -> list[tuple]:
    with sqlite3.connect(path) as connection:
        return connection.execute(query).fetchall()


def test_a_tell_is_two_statements_and_a_commit(storage, sent, record, path):
    ended = storage.finish(record.name, 1, TOLD)
    assert sent == ["UPDATE", "UPDATE", "COMMIT"]
    assert storage.changes(record.name, 4) == (5, [ended])
    assert rows(path, "SELECT revision FROM pathmax_counters") == [(5,)]  # for everybody


def test_it_is_on_disk_when_tell_returns(storage, record):
    storage.finish(record.name, 0, TOLD)
    kept = storage._database._through._kept.connection
    assert kept.exec_driver_sql("PRAGMA synchronous").scalar_one() == 2  # FULL
    assert kept.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"
    kept.rollback()


def test_what_is_refused_raises_no_revision(storage, record):
    storage.finish(record.name, 0, TOLD)
    for number in (0, 7, -1, 2**40):
        with pytest.raises(TrialError, match=r"already told|has no trial"):
            storage.finish(record.name, number, TOLD)
    assert storage.changes(record.name)[0] == 5
    assert storage.finish(record.name, 1, TOLD).value == 1.0


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("revision", -3),
        ("trials", -3),
        ("edition", -3),
        ("edition", "'many'"),
        ("revision", 3.5),
        ("trials", 3.5),
        ("edition", 0.5),
        ("revision", 1e300),
    ],
)
@pytest.mark.parametrize("started_here", [True, False])
def test_counters_that_are_not_ours_are_refused(storage, record, path, column, value, started_here):
    if not started_here:
        storage._begun.take(record.name, 0)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE pathmax_counters SET {column} = {value}")
    with pytest.raises(ForeignStorageError, match="counters"):
        storage.finish(record.name, 0, TOLD)
    assert rows(path, "SELECT state FROM pathmax_trials WHERE number = 0") == [("running",)]


@pytest.mark.parametrize("where", STEPS)
def test_a_failure_leaves_nothing_behind(storage, record, path, monkeypatch, where):
    dialect = storage._database._open()[0].dialect
    with monkeypatch.context() as broken:
        raise_at(dialect, broken, where, sqlite3.OperationalError)
        with pytest.raises(Exception, match="disk I/O error") as caught:
            storage.finish(record.name, 0, TOLD)
    assert isinstance(caught.value.__cause__, OperationalError)
    assert rows(path, "SELECT state FROM pathmax_trials WHERE number = 0") == [("running",)]
    assert storage.finish(record.name, 0, TOLD).value == 1.0  # and the lock is free
    assert storage.changes(record.name)[0] == 5


def test_a_lock_that_is_never_released(path, record):
    with SqlStorage(f"sqlite:///{path}", patience=0.1) as storage:
        storage.create(record)
        storage.start(record.name, 0, {"x": 1})
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageUnavailableError, match="locked for too long"):
            storage.finish(record.name, 0, TOLD)
        other.close()
        assert storage.finish(record.name, 0, TOLD).value == 1.0


def test_threads_take_it_in_turns(storage, record):
    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(lambda n: storage.finish(record.name, n, TOLD), range(4)))
    assert [trial.number for trial in told] == [0, 1, 2, 3]
    assert storage.changes(record.name)[0] == 8


def test_closing_closes_it(storage, record, path):
    storage.finish(record.name, 0, TOLD)
    storage.close()
    assert not path.with_name(f"{path.name}-wal").exists()  # whoever is last takes the log away
    assert storage.finish(record.name, 1, TOLD).value == 1.0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_child_takes_one_of_its_own(storage, record):
    storage.finish(record.name, 0, TOLD)
    kept = storage._database._through._kept
    child = os.fork()
    if child == 0:
        told = storage.finish(record.name, 1, TOLD).value == 1.0
        os._exit(0 if told and storage._database._through._kept is not kept else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert storage.finish(record.name, 2, TOLD).value == 1.0
    assert storage.changes(record.name)[0] == 7


def test_closing_waits_for_a_write_of_another_thread(storage, record, monkeypatch):
    """Else it would be rolled back under the writer, who would commit nothing and call it told."""
    dialect = storage._database._open()[0].dialect
    execute, closer = dialect.do_execute, []

    def close_meanwhile(cursor, statement, *others):
        execute(cursor, statement, *others)
        if "pathmax_trials" in statement and not closer:
            closer.append(threading.Thread(target=storage.close))
            closer[0].start()
            closer[0].join(0.05)

    monkeypatch.setattr(dialect, "do_execute", close_meanwhile)
    assert storage.finish(record.name, 0, TOLD).value == 1.0
    closer[0].join()
    monkeypatch.undo()
    assert storage.trial(record.name, 0).value == 1.0
    assert storage.changes(record.name)[0] == 5


def test_two_threads_never_share_it_after_a_close(storage, record, path):
    """Not even when one was waiting for the file meanwhile."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(storage.finish, record.name, 0, TOLD)
        while not storage._database._writing.locked():
            pass
        pool.submit(storage.close)
        later = [pool.submit(storage.finish, record.name, n, TOLD) for n in (1, 2)]
        other.close()
        assert [told.result().number for told in (first, *later)] == [0, 1, 2]
    assert storage.changes(record.name)[0] == 7


@pytest.mark.parametrize("where", ["__enter__", "__exit__", "_begin", *STEPS])
def test_an_interrupt_leaves_no_transaction(storage, record, path, monkeypatch, where):
    """Wherever it comes: others would wait for the lock as long as this process lives."""
    dialect, through = storage._database._open()[0].dialect, storage._database._through

    def interrupt(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        if where in STEPS:
            raise_at(dialect, broken, where, KeyboardInterrupt)
        else:
            broken.setattr(through if where == "_begin" else type(through), where, interrupt)
        with pytest.raises(KeyboardInterrupt):
            storage.finish(record.name, 0, TOLD)
    with closing(sqlite3.connect(path, isolation_level=None, timeout=0)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("ROLLBACK")
    assert storage.finish(record.name, 0, TOLD).value == 1.0
    assert storage.changes(record.name)[0] == 5


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_child_that_closes_first_leaves_its_parents_connection_alone(storage, record, path):
    storage.finish(record.name, 0, TOLD)
    child = os.fork()
    if child == 0:
        storage.close()
        gc.collect()
        os._exit(0 if path.with_name(f"{path.name}-wal").exists() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert storage.finish(record.name, 1, TOLD).value == 1.0


def test_a_storage_that_is_forgotten_closes_it(path, record):
    storage = SqlStorage(f"sqlite:///{path}")
    storage.create(record)
    storage.start(record.name, 0, {"x": 1})
    storage.finish(record.name, 0, TOLD)
    del storage
    gc.collect()  # a ResourceWarning would be an error
    assert not path.with_name(f"{path.name}-wal").exists()


@pytest.mark.skipif(os.name != "posix", reason="an open file can be moved on POSIX only")
def test_a_file_that_is_replaced_is_not_written(storage, record, path):
    storage.finish(record.name, 0, TOLD)
    path.rename(path.with_name("moved.db"))
    with pytest.raises(StorageUnavailableError, match="deleted, moved or replaced"):
        storage.finish(record.name, 1, TOLD)
    path.with_name("moved.db").rename(path)
    assert storage.finish(record.name, 1, TOLD).value == 1.0
