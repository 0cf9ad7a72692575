"""Several outcomes beside BoTorch, on the runs by problem and seed that both have made.

    python -m benchmarks.outcomes_beside        prints the tables of benchmarks/outcomes.md

Shown are medians of the best feasible value after 30 and 60 evaluations, or of the share of the
best known hypervolume that is missing. "told" is a study with the `reference=` that BoTorch is
told. Ratios are geometric means of what is missing in terms of what BoTorch misses, with 95 %
bootstrap intervals over problems.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from benchmarks import outcomes, peer_runs, ranks
from benchmarks.clock import table

PEER, OURS = "botorch", ("pathmax told", "pathmax")
Pairs = list[
    tuple[tuple[str, int], list[float], list[float]]
]  # the run, ours, theirs, at the looks


def bests(row: Mapping[str, Sequence[float | None]]) -> list[float]:
    return [peer_runs.best(row["losses"][:n]) for n in outcomes.AT]


def cell(rows: Sequence[Mapping[str, Sequence[float | None]]], front: bool) -> str:
    """Medians over runs at each look; the lower of two in the middle, none if it has no result."""
    if not rows:
        return ""
    ordered = np.sort([bests(row) for row in rows], axis=0)
    found = [float(one) for one in ordered[(len(rows) - 1) // 2]]
    words = [f"{100.0 * one:.3g}%" if front else f"{one:.5g}" for one in found]
    return ", ".join(
        word if math.isfinite(x) else "none" for word, x in zip(words, found, strict=True)
    )


def ratios(pairs: Pairs) -> list[str]:
    """What ours misses in terms of what theirs does, at each look."""
    keys = [key for key, _, _ in pairs]
    logs = np.array([np.log(np.array(mine) / np.array(theirs)) for _, mine, theirs in pairs])
    weights = ranks.bootstrap_weights(keys, 2000)
    drawn = weights @ logs / np.maximum(weights.sum(axis=1, keepdims=True), 1.0)
    low, high = np.exp(np.quantile(drawn, [0.025, 0.975], axis=0))
    middle = np.exp(logs.mean(axis=0))
    return [f"{m:.2f} ({a:.2f} to {b:.2f})" for m, a, b in zip(middle, low, high, strict=True)]


def counts(pairs: Pairs) -> list[str]:
    """In how many runs ours is ahead and behind, at each look."""
    looks = range(len(outcomes.AT))
    signs = [[ranks.ahead(np.array(m[j]), np.array(t[j])) for _, m, t in pairs] for j in looks]
    return [f"{sum(s > 0 for s in some)}, {sum(s < 0 for s in some)}" for some in signs]


def report() -> str:
    problems = [make() for make in outcomes.PROBLEMS]
    fronts = {one.name: one.best_hypervolume is not None for one in problems}
    theirs = outcomes.load(PEER)
    ours = {method: outcomes.load(method) for method in OURS}
    keys = sorted(theirs, key=lambda key: ([*fronts].index(key[0]), key[1]))
    lines = []
    for name, front in fronts.items():
        seeds = [seed for problem, seed in keys if problem == name]
        found = [[runs[name, seed] for seed in seeds if (name, seed) in runs]
                 for runs in (theirs, *ours.values())]  # fmt: skip
        if seeds:
            lines.append([name, str(len(seeds)), *(cell(rows, front) for rows in found)])
    head = ["problem", "runs", "BoTorch", "pathmax, told as BoTorch is", "pathmax"]
    rows = []
    for title, method, front in (
        ("one objective", "pathmax", False),
        ("fronts, both told", "pathmax told", True),
        ("fronts, BoTorch alone is told", "pathmax", True),
    ):
        pairs = [
            (key, bests(ours[method][key]), bests(theirs[key]))
            for key in keys
            if fronts[key[0]] is front and key in ours[method]
        ]
        if pairs:
            missed = ratios(pairs) if front else [""] * len(outcomes.AT)
            rows.append([title, str(len(pairs)), *counts(pairs), *missed])
    said = [f"pathmax ahead, behind after {n}" for n in outcomes.AT]
    said += [
        f"what pathmax misses, in terms of what BoTorch misses, after {n}" for n in outcomes.AT
    ]
    return f"{table(head, lines)}\n\n{table(['', 'runs', *said], rows)}"


if __name__ == "__main__":
    print(report())
