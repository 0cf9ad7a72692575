"""BLAS with one thread while matrices are small.

A second thread costs more in waking up than it computes on matrices of a few hundred rows; the
measurement is in `benchmarks/threads.py`. The limit is a setting of the whole process, so it is
counted: the first one in sets it, the last one out restores what was there.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

SMALL = 1200  # rows; above it two threads gain (benchmarks/threads.py)

_lock = threading.Lock()
_inside = 0
_controller: Any = None
_limit: Any = None


@contextmanager
def small_blas(n: int) -> Iterator[None]:
    """Within the block BLAS uses one thread when n, the number of rows, is small."""
    global _inside, _controller, _limit
    if n > SMALL:
        yield
        return
    with _lock:
        _inside += 1
        if _inside == 1:
            if _controller is None:  # finding the libraries takes milliseconds: once a process
                from threadpoolctl import ThreadpoolController

                _controller = ThreadpoolController().select(user_api="blas")
            _limit = _controller.limit(limits=1)
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                _limit.restore_original_limits()
                _limit = None
