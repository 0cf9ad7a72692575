"""Files that are not, or no longer, a pathmax database: refused by name and left as they are."""

import os
import pickle
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pathmax.errors import DamageWarning, ForeignStorageError, StorageError, StorageUnavailableError
from pathmax.storage import Ending, Entry, Storage, open_storage


def make(file: Path, record, trials: int = 30) -> None:
    """A database of ours with some trials in it."""
    with open_storage(file) as storage:
        name = storage.create(record).name
        storage.insert_many(
            name,
            [
                Entry(params={"x": i}, info={"pad": "p" * 500}, outcomes={"value": float(i)})
                for i in range(trials)
            ],
        )


def whole(storage, name: str) -> None:
    """Read all trials; what was lost of one is an error here."""
    for trial in storage.changes(name)[1]:
        if trial.damage is not None:
            raise ForeignStorageError(trial.damage)


def change(file: Path, *statements: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def refused(file: Path, use: Callable[[Storage], object] = lambda storage: None) -> str:
    """The message of the refusal, having checked that it names the file and changes nothing."""
    before = {path: path.read_bytes() for path in file.parent.iterdir()}
    with pytest.raises(ForeignStorageError) as caught, open_storage(file) as storage:
        use(storage)
    assert str(file) in str(caught.value)
    assert {path: path.read_bytes() for path in file.parent.iterdir()} == before
    return str(caught.value)


class TestFault22:
    def test_an_empty_file(self, tmp_path):
        file = tmp_path / "lab.db"
        file.touch()
        assert "empty (0 bytes)" in refused(file)

    @settings(
        max_examples=30,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    @given(content=st.binary(min_size=1, max_size=3000), ours=st.booleans())
    @example(content=b"x", ours=True)
    @example(content=b"a;b\n1;2\n", ours=False)
    def test_a_random_file(self, tmp_path, content, ours):
        file = tmp_path / "lab.db"
        file.write_bytes((b"SQLite format 3\x00" if ours else b"") + content)
        refused(file)

    @pytest.mark.parametrize("keep", [1, 16, 50, 100, 1000, 4096, 5000, 8192, 0.5, 0.9, 0.999])
    def test_a_truncated_file(self, tmp_path, record, keep):
        file = tmp_path / "lab.db"
        make(file, record)
        size = file.stat().st_size
        os.truncate(file, int(keep * size) if isinstance(keep, float) else keep)
        refused(file, lambda storage: whole(storage, record.name))

    def test_a_damaged_page(self, tmp_path, record):
        file = tmp_path / "lab.db"
        make(file, record)
        content = bytearray(file.read_bytes())
        noise = np.random.default_rng(0).bytes(len(content) - 8192)
        content[8192:] = noise  # the tables and the studies; the schema is on the first page
        file.write_bytes(content)
        refused(file, lambda storage: (storage.studies(), storage.changes(record.name)))

    @pytest.mark.parametrize(
        "statements",
        [
            ["CREATE TABLE studies (study_id INTEGER)", "CREATE TABLE version_info (version)"],
            ["CREATE TABLE t (x)", "DROP TABLE t"],
            ["CREATE TABLE pathmax_schema (version INTEGER)"],
            ["CREATE TABLE pathmax_trials (number INTEGER)"],
            ["CREATE TABLE pathmax_schema (v2 TEXT)", "INSERT INTO pathmax_schema VALUES ('x')"],
            ["CREATE TABLE pathmax_schema (version)", "INSERT INTO pathmax_schema VALUES ('x')"],
            ["CREATE TABLE pathmax_schema (version)", "INSERT INTO pathmax_schema VALUES (1)"],
            ["CREATE TABLE pathmax_schema (version)", "INSERT INTO pathmax_schema VALUES (2)"],
            ["CREATE TABLE pathmax_schema (version)", "INSERT INTO pathmax_schema VALUES (3)"],
            ["CREATE TABLE pathmax_schema (version)", "INSERT INTO pathmax_schema VALUES (0)"],
        ],
    )
    def test_the_database_of_another_program(self, tmp_path, statements):
        file = tmp_path / "lab.db"
        change(file, *statements)
        refused(file)

    def test_the_database_of_another_program_in_wal_mode(self, tmp_path):
        file = tmp_path / "lab.db"
        with closing(sqlite3.connect(file)) as other:
            other.execute("PRAGMA journal_mode=WAL")
            with other:
                other.execute("CREATE TABLE t (x)")
            content = file.read_bytes()
            with pytest.raises(ForeignStorageError, match="another program"):
                open_storage(file)
            assert file.read_bytes() == content
            other.execute("INSERT INTO t VALUES (1)")  # and its owner goes on

    def test_a_newer_version(self, tmp_path, record):
        file = tmp_path / "lab.db"
        make(file, record)
        change(file, "UPDATE pathmax_schema SET version = 99")
        assert "newer pathmax (schema version 99" in refused(file)

    def test_tables_that_were_changed(self, tmp_path, record):
        file = tmp_path / "lab.db"
        make(file, record)
        change(file, "ALTER TABLE pathmax_trials RENAME COLUMN params TO parameters")
        assert "lacks pathmax_trials.params" in refused(file)

    def test_counters_that_disagree_with_the_trials(self, tmp_path, record):
        file = tmp_path / "lab.db"
        make(file, record)
        change(file, "UPDATE pathmax_counters SET trials = 3")
        with open_storage(file) as storage:
            with pytest.raises(ForeignStorageError, match=r"lab\.db"):
                storage.start(record.name, 3, {"x": 1})
            assert storage.trial(record.name, 3).params == {"x": 3}


class Canary:
    """Unpickling it writes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self):
        return Path.write_text, (self.path, "sung")


class TestFault32:
    """A file from a stranger is data: opening and using it runs nothing."""

    @pytest.mark.parametrize(
        "statement",
        [
            "CREATE TRIGGER t AFTER INSERT ON pathmax_trials BEGIN DELETE FROM pathmax_trials; END",
            "CREATE VIEW v AS SELECT load_extension('evil.so')",
            "CREATE TEMP TRIGGER x AFTER INSERT ON pathmax_trials BEGIN SELECT 1; END",
        ],
    )
    def test_triggers_and_views_are_refused(self, tmp_path, record, statement):
        file = tmp_path / "lab.db"
        make(file, record)
        change(file, statement)
        if "TEMP" in statement:  # lives in the connection that made it, not in the file
            open_storage(file).close()
        else:
            assert "never writes" in refused(file)

    def test_no_function_of_the_schema_is_called(self, tmp_path, record):
        file = tmp_path / "lab.db"
        make(file, record)
        with closing(sqlite3.connect(file)) as connection, connection:
            # A function of this name exists in every connection of SQLAlchemy.
            connection.create_function("regexp", 2, lambda *_: 1, deterministic=True)
            connection.execute("ALTER TABLE pathmax_studies DROP COLUMN attributes")
            connection.execute(
                "ALTER TABLE pathmax_studies ADD COLUMN attributes AS (regexp('(a+)+$', name))"
            )
        assert "unsafe use of regexp()" in refused(file, lambda storage: storage.studies())

    @pytest.mark.parametrize(
        "column", ["params", "info", "outcomes", "attributes", "note", "error", "worker"]
    )
    @pytest.mark.parametrize(
        "content",
        [
            "pickle",
            "__import__('os')",
            "[" * 100_000,
            "NaN",
            '{"value": Infinity}',
            '{"value": 1e999}',
            '{"value": "1"}',
            "3",
            None,
        ],
    )
    def test_columns_are_read_as_json_or_not_at_all(self, tmp_path, record, column, content):
        file, canary = tmp_path / "lab.db", tmp_path / "canary"
        make(file, record, trials=1)
        if content == "pickle":
            content = pickle.dumps(Canary(canary))
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute("PRAGMA writable_schema=ON")
            connection.execute(
                "UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '')"
                " WHERE name = 'pathmax_trials'"
            )
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute(f"UPDATE pathmax_trials SET {column} = ?", (content,))
        with open_storage(file) as storage:
            [trial] = storage.changes(record.name)[1]
            if trial.damage is None:  # strange, but JSON of the right kind
                assert isinstance(trial.info, dict) and isinstance(trial.value, float)
            else:
                assert (
                    str(file) in trial.damage
                    and f"trial 0 of study {record.name!r}" in trial.damage
                )
                assert column in trial.damage
        assert not canary.exists()

    def test_numbers_are_numbers(self, tmp_path, record):
        file = tmp_path / "lab.db"
        make(file, record, trials=1)
        for column, value in [("asked_at", "'soon'"), ("noise", "9e999"), ("state", "'dead'")]:
            make(file, record, trials=1)
            change(file, f"UPDATE pathmax_trials SET {column} = {value}")
            with open_storage(file) as storage:
                trial = storage.changes(record.name)[1][0]
            assert f"lab.db: trial 0 of study {record.name!r}" in trial.damage
            assert f"({column}: " in trial.damage
            file.unlink()

    def test_a_study_is_read_as_json_or_not_at_all(self, tmp_path, record):
        file = tmp_path / "lab.db"
        make(file, record)
        change(file, "UPDATE pathmax_studies SET space = 'cos\nsystem'")
        with open_storage(file) as storage:
            with pytest.raises(ForeignStorageError, match=r"lab.db.*study 'suzuki'"):
                storage.load(record.name)
            with pytest.warns(DamageWarning, match=r"lab.db.*study 'suzuki'"):
                assert storage.studies() == []


class TestPlaces:
    def test_a_folder_that_does_not_exist(self, tmp_path):
        with pytest.raises(StorageUnavailableError, match=r"folder .*nowhere does not exist"):
            open_storage(tmp_path / "nowhere" / "lab.db")

    def test_a_folder_instead_of_a_file(self, tmp_path):
        (tmp_path / "lab.db").mkdir()
        with pytest.raises(StorageUnavailableError, match=r"lab.db: cannot be read"):
            open_storage(tmp_path / "lab.db")

    def test_names_that_a_url_would_read_otherwise(self, tmp_path, record):
        for name in ["a b.db", "50%.db", "what?.db", "#1.db", "ü.db", "a%20b.db", "x;y&z=1.db"]:
            with open_storage(tmp_path / name) as storage:
                storage.create(record)
            assert (tmp_path / name).exists()
        assert len(list(tmp_path.glob("*.db"))) == 7

    def test_a_relative_path_stays_where_it_was(self, tmp_path, record, monkeypatch):
        monkeypatch.chdir(tmp_path)
        with open_storage("sqlite:///lab.db") as storage:
            storage.create(record)
            storage.close()
            monkeypatch.chdir("/")
            assert storage.load(record.name).name == record.name

    @pytest.mark.parametrize("happens", ["deleted", "replaced"])
    def test_a_file_that_disappears_is_noticed_before_anything_is_lost(
        self, tmp_path, record, happens
    ):
        file = tmp_path / "lab.db"
        make(file, record)
        with open_storage(file) as storage:
            storage.start(record.name, 30, {"x": 1})
            if happens == "deleted":
                file.unlink()
            else:
                make(tmp_path / "backup.db", record)
                (tmp_path / "backup.db").replace(file)
            with pytest.raises(StorageUnavailableError, match="deleted, moved or replaced"):
                storage.finish(record.name, 30, Ending(outcomes={"value": 1.0}))

    def test_a_copy_made_while_in_use_is_whole(self, tmp_path, record):
        with open_storage(tmp_path / "lab.db") as storage:
            name = storage.create(record).name
            storage.start(name, 0, {"x": 1})
            change(tmp_path / "lab.db", f"VACUUM INTO '{tmp_path / 'backup.db'}'")
            storage.finish(name, 0, Ending(outcomes={"value": 1.0}))
        with open_storage(tmp_path / "backup.db") as storage:
            assert storage.trial(name, 0).state == "running"
            assert storage.finish(name, 0, Ending(outcomes={"value": 2.0})).value == 2.0

    def test_what_is_left_of_a_deleted_file_is_not_mixed_into_a_new_one(self, tmp_path, record):
        file, log = tmp_path / "lab.db", tmp_path / "lab.db-wal"
        make(file, record)
        with open_storage(file) as storage:
            storage.start(record.name, 30, {"x": 1})
            kept = log.read_bytes()
        file.unlink()
        log.write_bytes(kept)  # as after a crash: only the file itself was deleted
        with pytest.raises(ForeignStorageError, match=r"lab\.db-wal: is left over"):
            open_storage(file)
        assert log.read_bytes() == kept and not file.exists()
        log.unlink()
        with open_storage(file) as storage:
            assert storage.studies() == []

    def test_a_write_protected_file_can_be_read(self, tmp_path, record):
        file = tmp_path / "lab.db"
        make(file, record)
        with open_storage(file) as storage:
            # Permissions do not bind root; this is what SQLite says of them.
            writer, _ = storage._database._open()
            with writer.connect() as connection:
                connection.exec_driver_sql("COMMIT")
                connection.exec_driver_sql("PRAGMA query_only=ON")
            assert storage.load(record.name).name == record.name
            with pytest.raises(StorageError, match=r"lab.db: is write-protected"):
                storage.start(record.name, 30, {})
