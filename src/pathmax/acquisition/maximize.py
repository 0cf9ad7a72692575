"""Find the point of a domain where a score is largest.

On the cube: look at many points cheaply, then climb from the best of them (`quasi_newton`).
"""

from __future__ import annotations

import numpy as np

from pathmax.acquisition import screening
from pathmax.acquisition.domain import Box, Domain, Mixed
from pathmax.acquisition.maximum import Maximum
from pathmax.acquisition.mixed import maximize_mixed
from pathmax.acquisition.pools import maximize_rows
from pathmax.acquisition.quasi_newton import ascend
from pathmax.acquisition.rules import Score
from pathmax.gp.linalg import Array


def maximize(
    score: Score,
    domain: Domain,
    rng: np.random.Generator,
    *,
    hints: Array | None = None,
    scales: Array | None = None,
    effort: float = 1.0,
) -> Maximum:
    """The best point of `domain` under `score`.

    hints   (k, d) points worth a look: the data, the optimum of a related score
    scales  (d,) distance over which the score varies along each coordinate
    effort  multiplies the looks and the starts of a search
    """
    hints = np.empty((0, domain.dimension)) if hints is None else hints
    scales = np.full(domain.dimension, 0.3) if scales is None else scales
    if isinstance(domain, Mixed) and any(axis.values is not None for axis in domain.axes):
        return maximize_mixed(score, domain, rng, hints=hints, scales=scales, effort=effort)
    if isinstance(domain, Box | Mixed):
        box = Box(domain.dimension)
        return maximize_box(score, box, rng, hints=hints, scales=scales, effort=effort)
    return maximize_rows(score, domain)


def maximize_box(
    score: Score,
    box: Box,
    rng: np.random.Generator,
    *,
    hints: Array,
    scales: Array,
    effort: float,
    looks=None,
    starts=None,
) -> Maximum:
    d = box.dimension
    looks = int(effort * (512 if looks is None else looks))
    n_starts = max(1, round(effort * (8 if starts is None else starts)))
    look = getattr(score, "approximate", score)
    U = np.concatenate([screening.cube_points(looks, d, rng), hints])
    values = look(U)
    best = screening.pick_apart(U, values, n_starts, scales)
    near = screening.scatter(U[best], looks // 2, scales, rng)
    spread = float(np.max(values) - np.median(values))
    U = np.concatenate([U[best], near])
    values = np.concatenate([values[best], look(near)])
    top = screening.pick_apart(U, values, n_starts, scales)
    tolerance = 1e-6 * spread
    ascent = ascend(score, U[top], scales=scales, tolerance=max(tolerance, 1e-300))
    i = int(np.argmax(ascent.values))
    return Maximum(ascent.U[i], float(ascent.values[i]))
