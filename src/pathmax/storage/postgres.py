"""PostgreSQL through psycopg 3: many workers on many machines."""

from __future__ import annotations

import hashlib
from typing import Any

from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError

from pathmax.errors import MissingExtraError
from pathmax.storage.backend import Backend
from pathmax.storage.retries import LONGEST_LINE, Fault
from pathmax.storage.schema import trials
from pathmax.storage.writing import PooledWriting, Writing

# A machine that vanishes without a word is noticed within a minute, not after two hours.
CONNECT_DEFAULTS = {
    "application_name": "pathmax",
    "connect_timeout": 10,
    "keepalives_idle": 20,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 45_000,  # milliseconds
}
SESSION = (
    # What was told is on disk, also on a server that is set up to be careless.
    "SELECT set_config('synchronous_commit', 'on', false)"
    " WHERE current_setting('synchronous_commit') = 'off'",
    "SET lock_timeout = '10s'",
    # A worker that freezes inside a transaction must not stop all the others.
    "SET idle_in_transaction_session_timeout = '60s'",
)

# https://www.postgresql.org/docs/current/errcodes-appendix.html
GONE_CLASSES = ("08", "57P", "25P03")  # connection exceptions, shutdown, idle in transaction
DUPLICATE_KEY = "23505"
POSTGRES_FAULTS = {
    "53300": Fault.GONE,  # too many connections
    "53100": Fault.FULL,
    # serialization failure, deadlock, lock timeout
    **dict.fromkeys(("40001", "40P01", "55P03"), Fault.BUSY),
    # Two workers create the tables, or a study, at once: the second attempt finds them there.
    **dict.fromkeys(("42P07", "42710", DUPLICATE_KEY), Fault.BUSY),
    **dict.fromkeys(("25006", "42501"), Fault.READ_ONLY),
    # no such table, no such column, wrong type
    **dict.fromkeys(("42P01", "42703", "42804"), Fault.DAMAGED),
}
HOPELESS = ("authentication failed", "does not exist", "pg_hba.conf", "no password supplied")


class Postgres(Backend):
    """A PostgreSQL database."""

    def __init__(self, url: URL) -> None:
        try:
            import psycopg  # noqa: F401
        except ImportError as cause:
            raise MissingExtraError(
                'a postgresql:// storage needs psycopg: pip install "pathmax[postgres]"'
            ) from cause
        self.url = url
        self.place = url.set(drivername="postgresql").render_as_string(hide_password=True)

    def engine(self) -> Engine:
        defaults = {k: v for k, v in CONNECT_DEFAULTS.items() if k not in self.url.query}
        engine = create_engine(self.url, connect_args=defaults, pool_size=4, max_overflow=-1)
        event.listen(engine, "connect", _set_session)
        return engine

    def read_options(self) -> dict[str, Any]:
        return {"isolation_level": "AUTOCOMMIT"}  # one round trip instead of three

    def writing(self, writer: Engine, reader: Engine) -> Writing:
        return PooledWriting(writer, autocommit=reader)

    def line(self, which: str) -> tuple[str, ...]:
        # The server keeps those who wait for a lock in order. A process that died is passed over
        # when its turn comes, a machine that vanished when its transaction was idle for too long.
        digest = hashlib.blake2b(which.encode(errors="replace"), digest_size=8).digest()
        key = int.from_bytes(digest, "big", signed=True)
        wait = f"SET LOCAL lock_timeout = '{1000 * LONGEST_LINE:.0f}ms'"
        return wait, f"SELECT pg_advisory_xact_lock({key})"

    def prepare(self) -> None:
        """A server is what it is; the schema inside is looked at once connected."""

    def check_writable(self) -> None:
        """The server refuses by itself."""

    def fault(self, error: DBAPIError) -> Fault:
        state: str | None = getattr(error.orig, "sqlstate", None)
        if state is None:
            message = str(error.orig)
            return Fault.UNREACHABLE if any(h in message for h in HOPELESS) else Fault.GONE
        if error.connection_invalidated or state.startswith(GONE_CLASSES):
            return Fault.GONE
        table = getattr(getattr(error.orig, "diag", None), "table_name", None)
        if state == DUPLICATE_KEY and table == trials.name:
            return Fault.DAMAGED  # the counters give every number once, unless they were changed
        return POSTGRES_FAULTS.get(state, Fault.OTHER)


def _set_session(dbapi_connection: Any, _record: Any) -> None:
    before = dbapi_connection.autocommit
    dbapi_connection.autocommit = True
    with dbapi_connection.cursor() as cursor:
        for statement in SESSION:
            cursor.execute(statement)
    dbapi_connection.autocommit = before
