"""The posterior on a stream of rows: two passes, and nothing is kept of the size of the pool.

    first     the values of all sample paths at every row; the best rows of each path are kept
    second    the rule: rows that cannot win are told by an upper bound, the others are computed

A rule that rises with the mean and the std is at most rule(mean, most), where most >= std comes
from the datum that says most about the row alone:

    std(x)^2 <= k(x, x) - max_i k(x, x_i)^2 / (k(x_i, x_i) + noise_i)

With 100 data in d = 10 it left 1 row in 500 to be computed (of 250,000 uniform rows). Both passes
begin in single precision; what may win is computed again in double precision, so that the choice is
that of `pool_surface` on the same rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from pathmax.acquisition.scores import PointScore, PosteriorScore, Rule
from pathmax.acquisition.surfaces.path_score import PathScore, draw_on
from pathmax.acquisition.surfaces.searched import predict_at
from pathmax.acquisition.surfaces.surface import Sample, Surface
from pathmax.arrays import Array, Index
from pathmax.errors import SettingsError
from pathmax.gp import GaussianProcess
from pathmax.gp.blas_threads import small_blas
from pathmax.gp.freed_memory import keep_freed_memory
from pathmax.gp.paths import N_FEATURES, PathKind, Paths
from pathmax.gp.prior_draw import Single
from pathmax.gp.single_cross import single_cross
from pathmax.search.domains import Maximum
from pathmax.search.rows import ROWS_AT_ONCE
from pathmax.search.streams import BlockLike, ScoreWork, Stream, in_chunks, merged, refined
from pathmax.search.winners import Winners

MOST_MOMENTS = 20_000_000  # rows: their moments take 320 MB
FIRST = 256  # rows of a block that are computed first, to know what others have to beat
SINGLE_ROUNDING = 1e-5  # of a variance, in single precision
CRUDE = 1e-3  # of the spread of the values: an error beyond which single precision is no use


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

    def samples(self, n: int) -> list[Sample]:
        domain, kind = self.domain, self.kind
        paths = draw_on(
            domain.whole(), self.model, self.rng, n, kind=kind, n_features=self.n_features
        )
        found = domain.source.run(PathWork(paths, domain.dimension))
        return [StreamSample(domain, paths, i, *found[i]) for i in range(n)]

    def top(self, rule: Rule, *, hints: Array | None = None) -> Maximum:
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


PathWinners = list[tuple[Winners, Winners]]


@final
@dataclass(frozen=True, eq=False)
class PathWork:
    """Look for the best rows of several paths: of all rows, and of those that are free."""

    paths: Paths
    dimension: int

    @cached_property
    def moved(self) -> Callable[[Array], Array | Single] | None:  # (m, d) -> (m, p)
        """The update in single precision; None without one, or where that would be too crude."""
        update = self.paths.shift.update
        if not update.n:
            return None
        cross = single_cross(update.kernel, update.X)
        v = np.asarray(update.unit * update.v, dtype=np.float32)
        some = update.X[:ROWS_AT_ONCE]
        gap = np.abs(cross(some) @ v - update.of_matrix(update.kernel(some, update.X)))
        spread = max(1.0, math.sqrt(update.kernel.outputscale))
        return (lambda U: cross(U) @ v) if float(gap.max()) <= CRUDE * spread else None

    @cached_property
    def prior(self) -> Callable[[Array], Array]:
        return self.paths.prior(self.dimension)

    @cached_property
    def scores(self) -> list[PathScore]:
        return [PathScore(self.paths[i], self.dimension) for i in range(len(self.paths))]

    def approximate(self, U: Array) -> Array:  # (m, d) -> (m, p)
        if self.moved is None:
            return self.paths.shift.add_to(self.prior(U), U)
        values = self.prior(U)
        self.paths.shift.mean.add_to(values, U)
        values += self.moved(U)
        return values

    def start(self) -> PathWinners:
        keep_freed_memory()  # a worker has made no model itself
        nothing = Winners.none(self.dimension)
        return [(nothing, nothing)] * len(self.paths)

    def take(self, block: BlockLike, found: PathWinners) -> PathWinners:
        with small_blas(0):
            U, numbers, free = block.U, block.numbers, block.free
            values = in_chunks(self.approximate, U)
            allowed = None if free is None else np.flatnonzero(free)
            result: PathWinners = []
            for i, (score, (peak, top)) in enumerate(zip(self.scores, found, strict=True)):
                peak = refined(score, numbers, U, values[:, i], peak)
                if allowed is None:
                    top = refined(score, numbers, U, values[:, i], top)
                elif len(allowed):
                    some = values[allowed, i]
                    top = refined(score, numbers[allowed], U[allowed], some, top)
                result.append((peak, top))
            return result

    def merge(self, found: list[PathWinners]) -> PathWinners:
        return [
            (
                merged([one[i][0] for one in found], self.dimension),
                merged([one[i][1] for one in found], self.dimension),
            )
            for i in range(len(self.paths))
        ]


@final
@dataclass(frozen=True, eq=False)
class RuleWork:
    """Look for the best free row of a rule."""

    model: GaussianProcess
    rule: Rule
    dimension: int

    @cached_property
    def cross(self) -> Callable[[Array], Single]:
        return single_cross(self.model.kernel, self.model.X)

    @cached_property
    def alpha(self) -> Single:  # (n,)
        update = self.model.shift.update
        return np.asarray(update.unit * update.v, dtype=np.float32)

    def mean(self, U: Array, cross: Single) -> Array:  # (m, d), (m, n) -> (m,)
        """The posterior mean in single precision."""
        mean = np.zeros(len(U))
        self.model.shift.mean.add_to(mean, U)
        mean += cross @ self.alpha
        return mean

    @cached_property
    def weights(self) -> Single:  # (n,)
        """1 / (k(x_i, x_i) + noise_i)."""
        model = self.model
        told = model.kernel.diagonal(model.X) + model.noises + model.jitter
        return np.asarray(1.0 / told, dtype=np.float32)

    @cached_property
    def slack(self) -> float:
        """By how much a mean in single precision may be wrong; infinite where it is no use."""
        model = self.model
        some = model.X[:ROWS_AT_ONCE]
        crude = self.mean(some, self.cross(some))
        gap = float(np.abs(crude - model.look(some).mean).max())
        return 20.0 * gap + 1e-6 if gap <= CRUDE else np.inf

    @cached_property
    def score(self) -> PosteriorScore:
        return PosteriorScore(self.model, self.rule)

    def bound(self, U: Array) -> Array:  # (m, d) -> (m,)
        """At least the rule; infinite where nothing is known about it."""
        cross = self.cross(U)
        mean = self.mean(U, cross)
        cross *= cross
        cross *= self.weights
        variance = self.model.kernel.diagonal(U) * (1.0 + SINGLE_ROUNDING) - cross.max(axis=1)
        return self.rule.ceiling(mean + self.slack, np.sqrt(np.maximum(variance, 0.0)))

    def start(self) -> Winners:
        keep_freed_memory()
        return Winners.none(self.dimension)

    def take(self, block: BlockLike, found: Winners) -> Winners:
        rows = np.arange(len(block.numbers)) if block.free is None else np.flatnonzero(block.free)
        if not len(rows):
            return found
        with small_blas(0):
            if not np.isfinite(self.slack) or not self.model.n:
                return self.added(block, rows, found)
            bound = in_chunks(self.bound, block.U[rows])
            if len(rows) > FIRST:
                first = np.argpartition(-bound, FIRST)[:FIRST]
                found = self.added(block, rows[first[bound[first] >= found.bar]], found)
                bound[first] = -np.inf
            return self.added(block, rows[bound >= found.bar], found)

    def added(self, block: BlockLike, rows: Index, found: Winners) -> Winners:
        """The winners with these rows, computed in double precision."""
        if not len(rows):
            return found
        U = block.U[rows]
        return found.add(block.numbers[rows], in_chunks(self.score, U), U)

    def merge(self, found: list[Winners]) -> Winners:
        return merged(found, self.dimension)


Moments = list[tuple[Index, Array, Array]]


@final
@dataclass(frozen=True, eq=False)
class MomentWork:
    """Mean and std at every row."""

    model: GaussianProcess

    def start(self) -> Moments:
        keep_freed_memory()
        return []

    def take(self, block: BlockLike, found: Moments) -> Moments:
        with small_blas(0):
            looks = [
                self.model.look(block.U[start : start + ROWS_AT_ONCE])
                for start in range(0, len(block.U), ROWS_AT_ONCE)
            ]
        mean, std = (np.concatenate(part) for part in zip(*looks, strict=True))
        found.append((block.numbers, mean, std))
        return found

    def merge(self, found: list[Moments]) -> Moments:
        return [one for some in found for one in some]


__all__ = ["MomentWork", "PathWork", "RuleWork", "ScoreWork", "StreamSample", "Streamed"]
