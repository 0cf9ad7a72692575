"""Problems for `discrete_spaces`: tables to choose rows from, lists, lattices, batches.

Every one is a loss to be minimised. Each regime has problems that choices were made on and others
that were run once at the end (`confirmation`).
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers import ENVIRONMENTS
from benchmarks.suite import Params, Problem, bbob, bbob_minimum

Array = np.ndarray
LARGER_IS_BETTER = ("alkox", "fullerenes", "hplc", "suzuki")  # of the tables of Olympus


@dataclass(frozen=True)
class Table:
    """Rows to choose from, with their losses; `name` and `repeats` as of a `Problem`."""

    name: str
    rows: Array  # (N, d)
    losses: Array = field(repr=False)  # (N,)
    repeats: int = 10
    batch: int = 1
    noise: float = 0.0


@dataclass(frozen=True)
class Listed(Problem):
    """A loss over numbers and lists; `batch` trials are asked for at once."""

    batch: int = 1


def distinct(rows: Array, losses: Array) -> tuple[Array, Array]:
    """Rows that come several times once, with the average of their losses."""
    unique, place = np.unique(rows, axis=0, return_inverse=True)
    place = place.reshape(-1)
    return unique, np.bincount(place, losses) / np.bincount(place)


def olympus(name: str) -> Table:
    """A table of experiments of Olympus (`python -m benchmarks.peers olympus` installs them)."""
    found = (ENVIRONMENTS / "olympus").glob("lib/python*/site-packages/olympus/datasets")
    file = Path(next(iter(found))) / f"dataset_{name}" / "data.csv"
    table = np.array([[float(cell) for cell in row] for row in csv.reader(file.open()) if row])
    sign = -1.0 if name in LARGER_IS_BETTER else 1.0
    return Table(name, *distinct(table[:, :-1], sign * table[:, -1]))


def of_sklearn(name: str, target: int | None = None) -> Table:
    """A table that scikit-learn ships: the largest target, or the largest of one column."""
    from sklearn import datasets

    data = getattr(datasets, f"load_{name}")()
    X, y = np.asarray(data.data, dtype=float), np.asarray(data.target, dtype=float)
    if target is not None:
        X, y = np.delete(X, target, axis=1), X[:, target]
    suffix = "" if target is None else f"-{target}"
    return Table(f"{name}{suffix}", *distinct(X, -y))


def pool_of_bbob(function: int, d: int, instance: int, rows: int = 1000) -> Table:
    """Random points of a BBOB function."""
    problem = bbob(function, d, instance)
    X = np.random.default_rng([function, d, instance]).uniform(-5.0, 5.0, (rows, d))
    names = [f"x{j}" for j in range(d)]
    losses = [problem.loss(dict(zip(names, x.tolist(), strict=True))) for x in X]
    return Table(f"pool-{problem.name}", X, np.array(losses), 1)


def described(seed: int, latent: int = 3, descriptors: int = 15, rows: int = 800) -> Table:
    """Rows like molecules: many skewed descriptors that go back to a few hidden numbers."""
    rng = np.random.default_rng([seed, 15])
    z = rng.standard_normal((rows, latent))
    mixed = np.tanh(z @ rng.standard_normal((latent, descriptors)))
    mixed += 0.5 * z @ rng.standard_normal((latent, descriptors))
    mixed += 0.1 * rng.standard_normal(mixed.shape)
    skewed = rng.random(descriptors) < 0.5
    X = np.where(skewed, np.exp(mixed), mixed)
    waves = rng.standard_normal((latent, 6))
    value = np.cos(z @ waves + rng.uniform(0, 6, 6)) @ rng.standard_normal(6)
    value -= 0.3 * np.square(z - rng.standard_normal(latent) * 0.5).sum(axis=1)
    return Table(f"described-{seed}", X, -value, 1)


def choices(n: int, k: int) -> list[dict[str, Any]]:
    names = [f"c{i}" for i in range(k)]
    return [{"name": f"x{j}", "kind": "categorical", "choices": names} for j in range(n)]


def codes(params: Params) -> Array:  # -> (n,)
    return np.array([int(params[f"x{j}"][1:]) for j in range(len(params))])


def listed(name: str, n: int, k: int, loss: Callable[[Array], float], repeats: int = 1) -> Listed:
    return Listed(name, choices(n, k), lambda params: float(loss(codes(params))), repeats)


def max_sat(seed: int, n: int = 40, clauses: int = 160) -> Listed:
    """Weighted MaxSAT with three literals in a clause: the weight of what is not satisfied."""
    rng = np.random.default_rng([seed, 1])
    which = np.array([rng.choice(n, 3, replace=False) for _ in range(clauses)])
    wanted, weights = rng.integers(0, 2, (clauses, 3)), rng.exponential(size=clauses)
    return listed(f"maxsat-{n}-{seed}", n, 2, lambda x: weights @ (x[which] != wanted).all(axis=1))


def spin_glass(seed: int, side: int = 5) -> Listed:
    """An Ising model on a square lattice with random couplings and fields."""
    rng = np.random.default_rng([seed, 2])
    at = np.arange(side * side).reshape(side, side)
    pairs = [*zip(at[:, 1:].ravel(), at[:, :-1].ravel(), strict=True)]
    pairs += [*zip(at[1:].ravel(), at[:-1].ravel(), strict=True)]
    one, other = np.array(pairs).T
    couplings, fields = rng.standard_normal(len(pairs)), 0.3 * rng.standard_normal(side * side)

    def energy(x: Array) -> float:
        s = 2.0 * x - 1.0
        return float(-(couplings @ (s[one] * s[other])) - fields @ s)

    return listed(f"ising-{side * side}-{seed}", side * side, 2, energy)


def contamination(seed: int, stages: int = 25, runs: int = 100) -> Listed:
    """Contamination control (Hu et al. 2010): prevent at a stage, or risk what is contaminated."""
    rng = np.random.default_rng([seed, 3])
    start = rng.beta(1.0, 30.0, runs)
    spoil = rng.beta(1.0, 17.0 / 3.0, (stages, runs))
    restore = rng.beta(1.0, 3.0 / 7.0, (stages, runs))

    def cost(x: Array) -> float:
        share, total = start, 0.0
        for i, prevents in enumerate(x):
            spoiled = spoil[i] * (1.0 - share) + share
            share = (1.0 - restore[i]) * share if prevents else spoiled
            total += prevents + float(np.mean(share > 0.1)) - 0.95
        return total + 1e-2 * float(x.sum())

    return listed(f"contamination-{stages}-{seed}", stages, 2, cost)


def pest_control(seed: int, stages: int = 25) -> Listed:
    """Pest control (Oh et al. 2019): at each stage nothing or one of four pesticides."""
    price = np.array([1.0, 0.8, 0.7, 0.5])
    control = (2.0 / 7.0, 3.0 / 7.0, 3.0 / 7.0, 5.0 / 7.0)

    def cost(x: Array) -> float:
        rng = np.random.default_rng([seed, 4])
        share, total = float(rng.beta(1.0, 30.0, 100).mean()), 0.0
        paid, strength = price.copy(), np.array(control)
        for stage, c in enumerate(x):
            spread = float(rng.beta(1.0, 17.0 / 3.0, 100).mean())
            grown = share + (1.0 - share) * spread * 1.5
            kept = rng.beta(1.0, strength[c - 1] if c else 1.0, 100)
            if c:
                share *= 1.0 - float(kept.mean())
                total += paid[c - 1]
                paid[c - 1] *= 1.0 - 0.05 * stage / len(x)
                strength[c - 1] *= 1.25
            else:
                share = min(grown, 1.0)
            total += share > 0.1
        return total

    return listed(f"pests-{stages}-{seed}", stages, 5, cost)


def low_autocorrelation(n: int) -> Listed:
    """Low autocorrelation binary sequences: n / the merit factor."""

    def energy(x: Array) -> float:
        s = 2.0 * x - 1.0
        return float(sum(float(s[k:] @ s[:-k]) ** 2 for k in range(1, n))) / n

    return listed(f"labs-{n}", n, 2, energy, 2)


def landscape(seed: int, n: int, k: int, neighbours: int) -> Listed:
    """An NK landscape: each coordinate's part depends on itself and some others."""
    rng = np.random.default_rng([seed, 6, n, k, neighbours])
    others = np.array([
        [i, *rng.choice(np.delete(np.arange(n), i), neighbours, replace=False)] for i in range(n)
    ])  # fmt: skip
    parts = rng.random((n, k ** (neighbours + 1)))
    powers = k ** np.arange(neighbours + 1)

    def loss(x: Array) -> float:
        return float(-parts[np.arange(n), x[others] @ powers].mean())

    return listed(f"nk-{n}-{k}-{neighbours}-{seed}", n, k, loss)


def effects(seed: int, n: int, k: int) -> Listed:
    """A screen of categories: main effects that differ in size, and pairs that matter less."""
    rng = np.random.default_rng([seed, 7, n, k])
    main = rng.standard_normal((n, k)) * rng.exponential(size=(n, 1))
    pairs = 0.4 * rng.standard_normal((n, n, k, k))

    def loss(x: Array) -> float:
        i = np.arange(n)
        both = pairs[i[:, None], i[None, :], x[:, None], x[None, :]]
        return float(main[i, x].sum() + both[np.triu_indices(n, 1)].sum())

    return listed(f"effects-{n}-{k}-{seed}", n, k, loss)


def discretised(function: int, d: int, instance: int) -> Listed:
    """A BBOB function a fifth of whose coordinates have 2, 4, 8, 16 values and any, as in mixint.

    The lists are moved so that the optimum is one of their points, as COCO does.
    """
    smooth, best = bbob(function, d, instance), bbob_minimum(function, d, instance)
    sizes = [(2, 4, 8, 16, 0)[5 * j // d] for j in range(d)]
    lists: list[Array | None] = []
    space: list[dict[str, Any]] = []
    for j, size in enumerate(sizes):
        if not size:
            lists.append(None)
            space.append({"name": f"x{j}", "kind": "float", "low": -5, "high": 5})
            continue
        values = -4.0 + 8.0 * (np.arange(size) + 0.5) / size
        nearest = values[int(np.argmin(np.abs(values - best[j])))]
        lists.append(values + best[j] - nearest)
        space.append({"name": f"x{j}", "kind": "int", "low": 0, "high": size - 1})

    def loss(params: Params) -> float:
        x = [
            params[f"x{j}"] if values is None else float(values[params[f"x{j}"]])
            for j, values in enumerate(lists)
        ]
        return smooth.loss({f"x{j}": value for j, value in enumerate(x)})

    return Listed(f"mixint-{smooth.name}", space, loss, 1)


def in_batches(function: int, d: int, instance: int) -> Listed:
    one = bbob(function, d, instance)
    return Listed(f"batch-{one.name}", one.space, one.loss, 1, batch=8)


Suite = list[Table] | list[Listed]


@cache
def suites() -> dict[str, Callable[[], Suite]]:
    """The problems of each regime."""
    return {
        "pools": lambda: [
            *(olympus(n) for n in ("alkox", "benzylation", "colors_n9", "fullerenes")),
            olympus("photo_pce10"),
            of_sklearn("diabetes"),
            of_sklearn("breast_cancer", 6),
            *(described(seed) for seed in range(30)),
            *(pool_of_bbob(f, d, 1 + (f + d) % 10) for f in range(1, 25, 3) for d in (3, 8)),
        ],
        "lists": lambda: [
            *(max_sat(seed) for seed in range(6)),
            *(spin_glass(seed) for seed in range(6)),
            *(contamination(seed) for seed in range(6)),
            *(pest_control(seed) for seed in range(6)),
            low_autocorrelation(24), low_autocorrelation(30), low_autocorrelation(36),
            *(landscape(seed, 20, 2, 2) for seed in range(4)),
            *(landscape(seed, 10, 4, 1) for seed in range(4)),
            *(effects(seed, n, k) for seed in range(5) for n, k in ((3, 12), (5, 8), (8, 5))),
        ],
        "mixed": lambda: [
            discretised(f, d, 1 + (f + d) % 10) for f in range(1, 25) for d in (5, 10)
        ],
        "batches": lambda: [
            in_batches(f, d, 1 + (f + d) % 10) for f in range(1, 25) for d in (2, 4, 8)
        ],
        "pools, confirmation": lambda: [
            *(olympus(n) for n in ("colors_bob", "hplc", "photo_wf3", "snar", "suzuki")),
            of_sklearn("wine", 0),
            *(described(100 + seed) for seed in range(5)),
            *(pool_of_bbob(f, 5, 11 + f % 10) for f in range(2, 25, 3)),
        ],
        "lists, confirmation": lambda: [
            *(max_sat(100 + seed, 28, 120) for seed in range(3)),
            *(spin_glass(100 + seed, 4) for seed in range(3)),
            *(contamination(100 + seed, 21) for seed in range(3)),
            *(pest_control(100 + seed, 15) for seed in range(3)),
            *(landscape(100 + seed, 16, 3, 2) for seed in range(3)),
            *(effects(100 + seed, 4, 10) for seed in range(3)),
        ],
        "mixed, confirmation": lambda: [
            discretised(f, 5 if f % 2 else 10, 11 + f % 10) for f in range(1, 25)
        ],
        "batches, confirmation": lambda: [
            in_batches(f, 5, 11 + f % 10) for f in range(1, 25)
        ],
    }  # fmt: skip
