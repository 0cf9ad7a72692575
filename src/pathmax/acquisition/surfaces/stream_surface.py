"""The posterior on a stream of rows: nothing is kept of the size of the pool.

One pass finds the best rows of all sample paths, or the best row of a rule. PIMS needs a path and
then a rule: its one pass keeps a `Shortlist` for the rule, and hardly ever a second one follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from pathmax.acquisition.improvement_rules import ProbabilityOfImprovement
from pathmax.acquisition.scores import PointScore, Rule
from pathmax.acquisition.surfaces.path_score import PathScore
from pathmax.acquisition.surfaces.shortlist import Shortlist, ShortlistWork
from pathmax.acquisition.surfaces.stream_work import MomentWork, PathWork, RuleWork
from pathmax.acquisition.surfaces.surface import Sample, Surface
from pathmax.arrays import Array
from pathmax.errors import SettingsError
from pathmax.gp.paths import Paths
from pathmax.search.best_rows import BestRows
from pathmax.search.domains import Maximum
from pathmax.search.row_sources import RowSource
from pathmax.search.streams import first_of, highest

MOST_MOMENTS = 20_000_000  # rows: their moments take 320 MB


@final
@dataclass(eq=False)
class Streamed(Surface):
    """A posterior on a stream."""

    def __post_init__(self) -> None:
        source = self.domain.row_source
        assert source is not None, "rows of a stream come from somewhere"
        self.source = source
        self._shortlist: Shortlist | None = None

    def samples(self, n: int) -> list[Sample]:
        source, paths = self.source, self.draw(n)
        both = ShortlistWork(self.model, paths, source.dimension, source.cardinality)
        if n == 1 and both.usable:
            found, self._shortlist = source.run(both)
        else:
            found = source.run(PathWork(paths, source.dimension))
        return [StreamSample(source, paths, i, *found[i]) for i in range(n)]

    def top(self, rule: Rule, *, hints: Array | None = None) -> Maximum:
        if self._shortlist is not None and isinstance(rule, ProbabilityOfImprovement):
            best = self._shortlist.best(rule)
            if best is not None:
                return best
        work = RuleWork(self.model, rule, self.source.dimension)
        return first_of(self.source, self.source.run(work))

    def search(self, score: PointScore, *, hints: Array | None = None) -> Maximum:
        return highest(self.source, score)

    def moments(self) -> tuple[Array, Array]:
        if self.source.cardinality > MOST_MOMENTS:
            raise SettingsError(
                f"this needs the moments of all rows at once, which is for {MOST_MOMENTS} rows at "
                f"most, got {self.source.cardinality}; use another method, such as pims"
            )
        found = self.source.without_taken().run(MomentWork(self.model))
        numbers = np.concatenate([rows for rows, _, _ in found])
        order = np.argsort(numbers)
        mean, std = (np.concatenate([part[i] for part in found])[order] for i in (1, 2))
        return mean, std


@final
class StreamSample(Sample):
    """A path with its best rows, of all and of those that are free."""

    def __init__(
        self, source: RowSource, paths: Paths, i: int, peak: BestRows, top: BestRows | None
    ) -> None:
        self.source, self._peak, self._top = source, peak, peak if top is None else top
        self.paths, self.i = paths, i

    @cached_property
    def path(self) -> PathScore:
        return PathScore(self.paths[self.i], self.source.dimension)

    def peak(self) -> Maximum:
        return first_of(self.source, self._peak)

    def top(self) -> Maximum:
        return first_of(self.source, self._top)

    def value(self, point: Maximum) -> float:
        return float(self.path(point.u[None])[0])
