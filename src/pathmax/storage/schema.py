"""The tables, their version, and how an older version becomes this one.

    pathmax_schema    one row: the version
    pathmax_studies   what a study is: written once, may be large (a pool of candidates)
    pathmax_counters  what changes with every write: revision, count of trials, turn
    pathmax_trials    one row per trial
    pathmax_receipts  which trials a write with a token stored, so that it is not done twice
    pathmax_reports   what running trials report, one row per trial and step: the curves

Counters are apart from studies because SQLite rewrites a row as a whole, and because locking the
counters of a study is what puts its writers in a queue: revisions are visible in their order, and
numbers have no gaps.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import partial

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    insert,
    inspect,
    select,
    text,
    update,
)

from pathmax.errors import ForeignStorageError

SCHEMA_VERSION = 3

metadata = MetaData()

versions = Table("pathmax_schema", metadata, Column("version", Integer, primary_key=True))

studies = Table(
    "pathmax_studies",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(200), nullable=False, unique=True),
    Column("direction", String(20), nullable=False),
    Column("created_at", Double, nullable=False),
    Column("settings", Text, nullable=False),
    Column("attributes", Text, nullable=False),
    Column("space", Text, nullable=False),
    Column("goals", Text),  # NULL: one objective, "value"
    Column("earlier_spaces", Text, nullable=False, server_default="[]"),
    Column("identity", String(32), nullable=False, server_default=""),  # random: of this study only
)

counters = Table(
    "pathmax_counters",
    metadata,
    Column("study_id", ForeignKey("pathmax_studies.id"), primary_key=True, autoincrement=False),
    Column("revision", Integer, nullable=False),
    Column("trials", Integer, nullable=False),
    Column("turn", Text),  # the mark of the worker that is computing a suggestion
    Column("turn_at", Double),  # since when, by the clock of the database
    Column("edition", Integer, nullable=False, server_default="0"),  # changes of the space so far
)

trials = Table(
    "pathmax_trials",
    metadata,
    Column("study_id", ForeignKey("pathmax_studies.id"), primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("revision", Integer, nullable=False),
    Column("state", String(20), nullable=False),
    Column("reclaimed", Boolean, nullable=False),
    Column("token", String(32), nullable=False),  # of the write that started or ended the trial
    Column("asked_at", Double, nullable=False),
    Column("told_at", Double),
    Column("heartbeat_at", Double),
    Column("noise", Double),
    Column("cost", Double),  # when it was told
    Column("outcomes", Text, nullable=False),
    Column("params", Text, nullable=False),
    Column("worker", Text, nullable=False),
    Column("error", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("attributes", Text, nullable=False),
    Column("info", Text, nullable=False),
    Index("pathmax_trials_by_revision", "study_id", "revision"),
)

receipts = Table(
    "pathmax_receipts",
    metadata,
    Column("study_id", ForeignKey("pathmax_studies.id"), primary_key=True, autoincrement=False),
    Column("token", String(64), primary_key=True),
    Column("first", Integer, nullable=False),  # the number of the first trial
    Column("count", Integer, nullable=False),
    Column("made_at", Double, nullable=False),
)

reports = Table(
    "pathmax_reports",
    metadata,
    Column("study_id", ForeignKey("pathmax_studies.id"), primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("step", BigInteger, primary_key=True, autoincrement=False),
    Column("revision", Integer, nullable=False),
    Column("reported_at", Double, nullable=False),
    Column("outcomes", Text, nullable=False),
    Index("pathmax_reports_by_revision", "study_id", "revision"),
)


# In words that all databases read: an Index with a condition loads the dialects of all of them.
RUNNING_INDEX = (
    "CREATE INDEX pathmax_trials_running ON pathmax_trials (study_id) WHERE state = 'running'"
)

ADDED = {
    2: {"pathmax_counters.turn": "VARCHAR(32)"},
    3: {
        "pathmax_studies.goals": "TEXT",
        "pathmax_studies.earlier_spaces": "TEXT NOT NULL DEFAULT '[]'",
        "pathmax_studies.identity": "VARCHAR(32) NOT NULL DEFAULT ''",
        "pathmax_counters.turn_at": "DOUBLE PRECISION",
        "pathmax_counters.edition": "INTEGER NOT NULL DEFAULT 0",
        "pathmax_trials.cost": "DOUBLE PRECISION",
    },
}
"""The columns that a version added to tables that were there, and what they are."""
ADDED_TABLES = {2: (), 3: (receipts, reports)}


def _add(connection: Connection, version: int) -> None:
    for column, kind in ADDED[version].items():
        table, name = column.split(".")
        connection.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN {name} {kind}")
    for new in ADDED_TABLES[version]:
        new.create(connection)


def _add_identity(connection: Connection) -> None:
    _add(connection, 3)
    if connection.dialect.name == "postgresql":  # SQLite takes any length
        connection.exec_driver_sql("ALTER TABLE pathmax_counters ALTER COLUMN turn TYPE TEXT")
    table = studies.c
    for key in connection.execute(select(table.id)).scalars().all():
        named = update(studies).where(table.id == key).values(identity=uuid.uuid4().hex)
        connection.execute(named)


MIGRATIONS: dict[int, Callable[[Connection], None]] = {
    1: partial(_add, version=2),
    2: _add_identity,
}
"""By the version it starts from; each raises the version by one."""


def create(connection: Connection) -> None:
    """Create the tables in an empty place, within the caller's transaction."""
    metadata.create_all(connection, checkfirst=False)
    connection.execute(text(RUNNING_INDEX))
    connection.execute(insert(versions).values(version=SCHEMA_VERSION))


def version(connection: Connection, place: str) -> int:
    """The version of the tables that are there, 0 for none; refuses what cannot be used."""
    there = _columns(connection)
    if not there:
        return 0
    if there.get(versions.name) != {"version"}:
        raise ForeignStorageError(
            f"{place}: has no schema version; it is damaged or belongs to another program, and is"
            " left as it is"
        )
    found = list(connection.execute(select(versions.c.version)).scalars())
    if len(found) != 1 or not isinstance(found[0], int) or found[0] < 1:
        raise ForeignStorageError(
            f"{place}: expected one schema version, found {found!r}; the database is damaged"
        )
    present: int = found[0]
    if present > SCHEMA_VERSION:
        raise ForeignStorageError(
            f"{place}: was written by a newer pathmax (schema version {present}, this one reads"
            f" up to {SCHEMA_VERSION}); it is left as it is. Upgrade: pip install --upgrade pathmax"
        )
    # Looked at once more before refusing: another worker may have migrated between two looks.
    if _lacks(there, present) and (lacking := _lacks(_columns(connection), present)):
        raise ForeignStorageError(
            f"{place}: lacks {', '.join(lacking)}; the database is damaged or was changed by"
            " another program"
        )
    return present


def bring_up(connection: Connection, place: str) -> None:
    """Bring older tables, or none, to this version, within the caller's transaction."""
    if version(connection, place) == 0:
        create(connection)
        return
    # Writing the version first locks it: of many workers one migrates while the others wait here
    # and then find nothing left to do.
    connection.execute(update(versions).values(version=versions.c.version))
    for present in range(version(connection, place), SCHEMA_VERSION):
        MIGRATIONS[present](connection)
    connection.execute(update(versions).values(version=SCHEMA_VERSION))
    version(connection, place)


def _columns(connection: Connection) -> dict[str, set[str]]:
    """The columns of those of our tables that are there."""
    found = inspect(connection).get_multi_columns(filter_names=list(metadata.tables))
    return {
        name: {column["name"] for column in columns}
        for (_, name), columns in found.items()
        if columns
    }


def _lacks(there: dict[str, set[str]], present: int) -> list[str]:
    """The columns, as table.column, that tables of a version should have and have not."""
    found = {f"{table}.{column}" for table, columns in there.items() for column in columns}
    expected = {f"{t.name}.{c.name}" for t in metadata.sorted_tables for c in t.columns}
    for later in range(present + 1, SCHEMA_VERSION + 1):
        expected -= ADDED[later].keys()
        expected -= {f"{t.name}.{c.name}" for t in ADDED_TABLES[later] for c in t.columns}
    return sorted(expected - found)
