"""From a plan and a location to an open study and the meaning of its columns."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
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
from pathmax.session.setting_changes import take_over
from pathmax.session.space_change import SpaceChange
from pathmax.space.any_space import difference, is_stored_whole
from pathmax.storage import Entry, Storage, StudyRecord
from pathmax.study import Study
from pathmax.trials.goals import VALUE
from pathmax.trials.trial import Trial, TrialState
from pathmax.trials.wording import plural
from pathmax.workspace.layout import Layout
from pathmax.workspace.location import Location
from pathmax.workspace.plan_change import change_plan, preview_plan
from pathmax.workspace.space_file import read_space
from pathmax.workspace.study_plan import POOL, Plan, default_space_file, read_pool
from pathmax.workspace.toml_words import toml_text


@dataclass(frozen=True, slots=True)
class Opened:
    """A study, and what its columns are called and measured in.

    `remarks` tell its user what was unusual in opening it; mostly there are none.
    """

    study: Study
    layout: Layout
    remarks: tuple[str, ...] = ()

    @property
    def objective(self) -> str:
        return self.layout.objective

    @property
    def fitting(self) -> list[Trial]:
        """The trials that lie in the present space, which may have been changed."""
        outside = {trial.number for trial in self.study.left_out}
        return [trial for trial in self.study.trials if trial.number not in outside]


Agree = Callable[[SpaceChange], bool]
"""Whether a study is to go on in another space, once it is said what that changes."""


def refuse(change: SpaceChange) -> bool:
    """The answer when there is nobody to ask."""
    return False


def start_study(
    location: Location, plan: Plan | None, results_of: str | None = None, agree: Agree = refuse
) -> Opened:
    """The study of a plan, made if it is new; without a plan the one that is stored.

    With `results_of` it is a new study that takes over those results of another that still fit.
    When the plan has another space than the stored study, `agree` is asked whether to change it.
    """
    if plan is None:
        if location.missing_file:
            raise SettingsError(
                "nothing says what may vary: there is no space.toml here. `pathmax init` writes "
                "one to start from; `pathmax init --from results.csv` draws it from your table"
            )
        return load_study(location)
    domain, name = plan.domain(), location.study or plan.file.study
    remarks = list(plan.remarks(domain))
    if results_of is not None:
        other = load_study(replace(location, study=results_of)).study
        other.with_space(domain, name=name, direction=plan.direction)
    settings = plan.wanted(domain)
    try:
        study = Study(domain, name=name, storage=location.storage, **settings)
    except SpaceChangedError as error:
        storage = location.open()
        change = preview_plan(storage, name, plan, domain)
        if not agree(change):
            raise _changed(location, plan, change) from error
        change_plan(storage, name, plan, domain)
        study = Study(domain, name=name, storage=storage, **settings)
        remarks.append(f"Study {name} goes on under the same trial numbers: {change}.")
    wanted = plan.attributes()
    taken = take_over(study.storage, study.name, plan.stated_settings)
    if taken:
        remarks.append(
            f"Study {name} goes on with the settings of {plan.file.path}: {'; '.join(taken)}. "
            "Trials from before keep theirs."
        )
    stored = study.storage.load(study.name).attributes
    if dict(stored) != {**stored, "sheet": wanted}:
        study.storage.update(study.name, attributes={**stored, "sheet": wanted})
    if results_of is not None:
        remarks.append(_taken_over(study, other))
    elif not study.trials:
        remarks += _namesakes(study, plan)
    return Opened(study, plan.layout(domain), tuple(remarks))


def _taken_over(study: Study, other: Study) -> str:
    """That a new study numbers its trials anew, and what stays behind."""
    trials = other.trials
    ended = [trial for trial in trials if trial.state is not TrialState.RUNNING]
    running, taken = len(trials) - len(ended), len(study.trials)
    said = (
        f"Study {study.name} is new: it begins with {taken} of the {plural(len(ended), 'trial')} "
        f"that ended in {other.name}, numbered anew from 0, so a trial of {other.name} has "
        "another number here."
    )
    return said + (f" {plural(running, 'trial')} still running there." if running else "")


def _namesakes(study: Study, plan: Plan) -> list[str]:
    """That another study has this space and results: the name may have been changed by mistake."""
    for record in study.storage.studies():
        if record.name == study.name or difference(record.space, study.space):
            continue
        count = len(study.storage.changes(record.name, brief=True)[1])
        if count:
            back = f"--study {shlex.quote(record.name)}"
            if plan.file.path:
                back = f"study = {toml_text(record.name)} in {plan.file.path}"
            return [
                f"Study {study.name} is new and has no trials; {record.name}, with the same space, "
                f"has {count}. To go on with that one: {back}."
            ]
    return []


def is_new(location: Location, plan: Plan) -> bool:
    """Whether the study of a plan is not stored yet. Looking makes no file."""
    if location.missing_file:
        return True
    name = location.study or plan.file.study
    return all(record.name != name for record in location.open().studies())


def rehearsal(location: Location, plan: Plan) -> Opened:
    """The new study of a plan in memory, to see whether all goes well before anything is stored."""
    domain, name = plan.domain(), location.study or plan.file.study
    study = Study(domain, name=name, **plan.wanted(domain))
    return Opened(study, plan.layout(domain))


def begin_study(location: Location, plan: Plan, rehearsed: Study, entries: Sequence[Entry]) -> bool:
    """Store the study that was rehearsed with its first results, all at once.

    False, and nothing stored, when somebody else began it meanwhile.
    """
    record = rehearsed.storage.load(rehearsed.name)
    wanted = replace(record, attributes={"sheet": plan.attributes()})
    return location.open().begin(wanted, entries) is not None


def _changed(location: Location, plan: Plan, change: SpaceChange) -> SpaceChangedError:
    """What is different from the stored study, and what to type."""
    name, storage = change.study, location.open()
    new, rename = free_name(name, (other.name for other in storage.studies())), ""
    space = "" if plan.source is None else plan.source.again
    same = f"pathmax suggest --change-space{space}{location.again}"
    if location.study is not None or not plan.file.path:
        location = replace(location, study=new, typed=tuple(sorted({*location.typed, "study"})))
    else:  # named in the space file, it is the study that the other commands find
        rename = f"write study = {toml_text(new)} in {plan.file.path} and "
    said = (
        f"study {name!r} began with another space: {change}. To go on with it in the new space, "
        f"with the same trial numbers, add --change-space: {same}"
    )
    if not is_stored_whole(storage.load(name).space):  # it cannot be opened as it was
        return SpaceChangedError(said)
    return SpaceChangedError(
        f"{said}. To begin a new study with the results that still fit, which are numbered anew, "
        f"{rename}run: pathmax suggest --results-of {shlex.quote(name)}{space}{location.again}"
    )


def load_study(location: Location) -> Opened:
    """A stored study: the one named, the only one, or that of this folder's space file."""
    storage = location.look()
    return open_record(storage, storage.load(find_study(location, storage)))


def open_record(
    storage: Storage, record: StudyRecord, check_file: Callable[[str], object] = str
) -> Opened:
    """The study of a record. `check_file` may refuse the file that a large pool is read from."""
    sheet = stored_columns(record)
    space = None
    if not is_stored_whole(record.space):
        if not sheet.get("pool"):
            raise SpaceError(
                f"the candidates of study {record.name!r} are too many to be stored with it; "
                "say where they are: pathmax suggest --pool library.csv"
            )
        check_file(str(sheet["pool"].get("file", "")))
        try:
            space = read_pool(**sheet["pool"])
        except DataFileError as error:
            raise DataFileError(
                f"{error}. The candidates of study {record.name!r} are read from there; if they "
                "are elsewhere now, say where: pathmax suggest --pool library.csv"
            ) from error
        changed = difference(record.space, space)
        if changed:
            raise SpaceChangedError(
                f"the candidates of study {record.name!r} are read from {sheet['pool']['file']}, "
                f"and are others now: {'; '.join(changed)}. To go on with these, with the same "
                "trial numbers, run pathmax suggest --change-space, with the --space or --pool "
                "that it began with; or put the file back as it was"
            )
    study = Study.load(record.name, storage=storage, space=space)
    layout = Layout(
        domain=study.space,
        objective=sheet["objective"],
        goals=None if study.goals.to_json() is None else study.goals,
        units=sheet["units"],
        units_row=sheet["units_row"],
        ignored=tuple(sheet["ignored"]),
        pool=sheet["pool"].get("file"),
    )
    return Opened(study, layout)


def stored_columns(record: StudyRecord) -> dict[str, Any]:
    """What is stored about the columns of a study; anybody may have written it."""
    plain = {"objective": VALUE, "units": {}, "units_row": False, "ignored": [], "pool": {}}
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


def find_study(location: Location, storage: Storage) -> str:
    """The name of the study that is meant; the only one, or that of the space file, if none is."""
    names = [record.name for record in storage.studies()]
    if location.study is not None:
        if location.study in names:
            return location.study
        known = f"there are {', '.join(names)}" if names else "it holds none yet"
        raise StudyNotFoundError(f"no study {location.study!r} in {location.shown}; {known}")
    if len(names) == 1:
        return names[0]
    if not names:
        raise StudyNotFoundError(
            f"no study in {location.shown} yet; begin one with `pathmax suggest`"
        )
    path = default_space_file()
    try:
        here = read_space(path).study if path else None
    except DataFileError:
        here = None
    if here in names:
        return str(here)
    raise StudyNotFoundError(f"which study? name one with --study: {', '.join(names)}")
