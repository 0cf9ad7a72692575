"""Server-sent events: one look at the database for all viewers, however many there are.

While somebody watches, a task looks twice a second at the revisions of all studies, one short
SELECT, and tells every viewer what changed:

    event: studies        the state of all: sent first, and after a reconnection
    data: {"studies": {"suzuki": {"revision": 17, "trials": 9, "identity": "...", "edition": 0}}}

    event: changed        one study has changed, was made or was deleted (then "revision" is null)
    data: {"study": "suzuki", "revision": 18, "trials": 10, "identity": "...", "edition": 0,
           "viewers": 3}  how many are told: the more there are, the longer each page may wait, by
                          chance, before it fetches what is new

    event: trouble        the database does not answer; sent once, until it is back
    data: {"error": "StorageUnavailableError", "message": "..."}

    event: well           it is back; `studies` follows
    data: {}

    event: alive          nothing has happened for fifteen seconds; proxies do not close the
    data: {}              connection, and pages know that it lives (comments they do not hear)
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

from pathmax.errors import PathmaxError
from pathmax.web.polling import Polls
from pathmax.web.turns import KEEP_ALIVE

REST = 0.25  # seconds between two looks at least: what changes meanwhile is told together
WAITING = 100  # events that a viewer may be behind by before it is told everything anew

State = Mapping[str, Mapping[str, Any]]  # by study


class Events:
    """Looks at the storage while somebody watches, and tells all viewers what changed."""

    def __init__(self, polls: Polls, poll: float) -> None:
        self._polls, self._poll = polls, poll
        self._viewers: set[asyncio.Queue[str]] = set()
        self._task: asyncio.Task[None] | None = None
        self._soon: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._beginning: asyncio.Lock | None = None
        self._state: State | None = None
        self._trouble: dict[str, str] | None = None

    def nudge(self) -> None:
        """Look at once: something was written here. May be called from any thread."""
        loop, soon = self._loop, self._soon
        if loop is not None and soon is not None and not loop.is_closed():
            with contextlib.suppress(RuntimeError):  # the loop has just ended
                loop.call_soon_threadsafe(soon.set)

    async def stream(self) -> AsyncIterator[str]:
        """What one viewer is told, as the text of server-sent events."""
        queue: asyncio.Queue[str] = asyncio.Queue(WAITING)
        if self._beginning is None or self._loop is not asyncio.get_running_loop():
            self._loop, self._beginning = asyncio.get_running_loop(), asyncio.Lock()
        async with self._beginning:  # of all who come together the first one looks
            if self._task is None or self._task.done():
                self._state, self._soon = None, asyncio.Event()
                await self._look()
                self._task = asyncio.create_task(self._watch())
        self._viewers.add(queue)
        try:
            yield "retry: 1000\n\n" + self._now()
            while True:
                try:
                    yield await asyncio.wait_for(queue.get(), KEEP_ALIVE)
                except TimeoutError:
                    yield event("alive", {})
        finally:
            self._viewers.discard(queue)
            if not self._viewers and self._task is not None:
                self._task.cancel()
                self._task = None

    async def _watch(self) -> None:
        assert self._soon is not None
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._soon.wait(), self._poll)
            self._soon.clear()
            await self._look()
            await asyncio.sleep(REST)

    async def _look(self) -> None:
        try:
            seen = await self._polls.fresh()
        except PathmaxError as error:
            told = {"error": type(error).__name__, "message": str(error)}
            if self._trouble is None:
                self._tell(event("trouble", told))
            self._trouble = told
            return
        state = {name: where._asdict() for name, where in seen.standings.items()}
        before, self._state = self._state, state
        if self._trouble is not None or before is None:
            self._trouble = None
            self._tell(event("well", {}) + event("studies", {"studies": state}))
            return
        gone = {name: {"revision": None} for name in before.keys() - state.keys()}
        changed = {name: now for name, now in state.items() if now != before.get(name)}
        for name, now in sorted((changed | gone).items()):
            viewers = len(self._viewers)
            self._tell(event("changed", {"study": name, **now, "viewers": viewers}))

    def _now(self) -> str:
        if self._trouble is not None:
            return event("trouble", self._trouble)
        return event("studies", {"studies": self._state or {}})

    def _tell(self, text: str) -> None:
        for queue in self._viewers:
            if queue.full():  # asleep, such as a laptop that was closed
                while not queue.empty():
                    queue.get_nowait()
                queue.put_nowait(self._now())
            else:
                queue.put_nowait(text)


def event(name: str, data: Mapping[str, Any]) -> str:
    """One event as it is sent."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"
