"""The probability of being best: which row, or which region, holds the maximum?

    ranking = study.best_probabilities(n_paths=1000)
    for contender in ranking.top(10):
        contender.params, contender.probability, contender.mean, contender.std

On a pool or a grid every row has a probability, the share of sample paths that are highest there.
In a continuous space the tops of the paths are gathered into regions, each around a maximum of its
own, and a region has the share of the paths that peak in it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from pathmax.acquisition.surfaces.searched_surface import length_scales
from pathmax.analysis.library_best import listed_rows
from pathmax.analysis.path_maxima import Maxima, Scene, maxima
from pathmax.analysis.regret import Regret, regret_of
from pathmax.arguments import whole_number
from pathmax.arrays import Array
from pathmax.scalars import Scalar
from pathmax.search.domains import FiniteDomain
from pathmax.search.row_sources import RowSource
from pathmax.session.session import Session
from pathmax.space.axes import Axis
from pathmax.suggestion.available_points import everything
from pathmax.suggestion.choices import Choices
from pathmax.trials import html
from pathmax.trials.history import History

# Maxima nearer than this many length scales are one: values there are correlated by 0.83 or more
# (Matern-5/2).
REGION_REACH = 0.5

MOST_RANKED = 10  # rows or regions in a notebook

Extent = Mapping[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Contender:
    """A row or a region that may hold the best point.

    params       the row, or the point of the region with the best expected value
    probability  that the best point is this row, or one with the same features that it stands
                 for, or lies in this region
    mean, std    expected value there and its standard deviation, in your units
    tried        whether it has been measured
    extent       of a region: the lowest and highest value of each parameter among its maxima
    outcomes     with several outcomes: mean and std of each by name; `mean` and `std` are those of
                 the first objective, and the probability is that of being on the front, or the best
                 within the bounds
    feasibility  with bounds: the probability that all of them are kept there
    """

    params: dict[str, Scalar]
    probability: float
    mean: float
    std: float
    tried: bool
    extent: Extent = field(default_factory=dict)
    outcomes: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    feasibility: float | None = None


@dataclass(frozen=True, eq=False)
class Ranking:
    """Every row, or every region, with its probability of being the best.

    probability  (N,) they sum to 1; to more with several objectives, where it is that of being on
                 the front, and to less where perhaps nothing keeps the bounds
    mean, std    (N,) expected values and their standard deviations, in your units
    tried        (N,) whether a row was measured, or a region was measured in
    n_paths      how many sample paths were drawn: a probability p is known to `error(p)`
    exact        whether the paths were drawn without approximation
    params       number of a row or region -> its params
    outcomes     with several outcomes: (N,) means and (N,) standard deviations of each by name
    feasibility  (N,) with bounds: the probability that all are kept
    front        whether the probability is that of being on the front
    total        how many rows there are; a library has more than are listed here, and those have
                 the probability 0
    regret       what stopping now may cost, from the same paths; none with several outcomes
    """

    probability: Array = field(repr=False)
    mean: Array = field(repr=False)
    std: Array = field(repr=False)
    tried: NDArray[np.bool_] = field(repr=False)
    n_paths: int
    exact: bool
    params: Callable[[int], dict[str, Scalar]] = field(repr=False)
    extents: Sequence[Extent] = field(default=(), repr=False)
    sign: float = field(default=1.0, repr=False)  # -1 when smaller values are better
    outcomes: Mapping[str, tuple[Array, Array]] = field(default_factory=dict, repr=False)
    feasibility: Array | None = field(default=None, repr=False)
    front: bool = False
    total: int | None = None  # of a library, which has more rows than are listed
    regret: Regret | None = field(default=None, repr=False)

    def __len__(self) -> int:
        return len(self.probability)

    def __iter__(self) -> Iterator[Contender]:
        return (self[int(i)] for i in self.order())

    def __getitem__(self, i: int) -> Contender:
        return Contender(
            self.params(i),
            float(self.probability[i]),
            float(self.mean[i]),
            float(self.std[i]),
            bool(self.tried[i]),
            self.extents[i] if self.extents else {},
            {name: (float(mean[i]), float(std[i])) for name, (mean, std) in self.outcomes.items()},
            None if self.feasibility is None else float(self.feasibility[i]),
        )

    def top(self, n: int) -> list[Contender]:
        """The n most probable; of equally probable ones those of the best expected value."""
        return [self[int(i)] for i in self.order()[: whole_number("n", n, least=0)]]

    def _repr_html_(self) -> str:
        shown = self.top(MOST_RANKED)
        names = list(shown[0].params) if shown else []
        kind = "Probability of being on the front" if self.front else "Probability of being best"
        bounds = [] if self.feasibility is None else ["within bounds"]
        header = [*names, "probability", "expected", "tried", *bounds]
        rows = [
            [
                *one.params.values(),
                html.bar(one.probability),
                f"{one.mean:.5g} ± {one.std:.2g}",
                "yes" if one.tried else "",
                *([] if one.feasibility is None else [f"{one.feasibility:.0%}"]),
            ]
            for one in shown
        ]
        left = f"and {len(self) - len(shown)} more" if len(self) > len(shown) else ""
        return html.page(f"{kind}, from {self.n_paths} paths", html.table(header, rows), left)

    def order(self) -> NDArray[np.intp]:
        """The numbers of the rows or regions as `top` has them."""
        return np.lexsort((-self.sign * self.mean, -self.probability))

    def error(self, probability: float) -> float:
        """The standard error of a probability, from the number of paths."""
        return math.sqrt(probability * (1.0 - probability) / self.n_paths)


def single_best_probabilities(session: Session, n_paths: int) -> Ranking:
    """`Study.best_probabilities`, where the arguments are described."""
    scene = Scene.of(session)
    tops = maxima(scene, n_paths)
    return replace(_ranked(session, scene, tops), regret=regret_of(session, scene, tops))


def _ranked(session: Session, scene: Scene, tops: Maxima) -> Ranking:
    if tops.index is None:
        return _of_regions(session, scene, tops.u)
    if (source := scene.domain.row_source) is not None:
        return _of_library(session, scene, source, tops.index)
    return _of_rows(session, scene, tops.index)


def tried_of(
    choices: Choices, domain: FiniteDomain, history: History
) -> NDArray[np.bool_]:  # -> (N,)
    """Which of the N points of a domain have been measured: rows of a pool by their number."""
    count = domain.cardinality
    tried = np.zeros(count, dtype=bool)
    if choices.by_point:  # whole numbers and choices, few enough to be listed
        places = {row.tobytes(): i for i, row in enumerate(domain.points(np.arange(count)))}
        found = [places.get(row.tobytes()) for row in history.X]
        tried[[place for place in found if place is not None]] = True
    else:
        tried[choices.numbers(history.rows[: history.n])] = True
    return tried


def alike_as_one(
    domain: FiniteDomain, tops: NDArray[np.intp], tried: NDArray[np.bool_]
) -> NDArray[np.intp]:  # (p,), (N,) -> (p,)
    """The tops, where of rows with the same features one stands for all: one that was measured."""
    rows = np.union1d(tops, np.flatnonzero(tried))
    rows = rows[np.argsort(~tried[rows], kind="stable")]
    stands: dict[bytes, int] = {}
    for row, point in zip(rows.tolist(), domain.points(rows), strict=True):
        stands.setdefault(point.tobytes(), row)
    return np.array([stands[point.tobytes()] for point in domain.points(tops)], dtype=np.intp)


def _of_rows(session: Session, scene: Scene, tops: NDArray[np.intp]) -> Ranking:
    domain, history = scene.domain.rows(), session.history()
    choices = everything(session.problem.space.at_target)
    assert domain is not None, "only points of finite domains have numbers"
    mean, std = scene.moments()
    tried = tried_of(choices, domain, history)
    best = alike_as_one(domain, tops, tried)
    return Ranking(
        probability=np.bincount(best, minlength=len(mean)) / len(best),
        mean=scene.transform.outward(mean),
        std=scene.transform.spread(mean, std),
        tried=tried,
        n_paths=len(tops),
        exact=scene.exact,
        params=lambda row: choices.params(domain.points([row])[0], row),
        sign=scene.transform.sign,
    )


def _of_library(
    session: Session, scene: Scene, source: RowSource, tops: NDArray[np.intp]
) -> Ranking:
    """The rows that some path peaks at, and those with the best expected values; others have 0."""
    choices, history = everything(session.problem.space), session.history()
    rows = listed_rows(source, scene.surface.model, tops)
    points = source.points(rows)
    mean, std = scene.predict(points)
    return Ranking(
        probability=np.bincount(np.searchsorted(rows, tops), minlength=len(rows)) / len(tops),
        mean=scene.transform.outward(mean),
        std=scene.transform.spread(mean, std),
        tried=np.isin(rows, choices.numbers(history.rows[: history.n])),
        n_paths=len(tops),
        exact=scene.exact,
        params=lambda i: choices.params(points[i], int(rows[i])),
        sign=scene.transform.sign,
        total=source.cardinality,
    )


def _of_regions(session: Session, scene: Scene, tops: Array) -> Ranking:  # (n, d)
    space, model, measured = session.problem.space, scene.surface.model, session.history().X
    choices = everything(space)
    scales = length_scales(model.kernel, space.dimension)
    label = regions(near(tops, tops, scales, space.axes))
    mean, std = scene.predict(tops)
    members = [np.flatnonzero(label == region) for region in range(int(label.max()) + 1)]
    best = np.array([inside[np.argmax(mean[inside])] for inside in members])
    tried = [bool(near(measured, tops[inside], scales, space.axes).any()) for inside in members]
    return Ranking(
        probability=np.bincount(label) / len(label),
        mean=scene.transform.outward(mean[best]),
        std=scene.transform.spread(mean[best], std[best]),
        tried=np.array(tried),
        n_paths=len(label),
        exact=scene.exact,
        params=lambda i: choices.params(tops[best[i]], None),
        extents=[extent_of(choices, tops[inside]) for inside in members],
        sign=scene.transform.sign,
    )


def near(U: Array, V: Array, scales: Array, axes: Sequence[Axis]) -> NDArray[np.bool_]:
    """Which points of V are in reach of which of U: (n, d), (m, d) -> (n, m)."""
    squares = np.zeros((len(U), len(V)))
    for u, v, scale, axis in zip(U.T, V.T, scales, axes, strict=True):
        if axis.kind == "categorical":  # another choice is another region
            squares[u[:, None] != v] = np.inf
        else:
            squares += ((u[:, None] - v) / scale) ** 2
    return np.asarray(squares <= REGION_REACH**2)


def regions(neighbours: NDArray[np.bool_]) -> NDArray[np.intp]:  # (n, n) -> (n,)
    """Gather points into regions: the one with most neighbours takes them, then the next.

    0 is the largest region. Of points with equally many neighbours the first one counts.
    """
    label = np.full(len(neighbours), -1, dtype=np.intp)
    free = np.ones(len(neighbours), dtype=bool)
    for region in range(len(neighbours)):
        if not free.any():
            break
        count = np.where(free, (neighbours & free).sum(axis=1), -1)
        inside = neighbours[int(np.argmax(count))] & free
        label[inside] = region
        free &= ~inside
    return label


def extent_of(choices: Choices, points: Array) -> Extent:
    """The range of each number among some points, in the user's units."""
    space, rows = choices.space, [choices.params(u, None) for u in points]
    found: dict[str, tuple[float, float]] = {}
    for name, axis in zip(space.searched_names, space.axes, strict=True):
        if axis.kind != "categorical":
            values = [float(row[name]) for row in rows if name in row]  # type: ignore[arg-type]
            if values:  # it may be absent in all of them
                found[name] = (min(values), max(values))
    return found
