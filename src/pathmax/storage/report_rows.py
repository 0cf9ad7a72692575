"""Points of curves as rows: the trial, the step, the time, and JSON text for the values.

A row is written once and never read back to be changed, so that reporting costs the same however
long a curve is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pathmax.errors import OutcomeError
from pathmax.storage.json_text import decode, encode, typed
from pathmax.storage.records import Entry
from pathmax.storage.trial_lifecycle import not_running
from pathmax.storage.trial_rows import Row, Stored
from pathmax.trials.curves import CurvePoint
from pathmax.trials.trial import TrialState

LARGEST_STEP = 2**62  # a larger one is no integer to a database


def report_row(number: int, step: int, outcomes: Mapping[str, float], now: float) -> Row:
    """The row of a point, its revision apart."""
    if type(step) is not int or not 0 <= step < LARGEST_STEP:
        raise OutcomeError(f"a step is a whole number, 0 or more, got {step!r:.80}")
    if not outcomes:
        raise OutcomeError(f"a report has at least one value, got none at step {step}")
    values = {str(name): float(value) for name, value in outcomes.items()}
    return {
        "number": number,
        "step": step,
        "reported_at": now,
        "outcomes": encode(values, "a report"),
    }


def of_entry(number: int, entry: Entry, now: float) -> list[Row]:
    """The rows of the curve of a trial that arrives as a whole; of each step the first."""
    found: dict[int, Row] = {}
    for step, outcomes in entry.reports:
        found.setdefault(step, report_row(number, step, outcomes, now))
    return list(found.values())


def of_entries(first: int, entries: Sequence[Entry], now: float) -> list[Row]:
    """Those of the curves of trials that are numbered from `first`."""
    return [row for i, entry in enumerate(entries) for row in of_entry(first + i, entry, now)]


def report_of(row: Stored) -> CurvePoint:
    """The point in a row."""
    return CurvePoint(
        typed(row["number"], int),
        typed(row["step"], int),
        {str(name): _number(value) for name, value in typed(decode(row["outcomes"]), dict).items()},
        typed(row["reported_at"], float),
    )


def reports_of(rows: Iterable[Stored]) -> list[CurvePoint]:
    """The points in rows, by trial and step."""
    return sorted(map(report_of, rows), key=lambda point: (point.number, point.step))


def check_running(study: str, number: int, trial: Stored) -> None:
    """Refuse a report of a trial that has ended; one that was taken back may be alive."""
    if trial["state"] != TrialState.RUNNING and not trial["reclaimed"]:
        raise not_running(study, number, trial["state"])


def _number(value: Any) -> float:
    if type(value) not in (int, float):
        raise TypeError(f"expected a number, got {value!r:.80}")
    return float(value)
