"""What the model says: made in the background, kept until there is something newer.

    get       for viewers: whoever has an answer gets it while a newer one is made. For a study that
              changes all the time it is made anew only when ten times as long as it took has
              passed: viewers take a tenth of a processor at most for each kind
    present   for robots: about the study as it is when they ask, or as it was later

Whoever has waited long for a first or a present answer is told to come back, and then gets the one
that was made meanwhile, also if the study has gone on; so does everybody else for a minute, as
nobody knows who comes back.
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
from typing import NamedTuple

from pathmax.errors import PathmaxError, StorageFullError, StorageUnavailableError
from pathmax.web.background import Background
from pathmax.web.studies import Holds
from pathmax.workspace.opened_study import Opened

HANDED_OUT_SECONDS = 60.0  # for so long an answer is there for whoever was told to come back
MOST_REMEMBERED = 32  # answers of one study
CHART_REST = 10.0  # times as long as an answer took, before it is made anew
PATIENCE_SECONDS = 20.0  # seconds: proxies close what is silent for a minute

Make = Callable[[Opened, int], bytes]  # from a study, and the revision that it has by then


class Made(NamedTuple):
    """An answer, or why there is none; of which revision of the study, and what it cost.

    It waits for its turn, so that it may be about a later revision than the one that was asked.
    """

    asked: int
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
    began: float = 0.0  # when the one that is being made was asked for
    revision: int = -1  # and about which revision
    promised: int = -1  # the latest revision about which somebody was told to come back

    @property
    def is_busy(self) -> bool:
        return self.making is not None and not self.making.done()

    def serves(self, revision: int) -> bool:
        """Whether there is an answer about this revision, or one that was promised."""
        if self.latest is None or self.latest.revision >= revision:
            return self.latest is not None
        kept = time.monotonic() - self.latest.ended < HANDED_OUT_SECONDS
        return kept and self.latest.asked == self.promised


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
            make: makes it, from a study that is opened for this alone and its revision.
            seconds: about how long that takes, a guess until it was made once.
        """
        kind = self._kind(holds, what)
        if kind.latest is not None and kind.latest.revision >= revision:
            return kind.latest, 0
        known = kind.latest
        if not kind.is_busy and (known is None or not known.rest()):
            self._begin(kind, holds, revision, make, seconds)
        if known is None and kind.making is not None:
            await _wait(kind.making, PATIENCE_SECONDS)
        if kind.latest is None:
            return None, 1
        if kind.latest.revision >= revision:
            return kind.latest, 0
        return kind.latest, math.ceil(max(1.0, kind.latest.rest(), kind.latest.took))

    async def present(
        self, holds: Holds, revision: int, what: Hashable, make: Make, seconds: float
    ) -> tuple[Made | None, int]:
        """The answer about the study as it is, and, if there is none yet, when to ask again."""
        kind, until = self._kind(holds, what), time.monotonic() + PATIENCE_SECONDS
        while not kind.serves(revision):
            if not kind.is_busy:
                self._begin(kind, holds, revision, make, seconds)
            assert kind.making is not None
            await _wait(kind.making, until - time.monotonic())
            if kind.is_busy:
                about = seconds if kind.latest is None else kind.latest.took
                kind.promised = max(kind.promised, kind.revision)
                return None, math.ceil(max(1.0, kind.began + about - time.monotonic()))
        return kind.latest, 0

    def close(self) -> None:
        self._background.close()

    def _begin(self, kind: Kind, holds: Holds, revision: int, make: Make, seconds: float) -> None:
        seconds = seconds if kind.latest is None else kind.latest.took
        lane = self._background.lane(seconds)
        kind.began, kind.revision = time.monotonic(), revision
        kind.making = lane.do(lambda: _make(kind, holds, lane, revision, make), seconds)

    def _kind(self, holds: Holds, what: Hashable) -> Kind:
        kinds = self._kinds.setdefault(holds, OrderedDict())
        kind = kinds.setdefault(what, Kind())
        kinds.move_to_end(what)
        idle = [each for each, held in kinds.items() if held is not kind and not held.is_busy]
        for each in idle[: max(0, len(kinds) - MOST_REMEMBERED)]:  # somebody waits for the others
            del kinds[each]
        return kind


async def _wait(making: Future[None], seconds: float) -> None:
    """Wait for an answer, but not longer; what is wrong with it is raised."""
    waiting = asyncio.wrap_future(making)
    waiting.add_done_callback(lambda done: done.cancelled() or done.exception())
    await asyncio.wait([waiting], timeout=max(0.0, seconds))
    if making.done():
        making.result()


def _make(kind: Kind, holds: Holds, lane: Hashable, asked: int, make: Make) -> None:
    began, body, refused = time.monotonic(), b"", None
    revision = holds.revision(asked)  # before anything is read: what is newer is asked for again
    try:
        body = make(holds.deep(lane), revision)
    except (StorageUnavailableError, StorageFullError):  # no answer: it may go well the next time
        raise
    except PathmaxError as error:
        refused = error.with_traceback(None)  # which would keep all that was computed
    ended = time.monotonic()
    kind.latest = Made(asked, revision, body, refused, ended - began, ended)
