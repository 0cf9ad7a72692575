"""Inverse Hessians of many ascents in many dimensions, kept as the updates that they are made of.

    H = D + sum_j w_j (a_j b_j' + b_j a_j')       D diagonal; one of each for every start

An ascent takes a dozen rounds or two, each of which adds one term. Up to as many terms as there are
dimensions this is the same H in less memory, and a product with it takes less time than with a
matrix of d x d numbers (benchmarks/searches.md).
"""

from __future__ import annotations

from typing import final

import numpy as np

from pathmax.arrays import Array, Mask

FIRST_ROOM = 8  # updates, for which there is room at first


@final
class UpdateSum:
    """H of S starts in d dimensions, zero at first."""

    def __init__(self, starts: int, d: int) -> None:
        self.diagonals = np.zeros((starts, d))
        self.weights = np.zeros((starts, 0))  # (S, k)
        self.pairs = np.zeros((starts, 2 * FIRST_ROOM, d))  # a_1, b_1, a_2, b_2, ...

    def restart(self, which: Mask, diagonals: Array) -> None:  # (S,), (S, d)
        """Set H of some starts to a diagonal."""
        self.diagonals[which] = diagonals[which]
        self.weights[which] = self.pairs[which] = 0.0  # what was no number leaves no trace

    def add_outer_products(self, a: Array, b: Array) -> None:  # (S, d), (S, d)
        """H += a b' + b a' of each start."""
        k = self.weights.shape[1]
        if 2 * k == self.pairs.shape[1]:
            self.pairs = np.concatenate([self.pairs, np.zeros_like(self.pairs)], axis=1)
        self.pairs[:, 2 * k], self.pairs[:, 2 * k + 1] = a, b
        self.weights = np.concatenate([self.weights, np.ones((len(a), 1))], axis=1)

    def __imul__(self, factors: Array) -> UpdateSum:  # (S, 1, 1)
        self.diagonals *= factors[:, :, 0]
        self.weights *= factors[:, :, 0]
        return self

    def __matmul__(self, X: Array) -> Array:  # (S, d, 1) -> (S, d, 1)
        starts, k = self.weights.shape
        pairs = self.pairs[:, : 2 * k]
        along = np.matmul(pairs, X).reshape(starts, k, 2)
        swapped = along[:, :, ::-1] * self.weights[:, :, None]
        whole = np.matmul(swapped.reshape(starts, 1, 2 * k), pairs)
        whole += (self.diagonals * X[:, :, 0])[:, None, :]
        return np.asarray(whole.swapaxes(1, 2))

    def __getitem__(self, going: Mask) -> UpdateSum:  # (S,)
        """H of some of the starts."""
        some = UpdateSum(0, self.diagonals.shape[1])
        some.diagonals, some.weights = self.diagonals[going], self.weights[going]
        some.pairs = self.pairs[going]
        return some
