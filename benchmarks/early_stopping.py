"""Early stopping on recorded learning curves: what it costs to come near the best setting.

    python -m benchmarks.early_stopping diabetes-boosting --seeds 3 --budget 20
    python -m benchmarks.early_stopping --seeds 10 --budget 10      runs what is missing
    python -m benchmarks.early_stopping --table --budget 10         what was run so far

Cost is counted in whole trainings: a trial that is stopped at step 9 of 81 costs 1/9. The regret is
the best last value of the complete trials, less the best of the grid, as a share of the distance
from there to the median. Everybody chooses places in the same lists of values. Runs are kept in
benchmarks/traces/early_stopping, a line for each.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

import pathmax
from benchmarks.learning_curves import REPORTED, Problem, load, recorded
from benchmarks.peer_runs import done, keep, trace_file
from benchmarks.peer_runs import load as load_runs
from benchmarks.peers import Peer

FOLDER = Path(__file__).parent / "traces" / "early_stopping"
Spent = list[tuple[float, float]]  # cost so far, and the best complete value by then
Way = Callable[[Problem, int, float], Spent]
RULES = ("never", "posterior", "asha", "hyperband")
PRUNERS = ("asha", "hyperband")
COSTS = (3.0, 5.0, 10.0, 20.0)


def ours(rule: str, problem: Problem, seed: int, budget: float) -> Spent:
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


def optunas(pruner: str, problem: Problem, seed: int, budget: float) -> Spent:
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


def smacs(problem: Problem, seed: int, budget: float) -> Spent:
    """SMAC3 with Hyperband; a run that is taken further costs the further steps alone."""
    trace: Spent = []
    cost, done = 0.0, dict[tuple[int, ...], int]()
    with Peer("curves smac") as peer:
        peer.call("start", sizes=dict(problem.sizes), steps=problem.steps, seed=seed)
        while cost < budget:
            asked = peer.call("ask")
            step = max(1, round(asked["budget"]))
            values, key = problem.curve(asked["places"]), tuple(asked["places"].values())
            cost += max(step - done.get(key, 0), 0) / problem.steps
            done[key] = max(step, done.get(key, 0))
            peer.call("tell", value=float(values[step - 1]))
            if step == problem.steps:
                trace.append((cost, float(values[-1])))
    return trace


def run_missing(names: Sequence[str], ways: Mapping[str, Way], seeds: int, budget: float) -> None:
    """What is missing, seed by seed."""
    mine = {way: way.startswith("pathmax") for way in ways}
    found = {way: done(trace_file(FOLDER, way), mine[way]) for way in ways}
    for seed in range(seeds):
        for name in names:
            for way, run in ways.items():
                kept = found[way].get((name, seed))
                if kept is not None and kept["budget"] >= budget:
                    continue
                began = time.process_time()
                trace = run(load(name), seed, budget)
                row = {"problem": name, "seed": seed, "budget": budget}
                row["trace"] = [[round(cost, 4), round(value, 4)] for cost, value in trace]
                row["seconds"] = round(time.process_time() - began, 2)
                keep(trace_file(FOLDER, way), row, mine[way])


def tables(names: Sequence[str], ways: Sequence[str], costs: Sequence[float]) -> None:
    """Regrets by problem, and the mean rank of each way at each cost, ties in the middle."""
    found = {way: load_runs(trace_file(FOLDER, way)) for way in ways}
    complete = {way: runs for way, runs in found.items() if runs}
    keys = sorted(set.intersection(*(set(runs) for runs in complete.values())))
    keys = [(name, seed) for name, seed in keys if name in names]
    regrets = {
        way: np.array([[regret(load(n), runs[n, s]["trace"], c) for c in costs] for n, s in keys])
        for way, runs in complete.items()
    }
    looks = " | ".join(f"regret at {cost:g}" for cost in costs)
    print(f"| problem | runs | way | {looks} | complete |")
    print("| --- | --- | --- |" + " --- |" * (len(costs) + 1))
    for name in names:
        there = np.array([key[0] == name for key in keys], dtype=bool)
        for way, runs in complete.items():
            some = regrets[way][there]
            if not len(some):
                continue
            errors = (
                some.std(axis=0, ddof=1) / np.sqrt(len(some))
                if len(some) > 1
                else np.full(len(costs), np.nan)
            )
            pairs = zip(some.mean(axis=0), errors, strict=True)
            shown = " | ".join(f"{mean:.3f} ± {error:.3f}" for mean, error in pairs)
            ended = np.mean([len(runs[key]["trace"]) for key in keys if key[0] == name])
            print(f"| {name} | {len(some)} | {way} | {shown} | {ended:.1f} |")
    print()
    print(f"| mean rank of {len(keys)} runs | " + " | ".join(f"at {c:g}" for c in costs) + " |")
    print("| --- |" + " --- |" * len(costs))
    everything = np.array([*regrets.values()])  # (ways, runs, costs)
    for way, mine in regrets.items():
        below = (everything < mine - 1e-9).sum(axis=0)
        equal = (np.abs(everything - mine) <= 1e-9).sum(axis=0)
        ranks = (below + 0.5 * (equal + 1)).mean(axis=0)
        print(f"| {way} | " + " | ".join(f"{rank:.2f}" for rank in ranks) + " |")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("problems", nargs="*", default=recorded(REPORTED))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--budget", type=float, default=max(COSTS))
    parser.add_argument("--ways", nargs="+", help='such as "TPE asha"; left out, all')
    parser.add_argument("--table", action="store_true", help="of what was run")
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    ways: dict[str, Way] = {f"pathmax {rule}": partial(ours, rule) for rule in RULES}
    ways |= {f"TPE {pruner}": partial(optunas, pruner) for pruner in PRUNERS}
    ways["SMAC3 hyperband"] = smacs
    chosen = {way: ways[way] for way in options.ways or ways}
    if not options.table:
        run_missing(options.problems, chosen, options.seeds, options.budget)
    tables(options.problems, [*chosen], [cost for cost in COSTS if cost <= options.budget])


if __name__ == "__main__":
    main()
