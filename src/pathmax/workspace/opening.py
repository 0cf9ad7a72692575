"""From options to an open study and the meaning of its columns."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pathmax.errors import (
    DataFileError,
    ForeignStorageError,
    SettingsError,
    SpaceChangedError,
    SpaceError,
    StudyNotFoundError,
)
from pathmax.session.opening import free_name
from pathmax.space.domains import Domain, difference
from pathmax.storage import Entry, Storage, StudyRecord, open_storage, storage_url
from pathmax.study import Study
from pathmax.workspace.layout import Layout
from pathmax.workspace.plan import POOL, Place, Plan, default_space_file, read_pool
from pathmax.workspace.space_file import read_space
from pathmax.workspace.space_template import toml_text


@dataclass(frozen=True, slots=True)
class Opened:
    """A study, and what its columns are called and measured in."""

    study: Study
    layout: Layout

    @property
    def objective(self) -> str:
        return self.layout.objective


def start_study(place: Place, plan: Plan | None, results_of: str | None = None) -> Opened:
    """The study of a plan, made if it is new; without a plan the one that is stored.

    With `results_of` it is a new study that takes over those results of another that still fit.
    """
    if plan is None:
        if _missing_file(place.storage):
            raise SettingsError(
                "nothing says what may vary: there is no space.toml here. `pathmax init` writes "
                "one to start from; `pathmax init --from results.csv` draws it from your table"
            )
        return load_study(place)
    domain, name = plan.domain(), place.study or plan.file.study
    if results_of is not None:
        other = load_study(replace(place, study=results_of)).study
        other.with_space(domain, name=name, direction=plan.direction)
    try:
        study = Study(
            domain, name=name, storage=place.storage, direction=plan.direction, **plan.settings
        )
    except SpaceChangedError as error:
        raise _changed(place, plan, name, domain) from error
    wanted = plan.attributes()
    stored = study.storage.load(study.name).attributes
    if dict(stored) != {**stored, "sheet": wanted}:
        study.storage.update(study.name, attributes={**stored, "sheet": wanted})
    return Opened(study, plan.layout(domain))


def is_new(place: Place, plan: Plan) -> bool:
    """Whether the study of a plan is not stored yet. Looking makes no file."""
    if _missing_file(place.storage):
        return True
    name = place.study or plan.file.study
    return all(record.name != name for record in open_storage(place.storage).studies())


def rehearsal(place: Place, plan: Plan) -> Opened:
    """The new study of a plan in memory, to see whether all goes well before anything is stored."""
    domain, name = plan.domain(), place.study or plan.file.study
    study = Study(domain, name=name, direction=plan.direction, **plan.settings)
    return Opened(study, plan.layout(domain))


def begin_study(place: Place, plan: Plan, rehearsed: Study, entries: Sequence[Entry]) -> bool:
    """Store the study that was rehearsed with its first results, all at once.

    False, and nothing stored, when somebody else began it meanwhile.
    """
    record = rehearsed.storage.load(rehearsed.name)
    wanted = replace(record, attributes={"sheet": plan.attributes()})
    return open_storage(place.storage).begin(wanted, entries) is not None


def _changed(place: Place, plan: Plan, name: str, domain: Domain) -> SpaceChangedError:
    """What is different from the stored study, and what to type."""
    storage = open_storage(place.storage)
    record = storage.load(name)
    changes = difference(record.space, domain)
    if plan.direction not in (None, record.direction):
        changes.append(f"its direction was {record.direction} and is now {plan.direction}")
    new, rename = free_name(name, (other.name for other in storage.studies())), ""
    at = plan.file.path
    space = f" --space {shlex.quote(at)}" if at not in ("", default_space_file()) else ""
    if place.study is not None or not plan.file.path:
        place = replace(place, study=new, typed=tuple(sorted({*place.typed, "study"})))
    else:  # named in the space file, it is the study that the other commands find
        rename = f"write study = {toml_text(new)} in {plan.file.path} and "
    return SpaceChangedError(
        f"study {name!r} began with another space: {'; '.join(changes)}. To go on with it, undo "
        f"the change. To begin a new study with the results that still fit, "
        f"{rename}run: pathmax suggest --results-of {shlex.quote(name)}{space}{place.again}"
    )


def load_study(place: Place) -> Opened:
    """A stored study: the one named, the only one, or that of this folder's space file."""
    storage = existing_storage(place.storage)
    record = storage.load(_name(place, storage))
    sheet = sheet_of(record)
    space = None
    if record.space.get("kind") == "candidates" and record.space.get("rows") is None:
        if not sheet.get("pool"):
            raise SpaceError(
                f"the candidates of study {record.name!r} are too many to be stored with it; "
                "say where they are: pathmax suggest --pool library.csv"
            )
        space = read_pool(**sheet["pool"])
    study = Study.load(record.name, storage=storage, space=space)
    _check_params(study)
    layout = Layout(
        domain=study.space,
        objective=sheet["objective"],
        units=sheet["units"],
        units_row=sheet["units_row"],
        ignored=tuple(sheet["ignored"]),
        pool=sheet["pool"].get("file"),
    )
    return Opened(study, layout)


def sheet_of(record: StudyRecord) -> dict[str, Any]:
    """What is stored about the columns of a study; anybody may have written it."""
    plain = {"objective": "value", "units": {}, "units_row": False, "ignored": [], "pool": {}}
    stored = record.attributes.get("sheet", {})
    if isinstance(stored, dict) and all(
        type(stored.get(key, value)) is type(value) for key, value in plain.items()
    ):
        sheet: dict[str, Any] = plain | stored
        words = [*sheet["units"].values(), *sheet["ignored"]]
        if all(isinstance(word, str) for word in words) and {*sheet["pool"]} <= POOL:
            return sheet
    raise ForeignStorageError(
        f"study {record.name!r}: what is stored about its columns is not what pathmax writes "
        f"({stored!r:.80}); the database is damaged or was changed by another program"
    )


def _check_params(study: Study) -> None:
    """Refuse trials that lack a parameter, before a table or a figure stumbles over them."""
    for trial in study.trials:
        if lacking := [name for name in study.space.names if name not in trial.params]:
            raise ForeignStorageError(
                f"trial {trial.number} of study {study.name!r} has no {lacking[0]!r}, so pathmax "
                "did not write it; the database is damaged or was changed by another program"
            )


def existing_storage(url: str) -> Storage:
    """The storage, unless it is a file that is not there: looking must not make one."""
    path = _missing_file(url)
    if path is not None:
        raise StudyNotFoundError(
            f"there is no {path} here, so no study has begun; `pathmax init` and then "
            "`pathmax suggest` begin one, or name another database with --storage"
        )
    return open_storage(url)


def _missing_file(url: str) -> str | None:
    """The SQLite file that a storage means, if it is not there."""
    scheme, _, path = storage_url(url).partition(":///")
    path = path.partition("?")[0]
    return path if scheme == "sqlite" and not os.path.exists(path) else None


def shown(url: str) -> str:
    """A storage as it may be printed: without what could be a password."""
    scheme, separator, rest = url.partition("://")
    if not separator:
        return url
    return rest.lstrip("/") if scheme == "sqlite" else f"{scheme}://{rest.rpartition('@')[2]}"


def _name(place: Place, storage: Storage) -> str:
    names = [record.name for record in storage.studies()]
    if place.study is not None:
        if place.study in names:
            return place.study
        known = f"there are {', '.join(names)}" if names else "it holds none yet"
        raise StudyNotFoundError(f"no study {place.study!r} in {shown(place.storage)}; {known}")
    if len(names) == 1:
        return names[0]
    if not names:
        raise StudyNotFoundError(
            f"no study in {shown(place.storage)} yet; begin one with `pathmax suggest`"
        )
    path = default_space_file()
    try:
        here = read_space(path).study if path else None
    except DataFileError:
        here = None
    if here in names:
        return str(here)
    raise StudyNotFoundError(f"which study? name one with --study: {', '.join(names)}")
