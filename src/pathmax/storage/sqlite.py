"""SQLite: one file, many processes of one machine.

* Write-ahead log: readers never wait for a writer, nor a writer for readers.
* `synchronous=FULL`: a commit returns after the log is on disk.
* A new file is built under another name and then linked to its own, so no process ever sees a
  half-made database, and a file of zero bytes is never a database that is being made.
* A file is looked at read-only, and refused if it is not ours, before it is opened for writing.
* A file from a stranger is data: no triggers, no views, no extensions, no functions in its schema.
"""

from __future__ import annotations

import os
import sqlite3
import uuid
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool, QueuePool

from pathmax.errors import ForeignStorageError, StorageError, StorageUnavailableError
from pathmax.storage import schema
from pathmax.storage.backend import Backend
from pathmax.storage.retries import Fault, Retries
from pathmax.storage.writing import KeptWriting, Writing

SQLITE_HEADER = b"SQLite format 3\x00"  # https://www.sqlite.org/fileformat.html, section 1.3.1
RETURNING_SINCE = (3, 35, 0)

# The write lock is waited for in `_begin`, not by SQLite's own busy handler: its pauses grow to
# 100 ms. Sixteen processes on one file: 2500 against 1200 transactions a second.
BUSY_TIMEOUT = 0.0
QUEUEING = 1.0  # seconds in `_begin`, where looking again costs little; then in `Database`

# A deferred transaction that turns into a writer can fail half-way; an immediate one waits at its
# start.
BEGIN = "BEGIN IMMEDIATE"
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL")

BUSY_CODES = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
SQLITE_FAULTS = {
    **dict.fromkeys(BUSY_CODES, Fault.BUSY),
    sqlite3.SQLITE_FULL: Fault.FULL,
    sqlite3.SQLITE_READONLY: Fault.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: Fault.UNREACHABLE,
    sqlite3.SQLITE_CORRUPT: Fault.DAMAGED,
    sqlite3.SQLITE_NOTADB: Fault.DAMAGED,
    sqlite3.SQLITE_FORMAT: Fault.DAMAGED,
    # Our statements fit our tables, so these two say that the tables are not ours.
    sqlite3.SQLITE_ERROR: Fault.DAMAGED,
    sqlite3.SQLITE_CONSTRAINT: Fault.DAMAGED,
}
# A quota or a file size limit arrives as an I/O error while writing; a full disk as FULL.
NO_ROOM = {sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE}


class Sqlite(Backend):
    """A SQLite file."""

    def __init__(self, path: str) -> None:
        if sqlite3.sqlite_version_info < RETURNING_SINCE:
            raise StorageError(
                f"pathmax needs SQLite 3.35 or newer, this Python has {sqlite3.sqlite_version};"
                " use a newer Python or a PostgreSQL storage"
            )
        self.path = Path(path).absolute()  # stays right when the process changes its folder
        self.place = str(self.path)
        self._log = self.path.with_name(f"{self.path.name}-wal")
        self._identity: tuple[int, int] | None = None

    def engine(self) -> Engine:
        self._identity = self._present_identity()
        # mode=rw: a file that was removed meanwhile is an error, never silently a new one
        engine = self._engine("mode=rw", poolclass=QueuePool, pool_size=4, max_overflow=-1)
        event.listen(engine, "connect", _set_pragmas)
        event.listen(engine, "begin", _begin)
        return engine

    def read_options(self) -> dict[str, Any]:
        return {"reading": True}

    def writing(self, writer: Engine, reader: Engine) -> Writing:
        return KeptWriting(writer, _begin_writing)

    def prepare(self) -> None:
        if not self.path.exists():
            self._create()
        self._check_header()
        # Even a reader of a write-ahead log makes files beside the database, which would be left
        # beside a file that is not ours. Without a log nobody has the file open: then it is read
        # as if it could not change, and looked at again if someone has opened it since.
        if not self._log.exists():
            written = self.path.stat().st_mtime_ns
            try:
                return self._check("immutable=1")
            except (ForeignStorageError, DBAPIError):
                if not self._log.exists() and written == self.path.stat().st_mtime_ns:
                    raise
        self._check("mode=ro")

    def check_writable(self) -> None:
        # SQLite would write on into a file that no longer has a name, and all would be lost.
        if self._identity != self._present_identity():
            raise StorageUnavailableError(
                f"{self.place}: the file was deleted, moved or replaced while it was in use;"
                " put it back, or start again to use the file that is there now"
            )

    def fault(self, error: DBAPIError) -> Fault:
        code: int = getattr(error.orig, "sqlite_errorcode", sqlite3.SQLITE_OK)
        return Fault.FULL if code in NO_ROOM else SQLITE_FAULTS.get(code & 0xFF, Fault.OTHER)

    def _engine(self, how: str, **pool: Any) -> Engine:
        uri = f"{self.path.as_uri()}?{how}"

        def connect() -> sqlite3.Connection:
            connection = sqlite3.connect(
                uri,
                uri=True,
                timeout=BUSY_TIMEOUT,
                isolation_level=None,  # transactions begin where `_begin` says so
                check_same_thread=False,  # the pool gives a connection to one thread at a time
            )
            connection.text_factory = _text
            connection.execute("PRAGMA trusted_schema=OFF")  # before the schema is even read
            return connection

        return create_engine("sqlite://", creator=connect, **pool)

    def _create(self) -> None:
        """Build a new database beside its place, then link it there unless another was faster."""
        folder = self.path.parent
        if not folder.is_dir():
            raise StorageUnavailableError(
                f"{self.place}: the folder {folder} does not exist; create it first"
            )
        if self._log.exists() and not self.path.exists():  # else another was faster
            raise ForeignStorageError(
                f"{self._log}: is left over from a database that is no longer there; put"
                f" {self.path.name} back, or delete this file too to begin anew"
            )
        building = self.path.with_name(f".{self.path.name}.{uuid.uuid4().hex}")
        try:
            building.touch(exist_ok=False)
            engine = Sqlite(str(building))._engine("mode=rw", poolclass=NullPool)
            with engine.connect() as connection:
                for pragma in PRAGMAS:  # by SQLAlchemy, whose errors are understood
                    connection.exec_driver_sql(f"PRAGMA {pragma}")
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                schema.create(connection)
                connection.commit()
            _flush(building)
            self._put_in_place(building)
        except OSError as cause:
            raise StorageUnavailableError(
                f"{self.place}: cannot be created ({cause.strerror}); check the permissions of"
                f" {folder} or choose another place"
            ) from cause
        finally:
            for left in ("", "-wal", "-shm"):
                building.with_name(building.name + left).unlink(missing_ok=True)

    def _put_in_place(self, building: Path) -> None:
        """Give a finished database its name, unless another process was faster."""
        try:
            os.link(building, self.path)
        except FileExistsError:
            return
        except OSError:  # a file system without hard links; then two may think they are first
            if self.path.exists():
                return
            building.rename(self.path)
        if os.name == "posix":  # elsewhere folders cannot be opened, nor need they
            _flush(self.path.parent, os.O_RDONLY)

    def _check_header(self) -> None:
        try:
            with self.path.open("rb") as file:
                head = file.read(len(SQLITE_HEADER))
        except OSError as cause:
            raise StorageUnavailableError(
                f"{self.place}: cannot be read ({cause.strerror}); name a file that you may read"
                " and write"
            ) from cause
        if not head:
            raise ForeignStorageError(
                f"{self.place}: is empty (0 bytes), so it is not a pathmax database, or no longer;"
                " restore it from a backup, or delete it to begin anew"
            )
        if head != SQLITE_HEADER:
            raise ForeignStorageError(
                f"{self.place}: is not a database; it is left as it is. Choose another name"
            )

    def _check(self, how: str) -> None:
        with self._engine(how, poolclass=NullPool).connect() as connection:
            self._check_schema(connection)

    def _check_schema(self, connection: Connection) -> None:
        objects = connection.exec_driver_sql("SELECT type, name FROM sqlite_master").all()
        tables = {name for kind, name in objects if kind == "table"}
        if not set(schema.metadata.tables) & tables:
            raise ForeignStorageError(
                f"{self.place}: is a database of another program; it is left as it is."
                " Choose another name"
            )
        active = [f"{kind} {name}" for kind, name in objects if kind in ("trigger", "view")]
        if active:
            raise ForeignStorageError(
                f"{self.place}: holds what pathmax never writes ({', '.join(active[:3])});"
                " it was changed by another program and is left as it is"
            )
        schema.version(connection, self.place)

    def _present_identity(self) -> tuple[int, int] | None:
        try:
            status = os.stat(self.place)
        except OSError:
            return None
        return status.st_dev, status.st_ino


def _text(raw: bytes) -> str | bytes:
    """Text as pathmax writes it; what is not UTF-8 costs its own field and not the whole query."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def _set_pragmas(dbapi_connection: Any, _record: Any) -> None:
    cursor = dbapi_connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    # Single SELECTs need no transaction at all.
    if connection.get_execution_options().get("reading"):
        return
    cursor = connection.connection.cursor()
    try:
        _begin_writing(cursor)
    except sqlite3.OperationalError:
        connection.exec_driver_sql(BEGIN)  # fails as SQLAlchemy's errors do


def _begin_writing(cursor: Any) -> None:
    patience = None
    while True:
        try:
            cursor.execute(BEGIN)
            return
        except sqlite3.OperationalError as error:
            patience = patience or Retries(QUEUEING)
            if error.sqlite_errorcode & 0xFF not in BUSY_CODES or not patience.wait(Fault.BUSY):
                raise


def _flush(path: Path, how: int = os.O_RDWR) -> None:
    """Put a file, or the names in a folder, on disk."""
    descriptor = os.open(path, how)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
