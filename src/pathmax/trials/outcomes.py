"""What people tell as the result of a trial, read for the goals of its study.

one outcome       a number, or {"yield": 71.3}
several outcomes  {"yield": 71.3, "cost": 3.2}; what is left out, None or NaN is still to come,
                  an infinity is a failure
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping

from pathmax.errors import OutcomeError
from pathmax.scalars import describe, plain
from pathmax.trials.goals import VALUE, Goals
from pathmax.trials.values import read_noise, read_value


def read_outcomes(goals: Goals, told: object) -> dict[str, float]:
    """The numbers of a result by outcome; NaN and infinities are left to the caller."""
    if len(goals) > 1 and callable(items := getattr(told, "items", None)):
        told = dict(items())  # a row of a data frame
    if not isinstance(told, Mapping):
        if len(goals) == 1:
            return {goals[0].name: read_value(told)}
        raise OutcomeError(
            f"this study has the outcomes {', '.join(goals.names)}, got {describe(plain(told))}; "
            f"tell a dict such as {_example(goals)}"
        )
    _check_names(goals, told)
    measured = {}
    for name, value in told.items():
        if value is None or type(value).__name__ == "NAType":  # of pandas
            continue
        try:
            measured[name] = read_value(value)
        except OutcomeError as error:
            raise OutcomeError(f"{name}: {error}") from None
    if not measured:
        raise OutcomeError(
            f"a result has at least one of {', '.join(goals.names)}, got {describe(told)}; "
            "call study.fail(trial) if there is none"
        )
    return measured


def outcomes_told(goals: Goals, told: object) -> set[object]:
    """The outcomes that a result speaks of, also those that are still to come."""
    keys = getattr(told, "keys", None)  # of a dict, or of a row of a data frame
    return {*keys()} if callable(keys) else {goals.first.name}


def read_noises(goals: Goals, given: object) -> dict[str, float]:
    """The variances of a result by outcome, as far as they were given."""
    if not isinstance(given, Mapping):
        noise = read_noise(given)
        if noise is None:
            return {}
        if len(goals) > 1:
            raise OutcomeError(
                f"noise is a variance for each outcome here, got {describe(plain(given))}; write "
                f"noise={{{goals.first.name!r}: {noise:g}}}"
            )
        return {goals.first.name: noise}
    _check_names(goals, given)
    read = {name: read_noise(variance) for name, variance in given.items()}
    return {name: variance for name, variance in read.items() if variance is not None}


def _check_names(goals: Goals, told: Mapping[object, object]) -> None:
    for name in told:
        check_outcome(goals, name)


def check_outcome(goals: Goals, name: object) -> None:
    """Refuse a name that no outcome has, and say which may be meant."""
    if name in goals.names:
        return
    if goals.names == (VALUE,):
        named = f"objectives={{{name!r}: {goals.first.direction!r}}}"
        raise OutcomeError(
            f"there is no outcome {name!r}: this study has one, which has no name; tell a number, "
            f"or name the outcomes of a study: Study(space, {named})"
        )
    near = difflib.get_close_matches(str(name), goals.names, n=1)
    meant = f"did you mean {near[0]!r}?" if near else "Other numbers go into attributes"
    raise OutcomeError(
        f"there is no outcome {name!r}; this study has {', '.join(goals.names)}. {meant}"
    )


def _example(goals: Goals) -> str:
    return "{" + ", ".join(f"{name!r}: {math.pi:.1f}" for name in goals.names) + "}"
