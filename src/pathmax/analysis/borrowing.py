"""How much a study borrows from older ones; `study_relations` puts it into words.

The relation is the correlation of the two functions as the model has it: of the variance over the
space the square of it is explained by the older study. Results count like as many own ones as leave
the model as uncertain, on average over the space, as the older results do before any own one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pathmax.analysis.study_relations import Relations, StudyRelation
from pathmax.arrays import Array
from pathmax.gp import GaussianProcess, linalg
from pathmax.gp.borrowed import Borrowed, Lender, Loan
from pathmax.gp.borrowing_fit import ENOUGH_TO_JUDGE
from pathmax.suggestion.landscape import Landscape

POINTS = 256  # that stand for the space
LEAST_NOISE = 1e-8


def relations(landscape: Landscape) -> Relations:
    """What the models of all outcomes borrow."""
    problem, history = landscape.problem, landscape.history
    rng = np.random.default_rng([problem.settings.seed, history.n, 7])
    points = landscape.everything.domain.spread(POINTS, rng)
    found = []
    for name, surrogate in landscape.surrogates.items():
        weights = surrogate.fit.borrowed
        lenders = problem.modeller(problem.goals.named(name)).lenders
        explained = variances([(weights[one.name], one.lender) for one in lenders], points)
        whole = sum(explained) + float(np.mean(surrogate.fit.kernel.diagonal(points)))
        for one, part in zip(lenders, explained, strict=True):
            weight = weights[one.name]
            relation = math.sqrt(part / whole) if weight else 0.0
            worth = counts_as(surrogate.fit.prior, weight, one.lender, points) if weight else 0
            found.append(StudyRelation(one.name, name, one.n, weight, relation, worth))
    early = 0 < history.n < ENOUGH_TO_JUDGE
    return Relations(tuple(found), history.n, not problem.goals.is_single, early)


def variances(loans: Sequence[tuple[float, Lender]], points: Array) -> list[float]:
    """By how much what each lends varies over the points, what it knows and what it does not."""
    found = []
    for weight, lender in loans:
        seen = lender.seen(points)
        found.append(weight**2 * float(np.var(seen.mean) + np.mean(seen.variance)))
    return found


def counts_as(own: GaussianProcess, weight: float, lender: Lender, points: Array) -> int:
    """How many own results leave as much open, on average, as what is borrowed does.

    They are taken among the points of the lender, evenly over time.
    """
    process, noise = lender.process, max(own.noise, LEAST_NOISE)
    left = float(np.mean(Borrowed(own.kernel, (Loan(weight, lender),)).diagonal(points)))

    def covariance(A: Array, B: Array) -> Array:
        return np.asarray(own.kernel(A, B) + weight**2 * process.kernel(A, B))

    before = float(
        np.mean(own.kernel.diagonal(points) + weight**2 * process.kernel.diagonal(points))
    )

    def open_after(m: int) -> float:
        X = process.X[np.unique(np.linspace(0, process.n - 1, m).round().astype(int))]
        root, _ = linalg.factorize(covariance(X, X) + noise * np.eye(len(X)))
        half = linalg.solve_lower(root, covariance(X, points))
        return before - float(np.mean((half**2).sum(axis=0)))

    low, high = 0, process.n  # after `low` results more is open, after `high` ones not
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if open_after(middle) > left else (low, middle)
    return low if before - left < 0.5 * (before - open_after(high)) and high == 1 else high
