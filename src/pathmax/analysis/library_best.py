"""The probability of being best in a library: of the rows that some sample path peaks at.

All other rows have the probability 0, and no array has an entry for each of them. Those with the
best expected values are listed as well, so that there is something to choose from where all paths
peak at a few rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from pathmax.acquisition.surfaces.crude_moments import CrudeMoments
from pathmax.arrays import Array, Index
from pathmax.gp import GaussianProcess
from pathmax.gp.blas_threads import small_blas
from pathmax.search.row_sources import BlockLike, RowSource
from pathmax.search.streams import in_chunks

EXPECTED_AT_ONCE = 100  # rows with the best expected values that are listed


@final
@dataclass(frozen=True, eq=False)
class BestMeans:
    """Look for the rows with the largest posterior means."""

    model: GaussianProcess
    most: int = EXPECTED_AT_ONCE

    def start(self) -> tuple[Index, Array]:
        return np.empty(0, dtype=np.intp), np.empty(0)

    def take(self, block: BlockLike, found: tuple[Index, Array]) -> tuple[Index, Array]:
        with small_blas(0):
            mean = in_chunks(CrudeMoments(self.model).mean, block.U)
        return self.merge([found, (block.numbers, mean)])

    def merge(self, found: list[tuple[Index, Array]]) -> tuple[Index, Array]:
        rows, means = (np.concatenate(part) for part in zip(*found, strict=True))
        kept = np.lexsort((rows, -means))[: self.most]
        return rows[kept], means[kept]


def listed_rows(source: RowSource, model: GaussianProcess, tops: Index) -> Index:
    """The rows that a ranking lists: tops of paths, and those with the best expected values."""
    means = source.run(BestMeans(model))[0]
    return np.union1d(tops, means)
