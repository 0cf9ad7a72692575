"""Studies from a form or from the text of a space.toml: checked as one types, made, changed."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pathmax.errors import DataFileError, PathmaxError, SettingsError, SpaceChangedError
from pathmax.session import opening
from pathmax.session.space_change import SpaceChange
from pathmax.storage import Storage, StudyRecord
from pathmax.study import Study
from pathmax.web.files import Files
from pathmax.web.kept_answers import with_answer
from pathmax.web.study_names import check_new_name
from pathmax.workspace.opened_study import Opened
from pathmax.workspace.plan_change import change_plan, preview_plan
from pathmax.workspace.space_file import parse_space, read_form
from pathmax.workspace.study_plan import Plan, plan_of_file

MOST_ERRORS = 20
FORM, FILE = "the form", "space.toml"


def read_plan(space: Mapping[str, Any] | None, toml: str | None, files: Files) -> Plan:
    """The plan that a request brings: entries of a space file, or its text."""
    if (space is None) == (toml is None):
        raise SettingsError(
            "a study is described by `space`, the entries of a space.toml as JSON, or by `toml`, "
            "its text; give one of them"
        )
    if space is not None:
        file = read_form(space, FORM, files.locate)
    else:
        file = parse_space(toml or "", FILE, files.locate)
    if file.older:
        raise SettingsError(
            "learn_from: a study that learns from tables is made where these are, on the command "
            "line (`pathmax suggest`) or in Python; the page goes on with it then"
        )
    return plan_of_file(replace(file, candidates=files.within(file.candidates)))


def defects(
    space: Mapping[str, Any] | None, toml: str | None, files: Files
) -> list[dict[str, Any]]:
    """What is wrong with it: a sentence each, and which entry is meant, such as a parameter.

    A form is read again without each wrong entry, so that all are found at once.
    """
    found: list[dict[str, Any]] = []
    left = copy.deepcopy(dict(space)) if space is not None else None
    while len(found) < MOST_ERRORS:
        try:
            plan = read_plan(left, toml, files)
            check_new_name(plan.file.study)
            Study(plan.domain(), **plan.stated, **plan.settings)
            break
        except PathmaxError as error:
            where = error.where if isinstance(error, DataFileError) else ()
            message = str(error).removeprefix(f"{FORM}: ")
            if found and not _is_new(where, found):
                break  # about what is missing only because it was taken out
            found.append({"where": list(where), "message": message})
            if left is None or len(where) < 2 or not _take_out(left, where):
                break
    return found


def _is_new(where: tuple[str, ...], found: list[dict[str, Any]]) -> bool:
    return len(where) > 1 and all(list(where) != each["where"] for each in found)


def _take_out(content: dict[str, Any], where: tuple[str, ...]) -> bool:
    section = content
    for name in where[:-1]:
        inner = section.get(name)
        if not isinstance(inner, dict):
            return False
        section = inner
    return section.pop(where[-1], None) is not None


def make_study(
    storage: Storage, plan: Plan, name: str | None, request: str | None = None
) -> tuple[StudyRecord, bool]:
    """The study of a plan, and whether it is new; one that is there must be the same.

    `request` is kept with the study that it makes.
    """
    named = name or plan.file.study
    check_new_name(named)
    domain = plan.domain()
    rehearsed = Study(domain, name=named, **plan.stated, **plan.settings)
    attributes = with_answer({"sheet": plan.attributes()}, request, {})
    wanted = replace(rehearsed.storage.load(named), attributes=attributes, identity=None)
    begun = storage.begin(wanted, [])
    if begun is not None:
        return begun, True
    there = storage.load(named)
    changed = opening.differences(there, domain, plan.goals)
    if changed:
        raise SpaceChangedError(
            f"there is a study {named!r} already, and it is another one: {'; '.join(changed)}; "
            "choose another name, or change the space of that study"
        )
    return there, False


def branch_study(opened: Opened, plan: Plan, name: str | None, request: str | None = None) -> str:
    """Make a study in the space of a plan, with the results of another one that fit; its name.

    `request` is kept with the study that it makes, in the same write.
    """
    study = opened.study
    if name is None and plan.file.study not in ("", study.name):
        name = plan.file.study
    check_new_name(name or "")
    wanted = study.goals if plan.goals is None else plan.goals
    if wanted.names != study.goals.names:
        raise SettingsError(
            f"study {study.name!r} has results of {', '.join(study.goals.names)}, and the plan "
            f"wants {', '.join(wanted.names)}; keep the outcomes, or make a new study"
        )
    session = opening.hold(study.storage, study.storage.load(study.name), study.space)
    attributes = with_answer({"sheet": plan.attributes()}, request, {})
    return opening.branch(session, plan.domain(), name, plan.direction, attributes).name


def preview_change(storage: Storage, name: str, plan: Plan) -> SpaceChange:
    """What going on with the space of a plan would change."""
    return preview_plan(storage, name, plan, plan.domain())


def change_study(storage: Storage, name: str, plan: Plan) -> SpaceChange:
    """Go on with the space, the goals and the columns of a plan, under the same trial numbers."""
    change = change_plan(storage, name, plan, plan.domain())
    record = storage.load(name)
    storage.update(record.key, attributes={**record.attributes, "sheet": plan.attributes()})
    return change
