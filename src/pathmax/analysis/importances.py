"""Which parameters matter? Sobol indices of sample paths, so that each has an interval.

    importances = study.importances()
    for one in importances:
        one.name, one.first.mean, one.total.mean, one.total.low, one.total.high

When every parameter is drawn at random and independently of the others, the outcome varies. Of that
variance (Sobol, 1993; Homma and Saltelli, 1996)

    first order   S_i = Var E[f | x_i] / Var f          parameter i explains so much alone
    total         T_i = E Var[f | all but x_i] / Var f  so much is lost when all others are known

T_i - S_i is what it does only together with others. f is not known: each sample path is a function
that the data allow and has indices of its own, and their spread says how well they are known. The
model expects what parameters do alone and together (`suggestion.additive_model`), and each draw of
its parameters has its share of the paths; where it cannot be had, each belief that a study reports
(`suggestion.beliefs`) has one. A path is looked at in two sets of N points A and B, and in those
where one column is exchanged (AB_i is A with column i of B). The estimator is that of Azzini, Mara
and Rosati (2021), under which S_i <= T_i, as it should be:

    S_i = 2 sum (f(BA_i) - f(B)) (f(A) - f(AB_i)) / D_i
    T_i = sum [(f(BA_i) - f(B))^2 + (f(A) - f(AB_i))^2] / D_i
    D_i = sum [(f(A) - f(B))^2 + (f(BA_i) - f(AB_i))^2]

Numbers are drawn evenly over their range (its logarithm with log=True), whole numbers and choices
each alike, and so are the values along an axis of a grid. Where a parameter is not active its value
makes no difference. Within known constraints parameters are not independent: see
`constrained_indices`. The columns of a pool are drawn from its rows, each by itself: the model is
asked about combinations that no row has. Trials that failed have no value and are not counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from pathmax import gp
from pathmax.analysis.constrained_indices import (
    constrained_design,
    constrained_indices,
    even_coordinates,
    is_constrained,
)
from pathmax.analysis.path_maxima import shares
from pathmax.analysis.predictions import outcome_of
from pathmax.arguments import whole_number
from pathmax.arrays import Array, Index
from pathmax.search.sobol import sobol
from pathmax.session.session import Session
from pathmax.space.any_space import AnySpace
from pathmax.space.candidates import Candidates
from pathmax.suggestion.additive_model import additive_surrogates
from pathmax.trials import html
from pathmax.trials.value_transform import ValueTransform

SURE_INTERVAL = 0.95
INDEX_BATCH = 100  # paths that share their features
MOST_POINTS, FEWEST, MOST = 2**12, 128, 512  # N(2d + 2) points of a path, and N itself
FEATURES = 256  # of every term of a kernel: shares of a variance need fewer than a maximum does
STAND_INS = 256  # points that paths of kernels without random features are drawn at
NEGLIGIBLE = 0.05  # of the variance


class Interval(NamedTuple):
    """What is expected of a number, and the bounds that hold it with probability 0.95."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Importance:
    """How much a parameter matters: shares of the variance, from 0 to 1.

    name   the parameter
    first  what it explains by itself
    total  what it explains by itself and together with others
    """

    name: str
    first: Interval
    total: Interval


@dataclass(frozen=True, eq=False)
class Importances:
    """How much each parameter matters for an outcome; iterates over them, the largest total first.

    names    of the parameters, in the order of the space
    first    (n_paths, d) first-order indices of each sample path
    total    (n_paths, d) total indices
    outcome  which outcome they speak of
    remark   what to know about them where known constraints hold; empty elsewhere
    """

    names: tuple[str, ...]
    first: Array = field(repr=False)
    total: Array = field(repr=False)
    outcome: str
    remark: str = ""

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[Importance]:
        order = np.argsort(-self.total.mean(axis=0), kind="stable")
        return (self[self.names[i]] for i in order)

    def __getitem__(self, name: str) -> Importance:
        if name not in self.names:
            raise KeyError(f"there is no parameter {name!r}; there are {', '.join(self.names)}")
        i = self.names.index(name)
        return Importance(name, interval(self.first[:, i]), interval(self.total[:, i]))

    @property
    def sentence(self) -> str:
        """What matters, in words."""
        ranked = list(self)
        top = ranked[0]
        alone = f"{top.name} matters most: it explains {percent(top.first)} of the variance"
        if top.total.mean - top.first.mean > NEGLIGIBLE:
            alone += f" alone and {percent(top.total)} together with others"
        said = [f"{alone}."]
        little = [one.name for one in ranked if one.total.high < NEGLIGIBLE]
        if little:
            verb = "matters" if len(little) == 1 else "matter"
            said.append(f"{', '.join(little)} {verb} little: at most {NEGLIGIBLE:.0%}.")
        return " ".join([*said, self.remark]).strip()

    def to_json(self) -> dict[str, Any]:
        """Plain values, the largest total first."""
        return {
            "outcome": self.outcome,
            "sentence": self.sentence,
            "parameters": [
                {"name": one.name, "first": one.first._asdict(), "total": one.total._asdict()}
                for one in self
            ],
        }

    def _repr_html_(self) -> str:
        rows = [
            [
                one.name,
                html.bar(one.first.mean),
                percent(one.first).partition(" ")[2],
                html.bar(one.total.mean),
                percent(one.total).partition(" ")[2],
            ]
            for one in self
        ]
        header = ["parameter", "alone", "", "together with others", ""]
        title = f"What matters for {self.outcome}: shares of its variance"
        return html.page(title, html.table(header, rows), self.remark)

    def __str__(self) -> str:
        width = max(9, *map(len, self.names))
        lines = [f"{'parameter':<{width}}  {'alone':>16}  {'with others':>16}"]
        lines += [
            f"{one.name:<{width}}  {percent(one.first):>16}  {percent(one.total):>16}"
            for one in self
        ]
        return "\n".join([*lines, *([self.remark] if self.remark else [])])


def interval(draws: Array) -> Interval:  # (p,)
    """The mean of draws and the bounds that hold 95 % of them."""
    low, high = np.quantile(draws, [(1.0 - SURE_INTERVAL) / 2.0, (1.0 + SURE_INTERVAL) / 2.0])
    return Interval(float(draws.mean()), float(low), float(high))


def importances(session: Session, outcome: str | None, n_paths: int) -> Importances:
    """`Study.importances`, where the arguments are described."""
    n_paths = whole_number("n_paths", n_paths, least=2)
    landscape, name = outcome_of(session, outcome)
    problem = session.problem
    space = problem.space
    # no trial's own key has three numbers
    rng = np.random.default_rng([problem.settings.seed, landscape.history.number, 4])
    # each in units of its own: some bend values, others take them as they are
    drawn = additive_surrogates(problem, name, landscape.surrogates[name], rng)
    views = [(1.0, one) for one in drawn] or [
        (weight, seen.surrogates[name]) for weight, seen in session.beliefs()
    ]
    design = constrained_design(space, rng) if is_constrained(space) else None
    pairs = [
        sobol_indices(paths, space, seen.transform, rng)
        if design is None
        else constrained_indices(paths, design, seen.transform)
        for seen, count in shares(views, n_paths)
        for paths in batches(seen.model, space, count, rng)
    ]
    first, total = (np.concatenate(columns) for columns in zip(*pairs, strict=True))
    remark = "" if design is None else design.remark
    return Importances(space.searched_names, first, total, name, remark)


def batches(
    model: gp.GaussianProcess, space: AnySpace, n: int, rng: np.random.Generator
) -> Iterator[gp.Paths | gp.ExactPaths]:
    """n sample paths that are functions on all of the cube, some at a time."""
    points = None if model.kernel.has_features else draw_pairs(space, STAND_INS, rng)[0]
    for start in range(0, n, INDEX_BATCH):
        few = min(INDEX_BATCH, n - start)
        yield gp.draw_paths(model, rng, few, n_features=FEATURES, points=points)


def sobol_indices(
    paths: gp.Paths | gp.ExactPaths,
    space: AnySpace,
    transform: ValueTransform,
    rng: np.random.Generator,
) -> tuple[Array, Array]:  # (p, d), (p, d)
    """First-order and total indices of each path, in the units of the user."""
    d = space.dimension
    wanted = min(MOST, MOST_POINTS // (2 * d + 2))
    A, B = draw_pairs(space, max(FEWEST, 1 << (wanted.bit_length() - 1)), rng)
    settle = space.settle
    at_A, at_B = transform.outward(paths(settle(A))), transform.outward(paths(settle(B)))
    # Indices have no unit. A power of two changes no digit, and sums of huge values overflow.
    _, power = np.frexp(max(np.abs(at_A).max(), np.abs(at_B).max()))
    at_A, at_B = np.ldexp(at_A, -power), np.ldexp(at_B, -power)
    centre = 0.5 * at_A.mean(axis=1, keepdims=True) + 0.5 * at_B.mean(axis=1, keepdims=True)
    # counted in the largest value: squares of huge ones overflow
    unit = np.maximum(np.abs(at_A - centre), np.abs(at_B - centre)).max(axis=1, keepdims=True)
    unit = np.where(unit > 0.0, unit, 1.0)

    def look(U: Array) -> Array:  # (N, d) -> (p, N)
        return np.asarray((np.ldexp(transform.outward(paths(settle(U))), -power) - centre) / unit)

    at_A, at_B = (at_A - centre) / unit, (at_B - centre) / unit
    first, total = np.empty((len(paths), d)), np.empty((len(paths), d))
    for i in range(d):
        AB, BA = A.copy(), B.copy()
        AB[:, i], BA[:, i] = B[:, i], A[:, i]
        at_AB, at_BA = look(AB), look(BA)
        one, other = at_BA - at_B, at_A - at_AB  # column i moves from B to A in both
        spread = ((at_A - at_B) ** 2 + (at_BA - at_AB) ** 2).sum(axis=1)
        spread = np.where(spread > 0.0, spread, 1.0)  # nothing varies: nothing matters
        first[:, i] = 2.0 * (one * other).sum(axis=1) / spread
        total[:, i] = (one * one + other * other).sum(axis=1) / spread
    return first, total


def draw_pairs(space: AnySpace, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Two independent sets of n points, every coordinate independent of the others: (n, d) each."""
    d = space.dimension
    if isinstance(space, Candidates):
        rows = [_some_rows(space, n, rng) for _ in range(2 * d)]
        drawn = space.encode_rows(np.concatenate(rows)).reshape(2 * d, n, d)
        U = np.stack([drawn[j, :, j % d] for j in range(2 * d)], axis=1)
    else:
        U = sobol(n, 2 * d, rng)
        for j in range(2 * d):
            U[:, j] = even_coordinates(space.axes[j % d], U[:, j])
    return U[:, :d].copy(), U[:, d:].copy()


def _some_rows(pool: Candidates, n: int, rng: np.random.Generator) -> Index:
    """The numbers of n rows, of those that obey where all rows are held."""
    if pool.where and pool.is_held:
        return pool.allowed_rows[rng.integers(len(pool.allowed_rows), size=n)]
    return rng.integers(len(pool), size=n)


def percent(share: Interval) -> str:
    """A share with its interval: "62% (48 to 73)"."""
    low, high = (min(max(end, 0.0), 1.0) for end in (share.low, share.high))
    return f"{max(share.mean, 0.0):.0%} ({100 * low:.0f} to {100 * high:.0f})"
