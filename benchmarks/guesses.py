"""What an expert's guess is worth: a right one, a wrong one, and none.

    python -m benchmarks.guesses --seeds 60 --trials 30      prints the table of guesses.md

Each problem is a sum of hills in the unit cube of three dimensions, of which one is the highest. A
right guess is that hill's top, off by a tenth of the range in every coordinate; a wrong one is in
the corner opposite, as far from it as the cube allows. The problems are random and have no other
use here.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

import pathmax

D = 3
AFTER = (5, 10, 15, 20, 30)
KINDS = ("none", "right", "wrong")


def problem(seed: int) -> tuple[Callable[[dict[str, float]], float], np.ndarray]:
    """A function with a maximum of 1, and where that is."""
    rng = np.random.default_rng([seed, 77])
    tops = rng.random((8, D))
    heights = np.append(1.0, 0.3 + 0.4 * rng.random(7))
    widths = 0.12 + 0.15 * rng.random(8)

    def f(params: dict[str, float]) -> float:
        x = np.array([params[f"x{i}"] for i in range(D)])
        return float(np.max(heights * np.exp(-0.5 * ((x - tops) ** 2).sum(axis=1) / widths**2)))

    return f, tops[0]


def guess(kind: str, top: np.ndarray, seed: int) -> np.ndarray | None:
    rng = np.random.default_rng([seed, 78])
    if kind == "none":
        return None
    if kind == "right":
        return np.clip(top + 0.1 * rng.choice([-1.0, 1.0], D), 0.0, 1.0)
    return np.where(top < 0.5, 0.95, 0.05)


def regrets(kind: str, seed: int, trials: int) -> np.ndarray:
    """1 less the best value after each trial."""
    f, top = problem(seed)
    at = guess(kind, top, seed)
    space = {
        f"x{i}": pathmax.Float(0, 1, likely=None if at is None else float(at[i])) for i in range(D)
    }
    study = pathmax.Study(space, seed=seed)
    for _ in range(trials):
        trial = study.ask()
        study.tell(trial, f(trial.params))
    return 1.0 - np.maximum.accumulate([trial.value for trial in study.trials])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--trials", type=int, default=30)
    given = parser.parse_args()
    after = [n for n in AFTER if n <= given.trials]
    print(f"{given.seeds} problems, mean (median) regret after n trials\n")
    print("| guess | " + " | ".join(f"n = {n}" for n in after) + " |")
    print("| --- |" + " --- |" * len(after))
    at, found = np.array(after) - 1, {}
    for kind in KINDS:
        runs = [regrets(kind, seed, given.trials)[at] for seed in range(given.seeds)]
        found[kind] = np.stack(runs)  # (problems, after)
        means = zip(found[kind].mean(axis=0), np.median(found[kind], axis=0), strict=True)
        cells = [f"{mean:.3f} ({median:.3f})" for mean, median in means]
        print(f"| {kind} | " + " | ".join(cells) + " |", flush=True)
    for kind in KINDS[1:]:
        more = found[kind] - found["none"]
        errors = more.std(axis=0, ddof=1) / len(more) ** 0.5
        cells = [f"{m:+.3f} ± {e:.3f}" for m, e in zip(more.mean(axis=0), errors, strict=True)]
        print(f"| {kind} less none, problem by problem | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
