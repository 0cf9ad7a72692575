"""Answers that many viewers want at the same moment: made once, and given to all of them.

When a study changes, every page that shows it asks for the same things within a fraction of a
second. The first answer is kept with where the study stands, and whoever asks for the same gets its
bytes as long as the study stands there, without a route, a thread or a template. An answer is kept
for a second at most: it may say how long a trial has been running.

Every answer that is kept has an `ETag`; sent back as `If-None-Match`, it gives 304 if unchanged.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pathmax.errors import PathmaxError
from pathmax.web.polling import Poll, Polls
from pathmax.web.study_names import name_in

SHARED_ANSWERS = re.compile(
    r"/(studies|trials|trial|model|space|data/[^/]+)/(?P<page>[^/]+)"
    r"|/api/studies(/(?P<api>[^/]+)(/trials|/series)?)?|/"
)
MOST_KEPT = 64
LONGEST = 1.0  # seconds that an answer is kept
LARGEST = 4_000_000  # bytes

Key = tuple[Any, ...]
Refuse = Callable[[Request, PathmaxError], Response]


@dataclass(slots=True)
class Kept:
    """An answer, and where things stood when it was made."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    stood: Any = None
    poll: int = -1
    until: float = 0.0
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""
    tag: str = ""

    def serves(self, stood: Any, poll: int) -> bool:
        """Whether it is still the answer to a request that found the study so, in that poll."""
        if time.monotonic() > self.until:
            return False
        return self.stood == stood or self.poll >= poll


class ResponseCache:
    """Stands before the routes; `refuse` says what to answer when the database does not."""

    def __init__(self, app: ASGIApp, polls: Polls, refuse: Refuse) -> None:
        self._app, self._polls, self._refuse = app, polls, refuse
        self._kept: OrderedDict[Key, Kept] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        shared = None
        if scope["type"] == "http" and scope["method"] == "GET":
            shared = SHARED_ANSWERS.fullmatch(scope["path"])
        if shared is None:
            return await self._app(scope, receive, send)
        try:
            poll = await self._polls.fresh()
        except PathmaxError as error:
            return await self._refuse(Request(scope), error)(scope, receive, send)
        name = shared["page"] or shared["api"]
        stood: Any = poll.standings if name is None else poll.standings.get(name_in(name))
        if stood is None:  # there is no such study: nothing to keep
            return await self._app(scope, receive, send)
        kept = self._place((scope["state"]["role"], scope["path"], scope["query_string"]))
        if not kept.serves(stood, poll.number):
            async with kept.lock:
                if not kept.serves(stood, poll.number):
                    made = await self._make(kept, stood, poll, scope, receive)
                    if made is not None:
                        return await _pass_on(made, send)
        return await _answer(kept, scope, send)

    def _place(self, key: Key) -> Kept:
        kept = self._kept.setdefault(key, Kept())
        self._kept.move_to_end(key)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return kept

    async def _make(
        self, kept: Kept, stood: Any, poll: Poll, scope: Scope, receive: Receive
    ) -> list[Message] | None:
        """Have an answer made and keep it; what should not be kept is returned."""
        messages: list[Message] = []

        async def collect(message: Message) -> None:
            messages.append(message)

        await self._app(scope, receive, collect)
        body = b"".join(message.get("body", b"") for message in messages[1:])
        if not messages or messages[0]["status"] != 200 or len(body) > LARGEST:
            return messages
        kept.body, kept.tag = body, f'"{hashlib.sha256(body).hexdigest()[:32]}"'
        kept.headers = [*messages[0]["headers"], (b"etag", kept.tag.encode())]
        kept.stood, kept.poll, kept.until = stood, poll.number, time.monotonic() + LONGEST
        return None


async def _pass_on(messages: list[Message], send: Send) -> None:
    for message in messages:
        await send(message)


async def _answer(kept: Kept, scope: Scope, send: Send) -> None:
    same = Headers(scope=scope).get("if-none-match") == kept.tag
    headers = [each for each in kept.headers if not same or each[0] != b"content-length"]
    status = 304 if same else 200
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if same else kept.body})
