"""Signs of life for the trials that a process is evaluating, so that a dead worker is noticed.

A trial that was started with a heartbeat is taken back by the next `ask` of anybody after `GRACE`
seconds of silence. Trials that people run by hand have no heartbeat and are never taken back.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence

from pathmax.errors import StorageError

INTERVAL = 10.0  # seconds


class Heartbeat:
    """Beats for a changing set of trials until the block is left."""

    def __init__(
        self, beat: Callable[[Sequence[int]], object], *, interval: float | None = None
    ) -> None:
        self._beat, self._interval = beat, INTERVAL if interval is None else interval
        self._numbers: frozenset[int] = frozenset()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pathmax-heartbeat", daemon=True)

    def watch(self, numbers: Iterable[int]) -> None:
        """From now on beat for these trials."""
        self._numbers = frozenset(numbers)

    def __enter__(self) -> Heartbeat:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(self._interval):
            numbers = sorted(self._numbers)
            try:
                if numbers:
                    self._beat(numbers)
            except StorageError:  # the server is away: the next beat may find it again
                continue
