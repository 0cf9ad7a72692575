"""History: what is known when trial `number` is suggested, as arrays, and nothing else.

A suggestion is a function of its history, the settings and its number. Observations stand in the
order in which they were told, so that a new one comes last and the model of the one before can be
extended. Trials of a higher number are not part of a history: that is what makes a replay possible.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from pathmax.arrays import Array
from pathmax.trials.goals import VALUE
from pathmax.trials.info import Info
from pathmax.trials.trial import INTERRUPTED, Trial, TrialState


class Place(NamedTuple):
    """Where a trial is: its point, and its number in a pool or grid."""

    u: Array  # (d,)
    row: int | None = None


LocateTrial = Callable[[Trial], Place]


class Learnt(NamedTuple):
    """The model of an outcome that the newest suggestion used, and what was corrected by then."""

    model: Mapping[str, Any]
    corrected: list[int]


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Observations:
    """One outcome where it was measured: what its model is learnt from."""

    X: Array  # (n, d) in the order they were told
    values: Array  # (n,) in the user's units
    noises: Array  # (n,) variances in the user's units squared, NaN where not given
    rows: tuple[int, ...] = ()  # (n,) in a pool or grid
    learnt: Learnt | None = None
    corrected: tuple[int, ...] = ()

    @property
    def n(self) -> int:
        return len(self.values)


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class History:
    """Everything that was known before trial `number`, in coordinates u.

    A trial that was told without one of its outcomes has NaN there: it is still awaited.
    """

    number: int
    X: Array  # (n, d) told, in that order
    measured: Mapping[str, Array]  # of each outcome (n,), in the user's units
    noises: Mapping[str, Array]  # (n,) variances in the user's units squared, NaN where not given
    numbers: tuple[int, ...]  # (n,) the trials they came from
    pending: Array  # (p, d) running
    failed: Array  # (f, d)
    pending_numbers: tuple[int, ...]
    rows: tuple[int, ...]  # in a pool or grid: of told, failed and pending points
    learnt: Mapping[str, Learnt] = dataclasses.field(default_factory=dict)
    corrected: tuple[int, ...] = ()  # trials whose result was corrected, once for each time
    costs: Array = dataclasses.field(default_factory=lambda: np.empty(0))  # (n,) NaN where not told
    durations: Array = dataclasses.field(default_factory=lambda: np.empty(0))  # (n,) in seconds
    expected: tuple[int, ...] = ()  # of those told, trials stopped early: what their curves led to

    @property
    def taken(self) -> Array:  # (n + f + p, d)
        """Every point that should not be suggested again."""
        return np.concatenate([self.X, self.failed, self.pending])

    @property
    def n(self) -> int:
        """How many trials have a result."""
        return len(self.numbers)

    def of(self, outcome: str) -> Observations:
        """What is known of one outcome."""
        values, noises = self.measured[outcome], self.noises[outcome]
        learnt, rows, X = self.learnt.get(outcome), self.rows[: self.n], self.X
        there = ~np.isnan(values)
        if not there.all():
            X, values, noises = X[there], values[there], noises[there]
            rows = tuple(row for row, is_there in zip(rows, there, strict=False) if is_there)
        return Observations(X, values, noises, rows, learnt, self.corrected)

    def awaited(self, outcome: str) -> Array:  # -> (p, d)
        """Where the outcome is still to come: running trials, and told ones that lack it."""
        lacking = np.isnan(self.measured[outcome])
        return np.concatenate([self.X[lacking], self.pending]) if lacking.any() else self.pending


def read_history(
    trials: Iterable[Trial], locate: LocateTrial, dimension: int, outcomes: Sequence[str] = (VALUE,)
) -> History:
    """The history that these trials make: all of a study, or those before a trial.

    Results that have none of the outcomes, since other ones were wanted before, are no part of it.
    """
    trials = sorted(trials, key=attrgetter("number"))
    told, running, failed, ends = sorted_out(trials)
    told = [
        t for t in told if any(n in t.outcomes or n in ends.get(t.number, ()) for n in outcomes)
    ]
    told.sort(key=lambda trial: (trial.told_at or 0.0, trial.number))

    def points(chosen: list[Place]) -> Array:
        if not chosen:
            return np.empty((0, dimension))
        return np.concatenate([place.u for place in chosen]).reshape(-1, dimension)

    def column(found: list[float | None]) -> Array:
        return np.array(found, dtype=float)  # None becomes NaN

    def or_expected(name: str, which: int, known: list[float | None]) -> Array:
        """What came out or, for a stopped trial, what its curve led to expect: mean or variance."""
        values = column(known)
        for i, trial in enumerate(told) if ends else ():
            if name in ends.get(trial.number, {}):
                values[i] = ends[trial.number][name][which]
        return values

    places = [[locate(trial) for trial in some] for some in (told, failed, running)]
    return History(
        number=trials[-1].number + 1 if trials else 0,
        X=points(places[0]),
        measured={n: or_expected(n, 0, [t.outcomes.get(n) for t in told]) for n in outcomes},
        noises={n: or_expected(n, 1, [t.noise_of(n) for t in told]) for n in outcomes},
        numbers=tuple([trial.number for trial in told]),
        pending=points(places[2]),
        failed=points(places[1]),
        pending_numbers=tuple([trial.number for trial in running]),
        rows=tuple([place.row for some in places for place in some if place.row is not None]),
        learnt=newest_models((Info(t.info) for t in reversed(trials) if t.info), outcomes),
        corrected=tuple(t.number for t in trials if t.attributes for _ in t.earlier),
        costs=column([trial.cost for trial in told]),
        durations=column([trial.duration for trial in told]),
        expected=tuple([trial.number for trial in told if trial.number in ends]),
    )


def sorted_out(
    trials: Iterable[Trial],
) -> tuple[list[Trial], list[Trial], list[Trial], dict[int, dict[str, tuple[float, float]]]]:
    """Those with a result, running and failed, and what is expected of some that were stopped."""
    told, running, failed = list[Trial](), list[Trial](), list[Trial]()
    ends = {}
    for trial in trials:
        if trial.state is TrialState.COMPLETE:
            told.append(trial)
        elif trial.state is TrialState.RUNNING:
            running.append(trial)
        elif end := trial.expected_end:
            ends[trial.number] = end
            told.append(trial)
        # An interrupted trial says nothing about its point, which may be suggested again. Of a
        # stopped one without a curve to go by it is known that somebody gave it up: a failure.
        elif trial.error != INTERRUPTED:
            failed.append(trial)
    return told, running, failed, ends


def newest_models(infos: Iterable[Info], outcomes: Sequence[str]) -> dict[str, Learnt]:
    """For each outcome the model that was used last; `infos` with the newest first."""
    found: dict[str, Learnt] = {}
    for info in infos:
        models = info.models
        for name in outcomes:
            if name not in found and name in models:
                found[name] = Learnt(models[name], info.corrected)
        if len(found) == len(outcomes):
            break
    return found
