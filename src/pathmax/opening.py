"""How a study is opened: begun, continued under its name, or taken to another space.

All that the caller gives is checked before the storage is opened, so that a mistake leaves neither
an empty study nor an empty file behind.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from typing import Any

from pathmax import pool, records
from pathmax.errors import SettingsError, SpaceChangedError
from pathmax.pool import Domain
from pathmax.session import Session
from pathmax.storage import Storage, StudyRecord, open_storage
from pathmax.suggest import Problem

SpaceLike = Domain | Mapping[str, Any]
StorageLike = str | os.PathLike[str] | Storage | None


def begin(
    space: SpaceLike,
    storage: StorageLike,
    name: str | None,
    direction: str | None = None,
    given: Mapping[str, Any] | None = None,
) -> Session:
    """The study of that name: a new one, or the one that is there if it is the same study."""
    domain, given = records.as_domain(space), given or {}
    if name is None:  # in the memory of this process there is only this one
        name = "study" if storage is None else f"study-{secrets.token_hex(4)}"
    wanted = records.new_record(name, domain, direction, given)
    opened = open_storage(storage)
    record = opened.create(wanted)
    check_same(record, domain, direction)
    settings = records.resumed(record, given)
    return Session(opened, name, Problem(domain, record.direction, settings))


def resume(name: str, storage: StorageLike, space: SpaceLike | None) -> Session:
    """A study that is there, on the space it is stored with unless it is given."""
    opened = open_storage(storage, there=True)
    record = opened.load(name)
    if space is not None:
        return begin(space, opened, name)
    domain, settings = pool.from_json(record.space), records.resumed(record, {})
    return Session(opened, name, Problem(domain, record.direction, settings))


def branch(session: Session, space: SpaceLike, name: str | None, direction: str | None) -> Session:
    """A new study in the same storage that begins with the results that fit another space."""
    storage, problem, domain = session.storage, session.problem, records.as_domain(space)
    if name is None:
        name = records.free_name(session.name, [record.name for record in storage.studies()])
    settings = records.carried(problem.settings, problem.space, domain)
    record = records.new_record(name, domain, direction or problem.direction, settings)
    if storage.begin(record, records.entries_that_fit(session.trials(), domain)) is None:
        raise SettingsError(f"there is a study {name!r} already; choose another name")
    return resume(name, storage, domain)


def refuse_to_load(*_: object, **__: object) -> None:
    """What `load` of a study that is open does."""
    raise SettingsError(
        "Study.load makes a new study and would leave this one as it is; "
        "write study = Study.load(name, storage=...)"
    )


def check_same(record: StudyRecord, domain: Domain, direction: str | None) -> None:
    """Refuse another space or direction: every earlier result would mean something else."""
    changed, turned = pool.difference(record.space, domain), ""
    if direction is not None and direction != record.direction:
        changed.append(f"the direction was {record.direction} and is now {direction}")
        turned = f", direction={direction!r}"
    if changed:
        load = f"Study.load({record.name!r}, storage=...)"
        raise SpaceChangedError(
            f"study {record.name!r} exists already and is another one: {'; '.join(changed)}. "
            f"To go on with it as it is, use {load}; to take the results that still fit into a new "
            f"study, use {load}.with_space(space{turned}); or choose another name"
        )
