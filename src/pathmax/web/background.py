"""Work that takes seconds, in two threads of its own; in each the quickest job is done first.

Long jobs have a thread to themselves, so that quick ones do not wait for them. No thread that
serves requests waits for either: however many viewers look at models, one is free to ask and tell.
"""

from __future__ import annotations

import itertools
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import PriorityQueue
from typing import Any, TypeVar

log = logging.getLogger("pathmax.web")

T = TypeVar("T")

QUICK_SECONDS = 2.0

Job = tuple[float, int, Callable[[], None] | None]


class Background:
    """Two threads: one for quick jobs, one for long ones."""

    def __init__(self) -> None:
        self.quick, self.slow = Lane(), Lane()

    def lane(self, seconds: float) -> Lane:
        """Where something is done that takes about so many seconds."""
        return self.quick if seconds < QUICK_SECONDS else self.slow

    def close(self) -> None:
        """Begin nothing more."""
        self.quick.close()
        self.slow.close()


class Lane:
    """One thread, which begins with the first work and ends with the process at the latest."""

    def __init__(self) -> None:
        self._waiting: PriorityQueue[Job] = PriorityQueue()
        self._count = itertools.count()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def do(self, work: Callable[[], T], seconds: float) -> Future[T]:
        """Have something done that takes about so many seconds; what takes fewer comes before."""
        done: Future[T] = Future()

        def job() -> None:
            if not done.set_running_or_notify_cancel():
                return
            try:
                done.set_result(work())
            except Exception as error:  # whoever waits for it gets it
                log.error("what was computed for viewers failed", exc_info=error)
                done.set_exception(error)

        self._waiting.put((seconds, next(self._count), job))
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="models", daemon=True)
                self._thread.start()
        return done

    def close(self) -> None:
        """Begin nothing more."""
        self._waiting.put((-1.0, next(self._count), None))

    def _work(self) -> Any:
        while True:
            *_, job = self._waiting.get()
            if job is None:
                return
            job()
