"""Where experiments break: pessimistic values at failed points, or a learnt chance of breaking?

    python -m benchmarks.failures --seeds 16 --trials 40      prints the table of surrogate.md

    avoided     `study.fail`: what a study does, a pessimistic value where a trial failed
    learnt      whether it worked is an outcome of its own with a bound, so that the same joint
                sample paths give the chance that a point works (Gelbart et al., arXiv 1403.5607,
                have a classifier there)
    forgotten   the objective is told nothing, and the point may come again

The functions are Branin's and Hartmann's in three dimensions; a region fails, or one trial in four
by chance. Regret is that of the best trial that worked, in standard deviations of the function.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import pathmax
from benchmarks.clock import table

Array = NDArray[np.float64]
WAYS = ("avoided", "learnt", "forgotten")


@dataclass(frozen=True, eq=False)
class Breaking:
    """A function to be minimised on the unit cube, and where it breaks."""

    name: str
    dimension: int
    values: Callable[[Array], Array]  # (m, d) -> (m,)
    breaks: Callable[[Array], NDArray[np.bool_]]  # (m, d) -> (m,)
    by_chance: float = 0.0


def branin(U: Array) -> Array:
    a, b = 15.0 * U[:, 0] - 5.0, 15.0 * U[:, 1]
    valley = b - 5.1 / (4.0 * math.pi**2) * a**2 + 5.0 / math.pi * a - 6.0
    return np.asarray(valley**2 + 10.0 * (1.0 - 1.0 / (8.0 * math.pi)) * np.cos(a) + 10.0)


def hartmann(U: Array) -> Array:
    A = np.array([[3.0, 10, 30], [0.1, 10, 35], [3.0, 10, 30], [0.1, 10, 35]])
    P = 1e-4 * np.array(
        [[3689, 1170, 2673], [4699, 4387, 7470], [1091, 8732, 5547], [381, 5743, 8828]]
    )
    hills = np.exp(-(A * (U[:, None] - P) ** 2).sum(axis=2))
    return -np.asarray(hills @ np.array([1.0, 1.2, 3.0, 3.2]))


def never(U: Array) -> NDArray[np.bool_]:
    return np.zeros(len(U), dtype=bool)


def problems() -> list[Breaking]:
    return [
        Breaking("Branin, its lower left fails", 2, branin, lambda U: U.sum(axis=1) < 0.9),
        Breaking("Branin, best beside a failing disc", 2, branin,
                 lambda U: ((U - [0.54, 0.29]) ** 2).sum(axis=1) < 0.15**2),
        Breaking("Branin, fails above a wavy line", 2, branin,
                 lambda U: U[:, 1] > 0.25 + 0.1 * np.sin(9.0 * U[:, 0])),
        Breaking("Hartmann-3, half of it fails", 3, hartmann, lambda U: U[:, 2] + U[:, 0] > 0.95),
        Breaking("Hartmann-3, fails where it is best", 3, hartmann, lambda U: hartmann(U) < -3.4),
        Breaking("Hartmann-3, one in four by chance", 3, hartmann, never, by_chance=0.25),
    ]  # fmt: skip


def best_of(one: Breaking) -> tuple[float, float]:
    """The least value that works, and the standard deviation of the function."""
    rng = np.random.default_rng(1)
    U = rng.random((400_000, one.dimension))
    inside = U[~one.breaks(U)]
    values = one.values(inside)
    best, width = inside[np.argmin(values)], 0.1
    for _ in range(12):  # ever closer about the best
        near = np.clip(best + width * rng.standard_normal((20_000, one.dimension)), 0.0, 1.0)
        near = np.concatenate([best[None], near[~one.breaks(near)]])
        best, width = near[np.argmin(one.values(near))], 0.5 * width
    return float(one.values(best[None])[0]), float(one.values(U).std())


def run(one: Breaking, way: str, seed: int, trials: int) -> tuple[int, float]:
    """How many trials failed, and the least value."""
    space = {f"x{i}": pathmax.Float(0, 1) for i in range(one.dimension)}
    chance = np.random.default_rng([seed, 5])
    learnt = {"objectives": {"loss": "minimize"}, "constraints": {"worked": ">= 1"}}
    goals = learnt if way == "learnt" else {"direction": "minimize"}
    study = pathmax.Study(space, seed=seed, **goals)
    failures, best = 0, math.inf
    for _ in range(trials):
        trial = study.ask()
        u = np.array([list(trial.params.values())])
        broken = bool(one.breaks(u)[0]) or chance.random() < one.by_chance
        value = float(one.values(u)[0])
        failures, best = failures + broken, best if broken else min(best, value)
        if way == "learnt":
            study.tell(trial, {"worked": 0.0} if broken else {"loss": value, "worked": 1.0})
        elif broken:
            reason = "broken" if way == "avoided" else "interrupted before there was a result"
            study.fail(trial, reason)
        else:
            study.tell(trial, value)
    return failures, best


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=16)
    parser.add_argument("--trials", type=int, default=40)
    asked = parser.parse_args()
    rows = []
    for one in problems():
        best, spread = best_of(one)
        cells = []
        for way in WAYS:
            found = [run(one, way, seed, asked.trials) for seed in range(asked.seeds)]
            failed = np.mean([count for count, _ in found])
            regrets = np.maximum([(value - best) / spread for _, value in found], 0.0)
            cells.append(f"{failed:.0f} / {np.median(regrets):.2g} / {np.mean(regrets):.2g}")
        rows.append([one.name, *cells])
    print("Failed trials, median and mean regret:\n")
    print(table(["problem", *WAYS], rows))


if __name__ == "__main__":
    main()
