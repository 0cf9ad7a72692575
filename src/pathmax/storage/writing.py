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

from pathmax.storage import driver


class Writing(ABC):
    """Connections for writing; one thread at a time."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[Connection]:
        """A transaction of SQLAlchemy: what is done in the block is committed."""

    @abstractmethod
    def at_once(self) -> AbstractContextManager[Connection]:
        """The same with less around it, for statements that `driver.first` runs."""

    @abstractmethod
    def close(self) -> None:
        """Close what is kept."""


class PooledWriting(Writing):
    """A connection of the pool each time; at once, every statement commits by itself."""

    def __init__(self, writer: Engine, autocommit: Engine) -> None:
        self._writer, self._autocommit = writer, autocommit

    def transaction(self) -> AbstractContextManager[Connection]:
        return self._writer.begin()

    def at_once(self) -> AbstractContextManager[Connection]:
        return self._autocommit.connect()

    def close(self) -> None:
        """There is nothing."""


class KeptWriting(Writing):
    """One connection, until the caller closes it: as soon as anything goes wrong.

    `begin` begins a transaction by a cursor.
    """

    def __init__(self, engine: Engine, begin: Callable[[Any], None]) -> None:
        self._engine, self._begin = engine, begin
        self._kept: Connection | None = None

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        kept = self._connection()
        with kept.begin():
            yield kept

    def at_once(self) -> AbstractContextManager[Connection]:
        return self

    def __enter__(self) -> Connection:
        kept = self._connection()
        try:
            cursor = kept.connection.cursor()
            self._begin(cursor)
            cursor.close()
        except kept.dialect.loaded_dbapi.Error as cause:
            raise driver.error(kept, "BEGIN", cause) from cause
        return kept

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        if kind is not None:
            return
        kept = self._connection()
        try:
            kept.dialect.do_commit(kept.connection)
        except kept.dialect.loaded_dbapi.Error as cause:
            raise driver.error(kept, "COMMIT", cause) from cause

    def close(self) -> None:
        kept, self._kept = self._kept, None
        if kept is not None:
            kept.close()  # the pool rolls back

    def _connection(self) -> Connection:
        if self._kept is None:
            self._kept = self._engine.connect()
        return self._kept
