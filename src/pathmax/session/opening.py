"""How a study is opened: begun, continued under its name, or taken to another space.

All that the caller gives is checked before the storage is opened, so that a mistake leaves neither
an empty study nor an empty file behind.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import fields, replace
from itertools import count
from typing import Any, TypeAlias, cast

from pathmax.errors import ParamsError, SettingsError, SpaceChangedError, SpaceError
from pathmax.logger import logger
from pathmax.scalars import type_of
from pathmax.session.older_sources import read_older
from pathmax.session.session import Session
from pathmax.session.setting_checks import (
    check_borrowing,
    check_guess,
    check_method,
    check_variances,
)
from pathmax.space import any_space
from pathmax.space.any_space import AnySpace
from pathmax.space.known_constraints import Rule, rules_of
from pathmax.space.parameter_space import ParameterSpace
from pathmax.space.space import Space
from pathmax.storage import Entry, Storage, StudyRecord, open_storage
from pathmax.storage.damage import reading
from pathmax.storage.records import Told
from pathmax.suggestion.older_results import OlderResults, as_json, same_results
from pathmax.suggestion.problem import StudyProblem
from pathmax.suggestion.settings import AUTO, Settings, complete_settings
from pathmax.trials.goals import Goals
from pathmax.trials.reference_point import reference_words
from pathmax.trials.trial import Trial, TrialState
from pathmax.trials.wording import plural

LEARN_FROM = "learn_from"  # beside the settings, in what is stored of a study
TAKEN_OVER = (*(part.name for part in fields(Told)), "asked_at", "told_at")  # into a new study
SpaceLike: TypeAlias = "AnySpace | Mapping[str, Any]"
StorageLike = str | os.PathLike[str] | Storage | None


def begin(
    space: SpaceLike,
    storage: StorageLike,
    name: str | None,
    goals: Goals | None = None,
    given: Mapping[str, Any] | None = None,
    where: Sequence[Rule] = (),
    learn_from: object = None,
) -> Session:
    """The study of that name: a new one, or the one that is there if it is the same study."""
    from pathmax.suggestion.available_points import everything

    domain, given = as_domain(space, where), given or {}
    everything(domain).check_known()
    if name is None:  # in the memory of this process there is only this one
        name = "study" if storage is None else f"study-{secrets.token_hex(4)}"
    older = () if learn_from is None else read_older(learn_from, domain, goals or Goals.single())
    wanted = new_record(name, domain, goals, given, older=older)
    check_method(goals, given)
    if goals is not None:
        check_variances(goals, given)
    check_borrowing(older, Settings.from_json(wanted.settings))
    check_guess(domain, wanted.settings["method"])
    opened = open_storage(storage)
    record = opened.create(wanted)
    with _reading(opened, record):
        check_same(record, domain, goals)
        check_method(goals_of(record), given)
        check_variances(goals_of(record), given)
        check_same_older(record, older)
        return hold(opened, record, domain, given)


def resume(name: str, storage: StorageLike, space: SpaceLike | None) -> Session:
    """A study that is there, on the space it is stored with unless it is given."""
    opened = open_storage(storage, there=True)
    record = opened.load(name)
    if space is not None:
        return begin(space, opened, name)
    with _reading(opened, record):
        return hold(opened, record, any_space.from_json(record.space))


def hold(
    storage: Storage, record: StudyRecord, domain: AnySpace, given: Mapping[str, Any] | None = None
) -> Session:
    """The session of a stored study, with what the caller gives on top of its settings."""
    settings, older = Settings.from_json(record.settings).updated(given or {}), older_of(record)
    check_borrowing(older, settings)
    problem = StudyProblem(domain, goals_of(record), settings, older)
    logger.info("study %r: opened in %s: %s", record.name, storage.place, problem.goals.words)
    return Session(storage, record.key, problem, record.earlier_spaces)


def _reading(storage: Storage, record: StudyRecord) -> AbstractContextManager[None]:
    return reading(f"{storage.place}: what is stored of study {record.name!r}")


def branch(
    session: Session,
    space: SpaceLike,
    name: str | None,
    direction: str | None,
    attributes: Mapping[str, Any] | None = None,
) -> Session:
    """A new study in the same storage that begins with the results that fit another space."""
    storage, problem, domain = session.storage, session.problem, as_domain(space)
    if name is None:
        name = free_name(session.name, [record.name for record in storage.studies()])
    settings = carried(problem.settings, have_same_coordinates(problem.space, domain))
    goals = problem.goals if direction is None else turned(problem.goals, direction)
    record = new_record(name, domain, goals, settings, attributes, problem.older)
    if storage.begin(record, entries_that_fit(session.trials(), domain)) is None:
        raise SettingsError(f"there is a study {name!r} already; choose another name")
    return resume(name, storage, domain)


def refuse_to_load(*_: object, **__: object) -> None:
    """What `load` of a study that is open does."""
    raise SettingsError(
        "Study.load makes a new study and would leave this one as it is; "
        "write study = Study.load(name, storage=...)"
    )


def goals_of(record: StudyRecord) -> Goals:
    """What a stored study wants."""
    return Goals.from_json(record.goals, record.direction)


def turned(goals: Goals, direction: str) -> Goals:
    """The same with the other direction for the one objective."""
    if not goals.is_single:
        raise SettingsError(
            f"direction={direction!r} is for a study of one objective, and this one has goals of "
            f"its own: {goals.words}; leave direction out"
        )
    return Goals([replace(goals.first, direction=direction)])


def check_same(record: StudyRecord, domain: AnySpace, goals: Goals | None) -> None:
    """Refuse another space or other goals: every earlier result would mean something else."""
    changed = differences(record, domain, goals)
    if changed:
        other = goals if goals is not None and goals != goals_of(record) else None
        opposite = named = ""
        if other is not None and other.is_single and other.names == goals_of(record).names:
            opposite = f", direction={other.first.direction!r}"
        elif other is not None:
            named = "".join(f", {name}=..." for name, stated in other.stated.items() if stated)
        load = f"Study.load({record.name!r}, storage=...)"
        said = f"study {record.name!r} exists already and is another one: {'; '.join(changed)}. "
        if not any_space.is_stored_whole(record.space):
            goals_too = f".change_space({(opposite + named)[2:]})" if opposite or named else ""
            raise SpaceChangedError(
                f"{said}Its rows were too many to be stored with it. To go on with it in the space "
                f"as it is now, with the same trial numbers, use {load[:-1]}, space=space, "
                f"change_space=True){goals_too}; to go on with it as it was, give the rows as they "
                "were; or choose another name"
            )
        raise SpaceChangedError(
            f"{said}"
            f"To go on with it as it is, use {load}; to go on with it as it should be now, use "
            f"{load}.change_space(space{opposite}{named}); to take the results that still fit into "
            f"a new study, use {load}.with_space(space{opposite}); or choose another name"
        )


def differences(record: StudyRecord, domain: AnySpace, goals: Goals | None) -> list[str]:
    """What is different from the stored study, a sentence each."""
    changed, stored = any_space.difference(record.space, domain), goals_of(record)
    if goals is not None and goals != stored:
        if goals.is_single and stored.is_single and goals.names == stored.names:
            direction = goals.first.direction
            changed.append(f"the direction was {record.direction} and is now {direction}")
        else:
            was, now = (f"{one.words}{reference_words(one)}" for one in (stored, goals))
            changed.append(f"its goals were {was} and are now {now}")
    return changed


def as_domain(space: Any, where: Sequence[Rule] = ()) -> AnySpace:
    """A space, pool or grid with further known constraints; a dict of parameters as a Space."""
    if isinstance(space, ParameterSpace):
        given, further = cast(AnySpace, space), rules_of(where)
        return given.knowing([*given.where.rules, *further]) if further else given
    if isinstance(space, Mapping):
        return Space(space, where)
    raise SpaceError(
        "a study needs a space: a dict such as {'temperature': pathmax.Float(20, 120)}, "
        f"a pathmax.Candidates or a pathmax.Grid, got {type_of(space)}"
    )


def new_record(
    name: str,
    domain: AnySpace,
    goals: Goals | None,
    given: Mapping[str, Any],
    attributes: Mapping[str, Any] | None = None,
    older: Sequence[OlderResults] = (),
) -> StudyRecord:
    """What a new study is stored as."""
    goals = Goals.single() if goals is None else goals
    settings = complete_settings(given, domain.dimension, lent=bool(older))
    return StudyRecord(
        name=name,
        space=domain.to_json(),
        direction=str(goals.first.direction),
        goals=goals.to_json(),
        settings=with_older(settings, older),
        attributes=attributes or {},
    )


def with_older(settings: Settings, older: Sequence[OlderResults]) -> dict[str, Any]:
    """What is stored of how a study suggests, with what it learns from."""
    return settings.to_json() | ({LEARN_FROM: as_json(older)} if older else {})


def older_of(record: StudyRecord) -> tuple[OlderResults, ...]:
    """What a stored study learns from."""
    return tuple(OlderResults.from_json(one) for one in record.settings.get(LEARN_FROM, ()))


def check_same_older(record: StudyRecord, older: Sequence[OlderResults]) -> None:
    """Refuse to learn from something else than the stored study does."""
    stored = older_of(record)
    if not older or same_results(older, stored):
        return
    rows = ", ".join(f"{one.name!r} ({plural(len(one), 'row')})" for one in stored)
    raise SettingsError(
        f"study {record.name!r} exists already and learns from {rows or 'its own results alone'}, "
        "which is stored with it; leave learn_from out to go on with it as it is, or choose "
        "another name"
    )


def entries_that_fit(trials: Iterable[Trial], domain: AnySpace) -> list[Entry]:
    """The finished trials whose params the domain allows, as results from before."""
    entries = []
    for trial in trials:
        if trial.state is TrialState.RUNNING:
            continue
        try:
            params = domain.validate(trial.params)
        except ParamsError:
            continue
        kept = {name: getattr(trial, name) for name in TAKEN_OVER}
        entries.append(Entry(params=params, **kept))
    return entries


def free_name(name: str, taken: Iterable[str]) -> str:
    """`name-2`, or the next number that is free."""
    used = set(taken)
    return next(f"{name}-{i}" for i in count(2) if f"{name}-{i}" not in used)


def have_same_coordinates(before: AnySpace, after: AnySpace) -> bool:
    """Whether a kernel that was made for one space fits the other."""
    return [axis.kind for axis in before.axes] == [axis.kind for axis in after.axes]


def carried(settings: Settings, same_coordinates: bool) -> dict[str, Any]:
    """The settings that a study takes along to another space."""
    kept = {field.name: getattr(settings, field.name) for field in fields(Settings)}
    if not same_coordinates:
        kept["kernel"] = None  # it was made for the old coordinates
        kept["refit_every"] = AUTO if settings.fixed else settings.refit_every
    return kept
