"""One suggestion from a library in a process of its own: times and peak memory, as JSON.

python -m benchmarks.workers.library_ask 'library/*.parquet' 100 [held]
"""

from __future__ import annotations

import json
import resource
import sys
import time

import pathmax
from benchmarks.workers.library_files import study_with_results


def main(pattern: str, n: int, held: bool) -> None:
    started = time.perf_counter()
    pool = pathmax.Candidates.from_parquet(pattern, stream=not held)
    opened = time.perf_counter() - started
    study = study_with_results(pool, n)
    wall, processor = time.perf_counter(), time.process_time()
    params = study.ask().params
    answer = {
        "rows": len(pool),
        "opened": opened,
        "seconds": time.perf_counter() - wall,
        "processor": time.process_time() - processor,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0,
        "params": params,
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), "held" in sys.argv[3:])
