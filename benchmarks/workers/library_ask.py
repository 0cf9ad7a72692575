"""One suggestion from a library in a process of its own: times and peak memory, as JSON.

python -m benchmarks.workers.library_ask 'library/*.parquet' 100 [held] [rank]
"""

from __future__ import annotations

import json
import resource
import sys
import time
from typing import Any

import pathmax
from benchmarks.workers.library_files import study_with_results

PATHS, TOP = 100, 20


def ranking(study: pathmax.Study) -> dict[str, Any]:
    """How likely each row is the best: the first rows, and how long that took."""
    wall, processor = time.perf_counter(), time.process_time()
    found = study.best_probabilities(n_paths=PATHS).top(TOP)
    return {
        "ranked": [[one.params, one.probability] for one in found],
        "rank_seconds": time.perf_counter() - wall,
        "rank_processor": time.process_time() - processor,
    }


def main(pattern: str, n: int, held: bool, rank: bool) -> None:
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
    print(json.dumps(answer | (ranking(study) if rank else {})))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), "held" in sys.argv[3:], "rank" in sys.argv[3:])
