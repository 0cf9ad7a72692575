"""Trial: one experiment, from the suggestion to its result, as a frozen value.

A study never changes a trial; it stores a new one in its place. `params` are in the user's units,
and `info` holds what explains the suggestion, so that it can be understood and derived again.
"""

from __future__ import annotations

import dataclasses
import enum
import json
import math
from collections.abc import Mapping
from typing import Any, TypeAlias

from pathmax.errors import TrialError
from pathmax.scalars import Scalar
from pathmax.trials import html
from pathmax.trials.goals import VALUE

__all__ = ["EARLIER", "EXPECTED", "PART_RUN", "Json", "Trial", "TrialState", "check_remarks"]

Json: TypeAlias = Any  # whatever json.dumps writes and json.loads gives back

EARLIER = "pathmax_earlier"  # the attribute that keeps what a trial was before its corrections
EXPECTED = "pathmax_expected"  # the one that keeps what the curve of a stopped trial led to expect
PART_RUN = "pathmax_part_run"  # and the one that keeps which part of its steps it had made
OWN_ATTRIBUTES = {
    EARLIER: "corrected values",
    EXPECTED: "what a stopped trial led to expect",
    PART_RUN: "how far a stopped trial had come",
}


class TrialState(enum.StrEnum):
    """Where a trial stands. A trial leaves `RUNNING` once and for all; it may be corrected.

    A stopped one was ended early, because it would hardly have come out among the best. It has a
    curve, and no result.
    """

    RUNNING = "running"
    COMPLETE = "complete"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One experiment: what to try, how it stands, and what came out.

    Printed, it shows what a person looks for; `to_json()` has everything.

    Attributes:
        number: counts from 0 within a study.
        params: what to try, by parameter name, in your units.
        state: running, complete, stopped early or failed.
        outcomes: what was measured, by name; the objective is called "value".
        noise: the variance of this measurement (your units squared), when it was given.
        noises: the same by outcome, where there are several.
        cost: what it cost, when that was told.
        error: why the trial failed or was stopped.
        info: what explains the suggestion (method, mean, std, g_star, ...).
        attributes: anything JSON that you attached.
        note: a remark in words.
        asked_at: when it was suggested, in seconds since 1970.
        told_at: when the result came.
        heartbeat_at: when its worker was last known to be alive.
        worker: who runs it.
        study: the name of the study it belongs to; None when it was made by hand.
        damage: what of it could not be read, when another program changed the database.
    """

    number: int
    params: dict[str, Scalar]
    state: TrialState = TrialState.RUNNING
    outcomes: dict[str, float] = dataclasses.field(default_factory=dict)
    noise: float | None = None
    noises: dict[str, float] = dataclasses.field(default_factory=dict, repr=False)
    cost: float | None = None
    error: str | None = None
    info: dict[str, Json] = dataclasses.field(default_factory=dict, repr=False)
    attributes: dict[str, Json] = dataclasses.field(default_factory=dict, repr=False)
    note: str | None = None
    asked_at: float = dataclasses.field(default=0.0, repr=False)
    told_at: float | None = dataclasses.field(default=None, repr=False)
    heartbeat_at: float | None = dataclasses.field(default=None, repr=False)
    worker: str | None = dataclasses.field(default=None, repr=False)
    study: str | None = None
    damage: str | None = dataclasses.field(default=None, repr=False)

    def __repr__(self) -> str:
        shown = [field.name for field in dataclasses.fields(self) if field.repr]
        if self.noises:
            shown.insert(shown.index("noise") + 1, "noises")
        return f"Trial({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"

    @property
    def value(self) -> float | None:
        """The objective as measured, or None while there is none; several are in `outcomes`."""
        return self.outcomes.get(VALUE)

    def noise_of(self, outcome: str) -> float | None:
        """The variance of one outcome, when it was given."""
        return self.noises.get(outcome, self.noise)

    @property
    def expected_end(self) -> dict[str, tuple[float, float]]:
        """Of a stopped trial: mean and variance of each outcome at its end, as far as one can tell.

        It is what the curve alone said when the trial was stopped, and what the model learns from.
        """
        stored = self.attributes.get(EXPECTED) if self.state is TrialState.STOPPED else None
        if not isinstance(stored, dict):
            return {}
        return {
            name: (float(each[0]), float(each[1]))
            for name, each in stored.items()
            if isinstance(each, list) and len(each) == 2 and all(map(_is_number, each))
        }

    @property
    def part_run(self) -> float:
        """Of a trial that was stopped, the part of its steps that it had made; else 1."""
        part = self.attributes.get(PART_RUN, 1.0) if self.state is TrialState.STOPPED else 1.0
        return min(max(float(part), 0.0), 1.0) if _is_number(part) else 1.0

    @property
    def duration(self) -> float | None:
        """Seconds from suggestion to result; never negative, even if the clock was set back."""
        if self.told_at is None:
            return None
        return max(0.0, self.told_at - self.asked_at)

    @property
    def earlier(self) -> tuple[Trial, ...]:
        """The trial as it was before each of its corrections, oldest first."""
        stored = self.attributes.get(EARLIER)
        if not isinstance(stored, list) or not all(map(_is_ending, stored)):
            return ()  # none, or not of our making
        others = {name: value for name, value in self.attributes.items() if name != EARLIER}
        return tuple(
            dataclasses.replace(
                self,
                state=TrialState(was["state"]),
                outcomes=was["outcomes"],
                noise=was["noise"],
                noises=was.get("noises", {}),
                error=was["error"],
                note=was["note"],
                attributes=others | ({EARLIER: stored[:i]} if i else {}),
            )
            for i, was in enumerate(stored)
        )

    def _repr_html_(self) -> str:
        """As a notebook shows it."""
        of_study = f" of {self.study}" if self.study else ""
        parts = [("state", f"{self.state}: {self.error}" if self.error else str(self.state))]
        parts += [("note", self.note)] if self.note else []
        settings = html.facts_table(self.params.items())
        measured = html.facts_table([*self.outcomes.items(), *parts])
        return html.page(f"Trial {self.number}{of_study}", settings, measured)

    def to_json(self) -> dict[str, Json]:
        """A dict that `json.dumps` takes; `from_json` gives an equal trial back."""
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        if self.damage is None:  # as nearly always
            del fields["damage"]
        return fields | {"state": str(self.state)}

    @classmethod
    def from_json(cls, data: Mapping[str, Json]) -> Trial:
        """The trial that `to_json` wrote. Fields of a later version are left out."""
        known = {field.name for field in dataclasses.fields(cls)}
        kept = {name: data[name] for name in data if name in known}
        return cls(**(kept | {"state": TrialState(data["state"])}))


def check_remarks(note: object, attributes: object) -> None:
    """Refuse a note that is not text, and attributes that JSON cannot hold."""
    if note is not None:
        if not isinstance(note, str):
            raise TrialError(f"a note is text, got {note!r}; numbers and lists go into attributes")
        _check_writable("a note", note)
    if attributes is None:
        return
    if not isinstance(attributes, Mapping):
        raise TrialError(
            f"attributes are a dict of names and values, got {attributes!r:.80}; "
            'write {"batch": 7}, say, and words into note'
        )
    for name in attributes.keys() & OWN_ATTRIBUTES.keys():
        raise TrialError(
            f"the attribute {name!r} is where pathmax keeps {OWN_ATTRIBUTES[name]}, got "
            f"{attributes[name]!r:.80}; choose another name"
        )
    try:
        written = json.dumps(dict(attributes), allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError) as error:
        raise TrialError(
            f"attributes must be what JSON can hold (text, finite numbers, lists, dicts): {error}; "
            "write array.tolist() for an array and str(x) for anything else"
        ) from error
    _check_writable("an attribute", written)


def _check_writable(what: str, text: str) -> None:
    """Refuse half a character, which no file and no page can show."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        part = text[max(0, error.start - 20) : error.end + 20]
        raise TrialError(
            f"{what} must be text that UTF-8 can hold, got {part!r}, which has bytes of something "
            "else in it, as names of files may; write "
            'text.encode("utf-8", "replace").decode()'
        ) from error


def _is_ending(was: object) -> bool:
    """Whether this is how a correction keeps the ending that it replaced."""
    if not isinstance(was, dict) or not was.keys() >= {
        "state",
        "outcomes",
        "noise",
        "error",
        "note",
    }:
        return False
    outcomes, noise = was["outcomes"], was["noise"]
    if not isinstance(outcomes, dict) or not all(map(_is_number, outcomes.values())):
        return False
    told = was["state"] == TrialState.COMPLETE and bool(outcomes)
    ended = told or was["state"] in (TrialState.FAILED, TrialState.STOPPED)
    return ended and (noise is None or _is_number(noise))


def _is_number(value: object) -> bool:
    return type(value) in (int, float) and math.isfinite(value)  # type: ignore[arg-type]


BY_HAND = "stopped by hand"  # why a trial ended early, if nothing else is said
INTERRUPTED = "interrupted before there was a result"  # no fault of the point: it stays free
