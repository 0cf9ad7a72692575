"""Bounds and several objectives on problems that nobody here had looked at: where does it fail?

    python -m benchmarks.unseen_outcomes run --methods pathmax "optuna gp" "optuna tpe" --seeds 3
    python -m benchmarks.unseen_outcomes report

As `benchmarks.outcomes`, with traces in benchmarks/traces/unseen_outcomes; the best known fronts
are kept there in known.json. Values are judged without the noise that was added to what methods are
told. A result of which an outcome is missing counts as one that keeps no bound; pathmax is told the
rest of it, Optuna that the trial failed.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import outcomes, peer_runs, unseen_problems
from benchmarks.clock import table
from benchmarks.engines import SEVERAL_OUTCOMES
from benchmarks.paired_fronts import evolve
from benchmarks.peers import Peer
from benchmarks.unseen_problems import BARS, Values
from pathmax.acquisition.hypervolume import hypervolume
from pathmax.arrays import Array

TRACES = Path(__file__).parent / "traces" / "unseen_outcomes"
KNOWN = TRACES / "known.json"
METHODS = ("pathmax", "optuna gp", "optuna tpe")
MARGIN = 0.1  # of the best known front's spans: the reference is so far beyond its nadir
Parameter = dict[str, Any]
Outcomes = dict[str, float]


@dataclass(frozen=True, eq=False)
class Unseen:
    """A problem and what its experimenter is told of it.

    optimum     the best feasible value, with one objective
    tolerance   of constraints that are equalities; else they are to be at most 0
    noise       added to what is told, as a share of each outcome's standard deviation
    steps       constraints are told as 0 (met) or 1
    crashes     (m, d) -> where nothing comes out
    missing     the share of results whose last constraint is not measured
    """

    name: str
    formula: Callable[[Array], Values]
    parameters: list[Parameter]
    optimum: float | None = None
    tolerance: float = 0.0
    noise: float = 0.0
    steps: bool = False
    crashes: Callable[[Array], Array] | None = None
    missing: float = 0.0

    @property
    def low(self) -> tuple[float, ...]:
        return tuple(float(one.get("low", 0.0)) for one in self.parameters)

    def __call__(self, U: Array) -> Values:  # (m, d) of the unit cube; constraints at most 0
        columns = [spread_over(one, u) for one, u in zip(self.parameters, U.T, strict=True)]
        F, C = self.formula(np.stack(columns, axis=1))
        return F, np.abs(C) - self.tolerance if self.tolerance else C

    def row(self, params: Mapping[str, Any]) -> Array:  # -> (1, d)
        values = [
            one["choices"].index(params[one["name"]])
            if one["kind"] == "categorical"
            else params[one["name"]]
            for one in self.parameters
        ]
        return np.array([values], dtype=float)

    @property
    def names(self) -> tuple[list[str], list[str]]:
        """Of objectives and of constraints."""
        F, C = self(np.full((1, len(self.parameters)), 0.5))
        return [f"f{k + 1}" for k in range(F.shape[1])], [f"c{j + 1}" for j in range(C.shape[1])]

    @property
    def objectives(self) -> list[str]:
        return self.names[0]

    @property
    def best_hypervolume(self) -> float | None:
        return None if self.optimum is not None else known_fronts()[self.name][1]


def spread_over(one: Parameter, u: Array) -> Array:
    """Shares of the unit interval as values; every whole number and choice has an equal part."""
    if one["kind"] == "float":
        return one["low"] + u * (one["high"] - one["low"])
    low, n = (
        one.get("low", 0),
        len(one["choices"]) if "choices" in one else one["high"] - one["low"] + 1,
    )
    return low + np.minimum(np.floor(u * n), n - 1)


def box(*sides: tuple[float, float]) -> list[Parameter]:
    return [
        {"name": f"x{i + 1}", "kind": "float", "low": low, "high": high}
        for i, (low, high) in enumerate(sides)
    ]


def whole(*sides: tuple[int, int]) -> list[Parameter]:
    return [one | {"kind": "int"} for one in box(*sides)]


def problems() -> list[Unseen]:
    """Those with one objective first. Every other one may serve to choose, the rest to confirm."""
    of = unseen_problems
    bars = {"name": "x1", "kind": "categorical", "choices": [f"{one:g}" for one in BARS]}
    beam = [bars, {"name": "x2", "kind": "int", "low": 28, "high": 40},
            {"name": "x3", "kind": "float", "low": 5.0, "high": 10.0}]  # fmt: skip
    brake = whole((60, 80), (90, 110), (2, 6), (60, 100), (2, 9))
    exchangers = box((100, 1e4), (1e3, 1e4), (1e3, 1e4), *[(10, 1000)] * 5)
    heart, disc = box((-2.25, 2.25), (-2.5, 1.75)), box((-10, 0), (-6.5, 0))
    ship = box((150, 274.32), (20, 32.31), (13, 25), (10, 11.71), (14, 18), (0.63, 0.75))
    return [
        Unseen("g04", of.g04, box((78, 102), (33, 45), *[(27, 45)] * 3), -30665.538672),
        Unseen("g07", of.g07, box(*[(-10, 10)] * 10), 24.306209068),
        Unseen("g09", of.g09, box(*[(-10, 10)] * 7), 680.63005737),
        Unseen("g10", of.g10, exchangers, 7049.2480205),
        Unseen("g11-equality", of.g11, box((-1, 1), (-1, 1)), 0.749, tolerance=1e-3),
        Unseen("g13-equality", of.g13, box(*[(-2.3, 2.3)] * 2, *[(-3.2, 3.2)] * 3), 0.04992664,
               tolerance=0.05),
        Unseen("g24-crashes", of.g24, box((0, 3), (0, 4)), -5.5080132716,
               crashes=lambda X: X[:, 0] + X[:, 1] < 1.5, missing=0.15),
        Unseen("bird", of.bird, disc, -106.7645367),
        Unseen("townsend-steps", of.townsend, heart, -2.0239884, steps=True),
        Unseen("rosenbrock", of.rosenbrock, box((-1.5, 1.5), (-0.5, 2.5)), 0.0),
        Unseen("mystery-noisy", of.mystery, box((0, 5), (0, 5)), -1.1742732, noise=0.05),
        Unseen("gas", of.gas, box((20, 50), (1, 10), (20, 50), (0.1, 60)), 2964895.4173),
        Unseen("concrete", of.concrete, beam, 359.208),
        Unseen("clutch", of.clutch, brake, 0.3136566),
        Unseen("constr", of.constr, box((0.1, 1), (0, 5))),
        Unseen("kita-noisy", of.kita, box((0, 7), (0, 7)), noise=0.05),
        Unseen("viennet4", of.viennet4, box((-4, 4), (-4, 4))),
        Unseen("two-bars", of.two_bars, box((1e-6, 0.01), (1e-6, 0.01), (1, 3))),
        Unseen("welded", of.welded, box((0.125, 5), (0.1, 10), (0.1, 10), (0.125, 5))),
        Unseen("gears", of.gears, whole(*[(12, 60)] * 4)),
        Unseen("marine", of.marine, ship),
        Unseen("cantilever", of.cantilever, box((10, 50), (200, 1000))),
        Unseen("snar-noisy", of.snar, box((0.5, 2), (1, 5), (0.1, 0.5), (30, 120)), noise=0.05),
        Unseen("curved", of.curved, box((0, 1), *[(-1, 1)] * 4)),
        Unseen("comet", of.comet, box((1, 3.5), (-2, 2), (0, 1))),
    ]  # fmt: skip


# ---- the best known fronts, and how results are judged


def known_fronts() -> dict[str, tuple[list[float], float]]:
    """Of every problem with several objectives the reference point and the best hypervolume."""
    known: dict[str, Any] = json.loads(KNOWN.read_text()) if KNOWN.exists() else {}
    for one in problems():
        if one.optimum is None and one.name not in known:
            F = evolve(one, np.random.default_rng(7))  # type: ignore[arg-type]
            reference = F.max(axis=0) + MARGIN * np.ptp(F, axis=0)
            known[one.name] = [reference.tolist(), hypervolume(-F, -reference)]
            KNOWN.parent.mkdir(parents=True, exist_ok=True)
            KNOWN.write_text(json.dumps(known, indent=1) + "\n")
    return known


class Experimenter:
    """Measures as the problem says, and keeps what is true."""

    def __init__(self, problem: Unseen, seed: int) -> None:
        self.problem, self.rng = problem, np.random.default_rng([seed, 99])
        spread = problem(np.random.default_rng(8).random((4000, len(problem.parameters))))
        self.spreads = [part.std(axis=0) for part in spread]
        self.true: list[tuple[Array, bool]] = []  # objectives, and whether every bound is kept

    def measure(self, params: Mapping[str, Any]) -> Outcomes | None:
        """What is told; nothing where the experiment breaks."""
        one, x = self.problem, self.problem.row(params)
        errors, absent = self.rng.standard_normal(40), self.rng.random() < one.missing
        F, C = (part[0] for part in one.formula(x))
        inside = bool((np.abs(C) <= one.tolerance).all() if one.tolerance else (C <= 0.0).all())
        broken = one.crashes is not None and bool(one.crashes(x)[0])
        self.true.append((F, inside and not broken and not absent))
        if broken:
            return None
        if one.steps:
            C = (C > 0.0).astype(float)
        if one.noise:
            F = F + one.noise * self.spreads[0] * errors[: len(F)]
            C = C + one.noise * self.spreads[1] * errors[len(F) : len(F) + len(C)]
        objectives, constraints = one.names
        told = dict(zip([*objectives, *constraints], [*F.tolist(), *C.tolist()], strict=True))
        return {name: told[name] for name in told if not (absent and name == constraints[-1])}

    def loss(self) -> float | None:
        """The newest value if it is feasible; of several objectives, the hypervolume missing."""
        if self.problem.optimum is not None:
            F, inside = self.true[-1]
            return float(f"{F[0]:.8g}") if inside else None
        rows = [F for F, inside in self.true if inside]
        reference, best = known_fronts()[self.problem.name]
        found = hypervolume(-np.array(rows), -np.array(reference)) if rows else 0.0
        return float(f"{max(1.0 - found / best, 0.0):.6g}")


# ---- runs


def optimise(
    peer: Peer, options: dict[str, Any], problem: Unseen, seed: int, ours: bool
) -> dict[str, Any]:
    """One run: losses, which results keep the bounds, and how long suggestions took."""
    objectives, constraints = problem.names
    given = dict(options)
    if problem.tolerance and ours:
        given["within"] = dict.fromkeys(constraints, problem.tolerance)
    elif problem.tolerance:  # two bounds for who has no equalities
        constraints = [f"{name}{side}" for name in constraints for side in "+-"]
    version = peer.call("start", space=problem.parameters, seed=seed, objectives=objectives,
                        constraints=constraints, **given)  # fmt: skip
    experimenter, losses, seconds = Experimenter(problem, seed), [], []
    for _ in range(outcomes.EVALUATIONS):
        began = peer.call("processor_seconds")
        params = peer.call("ask")
        seconds.append(peer.call("processor_seconds") - began)
        told = experimenter.measure(params)
        if told is not None and problem.tolerance and not ours:
            told = told | {
                f"{name}{side}": sign * told[name] - problem.tolerance
                for name in problem.names[1]
                for side, sign in (("+", 1.0), ("-", -1.0))
            }
        peer.call("tell", params=params, outcomes=told)
        losses.append(experimenter.loss())
    inside = "".join("01"[kept] for _, kept in experimenter.true)
    times = [float(f"{value:.2g}") for value in (np.median(seconds), max(seconds))]
    return {"version": version, "feasible": inside, "losses": losses, "seconds": times}


def run(methods: Sequence[str], seeds: int, only: Sequence[str], minutes: float) -> None:
    """What is missing of the runs of some methods."""
    chosen = [one for one in problems() if not only or one.name in only]
    for method in methods:
        name, options = outcomes.METHODS[method]
        peer_runs.run_missing(
            peer_runs.trace_file(TRACES, method),
            name,
            chosen,
            seeds,
            lambda peer, problem, seed, options=options, ours="pathmax" in name: optimise(
                peer, options, problem, seed, ours
            ),
            minutes,
            lambda row: f"{peer_runs.bests(row['losses'], outcomes.AT)} {row['seconds']}",
            SEVERAL_OUTCOMES,
        )


def slowest(methods: Sequence[str]) -> str:
    """Processor seconds of a suggestion: medians over problems, and the slowest of all."""
    lines = []
    for method in methods:
        rows = peer_runs.load(peer_runs.trace_file(TRACES, method))
        if rows:
            (name, _), row = max(rows.items(), key=lambda item: item[1]["seconds"][1])
            middle = float(np.median([one["seconds"][0] for one in rows.values()]))
            lines.append([method, f"{middle:.2f} s", f"{row['seconds'][1]:.2g} s, {name}"])
    return table(["method", "a suggestion (median)", "the slowest"], lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("do", choices=["run", "report"])
    parser.add_argument(
        "--methods", nargs="+", default=list(METHODS), choices=list(outcomes.METHODS)
    )
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", nargs="+", default=[], help="problems, by name")
    parser.add_argument("--minutes", type=float, default=1e9, help="start no run after that")
    asked = parser.parse_args()
    if asked.do == "run":
        run(asked.methods, asked.seeds, asked.only, asked.minutes)
    else:
        print(outcomes.report(asked.methods, problems(), TRACES))
        print("\n" + slowest(asked.methods))


if __name__ == "__main__":
    main()
