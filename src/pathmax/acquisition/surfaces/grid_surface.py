"""The posterior on a grid, through its Kronecker structure: exact paths, all moments at hand.

Paths of random features, for those who want the paper's, are cheap here as well: the phase of a
wave is a sum over the axes, w'x = p1 + p2 with p1 of the first axes and p2 of the last, so

    a cos w'x + b sin w'x = (a cos p1 + b sin p1) cos p2 + (b cos p1 - a sin p1) sin p2

and all values are one product of two small matrices instead of a cosine for each point and feature.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

import numpy as np

from pathmax.acquisition.scores import PointScore, Rule
from pathmax.acquisition.surfaces.surface import KnownSample, Sample, Surface, largest
from pathmax.arrays import Array, Index
from pathmax.gp import GridPosterior, draw_paths
from pathmax.gp.features import Features
from pathmax.gp.paths import PathKind, Paths
from pathmax.search.domains import FiniteDomain, Maximum
from pathmax.search.rows import maximize_rows

PROMISING = 64  # rows: their scores are what the others have to reach


@final
class Gridded(Surface):
    """A posterior on a grid whose data all lie on it."""

    def __init__(
        self,
        posterior: GridPosterior,
        domain: FiniteDomain,
        rng: np.random.Generator,
        kind: PathKind = "exact",
        n_features: int | None = None,
    ) -> None:
        super().__init__(posterior.model, domain, rng, kind, n_features)
        self.posterior, self.finite = posterior, domain
        self.free = None if domain.excluded is None else domain.free  # raises when there are none

    @property
    def is_exact(self) -> bool:
        return self.kind == "exact"

    def samples(self, n: int) -> list[Sample]:
        if self.is_exact:
            return [self.sample(self.posterior.draw(self.rng)) for _ in range(n)]
        paths = draw_paths(self.model, self.rng, n, kind=self.kind, n_features=self.n_features)
        assert isinstance(paths, Paths)
        return [self.sample(values_on_grid(paths, i, self.posterior)) for i in range(n)]

    def sample(self, values: Array) -> Sample:  # (N,)
        return KnownSample(self.finite, self.free, values)

    def top(self, rule: Rule, *, hints: Array | None = None) -> Maximum:
        rows = self.reachable(rule)
        mean, std = self.moments_at(rows)
        if (few := rule.contenders(mean, std)) is not None:
            rows = few if rows is None else rows[few]
            mean, std = mean[few], std[few]
        if rows is None:
            return largest(self.finite, rule(mean, std))
        values = rule(mean, std)
        best = int(np.argmax(values))
        index = int(rows[best])
        return Maximum(self.finite.points([index])[0], float(values[best]), index)

    def reachable(self, rule: Rule) -> Index | None:
        """In order, the rows among which the largest score is; None for all of them.

        Where variances are still to be computed, the score that some rows reach rules out all
        those that would not reach it even with what their standard deviation is at most.
        """
        posterior, rows = self.posterior, self.free
        if not posterior.defers_variances:
            return rows
        mean, most = posterior.mean, posterior.most_std
        if rows is not None:
            mean, most = mean[rows], most[rows]
        ceiling = rule.ceiling(mean, most)

        def reaching(some: Index) -> Index:
            reached = rule(*self.moments_at(some if rows is None else rows[some])).max()
            return np.flatnonzero(ceiling >= reached - 1e-12 * abs(reached))  # but for rounding

        left = reaching(np.argmax(ceiling, keepdims=True))
        if len(left) > PROMISING:
            left = reaching(left[np.argpartition(ceiling[left], -PROMISING)[-PROMISING:]])
        return left if rows is None else rows[left]

    def moments_at(self, rows: Index | None) -> tuple[Array, Array]:
        """Mean and standard deviation of some rows, or of all."""
        posterior = self.posterior
        if rows is None:
            return posterior.mean, posterior.std
        return posterior.mean[rows], posterior.std_at(rows)

    def search(self, score: PointScore, *, hints: Array | None = None) -> Maximum:
        values = score.on_grid(self.posterior)
        if values is None:
            return maximize_rows(score, self.finite)
        return largest(self.finite, values, self.free)

    def moments(self) -> tuple[Array, Array]:
        return self.posterior.mean, self.posterior.std

    def at(self, best: Maximum) -> tuple[float, float]:
        assert best.index is not None, "a point of a grid has a number"
        mean, std = self.moments_at(np.array([best.index]))
        return float(mean[0]), float(std[0])


def values_on_grid(paths: Paths, i: int, posterior: GridPosterior) -> Array:  # -> (N,)
    """Path i on all points of the grid."""
    axes = posterior.axes
    d = len(axes.values)
    features = paths.features.at(d)
    if not isinstance(features, Features) or features.signs or features.slopes:  # point by point
        return np.asarray(paths[i](axes.points(np.arange(len(axes)))))
    a, b = np.split(features.amplitude * paths.weights[:, i], 2)
    cut = max(1, d // 2)
    first = _phases(axes.values[:cut], features.frequencies[:, :cut])
    last = _phases(axes.values[cut:], features.frequencies[:, cut:])
    cos, sin = np.cos(first), np.sin(first)
    left = np.concatenate([a * cos + b * sin, b * cos - a * sin], axis=1)
    right = np.concatenate([np.cos(last), np.sin(last)], axis=1)
    update = paths.shift.update[i]
    v = update.unit * update.v if update.n else np.zeros(posterior.n)  # rff: the weights have it
    return posterior.add_shift((left @ right.T).reshape(-1), v)


def _phases(values: Sequence[Array], frequencies: Array) -> Array:  # -> (product of lengths, F)
    """w'x for all points of the product of some axes, the last fastest; one point when none."""
    phases = np.zeros((1, len(frequencies)))
    for axis, w in zip(values, frequencies.T, strict=True):
        phases = (phases[:, None, :] + np.outer(axis, w)[None, :, :]).reshape(-1, len(w))
    return phases
