"""What running trials report on their way: checked, and stored at once."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping

from pathmax.errors import OutcomeError, RepeatedReportWarning
from pathmax.scalars import describe, plain, whole
from pathmax.session.session import Session
from pathmax.trials.curves import CurvePoint
from pathmax.trials.outcomes import read_outcomes
from pathmax.trials.trial import Trial


def report(session: Session, trial: Trial | int, step: object, value: object) -> CurvePoint:
    """`Study.report`, where the arguments are described."""
    number, at = session.number_of(trial), read_step(step)
    seen = read_outcomes(session.problem.goals, value)
    stored = session.storage.report(session.key, number, at, seen)
    if not _same(stored.outcomes, seen):
        warnings.warn(
            f"trial {number} reported step {at} before, as {_shown(stored.outcomes)}; that stands, "
            f"and {_shown(seen)} is left out. Count steps on where a run is continued",
            RepeatedReportWarning,
            stacklevel=3,
        )
    return stored


def read_step(step: object) -> int:
    """A step as a whole number, or an `OutcomeError`."""
    number = whole(plain(step))
    if number is None or number < 0:
        raise OutcomeError(
            "a step is a whole number, 0 or more, that counts epochs, trees or minutes, got "
            f"{describe(plain(step))}"
        )
    return number


def _same(one: Mapping[str, float], other: Mapping[str, float]) -> bool:
    return one.keys() == other.keys() and all(
        one[name] == other[name] or (math.isnan(one[name]) and math.isnan(other[name]))
        for name in one
    )


def _shown(outcomes: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:g}" for name, value in outcomes.items())
