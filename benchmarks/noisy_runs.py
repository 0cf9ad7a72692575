"""The reaction of `make demo` over many seeds, and functions measured with noise.

    python -m benchmarks.noisy_runs --seeds 50                      the reaction
    python -m benchmarks.noisy_runs --functions --seeds 10          functions with 5 and 20 % noise
    python -m benchmarks.noisy_runs --old OLD/src --peers "optuna gp"         others beside it

Of what each recommends after 10, 20, 30 and 40 experiments (pathmax and BoTorch: the model's choice
among the trials; Optuna: the best measured one) the true value is taken; the figures are by how
much it falls short of the best, in per cent of yield, or of the standard deviation of the function
over its box.
Means with a standard error. `--old` runs the same with the code of another version.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.classics import classics
from benchmarks.peers import Peer
from benchmarks.suite import box, coordinates
from examples import demo

TRIALS = 40
LOOKS = (10, 20, 30, 40)
FIRST_SEED = 3000  # none that anything was chosen on
FUNCTIONS = {  # the best that there is
    "rosenbrock-3": 0.0,
    "levy-4": 0.0,
    "hartmann-3": -3.862779787,
    "camel-2": -1.031628453,
    "styblinski-5": -195.8308285,
    "powell-4": 0.0,
}


class Task:
    """A loss that is measured with noise; `spread` is what a shortfall of 1 is."""

    def __init__(
        self,
        name: str,
        space: list[dict[str, Any]],
        loss: Callable[[dict[str, Any]], float],
        noise: float,
        best: float,
        spread: float,
    ) -> None:
        self.name, self.space, self.loss, self.noise = name, space, loss, noise
        self.best, self.spread = best, spread


def reaction() -> Task:
    space = [
        {"name": "temperature", "kind": "float", "low": 20.0, "high": 120.0},
        {"name": "minutes", "kind": "float", "low": 5.0, "high": 240.0, "log": True},
        {"name": "catalyst", "kind": "float", "low": 0.1, "high": 5.0, "log": True},
        {"name": "solvent", "kind": "categorical", "choices": list(demo.SOLVENTS)},
    ]
    loss = lambda params: -float(demo.reaction_yield(**params))  # noqa: E731
    return Task("the demo's reaction", space, loss, 0.5, -float(demo.best_yield()), 1.0)


def functions() -> list[Task]:
    found = []
    for one in (c for c in classics() if c.name in FUNCTIONS):
        U = np.random.default_rng(0).uniform(one.low, one.high, (20_000, one.dimension))
        values = np.array([one.loss(x) for x in U])
        space, spread = box(one.low, one.high, one.dimension), float(values.std())
        loss = lambda params, one=one: one.loss(coordinates(params))  # noqa: E731
        for share in (0.05, 0.2):
            name = f"{one.name}, {share:.0%} noise"
            found.append(Task(name, space, loss, share * spread, FUNCTIONS[one.name], spread))
    return found


def by_pathmax(task: Task, seed: int, **given: Any) -> list[float]:
    """True losses of what is recommended after each of LOOKS."""
    import pathmax

    space: dict[str, Any] = {}
    for p in task.space:
        if p["kind"] == "categorical":
            space[p["name"]] = pathmax.Categorical(p["choices"])
        else:
            space[p["name"]] = pathmax.Float(p["low"], p["high"], log=bool(p.get("log")))
    study = pathmax.Study(space, direction="minimize", seed=seed, **given)
    rng, found = np.random.default_rng(seed), []
    for n in range(1, TRIALS + 1):
        trial = study.ask()
        study.tell(trial, task.loss(trial.params) + task.noise * rng.standard_normal())
        if n in LOOKS:
            found.append(task.loss(study.recommend()))
    return found


def by_peer(name: str, options: dict[str, Any]) -> Callable[[Task, int], list[float]]:
    def run(task: Task, seed: int) -> list[float]:
        rng, found, told = np.random.default_rng(seed), [], []
        with Peer(name) as peer:
            peer.call("start", space=task.space, seed=seed, **options)
            for n in range(1, TRIALS + 1):
                params = peer.call("ask")
                value = task.loss(params) + task.noise * rng.standard_normal()
                peer.call("tell", params=params, value=value)
                told.append((value, n, params))
                if n in LOOKS:
                    by_model = name == "botorch"
                    found.append(task.loss(peer.call("recommend") if by_model else min(told)[2]))
        return found

    return run


PEERS = {
    "optuna gp": by_peer("optuna", {"method": "gp"}),
    "optuna tpe": by_peer("optuna", {"method": "tpe"}),
    "botorch qlognei": by_peer("botorch", {"method": "qlognei"}),
}


def runs(tasks: Sequence[Task], seeds: range, run: Callable[[Task, int], list[float]]) -> Any:
    """Task -> (seeds, looks) of what is missing."""
    return {
        task.name: [
            [(loss - task.best) / task.spread for loss in run(task, seed)] for seed in seeds
        ]
        for task in tasks
    }


def report(who: str, found: dict[str, Any]) -> None:
    for name, rows in found.items():
        some = np.array(rows)
        errors = some.std(axis=0, ddof=1) / np.sqrt(len(some))
        cells = [f"{m:.3g} +- {e:.2g}" for m, e in zip(some.mean(axis=0), errors, strict=True)]
        print(f"| {name} | {who} | " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--functions", action="store_true")
    parser.add_argument("--old", metavar="SRC", help="the source folder of another version")
    parser.add_argument("--peers", nargs="*", default=[], choices=list(PEERS))
    parser.add_argument("--json", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    tasks = functions() if given.functions else [reaction()]
    seeds = range(FIRST_SEED, FIRST_SEED + given.seeds)
    if given.json:
        print(json.dumps(runs(tasks, seeds, by_pathmax)))
        return
    print("| measured | by | " + " | ".join(f"after {n}" for n in LOOKS) + " |")
    print("| --- | --- |" + " --- |" * len(LOOKS))
    report("pathmax", runs(tasks, seeds, by_pathmax))
    if given.old:
        command = [sys.executable, "-W", "ignore", "-m", "benchmarks.noisy_runs", "--json"]
        command += ["--seeds", str(given.seeds), *(["--functions"] if given.functions else [])]
        path = os.pathsep.join([given.old, os.getcwd()])
        env = {**os.environ, "PYTHONPATH": path}
        done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
        report("the other version", json.loads(done.stdout))
    for name in given.peers:
        report(name, runs(tasks, seeds, PEERS[name]))


if __name__ == "__main__":
    main()
