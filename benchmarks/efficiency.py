"""Sample efficiency: how good is the best value after 15, 30 and 60 evaluations?

    python -m benchmarks.efficiency run --suite quick --methods pathmax "optuna gp"
    python -m benchmarks.efficiency report --suite quick

`run` adds a line per (problem, seed, method) to benchmarks/traces/SUITE/METHOD.jsonl and skips what
is there already (of pathmax: by this engine), so that it can be stopped and continued, and split
over processes with `--part 0/2`. Every method gets the same seeds and starts from nothing: the
first design is its own.
"""

from __future__ import annotations

import argparse
import fcntl
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import peer_runs, ranks
from benchmarks.peers import Peer, PeerError
from benchmarks.suite import SUITES, Problem

TRACES = Path(__file__).parent / "traces"
EVALUATIONS = 60

# name -> peer, what its `start` is given
METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "pathmax": ("pathmax", {}),
    "sobol": ("sobol", {}),
    "botorch logei": ("botorch", {"method": "logei"}),
    "optuna gp": ("optuna", {"method": "gp"}),
    "optuna tpe": ("optuna", {"method": "tpe"}),
    "hebo": ("hebo", {}),
    "smac": ("smac", {}),
}
METHODS |= {
    f"pathmax {method}": ("pathmax", {"method": method})
    for method in ("ts", "gp-ucb", "irgp-ucb", "ei", "pi", "mes", "jes", "eims", "gp-est", "random")
}


def minimise(peer: Peer, options: dict[str, Any], problem: Problem, seed: int) -> dict[str, Any]:
    """One run: the losses in order. Times are for `latency`: runs share the machine's cores."""
    version = peer.call("start", space=problem.space, seed=seed, **options)
    errors = problem.noise * np.random.default_rng(seed).standard_normal(EVALUATIONS)
    losses: list[float] = []
    for error in errors.tolist():
        params = peer.call("ask")
        loss = problem.loss(params)
        peer.call("tell", params=params, value=loss + error)
        losses.append(float(f"{loss:.6g}"))
    return {"version": version, "losses": losses}


def runs(problems: list[Problem]) -> Iterator[tuple[Problem, int]]:
    for problem in problems:
        for repeat in range(problem.repeats):
            yield problem, repeat


def trace_file(suite: str, method: str) -> Path:
    return peer_runs.trace_file(TRACES / suite, method)


def load(suite: str, method: str) -> dict[tuple[str, int], list[float]]:
    """(problem, seed) -> losses in order."""
    found = peer_runs.load(trace_file(suite, method))
    return {key: row["losses"] for key, row in found.items()}


def run(
    suite: str,
    methods: list[str],
    part: tuple[int, int],
    pause: str | None = None,
    skip: Sequence[str] = (),
) -> None:
    problems = [problem for problem in SUITES[suite]() if problem.name not in skip]
    todo = [pair for i, pair in enumerate(runs(problems)) if i % part[1] == part[0]]
    for method in methods:
        name, options = METHODS[method]
        file, ours = trace_file(suite, method), peer_runs.is_ours(name)
        done = peer_runs.done(file, ours)
        peer: Peer | None = None
        started = time.perf_counter()
        for problem, seed in todo:
            if (problem.name, seed) in done:
                continue
            wait_for(pause)
            peer = peer or Peer(name)
            try:
                row = minimise(peer, options, problem, seed)
            except PeerError as error:
                print(f"{method} on {problem.name}, seed {seed}: {error}", file=sys.stderr)
                peer.close()
                peer = None
                continue
            peer_runs.keep(file, {"problem": problem.name, "seed": seed} | row, ours)
        if peer is not None:
            peer.close()
        print(f"{method}: {time.perf_counter() - started:.0f} s", flush=True)


def wait_for(lock: str | None) -> None:
    """Let a timed measurement that holds the lock finish first."""
    if lock is not None:
        with open(lock, "a") as file:
            fcntl.flock(file, fcntl.LOCK_SH)


def report(suite: str, methods: list[str], figure: Path | None = None) -> str:
    """The table of mean ranks as Markdown; the data profile goes to `figure`."""
    traces = {method: load(suite, method) for method in methods}
    traces = {method: runs for method, runs in traces.items() if runs}
    if figure is not None:
        ranks.draw_profile(traces, figure)
    return ranks.table(traces, at=(15, 30, 60))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("do", choices=["run", "report"])
    parser.add_argument(
        "--suite",
        default="quick",
        choices=[*SUITES, *(kept.name for kept in TRACES.iterdir() if kept.name not in SUITES)],
        help="for a report also a folder of older traces",
    )
    parser.add_argument("--methods", nargs="+", default=list(METHODS))
    parser.add_argument("--part", default="0/1", help="this process's share, as 0/2 and 1/2")
    parser.add_argument("--skip", nargs="+", default=[], help="problems to leave out")
    parser.add_argument("--pause", help="wait while another process holds this lock file")
    parser.add_argument("--figure", type=Path, help="where to draw the data profile (report)")
    options = parser.parse_args()
    if options.do == "run" and options.suite not in SUITES:
        parser.error(f"{options.suite} is no suite but a folder of traces: report it")
    if options.do == "run":
        first, of = options.part.split("/")
        part = (int(first), int(of))
        run(options.suite, options.methods, part, options.pause, options.skip)
    else:
        print(report(options.suite, options.methods, options.figure))


if __name__ == "__main__":
    main()
