"""A connection to a database that does not give up: it waits, reconnects, and survives forks.

    database = Database("sqlite:///lab.db", patience=60.0)
    database.read(lambda connection: connection.execute(...))
    database.write(lambda connection, again: connection.execute(...))

Work may run more than once, each time in a transaction of its own. `again` tells it that an earlier
attempt broke off and may have been committed all the same: then it must look before it writes.
"""

from __future__ import annotations

import logging
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TypeVar

from sqlalchemy import Connection, Engine, make_url
from sqlalchemy.exc import DBAPIError

from pathmax.logger import logger
from pathmax.storage import schema
from pathmax.storage.backend import Backend
from pathmax.storage.driver import DriverCursor
from pathmax.storage.forks import gate
from pathmax.storage.postgres import Postgres
from pathmax.storage.retries import LONGEST_LINE, OPENING_PATIENCE, Fault, Retries
from pathmax.storage.sqlite import Sqlite
from pathmax.storage.writing import Writing

T = TypeVar("T")
CROWDED = 0.05  # seconds in line: then there are others, who need connections too


_of_parents: list[object] = []  # connections of the parent process: never to be closed by a child


class Database:
    """The database behind a URL, with this version's tables in it.

    Args:
        url: `sqlite:///lab.db` or `postgresql+psycopg://user@host/database`.
        patience: for how many seconds to wait for a lock, or for a server that went away.
    """

    def __init__(self, url: str, patience: float) -> None:
        self.url = url
        self.patience = patience
        self._backend = _backend(url)
        self._forget()
        self._open()

    @property
    def place(self) -> str:
        """What errors call the database: a file, or a URL without its password."""
        return self._backend.place

    def read(self, work: Callable[[Connection], T]) -> T:
        """Run work that only reads, by single SELECTs."""

        def attempt(_again: bool) -> T:
            _, reader = self._open()
            with reader.connect() as connection:
                return work(connection)

        return self._persist(attempt, self.patience)

    def write(
        self,
        work: Callable[[Connection, bool], T],
        at_once: Callable[[DriverCursor], T | None] | None = None,
    ) -> T:
        """Run work in a transaction; what it returns is committed.

        `at_once` is the usual case of the same, tried first on a connection with less around it.
        None: it has changed no trial, and `work` is done.
        """
        self._open()
        with self._writing:  # threads of one process queue here instead of polling the database
            return self._persist(partial(self._write, work, at_once), self.patience)

    def _write(
        self,
        work: Callable[[Connection, bool], T],
        at_once: Callable[[DriverCursor], T | None] | None,
        again: bool,
    ) -> T:
        if self._engines is None:  # closed by another thread, or given up by an earlier attempt
            self._open()
        writing = self._through
        self._backend.check_writable()
        try:
            if at_once is not None and not again:
                with writing.at_once() as cursor:
                    written = at_once(cursor)
                if written is not None:
                    return written
            with writing.transaction() as connection:
                return work(connection, again)
        except BaseException:  # an interrupt too, wherever it comes: no lock is left
            writing.close()
            raise

    @contextmanager
    def line(self, which: str) -> Iterator[bool]:
        """Wait in line, first come, first served; whether one is first, and so until the end.

        False where the database has no lines, or this one does not move: nothing depends on it.
        """
        statements = self._backend.line(which)
        if not statements:
            yield False
            return
        self._open()
        here = self._lines.setdefault(which, threading.Lock())
        # Threads of one process queue here: one of them, with one connection, stands in the line.
        first = here.acquire(timeout=LONGEST_LINE)
        try:
            with ExitStack() as standing:
                yield first and self._stand(standing, statements)
        finally:
            if first:
                here.release()

    def _stand(self, standing: ExitStack, statements: Sequence[str]) -> bool:
        """Wait in the line of the database, where others do; not inside the gate, it may be long.

        Whoever cannot goes on without: then `read` and `write` say what is wrong.
        """
        try:
            connection = self._open()[0].connect()
            standing.callback(self._leave, connection)
            began = time.monotonic()
            for statement in statements:
                connection.exec_driver_sql(statement)
            if time.monotonic() - began > CROWDED:
                connection.detach()  # closed at the end: a server has a hundred for all workers
        except DBAPIError as cause:
            logger.debug("%s: not in line (%s)", self.place, cause.orig)
            standing.close()
            return False
        return True

    def _leave(self, connection: Connection) -> None:
        """Whoever was first has the turn by now, also where the server has ended the connection."""
        try:
            connection.close()
        except DBAPIError as cause:
            logger.debug("%s: lost the place in line (%s)", self.place, cause.orig)
            if not connection.closed:  # by SQLAlchemy 2.0 it is not
                connection.close()

    def _forget(self) -> None:
        self._process = os.getpid()
        self._engines: tuple[Engine, Engine] | None = None
        self._through: Writing
        self._finalizer: Callable[[], object] | None = None
        self._opening = threading.Lock()
        self._writing = threading.Lock()
        self._lines: dict[str, threading.Lock] = {}

    def close(self) -> None:
        """Close the connections of this process, after a write; the next use opens new ones."""
        self._leave_parents()
        with self._writing, self._opening:
            if self._finalizer is not None:
                self._finalizer()
            self._engines, self._finalizer = None, None

    def _leave_parents(self) -> None:
        """What a forked child has is its parent's, locks too: it makes its own."""
        if self._process != os.getpid():
            _of_parents.append((self._engines, self._finalizer, self._through))
            self._forget()

    def _open(self) -> tuple[Engine, Engine]:
        """The writing and the reading engine of this process."""
        self._leave_parents()
        engines = self._engines  # one look: another thread may close
        if engines is None:
            with self._opening:
                engines = self._engines
                if engines is None:
                    patience = min(self.patience, OPENING_PATIENCE)
                    engines = self._persist(lambda _again: self._connect(), patience)
                    self._engines = engines
                    self._finalizer = weakref.finalize(
                        self, _dispose, engines[0], self._through, os.getpid()
                    )
        return engines

    def _connect(self) -> tuple[Engine, Engine]:
        self._backend.prepare()
        writer = self._backend.engine()
        reader = writer.execution_options(**self._backend.read_options())
        try:
            with reader.connect() as connection:
                ready = schema.version(connection, self.place) == schema.SCHEMA_VERSION
            if not ready:
                with writer.begin() as connection:
                    schema.bring_up(connection, self.place)
        except BaseException:
            writer.dispose()
            raise
        self._through = self._backend.writing(writer, reader)
        return writer, reader

    def _persist(self, attempt: Callable[[bool], T], seconds: float) -> T:
        patience, again = None, False
        while True:
            try:
                with gate.inside():
                    return attempt(again)
            except DBAPIError as cause:
                fault = self._backend.fault(cause)
                again = again or fault is Fault.GONE
                level = logging.WARNING if fault is Fault.GONE else logging.DEBUG
                logger.log(level, "%s: %s (%s)", self.place, fault.value, cause.orig)
                patience = patience or Retries(seconds)
                if not patience.wait(fault):
                    raise self._backend.error(fault, cause) from cause
            except UnicodeDecodeError as cause:  # in a complaint that quotes a damaged schema
                raise self._backend.error(Fault.DAMAGED, cause) from cause


def _backend(url: str) -> Backend:
    if url.startswith("sqlite:///"):
        return Sqlite(url.removeprefix("sqlite:///"))
    return Postgres(make_url(url))


def _dispose(engine: Engine, through: Writing, process: int) -> None:
    if os.getpid() == process:
        through.close()
        engine.dispose()
