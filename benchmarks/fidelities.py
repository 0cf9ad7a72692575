"""Fidelities: what it costs to come as near to the optimum as with the target fidelity alone.

    python -m benchmarks.fidelities --seeds 5 --budget 12 prints the table of fidelities.md
    python -m benchmarks.fidelities --time                suggestion time at 200 results

Both begin with five trials. The regret is that of what the study recommends, looked at whenever
another unit (one trial at the target) was spent. The cost to the same regret is when the median
over the seeds comes as near as the single fidelity does at the end of its budget, for good; or to a
thousandth of the distance from the optimum to random points, which counts as solved.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

import pathmax
from benchmarks.fidelity_functions import Approximated, functions

Array = NDArray[np.float64]
SOLVED = 1e-3


def trace(problem: Approximated, seed: int, budget: int, several: bool) -> Array:  # -> (budget,)
    """The regret of the recommendation after each unit of cost; NaN before there is one."""
    study = pathmax.Study(problem.space if several else problem.searched, seed=seed)
    spent, regrets = 0.0, np.full(budget, np.nan)
    while spent < budget:
        trial = study.ask()
        before, spent = spent, spent + problem.cost(trial.params)
        if int(before) < int(spent + 1e-9):
            regrets[int(before) : int(spent + 1e-9)] = regret(study, problem)
        study.tell(trial, problem(trial.params))
    return regrets[:budget]


def regret(study: pathmax.Study, problem: Approximated) -> float:
    """How far what is recommended falls short at the target."""
    try:
        found = {k: v for k, v in study.recommend().items() if k != "fidelity"}
    except pathmax.errors.TrialError:  # no result yet
        return float("nan")
    return max(problem.best - problem(found), 0.0)


def reached(traces: Array, level: float) -> float:  # (seeds, budget)
    """The cost from which on the median is at most this; inf if it never is."""
    median = np.nanmedian(np.where(np.isnan(traces), np.inf, traces), axis=0)
    above = np.flatnonzero(~(median <= level))
    last = above[-1] + 1 if len(above) else 0
    return float(last + 1) if last < len(median) else float("inf")


def row(problem: Approximated, seeds: Sequence[int], budget: int) -> str:
    """A line of the table."""
    one = np.array([trace(problem, seed, budget, False) for seed in seeds])
    many = np.array([trace(problem, seed, budget, True) for seed in seeds])
    # nearer than a thousandth of what random points fall short of, both have solved it
    level = max(float(np.median(one[:, -1])) * (1 + 1e-9), SOLVED * problem.spread)
    alone, cheap = reached(one, level), reached(many, level)
    ratio = f"{alone / cheap:.1f}" if np.isfinite(cheap) else f"below {alone / budget:.1f}"
    return (
        f"| {problem.name} | {level:.2g} | {np.median(many[:, -1]):.2g} | {alone:.0f} | "
        f"{cheap:.0f} | {ratio} |"
    )


def suggestion_times(results: int = 200, repeats: int = 5) -> str:
    """Processor time of a suggestion at so many results, with and without a fidelity."""
    problem = functions("reported")[-1]  # six numbers and a fidelity
    rng = np.random.default_rng(0)
    studies = []
    for space in (problem.searched, problem.space):
        study = pathmax.Study(space, seed=0)
        U = rng.random((results, study.space.dimension))
        rows = [study.space.decode(u) for u in U]
        study.add([params | {"value": problem(params)} for params in rows])
        study.fail(study.ask(), "not wanted")  # the model is learnt
        studies.append(study)
    times: list[list[float]] = [[], []]
    for _ in range(repeats):
        for found, study in zip(times, studies, strict=True):
            trial = study.ask()
            study.tell(trial, problem(trial.params))
            began = time.process_time()
            study.ask()
            found.append(time.process_time() - began)
    alone, with_fidelity = (float(np.median(found)) for found in times)
    return (
        f"One suggestion at {results} results, six numbers: {1000 * alone:.0f} ms without and "
        f"{1000 * with_fidelity:.0f} ms with a fidelity, {with_fidelity / alone:.2f} times as long."
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--set", default="reported", choices=["development", "reported"])
    parser.add_argument("--only", nargs="+", help="names of functions")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--budget", type=int, default=25)
    parser.add_argument("--time", action="store_true", help="suggestion time only")
    options = parser.parse_args()
    if options.time:
        print(suggestion_times())
        return
    print("| function | regret, target only | with fidelities | cost | with fidelities | ratio |")
    print("| --- | --- | --- | --- | --- | --- |", flush=True)
    for problem in functions(options.set):
        if not options.only or problem.name in options.only:
            print(row(problem, range(options.seeds), options.budget), flush=True)


if __name__ == "__main__":
    main()
