"""Where workers in other processes of this machine reach a study that is in the memory of this one.

A thread listens on a socket that only processes with its secret can use (`multiprocessing` sees to
that), and does for each client what a run in this process would do itself. It is opened when the
first handle is sent to another process, and closed with the run.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, final

from pathmax.analysis.stopping import Verdict
from pathmax.errors import PathmaxError, StorageUnavailableError

if TYPE_CHECKING:  # slow to import, and needed when the first handle is sent
    from multiprocessing.connection import Connection, Listener


@final
class LocalServer:
    """Answers clients until it is closed; `answer` is given what they ask, by name."""

    def __init__(self, answer: Callable[..., Any]) -> None:
        self._answer = answer
        self._listener: Listener | None = None
        self._secret = secrets.token_bytes(32)
        self._lock = threading.Lock()
        self._clients: list[Connection] = []

    def open(self) -> tuple[Any, bytes]:
        """The address and the secret that a client needs."""
        from multiprocessing.connection import Listener

        with self._lock:
            if self._listener is None:
                self._listener = Listener(authkey=self._secret)
                threading.Thread(
                    target=self._listen,
                    args=(self._listener,),
                    name="pathmax-local-server",
                    daemon=True,
                ).start()
            return self._listener.address, self._secret

    def close(self) -> None:
        """Answer no more."""
        with self._lock:
            if self._listener is not None:
                self._listener.close()
                self._listener = None
            for client in self._clients:
                client.close()
            self._clients.clear()

    def _listen(self, listener: Listener) -> None:
        while self._listener is listener:
            try:
                client = listener.accept()
            except Exception:  # closed, or a client without the secret
                continue
            self._clients.append(client)
            threading.Thread(
                target=self._serve, args=(client,), name="pathmax-local-client", daemon=True
            ).start()

    def _serve(self, client: Connection) -> None:
        while True:
            try:
                asked = client.recv()
            except (EOFError, OSError):
                return
            try:
                answer: tuple[bool, Any] = True, self._answer(*asked)
            except PathmaxError as error:
                answer = False, error
            except Exception as error:  # whatever it is, who asked must not wait for ever
                answer = (
                    False,
                    PathmaxError(
                        f"the study cannot answer a worker: {type(error).__name__}: {error}"
                    ),
                )
            try:
                client.send(answer)
            except OSError:
                return


@final
class LocalClient:
    """The way to a local server from another process."""

    def __init__(self, address: Any, secret: bytes) -> None:
        self._address, self._secret = address, secret
        self._connection: Connection | None = None

    def report(self, number: int, step: object, value: object) -> None:
        self._ask("report", number, step, value)

    def should_stop(self, number: int) -> Verdict:
        verdict: Verdict = self._ask("should_stop", number)
        return verdict

    def _ask(self, *asked: Any) -> Any:
        from multiprocessing.connection import Client

        try:
            if self._connection is None:
                self._connection = Client(self._address, authkey=self._secret)
            self._connection.send(asked)
            fine, answer = self._connection.recv()
        except (EOFError, OSError) as error:
            raise StorageUnavailableError(
                "the process that runs the study, which is in its memory, cannot be reached from "
                f"this worker ({type(error).__name__}: {error}); if the run is over there is "
                'nothing to report, else give the study a storage such as "sqlite:///lab.db"'
            ) from error
        if not fine:
            raise answer
        return answer

    def __reduce__(self) -> tuple[Any, ...]:
        return LocalClient, (self._address, self._secret)
