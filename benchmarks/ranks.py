"""Mean ranks with bootstrap intervals, and data profiles, from traces of losses.

traces: method -> (problem, seed) -> losses in the order of evaluation. Only runs that every method
has are compared. The bootstrap resamples problems, not runs: seeds of one problem are not
independent evidence about other problems.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Traces = Mapping[str, Mapping[tuple[str, int], Sequence[float]]]


def best_so_far(traces: Traces) -> tuple[list[str], list[tuple[str, int]], Array]:
    """Methods, the runs they share, and the best losses (methods, runs, evaluations)."""
    methods = list(traces)
    shared = sorted(set.intersection(*(set(traces[m]) for m in methods)))
    losses = np.array([[traces[m][run] for run in shared] for m in methods], dtype=float)
    return methods, shared, np.minimum.accumulate(losses, axis=2)


def rank(values: Array) -> Array:  # (methods, runs) -> (methods, runs)
    """1 for the smallest of each column; those that are equal share the mean of their ranks."""
    below = (values[None] < values[:, None]).sum(axis=1)
    equal = (values[None] == values[:, None]).sum(axis=1)
    return below + 0.5 * (equal + 1)


def bootstrap_weights(shared: Sequence[tuple[str, int]], draws: int) -> Array:  # -> (draws, runs)
    """How often each run counts in each bootstrap sample of the problems."""
    names = sorted({problem_family(name) for name, _ in shared})
    index = np.array([names.index(problem_family(name)) for name, _ in shared])
    rng = np.random.default_rng(0)
    counts = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), size=draws)
    return counts[:, index].astype(float)


def problem_family(name: str) -> str:
    """BBOB instances of one function and dimension are one problem: f8-5d-i3 -> f8-5d."""
    return name.rsplit("-i", 1)[0]


def mean_ranks(
    traces: Traces, at: Sequence[int], draws: int = 2000
) -> dict[str, list[tuple[float, float, float]]]:
    """method -> for each budget the mean rank and its 95 % bootstrap interval."""
    methods, shared, best = best_so_far(traces)
    weights = bootstrap_weights(shared, draws)
    weights /= weights.sum(axis=1, keepdims=True)
    result: dict[str, list[tuple[float, float, float]]] = {m: [] for m in methods}
    for budget in at:
        ranks = rank(best[:, :, budget - 1])
        low, high = np.quantile(ranks @ weights.T, [0.025, 0.975], axis=1)
        for i, method in enumerate(methods):
            result[method].append((float(ranks[i].mean()), float(low[i]), float(high[i])))
    return result


def ahead(mine: np.ndarray, other: np.ndarray) -> np.ndarray:  # (runs,) -> (runs,)
    """1 where the first loss is less, -1 where it is more, 0 where both are equal, or infinite."""
    return (mine < other).astype(float) - (mine > other).astype(float)


def differences(
    traces: Traces, against: str, at: Sequence[int], draws: int = 2000
) -> dict[str, list[tuple[float, float, float]]]:
    """method -> share of runs in which `against` is ahead minus behind it, with its interval."""
    methods, shared, best = best_so_far(traces)
    weights = bootstrap_weights(shared, draws)
    weights /= weights.sum(axis=1, keepdims=True)
    mine = best[methods.index(against)]
    result: dict[str, list[tuple[float, float, float]]] = {}
    for i, method in enumerate(methods):
        if method == against:
            continue
        wins = [ahead(mine[:, b - 1], best[i, :, b - 1]) for b in at]
        result[method] = [
            (float(w.mean()), *map(float, np.quantile(weights @ w, [0.025, 0.975]))) for w in wins
        ]
    return result


def table(traces: Traces, at: Sequence[int], against: str = "pathmax") -> str:
    """Markdown: mean ranks, best at the last budget first, and wins of `against` over each at the
    last two budgets."""
    ranks = mean_ranks(traces, at)
    lead = differences(traces, against, at) if against in traces else {}
    shown = at[-2:] if lead else ()
    _, shared, _ = best_so_far(traces)
    families = len({problem_family(name) for name, _ in shared})
    lines = [
        f"Mean rank among {len(ranks)} methods over {len(shared)} runs of {families} problems, "
        "with 95 % bootstrap intervals over problems; lower is better.",
        "",
        "| method | "
        + " | ".join(f"after {b}" for b in at)
        + "".join(f" | {against} ahead minus behind, after {b}" for b in shown)
        + " |",
        "| --- |" + " --- |" * (len(at) + len(shown)),
    ]
    for method in sorted(ranks, key=lambda m: ranks[m][-1][0]):
        cells = [f"{mean:.2f} ({low:.2f} to {high:.2f})" for mean, low, high in ranks[method]]
        if method in lead:
            shares = lead[method][-len(shown) :]
            cells += [f"{mean:+.0%} ({low:+.0%} to {high:+.0%})" for mean, low, high in shares]
        else:
            cells += [""] * len(shown)
        lines.append(f"| {method} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def profile(traces: Traces, tolerances: Sequence[float] = (1e-1, 1e-2, 1e-3)) -> dict[str, Array]:
    """method -> share of (run, tolerance) pairs solved after each evaluation (More and Wild 2009).

    A run is solved to tolerance t when its loss is within t of the way from the best loss that any
    method has on that problem back to the median first loss.
    """
    methods, shared, best = best_so_far(traces)
    names = np.array([name for name, _ in shared])
    solved = np.zeros((len(methods), best.shape[2]))
    for name in np.unique(names):
        these = best[:, names == name]
        floor, first = these.min(), float(np.median(these[:, :, 0]))
        for tolerance in tolerances:
            target = floor + tolerance * (first - floor)
            solved += (these <= target).sum(axis=1)
    return dict(zip(methods, solved / (len(shared) * len(tolerances)), strict=True))


def draw_profile(traces: Traces, file: Path) -> None:
    """The data profile as a figure."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.2), layout="constrained")
    curves = profile(traces)
    for method in sorted(curves, key=lambda m: -curves[m][-1]):
        curve = curves[method]
        width = 2.5 if method == "pathmax" else 1.2
        axes.plot(np.arange(1, len(curve) + 1), curve, label=method, linewidth=width)
    axes.set(xlabel="evaluations", ylabel="share of targets reached", ylim=(0, None))
    axes.legend(fontsize=8, ncols=2)
    axes.grid(alpha=0.3)
    figure.savefig(file, dpi=150)
    pyplot.close(figure)
