"""Constraints that are learnt and several objectives: how good after 30 and 60 evaluations?

    python -m benchmarks.outcomes run --methods pathmax "optuna gp" --seeds 5
    python -m benchmarks.outcomes report

`run` adds a line per (problem, seed, method) to benchmarks/traces/outcomes/METHOD.jsonl and skips
what is there already, of pathmax by this engine. A loss is the objective where a result keeps every
bound (null where it does not), or with several objectives the share of the best known hypervolume
that the feasible results so far miss. BoTorch is told the reference point of hypervolumes, and so
is `pathmax told`, a study with `reference=`; nobody else asks for it.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from benchmarks import peer_runs, ranks
from benchmarks.clock import table
from benchmarks.engines import SEVERAL_OUTCOMES
from benchmarks.outcome_pairs import feasible_counts, pairs
from benchmarks.peers import Peer
from pathmax.experiments import outcome_problems as known
from pathmax.experiments.outcome_problems import OutcomeProblem
from pathmax.space.parameters import Int

TRACES = Path(__file__).parent / "traces" / "outcomes"
EVALUATIONS = 60
AT = (30, 60)

METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "pathmax": ("outcomes pathmax", {}),
    "pathmax told": ("outcomes pathmax", {"told": True}),
    "pathmax ei": ("outcomes pathmax", {"method": "ei"}),
    "pathmax ts": ("outcomes pathmax", {"method": "ts"}),
    "botorch": ("outcomes botorch", {}),
    "optuna gp": ("outcomes optuna", {"method": "gp"}),
    "optuna tpe": ("outcomes optuna", {"method": "tpe"}),
    "optuna nsga2": ("outcomes optuna", {"method": "nsga2"}),
}


class Judged(Protocol):
    """What a report asks of a problem; one of the two last is there."""

    @property
    def name(self) -> str: ...
    @property
    def optimum(self) -> float | None: ...
    @property
    def best_hypervolume(self) -> float | None: ...


Make = Callable[[], OutcomeProblem]
PROBLEMS: tuple[Make, ...] = (
    *known.CONSTRAINED,
    partial(known.pressure_vessel, plates=True),
    known.branin_currin,
    *(partial(known.zdt, number) for number in (1, 2, 3)),
    *(partial(known.dtlz2, objectives) for objectives in (2, 3)),
    *(make for make in known.FRONTS if make not in (known.branin_currin, known.zdt, known.dtlz2)),
)


def parameters(problem: OutcomeProblem) -> list[dict[str, Any]]:
    """The space as every peer is told it."""
    return [
        {
            "name": name,
            "kind": "int" if isinstance(one, Int) else "float",
            "low": one.low,  # type: ignore[union-attr]
            "high": one.high,  # type: ignore[union-attr]
        }
        for name, one in problem.space.parameters.items()
    ]


def begin(peer: Peer, options: dict[str, Any], problem: OutcomeProblem, seed: int) -> Any:
    return peer.call(
        "start",
        space=parameters(problem),
        seed=seed,
        objectives=list(problem.objectives),
        constraints=list(problem.constraints),
        reference=None if problem.reference is None else list(problem.reference),
        **options,
    )


def optimise(
    peer: Peer, options: dict[str, Any], problem: OutcomeProblem, seed: int
) -> dict[str, Any]:
    """One run: losses, and whether each result keeps the bounds, as a word of 0 and 1."""
    version = begin(peer, options, problem, seed)
    results: list[dict[str, float]] = []
    losses: list[float | None] = []
    for _ in range(EVALUATIONS):
        params = peer.call("ask")
        outcomes = problem(params)
        peer.call("tell", params=params, outcomes=outcomes)
        results.append(outcomes)
        losses.append(loss_of(problem, results))
    inside = "".join("01"[problem.feasible(outcomes)] for outcomes in results)
    return {"version": version, "feasible": inside, "losses": losses}


def loss_of(problem: OutcomeProblem, results: Sequence[dict[str, float]]) -> float | None:
    """The newest result's objective if it is feasible; of several, the hypervolume missing."""
    if problem.best_hypervolume is not None:
        return float(f"{1.0 - problem.hypervolume(results) / problem.best_hypervolume:.6g}")
    value = problem.best(results[-1:])
    return float(f"{value:.8g}") if math.isfinite(value) else None


def load(method: str, folder: Path | None = None) -> peer_runs.Runs:
    """(problem, seed) -> a run."""
    return peer_runs.load(peer_runs.trace_file(folder or TRACES, method))


def run(methods: list[str], seeds: int, only: Sequence[str] = (), minutes: float = 1e9) -> None:
    """What is missing of the runs of some methods."""
    problems = [make() for make in PROBLEMS]
    problems = [one for one in problems if not only or one.name in only]
    for method in methods:
        name, options = METHODS[method]
        fronts = [one for one in problems if one.best_hypervolume is not None]
        peer_runs.run_missing(
            peer_runs.trace_file(TRACES, method),
            name,
            fronts if "told" in options else problems,  # one objective has no reference
            seeds,
            lambda peer, problem, seed, options=options: optimise(peer, options, problem, seed),
            minutes,
            lambda row: peer_runs.bests(row["losses"], AT),
            SEVERAL_OUTCOMES,
        )


def report(
    methods: Sequence[str], judged: Sequence[Judged] | None = None, folder: Path | None = None
) -> str:
    """Mean ranks of constrained problems and of fronts, and what each method reached."""
    runs = {method: found for method in methods if (found := load(method, folder))}
    if not runs:
        return "No run has been made yet."
    problems: Sequence[Judged] = judged or [make() for make in PROBLEMS]
    single = {one.name for one in problems if one.best_hypervolume is None}
    parts = []
    for title, chosen in (
        ("One objective under constraints: best feasible value.", single),
        ("Several objectives: hypervolume.", {one.name for one in problems} - single),
    ):
        traces = {method: curves(found, chosen) for method, found in runs.items()}
        if not set.intersection(*(set(one) for one in traces.values())):
            continue
        text = ranks.table(traces, at=AT)
        parts.append(f"{title} {text}\n\n{reached(traces, problems)}")
    kinds = {"constraints": single, "fronts": {one.name for one in problems} - single}
    traces_of = {
        kind: {method: curves(found, chosen) for method, found in runs.items()}
        for kind, chosen in kinds.items()
    }
    parts += [pairs(traces_of, AT), feasible_counts(runs), infeasible(runs, single)]
    return "\n\n".join(parts)


def curves(runs: peer_runs.Runs, names: set[str]) -> dict[tuple[str, int], list[float]]:
    return {
        key: [math.inf if one is None else one for one in row["losses"]]
        for key, row in runs.items()
        if key[0] in names
    }


def reached(
    traces: dict[str, dict[tuple[str, int], list[float]]], problems: Sequence[Judged]
) -> str:
    """The median of the runs that each method has after 30 and after 60 evaluations."""
    lines = []
    for problem in problems:
        cells = []
        for found in traces.values():
            bests = [[min(run[:n]) for n in AT] for (name, _), run in found.items()
                     if name == problem.name]  # fmt: skip
            cells.append(summary(np.array(bests), problem) if bests else "-")
        if set(cells) != {"-"}:
            goal = problem.optimum if problem.optimum is not None else problem.best_hypervolume
            lines.append([problem.name, f"{goal:.5g}", *cells])
    says = "Medians after 30 and 60 evaluations; in brackets the runs."
    return says + "\n\n" + table(["problem", "best known", *traces], lines)


def summary(bests: np.ndarray, problem: Judged) -> str:  # (runs, 2)
    middle = [float(np.sort(column)[len(column) // 2]) for column in bests.T]
    if problem.best_hypervolume is not None:
        words = [f"{100.0 * (1.0 - value):.1f} %" for value in middle]
    else:
        words = [f"{value:.5g}" if math.isfinite(value) else "none" for value in middle]
    return f"{words[0]}, {words[1]} ({len(bests)})"


def infeasible(runs: dict[str, peer_runs.Runs], single: set[str]) -> str:
    """Results that break a bound, and until another method's final value is reached."""
    lines = []
    for method, found in runs.items():
        shared = {key: row for key, row in found.items() if "0" in row["feasible"]}
        share = np.mean([row["feasible"].count("0") / EVALUATIONS for row in shared.values()])
        none = [key for key, row in found.items() if "1" not in row["feasible"]]
        until = [
            broken_until(mine["losses"], mine["feasible"], peer_runs.best(row["losses"]))
            for key, row in found.items()
            if key[0] in single and (mine := runs.get("pathmax", {}).get(key)) is not None
        ]
        lines.append(
            [
                method,
                f"{share:.0%}",
                f"{len(none)} of {len(found)}",
                f"{np.median(until):.0f}" if until else "-",
            ]
        )
    head = [
        "method",
        "results out of bounds, where bounds bind",
        "runs with nothing feasible",
        "pathmax's results out of bounds until it has this method's final value (median)",
    ]
    return table(head, lines)


def broken_until(losses: Sequence[float | None], inside: str, goal: float) -> float:
    """How many results broke a bound before the goal was reached; all of them if it never was."""
    for n, one in enumerate(losses):
        if one is not None and one <= goal:
            return float(inside[:n].count("0"))
    return float(inside.count("0"))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("do", choices=["run", "report"])
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=list(METHODS))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--only", nargs="+", default=[], help="problems, by name")
    parser.add_argument("--minutes", type=float, default=1e9, help="start no run after that")
    options = parser.parse_args()
    if options.do == "run":
        run(options.methods, options.seeds, options.only, options.minutes)
    else:
        print(report(options.methods))


if __name__ == "__main__":
    main()
