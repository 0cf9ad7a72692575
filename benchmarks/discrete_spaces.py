"""Tables, lists, lattices and batches: how good is the best after so many evaluations?

    python -m benchmarks.discrete_spaces run pools lists
    python -m benchmarks.discrete_spaces run mixed --methods "optuna tpe" "optuna gp"
    python -m benchmarks.discrete_spaces report pools --against "pathmax ei"

`--as NAME` keeps the traces of a changed version under a name of its own. `run` adds a line per run
to benchmarks/traces/discrete/REGIME/METHOD.jsonl and skips what is there (of pathmax: by this
engine; under a name of its own: all). The regret of a run is counted from the best that any method
found on the problem, plus a thousandth of the way there from the median of the reference's first
five values, so that no last digit decides.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import pathmax
from benchmarks import peer_runs
from benchmarks.clock import table
from benchmarks.discrete_problems import Listed, Table, suites
from benchmarks.peers import Peer

HERE = Path(__file__).parent / "traces" / "discrete"
PEERS = {
    "optuna tpe": ("optuna", {"method": "tpe"}),
    "optuna gp": ("optuna", {"method": "gp"}),
    "botorch logei": ("botorch", {"method": "logei"}),
    "botorch qlognei": ("botorch", {"method": "qlognei"}),  # for noise
    "smac": ("smac", {}),
    # a fifth of a hundred evaluations for the first design, where TuRBO itself takes 2 d
    "turbo": ("turbo", {"batch": 5, "first": 20}),
    "cmaes": ("cmaes", {}),
}
LOOKS = {"pools": (10, 20, 40), "batches": (24, 48, 88)}
Runner = Callable[[Table | Listed, int, int], list[float]]


def evaluations(regime: str) -> int:
    return looks(regime)[-1]


def looks(regime: str) -> tuple[int, ...]:
    return LOOKS.get(regime.split(",")[0], (15, 30, 60))


def parameter(one: dict[str, Any]) -> Any:
    if one["kind"] == "categorical":
        return pathmax.Categorical(one["choices"])
    kind = pathmax.Int if one["kind"] == "int" else pathmax.Float
    return kind(one["low"], one["high"], log=bool(one.get("log")))


def ours(method: str, options: dict[str, Any] | None = None) -> Runner:
    """pathmax with a method of its own; what is told has the problem's noise."""

    def run(problem: Table | Listed, seed: int, n: int) -> list[float]:
        space: Any
        if isinstance(problem, Table):
            space, losses_of = pathmax.Candidates(problem.rows), problem.losses
            loss = lambda params: losses_of[space.index(params)]  # noqa: E731
        else:
            space = {p["name"]: parameter(p) for p in problem.space}
            loss = problem.loss
        study = pathmax.Study(
            space, direction="minimize", method=method, seed=seed, options=options or {}
        )
        losses: list[float] = []
        rng = np.random.default_rng(seed)
        while len(losses) < n:
            trials = [study.ask()] if problem.batch == 1 else study.ask(problem.batch)
            for trial in trials:
                losses.append(float(loss(dict(trial.params))))
            for trial, value in zip(trials, losses[-len(trials) :], strict=True):
                error = problem.noise * float(rng.standard_normal()) if problem.noise else 0.0
                study.tell(trial, value + error)
        return losses[:n]

    return run


def by_peer(peer: Peer, options: dict[str, Any]) -> Runner:
    """A peer through its worker; a batch is asked for before anything of it is told."""

    def run(problem: Table | Listed, seed: int, n: int) -> list[float]:
        losses: list[float] = []
        rng = np.random.default_rng(seed)
        if isinstance(problem, Table):
            peer.call("table_start", rows=problem.rows.tolist(), seed=seed, **options)
            while len(losses) < n:
                row = peer.call("table_ask")
                losses.append(float(problem.losses[row]))
                peer.call("table_tell", row=row, value=losses[-1])
            return losses
        peer.call("start", space=problem.space, seed=seed, **options)
        while len(losses) < n:
            if problem.batch == 1:
                params = [peer.call("ask")]
            else:
                params = peer.call("ask_batch", size=problem.batch)
            values = [problem.loss(one) for one in params]
            told = [value + problem.noise * float(rng.standard_normal()) for value in values]
            if problem.batch == 1:
                peer.call("tell", params=params[0], value=told[0])
            else:
                peer.call("tell_batch", values=told)
            losses += values
        return losses[:n]

    return run


def trace_file(regime: str, name: str) -> Path:
    return peer_runs.trace_file(HERE / regime.replace(", ", "-"), name)


def load(regime: str, name: str) -> dict[tuple[str, int], list[float]]:
    """(problem, seed) -> losses in order."""
    found = peer_runs.load(trace_file(regime, name))
    return {key: row["losses"] for key, row in found.items()}


def jobs(regime: str, most: int | None = None) -> Iterator[tuple[Table | Listed, int]]:
    """The runs, those of each kind of problem spread evenly: the first few stand for all."""
    runs = [(problem, seed) for problem in suites()[regime]() for seed in range(problem.repeats)]
    order = np.argsort(np.modf(0.618034 * np.arange(len(runs)))[0], kind="stable")
    yield from (runs[i] for i in order[:most])


def run(regime: str, method: str, name: str, most: int | None = None) -> None:
    file, ours_ = trace_file(regime, name), method not in PEERS
    done = peer_runs.done(file, ours_ and name == method)
    started = time.process_time()
    peer = Peer(PEERS[method][0]) if method in PEERS else None
    if peer is None:
        minimise = ours(method.removeprefix("pathmax").strip() or "pims")
    else:
        minimise = by_peer(peer, PEERS[method][1])
    for problem, seed in jobs(regime, most):
        if (problem.name, seed) not in done:
            losses = minimise(problem, seed, evaluations(regime))
            kept = [float(f"{loss:.5g}") for loss in np.minimum.accumulate(losses)]
            row = {"problem": problem.name, "seed": seed, "losses": kept}
            peer_runs.keep(file, row, ours_)
    if peer is not None:
        peer.close()
    print(f"{regime}, {name}: {time.process_time() - started:.0f} s", flush=True)


def names_of(regime: str) -> list[str]:
    return sorted(file.stem.replace("-", " ") for file in trace_file(regime, "x").parent.glob("*"))


def regrets(regime: str, names: list[str], reference: str) -> dict[str, dict[Any, np.ndarray]]:
    """name -> run -> regrets at the looks, in units of the reference's first values."""
    traces = {name: load(regime, name) for name in names}
    best: dict[str, float] = {}
    for runs in (load(regime, name) for name in names_of(regime)):
        for (problem, _), losses in runs.items():
            best[problem] = min(best.get(problem, np.inf), losses[-1])
    at = np.array(looks(regime)) - 1
    found: dict[str, dict[Any, np.ndarray]] = {name: {} for name in names}
    for key, losses in traces[reference].items():
        unit = float(np.median(losses[:5])) - best[key[0]]
        for name in names:
            if key in traces[name]:
                missing = np.array(traces[name][key])[at] - best[key[0]]
                found[name][key] = missing / (unit or 1.0) + 1e-3
    return found


def compare(regime: str, names: list[str], reference: str, only: str = "") -> str:
    """Ratios of regrets to the reference's (each cut at a factor of ten), and ahead - behind."""
    found = regrets(regime, [reference, *names], reference)
    lines = []
    for name in names:
        keys = [key for key in found[name] if key in found[reference] and only in key[0]]
        if not keys:
            continue
        mine, theirs = (np.array([found[n][key] for key in keys]) for n in (name, reference))
        logs = np.clip(np.log(mine / theirs), -np.log(10.0), np.log(10.0))
        signs = np.sign(np.round(theirs - mine, 9))
        root = np.sqrt(len(keys))
        cells = []
        for j in range(logs.shape[1]):
            middle, error = logs[:, j].mean(), 2.0 * logs[:, j].std() / root
            share, doubt = 100.0 * signs[:, j].mean(), 200.0 * signs[:, j].std() / root
            cells.append(
                f"{np.exp(middle):.2f} ({np.exp(middle - error):.2f} to "
                f"{np.exp(middle + error):.2f}), {share:+.0f} +- {doubt:.0f}"
            )
        lines.append([name, str(len(keys)), *cells])
    head = [f"{regime}, against {reference}", "runs", *(f"after {n}" for n in looks(regime))]
    return table(head, lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("do", choices=["run", "report"])
    parser.add_argument("regimes", nargs="+", choices=[*suites()])
    parser.add_argument("--methods", nargs="*", default=["pathmax"])
    parser.add_argument("--as", dest="name", help="a name for the traces of a changed version")
    parser.add_argument("--runs", type=int, help="at most so many of each regime")
    parser.add_argument("--against", default="pathmax")
    parser.add_argument("--only", default="", help="problems with this in their name")
    options = parser.parse_args()
    for regime in options.regimes:
        if options.do == "run":
            for method in options.methods:
                run(regime, method, options.name or method, options.runs)
        else:
            names = [name for name in names_of(regime) if name != options.against]
            print(compare(regime, names, options.against, options.only) + "\n")


if __name__ == "__main__":
    main()
