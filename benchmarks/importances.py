"""First-order indices from a few results: ours and Optuna's fANOVA on the same data.

    python -m benchmarks.importances --runs 5    prints the tables of benchmarks/importances.md

Four functions whose indices are known: those of Ishigami and Homma (1990) and of Saltelli and Sobol
(1995), and two of ours, one without any main effect of what matters and one with nothing else.
Results are at random points, without noise. Optuna's fANOVA (Hutter, Hoos and Leyton-Brown, 2014)
fits a random forest; its shares are of the forest's variance, as ours are of that of sample paths,
so both are compared with the truth as they are. Error is the mean absolute one over parameters.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import optuna
from optuna.importance import FanovaImportanceEvaluator

from pathmax import Float, Study

Array = np.ndarray

SIZES = (25, 50, 100, 200)
PERCENT = 0.01  # intervals are printed in per cent, and hold an index if they do so rounded


@dataclass(frozen=True)
class Known:
    """A function of the unit cube and its first-order and total indices."""

    name: str
    f: Callable[[Array], float]
    first: Array
    total: Array


def ishigami() -> Known:
    def f(u: Array) -> float:
        a, b, c = np.pi * (2.0 * u - 1.0)
        return float(np.sin(a) * (1.0 + 0.1 * c**4) + 7.0 * np.sin(b) ** 2)

    alone = [0.5 * (1 + 0.1 * np.pi**4 / 5) ** 2, 49 / 8, 0.0]
    joint = 0.01 * np.pi**8 * (1 / 18 - 1 / 50)
    whole = sum(alone) + joint
    total = [alone[0] + joint, alone[1], joint]
    return Known("Ishigami", f, np.array(alone) / whole, np.array(total) / whole)


def g_function() -> Known:
    a = np.array([0.0, 1.0, 4.5, 9.0, 99.0, 99.0])

    def f(u: Array) -> float:
        return float(np.prod((np.abs(4.0 * u - 2.0) + a) / (1.0 + a)))

    V = 1.0 / (3.0 * (1.0 + a) ** 2)
    whole = np.prod(1.0 + V) - 1.0
    return Known("g-function", f, V / whole, V * np.prod(1.0 + V) / (1.0 + V) / whole)


def product_of_waves() -> Known:
    """Two parameters that do nothing alone, and a third that does little."""

    def f(u: Array) -> float:
        return float(np.sin(2 * np.pi * u[0]) * np.sin(2 * np.pi * u[1]) + 0.5 * u[2])

    together, alone = 1 / 4, 0.25 / 12
    whole = together + alone
    first, total = [0.0, 0.0, alone], [together, together, alone]
    return Known("product of waves", f, np.array(first) / whole, np.array(total) / whole)


def sum_of_five() -> Known:
    """Five parameters that do what they do alone: a wave, a line, a bowl, a step, nothing."""

    def f(u: Array) -> float:
        return float(np.sin(2 * np.pi * u[0]) + u[1] + 4 * (u[2] - 0.5) ** 2 + (u[3] > 0.3))

    alone = np.array([1 / 2, 1 / 12, 16 * (1 / 80 - 1 / 144), 0.21, 0.0])
    return Known("sum of five", f, alone / alone.sum(), alone / alone.sum())


FUNCTIONS = (ishigami, g_function, product_of_waves, sum_of_five)


def ours(names: list[str], U: Array, values: list[float]) -> dict[str, Array]:
    """Means and 95 % intervals of both indices."""
    study = Study({name: Float(0, 1) for name in names}, seed=0)
    for u, value in zip(U, values, strict=True):
        study.add(dict(zip(names, u.tolist(), strict=True)), value)
    found = study.importances()
    return {
        "first": np.array([found[name].first for name in names]),  # (d, 3) mean, low, high
        "total": np.array([found[name].total for name in names]),
    }


def fanova(names: list[str], U: Array, values: list[float], seed: int) -> Array:  # -> (d,)
    """First-order indices as Optuna has them."""
    study = optuna.create_study(direction="maximize")
    cube = {name: optuna.distributions.FloatDistribution(0.0, 1.0) for name in names}
    study.add_trials(
        [
            optuna.trial.create_trial(
                params=dict(zip(names, u.tolist(), strict=True)), distributions=cube, value=value
            )
            for u, value in zip(U, values, strict=True)
        ]
    )
    evaluator = FanovaImportanceEvaluator(seed=seed)
    found = optuna.importance.get_param_importances(study, evaluator=evaluator, normalize=False)
    return np.array([found[name] for name in names])


def compare(known: Known, n: int, runs: int) -> list[str]:
    """A row: the errors of both, and how often our intervals hold the truth."""
    d = len(known.first)
    names = [f"x{i}" for i in range(d)]
    errors: dict[str, list[float]] = {"ours": [], "ours, total": [], "fANOVA": []}
    held: list[bool] = []
    for run in range(runs):
        U = np.random.default_rng([run, n, d]).random((n, d))
        values = [known.f(u) for u in U]
        found = ours(names, U, values)
        for kind, truth in (("first", known.first), ("total", known.total)):
            low, high = found[kind][:, 1] - PERCENT, found[kind][:, 2] + PERCENT
            held += ((low <= truth) & (truth <= high)).tolist()
        errors["ours"].append(float(np.abs(found["first"][:, 0] - known.first).mean()))
        errors["ours, total"].append(float(np.abs(found["total"][:, 0] - known.total).mean()))
        theirs = fanova(names, U, values, run)
        errors["fANOVA"].append(float(np.abs(theirs - known.first).mean()))
    cells = [f"{np.mean(e):.3f} ± {2 * np.std(e) / runs**0.5:.3f}" for e in errors.values()]
    return [str(n), *cells, f"{np.mean(held):.0%}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--functions", nargs="*", default=[make.__name__ for make in FUNCTIONS])
    given = parser.parse_args()
    runs: int = given.runs
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    warnings.filterwarnings("ignore", category=optuna.exceptions.ExperimentalWarning)
    for known in (make() for make in FUNCTIONS if make.__name__ in given.functions):
        print(f"\n{known.name}, {len(known.first)} parameters, {runs} runs\n")
        print("| results | ours, first | ours, total | fANOVA, first | our 95 % intervals hold |")
        print("| --- | --- | --- | --- | --- |")
        for n in SIZES:
            print(f"| {' | '.join(compare(known, n, runs))} |", flush=True)


if __name__ == "__main__":
    main()
