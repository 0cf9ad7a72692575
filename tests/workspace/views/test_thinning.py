"""Fewer points of a chart lose no peak."""

import numpy as np

from pathmax.workspace.views.thinning import evenly, extremes


def test_no_peak_is_lost_when_points_are_thinned(rng: np.random.Generator) -> None:
    values = rng.normal(size=50_000)
    values[31_415] = 99.0
    kept = extremes(values)
    assert len(kept) <= 1200 and 31_415 in kept and int(values.argmin()) in kept
    assert (np.diff(kept) > 0).all()
    assert 7 in evenly(10_000, 100, keep=[7]) and len(evenly(10, 100)) == 10
