"""Transfer: what a study gains from an older one, and what it loses when that has nothing to say.

    python -m benchmarks.transfer --seeds 5 --kinds alone related unrelated
    python -m benchmarks.transfer --development          the problems that defaults were chosen on
    python -m benchmarks.transfer --time                 processor time of a suggestion

The older study has 25 results of its own, suggested by pathmax. The new one makes 20 trials alone,
or with `learn_from` the older study: a related function, an unrelated one, or the opposite of a
related one. The regret is that of the best trial, in standard deviations of the target over its
space; of the regrets of all seeds and problems the geometric mean is taken, each at least 1e-4.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

import pathmax
from benchmarks.transfer_problems import DEVELOPMENT, REPORTED, Task

Array = NDArray[np.float64]
OLDER_RESULTS = 25
TRIALS = 20
LOOKS = (5, 10, 15, 20)
LEAST = 1e-4
KINDS = ("alone", "related", "unrelated", "opposite")


def older_study(task: Task, kind: str, seed: int) -> pathmax.Study:
    """A study of the older function."""
    study = pathmax.Study(task.space, name=kind, seed=1000 + seed)
    study.optimize(lambda p: task.value(p, task.older[kind]), OLDER_RESULTS, progress=False)
    return study


def regrets(task: Task, kind: str, seed: int) -> Array:  # -> (TRIALS,)
    """What the best trial so far falls short of, in standard deviations."""
    older = None if kind == "alone" else [older_study(task, kind, seed)]
    study = pathmax.Study(task.space, seed=seed, learn_from=older)
    study.optimize(lambda p: task.value(p), TRIALS, progress=False)
    best = np.maximum.accumulate([trial.outcomes["value"] for trial in study.trials])
    return np.maximum((task.best - best) / task.spread, LEAST)


def compare(
    families: dict[str, Callable[[int], Task]], seeds: Sequence[int], kinds: Sequence[str]
) -> None:
    """A table for each kind of older study."""
    found: dict[str, list[Array]] = {kind: [] for kind in kinds}
    print("| problem | older study | " + " | ".join(f"after {n}" for n in LOOKS) + " |")
    print("| --- | --- |" + " --- |" * len(LOOKS))
    for name, make in families.items():
        tasks = [make(seed) for seed in seeds]
        for kind in kinds:
            logs = np.log([regrets(task, kind, s) for task, s in zip(tasks, seeds, strict=True)])
            found[kind].append(logs)
            print(line(name, kind, logs), flush=True)
    for kind in kinds:
        print(line("all", kind, np.concatenate(found[kind])))
    print()
    print("Ratios to the study alone, run by run, with 95 % intervals:")
    print()
    alone = np.concatenate(found["alone"])
    print("| older study | " + " | ".join(f"after {n}" for n in LOOKS) + " |")
    print("| --- |" + " --- |" * len(LOOKS))
    for kind in kinds[1:]:
        logs = np.concatenate(found[kind])
        medians = [f"{np.exp(np.median((logs - alone)[:, n - 1])):.2f}" for n in LOOKS]
        print(f"| {kind} | " + " | ".join(intervals(logs - alone)) + " |")
        print(f"| {kind}, median | " + " | ".join(medians) + " |")
        earlier = np.column_stack([logs[:, :1] - alone[:, :1], logs[:, 1:] - alone[:, :-1]])
        print(f"| {kind}, beside one trial less alone | " + " | ".join(intervals(earlier)) + " |")


def intervals(logs: Array) -> list[str]:  # (runs, TRIALS)
    """Geometric means of ratios with 95 % intervals, at each look."""
    cells = []
    for n in LOOKS:
        some = logs[:, n - 1]
        wide = 1.96 * some.std(ddof=1) / np.sqrt(len(some))
        low, middle, high = np.exp(some.mean() + np.array([-wide, 0.0, wide]))
        cells.append(f"{middle:.2f} ({low:.2f} to {high:.2f})")
    return cells


def line(name: str, kind: str, logs: Array) -> str:  # (runs, TRIALS)
    """A row of the table: geometric means."""
    shown = [f"{np.exp(logs[:, n - 1].mean()):.3g}" for n in LOOKS]
    return f"| {name} | {kind} | " + " | ".join(shown) + " |"


def suggestion_times(repeats: int = 5) -> None:
    """Processor time of a suggestion with and without 50 older results, interleaved."""
    rng = np.random.default_rng(0)
    space = {f"x{i}": pathmax.Float(0.0, 1.0) for i in range(4)}

    def rows(n: int) -> list[dict[str, float]]:
        U = rng.random((n, 4))
        values = np.sin(5 * U[:, 0]) + U[:, 1] * U[:, 2] + U[:, 3] ** 2
        return [
            {**{f"x{i}": float(x) for i, x in enumerate(u)}, "value": float(v)}
            for u, v in zip(U, values, strict=True)
        ]

    older = rows(50)
    for n in (20, 100):
        told, spent = rows(n), {"alone": [0.0] * repeats, "learn_from": [0.0] * repeats}
        for i in range(repeats):
            for kind in spent:
                given = [older] if kind == "learn_from" else None
                study = pathmax.Study(space, seed=i, learn_from=given)
                study.add(told)
                study.ask()  # the model of the older results is made once
                study.add(rows(1))
                start = time.process_time()
                study.ask()
                spent[kind][i] = time.process_time() - start
        alone, lent = (float(np.median(spent[kind])) for kind in spent)
        print(
            f"n = {n}: alone {alone:.3f} s, with 50 older results {lent:.3f} s: {lent / alone:.1f}x"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS)
    parser.add_argument("--only", nargs="+", help="families that have one of these in their names")
    parser.add_argument("--development", action="store_true")
    parser.add_argument("--time", action="store_true")
    given = parser.parse_args()
    if given.time:
        suggestion_times()
    else:
        families = DEVELOPMENT if given.development else REPORTED
        if given.only:
            chosen = (n for n in families if any(part in n for part in given.only))
            families = {name: families[name] for name in chosen}
        compare(families, range(given.seeds), given.kinds)


if __name__ == "__main__":
    main()
