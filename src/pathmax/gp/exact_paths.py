"""Exact joint draws on a finite set of points: paths that are known there and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.gp.inputs import as_points


@final
@dataclass(frozen=True, eq=False)
class ExactPaths:
    """Exact joint draws on a finite set of points: callable there and nowhere else."""

    points: Array  # (N, d)
    values: Array  # (p, N)

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, i: int) -> ExactPath:
        return ExactPath(self, i)

    @cached_property
    def rows(self) -> dict[bytes, int]:
        """Where each point is; 0.0 is added since -0.0 is the same point."""
        return {row.tobytes(): i for i, row in enumerate(np.ascontiguousarray(self.points) + 0.0)}

    def __call__(self, X: ArrayLike) -> Array:  # (m, d) -> (p, m)
        try:
            at = [self.rows[row.tobytes()] for row in np.ascontiguousarray(as_points(X)) + 0.0]
        except KeyError:
            raise ModelError(
                f"an exact path is known only on its {len(self.points)} points; got another point; "
                'draw with kind="pathwise" for a path that is defined everywhere'
            ) from None
        return np.asarray(self.values[:, at])


@final
@dataclass(frozen=True, eq=False)
class ExactPath:
    """One exact draw on a finite set: `path(X)`, or all the values at once in `path.values`."""

    family: ExactPaths
    i: int

    @property
    def points(self) -> Array:  # (N, d)
        """Where the path was drawn."""
        return self.family.points

    @property
    def values(self) -> Array:  # (N,)
        """Its values there."""
        return np.asarray(self.family.values[self.i])

    def __call__(self, X: ArrayLike) -> Array:  # (m, d) -> (m,)
        return np.asarray(self.family(X)[self.i])
