"""The studies of a storage: which there are, how far each is, and how one is removed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pathmax.errors import SettingsError
from pathmax.session.editions import Edition
from pathmax.session.opening import goals_of
from pathmax.space import any_space
from pathmax.storage import Storage, StudyRecord
from pathmax.trials.best_trials import best_of, front_of, is_feasible
from pathmax.trials.trial import TrialState
from pathmax.workspace.location import Location
from pathmax.workspace.opened_study import find_study, stored_columns


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySummary:
    """One line about a study."""

    study: str
    direction: str
    objective: str
    goal: str
    """What is wanted, in words."""
    counts: dict[TrialState, int]
    """Complete are those that fit the present space and have an outcome that is wanted now."""
    best: float | None
    front: int | None = None
    """With several objectives: how many trials nothing else beats."""

    def to_json(self) -> dict[str, Any]:
        return {
            "study": self.study,
            "direction": self.direction,
            "objective": self.objective,
            "goal": self.goal,
            **{str(state): count for state, count in self.counts.items()},
            "best": self.best,
            **({} if self.front is None else {"front": self.front}),
        }


def summaries(location: Location) -> list[StudySummary]:
    """Every study of the storage, or the one that is named."""
    storage = location.look()
    records = [r for r in storage.studies() if location.study in (None, r.name)]
    return [_summary(storage, record) for record in records]


def _summary(storage: Storage, record: StudyRecord) -> StudySummary:
    _, trials = storage.changes(record.name, brief=True)
    goals = goals_of(record)
    done = [t for t in trials if t.state is TrialState.COMPLETE and goals.are_told_by(t.outcomes)]
    if record.earlier_spaces and record.space.get("rows", ()) is not None:
        present = Edition(record.space, goals, 0)
        done = [trial for trial in done if present.place(trial) is not None]
    allowed = [trial for trial in done if is_feasible(trial, goals)]
    if record.space.get("rows", ()) is not None and _is_particular(record):
        space = any_space.from_json(record.space)
        allowed = [trial for trial in allowed if space.counts(trial.params)]
    several = len(goals.objectives) > 1
    column = stored_columns(record)["objective"]
    counts = {state: sum(trial.state is state for trial in trials) for state in TrialState}
    return StudySummary(
        study=record.name,
        direction=record.direction,
        objective=column,
        goal=f"{record.direction} {column}" if goals.is_single else goals.words,
        counts=counts | {TrialState.COMPLETE: len(done)},
        best=best_of(allowed, goals).outcomes[goals.first.name]
        if allowed and not several
        else None,
        front=len(front_of(allowed, goals)) if several else None,
    )


def _is_particular(record: StudyRecord) -> bool:
    """Whether not every result in the space may be the best."""
    kinds = (parameter.get("type") for parameter in record.space.get("parameters", ()))
    listed = any("fidelity" in axis for axis in (record.space, *record.space.get("axes", ())))
    return bool(record.space.get("where")) or "fidelity" in kinds or listed


def trials_to_delete(location: Location) -> int:
    """How many trials the named study has; an error when it is not there."""
    if location.study is None:
        raise SettingsError(
            "which study? name it: pathmax delete NAME; `pathmax studies` lists them"
        )
    storage = location.look()
    return len(storage.changes(find_study(location, storage), brief=True)[1])


def delete_study(location: Location) -> None:
    """Remove the named study and all its trials, for good."""
    trials_to_delete(location)
    location.look().delete(location.study or "")
