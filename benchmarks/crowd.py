"""Many processes on one PostgreSQL study with the default method: how long an ask takes.

    python -m benchmarks.crowd                      64 processes of 4 asks each
    python -m benchmarks.crowd --workers 16 --asks 3
    python -m benchmarks.crowd --prefetch           four threads: how long a free one waits

Every process opens the study, waits until all are there, and then asks and tells with nothing in
between, so that all of them want a suggestion at once: the worst that can happen to an ask. Shown
is how long an ask takes, waiting for the others included, at the 50th and the 99th percentile, also
from one process alone; and what was stored: every number once, no params twice.

With `--prefetch` objectives that sleep for one to three seconds run on four threads, with and
without the next suggestion asked for meanwhile: how long a thread waits between two of them.
"""

from __future__ import annotations

import argparse
import pickle
import random
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path

import numpy as np

import pathmax
from benchmarks.clock import machine, readable, table
from tests.postgres import running_server

DIMENSION = 10
THREADS, SLEEP = 4, (1.0, 3.0)  # seconds


def study_at(url: str, name: str) -> pathmax.Study:
    space = {f"x{i}": pathmax.Float(0, 1) for i in range(DIMENSION)}
    return pathmax.Study(space, name=name, storage=url, direction="minimize", seed=0)


def loss(params: dict[str, float]) -> float:
    return sum((value - 0.4) ** 2 for value in params.values())


def fill(url: str, name: str, n: int) -> None:
    """A study with n results from before."""
    rng = np.random.default_rng(0)
    rows = [
        dict(zip([f"x{i}" for i in range(DIMENSION)], u, strict=True))
        for u in rng.random((n, DIMENSION)).tolist()
    ]
    study_at(url, name).add([row | {"value": loss(row)} for row in rows])


def work(url: str, name: str, asks: int, barrier: Barrier, out: Path) -> None:
    """One process: open, wait for the others, ask and tell, write down how long each ask took."""
    study = study_at(url, name)
    times, errors = [], []
    barrier.wait()
    began = time.time()
    for _ in range(asks):
        started = time.perf_counter()
        try:
            trial = study.ask()
            times.append(time.perf_counter() - started)
            study.tell(trial, loss(trial.params))
        except Exception as error:
            errors.append(f"{type(error).__name__}: {error}")
    out.write_bytes(pickle.dumps((began, time.time(), times, errors)))


def measure(url: str, name: str, workers: int, asks: int, n: int) -> list[str]:
    context = get_context("spawn")
    fill(url, name, n)
    barrier = context.Barrier(workers)
    with tempfile.TemporaryDirectory() as folder:
        outs = [Path(folder, str(i)) for i in range(workers)]
        crowd = [context.Process(target=work, args=(url, name, asks, barrier, out)) for out in outs]
        for process in crowd:
            process.start()
        for process in crowd:
            process.join()
        begins, ends, times, errors = zip(
            *(pickle.loads(o.read_bytes()) for o in outs), strict=True
        )
    trials = pathmax.Study.load(name, storage=url).trials
    numbers = [trial.number for trial in trials]
    doubled = len(trials) - len({tuple(trial.params.values()) for trial in trials})
    complete = numbers == list(range(n + workers * asks))
    took = np.concatenate([np.array(some) for some in times])
    said = [text for some in errors for text in some]
    return [
        str(workers),
        str(len(took)),
        readable(float(np.quantile(took, 0.5))),
        readable(float(np.quantile(took, 0.99))),
        f"{len(took) / (max(ends) - min(begins)):.1f}",
        "every number once" if complete else "NUMBERS MISSING OR TWICE",
        str(doubled),
        f"{len(said)}{': ' + said[0][:80] if said else ''}",
    ]


def waits(n: int, prefetch: bool) -> list[str]:
    """How long threads wait between two trials, after n results from before."""
    ends: dict[int, float] = {}
    found: list[float] = []
    durations = random.Random(0)
    space = {f"x{i}": pathmax.Float(0, 1) for i in range(DIMENSION)}
    study = pathmax.Study(space, direction="minimize", seed=0)
    U = np.random.default_rng(0).random((n, DIMENSION)).tolist()
    rows = [dict(zip(space, u, strict=True)) for u in U]
    study.add([row | {"value": loss(row)} for row in rows])

    def objective(params: dict[str, float]) -> float:
        thread = threading.get_ident()
        if thread in ends:
            found.append(time.perf_counter() - ends[thread])
        time.sleep(durations.uniform(*SLEEP))
        ends[thread] = time.perf_counter()
        return loss(params)

    with ThreadPoolExecutor(THREADS) as executor:
        study.optimize(
            objective, 10 * THREADS, executor=executor, prefetch=prefetch, progress=False
        )
    middle, most = np.quantile(found, [0.5, 0.95])
    return ["yes" if prefetch else "no", str(len(found)), readable(middle), readable(most)]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--workers", type=int, default=64)
    parser.add_argument("--asks", type=int, default=4, help="by each process")
    parser.add_argument("--results", type=int, default=100, help="there from before")
    parser.add_argument("--prefetch", action="store_true")
    chosen = parser.parse_args()
    if chosen.prefetch:
        lines = [waits(chosen.results, prefetch) for prefetch in (False, True)]
        print(machine() + "\n\n" + table(["prefetch", "waits", "median", "95 %"], lines))
        return
    head = ["processes", "asks", "p50", "p99", "asks /s", "stored", "params twice", "errors"]
    with running_server() as server:
        rows = [
            measure(server.url(), f"crowd-{workers}", workers, chosen.asks, chosen.results)
            for workers in (1, chosen.workers)
        ]
    print(machine() + "\n\n" + table(head, rows))


if __name__ == "__main__":
    main()
