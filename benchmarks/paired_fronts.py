"""Two versions of the engine on the same fronts and seeds: whose results miss less hypervolume?

    python -m benchmarks.paired_fronts run engine-7 --src OLD/src --seeds 2
    python -m benchmarks.paired_fronts run idea --patch idea.py
    python -m benchmarks.paired_fronts report idea --against engine-7

A version is a source folder, a file that is executed first (as in `paired_runs`), another method,
or the code as it is, `now`. The fronts are those of `own_fronts`; `run` adds the values of every
trial to benchmarks/traces/own_fronts/VERSION.jsonl and skips what is there, seed by seed.

Nobody knows which reference a front will be measured from, and each favours some rule. So there are
two: a tenth of a span beyond the nadir of the best known front (`near`), and a whole span (`far`).
That front comes from a long evolutionary search, made once and kept in known.json. A cell of the
report is the share of hypervolume that is missing, relative to the other version's: geometric mean
over runs, each ratio cut at a factor of ten and FLOOR added to both shares, with two standard
errors of the logarithm, and the runs ahead minus behind by 2 %, in per cent; `near and far` is the
mean of both logarithms.
"""

from __future__ import annotations

import argparse
import json
import runpy
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import pathmax
from benchmarks import engines, peer_runs
from benchmarks.clock import table
from benchmarks.own_fronts import Front, own_fronts
from benchmarks.paired_runs import named, run_from
from pathmax.acquisition.hypervolume import hypervolume
from pathmax.arrays import Array
from pathmax.trials.pareto import pareto_mask

HERE = Path(__file__).parent / "traces" / "own_fronts"
KNOWN = HERE / "known.json"
NOW = engines.name(engines.SEVERAL_OUTCOMES)
TRIALS = 40
LOOKS = (15, 20, 30, 40)
MARGINS = {"near": 0.1, "far": 1.0}  # spans of the best known front
FLOOR = 1e-3
MOST = np.log(10.0)
Known = dict[str, dict[str, Any]]


# ---- the best known fronts


def evolve(front: Front, rng: np.random.Generator, rounds: int = 250, keep: int = 300) -> Array:
    """The objectives of a long search: mutations and crossings of what nothing dominates."""
    d = len(front.low)
    U = rng.random((50_000, d))
    F, C = front(U)
    good = (C <= 0.0).all(axis=1)
    if not good.any():
        raise ValueError(f"{front.name}: no random point is feasible")
    U, F = thinned(U[good], F[good], keep, rng)
    for turn in range(rounds):
        a, b, c = (U[rng.integers(len(U), size=1500)] for _ in range(3))
        step = rng.choice([0.5, 1.0], size=(1500, 1)) * (b - c)
        step += rng.standard_normal((1500, d)) * 0.3 * 10.0 ** (-3.0 * turn / rounds)
        children = np.where(rng.random((1500, d)) < rng.random((1500, 1)), a + step, a)
        children = np.clip(children, 0.0, 1.0)
        values, C = front(children)
        good = (C <= 0.0).all(axis=1)
        U, F = np.concatenate([U, children[good]]), np.concatenate([F, values[good]])
        U, F = thinned(U, F, keep, rng)
    return F


def thinned(U: Array, F: Array, keep: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """What nothing dominates, at most so many of them, the ends and those that lie apart."""
    F, first = np.unique(F, axis=0, return_index=True)
    U, rows = U[first], pareto_mask(-F)
    U, F = U[rows], F[rows]
    if len(F) <= keep:
        return U, F
    Q = (F - F.min(axis=0)) / np.maximum(np.ptp(F, axis=0), 1e-12)
    chosen = list(np.unique(np.argmin(Q, axis=0)))
    nearest = np.min([np.abs(Q - Q[i]).max(axis=1) for i in chosen], axis=0)
    while len(chosen) < keep:
        chosen.append(int(np.argmax(nearest)))
        nearest = np.minimum(nearest, np.abs(Q - Q[chosen[-1]]).max(axis=1))
    return U[chosen], F[chosen]


def known_fronts() -> Known:
    """For every problem the reference points and the best known hypervolumes."""
    known: Known = json.loads(KNOWN.read_text()) if KNOWN.exists() else {}
    for front in own_fronts():
        if front.name in known:
            continue
        F = evolve(front, np.random.default_rng(7))
        nadir, spans = F.max(axis=0), np.ptp(F, axis=0)
        spread = front(np.random.default_rng(8).random((4000, len(front.low))))
        one: dict[str, Any] = {"spreads": [part.std(axis=0).tolist() for part in spread]}
        for name, margin in MARGINS.items():
            reference = nadir + margin * spans
            one[name] = [reference.tolist(), hypervolume(-F, -reference)]
        known[front.name] = one
        KNOWN.parent.mkdir(parents=True, exist_ok=True)
        KNOWN.write_text(json.dumps(known, indent=1) + "\n")
    return known


# ---- runs


def file_of(version: str) -> Path:
    return HERE / f"{version}.jsonl"


def load(version: str) -> peer_runs.Runs:
    return peer_runs.load(file_of(version))


def run_one(front: Front, seed: int, known: dict[str, Any], given: dict[str, Any]) -> list[Any]:
    """The true outcomes of every trial, objectives and constraints."""
    spreads, told_from = known["spreads"], given.pop("told", None)
    F, C = front(np.full((1, len(front.low)), 0.5))
    names = [f"f{k}" for k in range(F.shape[1])], [f"c{j}" for j in range(C.shape[1])]
    study = pathmax.Study(
        {f"x{i}": pathmax.Float(0.0, 1.0) for i in range(len(front.low))},
        objectives=dict.fromkeys(names[0], "minimize"),
        constraints=dict.fromkeys(names[1], "<= 0") or None,
        reference=told_from and dict(zip(names[0], known[told_from][0], strict=True)),
        seed=seed,
        **given,
    )
    rng, rows = np.random.default_rng([seed, 99]), []
    for _ in range(TRIALS):
        trial = study.ask()
        u = np.array([[trial.params[f"x{i}"] for i in range(len(front.low))]])
        found = [part[0] for part in front(u)]
        told = [
            part + front.noise * np.array(spread) * rng.standard_normal(len(part))
            for part, spread in zip(found, spreads, strict=True)
        ]
        values = zip([*names[0], *names[1]], np.concatenate(told).tolist(), strict=True)
        study.tell(trial, dict(values))
        rows.append([[float(f"{x:.8g}") for x in part] for part in found])
    return rows


def run(version: str, seeds: Sequence[int], only: str, given: dict[str, Any]) -> None:
    known, done = known_fronts(), load(version)
    for seed in seeds:
        for front in own_fronts():
            if (front.name, seed) in done or only not in front.name:
                continue
            started = time.process_time()
            rows = run_one(front, seed, known[front.name], dict(given))
            spent = float(f"{time.process_time() - started:.3g}")
            row = {"problem": front.name, "seed": seed, "seconds": spent, "results": rows}
            peer_runs.keep(file_of(version), row, ours=True)


def missing(row: dict[str, Any], known: dict[str, Any], margin: str) -> Array:  # -> (looks,)
    """The share of the best known hypervolume that the feasible results so far do not reach."""
    reference, best = known[margin]
    rows = row["results"]
    good = np.array([all(c <= 0.0 for c in constraints) for _, constraints in rows])
    F = np.array([objectives for objectives, _ in rows])
    found = [
        hypervolume(-F[:n][good[:n]], -np.array(reference)) if good[:n].any() else 0.0
        for n in LOOKS
    ]
    return np.maximum(1.0 - np.array(found) / best, 0.0)


def compare(version: str, other: str, margins: Sequence[str], only: str = "") -> list[str]:
    """A row of the report: by one measure, or by the mean over several."""
    known, mine, theirs = known_fronts(), load(version), load(other)
    keys = [key for key in theirs if key in mine and only in key[0]]
    if not keys:
        return []
    by = []
    for margin in margins:
        both = np.array(
            [[missing(runs[key], known[key[0]], margin) for key in keys] for runs in (mine, theirs)]
        )
        by.append(np.clip(np.log((both[0] + FLOOR) / (both[1] + FLOOR)), -MOST, MOST))
    logs = np.mean(by, axis=0)
    ahead = np.where(np.abs(logs) < 0.02, 0.0, -np.sign(logs))
    cells = []
    for j in range(len(LOOKS)):
        mean, doubt = logs[:, j].mean(), 2.0 * logs[:, j].std() / np.sqrt(len(keys))
        cells.append(
            f"{np.exp(mean):.2f} +- {np.exp(mean) * doubt:.2f}, {100 * ahead[:, j].mean():+.0f}"
        )
    spent = [sum(runs[key]["seconds"] for key in keys) for runs in (mine, theirs)]
    return [version, " and ".join(margins), str(len(keys)), *cells, f"{spent[0] / spent[1]:.2f}"]


def each(version: str, other: str) -> list[list[str]]:
    """Per cent missing of every run that both have, after the last two looks."""
    known, mine, theirs = known_fronts(), load(version), load(other)
    lines = []
    for key in theirs:
        if key in mine:
            cells = []
            for margin in MARGINS:
                two = [
                    100.0 * missing(runs[key], known[key[0]], margin)[-2:]
                    for runs in (mine, theirs)
                ]
                cells += [f"{two[0][j]:.3g} / {two[1][j]:.3g}" for j in range(2)]
            lines.append([key[0], str(key[1]), *cells])
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("do", choices=["run", "report", "each"])
    parser.add_argument("names", nargs="+", help="run: a version; report: versions")
    parser.add_argument("--src", help="the source folder of the version")
    parser.add_argument("--patch", help="a file to execute before the first run")
    parser.add_argument("--method", default="pims")
    parser.add_argument("--told", choices=list(MARGINS), help="tell studies this reference")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--against", default="engine-7")
    parser.add_argument("--only", default="", help="problems with this in their name")
    asked = parser.parse_args()
    asked.names = [named(name, NOW) for name in asked.names]
    if asked.do != "run":
        looks = [f"after {n}" for n in LOOKS]
        for name in asked.names:
            if asked.do == "each":
                head = [f"{m}, after {n}" for m in MARGINS for n in LOOKS[-2:]]
                print(table(["problem", "seed", *head], each(name, asked.against)) + "\n")
        lines = [
            compare(name, asked.against, margins, asked.only)
            for name in asked.names
            for margins in (*((one,) for one in MARGINS), tuple(MARGINS))
        ]
        print(
            table(["version", "reference", "runs", *looks, "time"], [one for one in lines if one])
        )
        return
    run_from(asked.src, "benchmarks.paired_fronts")
    if asked.patch:
        runpy.run_path(asked.patch)
    seeds = range(asked.first, asked.first + asked.seeds)
    run(asked.names[0], seeds, asked.only, {"method": asked.method, "told": asked.told})


if __name__ == "__main__":
    main()
