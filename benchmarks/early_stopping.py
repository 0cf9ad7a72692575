"""Early stopping on recorded learning curves: what it costs to come near the best setting.

    python -m benchmarks.early_stopping diabetes-boosting --seeds 3 --budget 20
    python -m benchmarks.early_stopping --seeds 5           all that were recorded and are reported

Cost is counted in whole trainings: a trial that is stopped at step 9 of 81 costs 1/9. The regret is
the best last value of the complete trials, less the best of the grid, as a share of the distance
from there to the median. Everybody chooses places in the same lists of values.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Sequence

import numpy as np

import pathmax
from benchmarks.learning_curves import REPORTED, Problem, load, recorded

Spent = list[tuple[float, float]]  # cost so far, and the best complete value by then
RULES = ("never", "posterior", "asha", "hyperband")
PRUNERS = ("asha", "hyperband")
COSTS = (5.0, 10.0, 20.0)


def ours(problem: Problem, rule: str, seed: int, budget: float) -> Spent:
    """PIMS with a stopping rule."""
    space = {name: pathmax.Int(0, size - 1) for name, size in problem.sizes.items()}
    study = pathmax.Study(space, direction="minimize", seed=seed, stopping=rule)
    trace: Spent = []
    cost = 0.0
    while cost < budget:
        try:
            trial = study.ask()
        except pathmax.errors.ExhaustedError:  # it has stopped or completed all that there is
            break
        values = problem.curve({name: int(place) for name, place in trial.params.items()})
        for step, value in enumerate(values, start=1):
            study.report(trial, step, float(value))
            cost += 1.0 / problem.steps
            if step < problem.steps and (verdict := study.should_stop(trial)):
                study.stop(trial, str(verdict))
                break
        else:
            study.tell(trial, float(values[-1]))
            trace.append((cost, float(values[-1])))
    return trace


def optunas(problem: Problem, pruner: str, seed: int, budget: float) -> Spent:
    """TPE with a pruner."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    halving: optuna.pruners.BasePruner = optuna.pruners.SuccessiveHalvingPruner(min_resource=1)
    if pruner == "hyperband":
        halving = optuna.pruners.HyperbandPruner(1, problem.steps, 3)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed), pruner=halving)
    trace: Spent = []
    cost = 0.0
    while cost < budget:
        trial = study.ask()
        places = {name: trial.suggest_int(name, 0, n - 1) for name, n in problem.sizes.items()}
        values = problem.curve(places)
        for step, value in enumerate(values, start=1):
            trial.report(float(value), step)
            cost += 1.0 / problem.steps
            if step < problem.steps and trial.should_prune():
                study.tell(trial, state=optuna.trial.TrialState.PRUNED)
                break
        else:
            study.tell(trial, float(values[-1]))
            trace.append((cost, float(values[-1])))
    return trace


def regret(problem: Problem, trace: Spent, cost: float) -> float:
    """How far the best complete trial is from the best, by then; 1 is the median of the grid."""
    seen = [value for spent, value in trace if spent <= cost + 1e-9]
    best = min(seen, default=problem.middle)
    return (best - problem.best) / max(problem.middle - problem.best, 1e-12)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("problems", nargs="*", default=recorded(REPORTED))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--budget", type=float, default=max(COSTS))
    parser.add_argument("--ways", nargs="+", help='such as "TPE asha"; left out, all')
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    ways: dict[str, Callable[[Problem, int], Spent]] = {
        f"pathmax {rule}": lambda p, s, r=rule: ours(p, r, s, options.budget)  # type: ignore[misc]
        for rule in RULES
    }
    for pruner in PRUNERS:
        ways[f"TPE {pruner}"] = lambda p, s, r=pruner: optunas(p, r, s, options.budget)  # type: ignore[misc]
    costs = [cost for cost in COSTS if cost <= options.budget]
    print("| problem | way |", " | ".join(f"regret at {cost:g}" for cost in costs), "| complete |")
    print("| --- | --- |" + " --- |" * (len(costs) + 1))
    for name in options.problems:
        problem = load(name)
        for way in options.ways or ways:
            run = ways[way]
            traces = [run(problem, seed) for seed in range(options.seeds)]
            regrets = np.array([[regret(problem, t, cost) for cost in costs] for t in traces])
            errors = (
                regrets.std(axis=0, ddof=1) / np.sqrt(len(traces)) if len(traces) > 1 else costs
            )
            pairs = zip(regrets.mean(axis=0), errors, strict=True)
            shown = " | ".join(f"{mean:.3f} ± {error:.3f}" for mean, error in pairs)
            complete = np.mean([len(t) for t in traces])
            print(f"| {name} | {way} | {shown} | {complete:.1f} |", flush=True)


if __name__ == "__main__":
    main()
