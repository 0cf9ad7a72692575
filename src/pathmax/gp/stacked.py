"""Several posterior means or sample paths that have seen the same points, evaluated as one.

    mean_b(x) + k_b(x, X) v_b       b = 1..B, each with parameters of its own (`Shift`)

With a few dozen results a matrix between them and the points of a search has some thousand cells:
the time goes into the calls of NumPy, about thirty for each outcome. Here the matrices of all
outcomes are one array (B, m, n), and the calls are as many as for one.

What stacks is what studies have unless they say otherwise: one kind of smooth stationary kernel on
the same coordinates, the same points, and no more of them than the calls are worth.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import final

import numpy as np

from pathmax.arrays import Array
from pathmax.gp.kernels.stationary import FARTHEST, LONG_DISTANCE, Stationary
from pathmax.gp.prior_mean import centred
from pathmax.gp.update import LARGEST_WEIGHT, Shift

MOST_STACKED = 300  # results; with more of them the arithmetic takes the time


def alike(shifts: Sequence[Shift]) -> list[list[int]]:
    """The numbers of those that stack, together; each of the others alone."""
    groups: dict[Hashable, list[int]] = {}
    for i, shift in enumerate(shifts):
        groups.setdefault(_kind(shift) or i, []).append(i)
    return list(groups.values())


def _kind(shift: Shift) -> Hashable | None:
    """What functions that stack have in common; None for one that stacks with none."""
    update, bowl = shift.update, shift.mean.bowl
    kernel = update.kernel
    if not (isinstance(kernel, Stationary) and kernel.smooth and 0 < update.n <= MOST_STACKED):
        return None
    if kernel._learnt() != ("lengthscale",) or shift.mean.trend is not None or update.v.ndim > 1:
        return None
    if not np.abs(update.v).max(initial=0.0) < LARGEST_WEIGHT / update.unit:
        return None
    return type(kernel), kernel.on, None if bowl is None else bowl.on, update.reach.X.tobytes()


@final
class StackedLink:
    """The matrices of all kernels between U (m, d) and the data, ready to be differentiated."""

    def __init__(self, stacked: StackedShift, U: Array) -> None:
        self.stacked, self.U = stacked, U
        columns = U if stacked.on is None else U[:, stacked.on]
        self.x = columns / stacked.scales - stacked.centres  # (B, m, k)
        self.s = stacked.squared_distances(self.x)
        self._correlation, self._memo = stacked.kernel.profile(self.s)
        self.value = stacked.outputscales * self._correlation  # (B, m, n)

    def pull(self, W: Array) -> Array:  # (B, m, n) or (B, 1, n) -> (B, m, d)
        """sum_j W_bij dk_b(x_i, z_j)/dx_i."""
        stacked = self.stacked
        A = stacked.kernel.slope(self.s, self._correlation, self._memo)
        A *= stacked.outputscales
        A *= W
        pulled: Array = A.sum(axis=2)[:, :, None] * self.x
        pulled -= A @ stacked.z
        pulled *= 2.0 / stacked.scales
        if stacked.on is None:
            return pulled
        whole = np.zeros((len(pulled), *self.U.shape))
        whole[:, :, stacked.on] = pulled
        return whole


@final
class StackedShift:
    """x -> sign_b (mean_b(x) + k_b(x, X) v_b) for all b, which are `alike`."""

    def __init__(self, shifts: Sequence[Shift], signs: Sequence[float]) -> None:
        updates = [shift.update for shift in shifts]
        kernels = [update.kernel for update in updates]
        kernel = kernels[0]
        assert isinstance(kernel, Stationary), "`alike` has looked"
        X = updates[0].reach.X
        self.kernel, self.size, self.n = kernel, len(shifts), len(X)
        whole = kernel.on is None or kernel.on == tuple(range(X.shape[1]))
        self.on = None if whole or kernel.on is None else list(kernel.on)
        columns = X if self.on is None else X[:, self.on]
        scales = [np.broadcast_to(one.length_scales(X.shape[1]), X.shape[1]) for one in kernels]
        self.scales = np.stack(scales)[:, None, :]  # (B, 1, d)
        if self.on is not None:
            self.scales = self.scales[:, :, self.on]
        self.outputscales = np.array([one.outputscale for one in kernels])[:, None, None]
        z = columns / self.scales
        self.centres = z.mean(axis=1, keepdims=True)  # small numbers lose less to cancellation
        self.z = z - self.centres  # (B, n, k)
        self._squares = np.einsum("bnk,bnk->bn", self.z, self.z)[:, None, :]
        self._minus_twice = np.ascontiguousarray(-2.0 * self.z.transpose(0, 2, 1))
        self._far = not self._squares.max() <= LONG_DISTANCE
        sign = np.asarray(signs, dtype=float)
        self.v = sign[:, None] * np.stack([one.unit * one.v for one in updates])  # (B, n)
        self.constants = sign * np.array([shift.mean.constant for shift in shifts])
        bowls = [shift.mean.bowl for shift in shifts]
        self.depths = sign * np.array([0.0 if bowl is None else bowl.depth for bowl in bowls])
        self.rim = next((bowl.on for bowl in bowls if bowl is not None), None)

    def link(self, U: Array) -> StackedLink:
        """The kernel matrices at U (m, d)."""
        return StackedLink(self, U)

    def squared_distances(self, x: Array) -> Array:  # (B, m, k) -> (B, m, n)
        """|x - z|^2, by a product of matrices unless its rounding would matter."""
        squares = np.einsum("bmk,bmk->bm", x, x)[:, :, None]
        if self._far or not squares.max(initial=0.0) <= LONG_DISTANCE:
            far = np.zeros((self.size, x.shape[1], self.n))
            with np.errstate(over="ignore"):
                for k in range(x.shape[2]):
                    far += np.square(x[:, :, k, None] - self.z[:, None, :, k])
            return np.minimum(far, FARTHEST, out=far)
        s: Array = np.matmul(x, self._minus_twice)
        s += squares
        s += self._squares
        return np.maximum(s, 0.0, out=s)

    def values(self, link: StackedLink) -> Array:  # -> (m, B)
        """The values where the link is."""
        moved: Array = np.matmul(link.value, self.v[:, :, None])[:, :, 0].T
        moved += self.constants
        if self.rim is not None:
            z = centred(link.U, self.rim)
            moved -= np.einsum("ik,ik->i", z, z)[:, None] / len(self.rim) * self.depths
        return moved

    def gradients(self, link: StackedLink) -> Array:  # -> (B, m, d)
        """The gradients where the link is."""
        pulled = link.pull(self.v[:, None, :])
        if self.rim is not None:
            pulled += self.depths[:, None, None] * self.bowl_slope(link.U)
        return pulled

    def bowl_slope(self, U: Array) -> Array:  # (m, d) -> (m, d)
        """The gradient of a bowl of depth 1."""
        slope = np.zeros_like(U)
        if self.rim is not None:
            slope[:, list(self.rim)] = -4.0 / len(self.rim) * centred(U, self.rim)
        return slope
