"""Older databases are brought forward, once, and by one process."""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect, text

from pathmax.errors import ForeignStorageError
from pathmax.storage import Ending, Entry, open_storage, schema

# Version 1 as it was written, statement by statement: this must not follow schema.py.
VERSION_1 = """
CREATE TABLE pathmax_schema (version INTEGER NOT NULL, PRIMARY KEY (version));
CREATE TABLE pathmax_studies (
    id {serial}, name VARCHAR(200) NOT NULL, direction VARCHAR(20) NOT NULL,
    created_at DOUBLE PRECISION NOT NULL, settings TEXT NOT NULL, attributes TEXT NOT NULL,
    space TEXT NOT NULL, PRIMARY KEY (id), UNIQUE (name));
CREATE TABLE pathmax_counters (
    study_id INTEGER NOT NULL, revision INTEGER NOT NULL, trials INTEGER NOT NULL,
    PRIMARY KEY (study_id), FOREIGN KEY(study_id) REFERENCES pathmax_studies (id));
CREATE TABLE pathmax_trials (
    study_id INTEGER NOT NULL, number INTEGER NOT NULL, revision INTEGER NOT NULL,
    state VARCHAR(20) NOT NULL, reclaimed BOOLEAN NOT NULL, token VARCHAR(32) NOT NULL,
    asked_at DOUBLE PRECISION NOT NULL, told_at DOUBLE PRECISION, heartbeat_at DOUBLE PRECISION,
    noise DOUBLE PRECISION, outcomes TEXT NOT NULL, params TEXT NOT NULL, worker TEXT NOT NULL,
    error TEXT NOT NULL, note TEXT NOT NULL, attributes TEXT NOT NULL, info TEXT NOT NULL,
    PRIMARY KEY (study_id, number), FOREIGN KEY(study_id) REFERENCES pathmax_studies (id));
CREATE INDEX pathmax_trials_by_revision ON pathmax_trials (study_id, revision);
CREATE INDEX pathmax_trials_running ON pathmax_trials (study_id) WHERE state = 'running';
INSERT INTO pathmax_schema VALUES (1);
INSERT INTO pathmax_studies (name, direction, created_at, settings, attributes, space)
    VALUES ('old', 'minimize', 5.0, '{{"seed":7}}', '{{}}', '{{"x":{{"low":0}}}}');
INSERT INTO pathmax_counters VALUES (1, 2, 2);
INSERT INTO pathmax_trials VALUES (1, 0, 1, 'complete', {false}, 'a', 10.0, 12.0, NULL, NULL,
    '{{"value":0.5}}', '{{"x":1}}', 'null', 'null', '"first"', '{{}}', '{{}}');
INSERT INTO pathmax_trials VALUES (1, 1, 2, 'running', {false}, 'b', 20.0, NULL, 21.0, NULL,
    '{{}}', '{{"x":2}}', '"w1"', 'null', 'null', '{{}}', '{{}}')
"""


def make_version_1(url: str) -> None:
    postgresql = url.startswith("postgresql")
    script = VERSION_1.format(
        serial="SERIAL" if postgresql else "INTEGER NOT NULL",
        false="false" if postgresql else "0",
    )
    engine = create_engine(url)
    with engine.begin() as connection:
        for statement in script.split(";\n"):
            connection.exec_driver_sql(statement)
    engine.dispose()


def version_of(url: str) -> int:
    engine = create_engine(url)
    with engine.connect() as connection:
        found = connection.execute(text("SELECT version FROM pathmax_schema")).scalar_one()
    engine.dispose()
    return found


def test_fault_22_an_older_version_is_brought_forward_with_all_it_holds(url: str):
    make_version_1(url)
    with open_storage(url) as storage:
        record = storage.load("old")
        assert record.settings == {"seed": 7}
        # What version 3 added.
        assert (len(record.identity), record.goals, record.earlier_spaces) == (32, None, [])
        assert storage.load("old").identity == record.identity
        assert storage.changes(record.key) == storage.changes("old")
        revision, (first, second) = storage.changes("old")
        assert (revision, first.value, first.note, first.duration) == (2, 0.5, "first", 2.0)
        assert (second.state, second.worker, second.heartbeat_at) == ("running", "w1", 21.0)
        with storage.turn("old") as free:  # what version 2 added
            assert free
        storage.finish("old", 1, Ending(outcomes={"value": 0.1}))
        assert storage.insert("old", Entry(params={"x": 3}, outcomes={"value": 1.0})).number == 2
    assert version_of(url) == schema.SCHEMA_VERSION


def test_a_migrated_database_has_the_tables_of_a_new_one(url: str, tmp_path: Path):
    make_version_1(url)
    open_storage(url).close()
    engine = create_engine(url)
    inspector = inspect(engine)
    for table in schema.metadata.sorted_tables:
        found = {column["name"] for column in inspector.get_columns(table.name)}
        assert found == set(table.columns.keys())
        names = {index["name"] for index in inspector.get_indexes(table.name)}
        assert names >= {index.name for index in table.indexes}
    engine.dispose()


def test_many_open_an_older_version_at_once(url: str):
    make_version_1(url)
    errors: list[BaseException] = []

    def work() -> None:
        try:
            with open_storage(url) as storage:
                assert len(storage.changes("old")[1]) == 2
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(600)
    assert errors == []
    assert version_of(url) == schema.SCHEMA_VERSION


def test_a_migration_that_fails_changes_nothing(url: str, monkeypatch: pytest.MonkeyPatch):
    make_version_1(url)

    def half_way(connection) -> None:
        connection.exec_driver_sql("ALTER TABLE pathmax_counters ADD COLUMN turn VARCHAR(32)")
        connection.exec_driver_sql("UPDATE pathmax_trials SET note = '\"lost\"'")
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setitem(schema.MIGRATIONS, 1, half_way)
        with pytest.raises(ZeroDivisionError):
            open_storage(url)
    assert version_of(url) == 1
    with open_storage(url) as storage:
        assert storage.trial("old", 0).note == "first"


def test_every_version_has_a_way_forward():
    assert sorted(schema.MIGRATIONS) == list(range(1, schema.SCHEMA_VERSION))
    assert sorted(schema.ADDED) == list(range(2, schema.SCHEMA_VERSION + 1))


def test_each_study_of_an_older_version_gets_an_identity(url: str):
    make_version_1(url)
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.exec_driver_sql(
            "INSERT INTO pathmax_studies (name, direction, created_at, settings, attributes, space)"
            " VALUES ('second', 'minimize', 5.0, '{}', '{}', '{}')"
        )
    engine.dispose()
    with open_storage(url) as storage:
        first, second = (record.identity for record in storage.studies())
        changed = storage.change("old", space={"x": {"low": 1}}, direction="maximize")
        assert changed.earlier_spaces[0]["until"] == 2
    assert first != second
    with open_storage(url) as storage:
        assert storage.load("old") == changed


def test_a_newer_version_in_a_server_is_refused(postgres):
    url = postgres.url()
    open_storage(url).close()
    postgres.execute("UPDATE pathmax_schema SET version = 99", url)
    with pytest.raises(ForeignStorageError, match=r"postgresql://.*newer pathmax"):
        open_storage(url)


def test_other_tables_in_a_server_are_left_alone(postgres):
    url = postgres.url()
    postgres.execute("CREATE TABLE theirs (x INTEGER)", url)
    open_storage(url).close()
    postgres.execute("INSERT INTO theirs VALUES (1)", url)


def test_a_server_with_a_foreign_table_of_our_name_is_refused(postgres):
    url = postgres.url()
    postgres.execute("CREATE TABLE pathmax_trials (x INTEGER)", url)
    with pytest.raises(ForeignStorageError, match="no schema version"):
        open_storage(url)


def test_a_new_file_is_in_wal_mode_and_has_one_version(tmp_path: Path):
    open_storage(tmp_path / "lab.db").close()
    with closing(sqlite3.connect(tmp_path / "lab.db")) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        found = connection.execute("SELECT version FROM pathmax_schema").fetchall()
    assert found == [(schema.SCHEMA_VERSION,)]
