"""Each method on each kind of domain: time per suggestion, misses of the search, memory.

    python -m benchmarks.acquisition            some ten minutes
    python -m benchmarks.acquisition --quick    fewer data sets, a pool of 10^5 rows
    python -m benchmarks.acquisition --costs    processor time of PIMS and the entropy methods
    python -m benchmarks.acquisition --running  processor time among 16 running trials

The model is given: what is timed is `acquisition.choose`, paths included. A search missed when 20
times its effort finds more, by over 1e-3 of the spread of the score (those of paths are counted,
too); finite domains are gone through point by point, so there is nothing to miss (the tests hold
them to brute force). Memory is the peak of what a suggestion allocates, the domain not counted.
"""

from __future__ import annotations

import argparse
import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.clock import machine, readable, table
from pathmax import gp
from pathmax.acquisition import METHODS, Box, GridDomain, Mixed, Pool, choose
from pathmax.search.domains import Domain
from pathmax.search.lattice import ListedAxis
from pathmax.search.maximization import maximize

HARDER = 20.0


@dataclass
class Case:
    """A domain with a model of n observations on it."""

    name: str
    domain: Domain
    model: gp.GaussianProcess | gp.GridPosterior

    @property
    def searched(self) -> bool:
        return self.domain.cardinality is None


def wavy(X: np.ndarray) -> np.ndarray:  # (n, d) -> (n,)
    return np.sin(5.0 * X).sum(axis=1) + np.cos(3.0 * X[:, 0] * X[:, -1])


def box(d: int, n: int) -> Case:
    X = np.random.default_rng(d).random((n, d))
    model = gp.GaussianProcess(gp.Matern52(np.full(d, 0.3 * d**0.5)), 1e-4).condition(X, wavy(X))
    return Case(f"box, d = {d}, n = {n}", Box(d), model)


def mixed(reals: int, n: int) -> Case:
    whole, category = (
        ListedAxis(np.linspace(0.0, 1.0, 8)),
        ListedAxis(np.arange(4.0), "categorical"),
    )
    axes = [ListedAxis(None, "float")] * reals + [whole] * 2 + [category] * 2
    domain, d = Mixed(axes), len(axes)
    X = domain.lattice.place(np.random.default_rng(d).random((n, d)))
    kernel = gp.Matern52(0.5, on=tuple(range(d - 2))) * gp.Categorical(0.5, on=(d - 2, d - 1))
    name = f"{reals} reals, 2 integers, 2 categories, n = {n}" if reals else f"1024 points, n = {n}"
    return Case(name, domain, gp.GaussianProcess(kernel, 1e-4).condition(X, wavy(X)))


def pool(rows: int, n: int = 100) -> Case:
    U = np.random.default_rng(0).random((rows, 10), dtype=np.float32)
    X = U[:n].astype(float)
    model = gp.GaussianProcess(gp.Matern52(np.full(10, 0.8)), 1e-4).condition(X, wavy(X))
    return Case(f"pool of {rows:,} rows, d = 10, n = {n}", Pool(U, range(n)), model)


def grid(n: int = 100) -> Case:
    domain = GridDomain([np.arange(1, 21) / 20] * 4)
    seen = np.random.default_rng(0).choice(domain.cardinality, n, replace=False)
    X = domain.points(seen)
    model = gp.GaussianProcess(gp.RBF(0.2), 1e-6).condition(X, wavy(X))
    return Case(f"grid of 160,000 points, n = {n}", GridDomain(domain.values, seen), model)


def kept_grid(n: int = 100, values: int = 10) -> Case:
    """A grid whose posterior is at hand, as a study keeps it between suggestions."""
    domain = GridDomain([np.linspace(0.0, 1.0, values)] * 4)
    seen = np.random.default_rng(0).choice(domain.cardinality, n, replace=False)
    X = domain.points(seen)
    model = gp.GaussianProcess(gp.RBF(0.2), 1e-6).condition(X, wavy(X))
    posterior = gp.GridPosterior.of(model, domain.values)
    name = f"kept grid of {domain.cardinality:,} points, n = {n}"
    return Case(name, GridDomain(domain.values, seen), posterior)


@dataclass
class Watch:
    """Repeats every search with HARDER times the effort while it is in place."""

    missed: list[bool] = field(default_factory=list)

    def __enter__(self) -> Watch:
        self.module = sys.modules["pathmax.acquisition.surfaces.searched_surface"]
        self.module.maximize = self.search  # type: ignore[attr-defined]
        return self

    def __exit__(self, *_: object) -> None:
        self.module.maximize = maximize  # type: ignore[attr-defined]

    def search(
        self, score: Any, domain: Any, rng: np.random.Generator, *, effort: float, **how: Any
    ) -> Any:
        found = maximize(score, domain, rng, effort=effort, **how)
        again = np.random.default_rng(1)
        hard = maximize(score, domain, again, effort=HARDER * effort, **how)
        anywhere = domain.spread(256, again)
        spread = max(hard.value, found.value) - float(np.median(score(anywhere)))
        self.missed.append(bool(hard.value - found.value > 1e-3 * spread))
        return found


def measure(case: Case, method: str, repeats: int, watched: int) -> list[str]:
    def suggest(seed: int, **how: Any) -> None:
        rng = np.random.default_rng(seed)
        choose(method, case.model, case.domain, rng, t=case.model.n, **how)

    suggest(0)
    times = []
    for seed in range(repeats):
        started = time.perf_counter()
        suggest(seed)
        times.append(time.perf_counter() - started)
    tracemalloc.start()
    suggest(0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    missed = "exact"
    if method == "random":
        missed = "-"
    elif case.searched:
        with Watch() as watch:
            for seed in range(watched):
                suggest(seed, n_samples=2)
        missed = f"{np.mean(watch.missed):.0%}"
    return [method, readable(float(np.median(times))), missed, f"{peak / 1e6:.0f} MB"]


def running(case: Case, repeats: int) -> str:
    """What sixteen running trials, at points of the domain, add to a suggestion."""
    domain, rng = case.domain, np.random.default_rng(3)
    if isinstance(domain, GridDomain | Pool):
        pending = domain.points(rng.choice(domain.free, 16, replace=False))
    else:
        pending = domain.spread(16, rng)

    times: dict[str, list[float]] = {"alone": [], "among": []}
    for seed in range(repeats):  # in turns: other work on the machine slows both
        for name, how in (("alone", {}), ("among", {"pending": pending})):
            started = time.process_time()
            choose("pims", case.model, case.domain, np.random.default_rng(seed), **how)
            times[name].append(time.process_time() - started)
    alone, among = (float(np.median(some)) for some in times.values())
    return f"{case.name}: {readable(alone)} alone, {readable(among)} with 16 running"


def all_running() -> str:
    among = (
        lambda: box(4, 20),
        lambda: box(10, 100),
        lambda: mixed(3, 50),
        grid,
        kept_grid,
        lambda: kept_grid(values=20),
    )
    return "\n\n".join(running(make(), 5 if make is grid else 15) for make in among)


def cases(quick: bool) -> list[Callable[[], Case]]:
    return [
        lambda: box(4, 20),
        lambda: box(10, 100),
        lambda: mixed(3, 50),
        lambda: mixed(0, 50),
        lambda: pool(10**5 if quick else 10**6),
        grid,
    ]


def report(quick: bool = False) -> str:
    parts = []
    for make in cases(quick):
        case = make()
        big = not case.searched and case.domain.cardinality > 10**4
        repeats, watched = (2, 0) if big else (5, 2) if quick else (15, 10)
        rows = [measure(case, method, repeats, watched) for method in METHODS]
        head = ["method", "time", "searches that missed", "memory"]
        parts.append(f"### {case.name}\n\n{table(head, rows)}")
        print(parts[-1], "\n", file=sys.stderr, flush=True)
    return "\n\n".join([*parts, "### Sixteen running trials, PIMS", all_running()])


def costs(repeats: int = 5) -> str:
    """Median processor seconds of a suggestion by methods that are known to be expensive."""
    methods = ("pims", "mes", "jes", "pes", "kg", "es")
    found = [(make(), {}) for make in (lambda: box(4, 20), lambda: box(10, 100), kept_grid)]
    for seed in range(repeats):  # in turns: other work on the machine slows all of them
        for case, times in found:
            for method in methods:
                rng, started = np.random.default_rng(seed), time.process_time()
                choose(method, case.model, case.domain, rng, t=case.model.n)
                times.setdefault(method, []).append(time.process_time() - started)
    rows = [
        [method, *(readable(float(np.median(times[method]))) for _, times in found)]
        for method in methods
    ]
    return table(["method", *(case.name for case, _ in found)], rows)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--costs", action="store_true")
    parser.add_argument("--running", action="store_true")
    asked = parser.parse_args()
    shown = costs() if asked.costs else all_running() if asked.running else report(asked.quick)
    print(machine(), shown, sep="\n\n")


if __name__ == "__main__":
    main()
