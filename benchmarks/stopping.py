"""What `StopWhen` costs beside suggestions, in processor time.

    python -m benchmarks.stopping            whole runs that end by the rule, and the same without
    python -m benchmarks.stopping checks     one check, far from the goal and at it

After every trial the rule has a rough look at 16 sample paths; when these say that the goal may be
near it draws 64 and more under all plausible parameters, when as much has been spent on suggestions
since the last time. A run that is checked takes turns with one of as many trials that is not.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

from pathmax import Float, StopWhen, Study
from pathmax.analysis.stopping import Verdict
from pathmax.trials.trial import Trial

DIMENSION = 4
SIZES = (20, 50, 100)
TURNS = 7
FAR, NEAR = 1e-9, 1e9  # regrets: one is never reached, the other at once
ROUGH, ALL = "far from the goal", "at the goal"
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


Function = Callable[[np.ndarray], float]
# A function, its dimension, and a regret that is reached within MOST_TRIALS.
RUNS: dict[str, tuple[Function, int, float]] = {
    "branin": (branin, 2, 10.0),
    "hartmann": (hartmann, 3, 0.02),
    "hills": (hills, DIMENSION, 0.05),
}


def begun(d: int, seed: int = 0, initial: int | None = None) -> Study:
    return Study({f"x{i}": Float(0, 1) for i in range(d)}, seed=seed, initial=initial)


def advance(study: Study, f: Function, rule: StopWhen | None = None) -> tuple[float, Verdict]:
    """A trial, and a check if there is a rule: the processor time of both, and what it said."""
    start = time.process_time()
    trial: Trial = study.ask()
    study.tell(trial, f(np.array(list(trial.params.values()))))
    verdict = Verdict(False, "") if rule is None else rule(study)
    return time.process_time() - start, verdict


def whole_run(f: Function, d: int, seed: int, n: int, rule: StopWhen | None) -> tuple[float, int]:
    """Its processor time, and after how many trials it ended."""
    study, spent = begun(d, seed), 0.0
    for i in range(n):
        seconds, stop = advance(study, f, rule)
        spent += seconds
        if stop:
            return spent, i + 1
    return spent, n


def runs() -> None:
    whole_run(hills, 2, 0, 15, StopWhen(regret=NEAR, after=12))  # what is imported on first use
    for name, (f, d, goal) in RUNS.items():
        for seed in SEEDS:
            rule = StopWhen(regret=goal)
            checked, trials = whole_run(f, d, seed, MOST_TRIALS, rule)
            alone, _ = whole_run(f, d, seed, trials, None)
            print(
                f"{name} within {goal:g}, seed {seed}: {trials} trials, {checked:.2f} s with the "
                f"rule, {alone:.2f} s without: {checked / alone:.2f} times",
                flush=True,
            )


def checks() -> None:
    print("processor seconds of a trial, medians; and what a check adds, in trials without one")
    for n in SIZES:
        spent: dict[str, list[float]] = {"no check": [], ROUGH: [], ALL: []}
        goals = {"no check": None, ROUGH: FAR, ALL: NEAR}
        studies = {name: begun(DIMENSION, initial=n - 4) for name in spent}
        for study in studies.values():
            for _ in range(n):
                advance(study, hills)
        for turn in range(TURNS):
            for name, goal in goals.items():
                # a goal of its own each time: the first check of a rule is carried out
                rule = None if goal is None else StopWhen(regret=goal * (1.0 + turn))
                spent[name].append(advance(studies[name], hills, rule)[0])
        alone, far, near = (statistics.median(times) for times in spent.values())
        print(
            f"n = {n}: no check {alone:.3f}; {ROUGH} {far:.3f}, +{far / alone - 1.0:.2f}; "
            f"{ALL} {near:.3f}, +{near / alone - 1.0:.1f}"
        )


if __name__ == "__main__":
    checks() if sys.argv[1:] == ["checks"] else runs()
