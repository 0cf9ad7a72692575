"""What `optimize` shows: a bar on a terminal or in a notebook, plain lines elsewhere, or nothing.

It goes to the standard error, so that what a script prints itself stays clean.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, TextIO, final

from pathmax.running.notebook_bar import NotebookBar, display, in_notebook
from pathmax.running.progress_base import Progress
from pathmax.trials.trial import Trial, TrialState
from pathmax.trials.wording import best_so_far, outcome

if TYPE_CHECKING:
    from rich.progress import Progress as RichBar

MOST_LINES = 100  # of a long run: every new best and every failure is said, the rest is thinned


def open_progress(wanted: bool, total: int | None, stream: TextIO | None = None) -> Progress:
    """The progress for this stream (the standard error, if none is given)."""
    if not wanted:
        return Silent()
    if stream is None and in_notebook():
        return NotebookBar(total, display())
    stream = sys.stderr if stream is None else stream
    return Bar(total, stream) if stream.isatty() else Lines(total, stream)


@final
class Silent(Progress):
    """Shows nothing."""

    def told(self, trial: Trial, best: Trial | None, remark: str = "") -> None:
        pass

    def close(self, sentence: str) -> None:
        pass


@final
class Lines(Progress):
    """One line a trial, for logs and pipes."""

    def __init__(self, total: int | None, stream: TextIO) -> None:
        self._total, self._stream = total, stream
        self._every = max(1, (total or 0) // MOST_LINES)
        self._count = 0
        self._best: Trial | None = None

    def told(self, trial: Trial, best: Trial | None, remark: str = "") -> None:
        self._count += 1
        improved = best is not None and (self._best is None or best.number != self._best.number)
        self._best = best
        failed = trial.state is TrialState.FAILED
        if not (improved or failed or remark or self._count % self._every == 0):
            return
        place = f"{self._count}/{self._total}" if self._total else f"{self._count}"
        parts = [f"[{place}] trial {trial.number}: {outcome(trial)}", best_so_far(best), remark]
        print("  ".join(part for part in parts if part), file=self._stream, flush=True)

    def close(self, sentence: str) -> None:
        print(sentence, file=self._stream, flush=True)


@final
class Bar(Progress):
    """A bar with the best value and trials per second."""

    def __init__(self, total: int | None, stream: TextIO) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichBar

        self._console = Console(file=stream)
        self._bar: RichBar = RichBar(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[speed]}"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[best]}", markup=False),
            TextColumn("{task.fields[failures]}", markup=False),
            TextColumn("{task.fields[remark]}", markup=False),
            console=self._console,
        )
        self._task = self._bar.add_task("", total=total, best="", speed="", failures="", remark="")
        self._started, self._count, self._failures = time.monotonic(), 0, 0
        self._bar.start()

    def told(self, trial: Trial, best: Trial | None, remark: str = "") -> None:
        self._count += 1
        self._failures += trial.state is TrialState.FAILED
        seconds = max(time.monotonic() - self._started, 1e-9)
        self._bar.update(
            self._task,
            advance=1,
            best=best_so_far(best),
            speed=f"{self._count / seconds:.2g} trials/s",
            failures=f"{self._failures} failed" if self._failures else "",
            remark=remark,
        )

    def close(self, sentence: str) -> None:
        self._bar.stop()
        self._console.print(sentence, markup=False, highlight=False)
