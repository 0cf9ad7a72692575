"""Many choices at once: what is each worth, by a two-level screening design?

    python -m benchmarks.factors run            all sixteen settings, one after the other
    python -m benchmarks.factors run 0 8        the settings 0 and 8
    python -m benchmarks.factors report

A choice of the surrogate or the rule that is changed alone is measured by one set of runs beside
another, and beside itself with other random numbers a set of 96 differs by a tenth. Here fifteen
choices are changed together, in sixteen settings: the columns of a Hadamard matrix (Plackett and
Burman, 1946). Each stands one way in eight settings and the other way in eight, every other choice
evenly in both halves, so that all runs tell of each of them: with 3,072 runs on BBOB to within 4 %,
on the other kinds to within 5 to 20 %.

The price: an effect is an average over settings in which half of the other choices are changed, and
it includes the joint effects of seven pairs of others, which can look like it or hide it. So what
is found here is run alone before it is kept.

An effect is the mean of log regret with the change less that without it: each problem and seed is
run under all settings, and its own average is taken off. A regret below a thousandth of what the
best of five points misses (under noise, of a standard deviation) counts as that: no last digit
decides. Setting 0 is the code as it is. The problems are BBOB instances 1 to 10, textbook
functions, functions whose optimum is at an edge, and noisy ones: `paired_runs` has the same kinds
with other seeds.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from benchmarks import noisy_runs, paired_runs, peer_runs
from benchmarks.clock import table
from benchmarks.discrete_problems import Listed
from benchmarks.paired_runs import Job, measured, searched
from benchmarks.suite import bbob
from pathmax import gp
from pathmax.acquisition.surfaces import searched_surface
from pathmax.suggestion import algorithm, settings, surrogate
from pathmax.trials import yeo_johnson

HERE = Path(__file__).parent / "traces" / "factors"
SETTINGS = 16
FLOOR = 1e-3
KINDS = ("BBOB", "textbook", "edges", "noise")
SHOWN = (1, -1)  # looks: after 30 and 60 evaluations, under noise after 20 and 40
Change = Callable[[], None]


# ---- what is changed


def constant(module: ModuleType, name: str, value: float) -> Change:
    """Another value of a constant, for as long as the process lasts."""
    assert hasattr(module, name), f"{module.__name__} has no {name}"
    return partial(setattr, module, name, value)


def prior(other: Callable[[gp.Priors], gp.Priors]) -> Change:
    """Other priors of the parameters, made from the usual ones."""

    def change() -> None:
        usual = gp.default_priors
        gp.default_priors = lambda d: other(usual(d))

    return change


def size(location: float = 0.0, spread: float = 1.0) -> Change:
    """Another common size of length scales: its location moved, and its spread."""

    def other(priors: gp.Priors) -> gp.Priors:
        scale = priors.lengthscale
        return replace(priors, lengthscale=gp.LogNormal(scale.location + location, spread))

    return prior(other)


def believing(**changed: Any) -> Change:
    return prior(lambda priors: replace(priors, **changed))


FACTORS: dict[str, Change] = {
    "length scales shorter by a quarter": size(location=-0.3),
    "their common size LogN(., 0.6)": size(spread=0.6),
    "anisotropy 0.8": believing(anisotropy=0.8),
    "noise LogN(-11, 3)": believing(noise=gp.LogNormal(-11.0, 3.0)),
    "output scale LogN(0, 1)": believing(outputscale=gp.LogNormal(0.0, 1.0)),
    "a bowl of depth N(1.2, .)": believing(depth=1.2),
    "its depth N(., 2)": believing(depth_spread=2.0),
    "mean within 0.4": believing(mean_spread=0.4),
    "20 points for each result": constant(searched_surface, "LOOKS_PER_RESULT", 20),
    "three first points": constant(settings, "INITIAL", 3),
    "bent or not by even odds": constant(surrogate, "STRAIGHT_ODDS", 0.0),
    "powers N(1, 0.5)": constant(yeo_johnson, "POWER_SPREAD", 0.5),
    "known to 1e-2": constant(algorithm, "KNOWN_STD", 1e-2),
    "about the best two": constant(searched_surface, "CENTRES", 2),
    "three quarters about the best": constant(searched_surface, "ABOUT_BEST", 0.75),
}


def design() -> np.ndarray:  # -> (settings, factors), False in the first row
    """The sixteen settings: what the columns of a Hadamard matrix but the first say."""
    signs = np.array([[1]])
    while len(signs) < SETTINGS:
        signs = np.block([[signs, signs], [signs, -signs]])
    return np.asarray(signs[:, 1:] < 0)


# ---- the runs


def problems() -> Iterator[tuple[str, Job]]:
    """(kind, run) of everything that each setting is tried on."""
    for d in (2, 3, 5, 10):
        for f in range(1, 25):
            for turn in (0, 1):
                one = bbob(f, d, 1 + (f + d + 5 * turn) % 10)
                same = Listed(one.name, one.space, one.loss)
                yield f"BBOB d = {d}", searched(same, 31_000 + 100 * turn + f, 60, optimum=0.0)
    for job in paired_runs.textbook((40_000, 40_050)):
        yield "textbook", job
    for job in islice(paired_runs.edges(seed=41_000), 30):
        yield "edges", job
    for job in measured(noisy_runs.functions, 3, 45_000):
        yield "noise", job


def trace_file(number: int) -> Path:
    return HERE / f"{number}.jsonl"


def run(number: int) -> None:
    """All runs under one setting, in a process of its own: what it changes stays changed."""
    for chosen, change in zip(design()[number], FACTORS.values(), strict=True):
        if chosen:
            change()
    done = peer_runs.done(trace_file(number), ours=True)
    for kind, job in problems():
        if (job.problem, job.seed) in done:
            continue
        losses = job.losses({})
        if len(losses) > len(noisy_runs.LOOKS):
            best = np.minimum.accumulate(losses)
            losses = [float(best[n - 1]) for n in (5, *paired_runs.LOOKS)]
        row = {"problem": job.problem, "seed": job.seed, "kind": kind, "optimum": job.optimum}
        peer_runs.keep(trace_file(number), row | {"losses": losses}, ours=True)


# ---- what they say


def logs_of(name: str) -> np.ndarray:  # -> (settings, runs, looks)
    """Log regrets of the kinds of problems that begin so, less each run's own average."""
    found = [peer_runs.load(trace_file(number)) for number in range(SETTINGS)]
    runs = [{key: r for key, r in one.items() if r["kind"].startswith(name)} for one in found]
    shared = [key for key in runs[0] if all(key in one for one in runs)]
    losses = np.array([[one[key]["losses"] for key in shared] for one in runs])
    if not losses.size:
        return np.empty((SETTINGS, 0, 4))
    problems_of = np.array([key[0] for key in shared])
    for problem in set(problems_of):
        here = problems_of == problem
        known = runs[0][shared[int(np.argmax(here))]]["optimum"]
        losses[:, here] -= losses[:, here].min() if known is None else known
    unit = 1.0  # under noise regrets are in standard deviations already
    if losses.shape[2] > len(noisy_runs.LOOKS):
        unit, losses = np.median(losses[:, :, :1], axis=0), losses[:, :, 1:]
    logs = np.log(np.maximum(losses, 0.0) + FLOOR * unit)
    return np.asarray(logs - logs.mean(axis=0))


def effects(logs: np.ndarray, signs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What each change does to log regret, and a standard error of that: (factors, looks)."""
    by_run = np.einsum("sf,srl->frl", signs, logs) / (len(signs) / 2)
    return by_run.mean(axis=1), by_run.std(axis=1, ddof=1) / math.sqrt(logs.shape[1])


def report() -> None:
    signs = np.where(design(), 1.0, -1.0)
    columns = {kind: logs_of(kind) for kind in KINDS}
    found = {kind: effects(logs, signs) for kind, logs in columns.items() if logs.shape[1]}
    head = [f"{kind}, {columns[kind].shape[1]}" for kind in found]
    lines = [
        [
            name,
            *(
                " / ".join(f"{math.exp(mean[k, at]):.2f}" for at in SHOWN)
                + f" ({100 * math.expm1(error[k, -1]):.0f} %)"
                for mean, error in found.values()
            ),
        ]
        for k, name in enumerate(FACTORS)
    ]
    print(table(["changed", *head], lines))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("do", choices=["run", "report"])
    parser.add_argument("numbers", nargs="*", type=int, help="run: the settings")
    asked = parser.parse_args()
    if asked.do == "report":
        report()
    elif len(asked.numbers) == 1:
        run(asked.numbers[0])
    else:
        for number in asked.numbers or range(SETTINGS):
            again = [sys.executable, "-m", "benchmarks.factors", "run", str(number)]
            subprocess.run(again, check=True)


if __name__ == "__main__":
    main()
