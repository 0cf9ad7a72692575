"""A study goes on in another space: what that changes, said before it is done.

The study keeps its trials and their numbers. Results that no longer fit stay in it, are shown, and
are left out of the model; those that fit again after a further change are used again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pathmax.errors import SettingsError
from pathmax.logger import logger
from pathmax.session.editions import Edition
from pathmax.session.opening import (
    SpaceLike,
    StorageLike,
    as_domain,
    carried,
    differences,
    goals_of,
    have_same_coordinates,
    hold,
    older_of,
    with_older,
)
from pathmax.session.session import Session
from pathmax.session.setting_checks import check_kept_model, check_method
from pathmax.space import any_space
from pathmax.space.any_space import AnySpace
from pathmax.storage import Storage, StudyRecord, open_storage
from pathmax.storage.records import Name
from pathmax.suggestion.older_results import point_of
from pathmax.suggestion.settings import Settings
from pathmax.trials.goals import Goals
from pathmax.trials.trial import TrialState
from pathmax.trials.wording import plural


@dataclass(frozen=True, slots=True)
class SpaceChange:
    """What changes when a study goes on in another space.

    Attributes:
        study: its name.
        sentences: what is different, a sentence each.
        results: how many results the study has.
        left_out: the trials with a result that do not fit.
        running: the running trials that do not fit; their results can still be told.
        disobeying: the trials with a result that fit, but break a known constraint.
        not_lent: of each older study or table that it learns from and of which rows fit no longer,
            its name, how many these are, and how many rows it has.
        untold: the trials with a result, but with none of the outcomes that are wanted now.
    """

    study: str
    sentences: tuple[str, ...]
    results: int
    left_out: tuple[int, ...]
    running: tuple[int, ...]
    disobeying: tuple[int, ...] = ()
    not_lent: tuple[tuple[str, int, int], ...] = ()
    untold: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.sentences)

    def __str__(self) -> str:
        said = "; ".join(self.sentences)
        if self.left_out:
            said += (
                f". {len(self.left_out)} of {plural(self.results, 'result')} "
                f"{'fits' if len(self.left_out) == 1 else 'fit'} no longer "
                f"({_listed(self.left_out)}): kept and shown, and left out of the model"
            )
        if self.disobeying:
            said += (
                f". {plural(len(self.disobeying), 'result')} ({_listed(self.disobeying)}) "
                f"{'breaks' if len(self.disobeying) == 1 else 'break'} a known constraint: kept "
                "and learnt from, and never the best"
            )
        if self.untold:
            said += (
                f". {plural(len(self.untold), 'result')} ({_listed(self.untold)}) "
                f"{'has' if len(self.untold) == 1 else 'have'} none of the outcomes that are "
                "wanted now: kept, and of no use until these are told"
            )
        for name, lost, total in self.not_lent:
            said += (
                f". {lost} of the {total} rows of {name}, which it learns from, "
                f"{'fits' if lost == 1 else 'fit'} no longer: left out of the model"
            )
        if self.running:
            said += f". Running outside the new space: {_listed(self.running)}"
        return said


def preview(
    storage: Storage, record: StudyRecord, domain: AnySpace, goals: Goals | None = None
) -> SpaceChange:
    """What going on in that space, for those goals, would change. Nothing is written.

    `SpaceError` if known constraints leave nothing of it.
    """
    from pathmax.suggestion.available_points import everything

    everything(domain).check_known()
    sentences = differences(record, domain, goals)
    _, trials = storage.changes(record.key, brief=True)
    there = Edition(domain, goals_of(record), len(trials))
    outside = [trial for trial in trials if there.place(trial) is None]
    names = set((goals_of(record) if goals is None else goals).names)
    return SpaceChange(
        record.name,
        tuple(sentences),
        sum(trial.state is TrialState.COMPLETE for trial in trials),
        tuple(t.number for t in outside if t.state is TrialState.COMPLETE),
        tuple(t.number for t in outside if t.state is TrialState.RUNNING),
        tuple(
            trial.number
            for trial in trials
            if trial.state is TrialState.COMPLETE
            and trial not in outside
            and not domain.where.are_obeyed(trial.params)
        ),
        tuple(
            (older.name, lost, len(older))
            for older in older_of(record)
            if (lost := sum(point_of(domain, params) is None for params in older.params))
        ),
        tuple(
            trial.number
            for trial in trials
            if trial.state is TrialState.COMPLETE
            and trial not in outside
            and not names & trial.outcomes.keys()
        ),
    )


def change_space(
    storage: Storage,
    name: Name,
    space: SpaceLike,
    goals: Goals | None = None,
    given: Mapping[str, Any] | None = None,
) -> tuple[Session, SpaceChange]:
    """Go on with a stored study in another space, or for other goals.

    given: settings that will be taken over as well.
    """
    record, domain = storage.load(name), as_domain(space)
    change = preview(storage, record, domain, goals)
    if not change:
        return hold(storage, record, domain), change
    settings = Settings.from_json(record.settings)
    if goals is not None:
        then = settings.updated(given or {})
        check_method(goals, {"method": then.method})
        check_kept_model(goals, then.noise, then.refit_every)
    if settings.kernel is not None:
        kept = carried(settings, _same_coordinates(record.space, domain))
        stored = with_older(Settings(**kept), older_of(record))
        storage.update(record.key, settings=stored)
    wanted = goals_of(record) if goals is None else goals
    stated = wanted.to_json()
    if stated is None and record.goals is not None:  # None would leave those that are stored
        stated = [goal.to_json() for goal in wanted]
    changed = storage.change(
        record.key,
        space=domain.to_json(),
        direction=str(wanted.first.direction),
        goals=stated,
    )
    return hold(storage, changed, domain), change


def load_changed(name: str, storage: StorageLike, space: SpaceLike | None) -> Session:
    """A stored study, gone on with in another space, whether or not it can be opened as it was."""
    if space is None:
        raise SettingsError(
            "change_space=True goes on with a study in the space that is given with it; give "
            "space=, or leave it out"
        )
    opened = open_storage(storage, there=True)
    session, change = change_space(opened, name, space)
    logger.info("study %r: goes on in another space: %s", name, change)
    return session


def _same_coordinates(stored: Mapping[str, Any], domain: AnySpace) -> bool:
    """Whether a kernel for a stored space fits; of a pool without its rows the columns tell."""
    if any_space.is_stored_whole(stored):
        return have_same_coordinates(any_space.from_json(stored), domain)
    now = domain.to_json()
    return all(stored.get(part) == now.get(part) for part in ("kind", "columns", "id", "smiles"))


def _listed(numbers: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, numbers[:8])) + (", ..." if len(numbers) > 8 else "")
    return f"trial{'' if len(numbers) == 1 else 's'} {shown}"
