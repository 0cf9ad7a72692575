"""Rows that cannot win, ruled out step by step by the std of the first of many data.

The std takes the square of the number of data for each row, and it only falls with more of them.
So that of the first 256, then of the first 1024, bounds what a row can come to, and the std of all
data is computed for the few rows that are left, the most promising first: what they come to rules
out others (benchmarks/many_results.md).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar, final

import numpy as np

from pathmax.arrays import Array, Index, Mask
from pathmax.gp import GaussianProcess, linalg
from pathmax.search.streams import in_chunks

STEPS = (256, 1024)  # data; at most half of all
SUM_ROUNDING = 1e-8  # of the prior variance: sums over the data are not wrong by more
FIRST = 256  # rows that are computed first, to know what others have to beat
Found = TypeVar("Found")


@final
@dataclass(frozen=True, eq=False)
class FirstData:
    """x -> at least the std of a process, by the first n of its data."""

    model: GaussianProcess
    n: int

    @cached_property
    def root(self) -> Array:  # (n, n)
        return linalg.inverse_lower(np.asfortranarray(self.model.cholesky[: self.n, : self.n])).T

    def __call__(self, U: Array) -> Array:  # (m, d) -> (m,)
        half = self.model.kernel(U, self.model.X[: self.n]) @ self.root
        variance = self.model.kernel.diagonal(U)
        left = np.maximum(variance - np.einsum("mn,mn->m", half, half), 0.0)
        return np.asarray(np.sqrt(left + SUM_ROUNDING * variance))


def steps_by(model: GaussianProcess) -> list[FirstData]:
    """The bounds that rows are ruled out by, the cheapest first; none where data are few."""
    return [FirstData(model, n) for n in STEPS if 2 * n <= model.n]


def add_contenders(
    found: Found,
    U: Array,  # (m, d)
    most: Array,  # (m,): at least the std of each row; lowered here
    steps: list[FirstData],
    *,
    promise: Callable[[Found, Index], Array],  # what rows come to at most
    may_win: Callable[[Found, Index], Mask],
    added: Callable[[Found, Index], Found],  # with rows whose std of all data is computed
) -> Found:
    """What was found, with all of these rows that may win added."""
    left = np.arange(len(U))
    for bound in (None, *steps):
        left = left[may_win(found, left)]
        if bound is not None and np.isfinite(promise(found, left)).any():
            most[left] = np.minimum(most[left], in_chunks(bound, U[left]))
        if len(left) > FIRST:
            first = np.argpartition(-promise(found, left), FIRST)[:FIRST]
            found = added(found, left[first][may_win(found, left[first])])
            left = np.delete(left, first)
    return added(found, left[may_win(found, left)])
