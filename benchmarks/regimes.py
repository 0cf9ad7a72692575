"""Regime by regime: pathmax as it is beside peers, on the runs of `paired_runs` that both have.

    python -m benchmarks.regimes          prints the table of benchmarks/RESULTS.md

A ratio is pathmax's regret relative to the other's, below 1 is better: the geometric mean over the
runs, each cut at a factor of ten, at the numbers of evaluations that are named, with its 95 %
interval at the last of them. Ahead and behind are said where that interval does not hold 1; with
three runs it says little. Time is processor time as a ratio.
"""

from __future__ import annotations

import numpy as np

from benchmarks.clock import table
from benchmarks.discrete_spaces import PEERS
from benchmarks.paired_runs import NOW, REGIMES, Comparison, load, measure

# what is compared with peers; runs of ours, peers have at most as many
WORDS: dict[str, tuple[str, int]] = {
    "confirm-4": ("BBOB d = 4, instances 11 to 20", 24),
    "confirm-6": ("BBOB d = 6, instances 11 to 20", 48),
    "confirm-8": ("BBOB d = 8, instances 11 to 20", 24),
    "long": ("BBOB d = 4, instances 1 to 10, 300 evaluations", 16),
    "boxes-20": ("BBOB d = 20, instances 1 to 10", 12),
    "many": ("Levy d = 20, Ackley d = 40, Hartmann-6 among 100", 9),
    "high": ("d = 20, 40, 100, where all coordinates or few count, 150 evaluations", 30),
    "reaction": ("the demo's reaction", 50),
    "noisy": ("noise of 5 and 20 %", 48),
    "batches": ("batches of eight", 16),
    "pools": ("tables", 16),
    "mixed": ("lattices", 24),
}
SHOWN = {
    "optuna gp": "GPSampler",
    "optuna tpe": "TPE",
    "botorch logei": "BoTorch LogEI",
    "botorch qlognei": "BoTorch qLogNEI",
    "cmaes": "CMA-ES",
    "turbo": "TuRBO, batches of 5",
    "smac": "SMAC3",
}


def verdict(one: Comparison) -> str:
    """Which is the better one at the last look, if the interval that is shown does not hold 1."""
    if round(one.high[-1], 2) < 1.0:
        return "**ahead**"
    return "**behind**" if round(one.low[-1], 2) > 1.0 else "level"


def line(regime: str, peer: str, one: Comparison) -> list[str]:
    ratios = " / ".join(f"{ratio:.2f}" for ratio in one.ratio)
    looks = " / ".join(map(str, REGIMES[regime][0]))
    return [
        f"{WORDS[regime][0]}: {one.runs} runs",
        SHOWN[peer],
        f"{ratios} ({one.low[-1]:.2f} to {one.high[-1]:.2f}) after {looks}",
        f"{one.ahead[-1]:+.0f} +- {one.doubt[-1]:.0f} %",
        f"{one.seconds:.2g}",
        verdict(one),
    ]


def demo() -> str:
    """How many per cent of yield what is recommended falls short in the reaction of `make demo`."""
    said = []
    for version, name in ((NOW, "pathmax"), ("optuna gp", "GPSampler")):
        rows = load("reaction", version).values()
        if not rows:
            continue
        short = np.array([row["losses"] for row in rows])  # (runs, looks)
        errors = short.std(axis=0, ddof=1) / np.sqrt(len(short))
        means = [f"{m:.1f} +- {e:.1f}" for m, e in zip(short.mean(axis=0), errors, strict=True)]
        middle = [f"{one:.1f}" for one in np.median(short, axis=0)]
        said.append(
            f"{name} {' / '.join(means)}, medians {' / '.join(middle)}, within 1 % in "
            f"{np.mean(short[:, -1] <= 1.0):.0%} of {len(short)} runs"
        )
    looks = " / ".join(map(str, REGIMES["reaction"][0]))
    return f"The demo's reaction, per cent of yield short after {looks}: {'; '.join(said)}."


def report() -> str:
    lines = [
        line(regime, peer, one)
        for regime in WORDS
        for peer in PEERS
        if (one := measure(regime, NOW, peer)) is not None
    ]
    head = ["regime", "beside", "regret relative to it", "ahead minus behind", "time", "at the end"]
    return f"pathmax: {NOW.replace('-', ' ')}.\n\n{table(head, lines)}\n\n{demo()}"


if __name__ == "__main__":
    print(report())
