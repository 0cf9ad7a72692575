"""The allocator is asked to keep freed memory when the first model is made, and not if told not to.

Counted are the page faults of arrays that come and go, each a little larger than all before: memory
that was kept is there already, memory that was returned is paged in anew.
"""

import os
import subprocess
import sys

FAULTS = """
import resource
import numpy as np
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for size in range(1 << 15, 1 << 20, 1 << 15):
    np.empty(size).fill(1.0)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""
IMPORT = "from pathmax import gp\n"
MODEL = IMPORT + "gp.GaussianProcess(gp.RBF(0.2), 1e-6).condition([[0.5]], [1.0])\n"


def page_faults(first: str, **environment: str) -> int:
    # Dask sets MALLOC_TRIM_THRESHOLD_ for the processes that it will start
    apart = ("PATHMAX_", "MALLOC_")
    others = {name: value for name, value in os.environ.items() if not name.startswith(apart)}
    command = [sys.executable, "-c", first + FAULTS]
    done = subprocess.run(
        command, env=others | environment, capture_output=True, text=True, check=True
    )
    return int(done.stdout)


def test_memory_is_kept_from_the_first_model_on_unless_it_is_turned_off():
    kept = min(page_faults(MODEL) for _ in range(3))  # a busy system only adds to them
    assert page_faults(IMPORT) > 4 * kept
    assert page_faults(MODEL, PATHMAX_KEEP_MEMORY="0") > 4 * kept


def test_a_worker_of_dask_keeps_memory_while_it_goes_through_rows():
    dask = {"MALLOC_TRIM_THRESHOLD_": "65536"}
    worker = IMPORT + "from pathmax.gp.freed_memory import kept_on_a_worker\n"
    within = worker + "during = kept_on_a_worker()\nduring.__enter__()\n"
    kept = min(page_faults(within, **dask) for _ in range(3))
    assert page_faults(MODEL, **dask) > 4 * kept  # a model alone teaches glibc nothing there
    assert page_faults(within + "during.__exit__(None, None, None)\n", **dask) > 4 * kept
    assert page_faults(within, PATHMAX_KEEP_MEMORY="0", **dask) > 4 * kept
