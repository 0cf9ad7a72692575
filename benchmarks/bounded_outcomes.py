"""Outcomes with one bound: bent about it by evidence, never, or always; and all outcomes at once.

    python -m benchmarks.bounded_outcomes quality [--seeds 3] [--only cantilever coil]
    python -m benchmarks.bounded_outcomes speed

`quality` prints the best feasible value after 30 trials on six classic designs that no other table
reports on. `speed` is the processor time of one suggestion with the outcomes evaluated one by one
and all at once (`gp.stacked`), in turns.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Sequence
from unittest import mock

import numpy as np

import pathmax
from benchmarks.clock import readable, table
from pathmax.experiments.outcome_problem import OutcomeProblem
from pathmax.experiments.outcome_problems import disc_brake, speed_reducer, welded_beam
from pathmax.gp import stacked
from pathmax.space.parameters import Float
from pathmax.space.space import Space
from pathmax.suggestion.surrogate import Modeller
from pathmax.trials.goals import Goal
from pathmax.trials.value_transform import standardise_about

TRIALS = 30
Values = tuple[float, tuple[float, ...]]  # the objective, and constraints that are to be at most 0


def g06(x: Sequence[float]) -> Values:
    """Cubic within a thin crescent (Floudas and Pardalos, 1987; G06 of the CEC suites)."""
    a, b = x
    inside = (a - 6.0) ** 2 + (b - 5.0) ** 2 - 82.81
    return (a - 10.0) ** 3 + (b - 20.0) ** 3, (100.0 - (a - 5.0) ** 2 - (b - 5.0) ** 2, inside)


def g08(x: Sequence[float]) -> Values:
    """Waves that explode at one side (G08 of the CEC suites)."""
    a, b = max(x[0], 1e-3), x[1]
    waves = math.sin(2.0 * math.pi * a) ** 3 * math.sin(2.0 * math.pi * b)
    return -waves / (a**3 * (a + b)), (a * a - b + 1.0, 1.0 - a + (b - 4.0) ** 2)


def column(x: Sequence[float]) -> Values:
    """A tubular column under load: yield stress and buckling."""
    d, t = x
    buckling = 8.0 * 2500.0 * 250.0**2 / (math.pi**3 * 0.85e6 * d * t * (d * d + t * t))
    return 9.8 * d * t + 2.0 * d, (2500.0 / (math.pi * d * t * 500.0) - 1.0, buckling - 1.0)


def three_bars(x: Sequence[float]) -> Values:
    """A truss of three bars: the stress in each."""
    a, b = x
    root = math.sqrt(2.0)
    area = root * a * a + 2.0 * a * b
    stresses = (2.0 * (root * a + b) / area, 2.0 * b / area, 2.0 / (root * b + a))
    return 100.0 * (2.0 * root * a + b), tuple(stress - 2.0 for stress in stresses)


def cantilever(x: Sequence[float]) -> Values:
    """A stepped beam: its weight and how far it bends, which explodes where it is thin."""
    bend = sum(k / v**3 for k, v in zip((61.0, 37.0, 19.0, 7.0, 1.0), x, strict=True))
    return 0.0624 * sum(x), (bend - 1.0,)


def coil(x: Sequence[float]) -> Values:
    """A coil of wire: its rate within a range, its stress, its size and its slenderness."""
    wire, width, turns = x
    rate = 1e4 * wire**4 / (width**3 * turns)
    stress = 480.0 * width / (math.pi * wire**3) * (1.0 + 0.5 * wire / width)
    bounds = (rate / 3.0, 2.0 - rate / 1.5, stress / 900.0, (width + wire) / 40.0)
    return (turns + 2.0) * width * wire**2, (*(one - 1.0 for one in bounds), 4.0 - width / wire)


DESIGNS: dict[str, tuple[Callable[[Sequence[float]], Values], list[tuple[float, float]], int]] = {
    "g06": (g06, [(13, 100), (0, 100)], 2),
    "g08": (g08, [(0, 10), (0, 10)], 2),
    "column": (column, [(2, 14), (0.2, 0.8)], 2),
    "three bars": (three_bars, [(0.001, 1), (0.001, 1)], 3),
    "cantilever": (cantilever, [(0.5, 20)] * 5, 1),
    "coil": (coil, [(0.3, 12), (4, 60), (3, 20)], 5),
}


def design(name: str) -> OutcomeProblem:
    function, box, constraints = DESIGNS[name]
    space = Space({f"x{i}": Float(low, high) for i, (low, high) in enumerate(box)})
    names = tuple(f"c{j}" for j in range(constraints))

    def outcomes(params: dict[str, float]) -> dict[str, float]:
        value, bounded = function([params[f"x{i}"] for i in range(len(box))])
        return {"cost": value, **dict(zip(names, bounded, strict=True))}

    return OutcomeProblem(name, space, outcomes, ("cost",), names)  # type: ignore[arg-type]


def study_of(problem: OutcomeProblem, seed: int, trials: int) -> tuple[pathmax.Study, list]:
    study = pathmax.Study(
        problem.space,
        objectives=dict.fromkeys(problem.objectives, "minimize"),
        constraints=dict.fromkeys(problem.constraints, "<= 0") or None,
        seed=seed,
    )
    results = []
    for _ in range(trials):
        trial = study.ask()
        results.append(problem(trial.params))
        study.tell(trial, results[-1])
    return study, results


def always(modeller: Modeller, observed, last):  # stands in for Modeller._transforms
    bound = 0.0 if modeller.bound is None else modeller.bound
    bent = standardise_about(modeller.sign, observed.values, bound)
    return [bent] if modeller.bound is not None else USUAL(modeller, observed, last)


USUAL = Modeller._transforms


def quality(names: Sequence[str], seeds: int) -> str:
    never = mock.patch.object(Goal, "only_bound", property(lambda self: None))
    every = mock.patch.object(Modeller, "_transforms", always)
    lines = []
    for name in names:
        problem, cells = design(name), []
        for patch in (never, every, None):
            if patch is not None:
                patch.start()
            bests = [problem.best(study_of(problem, s, TRIALS)[1]) for s in range(seeds)]
            if patch is not None:
                patch.stop()
            cells.append(", ".join(f"{b:.5g}" if math.isfinite(b) else "none" for b in bests))
        lines.append([name, *cells])
        print(lines[-1], flush=True)
    return table(["best feasible after 30 trials", "never", "always", "by evidence"], lines)


def speed(repeats: int = 5) -> str:
    """One suggestion, the same trial again and again, with the surrogates learnt anew."""
    lines = []
    for make, n in ((welded_beam, 30), (disc_brake, 30), (disc_brake, 100), (speed_reducer, 30)):
        problem = make()
        rng = np.random.default_rng(0)
        known = [problem.space.decode(u) for u in rng.random((n, problem.space.dimension))]
        took: dict[int, list[float]] = {0: [], stacked.MOST_STACKED: []}
        for seed in range(repeats):
            for most in took:
                study, _ = study_of(problem, seed, 0)
                for params in known:
                    study.add(params, problem(params))
                with mock.patch.object(stacked, "MOST_STACKED", most):
                    began = time.process_time()
                    study.ask()
                    took[most].append(time.process_time() - began)
        one_by_one, at_once = (float(np.median(times)) for times in took.values())
        words = f"{len(problem.objectives)} objectives, {len(problem.constraints)} constraints"
        name = f"{problem.name}, n = {n}: {words}"
        ratio = f"{one_by_one / at_once:.1f}x"
        lines.append([name, readable(one_by_one), readable(at_once), ratio])
    return table(["one suggestion, processor time", "one by one", "at once", "faster"], lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("do", choices=["quality", "speed"])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", nargs="+", default=list(DESIGNS), choices=list(DESIGNS))
    options = parser.parse_args()
    print(quality(options.only, options.seeds) if options.do == "quality" else speed())


if __name__ == "__main__":
    main()
