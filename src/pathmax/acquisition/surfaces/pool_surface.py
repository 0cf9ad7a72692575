"""The posterior on every row of a pool: moments and paths of all rows in one pass over them.

A chunk of rows is compared with the data once; from that come the mean, the std and the update of
every path. Moments are kept for the rules that follow, one pair of numbers a row; nothing else of
the size of the pool is.
"""

from __future__ import annotations

from typing import final

import numpy as np

from pathmax.acquisition.scores import PointScore, PosteriorScore, Rule
from pathmax.acquisition.surfaces.moved_data import moved_points
from pathmax.acquisition.surfaces.path_score import PathScore, draw_on
from pathmax.acquisition.surfaces.searched_surface import predict_at
from pathmax.acquisition.surfaces.surface import Sample, Surface
from pathmax.arrays import Array, Index
from pathmax.gp import GaussianProcess, linalg
from pathmax.gp.paths import N_FEATURES, PathKind, Paths
from pathmax.search.domains import FiniteDomain, Maximum
from pathmax.search.rows import ROWS_AT_ONCE, each_chunk, maximize_rows, refine

MOMENTS_BLOCK = 1 << 16  # rows at a time when a rule goes over the moments


@final
class Scanned(Surface):
    """A posterior on a finite domain, row by row."""

    def __init__(
        self,
        model: GaussianProcess,
        domain: FiniteDomain,
        rng: np.random.Generator,
        *,
        kind: PathKind = "pathwise",
        n_features: int = N_FEATURES,
        chunk: int = ROWS_AT_ONCE,
    ) -> None:
        self.model, self.domain, self.rng = model, domain, rng
        self.kind, self.n_features, self.chunk = kind, n_features, chunk
        self.free = domain.free
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
            return [ExactSample(self, values) for values in draws]
        domain, kind, n_features = self.domain, self.kind, self.n_features
        paths = draw_on(domain, self.model, self.rng, n, kind=kind, n_features=n_features)
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
        return maximize_rows(score, self.domain, chunk=self.chunk)

    def at(self, best: Maximum) -> tuple[float, float]:
        return predict_at(self.model, best.u)

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

        same = paths is not None and paths.shift.update.X is model.X

        def work(rows: Index) -> None:
            U = domain.points(rows)
            cross = model.kernel(U, model.X) if model.n else None
            if paths is not None and prior is not None:
                values[:, rows] = paths.shift.add_to(prior(U), U, cross if same else None).T
            if moments is not None:
                half = None if cross is None else (cross @ root).T
                moments[0][rows], moments[1][rows] = model.moments(U, cross, half)

        each_chunk(work, N, self.chunk)
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


@final
class ExactSample(Sample):
    """A joint draw at all rows: there is nothing to compute again."""

    def __init__(self, surface: Scanned, values: Array) -> None:
        self.surface, self.values = surface, values

    def peak(self) -> Maximum:
        return self.largest(np.arange(len(self.values)))

    def top(self) -> Maximum:
        return self.largest(self.surface.free)

    def value(self, point: Maximum) -> float:
        return float(self.values[point.index])

    def largest(self, rows: Index) -> Maximum:
        index = int(rows[np.argmax(self.values[rows])])
        point = self.surface.domain.points([index])[0]
        return Maximum(point, float(self.values[index]), index)
