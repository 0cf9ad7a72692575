"""The sets over which an acquisition is maximised, all in the coordinates u.

    Box(d)              the unit cube
    Mixed(axes)         each coordinate on [0, 1] or on a list of values
    Pool(U)             the rows of a table
    GridDomain(axes)    the product of lists of values, numbered in C order

Points of a finite domain can be `excluded` (tried already, or running): they are never chosen. The
maximum of a sample path is over the whole domain nevertheless, as in the paper: see `whole`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pathmax.arrays import Array, Mask
from pathmax.errors import ExhaustedError, ModelError


class AxisLike(Protocol):
    """One coordinate of a mixed space: `space.Axis`."""

    @property
    def kind(self) -> Literal["float", "int", "categorical"]: ...
    @property
    def values(self) -> Array | None: ...  # None: any number of [0, 1]


@final
@dataclass(frozen=True, eq=False)
class Listed:
    """A coordinate with an ascending list of values."""

    values: Array | None
    kind: Literal["float", "int", "categorical"] = "int"


@final
@dataclass(frozen=True, eq=False)
class Box:
    """The unit cube of the given dimension."""

    dimension: int

    @property
    def cardinality(self) -> None:
        """None: there is no end of points."""
        return None

    def whole(self) -> Box:
        """The same: nothing is excluded from a box."""
        return self


@final
@dataclass(frozen=True, eq=False)
class Mixed:
    """A product of intervals and lists. `excluded` (m, d): points not to choose again.

    Exclusion matters only when every coordinate is a list: among real numbers no point comes twice.
    """

    axes: Sequence[AxisLike]
    excluded: Array | None = field(default=None, repr=False)

    @property
    def dimension(self) -> int:
        """The number of coordinates."""
        return len(self.axes)

    @property
    def cardinality(self) -> int | None:
        """How many points there are, excluded ones too; None if a coordinate is an interval."""
        sizes = [None if axis.values is None else len(axis.values) for axis in self.axes]
        return None if None in sizes else math.prod(s for s in sizes if s is not None)

    def whole(self) -> Mixed:
        """The same with nothing excluded."""
        return replace(self, excluded=None)


@final
@dataclass(frozen=True, eq=False)
class Pool:
    """The rows of a table. `excluded`: a mask (N,) or the numbers of rows not to choose."""

    U: NDArray[np.floating]  # (N, d), float64 or float32
    excluded: Mask | Sequence[int] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.U.ndim != 2 or not len(self.U):
            raise ModelError(f"a pool needs rows of coordinates, shape (N, d), got {self.U.shape}")
        object.__setattr__(self, "excluded", as_mask(self.excluded, len(self.U)))

    @property
    def dimension(self) -> int:
        """The number of coordinates."""
        return int(self.U.shape[1])

    @property
    def cardinality(self) -> int:
        """How many rows there are, excluded ones too."""
        return len(self.U)

    @property
    def free(self) -> NDArray[np.intp]:
        """The numbers of the rows that may be chosen."""
        return free_rows(self.excluded, len(self.U), "rows of the pool")

    def points(self, index: ArrayLike) -> Array:  # (m,) -> (m, d)
        """The coordinates of the rows of these numbers."""
        return np.asarray(self.U[np.asarray(index)], dtype=float)

    def whole(self) -> Pool:
        """The same with nothing excluded."""
        return replace(self, excluded=None)


@final
@dataclass(frozen=True, eq=False)
class GridDomain:
    """The product of lists of coordinates. `excluded`: a mask (N,) or the numbers of points."""

    values: Sequence[Array]
    excluded: Mask | Sequence[int] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        values = tuple(np.asarray(v, dtype=float).reshape(-1) for v in self.values)
        if not values or not all(len(v) for v in values):
            sizes = [len(v) for v in values]
            raise ModelError(
                f"a grid needs at least one axis, and a value on every axis, got axes of {sizes}"
            )
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "excluded", as_mask(self.excluded, self.cardinality))

    @property
    def dimension(self) -> int:
        """The number of coordinates."""
        return len(self.values)

    @property
    def shape(self) -> tuple[int, ...]:
        """How many values each axis has."""
        return tuple(len(v) for v in self.values)

    @property
    def cardinality(self) -> int:
        """How many points there are, excluded ones too."""
        return math.prod(self.shape)

    @property
    def free(self) -> NDArray[np.intp]:
        """The numbers of the points that may be chosen."""
        return free_rows(self.excluded, self.cardinality, "points of the grid")

    def points(self, index: ArrayLike) -> Array:  # (m,) -> (m, d)
        """The coordinates of the points of these numbers."""
        places = np.unravel_index(np.asarray(index, dtype=np.intp).reshape(-1), self.shape)
        return np.stack([v[place] for v, place in zip(self.values, places, strict=True)], axis=1)

    def whole(self) -> GridDomain:
        """The same with nothing excluded."""
        return replace(self, excluded=None)


Domain = Box | Mixed | Pool | GridDomain


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


def free_rows(excluded: object, size: int, what: str) -> NDArray[np.intp]:
    """The numbers of the rows that are not excluded, or ExhaustedError when there are none."""
    if excluded is None:
        return np.arange(size)
    free = np.flatnonzero(~np.asarray(excluded))
    if not len(free):
        raise ExhaustedError(exhausted(size, what))
    return free


def exhausted(size: int, what: str) -> str:
    """What to tell somebody who has tried everything."""
    return (
        f"all {size} {what} have been tried or are running, so there is nothing left to suggest; "
        "allow replicates to measure some of them again, or add candidates"
    )


@final
@dataclass(frozen=True, eq=False)
class Maximum:
    """Where a score is largest, its value there, and the number of the point in a finite domain."""

    u: Array  # (d,)
    value: float
    index: int | None = None
