"""Forks of a process whose other threads are at work: no child may find a lock that nobody opens.

A forked child has one thread, and a copy of every lock as it was. A lock that another thread held
stays shut for ever, in this package, inside SQLite or on a module that was being imported. So a
fork waits, briefly, until no thread is inside a database (`Gate`) or an import, and what holds
locks of its own makes new ones in the child.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable
from functools import cached_property
from typing import Any

LONGEST_WAIT = 2.0  # seconds: a transaction takes a millisecond, waiting for a lock may take more

_renewals: weakref.WeakKeyDictionary[Any, Callable[[Any], None]] = weakref.WeakKeyDictionary()
_registering = threading.Lock()


def renew_in_child(owner: Any, renew: Callable[[Any], None]) -> None:
    """Have `renew(owner)` called in every forked child, as long as the owner lives."""
    with _registering:
        _renewals[owner] = renew


class Gate:
    """Counts the threads inside; shut for newcomers while the process forks."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside: dict[int, int] = {}  # by thread: one may enter again
        self._shut = False

    def inside(self) -> Gate:
        """Within a block with it the process does not fork, unless the thread itself does so."""
        return self

    def __enter__(self) -> None:
        me = threading.get_ident()
        with self._changed:
            while self._shut and me not in self._inside:
                self._changed.wait(LONGEST_WAIT)
            self._inside[me] = self._inside.get(me, 0) + 1

    def __exit__(self, *_error: object) -> None:
        me = threading.get_ident()
        with self._changed:
            left = self._inside.get(me, 1) - 1
            if left:
                self._inside[me] = left
            else:
                self._inside.pop(me, None)
                if self._shut:
                    self._changed.notify_all()

    def shut(self) -> None:
        """Wait until nobody else is inside, or until that takes too long."""
        deadline, me = time.monotonic() + LONGEST_WAIT, threading.get_ident()
        with self._changed:
            self._shut = True
            while self._inside.keys() - {me}:
                left = deadline - time.monotonic()
                if left <= 0:
                    break
                self._changed.wait(left)

    def open(self) -> None:
        """Let newcomers in again."""
        with self._changed:
            self._shut = False
            self._changed.notify_all()


gate = Gate()


def _before() -> None:
    gate.shut()
    _registering.acquire()
    deadline = time.monotonic() + LONGEST_WAIT
    while _others_import() and time.monotonic() < deadline:
        time.sleep(0.001)


def _others_import() -> bool:
    """Whether another thread is in the middle of an import, which a child would never see end.

    After a fork Python releases its global import lock, but not the locks of single modules.
    """
    locks = getattr(sys.modules.get("_frozen_importlib"), "_module_locks", {})
    owners = {getattr(lock(), "owner", None) for lock in list(locks.values())}
    return bool(owners - {None, threading.get_ident()})


def _in_parent() -> None:
    _registering.release()
    gate.open()


def _in_child() -> None:
    _registering.release()
    gate.__init__()  # type: ignore[misc]  # whoever was inside is not here
    for owner, renew in list(_renewals.items()):
        renew(owner)
    _renew_cached_properties()


def _renew_cached_properties() -> None:
    """Up to Python 3.11 a cached property has a lock, which is held while it is computed."""
    if sys.version_info < (3, 12):
        for one in gc.get_objects():
            if type(one) is cached_property:
                vars(one)["lock"] = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_in_parent, after_in_child=_in_child)
