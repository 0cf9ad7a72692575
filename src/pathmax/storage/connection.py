"""Requests to a server: kept open, repeated when they break, each error as it was raised there.

Only the standard library: a worker needs nothing but the base install.
"""

from __future__ import annotations

import http.client
import json
import os
import ssl
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import unquote, urlencode, urlsplit

from pathmax import errors
from pathmax.errors import PathmaxError, SettingsError, StorageError, StorageUnavailableError
from pathmax.storage import wire
from pathmax.storage.retries import OPENING_PATIENCE, Fault, Retries

TOKEN_VARIABLE = "PATHMAX_TOKEN"
TIMEOUT = 120.0  # seconds for an answer: the server may itself wait a minute for its database

Sent = Mapping[str, Any]


class ServerAnswer(dict[str, Any]):
    """What a server answered, and whether an earlier attempt at it broke off."""

    again: bool = False


class ConnectionPool:
    """Open connections that nobody uses at the moment; a forked child closes its copies."""

    def __init__(self) -> None:
        self._process, self._idle = os.getpid(), list[http.client.HTTPConnection]()

    def take(self) -> http.client.HTTPConnection | None:
        """An open connection, if there is one."""
        if self._process != os.getpid():
            self.close()
            self._process = os.getpid()
        try:
            return self._idle.pop()
        except IndexError:
            return None

    def give(self, connection: http.client.HTTPConnection) -> None:
        """A connection that works, for the next request."""
        self._idle.append(connection)

    def close(self) -> None:
        """Close them all."""
        while self._idle:
            self._idle.pop().close()


class Connection:
    """A server, as all threads of a process reach it."""

    def __init__(self, url: str, patience: float) -> None:
        address, token = _address(url)
        self._secure = address.scheme == "https"
        self._host, self._port = address.hostname or "", address.port
        self._path = address.path.rstrip("/") + wire.PREFIX
        self._token = token or os.environ.get(TOKEN_VARIABLE, "")
        self._patience = patience
        self._reached = False
        self._pool = ConnectionPool()
        weakref.finalize(self, self._pool.close)
        self.place = f"{address.scheme}://{address.netloc.rpartition('@')[2]}{address.path}"

    def get(self, what: str, sent: Sent) -> ServerAnswer:
        """A request that reads."""
        query = urlencode({name: value for name, value in sent.items() if value is not None})
        return self._ask("GET", f"{what}?{query}", None, None)

    def post(
        self,
        what: str,
        sent: Sent,
        token: str | None = None,
        done: tuple[type[PathmaxError], ...] = (),
    ) -> ServerAnswer:
        """A request that writes; `token` keeps the server from doing it twice.

        `done` are errors that mean, when an answer was lost, that the first attempt had succeeded.
        """
        return self._ask("POST", what, wire.to_text(dict(sent)).encode("ascii"), token, done)

    @contextmanager
    def streaming(self, what: str, sent: Sent, patience: float) -> Iterator[ServerAnswer]:
        """A request whose first line is the answer; it stays open until the block ends."""
        body = wire.to_text(dict(sent)).encode("ascii")
        waiting = self._waiting()
        while True:
            connection = self._connect(TIMEOUT + patience)
            try:
                response = self._send(connection, "POST", what, body, None)
                first = response.readline() if response.status == 200 else response.read()
                break
            except _BROKEN as cause:
                connection.close()
                self._wait(waiting, cause)
        try:
            yield self._read(response.status, first)
        finally:
            response.close()
            connection.close()

    def close(self) -> None:
        """Close what is open; the next use opens anew."""
        self._pool.close()

    def _ask(
        self,
        method: str,
        what: str,
        body: bytes | None,
        token: str | None,
        done: tuple[type[PathmaxError], ...] = (),
    ) -> ServerAnswer:
        waiting, again = self._waiting(), False
        while True:
            kept = self._pool.take()
            connection = self._connect(TIMEOUT) if kept is None else kept
            try:
                response = self._send(connection, method, what, body, token)
                content = response.read()
                break
            except _BROKEN as cause:
                connection.close()
                again = True
                if kept is None:  # else the server had closed it meanwhile: try a new one
                    self._wait(waiting, cause)
            except BaseException:
                connection.close()
                raise
        self._pool.give(connection)
        self._reached = True
        try:
            answer = self._read(response.status, content)
        except done:
            if not again:
                raise
            answer = ServerAnswer()
        answer.again = again
        return answer

    def _send(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        what: str,
        body: bytes | None,
        token: str | None,
    ) -> http.client.HTTPResponse:
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "application/json"}
        headers |= {} if body is None else {"Content-Type": "application/json"}
        headers |= {} if token is None else {"Idempotency-Key": token}
        connection.request(method, self._path + what, body, headers)
        return connection.getresponse()

    def _connect(self, timeout: float) -> http.client.HTTPConnection:
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        return kind(self._host, self._port, timeout=timeout)

    def _waiting(self) -> Retries:
        seconds = self._patience if self._reached else min(self._patience, OPENING_PATIENCE)
        return Retries(seconds)

    def _wait(self, waiting: Retries, cause: Exception) -> None:
        """Pause, or say that the server is away."""
        hopeless = isinstance(cause, ssl.SSLCertVerificationError)
        if hopeless or not waiting.wait(Fault.GONE):
            raise StorageUnavailableError(
                f"{self.place}: cannot be reached ({cause or type(cause).__name__}); nothing that "
                "was told is lost, start again when it is back"
            ) from cause

    def _read(self, status: int, content: bytes) -> ServerAnswer:
        if status == 200:
            return ServerAnswer(wire.from_text(content))
        try:
            told = json.loads(content)
            code, message = str(told["error"]), str(told["message"])
        except (ValueError, TypeError, LookupError):
            raise StorageUnavailableError(
                f"{self.place}: answered with status {status} and not as a pathmax server does; "
                "check the address"
            ) from None
        kind = getattr(errors, code, None) if code in errors.__all__ else None
        if isinstance(kind, type) and issubclass(kind, errors.PathmaxError):
            raise kind(message)
        remedy = ""
        if status in (401, 403):
            remedy = f"; give the token in {TOKEN_VARIABLE} or as http://TOKEN@host:port"
        raise StorageError(f"{self.place}: {message}{remedy}")


_BROKEN = (OSError, http.client.HTTPException)


def _address(url: str) -> tuple[Any, str]:
    """The parts of a URL, and the token in it."""
    try:
        address = urlsplit(url)
        _ = address.port
    except ValueError as error:
        raise SettingsError(f"the address of the server is wrong ({error})" + FORM) from error
    if not address.hostname or address.query or address.fragment:
        raise SettingsError("the address of a server is a host and a port" + FORM)
    return address, unquote(address.password or address.username or "")


FORM = "; write http://host:8080, or http://TOKEN@host:8080"
