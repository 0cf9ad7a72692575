"""What the model says, for viewers: made in the background, kept until there is something newer.

Nobody who has an answer waits for a newer one. The first answer of a kind is waited for; whoever
has waited long is told to come back. For a study that changes all the time an answer is made anew
only when ten times as long as it took has passed: viewers take a tenth of a processor at most for
each kind.
"""

from __future__ import annotations

import asyncio
import math
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from pathmax.errors import PathmaxError
from pathmax.web.background import Background
from pathmax.web.studies import Holds
from pathmax.workspace.opened_study import Opened

MOST_REMEMBERED = 32  # answers of one study
CHART_REST = 10.0  # times as long as an answer took, before it is made anew
PATIENCE_SECONDS = 20.0  # seconds: proxies close what is silent for a minute

Make = Callable[[Opened], bytes]


class Made(NamedTuple):
    """An answer, or why there is none; of which revision of the study, and what it cost."""

    revision: int
    body: bytes
    refused: PathmaxError | None
    took: float
    ended: float

    def rest(self) -> float:
        """Seconds until it may be made anew."""
        return max(0.0, self.ended + CHART_REST * self.took - time.monotonic())


@dataclass(slots=True)
class Kind:
    """One kind of answer about one study: the latest, and the one that is being made."""

    latest: Made | None = None
    making: Future[None] | None = None


class ModelAnswers:
    """The latest answers about each study; to be asked from one event loop."""

    def __init__(self) -> None:
        self._background = Background()
        self._kinds: weakref.WeakKeyDictionary[Holds, OrderedDict[Hashable, Kind]]
        self._kinds = weakref.WeakKeyDictionary()

    async def get(
        self, holds: Holds, revision: int, what: Hashable, make: Make, seconds: float
    ) -> tuple[Made | None, int]:
        """The latest answer, and in how many seconds to ask for a newer one; 0 when it is new.

        Args:
            revision: where the study stands.
            what: names the answer.
            make: makes it, from a study that is opened for this alone.
            seconds: about how long that takes, a guess until it was made once.
        """
        kind = self._kind(holds, what)
        if kind.latest is not None and kind.latest.revision >= revision:
            return kind.latest, 0
        known = kind.latest
        busy = kind.making is not None and not kind.making.done()
        if not busy and (known is None or not known.rest()):
            seconds = seconds if known is None else known.took
            lane = self._background.lane(seconds)
            opened = partial(holds.deep, lane)
            kind.making = lane.do(lambda: _make(kind, opened, revision, make), seconds)
        if known is None and kind.making is not None:
            await asyncio.wait([asyncio.wrap_future(kind.making)], timeout=PATIENCE_SECONDS)
            if kind.making.done():
                kind.making.result()
        if kind.latest is None:
            return None, 1
        if kind.latest.revision >= revision:
            return kind.latest, 0
        return kind.latest, math.ceil(max(1.0, kind.latest.rest(), kind.latest.took))

    def close(self) -> None:
        self._background.close()

    def _kind(self, holds: Holds, what: Hashable) -> Kind:
        kinds = self._kinds.setdefault(holds, OrderedDict())
        kind = kinds.setdefault(what, Kind())
        kinds.move_to_end(what)
        while len(kinds) > MOST_REMEMBERED:
            kinds.popitem(last=False)
        return kind


def _make(kind: Kind, opened: Callable[[], Opened], revision: int, make: Make) -> None:
    began, body, refused = time.monotonic(), b"", None
    try:
        body = make(opened())
    except PathmaxError as error:
        refused = error
    ended = time.monotonic()
    kind.latest = Made(revision, body, refused, ended - began, ended)
