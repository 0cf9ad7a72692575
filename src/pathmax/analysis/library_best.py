"""The probability of being best in a library: of the rows that some sample path peaks at.

All other rows have the probability 0, and no array has an entry for each of them. Those with the
best expected values are listed as well, so that there is something to choose from where all paths
peak at a few rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from pathmax.acquisition.surfaces.crude_moments import CrudeMoments
from pathmax.analysis.path_maxima import Scene
from pathmax.arrays import Array, Index
from pathmax.gp import GaussianProcess
from pathmax.gp.blas_threads import small_blas
from pathmax.search.streams import BlockLike, Stream, in_chunks
from pathmax.session.session import Session
from pathmax.space.candidates import Candidates
from pathmax.suggestion.available_points import everything

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


def listed_rows(domain: Stream, model: GaussianProcess, tops: Index) -> Index:
    """The rows that a ranking lists: tops of paths, and those with the best expected values."""
    means = domain.source.run(BestMeans(model))[0]
    return np.union1d(tops, means)


def ranked_in_library(
    session: Session, scene: Scene, domain: Stream, tops: Index
) -> dict[str, Any]:
    """What a `Ranking` has, of the rows that it lists."""
    space, history = session.problem.space, session.history()
    assert isinstance(space, Candidates)
    rows = listed_rows(domain, scene.surface.model, tops)
    numbers = everything(space).numbers(history.rows[: history.n])
    mean, std = scene.predict(domain.points(rows))
    found, count = np.unique(tops, return_counts=True)
    probability = np.zeros(len(rows))
    probability[np.searchsorted(rows, found)] = count / len(tops)
    return {
        "probability": probability,
        "mean": scene.transform.outward(mean),
        "std": scene.transform.spread(mean, std),
        "tried": np.isin(rows, numbers),
        "n_paths": len(tops),
        "exact": scene.exact,
        "params": lambda i: space.params(int(rows[i])),
        "sign": scene.transform.sign,
        "total": domain.cardinality,
    }
