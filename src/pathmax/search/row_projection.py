"""The nearest points of polytopes, for many points at once, each with a polytope of its own.

    V = argmin |V - U|^2     with  low <= A V <= high  and  V between two corners

The dual has a variable y for each row, V = clip(U - A'y), and is solved by a primal-dual active set
method (Hintermueller, Ito and Kunisch, 2002): rows that hold are equations in y, others have y = 0.
It ends after a few rounds; where it does not, Dykstra's alternating projections go on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pathmax.arrays import Array, Mask

ROW_TOLERANCE = 1e-11  # by how much a row of length 1 may be missed
ROUNDS, FEW_ROUNDS = 30, 3
FULL_STEPS = 3  # most projections are done by then; later steps are as long as they help
SHARES = (1.0, 0.5, 0.15, 0.02)
ALTERNATIONS = 300


def project_on_rows(
    U: Array,  # (m, d)
    A: Array,  # (R, d), or (m, R, d); rows of length 1
    low: Array,  # (m, R)
    high: Array,  # (m, R)
    floor: Array,  # (m, d), the corners of the boxes
    ceiling: Array,  # (m, d)
    *,
    patient: bool = True,
    near: bool = False,
) -> tuple[Array, Array]:  # -> (m, d), (m,)
    """The nearest points, and by how much they miss their rows where there are none.

    Without `patient` it gives up where a few rounds lead nowhere. With `near` it is known that
    there are such points.
    """
    V = np.minimum(np.maximum(U, floor), ceiling)
    missed = miss(V, A, low, high)
    todo = np.flatnonzero(missed > ROW_TOLERANCE)
    if len(todo) and not near:
        B = A if A.ndim == 2 else A[todo]
        todo = todo[within_reach(floor[todo], ceiling[todo], B, low[todo], high[todo])]
    if not len(todo):
        return V, missed
    shared = A.ndim == 2
    at = Projection(
        U[todo], A if shared else A[todo], *(x[todo] for x in (low, high, floor, ceiling))
    )
    y = np.zeros_like(at.low)
    for count in range(ROUNDS if patient else FEW_ROUNDS):
        W = at.U - back(y, at.A)
        v = np.minimum(np.maximum(W, at.floor), at.ceiling)
        S = forth(v, at.A)
        T = y + S
        bound = np.minimum(np.maximum(T, at.low), at.high)
        active = bound != T
        # rows that hold are to be at their bounds; others, inside then, to have y = 0
        change = np.where(active, S - bound, -y)
        going = np.abs(change).max(axis=1) > ROW_TOLERANCE
        if not going.all():
            done = ~going
            V[todo[done]], missed[todo[done]] = (
                v[done],
                miss_each(S, at.low, at.high)[done].max(axis=1),
            )
            if not going.any():
                return V, missed
            todo, at = todo[going], at.of(going)
            y, W, v, S = y[going], W[going], v[going], S[going]
            active, change = active[going], change[going]
        free = (W > at.floor) & (W < at.ceiling)
        K = np.matmul(at.A * free[:, None, :], np.swapaxes(at.A, -1, -2))  # (m, R, R)
        K *= active[:, :, None]
        diagonal = np.einsum("mrr->mr", K)
        # a row that no free coordinate moves takes a plain step, until one comes free
        diagonal += np.where(active, np.where(diagonal > 1e-3, 1e-10, 0.3), 1.0)
        step = np.linalg.solve(K, change[:, :, None])[:, :, 0]
        y = y + step if count < FULL_STEPS else best_step(y, step, *at)
    if patient:
        V[todo], missed[todo] = alternate(*at)
    else:
        V[todo], missed[todo] = v, miss_each(S, at.low, at.high).max(axis=1)
    return V, missed


class Projection(NamedTuple):
    """The points that are still to be brought inside, and their polytopes."""

    U: Array
    A: Array
    low: Array
    high: Array
    floor: Array
    ceiling: Array

    def of(self, points: Mask) -> Projection:
        """Some of them."""
        A = self.A if self.A.ndim == 2 else self.A[points]
        rest = (part[points] for part in self[2:])
        return Projection(self.U[points], A, *rest)


def best_step(
    y: Array,
    step: Array,
    U: Array,
    A: Array,
    low: Array,
    high: Array,
    floor: Array,
    ceiling: Array,
) -> Array:  # (m, R)
    """y moved by the share of the step that makes the dual largest: full steps may cycle."""
    best, chosen = np.full(len(y), -np.inf), y
    for share in SHARES:
        z = y + share * step
        W = U - back(z, A)
        V = np.minimum(np.maximum(W, floor), ceiling)
        with np.errstate(invalid="ignore"):
            support = np.where(z > 0.0, high * z, np.where(z < 0.0, low * z, 0.0)).sum(axis=1)
        off = V - U
        dual = 0.5 * np.einsum("md,md->m", off, off) - support
        dual += np.einsum("mr,mr->m", z, forth(V, A))
        better = dual > best
        best = np.where(better, dual, best)
        chosen = np.where(better[:, None], z, chosen)
    return chosen


def alternate(
    U: Array, A: Array, low: Array, high: Array, floor: Array, ceiling: Array
) -> tuple[Array, Array]:
    """The same by Dykstra's alternating projections: slower, but it always converges."""
    R = A.shape[-2]
    V, box, last = U.copy(), np.zeros_like(U), U
    multipliers = np.zeros((len(U), R))
    for _ in range(ALTERNATIONS):
        for r in range(R):
            a = A[r] if A.ndim == 2 else A[:, r]
            V = V + multipliers[:, r, None] * a
            s = np.sum(a * V, axis=1)
            multipliers[:, r] = s - np.minimum(np.maximum(s, low[:, r]), high[:, r])
            V = V - multipliers[:, r, None] * a
        W = V + box
        V = np.minimum(np.maximum(W, floor), ceiling)
        box = W - V
        moved = np.abs(V - last).max()
        last = V
        if moved <= ROW_TOLERANCE and miss(V, A, low, high).max() <= ROW_TOLERANCE:
            break
    return V, miss(V, A, low, high)


def within_reach(floor: Array, ceiling: Array, A: Array, low: Array, high: Array) -> Mask:
    """Whether each row, taken alone, can be kept between the corners: -> (m,)."""
    up, down = np.maximum(A, 0.0), np.minimum(A, 0.0)
    least = forth(floor, up) + forth(ceiling, down)
    most = forth(ceiling, up) + forth(floor, down)
    return np.asarray(((least <= high + ROW_TOLERANCE) & (most >= low - ROW_TOLERANCE)).all(axis=1))


def forth(V: Array, A: Array) -> Array:  # (m, d) -> (m, R)
    """A v for each point."""
    return V @ A.T if A.ndim == 2 else np.einsum("mrd,md->mr", A, V)


def back(y: Array, A: Array) -> Array:  # (m, R) -> (m, d)
    """A'y for each point."""
    return y @ A if A.ndim == 2 else np.einsum("mrd,mr->md", A, y)


def overshoot(V: Array, A: Array, low: Array, high: Array) -> Array:  # -> (m, R)
    """By how much each row is above its bounds, below 0 where it is below them."""
    S = forth(V, A)
    return np.asarray(S - np.minimum(np.maximum(S, low), high))


def miss_each(S: Array, low: Array, high: Array) -> Array:  # (m, R)
    """By how much each row is missed."""
    return np.maximum(np.maximum(low - S, S - high), 0.0)


def miss(V: Array, A: Array, low: Array, high: Array) -> Array:  # -> (m,)
    """By how much the worst row of each point is missed."""
    return np.asarray(miss_each(forth(V, A), low, high).max(axis=1, initial=0.0))
