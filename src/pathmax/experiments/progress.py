"""How far a reproduction is, and how long it will take.

Runs differ a hundredfold in length, so the time left counts seconds, not runs: those of a setting
and method that has finished before cost what they cost then, the others what the plan expects,
scaled by how wrong the plan was so far.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TextIO, final

from pathmax.experiments.plan import Run
from pathmax.experiments.trace import Trace

if TYPE_CHECKING:
    from rich.progress import Progress as RichBar

Kind = tuple[str, str]  # setting and method

LINE_EVERY = 5.0  # seconds between plain lines


@final
class Estimate:
    """Seconds of work left, summed over runs."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self._left: dict[Kind, int] = defaultdict(int)
        self._planned: dict[Kind, float] = {}
        self._spent: dict[Kind, list[float]] = defaultdict(list)
        for run in runs:
            self._left[_kind(run)] += 1
            self._planned[_kind(run)] = planned_seconds(run)

    def finished(self, run: Run, seconds: float) -> None:
        self._left[_kind(run)] -= 1
        self._spent[_kind(run)].append(seconds)

    @property
    def seconds(self) -> float:
        spent = sum(sum(seconds) for seconds in self._spent.values())
        expected = sum(self._planned[kind] * len(s) for kind, s in self._spent.items())
        wrong_by = spent / expected if expected else 1.0
        return sum(
            n * (sum(s) / len(s) if (s := self._spent.get(kind)) else wrong_by * planned)
            for (kind, n), planned in zip(self._left.items(), self._planned.values(), strict=True)
        )


# Seconds of a method beside those of PIMS, on one grid: MES and JES draw ten paths where it
# draws one.
RELATIVE_COST = {"mes": 4.0, "jes": 8.0, "ts": 1.0, "random": 0.05}


def planned_seconds(run: Run) -> float:
    """What a run is expected to take before any has been seen."""
    share = run.iterations / run.setting.iterations
    return float(run.setting.cost * RELATIVE_COST.get(run.method.of_study, 1.0) * share**1.5)


def _kind(run: Run) -> Kind:
    return run.setting.name, run.method.name


class Lines:
    """A line now and then, for logs and pipes."""

    def __init__(self, runs: Sequence[Run], workers: int, stream: TextIO) -> None:
        self.estimate, self.workers, self.total = Estimate(runs), workers, len(runs)
        self.done, self._stream, self._last = 0, stream, float("-inf")
        self._clock: Callable[[], float] = time.monotonic

    def finished(self, run: Run, trace: Trace) -> None:
        self.done += 1
        self.estimate.finished(run, trace.seconds)
        now = self._clock()
        if now - self._last >= LINE_EVERY or self.done == self.total:
            self._last = now
            left = clock(self.estimate.seconds / self.workers)
            line = f"[{self.done}/{self.total}] {run.label}: {trace.seconds:.1f} s, {left} left"
            print(line, file=self._stream, flush=True)

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class Bar:
    """A live bar with the time left."""

    def __init__(self, runs: Sequence[Run], workers: int, stream: TextIO) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as RichBar

        self.estimate, self.workers = Estimate(runs), workers
        self._bar: RichBar = RichBar(
            TextColumn("runs"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]} left"),
            TextColumn("{task.fields[last]}", style="dim"),
            console=Console(file=stream),
        )
        left = clock(self.estimate.seconds / workers)
        self._task = self._bar.add_task("", total=len(runs), left=f"about {left}", last="")

    def finished(self, run: Run, trace: Trace) -> None:
        self.estimate.finished(run, trace.seconds)
        left = clock(self.estimate.seconds / self.workers)
        self._bar.update(self._task, advance=1, left=left, last=run.label)

    def __enter__(self) -> Bar:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()


def open_progress(runs: Sequence[Run], workers: int, stream: TextIO) -> Bar | Lines:
    """A bar on a terminal, plain lines elsewhere."""
    return Bar(runs, workers, stream) if stream.isatty() else Lines(runs, workers, stream)


def clock(seconds: float) -> str:
    """3:07, or 2:03:07 when it is hours."""
    whole = round(seconds)
    hours, minutes = divmod(whole // 60, 60)
    if hours:
        return f"{hours}:{minutes:02d}:{whole % 60:02d}"
    return f"{minutes}:{whole % 60:02d}"
