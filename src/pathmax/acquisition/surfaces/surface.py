"""A posterior on a domain: its sample paths, and where a score is highest.

    Searched    finds maxima by search, where there are real coordinates    (`searched_surface`)
    Scanned     goes through all rows of a pool                             (`pool_surface`)
    Streamed    goes through rows that are too many to be held              (`stream_surface`)
    Gridded     reads them off the exact moments and paths on a grid        (`grid_surface`)

The rules of the methods are written once, against `Surface`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from pathmax.acquisition.scores import PointScore, Rule
from pathmax.arrays import Array
from pathmax.gp import GaussianProcess
from pathmax.search.domains import Maximum

REPRESENTATIVES = 1024  # points that stand for a continuous domain in the estimate of GP-EST


class Sample(ABC):
    """A sample path on a domain."""

    @abstractmethod
    def peak(self) -> Maximum:
        """Its maximum over the whole domain: g*, and where it is."""

    def peak_among(self, n: int) -> Maximum:
        """Its maximum among n points and the data: see `Surface.looks`."""
        return self.peak()

    @abstractmethod
    def top(self) -> Maximum:
        """Its maximum over the points that may be chosen."""

    @abstractmethod
    def value(self, point: Maximum) -> float:
        """Its value at a point of the domain."""


class Surface(ABC):
    """The posterior of a model on a domain."""

    model: GaussianProcess

    @property
    def is_exact(self) -> bool:
        """Whether paths are drawn without approximation whatever the size of the domain."""
        return False

    @abstractmethod
    def samples(self, n: int) -> list[Sample]:
        """n sample paths."""

    def looks(self, n: int) -> int:
        """At how many points paths are looked at, if at n at most; 0 where they are searched."""
        return 0

    def tops(self, n: int) -> tuple[list[Sample], Array]:  # -> n, (n, d)
        """n sample paths and where each has its maximum, as far as a look at it can tell."""
        paths = self.samples(n)
        return paths, np.stack([path.peak().u for path in paths])

    def glances(self, n: int) -> list[tuple[Sample, Maximum]]:
        """n sample paths, each with the highest point that a look at it finds."""
        return [(path, path.peak()) for path in self.samples(n)]

    def promising(self, n: int, beyond: float) -> Sample | None:
        """The first of n more paths that is above a value somewhere; not sought on finite sets."""
        return None

    @abstractmethod
    def top(self, rule: Rule, *, hints: Array | None = None) -> Maximum:
        """Where a rule is highest among the points that may be chosen."""

    @abstractmethod
    def search(self, score: PointScore, *, hints: Array | None = None) -> Maximum:
        """Where another score is highest among the points that may be chosen."""

    @abstractmethod
    def moments(self) -> tuple[Array, Array]:
        """Mean and std on the whole domain, or on points that stand for it: (N,), (N,)."""

    @abstractmethod
    def at(self, best: Maximum) -> tuple[float, float]:
        """Mean and std at a point of the domain."""

    @property
    def incumbent(self) -> float:
        """The largest posterior mean at the data: what an improvement has to beat."""
        if not self.model.n:
            trend = self.model.trend  # the constant mean is that at the centre of a bowl
            lent = 0.0 if trend is None else float(np.max(trend(trend.hints)))
            return float(self.model.mean) + lent
        known = self.known_elsewhere
        return float(np.max(self.model.fitted if known is None else known))

    @property
    def known_elsewhere(self) -> Array | None:
        """What is expected here of what was tried beside the domain, if anything was."""
        return None
