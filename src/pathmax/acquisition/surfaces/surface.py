"""A posterior on a domain: its sample paths, and where a score is highest.

    Searched    finds maxima by search, where there are real coordinates    (`searched_surface`)
    Scanned     goes through all rows of a pool                             (`pool_surface`)
    Streamed    goes through rows that are too many to be held              (`stream_surface`)
    Gridded     reads them off the exact moments and paths on a grid        (`grid_surface`)

The rules of the methods are written once, against `Surface`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

import numpy as np

from pathmax.acquisition.scores import PointScore, Rule
from pathmax.acquisition.surfaces.path_score import draw_on
from pathmax.arrays import Array, Index
from pathmax.gp import GaussianProcess
from pathmax.gp.paths import PathKind, Paths
from pathmax.search.domains import Domain, FiniteDomain, Maximum

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


@final
class KnownSample(Sample):
    """A path whose values (N,) at all points of a finite domain are known; `free` may be chosen."""

    def __init__(self, domain: FiniteDomain, free: Index | None, values: Array) -> None:
        self.domain, self.free, self.values = domain, free, values

    def peak(self) -> Maximum:
        return largest(self.domain, self.values)

    def top(self) -> Maximum:
        return largest(self.domain, self.values, self.free)

    def value(self, point: Maximum) -> float:
        return float(self.values[point.index])


def largest(domain: FiniteDomain, values: Array, rows: Index | None = None) -> Maximum:
    """The first point with the largest of these values (N,): of all, or of some rows."""
    index = int(np.argmax(values) if rows is None else rows[np.argmax(values[rows])])
    return Maximum(domain.points([index])[0], float(values[index]), index)


@dataclass(eq=False)
class Surface(ABC):
    """The posterior of a model on a domain, and how its sample paths are drawn."""

    model: GaussianProcess
    domain: Domain
    rng: np.random.Generator
    kind: PathKind = "pathwise"
    n_features: int | None = None

    @property
    def is_exact(self) -> bool:
        """Whether paths are drawn without approximation whatever the size of the domain."""
        return False

    @abstractmethod
    def samples(self, n: int) -> list[Sample]:
        """n sample paths."""

    def looks(self, n: int) -> int:
        """At how many points a path is looked at, drawn anew, n at most; 0 where it is searched."""
        return 0

    def draw(self, n: int) -> Paths:
        """n paths that can be evaluated everywhere in the domain."""
        whole, kind = self.domain.whole(), self.kind
        return draw_on(whole, self.model, self.rng, n, kind=kind, n_features=self.n_features)

    def glances(self, n: int) -> list[tuple[Sample, Maximum]]:
        """n sample paths, each with the highest point that a look at it finds."""
        return [(path, path.peak()) for path in self.samples(n)]

    def peaks(self, n: int) -> list[tuple[Sample, Maximum]]:
        """n sample paths, each with its maximum over the whole domain."""
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

    def at(self, best: Maximum) -> tuple[float, float]:
        """Mean and std at a point of the domain."""
        return predict_at(self.model, best.u)

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


def predict_at(model: GaussianProcess, u: Array) -> tuple[float, float]:
    """Mean and std at one point (d,)."""
    mean, std = model.predict(u[None])
    return float(mean[0]), float(std[0])
