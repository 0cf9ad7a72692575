"""The trials of an Optuna study as a history: all that a suggestion depends on.

    COMPLETE            an observation; if infinite, a failure
    FAIL                a failure: the point is avoided
    PRUNED              a failure too
    RUNNING, WAITING    pending, as far as the point is known

Why pruned trials are failures: a pruner stops a trial that does worse than others did at that step,
so that it would hardly have come out above the middle, which is what `suggestion.failed_points`
tells the model. The last intermediate value belongs to another step than the values that count, and
under some pruners is another quantity. Where it is too bad it does no harm; where it flatters, it
misleads (regrets in benchmarks/choices.md).

Constraints, from a `constraints_func` or from `trial.set_constraint`, are outcomes that must be at
most 0, and values of several objectives are an outcome each. What a complete trial lacks of them
is still to come.

A suggestion is kept with its trial as the system attribute "pathmax", with its params and what
explains it. So other workers know where a running trial is before its objective has asked for every
parameter, and whoever suggests next finds the hyper-parameters there, after a restart too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from optuna.distributions import BaseDistribution
from optuna.study import StudyDirection
from optuna.trial import FrozenTrial, TrialState

from pathmax.arrays import Array
from pathmax.errors import OutcomeError
from pathmax.integrations.optuna.distributions import SearchSpace
from pathmax.trials.goals import VALUE, Goal, Goals
from pathmax.trials.history import History, newest_models
from pathmax.trials.info import Info
from pathmax.trials.values import defect

__all__ = [
    "ATTRIBUTE",
    "CONSTRAINTS",
    "TrialReader",
    "checked_constraints",
    "goals_of",
    "place_suggested",
    "results_of",
]

ATTRIBUTE = "pathmax"
CONSTRAINTS = "constraints"  # Optuna's attribute for a list of them; "constraints:NAME" is for one
ONE_GOAL = Goals.single("minimize")


class TrialReader:
    """Reads the trials of one study in one search space. A finished trial is looked at once."""

    def __init__(self, search_space: SearchSpace) -> None:
        self.search_space = search_space
        self._places: dict[int, Array | None] = {}  # of finished trials

    def history(
        self, trials: Sequence[FrozenTrial], number: int, goals: Goals = ONE_GOAL
    ) -> History:
        """What is known when trial `number` is suggested: all that the others say."""
        observed, failed, pending = [], [], []
        for trial in trials:
            u = self._locate(trial) if trial.number != number else None
            if u is None:
                continue
            if trial.state in (TrialState.RUNNING, TrialState.WAITING):
                pending.append((trial, u))
            elif trial.state == TrialState.COMPLETE and _is_sound(trial):
                observed.append((trial, u))
            else:
                failed.append((trial, u))
        observed.sort(key=lambda known: (known[0].datetime_complete, known[0].number))
        results = [results_of(trial, goals) for trial, _ in observed]
        return History(
            number=number,
            X=self._points(observed),
            measured={
                name: np.array([result.get(name, np.nan) for result in results], dtype=float)
                for name in goals.names
            },
            noises={name: np.full(len(observed), np.nan) for name in goals.names},
            numbers=tuple(trial.number for trial, _ in observed),
            pending=self._points(pending),
            failed=self._points(failed),
            pending_numbers=tuple(trial.number for trial, _ in pending),
            rows=(),
            learnt=newest_models(self._infos(trials, number), goals.names),
        )

    def _points(self, known: Iterable[tuple[FrozenTrial, Array]]) -> Array:  # -> (n, d)
        dimension = self.search_space.space.dimension
        return np.array([u for _, u in known], dtype=float).reshape(-1, dimension)

    def _locate(self, trial: FrozenTrial) -> Array | None:  # -> (d,)
        """Where a trial is; None when it lies outside the space or is not known in full."""
        if not trial.state.is_finished():
            given = _fixed(trial) | trial.params
            return self._encode(_suggested(trial), given, trial.distributions)
        if trial.number not in self._places:
            self._places[trial.number] = self._encode({}, trial.params, trial.distributions)
        return self._places[trial.number]

    def _encode(
        self,
        suggested: Mapping[str, Any],
        given: Mapping[str, Any],
        own: Mapping[str, BaseDistribution],
    ) -> Array | None:
        space = self.search_space.space
        try:
            params = {**suggested, **self.search_space.inward(given, own)}
            if not self.search_space.conditions:
                return space.encode({name: params[name] for name in space.names})
            return space.encode({name: params[name] for name in space.names if name in params})
        except (KeyError, TypeError, ValueError):  # an enqueued value may lie outside
            return None

    def _infos(self, trials: Sequence[FrozenTrial], number: int) -> Iterator[Info]:
        """What is stored with the other suggestions in this space, the newest first."""
        names = set(self.search_space.space.names)
        for trial in reversed(trials):
            if trial.number == number or not _suggested(trial):
                continue
            own = set(_suggested(trial))
            if own == names or (self.search_space.conditions and own <= names):
                yield Info(trial.system_attrs[ATTRIBUTE]["info"])


def results_of(trial: FrozenTrial, goals: Goals) -> dict[str, float]:
    """The outcomes of a complete trial by name: its values, and its constraints."""
    results = dict(zip(goals.names, _values(trial), strict=False))
    return results | {_outcome(key): c for key, c in _constraints(trial).items()}


def goals_of(directions: Sequence[StudyDirection], trials: Iterable[FrozenTrial]) -> Goals:
    """What a study wants: its objectives, and every constraint that a trial has at most 0."""
    names = [VALUE] if len(directions) == 1 else [f"{VALUE} {i}" for i in range(len(directions))]
    objectives = zip(names, directions, strict=True)
    wanted = [Goal(name, direction.name.lower()) for name, direction in objectives]
    keys = dict.fromkeys(key for trial in trials for key in _constraints(trial))
    return Goals([*wanted, *(Goal(_outcome(key), high=0.0) for key in keys)])


def _outcome(key: str) -> str:
    """What the outcome of a constraint is called, unlike any objective."""
    return f"constraint {key}"


def _constraints(trial: FrozenTrial) -> dict[str, float]:
    """The constraints of a trial by name, those of a list by their place in it."""
    found = {str(i): float(c) for i, c in enumerate(trial.system_attrs.get(CONSTRAINTS) or ())}
    for name, value in trial.system_attrs.items():
        if name.startswith(f"{CONSTRAINTS}:"):
            found[name.partition(":")[2]] = float(value)
    return found


def _is_sound(trial: FrozenTrial) -> bool:
    """Whether all that was measured is finite: no model can hold an infinity."""
    return all(defect(value) is None for value in (*_values(trial), *_constraints(trial).values()))


def _suggested(trial: FrozenTrial) -> Mapping[str, Any]:
    """The params that were suggested, in the terms of the space."""
    params: Mapping[str, Any] = trial.system_attrs.get(ATTRIBUTE, {}).get("params", {})
    return params


def place_suggested(trial: FrozenTrial, name: str) -> float | None:
    """The place that was suggested for a number whose range moves, if one was."""
    kept: Mapping[str, Any] = trial.system_attrs.get(ATTRIBUTE, {})
    return kept["params"].get(name) if name in kept.get("moving", ()) else None


def _fixed(trial: FrozenTrial) -> dict[str, Any]:
    """What `study.enqueue_trial` fixed, in Optuna's terms."""
    fixed: dict[str, Any] = trial.system_attrs.get("fixed_params", {})
    return fixed


def _values(trial: FrozenTrial) -> list[float]:
    return [math.nan] if trial.values is None else list(trial.values)


def checked_constraints(found: Sequence[float], trial: FrozenTrial) -> list[float]:
    """What a constraints_func returned, as numbers that a storage can hold."""
    try:
        numbers = [float(one) for one in found]
    except (TypeError, ValueError):
        numbers = [math.nan]
    if any(math.isnan(one) for one in numbers):
        raise OutcomeError(
            f"constraints_func must return a list of numbers, got {found!r} for trial "
            f"{trial.number}; at most 0 means that a constraint is kept"
        )
    return numbers
