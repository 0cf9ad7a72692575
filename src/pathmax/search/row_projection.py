"""The nearest points of polytopes, for many points at once, each with a polytope of its own.

    V = argmin |V - U|^2     with  low <= A V <= high  and  V between two corners

The dual has a variable y for each row, V = clip(U - A'y), and is solved by a primal-dual active set
method (Hintermueller, Ito and Kunisch, 2002): rows that hold are equations in y, others have y = 0.
It ends after a few rounds; where it does not, Dykstra's alternating projections go on.
"""

from __future__ import annotations

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
) -> tuple[Array, Array]:  # -> (m, d), (m,)
    """The nearest points, and by how much they miss their rows where there are none.

    Without `patient` it gives up where a few rounds lead nowhere.
    """
    V = np.minimum(np.maximum(U, floor), ceiling)
    missed = miss(V, A, low, high)
    todo = np.flatnonzero(missed > ROW_TOLERANCE)
    if len(todo):
        B = A if A.ndim == 2 else A[todo]
        todo = todo[within_reach(floor[todo], ceiling[todo], B, low[todo], high[todo])]
    if not len(todo):
        return V, missed
    shared = A.ndim == 2
    y = np.zeros((len(todo), low.shape[1]))
    for count in range(ROUNDS if patient else FEW_ROUNDS):
        B = A if shared else A[todo]
        u, lo, hi = U[todo], low[todo], high[todo]
        W = u - back(y, B)
        v = np.minimum(np.maximum(W, floor[todo]), ceiling[todo])
        S = forth(v, B)
        up, down = y + S > hi, y + S < lo
        active = up | down
        target = np.where(up, hi, np.where(down, lo, 0.0))
        error = np.where(active, np.abs(S - target), np.maximum(np.abs(y), miss_each(S, lo, hi)))
        done = error.max(axis=1) <= ROW_TOLERANCE
        V[todo], missed[todo] = v, miss_each(S, lo, hi).max(axis=1)
        if done.any():
            todo, y, B = todo[~done], y[~done], B if shared else B[~done]
            if not len(todo):
                return V, missed
            W, S, active, target = W[~done], S[~done], active[~done], target[~done]
        free = ((W > floor[todo]) & (W < ceiling[todo])).astype(float)
        BF = B * free[:, None, :]
        K = np.matmul(BF, np.swapaxes(B, -1, -2))  # (m, R, R)
        K = np.where(active[:, :, None], K, 0.0)
        diagonal = np.einsum("mrr->mr", K)
        # a row that no free coordinate moves takes a plain step, until one comes free
        diagonal += np.where(active & (diagonal > 1e-3), 1e-10, np.where(active, 0.3, 1.0))
        change = np.where(active, S - target, -y)
        step = np.linalg.solve(K, change[:, :, None])[:, :, 0]
        if count < FULL_STEPS:
            y = y + step
        else:
            y = best_step(y, step, U[todo], B, low[todo], high[todo], floor[todo], ceiling[todo])
    if not patient:
        return V, missed
    V[todo], missed[todo] = alternate(
        U[todo], A if shared else A[todo], low[todo], high[todo], floor[todo], ceiling[todo]
    )
    return V, missed


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


def miss_each(S: Array, low: Array, high: Array) -> Array:  # (m, R)
    """By how much each row is missed."""
    return np.maximum(np.maximum(low - S, S - high), 0.0)


def miss(V: Array, A: Array, low: Array, high: Array) -> Array:  # -> (m,)
    """By how much the worst row of each point is missed."""
    return np.asarray(miss_each(forth(V, A), low, high).max(axis=1, initial=0.0))
