"""Ctrl-C between two steps and not within one.

A KeyboardInterrupt can strike anywhere in the main thread, also between storing a trial and taking
note of it. Within `Shield.hold()` it waits until the step is done, and is raised then. Whoever
presses twice does not want to wait: the second one strikes at once.

Elsewhere it may strike inside a finaliser or a callback of the garbage collector, from which no
exception gets out: Python reports it to `sys.unraisablehook` and goes on. There it is sent again.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Shield:
    """While the block lasts, Ctrl-C can be held back. Handlers of the user's own stay in charge."""

    def __init__(self) -> None:
        self._depth = 0
        self._pressed = False
        self._installed = False
        self._hook = sys.unraisablehook

    def __enter__(self) -> Shield:
        in_main = threading.current_thread() is threading.main_thread()
        if in_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._handle)
            self._hook, sys.unraisablehook = sys.unraisablehook, self._not_raised
            self._installed = True
        return self

    def __exit__(self, *exception: object) -> None:
        if self._installed:
            sys.unraisablehook = self._hook
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

    def _not_raised(self, report: sys.UnraisableHookArgs, /) -> None:
        if issubclass(report.exc_type, KeyboardInterrupt):
            # From a thread of its own, so that the callback is over by then, and made without the
            # locks of `threading`, which the main thread may hold.
            _thread.start_new_thread(_press_again, ())
        else:
            self._hook(report)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self._depth and not self._pressed:
            self._pressed = True
            return
        self._pressed = False
        raise KeyboardInterrupt


def _press_again() -> None:
    time.sleep(0.02)
    if hasattr(signal, "pthread_kill"):  # a true signal: it ends a sleep or a wait
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()
