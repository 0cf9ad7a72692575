"""PathmaxSampler beside Optuna's GPSampler and TPESampler: one program, one argument changed.

    python -m benchmarks.optuna_samplers --seeds 5 --trials 25

GPSampler needs torch: without it the program goes on in an environment that has it (`peers`).
Five problems as Optuna's users write them, minimised; every sampler has the same seeds. Printed are
the best value after a part of the trials and after all, and the seconds of processor time that one
trial took, with the objective, which costs next to nothing. Samplers take turns, so that whatever
else the machine does falls on all of them.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import subprocess
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import optuna

from benchmarks import peers
from benchmarks.clock import machine, table
from pathmax.experiments.emulation import formulas
from pathmax.integrations.optuna import PathmaxSampler


def branin(trial: optuna.Trial) -> float:
    x = [trial.suggest_float("x1", -5, 10), trial.suggest_float("x2", 0, 15)]
    return formulas.branin(dict(enumerate(x))) - 0.39788735772973816


def hartmann(trial: optuna.Trial) -> float:
    x = [trial.suggest_float(f"x{i}", 0, 1) for i in range(6)]
    return formulas.hartmann6(dict(enumerate(x))) + 3.322368011415515


def rosenbrock(trial: optuna.Trial) -> float:
    """Four dimensions; the logarithm of 1 + the value, whose range is 10^6."""
    x = np.array([trial.suggest_float(f"x{i}", -5, 10) for i in range(4)])
    return math.log1p(float(np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)))


def reaction(trial: optuna.Trial) -> float:
    """Numbers, a whole number and a choice, and noise of 0.02 on losses of about 1."""
    t = trial.suggest_float("temperature", 20, 120)
    load = trial.suggest_float("loading", 1e-3, 1e-1, log=True)
    runs = trial.suggest_int("repeats", 1, 6)
    best = {"DMF": 85.0, "THF": 60.0, "water": 100.0}[
        solvent := trial.suggest_categorical("solvent", ["DMF", "THF", "water"])
    ]
    loss = ((t - best) / 40) ** 2 + 0.2 * (math.log10(load) + 1.7) ** 2 + 0.02 * (runs - 4) ** 2
    noise = np.random.default_rng([trial.number, int(1e6 * load)]).standard_normal()
    return loss + {"DMF": 0.0, "THF": 0.15, "water": 0.3}[solvent] + 0.02 * float(noise)


def support_vectors(trial: optuna.Trial) -> float:
    """Errors of a support vector machine on 250 of the digits of scikit-learn."""
    from sklearn.datasets import load_digits
    from sklearn.model_selection import cross_val_score
    from sklearn.svm import SVC

    X, y = load_digits(return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(X))[:250]
    C = trial.suggest_float("C", 1e-3, 1e3, log=True)
    gamma = trial.suggest_float("gamma", 1e-6, 1e-1, log=True)
    return 1.0 - float(cross_val_score(SVC(C=C, gamma=gamma), X[rows], y[rows], cv=3).mean())


PROBLEMS: dict[str, Callable[[optuna.Trial], float]] = {
    "Branin": branin,
    "Hartmann, 6 parameters": hartmann,
    "Rosenbrock, 4 parameters": rosenbrock,
    "reaction, mixed, noisy": reaction,
    "support vectors": support_vectors,
}
SAMPLERS: dict[str, Callable[[int], Any]] = {
    "PathmaxSampler": lambda seed: PathmaxSampler(seed=seed),
    "GPSampler": lambda seed: optuna.samplers.GPSampler(seed=seed),
    "TPESampler": lambda seed: optuna.samplers.TPESampler(seed=seed),
}


def run(problem: str, sampler: str, seed: int, trials: int) -> tuple[np.ndarray, float]:
    """The best value after each trial, and the processor time of one trial."""
    study = optuna.create_study(sampler=SAMPLERS[sampler](seed))
    started = time.process_time()
    study.optimize(PROBLEMS[problem], n_trials=trials)
    spent = (time.process_time() - started) / trials
    return np.minimum.accumulate([trial.value for trial in study.trials]), spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--trials", type=int, default=25)
    parser.add_argument("--problems", nargs="*", default=list(PROBLEMS))
    given = parser.parse_args()
    if importlib.util.find_spec("torch") is None:
        environment = peers.ALL["optuna samplers"]
        environment.make()
        command = [str(environment.python), "-m", "benchmarks.optuna_samplers", *sys.argv[1:]]
        sys.exit(subprocess.run(command, cwd=peers.HERE.parent).returncode)
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    warnings.filterwarnings("ignore", category=optuna.exceptions.ExperimentalWarning)
    for sampler in SAMPLERS:  # what is imported late and compiled once is not counted
        run("Branin", sampler, 999, 13)
    curves: dict[tuple[str, str], list[np.ndarray]] = defaultdict(list)
    seconds: dict[tuple[str, str], list[float]] = defaultdict(list)
    for problem in given.problems:
        for seed in range(given.seeds):
            for sampler in SAMPLERS:
                curve, spent = run(problem, sampler, seed, given.trials)
                curves[problem, sampler].append(curve)
                seconds[problem, sampler].append(spent)
    stops = sorted({max(1, given.trials * 3 // 5), given.trials})
    rows, ranks = [], defaultdict(list)
    for problem in given.problems:
        ends = np.array([[c[-1] for c in curves[problem, name]] for name in SAMPLERS])
        for name, place in zip(SAMPLERS, ends, strict=True):
            better = (ends < place).sum(axis=0) + 0.5 * ((ends == place).sum(axis=0) - 1)
            ranks[name].append(float(1.0 + better.mean()))
        for name in SAMPLERS:
            found = np.array(curves[problem, name])
            means, errors = found.mean(axis=0), found.std(axis=0, ddof=1) / len(found) ** 0.5
            cells = [f"{means[n - 1]:.3g} ± {errors[n - 1]:.2g}" for n in stops]
            rows.append([problem, name, *cells, f"{np.mean(seconds[problem, name]):.3f}"])
    print(machine(), f"\n{given.seeds} seeds, {given.trials} trials; mean ± one standard error.\n")
    heads = [f"after {n}" for n in stops]
    print(table(["problem", "sampler", *heads, "seconds a trial"], rows))
    shown = "; ".join(f"{name} {np.mean(ranks[name]):.2f}" for name in SAMPLERS)
    print(f"\nMean rank at the end: {shown}.")


if __name__ == "__main__":
    main()
