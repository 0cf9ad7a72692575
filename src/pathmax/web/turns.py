"""Turns that others have through this server: kept while their request is open.

A worker that dies closes its connection, and so gives its turn back at once.
"""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager

import anyio
from anyio import CapacityLimiter, to_thread
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from pathmax.errors import PathmaxError
from pathmax.storage import Name, Storage

log = logging.getLogger("pathmax.web")

KEEP_ALIVE = 15.0  # seconds between two signs of life
MOST_WAITING = 500  # who may wait for a turn at once: each has a thread


class Turns:
    """The turns that were taken here, by a random name each."""

    def __init__(self) -> None:
        self._held: dict[str, AbstractContextManager[bool]] = {}
        self._threads: CapacityLimiter | None = None

    async def take(self, storage: Storage, name: Name, patience: float) -> Response:
        """Wait for a turn, and keep it as long as the answer goes on."""
        if self._threads is None:
            self._threads = CapacityLimiter(MOST_WAITING)
        turn = storage.turn(name, patience)
        free = await to_thread.run_sync(turn.__enter__, limiter=self._threads)
        taken = secrets.token_hex(8)
        self._held[taken] = turn
        return _Held(self, taken, free)

    async def release(self, taken: str) -> None:
        """Give a turn back; once is enough."""
        turn = self._held.pop(taken, None)
        if turn is None:
            return
        try:
            with anyio.CancelScope(shield=True):
                await to_thread.run_sync(turn.__exit__, None, None, None)
        except PathmaxError as error:  # it is taken over when it is old
            log.warning("a turn was not given back: %s", error)


class _Held(StreamingResponse):
    """Says whether the turn was free, and goes on until nobody listens any more."""

    def __init__(self, turns: Turns, taken: str, free: bool) -> None:
        super().__init__(self._lines(free), media_type="application/json")
        self._turns, self._taken = turns, taken

    async def _lines(self, free: bool) -> AsyncIterator[str]:
        yield json.dumps({"free": free, "turn": self._taken}) + "\n"
        while True:
            await anyio.sleep(KEEP_ALIVE)
            yield "\n"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._turns.release(self._taken)
