"""A page of the table of trials: those that match, sorted, `limit` of them from `offset` on."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pathmax.errors import SettingsError
from pathmax.trials.trial import Trial, TrialState
from pathmax.web.study_cache import StudyCache
from pathmax.workspace.attribute_cells import ATTRIBUTE_HEAD, attribute_cell, attributes_of

PLAIN_COLUMNS: dict[str, Callable[[Trial], Any]] = {
    "number": lambda trial: trial.number,
    "state": lambda trial: str(trial.state),
    "asked_at": lambda trial: trial.asked_at,
    "told_at": lambda trial: trial.told_at,
    "duration": lambda trial: trial.duration,
    "note": lambda trial: trial.note,
    "worker": lambda trial: trial.worker,
}


@dataclass(frozen=True, slots=True)
class Listing:
    """Which trials are wanted."""

    offset: int = 0
    limit: int = 50
    sort: str = "number"
    filter: str = ""
    state: str = ""


def list_trials(cache: StudyCache, wanted: Listing, present: int | None = None) -> dict[str, Any]:
    """What `GET /api/studies/{name}/trials` answers."""
    trials = cache.read(present)
    chosen = [trial for trial in trials if _matches(trial, wanted)]
    key, backwards = _key(cache, wanted.sort)
    if wanted.sort != "number":
        known = [trial for trial in chosen if key(trial) is not None]
        missing = [trial for trial in chosen if key(trial) is None]
        # Choices may be numbers and text: upwards numbers come first. What is missing comes last.
        known.sort(key=lambda trial: _rank(key(trial)), reverse=backwards)
        chosen = known + missing
    page = chosen[wanted.offset : wanted.offset + wanted.limit]
    return {
        "offset": wanted.offset,
        "limit": wanted.limit,
        "total": len(trials),
        "matching": len(chosen),
        "revision": cache.revision,
        "trials": cache.listed(page),
    }


def _matches(trial: Trial, wanted: Listing) -> bool:
    if wanted.state and trial.state != wanted.state:
        if wanted.state not in [*TrialState]:
            raise SettingsError(
                f"state must be {', '.join(TrialState)} or empty, got {wanted.state!r}"
            )
        return False
    return not wanted.filter or wanted.filter.casefold() in _words(trial)


def _words(trial: Trial) -> str:
    choices = [str(value) for value in trial.params.values() if isinstance(value, str)]
    attributes = json.dumps(trial.attributes, ensure_ascii=False) if trial.attributes else ""
    parts = (trial.note, trial.error, trial.worker, str(trial.state), *choices, attributes)
    return "\n".join(part for part in parts if part).casefold()


def _key(cache: StudyCache, sort: str) -> tuple[Callable[[Trial], Any], bool]:
    backwards, name = sort.startswith("-"), sort.removeprefix("-")
    if name in cache.goals.names:
        return lambda trial: trial.outcomes.get(name), backwards
    results = cache.layout.results
    if name in results:
        return lambda trial: trial.outcomes.get(results[name]), backwards
    if name in cache.layout.domain.names:
        return lambda trial: trial.params.get(name), backwards
    if name in PLAIN_COLUMNS:
        return PLAIN_COLUMNS[name], backwards
    if name.startswith(ATTRIBUTE_HEAD):
        kept = name.removeprefix(ATTRIBUTE_HEAD)
        return lambda trial: attribute_cell(attributes_of(trial).get(kept)), backwards
    known = ", ".join(
        [*PLAIN_COLUMNS, f"{ATTRIBUTE_HEAD}NAME", *cache.goals.names, *cache.layout.domain.names]
    )
    raise SettingsError(f"trials cannot be sorted by {name!r:.80}; by {known}")


def _rank(value: Any) -> tuple[bool, Any]:
    return isinstance(value, str), value
