"""Seconds for one suggestion with several outcomes: 2 objectives, 2 constraints, n = 100, d = 6.

    python -m benchmarks.outcomes_latency [--asks 5] [--only "Optuna GPSampler"]

As `latency`: each peer knows n - asks results; then all are told a result and asked for the next in
turns, with one thread each, and the median counts: of processor time, which others on the machine
lengthen less than the time that passes. pathmax learns its parameters anew each time.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np

from benchmarks.clock import machine, readable, table
from benchmarks.latency import box, rows, trouble
from benchmarks.peers import ALL, Peer

N, D = 100, 6
OBJECTIVES, CONSTRAINTS = ["f1", "f2"], ["c1", "c2"]
ENTRIES: dict[str, tuple[str, dict[str, Any]]] = {
    "pathmax": ("outcomes pathmax", {"refit_every": 1}),
    "pathmax ei": ("outcomes pathmax", {"refit_every": 1, "method": "ei"}),
    "BoTorch qLogNEHVI": ("outcomes botorch", {}),
    "Optuna GPSampler": ("outcomes optuna", {"method": "gp"}),
}
BARS = {"BoTorch qLogNEHVI": 10.0, "Optuna GPSampler": 3.0}


def outcomes(params: dict[str, float]) -> dict[str, float]:
    """Two bowls with waves, and two bounds that cut through the front."""
    x = np.array(list(params.values()))
    waves = 0.1 * np.cos(7.0 * x).sum()
    return {
        "f1": float(((x - 0.3) ** 2).sum() + waves),
        "f2": float(((x - 0.6) ** 2).sum() - waves),
        "c1": float(x.mean() - 0.55),
        "c2": float(0.2 - x[0] * x[1] - 0.1 * np.sin(5.0 * x[2])),
    }


def measure(asks: int, only: Sequence[str] = ()) -> dict[str, float]:
    """Entry -> the median processor seconds of telling a result and asking for the next."""
    known = rows(N - asks, D, np.random.default_rng(N + D))
    told = [outcomes(one) for one in known]
    took: dict[str, list[float]] = {}
    with ExitStack() as stack:
        running: dict[str, tuple[Peer, dict[str, float]]] = {}
        for entry, (name, options) in ENTRIES.items():
            if not ALL[name].ready or (only and entry not in only):
                continue
            with trouble(entry):
                peer = stack.enter_context(Peer(name))
                goals = {"objectives": OBJECTIVES, "constraints": CONSTRAINTS}
                peer.call("start", space=box(D), seed=0, reference=[3.0, 3.0], **goals, **options)
                peer.call("add", params=known, outcomes=told)
                running[entry] = peer, peer.call("ask")
        for _ in range(asks):
            for entry, (peer, params) in list(running.items()):
                began = peer.call("processor_seconds")
                peer.call("tell", params=params, outcomes=outcomes(params))
                running[entry] = peer, peer.call("ask")
                took.setdefault(entry, []).append(peer.call("processor_seconds") - began)
    return {entry: float(np.median(times)) for entry, times in took.items()}


def report(asks: int = 5, only: Sequence[str] = ()) -> str:
    found = measure(asks, only)
    ours = found["pathmax"]
    lines = [[entry, readable(t), f"{t / ours:.1f}x"] for entry, t in found.items()]
    bars = [
        f"{bar:.0f}x for {entry}: {'met' if found[entry] / ours >= bar else 'missed'}, "
        f"{found[entry] / ours:.1f}x"
        for entry, bar in BARS.items()
        if entry in found
    ]
    head = table(
        ["2 objectives, 2 constraints, n = 100, d = 6", "one suggestion, processor time", "ratio"],
        lines,
    )
    return head + "\n\nBars: " + "; ".join(bars) + "."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--asks", type=int, default=5)
    parser.add_argument("--only", nargs="+", default=[], choices=list(ENTRIES), help="with pathmax")
    options = parser.parse_args()
    print(machine() + "\n")
    print(report(options.asks, ["pathmax", *options.only] if options.only else []))


if __name__ == "__main__":
    main()
