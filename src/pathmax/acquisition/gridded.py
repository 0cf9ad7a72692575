"""The posterior on a grid, through its Kronecker structure: exact paths, all moments at hand."""

from __future__ import annotations

from typing import final

import numpy as np

from pathmax.acquisition.domain import GridDomain
from pathmax.acquisition.maximum import Maximum
from pathmax.acquisition.pools import maximize_rows
from pathmax.acquisition.rules import Rule, Score
from pathmax.acquisition.surface import Sample, Surface
from pathmax.gp import GridPosterior
from pathmax.gp.linalg import Array


@final
class Gridded(Surface):
    """A posterior on a grid whose data all lie on it."""

    def __init__(
        self, posterior: GridPosterior, domain: GridDomain, rng: np.random.Generator
    ) -> None:
        self.posterior, self.domain, self.rng = posterior, domain, rng
        self.model = posterior.model
        self.free = None if domain.excluded is None else domain.free  # raises when there are none

    def samples(self, n: int) -> list[Sample]:
        return [GridSample(self, self.posterior.draw(self.rng)) for _ in range(n)]

    def top(self, rule: Rule, *, hints: Array | None = None) -> Maximum:
        return self.largest(rule(self.posterior.mean, self.posterior.std), free_only=True)

    def search(self, score: Score, *, hints: Array | None = None) -> Maximum:
        return maximize_rows(score, self.domain)

    def moments(self) -> tuple[Array, Array]:
        return self.posterior.mean, self.posterior.std

    def at(self, best: Maximum) -> tuple[float, float]:
        assert best.index is not None, "a point of a grid has a number"
        return float(self.posterior.mean[best.index]), float(self.posterior.std[best.index])

    def largest(self, values: Array, *, free_only: bool) -> Maximum:  # (N,)
        """The first point with the largest of these values."""
        if free_only and self.free is not None:
            index = int(self.free[np.argmax(values[self.free])])
        else:
            index = int(np.argmax(values))
        return Maximum(self.domain.points([index])[0], float(values[index]), index)


@final
class GridSample(Sample):
    def __init__(self, surface: Gridded, values: Array) -> None:
        self.surface, self.values = surface, values

    def peak(self) -> Maximum:
        return self.surface.largest(self.values, free_only=False)

    def top(self) -> Maximum:
        return self.surface.largest(self.values, free_only=True)
