"""Keep the memory of temporary arrays instead of returning it to the system after each.

Until an array of some megabytes has come and gone, glibc returns every freed block of 128 kB and
more to the system, to be paged in anew: thousands of page faults a suggestion, and a dozen once an
array of 32 MB, the largest that glibc takes into account, has been freed (benchmarks/choices.md).

It is a setting of the whole process, so it is made when the first model is, not on import, and
PATHMAX_KEEP_MEMORY=0 in the environment leaves the allocator alone. Other allocators than that of
glibc are not affected.

Where MALLOC_TRIM_THRESHOLD_ is set, as Dask sets it for its workers, glibc learns nothing from what
is freed. There the same is set by hand while a worker goes through rows, and put back after.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import numpy as np

LARGEST_BUFFER = (1 << 22) - (1 << 12)  # numbers: a page or so below 32 MB


TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3  # M_ these, of mallopt
# Bytes: what glibc sets when such a buffer is freed.
LEARNT_THRESHOLDS = {TRIM_THRESHOLD: 1 << 26, MMAP_THRESHOLD: 1 << 25}
USUAL_MMAP_THRESHOLD = 1 << 17


def may_keep_memory() -> bool:
    """Whether the environment leaves the allocator to us."""
    return os.environ.get("PATHMAX_KEEP_MEMORY", "1") != "0"


@cache
def keep_freed_memory() -> None:
    """From now on freed arrays of up to 32 MB stay with the process; once is enough."""
    if may_keep_memory():
        np.empty(LARGEST_BUFFER)  # never written to: it takes no memory


@contextmanager
def kept_on_a_worker() -> Iterator[None]:
    """The same within the block where the environment fixes when memory is returned."""
    fixed = os.environ.get("MALLOC_TRIM_THRESHOLD_", "")
    ours = fixed.isdecimal() and may_keep_memory() and os.name == "posix"
    libc = ctypes.CDLL(None) if ours else None
    if libc is None or not hasattr(libc, "mallopt"):  # macOS and musl have none
        yield
        return
    mapped = os.environ.get("MALLOC_MMAP_THRESHOLD_", "")
    before = {
        TRIM_THRESHOLD: int(fixed),
        MMAP_THRESHOLD: int(mapped) if mapped.isdecimal() else USUAL_MMAP_THRESHOLD,
    }
    try:
        _set(libc, LEARNT_THRESHOLDS)
        yield
    finally:
        _set(libc, before)
        libc.malloc_trim(0)


def _set(libc: ctypes.CDLL, thresholds: dict[int, int]) -> None:
    for which, size in thresholds.items():
        libc.mallopt(which, size)
