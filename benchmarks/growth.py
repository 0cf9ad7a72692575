"""Time and memory of an ask as the number of results n and of parameters d grow.

    python -m benchmarks.growth            n = 250 ... 100,000 at d = 10, d = 2 ... 1000 at n = 250
    python -m benchmarks.growth --quick    n up to 1000
    python -m benchmarks.growth --running  an ask with 1,000 running trials beside one with results

Between refits an ask costs O(n^2): the factor is extended, not computed anew. A refit learns the
hyper-parameters on a subset and computes one factor of all the data, O(n^3). Beyond 2000 results
some are left out, and neither grows any more (`suggestion/kept_rows.py`). Times are processor time:
what else the machine does falls on nobody.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import pathmax
from benchmarks.clock import machine, readable, table
from benchmarks.latency import box, loss, rows
from benchmarks.peers import Peer
from pathmax.storage.records import Entry
from pathmax.trials.trial import TrialState

SIZES = (250, 500, 1000, 2000, 4000, 10_000, 100_000)
DIMENSIONS = (2, 5, 10, 20, 50, 100, 300, 1000)
RUNNING = ((100, 0), (100, 100), (100, 500), (100, 1000), (1100, 0))  # results, running


def ask_times(n: int, d: int) -> tuple[float, float, float]:
    """Seconds of an ask with a refit, of one between refits, and the peak megabytes."""
    known = rows(n, d, np.random.default_rng(0))
    with Peer("pathmax") as peer:
        peer.call("start", space=box(d), seed=0, refit_every=1_000_000)
        peer.call("add_rows", params=known, values=[loss(one) for one in known])
        peer.call("count")  # reading them is not part of the first ask
        clock = peer.call("processor_seconds")
        params = peer.call("ask")
        refit = peer.call("processor_seconds") - clock
        between = []
        for _ in range(5):
            clock = peer.call("processor_seconds")
            peer.call("tell", params=params, value=loss(params))
            params = peer.call("ask")
            between.append(peer.call("processor_seconds") - clock)
        return refit, float(np.median(between)), peer.call("peak_megabytes")


def with_running() -> str:
    """A table of asks with results and running trials, told one at a time, in turns."""
    studies = {}
    for n, running in RUNNING:
        study = pathmax.Study(
            {one["name"]: pathmax.Float(0, 1) for one in box(10)}, direction="minimize", seed=0
        )
        known = rows(n + running, 10, np.random.default_rng(0))
        study.add([params | {"value": loss(params)} for params in known[:n]])
        entries = [Entry(params=params, state=TrialState.RUNNING) for params in known[n:]]
        if entries:
            study.storage.insert_many(study.name, entries)
        studies[n, running] = study
    times: dict[tuple[int, int], list[float]] = {each: [] for each in RUNNING}
    for _ in range(8):
        for each, study in studies.items():
            clock = time.process_time()
            trial = study.ask()
            times[each].append(time.process_time() - clock)
            study.tell(trial, loss(trial.params))
    middle = {each: float(np.median(some[1:])) for each, some in times.items()}
    lines = [
        [str(n), str(running), readable(took), f"{took / middle[1100, 0]:.2f}x"]
        for (n, running), took in middle.items()
    ]
    return table(["results", "running", "ask", "beside 1100 results"], lines)


def report(sizes: tuple[int, ...], dimensions: tuple[int, ...]) -> str:
    lines, last = [], None
    for n in sizes:
        refit, between, peak = ask_times(n, 10)
        grown = "" if last is None else f"{between / last:.1f}x"
        last = between
        cells = [readable(refit), readable(between), grown, f"{peak:.0f} MB"]
        lines.append([f"n = {n}, d = 10", *cells])
    for d in dimensions:
        refit, between, peak = ask_times(250, d)
        lines.append(
            [f"n = 250, d = {d}", readable(refit), readable(between), "", f"{peak:.0f} MB"]
        )
    head = ["size", "ask with a refit", "ask between refits", "growth", "peak memory"]
    return table(head, lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--running", action="store_true")
    chosen = parser.parse_args()
    quick = chosen.quick
    print(machine() + "\n")
    if chosen.running:
        print(with_running())
        return
    print(report(SIZES[:3] if quick else SIZES, DIMENSIONS[:3] if quick else DIMENSIONS))


if __name__ == "__main__":
    main()
