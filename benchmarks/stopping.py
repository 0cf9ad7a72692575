"""What a check of `StopWhen` costs beside a suggestion, in processor time.

    python -m benchmarks.stopping

After every trial the rule has a rough look at 16 sample paths; when these say that the goal may be
near it takes 16, 64 and then 400 under all plausible parameters. A study that is checked after each
trial takes turns with one that is not: what it spends more is the cost of a check.
"""

from __future__ import annotations

import statistics
import time

import numpy as np

from pathmax import Float, StopWhen, Study
from pathmax.trials.trial import Trial

DIMENSION = 4
SIZES = (20, 50, 100)
TURNS = 7
FAR, NEAR = 1e-9, 1e9  # regrets: one is never reached, the other at once
ROUGH, ALL = "far from the goal", "at the goal"


def hills(trial: Trial) -> float:
    """A smooth function with a few maxima."""
    x = np.array(list(trial.params.values()))
    return float(np.sum(np.sin(5.0 * x)) - np.sum((x - 0.4) ** 2))


def grown(n: int) -> Study:
    """A study with n results, of which the model chose some."""
    study = Study({f"x{i}": Float(0, 1) for i in range(DIMENSION)}, seed=0, initial=n - 4)
    for _ in range(n):
        advance(study)
    return study


def advance(study: Study, rule: StopWhen | None = None) -> float:
    """A trial, and a check if there is a rule; the processor time that it takes."""
    start = time.process_time()
    trial = study.ask()
    study.tell(trial, hills(trial))
    if rule is not None:
        rule(study)
    return time.process_time() - start


def main() -> None:
    print("processor seconds of a trial, medians; and what a check adds, in trials without one")
    rules = {"no check": None, ROUGH: StopWhen(regret=FAR), ALL: StopWhen(regret=NEAR)}
    for n in SIZES:
        studies = {name: grown(n) for name in rules}
        spent: dict[str, list[float]] = {name: [] for name in rules}
        for _ in range(TURNS):
            for name, rule in rules.items():
                spent[name].append(advance(studies[name], rule))
        alone, far, near = (statistics.median(times) for times in spent.values())
        print(
            f"n = {n}: no check {alone:.3f}; {ROUGH} {far:.3f}, +{far / alone - 1.0:.2f}; "
            f"{ALL} {near:.3f}, +{near / alone - 1.0:.1f}"
        )


if __name__ == "__main__":
    main()
