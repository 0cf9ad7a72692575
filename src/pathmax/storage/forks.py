"""Forks of a process whose other threads are at work: no child may find a lock that nobody opens.

A forked child has one thread, and a copy of every lock as it was. A lock that another thread held
stays shut for ever, in this package, inside SQLite or on a module that was being imported. So a
fork waits until no thread is inside an import, and, briefly, until none is inside a database
(`Gate`); what holds locks of its own makes new ones in the child. Where waiting has not helped, the
child imports anew what was being imported.
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
LONGEST_IMPORT = 60.0  # seconds: that of the models takes 0.2, and took 13 at a load of 11

_renewals: weakref.WeakKeyDictionary[Any, Callable[[Any], None]] = weakref.WeakKeyDictionary()
_registering = threading.Lock()


def renew_in_child(owner: Any, renew: Callable[[Any], None]) -> None:
    """Have `renew(owner)` called in every forked child, as long as the owner lives."""
    with _registering:
        _renewals[owner] = renew


class Gate:
    """Counts the threads inside; shut for newcomers while the process forks."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._inside: dict[int, int] = {}  # by thread: one may enter again
        self._shut = False

    def inside(self) -> Gate:
        """Within a block with it the process does not fork, unless the thread itself does so."""
        return self

    def __enter__(self) -> None:
        me = threading.get_ident()
        with self._lock:
            while self._shut and me not in self._inside:
                self._changed.wait(LONGEST_WAIT)
            self._inside[me] = self._inside.get(me, 0) + 1

    def __exit__(self, *_error: object) -> None:
        me = threading.get_ident()
        with self._lock:
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
    _wait_for_imports(LONGEST_IMPORT)  # the gate is open: a module may use a database
    gate.shut()
    _registering.acquire()
    _wait_for_imports(LONGEST_WAIT)


def _wait_for_imports(longest: float) -> None:
    began, me = time.monotonic(), threading.get_ident()
    while owners := _importing():
        if me in owners:  # others may wait for a module that is being imported here
            longest = min(longest, LONGEST_WAIT)
        if owners == {me} or time.monotonic() - began > longest:
            return
        time.sleep(0.001)


def _importing() -> set[int]:
    """The threads that are in the middle of an import, which a child would never see end."""
    return {owner for _, owner in _modules_under_way()}


def _modules_under_way() -> list[tuple[str, int]]:
    """The modules that are being imported, each with its thread.

    After a fork Python releases its global import lock, but not the locks of single modules.
    """
    owners = [(name, getattr(lock(), "owner", None)) for name, lock in list(_locks().items())]
    return [(name, owner) for name, owner in owners if owner is not None]


def _locks() -> dict[str, Any]:
    """The locks of modules, as weak references."""
    found: dict[str, Any] = getattr(sys.modules.get("_frozen_importlib"), "_module_locks", {})
    return found


def _forget_imports_of_others() -> None:
    """Have what was being imported by a thread that is not here imported from its beginning."""
    for name, owner in _modules_under_way():
        if owner != threading.get_ident():
            _locks().pop(name, None)
            spec = getattr(sys.modules.get(name), "__spec__", None)
            if getattr(spec, "_initializing", False):
                del sys.modules[name]


def _in_parent() -> None:
    _registering.release()
    gate.open()


def _in_child() -> None:
    _registering.release()
    gate.__init__()  # type: ignore[misc]  # whoever was inside is not here
    _forget_imports_of_others()
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
