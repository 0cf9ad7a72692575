"""Transfer: what a study gains from an older one, and what it loses when that has nothing to say.

    python -m benchmarks.transfer --seeds 20 --minutes 30   runs what is missing, then the tables
    python -m benchmarks.transfer --table                   what was run so far
    python -m benchmarks.transfer --development             the problems that defaults are chosen on
    python -m benchmarks.transfer --time                    processor time of a suggestion

The older study has 25 results of its own, suggested by pathmax. The new one makes 20 trials alone,
or with `learn_from` the older study: a related function, an unrelated one, or the opposite of a
related one. The regret is that of the best trial, in standard deviations of the target over its
space, at least 1e-4. What chance alone does to such a ratio is seen from the study alone with
another seed, and what it does to a comparison with both of these from that with a third. Runs are
kept in benchmarks/traces/transfer, a line for each.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pathmax
from benchmarks import peer_runs
from benchmarks.peers import Peer
from benchmarks.transfer_problems import DEVELOPMENT, REPORTED, Task

Array = NDArray[np.float64]
Runs = dict[tuple[str, str, int], dict[str, Any]]  # by problem, kind and seed
FOLDER = Path(__file__).parent / "traces" / "transfer"
OLDER_RESULTS = 25
TRIALS = 20
PEER_TRIALS = 10  # BayBE takes seven seconds of processor time for each
LOOKS = (5, 10, 15, 20)
KEY = ("problem", "kind", "seed")
LEAST = 1e-4
ANOTHER_SEED, THIRD_SEED = "alone, another seed", "alone, a third seed"
SEEDS = {ANOTHER_SEED: 5000, THIRD_SEED: 10_000}  # what is added to the seed of a run
KINDS = ("alone", *SEEDS, "related", "unrelated", "opposite")
BAYBE = "BayBE, "  # with its task parameter, and what it learns from
PEERS = tuple(BAYBE + kind for kind in ("alone", "related", "unrelated"))
TIE = 1.02  # regrets within this factor are level
TRIMMED = 0.1  # of the ratios at each end are left out of a trimmed mean


def older_study(task: Task, kind: str, seed: int) -> pathmax.Study:
    """A study of the older function."""
    study = pathmax.Study(task.space, name=kind, seed=1000 + seed)
    study.optimize(lambda p: task.value(p, task.older[kind]), OLDER_RESULTS, progress=False)
    return study


def run(task: Task, kind: str, seed: int) -> dict[str, Any]:
    """What the best trial so far falls short of, in standard deviations, and what was borrowed."""
    if kind in PEERS:
        return run_baybe(task, kind.removeprefix(BAYBE), seed)
    older = [older_study(task, kind, seed)] if kind in task.older else None
    began = time.process_time()
    study = pathmax.Study(task.space, seed=seed + SEEDS.get(kind, 0), learn_from=older)
    study.optimize(lambda p: task.value(p), TRIALS, progress=False)
    weights = [lent_in(trial) for trial in study.trials]
    return {
        "regrets": regrets(task, [trial.outcomes["value"] for trial in study.trials]),
        "borrowed": [i for i, lent in enumerate(weights) if lent],
        "seconds": round(time.process_time() - began, 2),
    }


def run_baybe(task: Task, kind: str, seed: int) -> dict[str, Any]:
    """The same of BayBE, which is told the older results as those of another task."""
    older = None
    if kind in task.older:
        known = older_study(task, kind, seed)
        older = [{**trial.params, "value": trial.outcomes["value"]} for trial in known.trials]
    values = []
    with Peer("transfer baybe") as peer:
        started = peer.call("start", names=[*task.space], older=older, seed=seed)
        for _ in range(PEER_TRIALS):
            params = peer.call("ask")
            values.append(task.value(params))
            peer.call("tell", params=params, value=values[-1])
        seconds = round(float(peer.call("processor_seconds")), 2)
    return {"regrets": regrets(task, values), "borrowed": [], "seconds": seconds, **started}


def regrets(task: Task, values: Sequence[float]) -> list[float]:
    """By how much the best so far falls short."""
    best = np.maximum.accumulate(np.asarray(values))
    return [float(f"{x:.4g}") for x in np.maximum((task.best - best) / task.spread, LEAST)]


def lent_in(trial: pathmax.Trial) -> bool:
    """Whether a trial was chosen with something borrowed."""
    outcomes = trial.info.get("outcomes", {})
    return any(any(one["model"].get("borrowed", {}).values()) for one in outcomes.values())


def load(file: Path) -> Runs:
    """The runs that are kept."""
    return peer_runs.load(file, KEY)


def run_missing(
    file: Path,
    families: dict[str, Callable[[int], Task]],
    seeds: int,
    kinds: Sequence[str],
    minutes: float,
) -> None:
    """What is missing, seed by seed, so that a run that is stopped has every problem."""
    peers, ours = (peer_runs.done(file, which, KEY) for which in (False, True))
    done = {key for key in peers if key in ours or key[1] in PEERS}
    began = time.perf_counter()
    for seed in range(seeds):
        for name, make in families.items():
            todo = [kind for kind in kinds if (name, kind, seed) not in done]
            if not todo or time.perf_counter() - began > 60.0 * minutes:
                continue
            task = make(seed)
            for kind in todo:
                row = {"problem": name, "kind": kind, "seed": seed} | run(task, kind, seed)
                peer_runs.keep(file, row, kind not in PEERS, KEY)


def tables(found: Runs, kinds: Sequence[str]) -> None:
    """Regrets by problem, and ratios to the study alone, run by run."""
    runs = sorted({(p, s) for p, _, s in found if all((p, kind, s) in found for kind in kinds)})
    if not runs:
        print("Nothing was run with all of these yet.")
        return
    length = min(len(found[p, kind, s]["regrets"]) for p, s in runs for kind in kinds)
    looks = [n for n in LOOKS if n <= length]
    logs = {
        kind: np.log([found[problem, kind, seed]["regrets"][:length] for problem, seed in runs])
        for kind in kinds
    }
    print("| problem | runs | older study | " + " | ".join(f"after {n}" for n in looks) + " |")
    print("| --- | --- | --- |" + " --- |" * len(looks))
    for name in dict.fromkeys(problem for problem, _ in runs):
        there = np.array([problem == name for problem, _ in runs])
        for kind in kinds:
            shown = [f"{np.exp(logs[kind][there, n - 1].mean()):.2g}" for n in looks]
            print(f"| {name} | {there.sum()} | {kind} | " + " | ".join(shown) + " |")
    print()
    print(f"Ratios to the study alone, {len(runs)} runs:")
    print()
    print("| older study | | " + " | ".join(f"after {n}" for n in looks) + " |")
    print("| --- | --- |" + " --- |" * len(looks))
    for kind in kinds:
        if kind == "alone":
            continue
        ratios = (logs[kind] - logs["alone"])[:, [n - 1 for n in looks]]
        for title, cells in rows_of(ratios).items():
            print(f"| {kind} | {title} | " + " | ".join(cells) + " |")
        if kind in KINDS and (kind != ANOTHER_SEED or THIRD_SEED in kinds):
            lent = np.array([bool(found[p, kind, s]["borrowed"][1:]) for p, s in runs])
            print_both(kind, logs, lent, looks)


def print_both(
    kind: str, logs: dict[str, Array], lent: NDArray[np.bool_], looks: Sequence[int]
) -> None:
    """Ratios to the mean of the studies alone, all seeds but the one of the kind: less chance."""
    alone = np.mean([logs[each] for each in ("alone", *SEEDS) if each in logs and each != kind], 0)
    earlier = np.column_stack([alone[:, :1], alone[:, :-1]])
    everyone = np.ones(len(lent), dtype=bool)
    for title, beside, which in (
        ("beside the others alone", alone, everyone),
        ("the same, one trial earlier", earlier, everyone),
        (f"{lent.sum()} runs that borrowed after their first trial", alone, lent),
        (f"{(~lent).sum()} runs that did not", alone, ~lent & lent.any()),
    ):
        if which.sum() > 1:
            some = (logs[kind] - beside)[which][:, [n - 1 for n in looks]]
            errors = some.std(axis=0, ddof=1) / math.sqrt(len(some))
            cells = intervals(some.mean(axis=0), errors)
            print(f"| {kind} | {title} | " + " | ".join(cells) + " |")


def rows_of(ratios: Array) -> dict[str, list[str]]:  # (runs, looks), logarithms
    """What is said of ratios: their mean, a trimmed one, and how often they are above 1."""
    n = len(ratios)
    cut = int(TRIMMED * n)
    inner = np.sort(ratios, axis=0)[cut : n - cut]
    limits = np.sort(ratios, axis=0)[[cut, n - cut - 1]]
    spread = np.clip(ratios, *limits).std(axis=0, ddof=1) / (1.0 - 2.0 * cut / n)  # winsorised
    worse = (ratios > math.log(TIE)).sum(axis=0)
    better = (ratios < -math.log(TIE)).sum(axis=0)
    return {
        "mean": intervals(ratios.mean(axis=0), ratios.std(axis=0, ddof=1) / math.sqrt(n)),
        "trimmed mean": intervals(inner.mean(axis=0), spread / math.sqrt(n)),
        "better, level, worse": [
            f"{b}, {n - b - w}, {w}" for b, w in zip(better, worse, strict=True)
        ],
        "worse, of those not level": [share(w, w + b) for b, w in zip(better, worse, strict=True)],
    }


def intervals(means: Array, errors: Array) -> list[str]:
    """Ratios with 95 % intervals."""
    ends = np.exp(means + np.array([[-1.96], [0.0], [1.96]]) * errors).T
    return [f"{middle:.2f} ({low:.2f} to {high:.2f})" for low, middle, high in ends]


def share(k: int, n: int) -> str:
    """A share with Wilson's 95 % interval."""
    if not n:
        return "none"
    z, p = 1.96, k / n
    centre = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    wide = z / (1 + z**2 / n) * math.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return f"{p:.0%} ({centre - wide:.0%} to {centre + wide:.0%})"


def suggestion_times(repeats: int = 5) -> None:
    """Processor time of a suggestion with and without 50 older results, interleaved."""
    rng = np.random.default_rng(0)
    space = {f"x{i}": pathmax.Float(0.0, 1.0) for i in range(4)}

    def rows(n: int) -> list[dict[str, float]]:
        U = rng.random((n, 4))
        values = np.sin(5 * U[:, 0]) + U[:, 1] * U[:, 2] + U[:, 3] ** 2
        return [
            {**{f"x{i}": float(x) for i, x in enumerate(u)}, "value": float(v)}
            for u, v in zip(U, values, strict=True)
        ]

    older = rows(50)
    for n in (20, 100):
        told, spent = rows(n), {"alone": [0.0] * repeats, "learn_from": [0.0] * repeats}
        for i in range(repeats):
            for kind in spent:
                given = [older] if kind == "learn_from" else None
                study = pathmax.Study(space, seed=i, learn_from=given)
                study.add(told)
                study.ask()  # the model of the older results is made once
                study.add(rows(1))
                start = time.process_time()
                study.ask()
                spent[kind][i] = time.process_time() - start
        alone, lent = (float(np.median(spent[kind])) for kind in spent)
        print(
            f"n = {n}: alone {alone:.3f} s, with 50 older results {lent:.3f} s: {lent / alone:.1f}x"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--kinds", nargs="+", default=KINDS[:5], choices=KINDS + PEERS)
    parser.add_argument("--only", nargs="+", help="families that have one of these in their names")
    parser.add_argument("--development", action="store_true")
    parser.add_argument("--into", type=Path, help="a file of runs other than the one kept")
    parser.add_argument("--table", action="store_true", help="of what was run")
    parser.add_argument("--time", action="store_true")
    given = parser.parse_args()
    if given.time:
        suggestion_times()
        return
    families = DEVELOPMENT if given.development else REPORTED
    if given.only:
        chosen = (n for n in families if any(part in n for part in given.only))
        families = {name: families[name] for name in chosen}
    kept = FOLDER / ("development.jsonl" if given.development else "reported.jsonl")
    file = given.into or kept
    if not given.table:
        run_missing(file, families, given.seeds, given.kinds, given.minutes)
    tables(load(file), given.kinds)


if __name__ == "__main__":
    main()
