"""Polls of the database that many requests share.

A request that wants to know where the studies stand needs a poll that began after it came: then it
sees all that was written before. Whoever comes while a poll is under way waits for the next one,
with all others who came meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool

from pathmax.storage import Standing, Storage


class Poll(NamedTuple):
    """Where all studies stand, and which poll it was."""

    number: int
    standings: Mapping[str, Standing]


class Polls:
    """One poll at a time, for all who wait."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._count = 0
        self._waiting: asyncio.Task[Poll] | None = None
        self._polling: asyncio.Lock | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def fresh(self) -> Poll:
        """A poll that begins after this call did."""
        if self._loop is not asyncio.get_running_loop():  # as in tests: a server started again
            self._loop, self._waiting = asyncio.get_running_loop(), None
            self._polling = asyncio.Lock()
        if self._waiting is None:
            self._waiting = asyncio.create_task(self._poll())
        return await asyncio.shield(self._waiting)  # one who hangs up ends it for nobody else

    async def _poll(self) -> Poll:
        assert self._polling is not None
        async with self._polling:
            self._waiting = None  # whoever comes from now on needs another one
            self._count += 1
            number = self._count
            return Poll(number, await run_in_threadpool(self._storage.revisions))
