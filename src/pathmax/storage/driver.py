"""A statement that runs often, run by the driver on the connection of SQLAlchemy's transaction.

SQLAlchemy compiles it, once for each dialect, and lends the connection; what is left out is its
work for each execution: of a tell, which is a claim and an ending, 100 of 170 us. An error is the
one that SQLAlchemy would have raised. Nothing begins here: the caller is in a transaction, or on a
connection on which every statement commits by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
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
    by_name: bool
    """Whether they are passed by name."""


def first(
    connection: Connection, statement: Update, values: Mapping[str, Any]
) -> dict[str, Any] | None:
    """The first row that a statement returns, by the names of its columns; None for no row."""
    dialect = connection.dialect
    text, given, names, by_name = _prepare(statement, dialect)
    named = {**given, **values}
    taken = [named[name] for name in names]  # one that is missing is no NULL
    passed = dict(zip(names, taken, strict=True)) if by_name else tuple(taken)
    lent = connection.connection
    cursor = lent.cursor()
    try:
        dialect.do_execute(cursor, text, passed)
        row = cursor.fetchone()
        return None if row is None else _by_name(cursor.description, row)
    except dialect.loaded_dbapi.Error as cause:
        gone = dialect.is_disconnect(cause, lent.dbapi_connection, cursor)
        if gone:
            connection.invalidate(cause)
        raise DBAPIError.instance(
            text,
            None,  # no values of a study in messages
            cause,
            dialect.loaded_dbapi.Error,
            connection_invalidated=gone,
            dialect=dialect,
        ) from cause
    finally:
        if not connection.invalidated:
            cursor.close()


def _by_name(description: Sequence[Sequence[Any]], row: Sequence[Any]) -> dict[str, Any]:
    return {column[0]: value for column, value in zip(description, row, strict=True)}


@lru_cache(maxsize=32)
def _prepare(statement: Update, dialect: Dialect) -> Prepared:
    compiled = statement.compile(dialect=dialect)
    order = compiled.positiontup if compiled.positional else None
    own = [name for value, name in compiled.bind_names.items() if not value.required]
    given = {name: compiled.params[name] for name in own}
    return Prepared(str(compiled), given, order or list(compiled.params), order is None)
