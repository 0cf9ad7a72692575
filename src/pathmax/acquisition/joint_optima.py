"""What joint sample paths promise in a domain: their front, or their highest feasible point.

Pools and grids: every row is looked at (`targets`). Boxes and mixed spaces: a search
(`front_search`), or with several objectives some points (`front_looks`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pathmax.acquisition.front_looks import front_looks, targets_on_looks
from pathmax.acquisition.front_search import FrontSearch
from pathmax.acquisition.path_columns import JointPaths
from pathmax.acquisition.stream_targets import targets_in_stream
from pathmax.acquisition.targets import Targets, targets_among
from pathmax.arrays import Array, Index
from pathmax.errors import ModelError
from pathmax.search.domains import Domain, FiniteDomain
from pathmax.search.rows import ROWS_AT_ONCE, each_chunk
from pathmax.search.scores import Score


def promise(
    objectives: Sequence[Score],
    constraints: Sequence[Score],
    domain: Domain,
    data: Array,  # (n, d)
    rng: np.random.Generator,
    *,
    bounds: Array | None = None,  # (J,), 0 by default
    reference: Array | None = None,  # (K,)
    scales: Array | None = None,  # (d,)
    effort: float = 1.0,
    looks: int = 0,
    best: Array | None = None,  # (b, d)
) -> Targets:
    """The targets that one path of every outcome sets, over the whole domain.

    Args:
        objectives: A path of each objective, larger is better.
        constraints: A path of each constraint, which is satisfied where it is at least its bound.
        domain: Where; what is excluded takes part.
        data: The points that were evaluated.
        rng: Where to look, and which point of the front when there are no data.
        bounds: Of the constraints.
        reference: A user's reference point: the gap is then a hypervolume.
        scales: The distance over which the paths vary along each coordinate.
        effort: Multiplies looks and starts.
        looks: With several objectives, where there are real coordinates, the targets are those
            among so many points and the data, unless the paths are feasible at none of them; 0
            searches the whole domain.
        best: The best results so far, about which a quarter of these points are.
    """
    paths = JointPaths([*objectives, *constraints])
    bounds = np.zeros(len(constraints)) if bounds is None else np.asarray(bounds, dtype=float)
    if len(bounds) != len(constraints) or not objectives:
        raise ModelError(
            "targets need an objective and a bound for every constraint, got "
            f"{len(objectives)} objectives, {len(constraints)} constraints, {len(bounds)} bounds"
        )
    domain = domain.whole()
    at_data = paths(data) if len(data) else np.empty((0, len(paths)))
    if (source := domain.row_source) is not None:
        return targets_in_stream(paths, source, at_data, bounds, rng, reference)
    if (rows := domain.rows()) is not None:
        values = values_on_rows(paths, rows)
        found = targets_among(values, rows.points, at_data, bounds, rng, reference=reference)
        return found if rows is domain else replace(found, index=None, rows=None)
    scales = np.full(domain.dimension, 0.3) if scales is None else scales
    if looks and len(objectives) > 1:
        some = np.empty((0, domain.dimension)) if best is None else best
        first, more = looks - looks // 2, looks // 2
        U = front_looks(domain, some, first, scales, rng)
        among = targets_on_looks(
            paths, U, data, at_data, bounds, rng, reference, domain=domain, more=more
        )
        if among is not None:
            return among
    search = FrontSearch(paths, domain, data, at_data, rng, bounds, reference, scales, effort)
    return search.run()


def values_on_rows(paths: JointPaths, domain: FiniteDomain) -> Array:  # -> (N, k)
    """All paths at every row, a chunk at a time."""
    values = np.empty((domain.cardinality, len(paths)))

    def work(rows: Index) -> None:
        values[rows] = paths(domain.points(rows))

    each_chunk(work, domain.cardinality, ROWS_AT_ONCE)
    return values
