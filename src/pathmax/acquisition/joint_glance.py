"""Whether further paths see something better than what is known, as far as a glance can tell.

With one objective under constraints a path that has its best point where the best is known already
sends the next trial there again. Others are asked for something better (`joint_choice`), and most
see nothing: each is glanced at among GLANCES points, half of them about the best result, before its
best point is searched for. Outcomes are drawn and looked at one after another, the objective first,
and only at the points that still count, so that most glances need few of the paths.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pathmax.acquisition.surfaces.path_score import PathScore
from pathmax.arrays import Array

GLANCES = 1024  # points


def paths_beyond(
    draw: Callable[[str], PathScore],
    columns: Sequence[tuple[str, float]],
    least: Array,  # (k,)
    U: Array,  # (m, d)
) -> dict[str, PathScore] | None:
    """A path of every outcome, where some point has all of them above least; else None.

    draw      a path of the outcome of this name
    columns   the outcomes and their signs: what has to be above is sign times the path
    """
    paths: dict[str, PathScore] = {}
    values: dict[str, Array] = {}
    rows = np.arange(len(U))
    for (name, sign), low in zip(columns, least, strict=True):
        if name not in paths:
            paths[name] = draw(name)
            values[name] = np.full(len(U), np.nan)
        missing = rows[np.isnan(values[name][rows])]
        if len(missing):
            values[name][missing] = paths[name].approximate(U[missing])
        rows = rows[sign * values[name][rows] >= low]
        if not len(rows):
            return None
    return paths
