"""Many parameters: the maximum of PIMS's path among points that follow the best, or everywhere?

    python -m benchmarks.many_parameters        BBOB in d = 10, 20, 40 and problems of our own
    python -m benchmarks.many_parameters --dimensions 40 --seeds 1

Both ways run on the same functions with the same first design. Shown are the mean rank of two, the
share of runs in which one is ahead by 2 % less that in which it is behind, the median of log10 of
the ratio of what is missing to the optimum, and processor seconds of a run. BBOB instances are 6 to
10 in d = 10 and 20 and 1 to 5 in d = 40.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from benchmarks.classics import cosines, levy, rosenbrock, styblinski
from benchmarks.clock import machine, table
from benchmarks.development_functions import bbob
from benchmarks.peers import Peer
from pathmax import Float, Study
from pathmax.experiments.problems import branin, hartmann6

Array = NDArray[np.float64]
Gap = Callable[[Array], float]  # (d,) -> what is missing to the optimum
WAYS = {"everywhere": 0, "among some": 2048}
EVALUATIONS = 100
AT = (15, 30, 60, 100)


def bbob_problems(worker: Peer, dimension: int) -> Iterator[tuple[str, int, Gap]]:
    """The 24 functions, an instance each."""
    first = 1 if dimension == 40 else 6
    for number in range(1, 25):
        function = bbob(worker, number, dimension, first + number % 5)
        yield (
            f"BBOB, d = {dimension}",
            dimension,
            lambda u, f=function: -float(f.values(u[None])[0]),
        )


def own_problems(seed: int) -> Iterator[tuple[str, int, Gap]]:
    """Six parameters that matter among a hundred, and two functions in which all of them do."""
    rng = np.random.default_rng(seed + 999)
    hidden, six = rng.choice(100, 6, replace=False), hartmann6()
    yield "Hartmann-6 in 100", 100, lambda u: six.regret(six.space.decode(u[hidden]))
    moved = rng.uniform(-0.2, 0.2, 20)
    yield "Levy, d = 20", 20, lambda u: levy(20.0 * np.clip(u + moved, -0.5, 1.5) - 10.0)
    other = rng.uniform(-0.2, 0.2, 40)
    yield "Ackley, d = 40", 40, lambda u: ackley_gap(65.536 * (u + other) - 32.768)


def high_problems(seed: int) -> Iterator[tuple[str, int, Gap]]:
    """In 20, 40 and 100 dimensions one function in which all count and one in which few do."""
    rng = np.random.default_rng(seed + 1999)
    shifts = {d: rng.uniform(-0.2, 0.2, d) for d in (20, 40, 100)}
    few = {d: rng.choice(d, k, replace=False) for d, k in ((20, 2), (40, 6), (100, 4))}
    away = rng.uniform(-0.2, 0.2, 4)
    two, six = branin(), hartmann6()
    yield "Rosenbrock, d = 20", 20, lambda u: rosenbrock(4.096 * (u + 0.2 * shifts[20]) - 2.048)
    yield "Branin in 20", 20, lambda u: two.regret(two.space.decode(u[few[20]]))
    yield "Styblinski-Tang, d = 40", 40, lambda u: styblinski_gap(10.0 * (u + shifts[40] / 2) - 5.0)
    yield "Hartmann-6 in 40", 40, lambda u: six.regret(six.space.decode(u[few[40]]))
    yield "cosine mixture, d = 100", 100, lambda u: cosines(2.0 * (u + shifts[100]) - 1.0) + 10.0
    yield "Levy-4 in 100", 100, lambda u: levy(20.0 * (u[few[100]] + away) - 10.0)


def styblinski_gap(x: Array) -> float:
    return styblinski(x) + 39.16616570377141 * len(x)


def ackley_gap(x: Array) -> float:
    waves = math.exp(float(np.cos(2.0 * math.pi * x).mean()))
    return 20.0 - 20.0 * math.exp(-0.2 * math.sqrt(float((x**2).mean()))) + math.e - waves


def run(d: int, gap: Gap, looks: int, seed: int, evaluations: int) -> tuple[list[float], float]:
    """What is missing after each evaluation, and processor seconds."""
    space = {f"x{i}": Float(0, 1) for i in range(d)}
    study = Study(space, direction="minimize", seed=seed, options={"looks": looks})
    started, missing = time.process_time(), []
    for _ in range(evaluations):
        trial = study.ask()
        value = gap(np.array([float(trial.params[name]) for name in space]))
        study.tell(trial, value)
        missing.append(min(value, missing[-1] if missing else math.inf))
    return missing, time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dimensions", type=int, nargs="*", default=[10, 20, 40])
    parser.add_argument("--seeds", type=int, default=5, help="of our own problems")
    asked = parser.parse_args()
    found: dict[str, list[list[tuple[list[float], float]]]] = {}

    def both(name: str, d: int, gap: Gap, seed: int, evaluations: int) -> None:
        runs = [run(d, gap, looks, seed, evaluations) for looks in WAYS.values()]
        found.setdefault(name, []).append(runs)

    with Peer("ioh") as worker:
        for dimension in asked.dimensions:
            for name, d, gap in bbob_problems(worker, dimension):
                both(name, d, gap, 0, 60)
    for seed in range(asked.seeds):
        for name, d, gap in own_problems(seed):
            both(name, d, gap, seed, EVALUATIONS)
    rows = []
    for name, pairs in found.items():
        cost = [np.mean([pair[i][1] for pair in pairs]) for i in range(2)]
        for at in (n for n in AT if n <= len(pairs[0][0][0])):
            gaps = np.maximum([[trace[at - 1] for trace, _ in pair] for pair in pairs], 0.0) + 1e-9
            behind, ahead = gaps[:, 1] > 1.02 * gaps[:, 0], gaps[:, 1] < 0.98 * gaps[:, 0]
            ratio = np.log10(gaps[:, 1] / gaps[:, 0])
            rank = 1.0 + np.mean((gaps[:, 1] > gaps[:, 0]) + 0.5 * (gaps[:, 1] == gaps[:, 0]))
            medians = np.median(gaps, axis=0)
            shown = [f"{rank:.2f}", f"{ahead.mean() - behind.mean():+.2f}"]
            shown += [f"{np.median(ratio):+.2f}", f"{medians[0]:.3g}", f"{medians[1]:.3g}"]
            shown += [f"{cost[0]:.1f} / {cost[1]:.1f}"]
            rows.append([name, str(len(pairs)), str(at), *shown])
    head = ["problem", "runs", "after", "rank", "ahead - behind", "median log10", *WAYS, "s"]
    print(machine())
    print(table(head, rows))


if __name__ == "__main__":
    main()
