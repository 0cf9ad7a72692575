"""Time and memory of an ask as the number of results n and of parameters d grow.

    python -m benchmarks.growth            n = 250 ... 4000 at d = 10, d = 2 ... 100 at n = 250
    python -m benchmarks.growth --quick    n up to 1000

Between refits an ask costs O(n^2): the factor is extended, not computed anew. A refit learns the
hyper-parameters on a subset and computes one factor of all the data, O(n^3).
"""

from __future__ import annotations

import argparse

import numpy as np

from benchmarks.clock import machine, readable, table
from benchmarks.latency import box, loss, rows
from benchmarks.peers import Peer

SIZES = (250, 500, 1000, 2000, 4000)
DIMENSIONS = (2, 5, 10, 20, 50, 100)


def ask_times(n: int, d: int) -> tuple[float, float, float]:
    """Seconds of an ask with a refit, of one between refits, and the peak megabytes."""
    known = rows(n, d, np.random.default_rng(0))
    with Peer("pathmax", threads=2) as peer:
        peer.call("start", space=box(d), seed=0, refit_every=1_000_000)
        peer.call("add", params=known, values=[loss(one) for one in known])
        params = peer.call("ask")
        refit = peer.seconds
        between = []
        for _ in range(5):
            peer.call("tell", params=params, value=loss(params))
            told = peer.seconds
            params = peer.call("ask")
            between.append(told + peer.seconds)
        return refit, float(np.median(between)), peer.call("peak_megabytes")


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
    quick = parser.parse_args().quick
    print(machine() + "\n")
    print(report(SIZES[:3] if quick else SIZES, DIMENSIONS[:3] if quick else DIMENSIONS))


if __name__ == "__main__":
    main()
