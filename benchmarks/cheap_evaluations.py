"""A long run of cheap evaluations: how far each gets, and how long it takes.

    python -m benchmarks.cheap_evaluations                       5000 in d = 10 and 30
    python -m benchmarks.cheap_evaluations --functions rosenbrock --dimensions 10 --seconds 240

Hills, waves and thresholds (`development_functions`, with seeds that choices are made on) and the
Rosenbrock function, without noise. pathmax as a user gets it; TuRBO as in BoTorch's tutorial with
one region and fifty points at a time, and with five regions and a hundred points at a time, as its
authors run it for thousands of evaluations; CMA-ES of the package cmaes with restarts; and a Sobol
sequence. Shown is the regret, as a share of the range between the best and the median of 20,000
random points, and the processor time of the method alone. A run that has taken `--seconds` of it is
cut, and its row says after how many evaluations. Runs are kept in traces/cheap, and those that are
there are not made again; the table has all that are kept of the functions and dimensions.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import peer_runs
from benchmarks.clock import machine, readable, table
from benchmarks.development_functions import Array, Function, hills, smooth, threshold, waves
from benchmarks.latency import box
from benchmarks.peers import Peer

LOOKS = (100, 300, 1000, 2000, 3000, 5000)
TRACES = Path(__file__).parent / "traces" / "cheap"
KINDS = ("hills", "waves", "threshold", "rosenbrock")
# method -> peer, what its `start` is given. TuRBO with twenty at a time learns 250 times
METHODS: dict[str, tuple[str, dict[str, int]]] = {
    "pathmax": ("pathmax", {}),
    "turbo": ("turbo", {"batch": 50}),
    "turbo-5": ("turbo", {"batch": 100, "regions": 5, "steps": 10}),
    "cmaes": ("cmaes", {}),
    "sobol": ("sobol", {}),
}


def rosenbrock(d: int) -> Function:
    """The banana in the box from -1 to 2 of every coordinate, its logarithm: a long valley."""

    def values(U: Array) -> Array:
        x = 3.0 * U - 1.0
        steps = 100.0 * (x[:, 1:] - x[:, :-1] ** 2) ** 2 + (1.0 - x[:, :-1]) ** 2
        return -np.log1p(steps.sum(axis=1))

    return Function(f"rosenbrock-{d}d", d, values, 0.0)


def functions(d: int) -> list[Function]:
    kinds = (hills, waves, threshold)
    found = [smooth(kind, d, 1000 + i, noisy=False) for i, kind in enumerate(kinds)]
    return [*found, rosenbrock(d)]  # in the order of KINDS


def run(method: str, function: Function, evaluations: int, seconds: float) -> dict[str, Any]:
    d = function.dimension
    middle = float(np.median(function.values(np.random.default_rng(9).random((20_000, d)))))
    unit = function.best - middle
    best, looks, done = -np.inf, {}, 0
    name, options = METHODS[method]
    with Peer(name) as peer:
        peer.call("start", space=box(d), seed=0, **options)
        names = [one["name"] for one in box(d)]
        low = np.array([one["low"] for one in box(d)], dtype=float)
        width = np.array([one["high"] for one in box(d)], dtype=float) - low
        began = peer.call("processor_seconds")
        for done in range(1, evaluations + 1):
            params = peer.call("ask")
            u = (np.array([params[name] for name in names]) - low) / width
            value = float(function.values(u[None])[0])
            best = max(best, value)
            peer.call("tell", params=params, value=-value)
            if done in LOOKS:
                looks[str(done)] = (function.best - best) / unit
                took = peer.call("processor_seconds") - began
                said = f"{function.name} {method} {done}: {looks[str(done)]:.1e}, {took:.0f} s"
                print(said, file=sys.stderr, flush=True)
            if done % 50 == 0 and peer.call("processor_seconds") - began > seconds:
                break
        took = peer.call("processor_seconds") - began
    end = {"evaluations": done, "regret": (function.best - best) / unit, "seconds": took}
    return {"problem": function.name, "seed": 0, "looks": looks, **end}


def line(method: str, row: dict[str, Any]) -> list[str]:
    """A run as a line of the table."""
    cells = [f"{row['looks'][str(n)]:.1e}" if str(n) in row["looks"] else "" for n in LOOKS]
    end = f"{row['regret']:.1e} after {row['evaluations']}"
    return [row["problem"], method, *cells, end, readable(row["seconds"])]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--evaluations", type=int, default=5000)
    parser.add_argument("--dimensions", type=int, nargs="+", default=[10, 30])
    parser.add_argument("--functions", nargs="+", default=KINDS, choices=KINDS)
    parser.add_argument("--seconds", type=float, default=3600.0, help="of processor time, a run")
    parser.add_argument("--methods", nargs="*", default=list(METHODS), choices=METHODS)
    chosen = parser.parse_args()
    lines = []
    for d in chosen.dimensions:
        for function in (functions(d)[KINDS.index(kind)] for kind in chosen.functions):
            for method in METHODS:
                file, ours = peer_runs.trace_file(TRACES, method), method == "pathmax"
                if method in chosen.methods and (function.name, 0) not in peer_runs.done(
                    file, ours
                ):
                    row = run(method, function, chosen.evaluations, chosen.seconds)
                    peer_runs.keep(file, row, ours)
                if (kept := peer_runs.load(file).get((function.name, 0))) is not None:
                    lines.append(line(method, kept))
    head = ["function", "method", *(str(look) for look in LOOKS), "at the end", "processor time"]
    print(machine() + "\n\n" + table(head, lines))


if __name__ == "__main__":
    main()
