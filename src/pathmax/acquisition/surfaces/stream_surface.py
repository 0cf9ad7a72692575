"""The posterior on a stream of rows: nothing is kept of the size of the pool.

One pass finds the best rows of all sample paths, or the best row of a rule. PIMS needs a path and
then a rule: its one pass keeps a `Shortlist` for the rule, and hardly ever a second one follows.
"""

from __future__ import annotations

from functools import cached_property
from typing import final

import numpy as np

from pathmax.acquisition.improvement_rules import ProbabilityOfImprovement
from pathmax.acquisition.scores import PointScore, Rule
from pathmax.acquisition.surfaces.path_score import PathScore, draw_on
from pathmax.acquisition.surfaces.searched import predict_at
from pathmax.acquisition.surfaces.shortlist import Shortlist, ShortlistWork
from pathmax.acquisition.surfaces.stream_work import MomentWork, PathWork, RuleWork
from pathmax.acquisition.surfaces.surface import Sample, Surface
from pathmax.arrays import Array
from pathmax.errors import SettingsError
from pathmax.gp import GaussianProcess
from pathmax.gp.paths import N_FEATURES, PathKind, Paths
from pathmax.search.domains import Maximum
from pathmax.search.streams import Stream
from pathmax.search.winners import Winners

MOST_MOMENTS = 20_000_000  # rows: their moments take 320 MB


@final
class Streamed(Surface):
    """A posterior on a stream."""

    def __init__(
        self,
        model: GaussianProcess,
        domain: Stream,
        rng: np.random.Generator,
        *,
        kind: PathKind = "pathwise",
        n_features: int = N_FEATURES,
    ) -> None:
        self.model, self.domain, self.rng = model, domain, rng
        self.kind, self.n_features = kind, n_features
        self._shortlist: Shortlist | None = None

    def samples(self, n: int) -> list[Sample]:
        domain, kind = self.domain, self.kind
        paths = draw_on(
            domain.whole(), self.model, self.rng, n, kind=kind, n_features=self.n_features
        )
        both = ShortlistWork(self.model, paths, domain.dimension, domain.cardinality)
        if n == 1 and both.usable:
            found, self._shortlist = domain.source.run(both)
        else:
            found = domain.source.run(PathWork(paths, domain.dimension))
        return [StreamSample(domain, paths, i, *found[i]) for i in range(n)]

    def top(self, rule: Rule, *, hints: Array | None = None) -> Maximum:
        if self._shortlist is not None and isinstance(rule, ProbabilityOfImprovement):
            best = self._shortlist.best(rule)
            if best is not None:
                return best
        work = RuleWork(self.model, rule, self.domain.dimension)
        return self.domain.first(self.domain.source.run(work).maximum())

    def search(self, score: PointScore, *, hints: Array | None = None) -> Maximum:
        return self.domain.highest(score)

    def at(self, best: Maximum) -> tuple[float, float]:
        return predict_at(self.model, best.u)

    def moments(self) -> tuple[Array, Array]:
        if self.domain.cardinality > MOST_MOMENTS:
            raise SettingsError(
                f"this needs the moments of all rows at once, which is for {MOST_MOMENTS} rows at "
                f"most, got {self.domain.cardinality}; use another method, such as pims"
            )
        found = self.domain.source.without_taken().run(MomentWork(self.model))
        numbers = np.concatenate([rows for rows, _, _ in found])
        order = np.argsort(numbers)
        mean, std = (np.concatenate([part[i] for part in found])[order] for i in (1, 2))
        return mean, std


@final
class StreamSample(Sample):
    """A path with its best rows, of all and of those that are free."""

    def __init__(
        self, domain: Stream, paths: Paths, i: int, peak: Winners, top: Winners | None
    ) -> None:
        self.domain, self._peak, self._top = domain, peak, peak if top is None else top
        self.paths, self.i = paths, i

    @cached_property
    def path(self) -> PathScore:
        return PathScore(self.paths[self.i], self.domain.dimension)

    def peak(self) -> Maximum:
        return self.domain.first(self._peak.maximum())

    def top(self) -> Maximum:
        return self.domain.first(self._top.maximum())

    def value(self, point: Maximum) -> float:
        return float(self.path(point.u[None])[0])
