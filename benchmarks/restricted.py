"""Restrictions that are known: half-spaces, mixtures, conditions. How good after 30 and 60?

    python -m benchmarks.restricted run --methods pathmax "optuna tpe" --seeds 5
    python -m benchmarks.restricted report
    python -m benchmarks.restricted report --without baybe --only mixtures

Ranks are over the runs that all methods share; without BayBE these are more.

`run` adds a line per (problem, seed, method) to benchmarks/traces/restricted/METHOD.jsonl and skips
what is there already, of pathmax by this engine. A suggestion that breaks a restriction cannot be
carried out: it counts as an evaluation that gave nothing, and is counted. BoTorch knows half-spaces
and mixtures, BayBE was run on mixtures, SMAC3 knows conditions and forbidden pairs; TPE and random
points that obey are run on all.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import peer_runs, ranks
from benchmarks.clock import table
from benchmarks.peers import Peer
from benchmarks.restricted_problems import Restricted, problems

TRACES = Path(__file__).parent / "traces" / "restricted"
EVALUATIONS = 60
AT = (30, 60)
KINDS = ("half-spaces", "mixtures", "conditions")

METHODS: dict[str, tuple[str, dict[str, Any], tuple[str, ...]]] = {
    "pathmax": ("restricted pathmax", {}, KINDS),
    "random": ("restricted pathmax", {"method": "random"}, KINDS),
    "optuna tpe": ("restricted optuna", {}, KINDS),
    "botorch": ("restricted botorch", {}, ("half-spaces", "mixtures")),
    "baybe": ("restricted baybe", {}, ("mixtures",)),
    "smac": ("restricted smac", {}, ("conditions",)),
}


def optimise(peer: Peer, options: dict[str, Any], problem: Restricted, seed: int) -> dict[str, Any]:
    """One run: losses, null where a restriction was broken."""
    version = peer.call(
        "start",
        problem={
            "space": problem.space,
            "linear": problem.linear,
            "forbidden": problem.forbidden,
            "kind": problem.kind,
        },
        seed=seed,
        **options,
    )
    losses: list[float | None] = []
    seconds = 0.0
    for _ in range(EVALUATIONS):
        params = peer.call("ask")
        seconds += peer.seconds
        broken = problem.breaks(params)
        loss = None if broken else float(f"{problem.loss(params):.8g}")
        peer.call("tell", params=params, value=loss, broken=broken)
        losses.append(loss)
    return {"version": version, "seconds": round(seconds, 1), "losses": losses}


def load(method: str) -> peer_runs.Runs:
    """(problem, seed) -> a run."""
    return peer_runs.load(peer_runs.trace_file(TRACES, method))


def run(methods: list[str], seeds: int, only: Sequence[str], minutes: float) -> None:
    """What is missing of the runs of some methods."""
    for method in methods:
        name, options, kinds = METHODS[method]
        peer_runs.run_missing(
            peer_runs.trace_file(TRACES, method),
            name,
            [p for p in problems() if p.kind in kinds and (not only or p.kind in only)],
            seeds,
            lambda peer, problem, seed, options=options: optimise(peer, options, problem, seed),
            minutes,
            described,
        )


def described(row: dict[str, Any]) -> str:
    """What a run came to, in words."""
    losses = row["losses"]
    return f"{peer_runs.bests(losses, AT)}, {losses.count(None)} broken"


def report(without: Sequence[str] = (), only: Sequence[str] = ()) -> str:
    """Mean ranks of each kind among those that know it, what was reached, and what was broken."""
    parts = []
    for kind in only or KINDS:
        names = [p.name for p in problems() if p.kind == kind]
        known = [m for m, (_, _, kinds) in METHODS.items() if kind in kinds and m not in without]
        found = {method: load(method) for method in known}
        traces = {
            method: {
                key: [math.inf if one is None else one for one in row["losses"]]
                for key, row in rows.items()
                if key[0] in names
            }
            for method, rows in found.items()
        }
        traces = {method: runs for method, runs in traces.items() if runs}
        if not traces or not set.intersection(*(set(runs) for runs in traces.values())):
            continue
        parts.append(f"## {kind.capitalize()}\n\n{ranks.table(traces, at=AT)}")
        parts.append(reached(traces, names))
        parts.append(broken(traces))
    return "\n\n".join(parts) or "No run has been made yet."


def reached(traces: ranks.Traces, names: Sequence[str]) -> str:
    lines = []
    for name in names:
        cells = []
        for runs in traces.values():
            bests = np.array([[min(r[:n]) for n in AT] for (p, _), r in runs.items() if p == name])
            middle = np.sort(bests, axis=0)[len(bests) // 2] if len(bests) else []
            cells.append(", ".join(f"{x:.4g}" for x in middle) + f" ({len(bests)})")
        lines.append([name, *cells])
    says = "Medians of the best loss after 30 and 60 evaluations; in brackets the runs."
    return says + "\n\n" + table(["problem", *traces], lines)


def broken(traces: ranks.Traces) -> str:
    lines = []
    for method, runs in traces.items():
        counts = [sum(map(math.isinf, losses)) for losses in runs.values()]
        lines.append([method, f"{sum(counts)} of {EVALUATIONS * len(counts)}"])
    return table(["method", "suggestions that break a restriction"], lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("do", choices=["run", "report"])
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=list(METHODS))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--only", nargs="+", default=[], choices=KINDS)
    parser.add_argument("--without", nargs="+", default=[], choices=list(METHODS))
    parser.add_argument("--minutes", type=float, default=1e9, help="start no run after that")
    options = parser.parse_args()
    if options.do == "run":
        run(options.methods, options.seeds, options.only, options.minutes)
    else:
        print(report(options.without, options.only))


if __name__ == "__main__":
    main()
