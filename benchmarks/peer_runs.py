"""Runs that are kept: a line for each (problem, seed) in a file for each method.

What is there already is skipped, so that a benchmark that was stopped goes on from there. A run of
pathmax has the engine that made it, and is made again when the code suggests otherwise (`engines`);
what a peer does is no matter of ours, and its runs stay.
"""

from __future__ import annotations

import fcntl
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from benchmarks.engines import ONE_OBJECTIVE, is_current
from benchmarks.peers import OURS, Peer, PeerError
from pathmax.suggestion.explanation import ENGINE

Row = dict[str, Any]
Runs = dict[tuple[str, int], Row]
KEY = ("problem", "seed")  # what names a run, where nothing else does
Losses = Sequence[float | None]


class Named(Protocol):
    """A problem."""

    @property
    def name(self) -> str: ...


P = TypeVar("P", bound=Named)


def trace_file(folder: Path, method: str) -> Path:
    return folder / f"{method.replace(' ', '-')}.jsonl"


def rows(file: Path) -> list[Row]:
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def load(file: Path, key: Sequence[str] = KEY) -> dict[Any, Row]:
    """(problem, seed) -> a run."""
    return {tuple(row[name] for name in key): row for row in rows(file)}


def done(
    file: Path, ours: bool, key: Sequence[str] = KEY, since: int = ONE_OBJECTIVE
) -> dict[Any, Row]:
    """The runs that need not be made again: all of a peer, ours since an engine."""
    return {name: row for name, row in load(file, key).items() if is_usable(row, ours, since)}


def is_usable(row: Row, ours: bool, since: int) -> bool:
    """Whether a run would be the same if it were made today; a peer's counts as such."""
    return not ours or is_current(row.get("engine"), since)


def keep(file: Path, row: Row, ours: bool, key: Sequence[str] = KEY) -> None:
    """Add a run, with the engine if it is ours; one of another engine gives way to it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    if ours:
        row = row | {"engine": ENGINE}
    name = [row[one] for one in key]
    with file.open("a+") as out:
        fcntl.flock(out, fcntl.LOCK_EX)  # others may run another part of the same method
        out.seek(0)
        lines = out.read().splitlines()
        others = [line for line in lines if [json.loads(line)[one] for one in key] != name]
        if len(others) < len(lines):
            out.truncate(0)
            out.writelines(line + "\n" for line in others)
        out.write(json.dumps(row) + "\n")


def engines(file: Path) -> Counter[int | None]:
    """How many runs there are of each engine; of a peer, all of none."""
    return Counter(row.get("engine") for row in rows(file))


def is_ours(peer: str) -> bool:
    """Whether a peer's environment is that of the benchmark, which runs pathmax."""
    return peer.split()[-1] == OURS.name


def run_missing(
    file: Path,
    peer_name: str,
    problems: Sequence[P],
    seeds: int,
    optimise: Callable[[Peer, P, int], Row],
    minutes: float,
    describe: Callable[[Row], str],
    since: int = ONE_OBJECTIVE,
) -> None:
    """What is missing, seed by seed, so that a run that is stopped has every problem."""
    ours, started = is_ours(peer_name), time.perf_counter()
    have = done(file, ours, since=since)
    todo = [(one, s) for s in range(seeds) for one in problems if (one.name, s) not in have]
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
        keep(file, {"problem": problem.name, "seed": seed} | row, ours)
        took = time.perf_counter() - begun
        print(f"{file.stem} {problem.name} {seed}: {describe(row)} {took:.0f} s", flush=True)


def best(losses: Losses) -> float:
    """The least loss of those that count; infinite if none does."""
    return min((one for one in losses if one is not None), default=math.inf)


def bests(losses: Losses, at: Sequence[int]) -> str:
    """The best after so many evaluations, in words."""
    return " ".join(f"{best(losses[:n]):.6g}" for n in at)
