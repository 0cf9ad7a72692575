"""Two versions of the engine on the same problems and seeds: by how much does one miss less?

    python -m benchmarks.paired_runs run engine-6 boxes-5 textbook --src OLD/src
    python -m benchmarks.paired_runs run new boxes-5 textbook --runs 24
    python -m benchmarks.paired_runs run idea boxes-5 --patch idea.py --options '{"looks": 0}'
    python -m benchmarks.paired_runs report new idea --against engine-6
    python -m benchmarks.paired_runs run "optuna gp" many noisy --runs 12
    python -m benchmarks.paired_runs report new --against "optuna gp"

A version is another source folder (`--src`), a file that is executed before the first run and may
change modules (`--patch`), options of a study, another method, a peer by its name, or the code as
it is (`now` stands for engine-N, the first one that suggests like it: `engines`). `run` adds a line
per run to benchmarks/traces/paired/REGIME/VERSION.jsonl and skips what is there, so that it can be
stopped at any time; the first few runs of a regime stand for all of them. BBOB instances are 1 to
10; `confirm-D` has 11 to 20 and is for the end.

A cell of the report is the regret relative to the other version's: the geometric mean over runs,
each ratio cut at a factor of ten, its 95 % bootstrap interval over problems (over runs, if there is
but one); then the share of runs ahead minus behind (by 2 %) in per cent, with one standard error.
Regrets are counted from the optimum, or where it is not known from the best that any version found,
plus `--floor` of the way back to the median of the first five values: with 1e-3 no last digit
decides, with 1e-9 it does. Under noise it is the true value of what is recommended that counts.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import runpy
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import engines, noisy_runs, peer_runs
from benchmarks.classics import classics
from benchmarks.clock import table
from benchmarks.discrete_problems import Listed, Table, suites
from benchmarks.discrete_spaces import PEERS, by_peer, ours
from benchmarks.edge_problems import edge_problems
from benchmarks.many_parameters import Gap, high_problems, own_problems
from benchmarks.peers import Peer
from benchmarks.ranks import bootstrap_weights
from benchmarks.suite import bbob, box, coordinates

HERE = Path(__file__).parent / "traces" / "paired"
LOOKS = (15, 30, 45, 60)
MOST = math.log(10.0)  # a ratio beyond this counts as this
FLOOR = 1e-3
NOW = engines.name(engines.ONE_OBJECTIVE)
Study = dict[str, Any]  # what a study is given besides its space and seed


@dataclass(frozen=True)
class Job:
    """A run: what it is of, and what gives the losses in order."""

    problem: str
    seed: int
    losses: Callable[[Study], list[float]]
    optimum: float | None = None


def searched(problem: Table | Listed, seed: int, n: int, optimum: float | None = None) -> Job:
    def run(given: Study) -> list[float]:
        if "peer" in given:
            name, options = PEERS[given["peer"]]
            with Peer(name) as peer:
                return by_peer(peer, options)(problem, seed, n)
        return ours(given.get("method", "pims"), given.get("options"))(problem, seed, n)

    return Job(problem.name, seed, run, optimum)


def boxes(d: int, first: int = 1, n: int = 60, functions: range = range(1, 25)) -> Iterator[Job]:
    """BBOB, one of ten instances each from the first one on, in two rounds."""
    for turn in (0, 1):
        for f in functions:
            one = bbob(f, d, first + (f + d + 3 * turn) % 10)
            same = Listed(one.name, one.space, one.loss)
            yield searched(same, 1000 * turn + f, n, optimum=0.0)


def wide(d: int) -> Iterator[Job]:
    """BBOB, instances 1 to 8 of each function. One engine beside itself is 0.9 to 1.14 here."""
    for instance in range(1, 9):
        for f in range(1, 25):
            one = bbob(f, d, instance)
            same = Listed(one.name, one.space, one.loss)
            yield searched(same, 7000 + 100 * instance + f, 60, optimum=0.0)


def textbook(seeds: tuple[int, ...] = (900, 950)) -> Iterator[Job]:
    for seed in seeds:
        for k, one in enumerate(classics()):
            loss = lambda params, one=one: one.loss(coordinates(params))  # noqa: E731
            space = box(one.low, one.high, one.dimension)
            yield searched(Listed(one.name, space, loss, noise=one.noise), seed + k, 60)


def edges(first: int = 0, seed: int = 500) -> Iterator[Job]:
    for k, one in enumerate(edge_problems(first)):
        loss = lambda params, one=one: one.loss(coordinates(params))  # noqa: E731
        same = Listed(one.name, box(0, 1, one.dimension), loss)
        yield searched(same, seed + k, 60, optimum=0.0)


def many(problems: Callable[[int], Iterator[tuple[str, int, Gap]]], n: int) -> Iterator[Job]:
    for seed in range(5):
        for name, d, gap in problems(seed):
            loss = lambda params, gap=gap: gap(coordinates(params))  # noqa: E731
            yield searched(Listed(name, box(0, 1, d), loss), seed, n, optimum=0.0)


def measured(tasks: Callable[[], list[noisy_runs.Task]], seeds: int, first: int) -> Iterator[Job]:
    for seed in range(first, first + seeds):
        for task in tasks():
            run = partial(recommended, task, seed)
            yield Job(task.name, seed, run, optimum=0.0)


def recommended(task: noisy_runs.Task, seed: int, given: Study) -> list[float]:
    """By how much what is recommended falls short, after 10, 20, 30 and 40 measurements."""
    if "peer" in given:
        losses = noisy_runs.by_peer(*PEERS[given["peer"]])(task, seed)
    else:
        losses = noisy_runs.by_pathmax(task, seed, **given)
    return [(loss - task.best) / task.spread for loss in losses]


def discrete(regime: str, n: int, optimum: float | None = None) -> Iterator[Job]:
    for problem in suites()[regime]():
        for seed in range(problem.repeats):
            yield searched(problem, seed, n, optimum)


REGIMES: dict[str, tuple[tuple[int, ...], Callable[[], Iterator[Job]]]] = {
    "textbook": (LOOKS, textbook),
    "edges": (LOOKS, edges),
    "edges-others": (LOOKS, partial(edges, 4)),
    **{f"boxes-{d}": (LOOKS, partial(boxes, d)) for d in (2, 3, 4, 5, 10, 20)},
    **{f"wide-{d}": (LOOKS, partial(wide, d)) for d in (2, 3, 5, 10)},
    "many": ((15, 30, 60, 100), partial(many, own_problems, 100)),
    "high": ((30, 60, 100, 150), partial(many, high_problems, 150)),
    "long": ((50, 100, 200, 300), partial(boxes, 4, n=300, functions=range(1, 25, 3))),
    "noisy": (noisy_runs.LOOKS, partial(measured, noisy_runs.functions, 4, 2000)),
    "reaction": (noisy_runs.LOOKS, partial(measured, lambda: [noisy_runs.reaction()], 50, 2000)),
    "mixed": (LOOKS, partial(discrete, "mixed", 60, 0.0)),
    "lists": (LOOKS, partial(discrete, "lists", 60)),
    "pools": ((10, 20, 30, 40), partial(discrete, "pools", 40)),
    "batches": ((24, 48, 64, 88), partial(discrete, "batches", 88, 0.0)),
    **{f"confirm-{d}": (LOOKS, partial(boxes, d, 11)) for d in (2, 3, 4, 5, 6, 8, 10)},
}


def chosen(regime: str, most: int | None) -> list[Job]:
    """The runs of a regime, or so many of them that are spread evenly over its list."""
    jobs = list(REGIMES[regime][1]())
    order = np.argsort(np.modf(0.618034 * np.arange(len(jobs)))[0], kind="stable")
    return [jobs[i] for i in order[:most]]


def trace_file(regime: str, version: str) -> Path:
    return peer_runs.trace_file(HERE / regime, version)


def load(regime: str, version: str) -> dict[tuple[str, int], dict[str, Any]]:
    """(problem, seed) -> the line of that run."""
    return peer_runs.load(trace_file(regime, version))


def processor_seconds() -> float:
    """Of this process and of peers that have ended, their imports included."""
    ended = os.times()
    return time.process_time() + ended.children_user + ended.children_system


def run(regime: str, version: str, most: int | None, given: Study) -> None:
    done, file = load(regime, version), trace_file(regime, version)
    for job in chosen(regime, most):
        if (job.problem, job.seed) in done:
            continue
        started = processor_seconds()
        losses = job.losses(given)
        spent = processor_seconds() - started
        if len(losses) > len(REGIMES[regime][0]):  # what is recommended may also become worse
            losses = np.minimum.accumulate(losses).tolist()
        row = {"problem": job.problem, "seed": job.seed, "optimum": job.optimum}
        row |= {"losses": [float(f"{one:.7g}") for one in losses], "seconds": float(f"{spent:.3g}")}
        peer_runs.keep(file, row, ours="peer" not in given)


def versions(regime: str) -> list[str]:
    return sorted(file.stem for file in (HERE / regime).glob("*.jsonl"))


def regrets(regime: str, version: str, other: str, floor: float) -> tuple[list[Any], np.ndarray]:
    """The runs that both have, and what each misses at the looks: (2, runs, looks)."""
    both = [load(regime, name) for name in (version, other)]
    lowest: dict[str, float] = {}
    for name in versions(regime):
        for (problem, _), row in load(regime, name).items():
            known = min(row["losses"]) if row["optimum"] is None else row["optimum"]
            lowest[problem] = min(lowest.get(problem, math.inf), known)
    keys = [key for key in both[1] if key in both[0]]
    looks = REGIMES[regime][0]
    found = np.empty((2, len(keys), len(looks)))
    for i, key in enumerate(keys):
        losses = [np.array(runs[key]["losses"]) - lowest[key[0]] for runs in both]
        unit = float(np.median(losses[1][:5])) or 1.0
        for which, one in enumerate(losses):
            at = one if len(one) == len(looks) else one[np.array(looks) - 1]
            found[which, i] = np.maximum(at, 0.0) + floor * unit
    return keys, found


@dataclass(frozen=True)
class Comparison:
    """Of the runs that two versions share; arrays have an entry for each look."""

    runs: int
    ratio: np.ndarray  # of regrets, with its 95 % interval
    low: np.ndarray
    high: np.ndarray
    ahead: np.ndarray  # minus behind, per cent of runs, with one standard error
    doubt: np.ndarray
    seconds: float  # of processor time, as a ratio


def measure(
    regime: str, version: str, other: str, floor: float = FLOOR, only: str = ""
) -> Comparison | None:
    """One version beside another, or None if they share no run."""
    keys, found = regrets(regime, version, other, floor)
    some = [i for i, key in enumerate(keys) if only in key[0]]
    keys, found = [keys[i] for i in some], found[:, some]
    if not keys:
        return None
    logs = np.clip(np.log(found[0] / found[1]), -MOST, MOST)
    ahead = np.where(np.abs(found[0] / found[1] - 1.0) < 0.02, 0.0, np.sign(found[1] - found[0]))
    same = len({name for name, _ in keys}) == 1  # then its runs are what is drawn
    weights = bootstrap_weights([(str(k), 0) for k in keys] if same else keys, 2000)
    drawn = weights @ logs / np.maximum(weights.sum(axis=1, keepdims=True), 1.0)
    low, high = np.exp(np.quantile(drawn, [0.025, 0.975], axis=0))
    mine, theirs = (load(regime, name) for name in (version, other))
    spent = sum(mine[key]["seconds"] for key in keys) / sum(theirs[key]["seconds"] for key in keys)
    share, doubt = 100.0 * ahead.mean(axis=0), 100.0 * ahead.std(axis=0) / np.sqrt(len(keys))
    return Comparison(len(keys), np.exp(logs.mean(axis=0)), low, high, share, doubt, spent)


def compare(regime: str, version: str, other: str, floor: float, only: str = "") -> list[str]:
    """A line of the report: the runs, a cell for each look, processor time as a ratio."""
    one = measure(regime, version, other, floor, only)
    if one is None:
        return []
    cells = [
        f"{ratio:.2f} ({low:.2f} to {high:.2f}), {ahead:+.0f} +- {doubt:.0f}"
        for ratio, low, high, ahead, doubt in zip(
            one.ratio, one.low, one.high, one.ahead, one.doubt, strict=True
        )
    ]
    return [regime, version, str(one.runs), *cells, f"{one.seconds:.2f}"]


def named(version: str, now: str) -> str:
    """A version's name; the code as it is may be called so."""
    return now if version == "now" else version


def run_from(src: str | None, module: str) -> None:
    """Run this command again with the source tree `src`, unless it is what runs now."""
    if src and os.environ.get("PYTHONPATH", "").split(os.pathsep)[0] != src:
        path = os.pathsep.join([src, os.getcwd()])
        command = [sys.executable, "-m", module, *sys.argv[1:]]
        sys.exit(subprocess.run(command, env=os.environ | {"PYTHONPATH": path}).returncode)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("do", choices=["run", "report"])
    parser.add_argument("names", nargs="+", help="run: a version, then regimes; report: versions")
    parser.add_argument("--src", help="the source folder of the version")
    parser.add_argument("--patch", help="a file to execute before the first run")
    parser.add_argument("--method", default="pims")
    parser.add_argument("--options", type=json.loads, default={})
    parser.add_argument("--runs", type=int, help="at most so many of each regime")
    parser.add_argument("--against", default="engine-6")
    parser.add_argument("--only", default="", help="problems with this in their name")
    parser.add_argument("--floor", type=float, default=FLOOR)
    parser.add_argument("--regimes", nargs="*", default=list(REGIMES), choices=list(REGIMES))
    asked = parser.parse_args()
    asked.names = [named(name, NOW) for name in asked.names]
    if asked.do == "report":
        for regime in asked.regimes:
            lines = [
                compare(regime, name, asked.against, asked.floor, asked.only)
                for name in asked.names
            ]
            head = ["regime", "version", "runs", *(f"after {n}" for n in REGIMES[regime][0])]
            if any(lines):
                print(table([*head, "time"], [line for line in lines if line]) + "\n")
        return
    run_from(asked.src, "benchmarks.paired_runs")
    if asked.patch:
        runpy.run_path(asked.patch)
    version, *regimes = asked.names
    given = {"method": asked.method, "options": asked.options}
    if version in PEERS:
        given = {"peer": version}
    for regime in regimes:
        started = time.process_time()
        run(regime, version, asked.runs, given)
        print(f"{regime}, {version}: {time.process_time() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
