"""BLAS with one thread while matrices are small.

A second thread costs more in waking up than it computes on matrices of a few hundred rows; the
measurement is in `benchmarks/threads.py`. The limit is a setting of the whole process, so it is
counted: the first one in sets it, the last one out restores what was there, whichever threads they
are. Results depend on the limit: a sum over two BLAS threads rounds in another way, and a
suggestion must be the same in whichever thread it is made. A forked child inherits a count of
threads that it does not have, perhaps with the lock held: it starts with its own. A lock of the C
library it cannot renew, so that no process forks while the libraries are looked for.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, final

P = ParamSpec("P")
R = TypeVar("R")

# Rows. The searches of a suggestion solve for few points at a time, which is bound by memory: at
# n = 2000 an ask takes 0.17 s with one thread and 0.32 s with two. Factors gain from two above it.
SMALL = 3000

LONGEST_LOOK = 2.0  # seconds that a fork waits for a look that takes milliseconds

_lock = threading.Lock()
_looking = threading.RLock()  # inside: the loader of the C library is locked
_own = threading.local()  # depth: how many blocks this thread is in
_inside = 0
_controller: Any = None
_limit: Any = None


def small_blas(n: int) -> AbstractContextManager[None]:
    """Within the block BLAS uses one thread when n, the number of rows, is small."""
    return _ONE_THREAD if n <= SMALL else _AS_IT_IS


@final
class _OneThread(AbstractContextManager[None]):
    """The limit. A suggestion asks for it dozens of times: within a block a thread only counts."""

    def __enter__(self) -> None:
        depth = getattr(_own, "depth", 0)
        if not depth:
            _enter()
        _own.depth = depth + 1

    def __exit__(self, *_: object) -> None:
        _own.depth = depth = max(getattr(_own, "depth", 0) - 1, 0)
        if not depth:
            _leave()


_ONE_THREAD, _AS_IT_IS = _OneThread(), nullcontext()


def _enter() -> None:
    global _inside, _controller, _limit
    with _lock:
        _inside += 1
        if _inside == 1:
            if _controller is None:  # finding the libraries takes milliseconds: once a process
                import scipy.linalg  # noqa: F401  its BLAS is one of them
                from threadpoolctl import ThreadpoolController

                with _looking:
                    _controller = ThreadpoolController().select(user_api="blas")
            _take_control()
            _limit = _controller.limit(limits=1)


def _leave() -> None:
    global _inside, _limit
    with _lock:
        _inside = max(_inside - 1, 0)
        if _inside == 0 and _limit is not None:
            _take_control()
            _limit.restore_original_limits()
            _take_control()  # and leave it to whoever comes next
            _limit = None


def _take_control() -> None:
    """Let this thread set the limit: threadpoolctl >= 3.8 obeys only the first that ever did."""
    for library in _controller.lib_controllers:
        if hasattr(library, "clear_controlling_thread"):
            library.clear_controlling_thread(force=True)


def _await_look() -> None:
    _looking.acquire(timeout=LONGEST_LOOK)


def _go_on() -> None:
    with suppress(RuntimeError):  # it took too long, and is another thread's
        _looking.release()


def _start_anew() -> None:
    global _lock, _looking, _inside, _limit, _own
    _lock, _looking = threading.Lock(), threading.RLock()
    _inside, _limit, _own = 0, None, threading.local()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_await_look, after_in_parent=_go_on, after_in_child=_start_anew)


class Sized(Protocol):
    """Whatever has n rows of data."""

    @property
    def n(self) -> int: ...


S = TypeVar("S", bound=Sized)


def while_small(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """A method that runs within `small_blas` of its object's n."""

    @wraps(method)
    def limited(self: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with small_blas(self.n):
            return method(self, *args, **kwargs)

    return limited
