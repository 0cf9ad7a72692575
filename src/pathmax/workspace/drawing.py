"""Figures of an open study, with its own names and units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pathmax.analysis.figures import KINDS, Names
from pathmax.workspace.opened_study import Opened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["KINDS", "draw"]


def draw(opened: Opened, kind: str = "overview", outcome: str | None = None) -> Figure:
    """The figure of that kind: one of `KINDS`.

    outcome: whose importances or calibration; of the first objective when left out.
    """
    names = Names(opened.layout.labelled, opened.objective)
    return opened.study.plot(kind, outcome=outcome, names=names)
