"""Runs of a peer that are kept: a line for each (problem, seed) in a file for each method.

What is there already is skipped, so that a benchmark that was stopped goes on from there.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from benchmarks.peers import Peer, PeerError

Row = dict[str, Any]
Runs = dict[tuple[str, int], Row]
Losses = Sequence[float | None]


class Named(Protocol):
    """A problem."""

    @property
    def name(self) -> str: ...


P = TypeVar("P", bound=Named)


def trace_file(folder: Path, method: str) -> Path:
    return folder / f"{method.replace(' ', '-')}.jsonl"


def load(file: Path) -> Runs:
    """(problem, seed) -> a run."""
    if not file.exists():
        return {}
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    return {(row["problem"], row["seed"]): row for row in rows}


def run_missing(
    file: Path,
    peer_name: str,
    problems: Sequence[P],
    seeds: int,
    optimise: Callable[[Peer, P, int], Row],
    minutes: float,
    describe: Callable[[Row], str],
) -> None:
    """What is missing, seed by seed, so that a run that is stopped has every problem."""
    file.parent.mkdir(parents=True, exist_ok=True)
    done, started = load(file), time.perf_counter()
    todo = [(one, s) for s in range(seeds) for one in problems if (one.name, s) not in done]
    for problem, seed in todo:
        if time.perf_counter() - started > 60.0 * minutes:
            break
        begun = time.perf_counter()
        try:
            with Peer(peer_name) as peer:
                row = optimise(peer, problem, seed)
        except PeerError as error:
            print(f"{file.stem} on {problem.name}, seed {seed}: {error}", file=sys.stderr)
            continue
        with file.open("a") as out:
            out.write(json.dumps({"problem": problem.name, "seed": seed} | row) + "\n")
        took = time.perf_counter() - begun
        print(f"{file.stem} {problem.name} {seed}: {describe(row)} {took:.0f} s", flush=True)


def best(losses: Losses) -> float:
    """The least loss of those that count; infinite if none does."""
    return min((one for one in losses if one is not None), default=math.inf)


def bests(losses: Losses, at: Sequence[int]) -> str:
    """The best after so many evaluations, in words."""
    return " ".join(f"{best(losses[:n]):.6g}" for n in at)
