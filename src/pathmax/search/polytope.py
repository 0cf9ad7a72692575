"""A polytope in the unit cube: its centre, its corners, and whether it is flat or empty.

    { u : low <= A u <= high,  0 <= u <= 1 }

The Chebyshev centre is that of the largest ball inside, by a linear programme. Rows that no point
keeps with room to spare are equations: the ball is then one within the hull that they leave.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from pathmax.arrays import Array

FLAT = 1e-9  # a row whose bounds are nearer than this, or a ball that is smaller, is flat


@final
@dataclass(frozen=True, eq=False)
class Polytope:
    """A x within bounds, in the cube."""

    A: Array  # (R, d), rows of length 1
    low: Array  # (R,)
    high: Array  # (R,)

    def extreme(self, direction: Array) -> Array | None:  # (d,) -> (d,)
        """The point farthest along a direction, or None when there is no point at all."""
        return cheapest_point(-direction, *self._inequalities, *self._equations)

    @property
    def _inequalities(self) -> tuple[Array, Array]:
        thick = self.high - self.low > FLAT
        upper, lower = thick & np.isfinite(self.high), thick & np.isfinite(self.low)
        A = np.concatenate([self.A[upper], -self.A[lower]])
        return A, np.concatenate([self.high[upper], -self.low[lower]])

    @property
    def _equations(self) -> tuple[Array, Array]:
        flat = self.high - self.low <= FLAT
        return self.A[flat], 0.5 * (self.low[flat] + self.high[flat])

    def centre(self) -> tuple[Array, float] | None:  # -> (d,), radius
        """The centre of the largest ball inside, flat in the hull of the equations; None if empty.

        Where that ball has no radius, points that are as far apart as can be are averaged.
        """
        d = self.A.shape[1]
        A, b = self._inequalities
        E, e = self._equations
        across = null_space(E) if len(E) else np.eye(d)
        if across.shape[1]:  # else the equations leave a point, in which no ball has a size
            walls = np.concatenate([A, np.eye(d), -np.eye(d)])
            bounds = np.concatenate([b, np.ones(d), np.zeros(d)])
            radii = np.sqrt(np.square(walls @ across).sum(axis=1))
            found = cheapest_point(
                np.append(np.zeros(d), -1.0),
                np.column_stack([walls, radii]),
                bounds,
                np.column_stack([E, np.zeros(len(E))]),
                e,
                radius=True,
            )
            if found is None:
                return None
            if found[-1] > FLAT:
                return np.clip(found[:d], 0.0, 1.0), float(found[-1])
        corners = self.corners(np.random.default_rng(0), 2 * d)
        return (np.clip(corners.mean(axis=0), 0.0, 1.0), 0.0) if len(corners) else None

    def corners(self, rng: np.random.Generator, n: int) -> Array:  # -> (c, d)
        """Points as far as can be along n random directions and against them."""
        d = self.A.shape[1]
        directions = rng.standard_normal((n, d))
        directions[: min(d, n)] = np.eye(d)[: min(d, n)]
        found = [self.extreme(sign * p) for p in directions for sign in (1.0, -1.0)]
        return np.array([u for u in found if u is not None]).reshape(-1, d)


def null_space(E: Array) -> Array:  # (r, d) -> (d, k)
    """A basis of the directions that equations leave."""
    _, s, V = np.linalg.svd(E, full_matrices=True)
    rank = int(np.count_nonzero(s > 1e-10))
    return np.asarray(V[rank:].T)


def cheapest_point(
    cost: Array, A: Array, b: Array, E: Array, e: Array, radius: bool = False
) -> Array | None:
    """The cheapest point of the cube; the last coordinate may be a radius, which has no bound."""
    from scipy.optimize import linprog  # importing takes 0.15 s, and only known constraints need it

    bounds: list[tuple[float, float | None]] = [(0.0, 1.0)] * len(cost)
    if radius:
        bounds[-1] = (0.0, None)
    with np.errstate(all="ignore"):
        found = linprog(
            cost,
            A_ub=A if len(A) else None,
            b_ub=b if len(A) else None,
            A_eq=E if len(E) else None,
            b_eq=e if len(E) else None,
            bounds=bounds,
            method="highs",
        )
    return np.asarray(found.x) if found.status == 0 else None
