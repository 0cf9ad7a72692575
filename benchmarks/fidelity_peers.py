"""Fidelities beside BoTorch's MF-MES and MF-KG: the regret of what each recommends, at equal cost.

    python -m benchmarks.fidelity_peers --seeds 2 --budget 6 --minutes 20    runs what is missing
    python -m benchmarks.fidelity_peers --table                              what was run so far

Costs are in trials at the target, of which the cheapest costs a tenth. Runs are kept in
benchmarks/traces/fidelities, a line for each.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.fidelities import trace
from benchmarks.fidelity_functions import CHEAP, Approximated, functions
from benchmarks.peer_runs import Row, load, run_missing, trace_file
from benchmarks.peers import Peer

FOLDER = Path(__file__).parent / "traces" / "fidelities"
NAMES = ("augmented branin", "augmented hartmann", "branin", "currin")
WAYS = ("pathmax", "pathmax target only", "botorch mf-mes", "botorch mf-kg")


def by_botorch(peer: Peer, problem: Approximated, seed: int, budget: int, method: str) -> Row:
    """The regret of what BoTorch recommends after each unit of cost, and its processor time."""
    low, high = np.array(problem.low), np.array(problem.high)
    peer.call("start", d=len(low), levels=problem.levels, cheap=CHEAP, seed=seed, method=method)

    def value(u: list[float], s: float) -> float:
        x = low + (high - low) * np.clip(u, 0.0, 1.0)
        return float(problem.values(x[None], s)[0])

    spent, regrets, trials = 0.0, [float("nan")] * budget, 0
    while spent < budget:
        *u, s = peer.call("ask")
        s = 1.0 if s > 1.0 - 1e-6 else s
        before, spent = spent, spent + CHEAP + (1.0 - CHEAP) * s
        for unit in range(int(before), min(int(spent + 1e-9), budget)):
            if trials > 1:
                regrets[unit] = max(problem.best - value(peer.call("recommend"), 1.0), 0.0)
        peer.call("tell", u=[*u, s], value=value(u, s))
        trials += 1
    return {
        "regrets": regrets,
        "trials": trials,
        "seconds": float(peer.call("processor_seconds")),
    }


def table(budget: int, ways: Sequence[str] = WAYS) -> None:
    """Regrets at the end of the budget, and the mean rank at each unit of cost."""
    found = {way: load(trace_file(FOLDER, way)) for way in ways}
    common = sorted(set.intersection(*(set(runs) for runs in found.values())))
    if not common:
        print("Nothing was run with all of them yet.")
        return
    print("| function | runs | " + " | ".join(ways) + " |")
    print("| --- |" + " --- |" * (len(ways) + 1))
    for name in NAMES:
        seeds = [seed for problem, seed in common if problem == name]
        if seeds:
            ends = [
                np.median([found[way][name, seed]["regrets"][budget - 1] for seed in seeds])
                for way in ways
            ]
            cells = " | ".join(f"{end:.2g}" for end in ends)
            print(f"| {name} | {len(seeds)} | {cells} |")
    print()
    units = range(1, budget, 2)
    print("| mean rank after a cost of | " + " | ".join(str(unit + 1) for unit in units) + " |")
    print("| --- |" + " --- |" * len(units))
    for way in ways:
        ranks = [
            np.mean([rank(found[way][run]["regrets"][unit], run, unit, found) for run in common])
            for unit in units
        ]
        print(f"| {way} | " + " | ".join(f"{one:.2f}" for one in ranks) + " |")


def rank(regret: float, run: tuple[str, int], unit: int, found: dict[str, dict]) -> float:
    """The place of a regret among those of all, ties in the middle; none yet is the worst."""
    others = [runs[run]["regrets"][unit] for runs in found.values()]
    known = [np.inf if one is None or np.isnan(one) else one for one in (regret, *others)]
    mine, *all_of_them = known
    below = sum(one < mine for one in all_of_them)
    equal = sum(one == mine for one in all_of_them)
    return below + 0.5 * (equal + 1)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--budget", type=int, default=6)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--table", action="store_true", help="of what was run")
    parser.add_argument("--ways", nargs="+", default=WAYS, choices=WAYS)
    parser.add_argument("--functions", nargs="+", default=NAMES, choices=NAMES)
    given = parser.parse_args()
    problems = [one for one in functions("reported") if one.name in given.functions]

    def ours(several: bool):  # type: ignore[no-untyped-def]
        return lambda _, problem, seed: {
            "regrets": trace(problem, seed, given.budget, several).tolist()
        }

    def end(row: Row) -> str:
        return f"{row['regrets'][-1]:.3g}"

    if not given.table:
        ways = [
            ("pathmax", "pathmax", ours(True)),
            ("pathmax target only", "pathmax", ours(False)),
        ]
        ways += [
            (
                f"botorch {method}",
                "fidelities botorch",
                lambda p, f, s, m=method: by_botorch(p, f, s, given.budget, m),
            )
            for method in ("mf-mes", "mf-kg")
        ]
        for way, peer, run in (one for one in ways if one[0] in given.ways):
            file = trace_file(FOLDER, way)
            run_missing(file, peer, problems, given.seeds, run, given.minutes, end)
    table(given.budget, given.ways)


if __name__ == "__main__":
    main()
