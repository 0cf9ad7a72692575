"""History: what is known when trial `number` is suggested, as arrays, and nothing else.

A suggestion is a function of its history, the settings and its number. Observations stand in the
order in which they were told, so that a new one comes last and the model of the one before can be
extended. Trials of a higher number are not part of a history: that is what makes a replay possible.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from pathmax.arrays import Array
from pathmax.trials.trial import INTERRUPTED, Trial, TrialState


class Place(NamedTuple):
    """Where a trial is: its point, and its number in a pool or grid."""

    u: Array  # (d,)
    row: int | None = None


Locate = Callable[[Trial], Place]


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class History:
    """Everything that was known before trial `number`, in coordinates u."""

    number: int
    X: Array  # (n, d) observed, in the order they were told
    values: Array  # (n,) in the user's units
    noises: Array  # (n,) variances in the user's units squared, NaN where not given
    numbers: tuple[int, ...]  # (n,) the trials they came from
    pending: Array  # (p, d) running
    failed: Array  # (f, d)
    pending_numbers: tuple[int, ...]
    rows: tuple[int, ...]  # in a pool or grid: of observed, failed and pending points
    last_info: Mapping[str, Any] | None  # of the newest suggestion that came from a model
    corrected: tuple[int, ...] = ()  # trials whose value was corrected, once for each time

    @property
    def taken(self) -> Array:  # (n + f + p, d)
        """Every point that should not be suggested again."""
        return np.concatenate([self.X, self.failed, self.pending])

    @property
    def n(self) -> int:
        """How many observations there are."""
        return len(self.values)


def read(trials: Iterable[Trial], locate: Locate, dimension: int) -> History:
    """The history that these trials make: all of a study, or those before a trial."""
    trials = sorted(trials, key=lambda trial: trial.number)
    told = [trial for trial in trials if trial.state is TrialState.COMPLETE]
    told.sort(key=lambda trial: (trial.told_at or 0.0, trial.number))
    running = [trial for trial in trials if trial.state is TrialState.RUNNING]
    # An interrupted trial says nothing about its point, which may be suggested again.
    failed = [t for t in trials if t.state is TrialState.FAILED and t.error != INTERRUPTED]
    modelled = (trial.info for trial in reversed(trials) if "kernel" in trial.info)

    def points(chosen: list[Trial]) -> Array:
        return np.array([locate(trial).u for trial in chosen]).reshape(-1, dimension)

    rows = (locate(trial).row for trial in (*told, *failed, *running))
    return History(
        number=trials[-1].number + 1 if trials else 0,
        X=points(told),
        values=np.array([trial.outcomes["value"] for trial in told], dtype=float),
        noises=np.array([np.nan if t.noise is None else t.noise for t in told], dtype=float),
        numbers=tuple(trial.number for trial in told),
        pending=points(running),
        failed=points(failed),
        pending_numbers=tuple(trial.number for trial in running),
        rows=tuple(row for row in rows if row is not None),
        last_info=next(modelled, None),
        corrected=tuple(trial.number for trial in trials for _ in trial.earlier),
    )
