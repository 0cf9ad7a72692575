"""Statements that run often, run by the driver on a connection that SQLAlchemy lends.

SQLAlchemy compiles them, once for each dialect, opens the connection and sets it up; what is left
out is its work for each execution: of a tell 100 us. An error is the one that SQLAlchemy would have
raised. Nothing begins here by itself: the caller is in a transaction, begins one, or is on a
connection on which every statement commits by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Connection, Dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.dml import Update

Values = Mapping[str, Any]


class Prepared(NamedTuple):
    """A statement in the words of a dialect."""

    text: str
    given: Values
    """The values that are part of the statement, by name."""
    names: Sequence[str]
    """Of all values, in the order in which they are passed."""
    take: Callable[[Values], tuple[Any, ...]]
    """All values in that order; one that is missing is no NULL."""
    by_name: bool
    """Whether they are passed by name."""
    columns: Sequence[str]
    """What it returns."""


class DriverCursor:
    """A cursor of the driver, for one statement after another."""

    __slots__ = ("_cursor", "_dialect", "_errors", "connection")

    def __init__(self, connection: Connection) -> None:
        self.connection, self._dialect = connection, connection.dialect
        self._errors = self._dialect.loaded_dbapi.Error
        self._cursor = connection.connection.cursor()

    @property
    def kind(self) -> str:
        """Of the database: "sqlite" or "postgresql"."""
        return self._dialect.name

    def first(self, statement: Update, values: Values) -> dict[str, Any] | None:
        """The first row that a statement returns, by column; None for no row."""
        columns, rows = self._run(statement, values)
        return dict(zip(columns, rows[0], strict=True)) if rows else None

    def changed(self, statement: Update, values: Values) -> int:
        """How many rows a statement that returns none has changed."""
        self._run(statement, values)
        count: int = self._cursor.rowcount
        return count

    def begin(self, begin: Callable[[Any], None]) -> None:
        """Begin a transaction, by what does so with a cursor."""
        try:
            begin(self._cursor)
        except self._errors as cause:
            raise self._error("BEGIN", cause) from cause

    def commit(self) -> None:
        """Commit the transaction."""
        try:
            self._dialect.do_execute(self._cursor, "COMMIT", ())  # which the driver has prepared
        except self._errors as cause:
            raise self._error("COMMIT", cause) from cause

    def close(self) -> None:
        """Give the cursor up; the connection is its owner's."""
        if not self.connection.invalidated:
            self._cursor.close()

    def _run(self, statement: Update, values: Values) -> tuple[Sequence[str], Sequence[Any]]:
        text, given, names, take, by_name, columns = _prepare(statement, self._dialect)
        taken = take({**given, **values} if given else values)
        passed = dict(zip(names, taken, strict=True)) if by_name else taken
        try:
            self._dialect.do_execute(self._cursor, text, passed)
            return columns, self._cursor.fetchall() if columns else ()
        except self._errors as cause:
            raise self._error(text, cause) from cause

    def _error(self, text: str, cause: Any) -> Exception:
        """What SQLAlchemy makes of an error of the driver; a connection that broke is given up."""
        used = self.connection.connection.dbapi_connection
        gone = self._dialect.is_disconnect(cause, used, self._cursor)
        if gone:
            self.connection.invalidate(cause)
        no_values = None  # of a study in messages
        made: Exception = DBAPIError.instance(
            text,
            no_values,
            cause,
            self._errors,
            connection_invalidated=gone,
            dialect=self._dialect,
        )
        return made


def first(connection: Connection, statement: Update, values: Values) -> dict[str, Any] | None:
    """The first row that a statement returns in a transaction of SQLAlchemy; None for no row."""
    cursor = DriverCursor(connection)
    try:
        return cursor.first(statement, values)
    finally:
        cursor.close()


@lru_cache(maxsize=32)
def _prepare(statement: Update, dialect: Dialect) -> Prepared:
    compiled = statement.compile(dialect=dialect)
    order = compiled.positiontup if compiled.positional else None
    own = [name for value, name in compiled.bind_names.items() if not value.required]
    given = {name: compiled.params[name] for name in own}
    names = order or list(compiled.params)
    columns = [str(column) for column in statement.exported_columns.keys()]
    return Prepared(str(compiled), given, names, _getter(names), order is None, columns)


def _getter(names: Sequence[str]) -> Callable[[Values], tuple[Any, ...]]:
    if len(names) > 1:
        return itemgetter(*names)
    return lambda named: tuple(named[name] for name in names)  # of one it would be no tuple
