"""Ctrl-C between two steps and not within one.

A KeyboardInterrupt can strike anywhere in the main thread, also between storing a trial and taking
note of it. Within `Shield.hold()` it waits until the step is done, and is raised then. Whoever
presses twice does not want to wait: the second one strikes at once.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Shield:
    """While the block lasts, Ctrl-C can be held back. Handlers of the user's own stay in charge."""

    def __init__(self) -> None:
        self._depth = 0
        self._pressed = False
        self._installed = False

    def __enter__(self) -> Shield:
        in_main = threading.current_thread() is threading.main_thread()
        if in_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._handle)
            self._installed = True
        return self

    def __exit__(self, *exception: object) -> None:
        if self._installed:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Let the step in this block be finished before Ctrl-C is raised."""
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
        if self._pressed and not self._depth:
            self._pressed = False
            raise KeyboardInterrupt

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self._depth and not self._pressed:
            self._pressed = True
            return
        self._pressed = False
        raise KeyboardInterrupt
