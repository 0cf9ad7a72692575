"""Figures of an open study, with its own names and units."""

from __future__ import annotations

import os
from typing import Any

from pathmax.analysis.figures import FIGURE_KINDS, Names, backend_for
from pathmax.workspace.opened_study import Opened

__all__ = ["FIGURE_KINDS", "draw"]


def draw(
    opened: Opened,
    kind: str = "overview",
    outcome: str | None = None,
    path: str | os.PathLike[str] | None = None,
) -> Any:
    """The figure of that kind: one of `FIGURE_KINDS`.

    outcome: whose importances or calibration; of the first objective when left out.
    path: the file it is for; one that ends in .html is a page to point at.
    """
    names = Names(opened.layout.labelled, opened.objective)
    backend = backend_for(path, None)
    return opened.study.plot(kind, outcome=outcome, names=names, backend=backend)
