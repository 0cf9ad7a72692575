"""Figures: how the search went, what the model believes, and which settings go with good results.

Each function returns a matplotlib `Figure`, which shows itself in a notebook and has `savefig`, or
with backend="plotly" one of plotly. Either is imported when its first figure is drawn.
"""

from pathmax.plots.calibration import calibration
from pathmax.plots.front import front
from pathmax.plots.importances import importances
from pathmax.plots.outcome_figures import (
    outcome_overview,
    outcome_parallel,
    outcome_progress,
    outcome_slices,
)
from pathmax.plots.overview_figure import overview, parallel, progress, save, slices

__all__ = [
    "calibration",
    "front",
    "importances",
    "outcome_overview",
    "outcome_parallel",
    "outcome_progress",
    "outcome_slices",
    "overview",
    "parallel",
    "progress",
    "save",
    "slices",
]
