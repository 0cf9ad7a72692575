"""Find the point of a domain where a score is largest."""

from __future__ import annotations

import math

import numpy as np

from pathmax.arrays import Array
from pathmax.search.domains import Domain, Maximum, Task
from pathmax.search.scores import Score


def maximize(
    score: Score,
    domain: Domain,
    rng: np.random.Generator,
    *,
    hints: Array | None = None,
    scales: Array | None = None,
    starts: int = 24,
    effort: float = 1.0,
    looks: Array | None = None,
    enough: float = math.inf,
) -> Maximum:
    """The best point of `domain` under `score`.

    Args:
        score: What to maximise: see `Score`.
        domain: Where.
        rng: Draws the points that are looked at.
        hints: Points (k, d) worth a look: the data, the optimum of a related score.
        scales: The distance (d,) over which the score varies along each coordinate.
        starts: How many ascents begin, at most; where there are lists of values, 16 at most.
        effort: Multiplies looks and starts.
        looks: Points (k, d) of a box or a region from the best of which ascents begin at once, in
            place of points that are spread over it and then about the best of those.
        enough: A value above which the search ends where it is, for who needs to know no more.
    """
    hints = np.empty((0, domain.dimension)) if hints is None else hints
    scales = np.full(domain.dimension, 0.3) if scales is None else scales
    return domain.search(Task(score, rng, hints, scales, starts, effort, looks, enough))
