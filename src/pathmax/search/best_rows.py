"""The best rows that were seen so far, so that many can look for them and the first one wins.

Equal rows may differ by rounding, since BLAS does not sum all rows of a block in one order. Rows
that are equal to the best but for that are kept, and in the end the one with the least number is
taken: it does not matter who saw which rows, nor in which order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from pathmax.arrays import Array, Index
from pathmax.search.domains import Maximum

MOST_EQUAL = 256  # rows that are equal to the best and kept, the first ones


@final
@dataclass(frozen=True, eq=False)
class BestRows:
    """Rows with the largest values so far: their numbers, values and points."""

    rows: Index  # (k,)
    values: Array  # (k,)
    U: Array  # (k, d)

    @staticmethod
    def none(d: int) -> BestRows:
        return BestRows(np.empty(0, dtype=np.intp), np.empty(0), np.empty((0, d)))

    @property
    def best(self) -> float:
        """The largest value, minus infinity when nothing was seen."""
        return float(self.values.max(initial=-np.inf))

    @property
    def bar(self) -> float:
        """What a row has to reach to be kept."""
        return below(self.best)

    def add(self, rows: Index, values: Array, U: Array) -> BestRows:
        """With these rows seen too."""
        rows, values = np.concatenate([self.rows, rows]), np.concatenate([self.values, values])
        if not len(rows):
            return self
        kept = np.flatnonzero(values >= below(float(values.max())))
        if len(kept) > MOST_EQUAL:
            first = kept[np.argsort(rows[kept], kind="stable")[:MOST_EQUAL]]
            kept = np.unique(np.append(first, np.argmax(values)))
        return BestRows(rows[kept], values[kept], np.concatenate([self.U, U])[kept])

    def merge(self, other: BestRows) -> BestRows:
        """What both have seen."""
        return self.add(other.rows, other.values, other.U)

    def maximum(self) -> Maximum | None:
        """The first of the equally best rows; None when nothing was seen."""
        if not len(self.rows):
            return None
        equal = np.flatnonzero(self.values >= self.bar)
        i = int(equal[np.argmin(self.rows[equal])])
        return Maximum(self.U[i], self.best, int(self.rows[i]))


def below(best: float) -> float:
    """The least value that is equal to the best but for rounding."""
    return best - 1e-12 * abs(best) - float(np.finfo(float).tiny) if np.isfinite(best) else best
