"""What a domain is: a set of points in the coordinates u over which a score is maximised.

    Box(d, low, high)   all points between two corners, by default the unit cube: `box`
    Mixed(axes)         each coordinate in an interval or on a list of values: `mixed_domain`
    Constrained(...)    either of these within known constraints: `constrained_domain`
    Conditional(...)    both, some coordinates absent at a point: `conditional_domain`
    Pool(U)             the rows of a table: `rows`
    Stream(source)      rows of which there are too many for a table: `streams`
    GridDomain(values)  the product of lists of values, numbered in C order: `rows`

Each module holds the set and the way it is searched. Another kind of set is another
subclass of `Domain`: nothing that uses a domain asks which one it is.

Points of a finite domain can be `excluded` (tried already, or running): they are never chosen. The
maximum of a sample path is over the whole domain nevertheless, as in the paper: see `whole`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, Self, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pathmax.arrays import Array, Index, Mask
from pathmax.errors import ExhaustedError, ModelError
from pathmax.search.lattice import Lattice
from pathmax.search.regions import Region
from pathmax.search.row_sources import RowSource
from pathmax.search.scores import Score
from pathmax.search.screening import scatter


@final
@dataclass(frozen=True, eq=False)
class Maximum:
    """Where a score is largest, its value there, and the number of the point in a finite domain."""

    u: Array  # (d,)
    value: float
    index: int | None = None


@final
@dataclass(frozen=True, eq=False)
class Task:
    """What to maximise, and what is known about it: the arguments of `maximize`."""

    score: Score
    rng: np.random.Generator
    hints: Array  # (k, d)
    scales: Array  # (d,)
    starts: int = 24
    effort: float = 1.0
    looks: Array | None = None  # (k, d) where to look first, if that is known
    enough: float = math.inf  # a value above which a search ends where it is


class Domain(ABC):
    """A set of points."""

    @property
    @abstractmethod
    def dimension(self) -> int:
        """The number of coordinates."""

    @property
    @abstractmethod
    def cardinality(self) -> int | None:
        """How many points there are, excluded ones too; None if infinitely many, or not counted."""

    @abstractmethod
    def random(self, rng: np.random.Generator) -> tuple[Array, int | None]:
        """A point (d,) drawn uniformly from those that may be chosen, and its number, if any."""

    @abstractmethod
    def spread(self, n: int, rng: np.random.Generator) -> Array:  # -> (n, d)
        """n points that stand for the domain."""

    @abstractmethod
    def project(self, U: Array) -> Array:  # (m, d) -> (m, d)
        """The nearest points of the domain, excluded ones too."""

    def beside(self, U: Array, V: Array) -> Array:  # (m, d), (m, d) -> (m, d)
        """Points of the domain near V; U are some that V was reached from."""
        return self.project(V)

    @abstractmethod
    def search(self, task: Task) -> Maximum:
        """The best point that may be chosen: see `maximize`."""

    @property
    def region(self) -> Region:
        """Where ascents can go."""
        return Projected(self)

    @property
    def lattice(self) -> Lattice | None:
        """The coordinates that are lists, which ascents hold; None when there are none."""
        return None

    @property
    def varying(self) -> int:
        """How many coordinates a point is chosen by: not those that are held at a value."""
        return self.dimension

    @property
    def is_real(self) -> bool:
        """Whether each of these may be any number of an interval, at every point."""
        return self.lattice is None

    @property
    def is_numbered(self) -> bool:
        """Whether points have numbers, which a choice is known by."""
        return self.rows() is self

    def whole(self) -> Self:
        """The same with nothing excluded."""
        return self

    @property
    def is_slice(self) -> bool:
        """Whether a coordinate has one value only, so that data may lie beside the domain."""
        return False

    def rows(self) -> FiniteDomain | None:
        """The domain as numbered points, if they are few enough to look at every one of them."""
        return None

    def numbered(self) -> NumberedPoints | None:
        """What gives points by their numbers, if they have any."""
        return self.rows()

    @property
    def row_source(self) -> RowSource | None:
        """Where the rows come from, if there are too many of them to look at in a table."""
        return None

    def listed(self, most: int) -> Domain:
        """A table of the points if they are at most `most` and have no numbers; else itself."""
        return self

    @property
    def corners(self) -> tuple[Array, Array] | None:
        """The least and the greatest corner of a box; None for everything else."""
        return None


class NumberedPoints(Protocol):
    """Points with numbers."""

    def some(self, n: int, rng: np.random.Generator) -> Index:  # -> (at most n,)
        """The numbers of some points that may be chosen, each once."""

    def points(self, index: ArrayLike) -> Array:  # (m,) -> (m, d)
        """The points of these numbers."""


@final
class Projected(Region):
    """Any domain as a region: whatever leaves it is projected back."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain

    def spread(self, n: int, rng: np.random.Generator) -> Array:  # -> (n, d)
        return self.domain.spread(n, rng)

    def neighbours(self, centres: Array, n: int, scales: Array, rng: np.random.Generator) -> Array:
        return self.domain.project(scatter(centres, n, scales, rng))

    def project(self, U: Array) -> Array:  # (m, d) -> (m, d)
        return self.domain.project(U)

    def free(self, U: Array, G: Array) -> Mask:  # (m, d), (m, d) -> (m, d)
        return np.ones_like(U, dtype=bool)


class FiniteDomain(Domain):
    """A finite domain whose points are numbered and all looked at."""

    excluded: Mask | Sequence[int] | None  # made a mask (N,), or None, by `as_mask`

    @property
    @abstractmethod
    def cardinality(self) -> int:
        """How many points there are, excluded ones too."""

    @property
    @abstractmethod
    def axis_values(self) -> Sequence[Array] | None:
        """The lists whose product the points are, numbered in C order; None for a table."""

    @abstractmethod
    def points(self, index: ArrayLike) -> Array:  # (m,) -> (m, d)
        """The points of these numbers."""

    @property
    def free(self) -> NDArray[np.intp]:
        """The numbers of the points that may be chosen, or ExhaustedError when there are none."""
        if self.excluded is None:
            return np.arange(self.cardinality)
        free = np.flatnonzero(~np.asarray(self.excluded))
        if not len(free):
            what = "rows of the pool" if self.axis_values is None else "points of the grid"
            raise ExhaustedError(exhausted(self.cardinality, what))
        return free

    def some(self, n: int, rng: np.random.Generator) -> NDArray[np.intp]:  # -> (at most n,)
        """The numbers of some points that may be chosen, each once."""
        free = self.free
        return np.asarray(rng.choice(free, min(len(free), n), replace=False))

    def random(self, rng: np.random.Generator) -> tuple[Array, int]:
        index = int(rng.choice(self.free))
        return self.points([index])[0], index

    def spread(self, n: int, rng: np.random.Generator) -> Array:  # -> (n, d)
        return self.points(rng.integers(self.cardinality, size=n))

    def rows(self) -> FiniteDomain:
        return self


def as_mask(excluded: Mask | Sequence[int] | None, size: int) -> Mask | None:
    """Excluded rows as a mask (size,), or None when there are none."""
    if excluded is None:
        return None
    given = np.asarray(excluded)
    if given.dtype != bool:
        mask = np.zeros(size, dtype=bool)
        mask[given.astype(np.intp)] = True
        return mask if len(given) else None
    if given.shape != (size,):
        raise ModelError(f"the mask of excluded rows must have shape ({size},), got {given.shape}")
    return given


def exhausted(size: int, what: str) -> str:
    """What to tell somebody who has tried everything."""
    return (
        f"all {size} {what} have been tried or are running, so there is nothing left to suggest; "
        "allow replicates to measure some of them again, or add candidates"
    )
