"""Seconds for one suggestion, hyper-parameters learnt anew, beside the peers.

    python -m benchmarks.latency            all sizes, and the steady state of a 200-trial run
    python -m benchmarks.latency --quick    n up to 300

Each peer has seen n - 3 results, then is told one and asked for the next, three times; the median
is shown. Peers run one after the other, each with one and with two threads, and the better counts.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from benchmarks.clock import machine, readable, table
from benchmarks.peers import ALL, Peer, PeerError

SIZES = ((20, 4), (100, 4), (100, 10), (300, 10), (1000, 10))
# name -> peer, what its `start` is given, the largest n that is worth waiting for
ENTRIES: dict[str, tuple[str, dict[str, Any], int]] = {
    "pathmax": ("pathmax", {"refit_every": 1}, 10_000),
    "BoTorch LogEI": ("botorch", {"method": "logei"}, 10_000),
    "BoTorch pathwise TS": ("botorch", {"method": "ts"}, 10_000),
    "Optuna GPSampler": ("optuna", {"method": "gp"}, 10_000),
    "scikit-optimize": ("skopt", {"method": "GP"}, 100),
    "bayesian-optimization": ("bayesopt", {}, 300),
}
ASKS = 3


def box(d: int) -> list[dict[str, Any]]:
    return [{"name": f"x{j}", "kind": "float", "low": 0.0, "high": 1.0} for j in range(d)]


def loss(params: dict[str, float]) -> float:
    x = np.array(list(params.values()))
    return float(3.0 * np.sum((x - 0.4) ** 2) - np.cos(7.0 * (x - 0.4)).sum())


def rows(n: int, d: int, rng: np.random.Generator) -> list[dict[str, float]]:
    """Half spread out, half about the optimum, as a study leaves them."""
    U = rng.random((n, d))
    U[n // 2 :] = np.clip(0.4 + 0.2 * (U[n // 2 :] - 0.5), 0.0, 1.0)
    return [{f"x{j}": float(v) for j, v in enumerate(u)} for u in rng.permutation(U)]


def suggestion(entry: str, n: int, d: int, threads: int) -> float:
    """The median seconds of being told the newest result and suggesting the next trial."""
    peer_name, options, _ = ENTRIES[entry]
    known = rows(n - ASKS, d, np.random.default_rng(n + d))
    with Peer(peer_name, threads) as peer:
        peer.call("start", space=box(d), seed=0, **options)
        peer.call("add", params=known, values=[loss(one) for one in known])
        params = peer.call("ask")
        took = []
        for _ in range(ASKS):
            peer.call("tell", params=params, value=loss(params))
            told = peer.seconds
            params = peer.call("ask")
            took.append(told + peer.seconds)
    return float(np.median(took))


def steady(entry: str, trials: int = 200, d: int = 4) -> float:
    """Seconds a trial over a whole run from nothing, with the peer's own schedule."""
    peer_name, options, _ = ENTRIES[entry]
    options = {k: v for k, v in options.items() if k != "refit_every"}
    total = 0.0
    with Peer(peer_name) as peer:
        peer.call("start", space=box(d), seed=0, **options)
        for _ in range(trials):
            params = peer.call("ask")
            total += peer.seconds
            peer.call("tell", params=params, value=loss(params))
            total += peer.seconds
    return total / trials


def best(entry: str, n: int, d: int) -> float | None:
    peer_name, _, largest = ENTRIES[entry]
    if n > largest or not ALL[peer_name].ready:
        return None
    try:
        return min(suggestion(entry, n, d, threads) for threads in (1, 2))
    except PeerError as error:
        print(error)
        return None


def cell(theirs: float | None, mine: float) -> str:
    return "-" if theirs is None else f"{readable(theirs)} ({theirs / mine:.1f}x)"


def report(sizes: tuple[tuple[int, int], ...], with_steady: bool) -> str:
    lines = []
    for n, d in sizes:
        times = {entry: best(entry, n, d) for entry in ENTRIES}
        mine = times["pathmax"]
        assert mine is not None
        others = [cell(times[entry], mine) for entry in ENTRIES if entry != "pathmax"]
        lines.append([f"n = {n}, d = {d}", readable(mine), *others])
    if with_steady:
        mine = steady("pathmax")
        slow = ("scikit-optimize", "bayesian-optimization", "pathmax")
        others = ["-" if e in slow else cell(steady(e), mine) for e in ENTRIES if e != "pathmax"]
        lines.append(["a 200-trial run, d = 4, each trial", readable(mine), *others])
    return table(["one suggestion", *ENTRIES], lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    print(machine() + "\n")
    print(report(SIZES[:-1] if quick else SIZES, not quick))


if __name__ == "__main__":
    main()
