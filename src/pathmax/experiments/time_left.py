"""How far a reproduction is, and how long it will take.

Runs differ a hundredfold in length, so the time left counts seconds of computing, not runs: those
of a setting and method that has finished before cost what they cost then, the others what the plan
expects, scaled by how wrong the plan was so far. The clock on the wall says what a second of
computing takes, with all the workers and whatever else the machine has to do.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TextIO, final

from pathmax.experiments.plan import PlannedRun
from pathmax.experiments.trace import Trace

if TYPE_CHECKING:
    from rich.progress import Progress as RichBar

RunKind = tuple[str, str]  # setting and method
Clock = Callable[[], float]

LINE_EVERY = 5.0  # seconds between plain lines


@final
class Estimate:
    """The time left, in seconds."""

    def __init__(
        self, runs: Sequence[PlannedRun], workers: int, clock: Clock = time.monotonic
    ) -> None:
        self._left: dict[RunKind, int] = defaultdict(int)
        self._planned: dict[RunKind, float] = {}
        self._spent: dict[RunKind, list[float]] = defaultdict(list)
        self._workers, self._clock, self._started = workers, clock, clock()
        for run in runs:
            self._left[_kind(run)] += 1
            self._planned[_kind(run)] = planned_seconds(run)

    def finished(self, run: PlannedRun, seconds: float) -> None:
        self._left[_kind(run)] -= 1
        self._spent[_kind(run)].append(seconds)

    @property
    def seconds(self) -> float:
        spent = sum(sum(seconds) for seconds in self._spent.values())
        if not spent:
            return self._computing(1.0) / self._workers
        expected = sum(self._planned[kind] * len(s) for kind, s in self._spent.items())
        return self._computing(spent / expected) * (self._clock() - self._started) / spent

    def _computing(self, wrong_by: float) -> float:
        """Seconds of computing left, when the plan is wrong by that factor."""
        total = 0.0
        for kind, n in self._left.items():
            known = self._spent.get(kind)
            total += n * (sum(known) / len(known) if known else wrong_by * self._planned[kind])
        return total


# Seconds of a method beside those of PIMS, on one grid: MES and JES draw ten paths where it
# draws one.
RELATIVE_COST = {"mes": 5.0, "jes": 10.0, "random": 0.05}


def planned_seconds(run: PlannedRun) -> float:
    """What a run is expected to take before any has been seen."""
    share = run.iterations / run.setting.iterations
    return float(run.setting.cost * RELATIVE_COST.get(run.method.of_study, 1.0) * share**1.5)


def _kind(run: PlannedRun) -> RunKind:
    return run.setting.name, run.method.name


class RunLines:
    """A line now and then, for logs and pipes."""

    def __init__(self, runs: Sequence[PlannedRun], workers: int, stream: TextIO) -> None:
        self._estimate, self._total, self._stream = Estimate(runs, workers), len(runs), stream
        self._done, self._last = 0, float("-inf")

    def finished(self, run: PlannedRun, trace: Trace) -> None:
        self._done += 1
        self._estimate.finished(run, trace.seconds)
        now = time.monotonic()
        if now - self._last >= LINE_EVERY or self._done == self._total:
            self._last = now
            left = clock(self._estimate.seconds)
            line = f"[{self._done}/{self._total}] {run.label}: {trace.seconds:.1f} s, {left} left"
            print(line, file=self._stream, flush=True)

    def __enter__(self) -> RunLines:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class RunBar:
    """A live bar with the time left."""

    def __init__(self, runs: Sequence[PlannedRun], workers: int, stream: TextIO) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as RichBar

        self._estimate = Estimate(runs, workers)
        self._bar: RichBar = RichBar(
            TextColumn("runs"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]} left"),
            TextColumn("{task.fields[last]}", style="dim"),
            console=Console(file=stream),
        )
        left = f"about {clock(self._estimate.seconds)}"
        self._task = self._bar.add_task("", total=len(runs), left=left, last="")

    def finished(self, run: PlannedRun, trace: Trace) -> None:
        self._estimate.finished(run, trace.seconds)
        left = clock(self._estimate.seconds)
        self._bar.update(self._task, advance=1, left=left, last=run.label)

    def __enter__(self) -> RunBar:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()


def open_progress(runs: Sequence[PlannedRun], workers: int, stream: TextIO) -> RunBar | RunLines:
    """A bar on a terminal, plain lines elsewhere."""
    return RunBar(runs, workers, stream) if stream.isatty() else RunLines(runs, workers, stream)


def clock(seconds: float) -> str:
    """3:07, or 2:03:07 when it is hours."""
    whole = round(seconds)
    hours, minutes = divmod(whole // 60, 60)
    if hours:
        return f"{hours}:{minutes:02d}:{whole % 60:02d}"
    return f"{minutes}:{whole % 60:02d}"
