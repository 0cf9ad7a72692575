"""The posterior on every row of a pool: moments and paths of all rows in one pass over them.

A chunk of rows is compared with the data once; from that come the mean, the std and the update of
every path. Moments are kept for the rules that follow, one pair of numbers a row; nothing else of
the size of the pool is.

The std takes the square of the number of data for each row. It only falls with more of them, so
where there are MANY_DATA the pass has that of the first ones: a row whose score is too low even so
is out, and the std of all data is for those that are left (benchmarks/many_results.md).
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
from pathmax.search.best_rows import below
from pathmax.search.domains import FiniteDomain, Maximum
from pathmax.search.rows import ROWS_AT_ONCE, each_chunk, maximize_rows, refine

MOMENTS_BLOCK = 1 << 16  # rows at a time when a rule goes over the moments
MANY_DATA = 512  # data, from which on rows are ruled out by the first of them
FIRST_DATA = 256
FIRST_LEFT = 64  # rows whose std is computed first; then twice as many each time


@final
@dataclass(eq=False)
class Scanned(Surface):
    """A posterior on a finite domain, row by row."""

    domain: FiniteDomain

    def __post_init__(self) -> None:
        self.free = self.domain.free
        # mean and std, by how many of the data: with fewer than all of them the std is at least
        self._known: dict[int, tuple[Array, Array]] = {}

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
        values = self._scan(paths, self._first_data)
        d = self.domain.dimension
        return [RowSample(self, PathScore(paths[i], d), values[i]) for i in range(n)]

    def top(self, rule: Rule, *, hints: Array | None = None) -> Maximum:
        score = PosteriorScore(self.model, rule)
        if self._first_data < self.model.n and self.model.n not in self._known:
            mean, most = self._moments_by(self._first_data)
            ceiling = rule.ceiling(mean[self.free], most[self.free])
            if np.isfinite(ceiling).any():
                return refine(score, self.domain, *self._left_by(ceiling, rule))
        rows, (mean, std) = self.free, self.moments()
        mean, std = mean[rows], std[rows]
        if (few := rule.contenders(mean, std)) is not None:
            rows, mean, std = rows[few], mean[few], std[few]
        values = np.empty(len(rows))
        for start in range(0, len(rows), MOMENTS_BLOCK):
            block = slice(start, start + MOMENTS_BLOCK)
            values[block] = rule(mean[block], std[block])
        return refine(score, self.domain, rows, values)

    @property
    def _first_data(self) -> int:
        return FIRST_DATA if self.model.n >= MANY_DATA else self.model.n

    def _left_by(self, ceiling: Array, rule: Rule) -> tuple[Index, Array]:  # (free,) -> (k,), (k,)
        """In order, rows of which one is the best, and their scores: no other can reach it."""
        falling = np.argsort(-ceiling, kind="stable")
        scores, best, seen, more = [np.empty(0)], -np.inf, 0, FIRST_LEFT
        while seen < len(falling) and ceiling[falling[seen]] >= below(best):
            rows = self.free[falling[seen : seen + more]]
            scores.append(rule(*self.model.look(self.domain.points(rows))))
            best = max(best, float(scores[-1].max()))
            seen, more = seen + len(rows), min(2 * more, ROWS_AT_ONCE)
        rows = self.free[falling[:seen]]
        in_order = np.argsort(rows)
        return rows[in_order], np.concatenate(scores)[in_order]

    def search(self, score: PointScore, *, hints: Array | None = None) -> Maximum:
        return maximize_rows(score, self.domain)

    def moments(self) -> tuple[Array, Array]:
        return self._moments_by(self.model.n)

    def _moments_by(self, n_data: int) -> tuple[Array, Array]:
        if n_data not in self._known:
            self._scan(None, n_data)
        return self._known[n_data]

    def _scan(self, paths: Paths | None, n_data: int) -> Array:  # -> (p, N)
        """One pass: the values of the paths and, if they are not there yet, the moments."""
        model, domain = self.model, self.domain
        N, p = domain.cardinality, 0 if paths is None else len(paths)
        values = np.empty((p, N))
        moments = None if n_data in self._known else (np.empty(N), np.empty(N))
        prior = None if paths is None else paths.prior(domain.dimension)
        # a product with the inverse factor is twice as fast as a triangular solve of narrow chunks
        root = linalg.solve_lower(model.cholesky[:n_data, :n_data], np.eye(n_data)).T

        same = paths is not None and paths.shift.update.reach.X is model.X

        def work(rows: Index) -> None:
            U = domain.points(rows)
            cross = model.kernel(U, model.X) if model.n else None
            if paths is not None and prior is not None:
                values[:, rows] = paths.shift.add_to(prior(U), U, cross if same else None).T
            if moments is not None:
                half = None if cross is None else (cross[:, :n_data] @ root).T
                moments[0][rows], moments[1][rows] = model.moments(U, cross, half)

        each_chunk(work, N, ROWS_AT_ONCE)
        if moments is not None:
            self._known[n_data] = moments
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
