"""What viewers see of one study: read once for all of them, and only what changed since.

A cache reads by itself, apart from the session that suggests: nobody who looks waits for a
suggestion, and no suggestion waits for somebody who looks.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from pathmax.session.curve_ledger import CurveLedger
from pathmax.session.editions import Edition
from pathmax.session.opening import LEARN_FROM, goals_of, older_of
from pathmax.space.any_space import AnySpace
from pathmax.storage import Storage, StudyKey, StudyRecord
from pathmax.trials.curves import Curves
from pathmax.trials.goals import Goal
from pathmax.trials.info import Info
from pathmax.trials.trial import Trial, TrialState
from pathmax.trials.wording import corrections
from pathmax.workspace.attribute_cells import attributes_of
from pathmax.workspace.layout import Layout
from pathmax.workspace.rounding import rounded
from pathmax.workspace.views.snapshot import Snapshot

LATEST_FAILURES = 50  # in a summary

T = TypeVar("T")


class StudyCache:
    """The trials of one study as they were last read, and what a page says of them."""

    def __init__(self, storage: Storage, record: StudyRecord, layout: Layout) -> None:
        self.record, self.layout = record, layout
        self.goals = goals_of(record)
        self.storage = storage
        self._lock = threading.Lock()
        self._revision = 0
        self._trials: dict[int, Trial] = {}
        self._edition = Edition(layout.domain, self.goals, 0) if record.earlier_spaces else None
        self._made: tuple[Snapshot | None, dict[Hashable, Any]] = (None, {})
        self._unexplained: set[int] = set()  # trials whose info has not been read yet
        self._curves, self._curves_lock = CurveLedger(storage, record.key), threading.Lock()

    @property
    def key(self) -> StudyKey:
        return self.record.key

    @property
    def revision(self) -> int:
        """Up to where the study was read."""
        return self._revision

    def read(self, present: int | None = None) -> Sequence[Trial]:
        """All trials by number, as they are now; what explains them is in `explained`.

        `present` is the revision of the study, if the caller has just looked: whoever comes after
        another viewer then needs no further look at the database.
        """
        return self._read(present)[1]

    def _read(self, present: int | None) -> tuple[int, Sequence[Trial]]:
        with self._lock:
            if present is not None and present <= self._revision:
                return self._revision, list(self._trials.values())
            first = self._revision == 0
            revision, changed = self.storage.changes(self.key, self._revision, brief=first)
            numbers = {trial.number for trial in changed}
            self._unexplained = numbers if first else self._unexplained - numbers
            if first:
                self._trials = {trial.number: trial for trial in changed}
            elif changed:
                trials = self._trials | {trial.number: _brief(trial) for trial in changed}
                self._trials = dict(sorted(trials.items()))
            self._revision = revision
            return revision, list(self._trials.values())

    def curves(self, present: int | None = None) -> Curves:
        """What trials reported on their way, read like `read`: only what is new."""
        with self._curves_lock:
            if present is None or present > self._curves.revision:
                self._curves.read()
            return dict(self._curves.known)

    def explained(self, trials: Iterable[Trial]) -> list[Trial]:
        """The same trials with that part of their `info` which a summary shows.

        The info of a trial never changes: it is read once, when the trial is first shown.
        """
        wanted = list(trials)
        with self._lock:
            lacking = [t.number for t in wanted if t.number in self._unexplained]
            if lacking:
                infos = self.storage.infos(self.key, lacking)
                for number in lacking:
                    info = infos.get(number, {})
                    self._trials[number] = _brief(replace(self._trials[number], info=info))
                self._unexplained.difference_update(lacking)
            known = self._trials
            return [
                replace(t, info=known[t.number].info) if t.number in known else t for t in wanted
            ]

    def snapshot(self, present: int | None = None) -> Snapshot:
        """The study as it is now, made once for all who look; `present` as for `read`."""
        return self.made("snapshot", lambda seen: seen, present)

    def made(self, what: Hashable, make: Callable[[Snapshot], T], present: int | None = None) -> T:
        """What is made of all trials, once for all viewers while nothing changes."""
        read, trials = self._read(present)
        seen, found = self._made
        if seen is None or seen.revision != read:
            outside = frozenset(trial.number for trial in trials if not self.fits(trial))
            parts = (self.record.name, self.layout, self.goals, tuple(trials), outside)
            seen = Snapshot(*parts, partial(self.curves, read), read)
            self._made = (seen, found := {})
        if what not in found:
            found[what] = make(seen)
        wanted: T = found[what]
        return wanted

    def fits(self, trial: Trial) -> bool:
        """Whether a trial lies in the present space."""
        return self._edition is None or self._edition.place(trial) is not None

    def summary(self, present: int | None = None) -> dict[str, Any]:
        """What `GET /api/studies/{name}` answers."""
        found, now = self.made("summary", self._summarised, present), time.time()
        running = [
            each | {"age": max(0.0, now - each["asked_at"]), "quiet": _quiet(each, now)}
            for each in found["running"]
        ]
        return found | {"running": running}

    def brief(self, present: int | None = None) -> dict[str, Any]:
        """One line of the list of studies."""
        whole = self.summary(present)
        kept = ("name", "words", "goals", "counts", "created_at", "revision", "changed_at")
        best, front = whole["best"], whole["front"]
        return {name: whole[name] for name in kept} | {
            "best": None if best is None else {key: best[key] for key in ("number", "outcomes")},
            "front": None if front is None else len(front),
        }

    def _summarised(self, seen: Snapshot) -> dict[str, Any]:
        record, latest = self.record, seen.failed[: -LATEST_FAILURES - 1 : -1]
        # one look at the storage for all of them
        self.explained([*seen.front, *seen.running, *latest])
        times = [t.told_at or t.asked_at for t in seen.trials]
        by_state = Counter(trial.state for trial in seen.trials)
        return {
            "name": record.name,
            "identity": record.identity,
            "edition": len(record.earlier_spaces),
            "revision": seen.revision,
            "created_at": record.created_at,
            "changed_at": max(times, default=record.created_at),
            "words": self._words(),
            "goals": [self.goal(goal) for goal in self.goals],
            "space": space_json(self.layout),
            "settings": settings_json(record),
            "counts": {
                "total": len(seen.trials),
                **{str(state): by_state[state] for state in TrialState},
                "feasible": len(seen.feasible),
                "left_out": len(seen.left_out),
            },
            "spent": seen.spent,
            "target": seen.target or None if seen.has_costs else None,
            "best": None if seen.best is None else self.listed([seen.best])[0],
            "front": self.listed(seen.front) if seen.several else None,
            "running": self.listed(seen.running),
            "failures": self.listed(latest),
        }

    def _words(self) -> str:
        goals, layout = self.goals, self.layout
        if layout.goals is None:
            return f"{goals.first.direction} {layout.labelled(layout.objective)}"
        return goals.words

    def goal(self, goal: Goal) -> dict[str, Any]:
        """What is wanted of one outcome, with its unit."""
        column = {name: column for column, name in self.layout.results.items()}[goal.name]
        bounds = {"low": goal.low, "high": goal.high}
        return {
            "name": goal.name,
            "title": column,
            "label": self.layout.labelled(column),
            "unit": self.layout.units.get(column),
            "direction": goal.direction,
            **{end: bound if abs(bound) < float("inf") else None for end, bound in bounds.items()},
            "reference": goal.reference,
            "words": goal.words,
        }

    def listed(self, trials: Iterable[Trial]) -> list[dict[str, Any]]:
        """Trials that were read here, as the API gives them."""
        return [self.trial(trial) for trial in self.explained(trials)]

    def trial(self, trial: Trial) -> dict[str, Any]:
        """A trial as the API gives it: `bench` has the params rounded to what can be set."""
        return trial_json(trial, self.layout.domain) | {"fits": self.fits(trial)}


def trial_json(trial: Trial, domain: AnySpace) -> dict[str, Any]:
    """A trial as the API gives it, without its explanation."""
    info = Info(trial.info)
    expected = {
        name: {"mean": part["mean"], "std": part["std"]}
        for name, part in info.sections.items()
        if isinstance(part, Mapping) and {"mean", "std"} <= part.keys()
    }
    return {
        "number": trial.number,
        "state": str(trial.state),
        "params": trial.params,
        "bench": rounded(domain, trial.params),
        "outcomes": trial.outcomes,
        "noise": trial.noise,
        "noises": trial.noises,
        "cost": trial.cost,
        "error": trial.error,
        "note": trial.note,
        "attributes": attributes_of(trial),
        "corrected": len(corrections(trial)),
        "asked_at": trial.asked_at,
        "told_at": trial.told_at,
        "heartbeat_at": trial.heartbeat_at,
        "duration": trial.duration,
        "worker": trial.worker,
        "method": info.method,
        "expected": expected,
        "remark": info.remark or None,
        "damage": trial.damage,
    }


def space_json(layout: Layout) -> dict[str, Any]:
    """What may be tried, with units; the rows of a pool stay where they are."""
    domain = layout.domain
    described = domain.outline()
    parameters = [
        each | {"unit": layout.units.get(each["name"]), "label": layout.labelled(each["name"])}
        for each in described["parameters"]
    ]
    return described | {"parameters": parameters, "size": domain.cardinality}


def _brief(trial: Trial) -> Trial:
    """A trial with that part of its info which a summary shows."""
    return replace(trial, info=Info(trial.info).brief())


def _quiet(running: Mapping[str, Any], now: float) -> float | None:
    """For how long a worker with a heartbeat has been silent."""
    beat = running["heartbeat_at"]
    return None if beat is None else max(0.0, now - beat)


def settings_json(record: StudyRecord) -> dict[str, Any]:
    """How a study suggests; of what it learns from the names and how many results, not the rows."""
    older = [{"name": one.name, "results": len(one)} for one in older_of(record)]
    return {**record.settings, **({LEARN_FROM: older} if older else {})}
