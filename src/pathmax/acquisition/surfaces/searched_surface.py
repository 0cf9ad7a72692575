"""The posterior in a space with real coordinates: what is best there has to be searched for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from pathmax.acquisition.normal import z_score
from pathmax.acquisition.scores import PointScore, PosteriorScore, Rule
from pathmax.acquisition.surfaces.moved_data import lie_in, moved_points
from pathmax.acquisition.surfaces.path_rows import climb_paths, searchable
from pathmax.acquisition.surfaces.path_score import PathScore, glance
from pathmax.acquisition.surfaces.surface import REPRESENTATIVES, Sample, Surface
from pathmax.arrays import Array
from pathmax.gp import Kernel
from pathmax.gp.paths import Paths
from pathmax.search.box import BOX_LOOKS, Box
from pathmax.search.domains import Domain, Maximum
from pathmax.search.maximization import maximize
from pathmax.search.perturbation import perturbed
from pathmax.search.scores import Score

# A search may cost n^2, not n^3: of the data only the best are hints, and from MANY data on there
# are fewer looks and starts. With MANY = 600 four times as many maxima are missed
# (benchmarks/searches.md).
HINTS = 64
MANY = 2000
LEAST_EFFORT = 0.25
# A score of mean and std is smooth where it is high, beside the best data: of so many points, half
# of them there, the best begin ascents. Twice as many, and a second look about the best of them,
# took half as long again and missed more (benchmarks/searches.md).
SCORE_LOOKS = 256
SCORE_STARTS = 8
LOOKS_PER_RESULT = 8  # points among which a path's maximum is taken: benchmarks/surrogate.md
# Real coordinates that are not held from which on that is done, also under known constraints; with
# lists it is done where `looks` points are fewer than so many to an axis. Else few points are no
# better than a search, or worse.
FINITE_FROM = 3
PER_AXIS = 3
# Further paths are not drawn where the chance that one of them is seen to promise more is below
# this: once the best is known it most often is far below, and drawing them takes longer than that.
UNLIKELY = 1e-3
CENTRES = 5  # data with the largest means about which points are scattered
ABOUT_BEST = 0.5  # the share of points about them: of those of a path, and of starts of a score


@final
@dataclass(eq=False)
class Searched(Surface):
    """A posterior on a box or in a mixed space: maxima by search."""

    effort: float = 1.0

    def __post_init__(self) -> None:
        model, domain = self.model, self.domain
        self.scales = length_scales(model.kernel, domain.dimension)
        X = model.X if model.n else np.empty((0, domain.dimension))
        self.inside = lie_in(domain, X)
        self.data = X[self.inside]
        known = moved_points(model, domain)
        points, means = (self.data, model.fitted[self.inside]) if known is None else known
        self.hints = best_rows(points, means)
        if model.trend is not None:  # where older studies were best
            self.hints = np.concatenate([self.hints, domain.project(model.trend.hints)])
        self._elsewhere = None if known is None else means
        self._asked: Maximum | None = None
        self._told = (math.nan, math.nan)

    @property
    def known_elsewhere(self) -> Array | None:
        return self._elsewhere

    def at(self, best: Maximum) -> tuple[float, float]:
        if self._asked is not best:  # a method asks for its choice again and again
            self._asked, self._told = best, super().at(best)
        return self._told

    @property
    def incumbent(self) -> float:
        if self.inside.all():
            return super().incumbent
        # results of another fidelity, or in another context, say what is known of this one
        mean, _ = self.model.predict(self.domain.project(self.model.X))
        return float(np.max(mean))

    def samples(self, n: int) -> list[Sample]:
        paths = self.draw(n)
        return [self._sample(paths, i) for i in range(n)]

    def looks(self, n: int) -> int:
        d = self.domain.varying
        if not self.domain.is_real:
            return n if PER_AXIS**d > n else 0
        if not n or d < FINITE_FROM:  # nothing is drawn: a search is what it was without looks
            return 0
        fewest = LOOKS_PER_RESULT * max(self.model.n, 1)
        return min(n, int(fewest / (1.0 - self.rng.random())))

    def glances(self, n: int) -> list[tuple[Sample, Maximum]]:
        paths = self.draw(n)
        looks = np.concatenate([self.domain.spread(2 * BOX_LOOKS, self.rng), self.hints])
        seen = glance(paths, looks)  # (m, n)
        best = np.argmax(seen, axis=0)
        return [
            (self._sample(paths, i), Maximum(looks[at], float(seen[at, i])))
            for i, at in enumerate(best)
        ]

    def peaks(self, n: int) -> list[tuple[Sample, Maximum]]:
        paths, whole = self.draw(n), self.domain.whole()
        samples = [PathSample(self, PathScore(paths[i], whole.dimension)) for i in range(n)]
        if not (isinstance(whole, Box) and searchable(paths, whole, whole.dimension)):
            return [(sample, sample.peak()) for sample in samples]
        points, values = climb_paths(paths, whole, self.hints, self.scales, self.rng)
        tops = (Maximum(u, float(value)) for u, value in zip(points, values, strict=True))
        pairs = zip(samples, tops, strict=True)
        return [(sample, sample.or_at_data(top)) for sample, top in pairs]

    def promising(self, n: int, beyond: float) -> Sample | None:
        """The first of n more paths that is above a value, as far as a glance can tell."""
        looks = self.domain.spread(BOX_LOOKS, self.rng)
        if n * self._chance(looks, beyond) < UNLIKELY:
            return None
        paths = self.draw(n)
        tops = glance(paths, looks).max(axis=0)
        first = int(np.argmax(tops > beyond))
        return self._sample(paths, first) if tops[first] > beyond else None

    def _chance(self, looks: Array, beyond: float) -> float:  # (m, d)
        """A bound of the probability that an exact path is above a value at any of the points.

        1 - Phi(z) <= exp(-z^2 / 2) / 2 from z = 0 on, and the points' own add up. Where z is below
        0 a half is counted, which is less than it may be and enough to draw.
        """
        mean, std = self.model.look(looks)
        z = np.maximum(z_score(beyond - mean, std), 0.0)
        return 0.5 * float(np.exp(-0.5 * z * z).sum())

    def _sample(self, paths: Paths, i: int) -> Sample:
        return PathSample(self, PathScore(paths[i], self.domain.dimension))

    def top(self, rule: Rule, *, hints: Array | None = None) -> Maximum:
        score = PosteriorScore(self.model, rule)
        return self._search(score, hints, rule.enough)

    def search(self, score: PointScore, *, hints: Array | None = None) -> Maximum:
        return self._search(score, hints)

    def _search(
        self,
        score: Score,
        hints: Array | None,
        enough: float = math.inf,
    ) -> Maximum:
        looks, starts, lattice = None, 24, self.domain.lattice
        climbs = self.domain.is_real and (lattice is None or not len(lattice.columns))
        if climbs and len(self.hints):
            looks = self.some_points(self.domain, round(self.share * SCORE_LOOKS))
        if looks is not None or not self.domain.region.is_product:
            starts = SCORE_STARTS
        return self.search_in(
            self.domain,
            score,
            hints=hints,
            starts=starts,
            looks=looks,
            enough=enough,
        )

    @cached_property
    def share(self) -> float:
        """How much of the looks and starts a search makes with the data there are."""
        return self.effort * share_of_effort(self.model.n)

    def some_points(self, domain: Domain, n: int) -> Array:  # -> (n, d)
        """Some spread over a domain, the others about the data with the largest means."""
        near = int(ABOUT_BEST * n)
        U = domain.spread(n - near, self.rng)
        if not len(self.hints):
            return U
        centres = self.hints[:CENTRES]
        about = perturbed(domain, centres, near, self.scales, self.rng)
        return np.concatenate([U, about])

    def search_in(
        self,
        domain: Domain,
        score: Score,
        *,
        hints: Array | None = None,
        starts: int = 24,
        looks: Array | None = None,
        enough: float = math.inf,
    ) -> Maximum:
        return maximize(
            score,
            domain,
            self.rng,
            hints=self.hints if hints is None else np.concatenate([hints, self.hints]),
            scales=self.scales,
            starts=starts,
            effort=self.share,
            looks=looks,
            enough=enough,
        )

    def moments(self) -> tuple[Array, Array]:
        spread = self.domain.spread(REPRESENTATIVES, self.rng)
        mean, std = self.model.predict(np.concatenate([self.hints, spread]))
        return mean, std


@final
class PathSample(Sample):
    def __init__(self, surface: Searched, path: PathScore) -> None:
        self.surface, self.path = surface, path

    def peak(self) -> Maximum:
        surface = self.surface
        found = surface.search_in(
            surface.domain.whole(), self.path, hints=self.hints, starts=self.starts
        )
        return self.or_at_data(found)

    def peak_among(self, n: int) -> Maximum:
        surface, domain = self.surface, self.surface.domain.whole()
        U = surface.some_points(domain, n)
        u = U[int(np.argmax(self.path.approximate(U)))]
        return self.or_at_data(Maximum(u, float(self.path(u[None])[0])))

    def or_at_data(self, found: Maximum) -> Maximum:
        """What was found, or the best of the data if that is higher."""
        # A search can only fall short. Were g* below the path at the data, PIMS would run to minus
        # infinity at an observed point and evaluate it for ever.
        data = self.surface.data
        if not len(data) or float(self.at_data.max()) <= found.value:
            return found
        best = int(np.argmax(self.at_data))
        return Maximum(data[best], float(self.at_data[best]))

    def top(self) -> Maximum:
        return self.surface.search_in(
            self.surface.domain, self.path, hints=self.hints, starts=self.starts
        )

    def value(self, point: Maximum) -> float:
        return float(self.path(point.u[None])[0])

    @cached_property
    def at_data(self) -> Array:  # (n,)
        on = self.surface
        return self.path.at_data(on.model)[on.inside] if len(on.data) else np.empty(0)

    @property
    def hints(self) -> Array:  # (k, d)
        surface = self.surface
        best = best_rows(surface.data, self.at_data)
        trend = surface.model.trend
        return (
            best if trend is None else np.concatenate([best, surface.domain.project(trend.hints)])
        )

    @property
    def starts(self) -> int:
        return path_starts(self.surface.domain.dimension)


def length_scales(kernel: Kernel, d: int) -> Array:  # -> (d,)
    """The distance over which the process varies along each coordinate, at most 1."""
    return np.minimum(np.maximum(kernel.length_scales(d), 1e-3), 1.0)


def share_of_effort(n: int) -> float:
    """How much of the looks and starts a search makes with n data."""
    return max(MANY / max(n, MANY), LEAST_EFFORT)


def path_starts(d: int) -> int:
    """How many ascents a search of a path begins: paths have many local maxima."""
    return min(64, 16 + 5 * d)


def best_rows(points: Array, values: Array) -> Array:  # (n, d), (n,) -> (k, d)
    """The points with the largest values, at most HINTS of them."""
    return points[np.argsort(-values, kind="stable")[:HINTS]]
