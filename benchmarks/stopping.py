"""What `StopWhen` costs beside suggestions, in processor time.

    python -m benchmarks.stopping            whole runs that end by the rule, and the same without
    python -m benchmarks.stopping checks     one look and one check of each kind, in suggestions

After every trial the rule has a rough look at sample paths; when these say that the goal may be
near it draws more under all plausible parameters, when as much has been spent on suggestions since
the last time. A run that is checked takes turns with one of as many trials that is not.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pathmax import Candidates, Float, Grid, StopWhen, Study
from pathmax.analysis.stopping import Verdict

DIMENSION = 4
SIZES = (15, 40)
TURNS = 5
FAR, NEAR = 1e-9, 1e9  # regrets: one is never reached, the other at once
MOST_TRIALS = 120
SEEDS = range(2)


def hills(x: np.ndarray) -> float:
    """A smooth function with a few maxima."""
    return float(np.sum(np.sin(5.0 * x)) - np.sum((x - 0.4) ** 2))


def branin(x: np.ndarray) -> float:
    """Three equal maxima."""
    a, b = 15.0 * x[0] - 5.0, 15.0 * x[1]
    valley = b - 5.1 / (4.0 * np.pi**2) * a**2 + 5.0 / np.pi * a - 6.0
    return -float(valley**2 + 10.0 * (1.0 - 1.0 / (8.0 * np.pi)) * np.cos(a) + 10.0)


def hartmann(x: np.ndarray) -> float:
    """Four bumps in three dimensions."""
    widths = np.array([[3, 10, 30], [0.1, 10, 35], [3, 10, 30], [0.1, 10, 35]])
    centres = 1e-4 * np.array(
        [[3689, 1170, 2673], [4699, 4387, 7470], [1091, 8732, 5547], [381, 5743, 8828]]
    )
    heights = np.array([1.0, 1.2, 3.0, 3.2])
    return float(heights @ np.exp(-(widths * (x - centres) ** 2).sum(axis=1)))


Told = float | dict[str, float]


@dataclass(frozen=True)
class Case:
    """A problem, and a regret that is reached within MOST_TRIALS."""

    f: Callable[[np.ndarray], Told]
    space: Callable[[], Any]
    goal: float
    options: dict[str, Any] = field(default_factory=dict)

    def begun(self, seed: int) -> Study:
        return Study(self.space(), seed=seed, **self.options)

    def advance(self, study: Study, rule: StopWhen | None = None) -> tuple[float, Verdict]:
        """A trial, and a check if there is a rule: processor time of both, and what it said."""
        start = time.process_time()
        trial = study.ask()
        study.tell(trial, self.f(np.array([float(value) for value in trial.params.values()])))
        verdict = Verdict(False, "") if rule is None else rule(study)
        return time.process_time() - start, verdict


def box(d: int) -> Callable[[], Any]:
    return lambda: {f"x{i}": Float(0, 1) for i in range(d)}


def pool(d: int, rows: int) -> Callable[[], Any]:
    """Rows drawn uniformly, always the same."""
    points = np.random.default_rng(7).random((rows, d))
    return lambda: Candidates([{f"x{i}": float(v) for i, v in enumerate(row)} for row in points])


def grid(d: int, levels: int) -> Callable[[], Any]:
    return lambda: Grid({f"x{i}": np.linspace(0, 1, levels).tolist() for i in range(d)})


def conflict(x: np.ndarray) -> dict[str, float]:
    """Two smooth objectives with their best at different points."""
    return {"a": -float(((x - 0.3) ** 2).sum()), "b": -float(((x - 0.7) ** 2).sum())}


def limited(x: np.ndarray) -> dict[str, float]:
    """Hills, and something to keep small that is largest where these are highest."""
    return {"yield": hills(x), "waste": float(x.sum())}


FRONT = {"objectives": {"a": "maximize", "b": "maximize"}}
BOUNDED = {"objectives": {"yield": "maximize"}, "constraints": {"waste": "<= 1"}}
CASES = {
    "Branin, 2 parameters": Case(branin, box(2), 10.0),
    "Hartmann, 3": Case(hartmann, box(3), 0.02),
    "hills, 4": Case(hills, box(DIMENSION), 0.05),
    "Hartmann, pool of 200": Case(hartmann, pool(3, 200), 0.02),
    "Hartmann, pool of 2,000": Case(hartmann, pool(3, 2000), 0.02),
    "hills, pool of 20,000": Case(hills, pool(4, 20_000), 0.05),
    "Hartmann, grid of 1,000": Case(hartmann, grid(3, 10), 0.02),
    "hills, 3, one bound": Case(limited, box(3), 0.05, BOUNDED),
    "front, 3": Case(conflict, box(3), 0.1, FRONT),
    "front, pool of 2,000": Case(conflict, pool(3, 2000), 0.1, FRONT),
}


def whole_run(case: Case, seed: int, n: int, rule: StopWhen | None) -> tuple[float, int]:
    """Its processor time, and after how many trials it ended."""
    study, spent = case.begun(seed), 0.0
    for i in range(n):
        seconds, stop = case.advance(study, rule)
        spent += seconds
        if stop:
            return spent, i + 1
    return spent, n


def runs(chosen: list[str]) -> None:
    print("| problem | regret | seed | trials | with the rule, s | without, s | times |")
    print("|" + " --- |" * 7, flush=True)
    for name, case in CASES.items():
        if chosen and not any(part in name for part in chosen):
            continue
        whole_run(case, 0, 15, StopWhen(regret=NEAR, after=12))  # what is imported on first use
        for seed in SEEDS:
            checked, trials = whole_run(case, seed, MOST_TRIALS, StopWhen(regret=case.goal))
            alone, _ = whole_run(case, seed, trials, None)
            print(
                f"| {name} | {case.goal:g} | {seed} | {trials} | {checked:.2f} | {alone:.2f} "
                f"| {checked / alone:.2f} |",
                flush=True,
            )


def checks() -> None:
    """What a look far from the goal and a check at it add to a trial, in trials without one."""
    print("Processor seconds of a trial, medians; a look and a check in trials without one.\n")
    print("| problem | results | a trial, s | a look | a check |\n|" + " --- |" * 5)
    for name, case in CASES.items():
        for n in SIZES:
            spent: dict[str, list[float]] = {"none": [], "look": [], "check": []}
            goals = {"none": None, "look": FAR, "check": NEAR}
            study = case.begun(0)
            for _ in range(n):
                case.advance(study)
            for turn in range(TURNS):
                for what, goal in goals.items():
                    # a goal of its own each time: the first check of a rule is carried out
                    rule = None if goal is None else StopWhen(regret=goal * (1.0 + turn))
                    spent[what].append(case.advance(study, rule)[0])
            alone, far, near = (statistics.median(times) for times in spent.values())
            look, check = far / alone - 1.0, near / alone - 1.0
            print(f"| {name} | {n} | {alone:.3f} | {look:.1f} | {check:.1f} |", flush=True)


if __name__ == "__main__":
    checks() if sys.argv[1:] == ["checks"] else runs(sys.argv[1:])
