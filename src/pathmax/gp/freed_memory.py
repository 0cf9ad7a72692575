"""Keep the memory of temporary arrays instead of returning it to the system after each.

Until an array of some megabytes has come and gone, glibc returns every freed block of 128 kB and
more to the system, to be paged in anew: 1,700 page faults a suggestion with 100 data in d = 10,
7,000 with 300, and a dozen once an array of 32 MB has been freed. That is the largest size that
glibc takes into account: after one of 8 MB a suggestion with 1000 data still has 2,700 faults and
takes 1.2 times as long.

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
