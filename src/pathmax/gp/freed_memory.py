"""Keep the memory of temporary arrays instead of returning it to the system after each.

Until an array of some megabytes has come and gone, glibc returns every freed block of 128 kB and
more to the system, to be paged in anew: thousands of page faults a suggestion, and a dozen once an
array of 32 MB, the largest that glibc takes into account, has been freed (benchmarks/choices.md).

It is a setting of the whole process, so it is made when the first model is, not on import, and
PATHMAX_KEEP_MEMORY=0 in the environment leaves the allocator alone. Other allocators than that of
glibc are not affected.
"""

from __future__ import annotations

import os
from functools import cache

import numpy as np

LARGEST_BUFFER = (1 << 22) - (1 << 12)  # numbers: a page or so below 32 MB


@cache
def keep_freed_memory() -> None:
    """From now on freed arrays of up to 32 MB stay with the process; once is enough."""
    if os.environ.get("PATHMAX_KEEP_MEMORY", "1") != "0":
        np.empty(LARGEST_BUFFER)  # never written to: it takes no memory
