"""The progress of a run in a notebook: one line of HTML that is rewritten in place.

A notebook is no terminal: a bar of text would fill it with lines. Jupyter's display protocol can
replace what a cell has shown, and needs nothing that a notebook does not have.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, final

from pathmax.running.progress_base import Progress
from pathmax.trials import html
from pathmax.trials.trial import Trial, TrialState
from pathmax.trials.wording import best_so_far

KERNEL = "ZMQInteractiveShell"  # what runs the cells of a notebook; a terminal has another

ShowHtml = Callable[[str], None]


def in_notebook() -> bool:
    """Whether this code runs in a cell of a notebook."""
    ipython = sys.modules.get("IPython")
    if ipython is None:
        return False
    return type(ipython.get_ipython()).__name__ == KERNEL


def display() -> ShowHtml:
    """A function that shows some HTML in place of what it showed before."""
    module: Any = import_module("IPython.display")
    handle = module.DisplayHandle()
    shown = False

    def show(markup: str) -> None:
        nonlocal shown
        (handle.update if shown else handle.display)(module.HTML(markup))
        shown = True

    return show


@final
class NotebookBar(Progress):
    """A bar with the best value."""

    def __init__(self, total: int | None, show: ShowHtml) -> None:
        self._total, self._show = total, show
        self._count, self._failures = 0, 0
        self._draw("")

    def told(self, trial: Trial, best: Trial | None, remark: str = "") -> None:
        self._count += 1
        self._failures += trial.state is TrialState.FAILED
        failures = f"{self._failures} failed" if self._failures else ""
        self._draw("  ".join(part for part in (best_so_far(best), failures, remark) if part))

    def close(self, sentence: str) -> None:
        self._draw(sentence)

    def _draw(self, words: str) -> None:
        count = f"{self._count}/{self._total}" if self._total else f"{self._count}"
        share = self._count / self._total if self._total else 0.0
        self._show(f"<div>{html.bar(share)} {count} &nbsp; {html.text(words)}</div>")
