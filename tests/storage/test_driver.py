"""Statements run by the driver: the same rows and errors as SQLAlchemy's."""

import pytest
from sqlalchemy import Connection, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from pathmax.storage import driver, storage_url
from pathmax.storage import statements as sql
from pathmax.storage.records import Ending
from pathmax.storage.schema import counters, trials
from pathmax.storage.sql import SqlStorage


@pytest.fixture
def storage(url: str, record):
    with SqlStorage(url) as opened:
        opened.create(record)
        opened.start(record.name, 0, {"x": 1})
        yield opened


@pytest.fixture
def connection(storage):
    writer, _ = storage._database._open()
    with writer.connect() as opened:
        yield opened
        opened.rollback()


def test_a_row_is_that_of_sqlalchemy(connection: Connection, record):
    values = sql.of_study(record.name, new=0)
    with connection.begin() as tried:
        mine = driver.first(connection, sql.RAISE, values)
        tried.rollback()
    assert mine is not None
    theirs = connection.execute(sql.RAISE, values).mappings().one()
    assert {name: mine[name] for name in mine if name != "now"} == {
        name: theirs[name] for name in theirs if name != "now"
    }
    assert mine.keys() == set(theirs.keys())


def test_no_row_is_none(connection: Connection):
    assert driver.first(connection, sql.RAISE, sql.of_study("nobody", new=0)) is None


def test_a_value_that_is_missing_is_no_null(connection: Connection, record):
    """Else a column that was forgotten would be emptied without a word."""
    values = sql.of_study(record.name)
    with pytest.raises(KeyError, match="new"):
        driver.first(connection, sql.RAISE, values)


def test_an_error_is_that_of_sqlalchemy(connection: Connection):
    clash = update(trials).values(state=None).returning(trials.c.number)  # which is NOT NULL
    errors = []
    for run in (connection.execute, lambda statement: driver.first(connection, statement, {})):
        with connection.begin() as tried:
            with pytest.raises(DBAPIError) as caught:
                run(clash)
            tried.rollback()
        errors.append(caught.value)
    theirs, mine = errors
    assert type(mine) is type(theirs) is IntegrityError
    assert type(mine.orig) is type(theirs.orig)
    assert not mine.connection_invalidated
    assert connection.execute(text("SELECT 1")).scalar_one() == 1


def test_a_lost_connection_is_replaced(postgres, record):
    with SqlStorage(storage_url(postgres.url())) as storage:
        storage.create(record)
        storage.start(record.name, 0, {"x": 1})
        writer, _ = storage._database._open()
        with writer.connect() as connection:
            number = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
            connection.rollback()
            postgres.execute(f"SELECT pg_terminate_backend({number})")
            bump = update(counters).values(trials=counters.c.trials).returning(counters.c.trials)
            with pytest.raises(DBAPIError) as caught:
                driver.first(connection, bump, {})
            assert caught.value.connection_invalidated and connection.invalidated
        assert storage.finish(record.name, 0, Ending(outcomes={"value": 1.0})).value == 1.0


def test_what_is_told_is_on_disk_when_tell_returns(storage, url: str):
    for engine in storage._database._open():
        with engine.connect() as connection:
            if url.startswith("sqlite"):
                assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == 2  # FULL
                assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"
            else:
                assert connection.exec_driver_sql("SHOW synchronous_commit").scalar_one() == "on"
                assert connection.exec_driver_sql("SHOW fsync").scalar_one() == "on"
