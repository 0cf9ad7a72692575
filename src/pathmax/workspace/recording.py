"""Results as people give them: typed as text, told, corrected, failed or remarked upon.

    told = tell(opened, 12, "71,3", std=0.5)
    told.trial, told.best, told.replaced

Every function returns a `Recorded`, which has all that a front end says in reply.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pathmax.errors import OutcomeError
from pathmax.tables.numbers import parse_number, reads_as_thousands
from pathmax.trials.outcomes import check_outcome
from pathmax.trials.trial import Trial
from pathmax.trials.wording import to_be_typed
from pathmax.workspace.opened_study import Opened
from pathmax.workspace.typed_pairs import typed_pairs
from pathmax.workspace.typed_settings import read_settings
from pathmax.workspace.views.snapshot import best_now


@dataclass(frozen=True, slots=True)
class Recorded:
    """A trial as it is stored now, and the best trial of its study; None while there is none."""

    study: str
    trial: Trial
    best: Trial | None
    replaced: Trial | None = None
    """The trial before it was corrected."""

    @property
    def is_best(self) -> bool:
        return self.best is not None and self.best.number == self.trial.number

    def to_json(self) -> dict[str, Any]:
        best = None if self.best is None else self.best.number
        return {"study": self.study, "trial": self.trial.to_json(), "best_trial": best}


def read_typed(text: str) -> float:
    """A number as people type it, with a decimal point or comma; `OutcomeError` if it is none."""
    try:
        return parse_number(text, "." if reads_as_thousands(text) or "." in text else ",")
    except ValueError as error:
        raise OutcomeError(f"{error}; write the measured number, such as 71.3") from error


def read_result(
    opened: Opened, given: str | float | Sequence[str], trial: int | None = None
) -> object:
    """A number as people type it, or NAME=NUMBER for each of several outcomes."""
    if not isinstance(given, Sequence):
        return given
    return _typed_numbers(opened, [given] if isinstance(given, str) else list(given), trial)


def _typed_numbers(
    opened: Opened, typed: Sequence[str], trial: int | None = None
) -> float | dict[str, float]:
    failed = "" if trial is None else f"a trial without a result is told so: pathmax fail {trial}"
    if opened.layout.goals is None or (
        len(opened.layout.goals) == 1 and not any("=" in text for text in typed)
    ):
        if len(typed) != 1:
            raise OutcomeError(f"expected one number, got {' '.join(typed)!r}; write it once")
        return _read_or(typed[0], "", failed)
    later = "leave out what is not known yet"
    return {
        name: _read_or(number, f"{name}: ", later, failed)
        for name, number in _by_outcome(opened, typed).items()
    }


def _read_or(text: str, of: str, *remedies: str) -> float:
    """A number as people type it; what else to do stands in the error."""
    try:
        return read_typed(text)
    except OutcomeError as error:
        raise OutcomeError(of + "; ".join(filter(None, [str(error), *remedies]))) from error


TypedSpread = float | Sequence[str] | None  # a standard deviation, or as it is typed


def read_spreads(opened: Opened, given: TypedSpread) -> float | dict[str, float] | None:
    """Standard deviations as people type them, as variances: one, or NAME=NUMBER for some."""
    if given is None or given == ():
        return None
    try:
        read = _typed_numbers(opened, given) if isinstance(given, Sequence) else given
    except OutcomeError as error:
        raise OutcomeError(f"standard deviation: {error}") from error
    spreads = read if isinstance(read, dict) else {"": read}
    for name, std in spreads.items():
        if std < 0.0:
            raise OutcomeError(
                f"{name and name + ': '}a standard deviation is zero or more, got {std:g}"
            )
    variances = {name: std * std for name, std in spreads.items()}  # inf where ** would raise
    return variances if isinstance(read, dict) else variances[""]


def _by_outcome(opened: Opened, typed: Sequence[str]) -> dict[str, str]:
    names = opened.study.goals.names
    example = to_be_typed(names, "NUMBER")
    pairs = typed_pairs(typed, OutcomeError, example, lacks="has no name", at_last=True)
    for name in pairs:
        check_outcome(opened.study.goals, name)
    return pairs


def tell(
    opened: Opened,
    trial: int,
    value: str | float | Sequence[str],
    *,
    std: TypedSpread = None,
    note: str | None = None,
    cost: float | None = None,
    correct: bool = False,
) -> Recorded:
    """The result of a trial. `correct` replaces the result that was told, or a failure."""
    measured = read_result(opened, value, trial)
    noise = read_spreads(opened, std)
    record = opened.study.correct if correct else opened.study.tell
    return _recorded(opened, record(trial, measured, noise=noise, note=note, cost=cost), correct)


def fail(opened: Opened, trial: int, reason: str, *, correct: bool = False) -> Recorded:
    """A trial that gave no result. `correct` replaces the result that was told."""
    return _recorded(opened, opened.study.fail(trial, reason, correct=correct), correct)


def add(
    opened: Opened,
    settings: Mapping[str, str],
    value: str | float | Sequence[str],
    *,
    std: TypedSpread = None,
    note: str | None = None,
    cost: float | None = None,
) -> Recorded:
    """A result from before: settings as people type them, and what came out."""
    params = read_settings(opened.layout, settings)
    measured = read_result(opened, value)
    noise = read_spreads(opened, std)
    trial = opened.study.add(params, measured, noise=noise, note=note, cost=cost)
    return _recorded(opened, trial, False)


def remark(opened: Opened, trial: int, note: str) -> Recorded:
    """A remark to keep with a trial, in any state."""
    return _recorded(opened, opened.study.annotate(trial, note=note), False)


def _recorded(opened: Opened, trial: Trial, corrected: bool) -> Recorded:
    replaced = trial.earlier[-1] if corrected else None
    return Recorded(opened.study.name, trial, best_now(opened), replaced)
