"""A library on a Dask cluster of this machine: the time of one suggestion, and a worker's memory.

    python -m benchmarks.cluster            10^7 rows, two workers of one thread
    python -m benchmarks.cluster --quick    10^6 rows
    python -m benchmarks.cluster --rank     and how likely each row is the best, by 100 paths

The rows are Parquet files that the workers read (`executor=client`); d = 10, 100 results. Beside it
stands one process that goes through the same files with two threads. Both must choose the same row,
and rank the same rows.
Then what 10^9 rows would take, from the processor time of a row: that is paper, not measured.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Any

import pathmax
from benchmarks.clock import machine, table
from benchmarks.workers.library_ask import ranking
from benchmarks.workers.library_files import study_with_results, write_library

DIMENSION, KNOWN, WORKERS = 10, 100, 2
PAPER_ROWS, PAPER_WORKERS = 10**9, (64, 256)


def one_process(pattern: str, rank: bool) -> dict[str, Any]:
    """A suggestion by threads of one process."""
    command = [sys.executable, "-m", "benchmarks.workers.library_ask", pattern, str(KNOWN)]
    command += ["rank"] if rank else []
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def cost_of_worker() -> tuple[float, float]:
    """Processor seconds and peak megabytes of the process that runs this."""
    import resource

    return time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


def on_cluster(pattern: str, rank: bool) -> dict[str, Any]:
    """The same suggestion by workers of a cluster."""
    import distributed

    with (
        distributed.LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        started = time.perf_counter()
        pool = pathmax.Candidates.from_parquet(pattern, executor=client)
        opened = time.perf_counter() - started
        study = study_with_results(pool, KNOWN)
        before = sum(cpu for cpu, _ in client.run(cost_of_worker).values())
        started = time.perf_counter()
        params = study.ask().params
        seconds = time.perf_counter() - started
        spent = sum(cpu for cpu, _ in client.run(cost_of_worker).values()) - before
        ranked = ranking(study) if rank else {}
        costs = client.run(cost_of_worker).values()
        if rank:
            ranked["rank_processor"] = sum(cpu for cpu, _ in costs) - before - spent
        return {
            "opened": opened,
            "seconds": seconds,
            "processor": spent,
            "megabytes": max(size for _, size in costs),
            "params": params,
            **ranked,
        }


def line(name: str, answer: dict[str, Any]) -> list[str]:
    ranked = []
    if "ranked" in answer:
        ranked = [f"{answer['rank_seconds']:.1f} s, {answer['rank_processor']:.1f} s"]
    return [
        name,
        f"{answer['opened']:.1f} s",
        f"{answer['seconds']:.1f} s",
        f"{answer['processor']:.1f} s",
        f"{answer['megabytes']:.0f} MB",
        *ranked,
    ]


def paper(rows: int, processor: float) -> str:
    """What many more rows would take, with the arithmetic."""
    each = processor / rows
    total = each * PAPER_ROWS
    lines = [
        f"{processor:.1f} s / {rows:.0e} rows = {1e6 * each:.2f} us of a core a row",
        f"{PAPER_ROWS:.0e} rows x {1e6 * each:.2f} us = {total:.0f} s of a core",
    ]
    lines += [f"on {w} cores: {total / w:.0f} s a suggestion" for w in PAPER_WORKERS]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rank", action="store_true")
    chosen = parser.parse_args()
    rows = 10**6 if chosen.quick else 10**7
    print(machine() + f"\nload {os.getloadavg()[0]:.1f} before\n")
    with tempfile.TemporaryDirectory() as folder:
        pattern = write_library(folder, rows, DIMENSION)
        alone, together = one_process(pattern, chosen.rank), on_cluster(pattern, chosen.rank)
    head = ["one suggestion", "opened in", "suggested in", "processor time", "peak memory"]
    head += ["ranked in, processor time"] if chosen.rank else []
    lines = [line("one process, two threads", alone), line("two workers, each", together)]
    print(table(head, lines))
    same = "yes" if alone["params"] == together["params"] else "NO"
    print(f"\n{rows:,} rows; the same row: {same}; load {os.getloadavg()[0]:.1f} after\n")
    if chosen.rank:
        print(f"the same ranking: {'yes' if alone['ranked'] == together['ranked'] else 'NO'}\n")
    print(paper(rows, together["processor"]))


if __name__ == "__main__":
    main()
