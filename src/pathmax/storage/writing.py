"""How the writes of a process reach its database: `transaction` for all, `at_once` for a tell.

A server has few connections for many workers, so there each write takes one out of a pool and puts
it back. A file is written by one thread of a process at a time (`Database.write`), on a connection
that is kept: what it has read of the file stays known to it, and taking it costs nothing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from sqlalchemy import Connection, Engine

from pathmax.storage.driver import DriverCursor


class Writing(ABC):
    """Connections for writing; one thread at a time."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[Connection]:
        """A transaction of SQLAlchemy: what is done in the block is committed."""

    @abstractmethod
    def at_once(self) -> AbstractContextManager[DriverCursor]:
        """The same with less around it, by the driver."""

    @abstractmethod
    def close(self) -> None:
        """Close what is kept."""


class PooledWriting(Writing):
    """A connection of the pool each time; at once, every statement commits by itself."""

    def __init__(self, writer: Engine, autocommit: Engine) -> None:
        self._writer, self._autocommit = writer, autocommit

    def transaction(self) -> AbstractContextManager[Connection]:
        return self._writer.begin()

    @contextmanager
    def at_once(self) -> Iterator[DriverCursor]:
        with self._autocommit.connect() as connection:
            cursor = DriverCursor(connection)
            try:
                yield cursor
            finally:
                cursor.close()

    def close(self) -> None:
        """There is nothing."""


class KeptWriting(Writing):
    """One connection, until the caller closes it: as soon as anything goes wrong.

    `begin` begins a transaction by a cursor.
    """

    def __init__(self, engine: Engine, begin: Callable[[Any], None]) -> None:
        self._engine, self._begin = engine, begin
        self._kept: DriverCursor | None = None

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        connection = self._cursor().connection
        with connection.begin():
            yield connection

    def at_once(self) -> AbstractContextManager[DriverCursor]:
        return self

    def __enter__(self) -> DriverCursor:
        cursor = self._kept or self._cursor()
        cursor.begin(self._begin)
        return cursor

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        if kind is None:
            self._cursor().commit()

    def close(self) -> None:
        kept, self._kept = self._kept, None
        if kept is not None:
            kept.connection.close()  # the pool rolls back

    def _cursor(self) -> DriverCursor:
        if self._kept is None:
            self._kept = DriverCursor(self._engine.connect())
        return self._kept
