"""A stored study goes on with another plan, and results keep their meaning.

A space file names its objective, and a study that has one outcome keeps it as "value":

    [objective] name = "yield"                        told as "value"
    [outcomes]  yield = "maximize", cost = ...        told as "yield" and "cost"

So where one takes the place of the other, results of the same column are carried over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from pathmax.session import space_change
from pathmax.session.opening import goals_of
from pathmax.session.space_change import SpaceChange
from pathmax.space.any_space import AnySpace
from pathmax.storage import Ending, Storage, StudyRecord
from pathmax.storage.records import Name
from pathmax.trials.goals import VALUE
from pathmax.trials.trial import Trial
from pathmax.trials.wording import plural
from pathmax.workspace.study_plan import Plan


class Renaming(NamedTuple):
    """One column, and the outcome that holds it in a study before a change and after it."""

    column: str
    old: str
    new: str

    def concerns(self, trial: Trial) -> bool:
        return self.old in trial.outcomes and self.new not in trial.outcomes


def preview_plan(storage: Storage, name: Name, plan: Plan, domain: AnySpace) -> SpaceChange:
    """What going on with a plan, and the space or pool of it, would change. Nothing is written."""
    record = storage.load(name)
    change = space_change.preview(storage, record, domain, plan.goals)
    return _said(change, _carried(storage, record, plan))


def change_plan(storage: Storage, name: Name, plan: Plan, domain: AnySpace) -> SpaceChange:
    """Go on with the space and the goals of a plan, under the same trial numbers."""
    record = storage.load(name)
    carried = _carried(storage, record, plan)
    _, change = space_change.change_space(storage, name, domain, plan.goals, plan.stated_settings)
    for trial, renaming in carried:
        old, new = renaming.old, renaming.new
        noise = trial.noise_of(old)
        noises = {} if noise is None else {new: noise}
        ending = Ending(outcomes={new: trial.outcomes[old]}, noises=noises, adds=True)
        storage.correct(record.key, trial.number, ending)
    return _said(change, carried)


Carried = list[tuple[Trial, Renaming]]


def _carried(storage: Storage, record: StudyRecord, plan: Plan) -> Carried:
    renaming = _renaming(record, plan)
    if renaming is None:
        return []
    _, trials = storage.changes(record.key, brief=True)
    return [(trial, renaming) for trial in trials if renaming.concerns(trial)]


def _renaming(record: StudyRecord, plan: Plan) -> Renaming | None:
    """How the objective of a space file is called in the study before and after, if differently."""
    if plan.goals is None:
        return None
    before, after = goals_of(record).names, plan.goals.names
    sheet = record.attributes.get("sheet")
    was = sheet.get("objective", VALUE) if isinstance(sheet, Mapping) else VALUE
    if before == (VALUE,) and was in after:
        return Renaming(was, VALUE, was) if was != VALUE else None
    column = plan.file.objective
    if after == (VALUE,) and column in before:
        return Renaming(column, column, VALUE) if column != VALUE else None
    return None


def _said(change: SpaceChange, carried: Carried) -> SpaceChange:
    """The change with what is carried over among its sentences, and not among what is untold."""
    if not carried:
        return change
    numbers = {trial.number for trial, _ in carried}
    stay = "stays" if len(carried) == 1 else "stay"
    kept = f"{plural(len(carried), 'result')} of {carried[0][1].column} from before {stay} in use"
    untold = tuple(number for number in change.untold if number not in numbers)
    return replace(change, sentences=(*change.sentences, kept), untold=untold)
