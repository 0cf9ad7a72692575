"""The posterior on every row of a pool: moments and paths of all rows in one pass over them.

A chunk of rows is compared with the data once; from that come the mean, the std and the update of
every path. Moments are kept for the rules that follow, one pair of numbers a row; nothing else of
the size of the pool is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from pathmax.acquisition.scores import PointScore, PosteriorScore, Rule
from pathmax.acquisition.surfaces.moved_data import moved_points
from pathmax.acquisition.surfaces.path_score import PathScore
from pathmax.acquisition.surfaces.surface import KnownSample, Sample, Surface
from pathmax.arrays import Array, Index
from pathmax.gp import linalg
from pathmax.gp.paths import Paths
from pathmax.search.domains import FiniteDomain, Maximum
from pathmax.search.rows import ROWS_AT_ONCE, each_chunk, maximize_rows, refine

MOMENTS_BLOCK = 1 << 16  # rows at a time when a rule goes over the moments


@final
@dataclass(eq=False)
class Scanned(Surface):
    """A posterior on a finite domain, row by row."""

    domain: FiniteDomain

    def __post_init__(self) -> None:
        self.free = self.domain.free
        self._moments: tuple[Array, Array] | None = None

    @property
    def known_elsewhere(self) -> Array | None:
        known = moved_points(self.model, self.domain)
        return None if known is None else known[1]

    def samples(self, n: int) -> list[Sample]:
        if self.kind == "exact":
            draws = self.model.sample(
                self.domain.points(np.arange(self.domain.cardinality)), self.rng, n
            )
            return [KnownSample(self.domain, self.free, values) for values in draws]
        paths = self.draw(n)
        values = self._scan(paths)
        d = self.domain.dimension
        return [RowSample(self, PathScore(paths[i], d), values[i]) for i in range(n)]

    def top(self, rule: Rule, *, hints: Array | None = None) -> Maximum:
        rows, (mean, std) = self.free, self.moments()
        mean, std = mean[rows], std[rows]
        if (few := rule.contenders(mean, std)) is not None:
            rows, mean, std = rows[few], mean[few], std[few]
        values = np.empty(len(rows))
        for start in range(0, len(rows), MOMENTS_BLOCK):
            block = slice(start, start + MOMENTS_BLOCK)
            values[block] = rule(mean[block], std[block])
        return refine(PosteriorScore(self.model, rule), self.domain, rows, values)

    def search(self, score: PointScore, *, hints: Array | None = None) -> Maximum:
        return maximize_rows(score, self.domain)

    def moments(self) -> tuple[Array, Array]:
        if self._moments is None:
            self._scan(None)
        assert self._moments is not None
        return self._moments

    def _scan(self, paths: Paths | None) -> Array:  # -> (p, N)
        """One pass: the values of the paths and, if they are not there yet, the moments."""
        model, domain = self.model, self.domain
        N, p = domain.cardinality, 0 if paths is None else len(paths)
        values = np.empty((p, N))
        moments = None if self._moments else (np.empty(N), np.empty(N))
        prior = None if paths is None else paths.prior(domain.dimension)
        # a product with the inverse factor is twice as fast as a triangular solve of narrow chunks
        root = linalg.solve_lower(model.cholesky, np.eye(model.n)).T

        same = paths is not None and paths.shift.update.reach.X is model.X

        def work(rows: Index) -> None:
            U = domain.points(rows)
            cross = model.kernel(U, model.X) if model.n else None
            if paths is not None and prior is not None:
                values[:, rows] = paths.shift.add_to(prior(U), U, cross if same else None).T
            if moments is not None:
                half = None if cross is None else (cross @ root).T
                moments[0][rows], moments[1][rows] = model.moments(U, cross, half)

        each_chunk(work, N, ROWS_AT_ONCE)
        if moments is not None:
            self._moments = moments
        return values


@final
class RowSample(Sample):
    def __init__(self, surface: Scanned, path: PathScore, values: Array) -> None:
        self.surface, self.path, self.values = surface, path, values

    def peak(self) -> Maximum:
        return refine(self.path, self.surface.domain, np.arange(len(self.values)), self.values)

    def top(self) -> Maximum:
        free = self.surface.free
        return refine(self.path, self.surface.domain, free, self.values[free])

    def value(self, point: Maximum) -> float:
        return float(self.path(point.u[None])[0])
