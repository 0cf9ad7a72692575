"""Statements that run often, run by the driver on a connection that SQLAlchemy lends.

SQLAlchemy compiles them, once for each dialect, opens the connection and sets it up; what is left
out is its work for each execution: of a tell 100 us. An error is the one that SQLAlchemy would have
raised. Nothing begins here: the caller is in a transaction, or on a connection on which every
statement commits by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Connection, Dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.dml import Update


class Prepared(NamedTuple):
    """A statement in the words of a dialect."""

    text: str
    given: Mapping[str, Any]
    """The values that are part of the statement, by name."""
    names: Sequence[str]
    """Of all values, in the order in which they are passed."""
    take: Callable[[Mapping[str, Any]], tuple[Any, ...]]
    """All values in that order; one that is missing is no NULL."""
    by_name: bool
    """Whether they are passed by name."""
    columns: Sequence[str]
    """What it returns."""


def first(
    connection: Connection, statement: Update, values: Mapping[str, Any]
) -> dict[str, Any] | None:
    """The first row that a statement returns, by the names of its columns; None for no row."""
    dialect = connection.dialect
    text, given, names, take, by_name, columns = _prepare(statement, dialect)
    taken = take({**given, **values})
    passed = dict(zip(names, taken, strict=True)) if by_name else taken
    cursor = connection.connection.cursor()
    try:
        dialect.do_execute(cursor, text, passed)
        row = cursor.fetchone() if columns else None
        return None if row is None else dict(zip(columns, row, strict=True))
    except dialect.loaded_dbapi.Error as cause:
        raise error(connection, text, cause, cursor) from cause
    finally:
        if not connection.invalidated:
            cursor.close()


def error(connection: Connection, text: str, cause: Any, cursor: Any = None) -> Exception:
    """What SQLAlchemy makes of an error of the driver; a connection that broke is given up."""
    dialect, kind = connection.dialect, connection.dialect.loaded_dbapi.Error
    gone = dialect.is_disconnect(cause, connection.connection.dbapi_connection, cursor)
    if gone:
        connection.invalidate(cause)
    no_values = None  # of a study in messages
    made: Exception = DBAPIError.instance(
        text, no_values, cause, kind, connection_invalidated=gone, dialect=dialect
    )
    return made


@lru_cache(maxsize=32)
def _prepare(statement: Update, dialect: Dialect) -> Prepared:
    compiled = statement.compile(dialect=dialect)
    order = compiled.positiontup if compiled.positional else None
    own = [name for value, name in compiled.bind_names.items() if not value.required]
    given = {name: compiled.params[name] for name in own}
    names = order or list(compiled.params)
    columns = [str(column) for column in statement.exported_columns.keys()]
    return Prepared(str(compiled), given, names, _getter(names), order is None, columns)


def _getter(names: Sequence[str]) -> Callable[[Mapping[str, Any]], tuple[Any, ...]]:
    if len(names) > 1:
        return itemgetter(*names)
    return lambda named: tuple(named[name] for name in names)  # of one it would be no tuple
